"""A knock-out of best of three on a phone: the director sets it up, draws and releases it there, players record and the
director types results, until there is a champion."""

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Page, expect

from scorekeeper import models
from tests.browser.hall import PHONE, Club, OtherClub, Phone
from tests.nights import names_of
from tests.waiting import until

pytestmark = pytest.mark.browser

PLAYERS = names_of(4)


def _open(pk: int) -> list[tuple[int, int, int, list[str]]]:
    """The matches in play: round, table, the table's id, and who sits there."""
    found = models.Match.objects.filter(event=pk, finished_at=None).select_related("table").order_by("table__number")
    return [
        (match.round or 0, match.table.number, match.table.pk, [seat.name for seat in match.seats.all()])
        for match in found
        if match.table
    ]


@pytest.fixture
def ramblers(club: Club) -> Iterator[OtherClub]:
    with OtherClub.opened(club, "Climbers") as other:
        yield other


class Cup:
    def __init__(self, club: OtherClub, desk: Page) -> None:
        self.club, self.desk = club, desk
        desk.goto(f"{club.address}tournaments/new/?preset=block:knock-out")
        desk.get_by_label("Name of the tournament").fill("Cup")
        expect(desk.get_by_label("Minimum of tables")).to_be_hidden()
        expect(desk.get_by_text("Who stands before whom")).to_be_hidden()
        desk.get_by_label("Who goes on from a table of a knock-out").select_option(
            label="Who wins two of three matches"
        )
        desk.locator("details:has([name=option-hands]) summary").click()
        desk.locator("[name=option-hands]").fill("1")
        self.press("Set up the tournament")
        desk.get_by_label("Names, one per line").fill("\n".join(PLAYERS))
        self.press("Enter")
        expect(desk.get_by_role("link", name="Order the seeds")).to_be_visible()
        self.path = desk.url.removesuffix("desk/")
        self.pk = int(self.path.rstrip("/").rpartition("/")[2])

    def press(self, name: str) -> None:
        self.desk.get_by_role("button", name=name, exact=True).first.click()

    def open(self) -> list[tuple[int, int, int, list[str]]]:
        return self.club.hall.does(_open, self.pk)

    def release(self, number: int) -> None:
        self.press(f"Draw round {number}")
        self.press(f"Release round {number}")
        expect(self.desk.locator(f"#desk[data-round='{number}'] .missing-now")).to_contain_text("without a result")

    def record(self, phone: Phone, winner: str, *, loser: int) -> None:
        """A hand that this player won, on the pad that shows their match; the `loser` is in this seat."""
        page = phone.page
        phone.tap(page.get_by_text("Already played? Enter only the result"))
        for question in ("Who opened?", "Who went out?"):
            phone.tap(page.get_by_role("group", name=question).get_by_role("radio", name=winner, exact=True))
        page.locator(f"#final-left-{loser}").fill("12")
        expect(page.locator("#preview-final")).to_contain_text(f"{winner} won")
        phone.press("All agree: count it")

    def type(self, number: int, table: int, winner: str) -> None:
        before = self.open()
        self.desk.goto(f"{self.path}desk/")
        form = self.desk.locator(f"#table-{number}-{table}")
        form.get_by_text("Type the result").click()
        for field in form.locator("label:has([name^=total-])").all():
            field.locator("input").fill("20" if winner in field.inner_text() else "3")
        form.get_by_role("button", name="Save the result").click()
        until(lambda: self.open() != before)  # the next page would cancel what is still on its way


def test_a_director_runs_a_knock_out_on_a_phone(ramblers: OtherClub, visit: Callable[..., Page]) -> None:
    desk = visit(**PHONE, storage_state=ramblers.page.context.storage_state())
    cup = Cup(ramblers, desk)
    desk.get_by_role("link", name="Order the seeds").click()
    desk.get_by_role("button", name=f"Up: {PLAYERS[3]}").press("Enter")
    expect(desk.locator("[data-seeds] li").nth(2)).to_contain_text(PLAYERS[3])
    desk.get_by_role("button", name="Save the seeds").click()
    cup.release(1)
    (number, table, where, names), (_number, other, _where, theirs) = cup.open()
    phone = Phone(visit(**PHONE))
    phone.join(ramblers.hall.table_link(where))
    cup.record(phone, names[0], loser=1)
    expect(phone.page.locator("#sheet")).to_contain_text("match 2 of up to 3 · 0 : 1")
    cup.record(phone, names[0], loser=0)
    expect(phone.page.get_by_role("heading", name=f"{names[0]} won")).to_be_visible()
    for _ in range(2):
        cup.type(number, other, theirs[1])
    desk.goto(f"{cup.path}desk/")
    cup.release(2)
    [(number, table, _where, finalists)] = cup.open()
    assert {*finalists} == {names[0], theirs[1]}
    for _ in range(2):
        cup.type(number, table, theirs[1])
    desk.goto(cup.path)
    rounds = desk.get_by_role("group", name="Matches by round")
    expect(rounds.get_by_text("Final", exact=True).first).to_be_visible()
    expect(rounds.locator(".won").filter(has_text=theirs[1]).last).to_contain_text("2")
    assert desk.evaluate("document.documentElement.scrollWidth") <= 390
