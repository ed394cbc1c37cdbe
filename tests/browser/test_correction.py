"""A move is corrected on a phone, and everybody who watches sees the new points without reloading."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

import games
from tests.browser.hall import PHONE, SCREEN, Club, Hall, Night, OtherClub, Phone
from tests.scorekeeper.test_corrections import change_of

pytestmark = pytest.mark.browser

NAMES = ("Ana", "Bo")


@pytest.fixture(scope="module")
def other_club(club: Club) -> Iterator[OtherClub]:
    with OtherClub.opened(club, "Corrections") as other:
        yield other


@pytest.fixture
def night(other_club: OtherClub) -> Iterator[Night]:
    with other_club.night(NAMES) as night:
        yield night


def points(state: games.Match) -> list[str]:
    return [str(total) for total in state.totals]


def of_night(page: Page, name: str) -> Any:
    """The points of a player in the table of the night."""
    return page.locator("#night-points tr", has_text=name).locator("td").nth(3)


PLAN, NUMBER, HAND = change_of("dom")


def after(*entries: dict[str, Any]) -> games.Match:
    """The match after these entries."""
    state = games.Match.new("dom", {}, NAMES)
    for entry in entries:
        state = state.enter(entry)
    return state


class Evening:
    """A played match of the night, a phone at its table, and two pages that follow: the table and the night."""

    def __init__(self, hall: Hall, night: Night, visit: Callable[..., Page]) -> None:
        table = night.club.make_table()
        self.match = hall.play(table, "dom", NAMES, PLAN)
        self.watch, self.night, phone = visit(**PHONE), visit(**SCREEN), Phone(visit(**PHONE))
        self.watch.goto(f"{table.path}watch/")
        self.night.goto(night.path)
        phone.join(table.link)
        self.page = phone.page

    def show(self, totals: list[str], names: Sequence[str] = NAMES) -> None:
        """Waits until both pages show these totals."""
        expect(self.watch.locator(".score .points")).to_have_text(totals)
        for name, total in zip(names, totals, strict=True):
            expect(of_night(self.night, name)).to_have_text(total)


@pytest.fixture
def evening(hall: Hall, night: Night, visit: Callable[..., Page]) -> Evening:
    return Evening(hall, night, visit)


def test_a_move_is_corrected(evening: Evening) -> None:
    before, corrected = after(*PLAN), after(*PLAN, {"kind": "replace", "hand": NUMBER, "with": HAND})
    moves = zip(before.hands[NUMBER].moves, HAND["moves"], strict=True)
    at, new = next((at, new) for at, (old, new) in enumerate(moves) if old != new)
    evening.show(points(before))

    page = evening.page
    page.goto(f"/matches/{evening.match}/?hand={NUMBER}&move={at + 1}")
    page.get_by_role("link", name="Change this move").tap()
    page.wait_for_url("**/hands/*/**")
    expect(page.locator("main")).to_have_count(1)
    assert page.evaluate("scrollY") == 0
    for key in ("card", "at"):
        page.locator(f'[name={key}][value="{new[key]}"]').check(force=True)
    page.get_by_role("button", name="Show what it changes").tap()
    total = page.locator(".compared tbody").nth(1)
    expect(total.locator(".was.number")).to_have_text(points(before))
    expect(total.locator(".becomes.number")).to_have_text(points(corrected))
    expect(page.locator(".moved")).to_contain_text("→")
    evening.show(points(before))
    page.get_by_label("Why?").fill("misread")
    page.get_by_role("button", name="Save the correction").tap()
    expect(page.locator("#corrections")).to_contain_text("misread")
    evening.show(points(corrected))


def test_the_seats_are_corrected(hall: Hall, evening: Evening) -> None:
    before, page = points(after(*PLAN)), evening.page
    page.goto(f"/matches/{evening.match}/")
    late: list[Route] = []
    page.route("**/corrections*.js", lambda route: late.append(route))
    page.get_by_role("link", name="The seats are wrong").tap()
    page.get_by_label("Seat 1").select_option(label="Bo")
    late[0].continue_()  # a tap that comes before the script works too
    expect(page.get_by_label("Seat 2").locator("option:checked")).to_have_text("Ana")
    page.get_by_role("button", name="Show what it changes").tap()
    expect(page.locator(".compared .becomes").first).to_have_text("Bo")
    page.get_by_role("button", name="Save the correction").tap()
    expect(page.locator("#corrections")).to_contain_text("Seats changed from Ana, Bo to Bo, Ana")
    expect(evening.watch.locator(".score .side").first).to_contain_text("Bo")
    evening.show(before, ("Bo", "Ana"))
    assert hall.record(evening.match)["players"] == ["Bo", "Ana"]
