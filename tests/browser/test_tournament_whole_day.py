"""A whole day of a tournament: a director at the desk, eight players on their phones, the big screen, and somebody at
home who follows the standings. One player leaves, one does not come, one result is typed at the desk."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from scorekeeper import models
from tests.browser.hall import PHONE, SCREEN, Club, OtherClub, Phone
from tests.browser.test_tournament_print import printed
from tests.nights import names_of
from tests.waiting import until

pytestmark = pytest.mark.browser

PLAYERS = names_of(8)
PIPS = 12
# The name and the points of each row.
ROWS = """rows => rows.map((row) => [
    row.querySelector("th bdi").textContent, row.querySelector("td.first").innerText.trim().split(/\\s/)[0]])"""
Tables = dict[int, tuple[int, list[str]]]
"""By number: the table's id, and who sits there, by seat."""


def _tables(pk: int, number: int) -> Tables:
    found = models.Match.objects.filter(event=pk, round=number).select_related("table")
    return {
        match.table.number: (match.table.pk, [seat.name for seat in match.seats.all()])
        for match in found
        if match.table
    }


class Day:
    """A tournament of two rounds, and everybody's pages."""

    def __init__(self, club: OtherClub, visit: Callable[..., Page]) -> None:
        self.club, self.desk = club, club.page
        self.desk.goto(f"{club.address}tournaments/new/?preset=block:heads")
        self.desk.get_by_label("Name of the tournament").fill("Spring cup")
        self.desk.locator("details:has([name=option-hands]) summary").click()
        self.desk.locator("[name=option-hands]").fill("1")
        self.desk.get_by_label("This number of rounds:").check()
        self.desk.get_by_role("spinbutton", name="Number of rounds").fill("2")
        self.press("Set up the tournament")
        self.desk.get_by_label("Names, one per line").fill("\n".join(PLAYERS))
        self.press("Enter")
        self.press("Make the schedule")
        expect(self.desk.get_by_text("The schedule has 2 more rounds.")).to_be_visible()
        self.path = self.desk.url.removesuffix("desk/")
        self.pk = int(self.path.rstrip("/").rpartition("/")[2])
        self.points = dict.fromkeys(PLAYERS, 0)
        self.home = visit(**PHONE)
        self.home.clock.install()
        self.home.goto(f"{self.path}standings/")
        self.screen = visit(**SCREEN)
        self.screen.goto(f"{self.path}screen/?show=standings")
        self.phones = {name: Phone(visit(**PHONE)) for name in PLAYERS}
        for name, phone in self.phones.items():
            phone.page.goto(f"{self.path}seats/")
            phone.page.get_by_label("Where do I sit?").select_option(label=name)

    def press(self, name: str) -> None:
        self.desk.get_by_role("button", name=name, exact=True).first.click()

    def says(self, name: str, words: str) -> None:
        """What the page "Where do I sit?" says to this player, by itself."""
        expect(self.phones[name].page.locator("#my-seat")).to_contain_text(words)

    def release(self, number: int) -> Tables:
        """Everybody who plays sees where."""
        self.press("Draft the first round" if number == 1 else "Draft the next round")
        self.press(f"Release round {number}")
        expect(self.desk.locator(f"#desk[data-round='{number}'] .missing-now")).to_contain_text("without a result")
        tables = self.club.hall.does(_tables, self.pk, number)
        for table, (_pk, names) in tables.items():
            for name in names:
                self.says(name, f"Table {table}")
        return tables

    def record(self, table: tuple[int, list[str]]) -> None:
        """The first player scans the code of the table and enters a hand that they won. Then they look where to sit
        next. The other one waits on that page."""
        pk, (winner, loser) = table
        phone = self.phones[winner]
        page = phone.page
        phone.join(self.club.hall.table_link(pk))
        phone.tap(page.get_by_text("Already played? Enter only the result"))
        for question in ("Who opened?", "Who went out?"):
            phone.tap(page.get_by_role("group", name=question).get_by_role("radio", name=winner, exact=True))
        page.locator("#final-left-1").fill(str(PIPS))
        expect(page.locator("#preview-final")).to_contain_text(f"{winner} won")
        phone.press("All agree: count it")
        expect(page.get_by_role("heading", name=f"{winner} won")).to_be_visible()
        phone.tap(page.get_by_role("link", name="Where do I sit?"))
        self.points[winner] += 1
        for name in (winner, loser):
            self.says(name, "Your match is over.")

    def type_at_the_desk(self, number: int, table: int, names: list[str]) -> None:
        """The second player won."""
        form = self.desk.locator(f"#table-{number}-{table}")
        form.get_by_text("Type the result").click()
        for side, total in enumerate(("3", "20")):
            form.locator(f"[name=total-{side}]").fill(total)
        form.get_by_role("button", name="Save the result").click()
        self.points[names[1]] += 1
        for name in names:
            self.says(name, "Your match is over.")

    def nobody_came(self, number: int, table: int, names: list[str]) -> None:
        """The second player did not come."""
        steps = self.desk.locator(f"#absent-{number}-{table}")
        steps.locator("summary").click()
        steps.get_by_role("checkbox", name=names[1]).check()
        steps.get_by_role("button", name="They lose by forfeit").click()
        self.points[names[0]] += 1
        self.says(names[0], "Your match is over.")

    def leaves(self, name: str) -> None:
        self.desk.get_by_text("Somebody leaves or is back").click()
        who = self.desk.get_by_label("Who leaves")
        who.select_option(label=who.locator("option").filter(has_text=name).inner_text().strip())
        self.desk.get_by_role("button", name="They leave").click()
        expect(self.desk.locator(".entrants li").filter(has_text=name)).to_contain_text("has left")
        self.says(name, "You have left the tournament.")

    def all_see_the_standings(self, heading: str) -> list[str]:
        """At home and on the screen, without a reload. Returns the names by place."""
        places: dict[str, str] = {}

        def at_home() -> bool:
            self.home.clock.fast_forward(15_000)
            places.clear()
            places.update(self.home.locator("#standings tbody tr").evaluate_all(ROWS))
            points = {name: int(text) for name, text in places.items()}
            return points == self.points and heading in self.home.locator("#standings").inner_text()

        until(at_home)
        (first, *_others) = places
        best = self.screen.locator(".leaf:visible li").first
        expect(best).to_contain_text(first)
        expect(best.locator(".figure").first).to_contain_text(f"Points {places[first]}")
        return list(places)


@pytest.fixture
def day(club: Club, visit: Callable[..., Page]) -> Iterator[Day]:
    with OtherClub.opened(club, "Walkers") as other:
        yield Day(other, visit)
        # Otherwise the screens of other tests would show it.
        other.close_nights()


def test_a_directors_day_with_eight_players(day: Day, tmp_path: Path) -> None:
    tables = day.release(1)
    day.type_at_the_desk(1, 4, tables[4][1])
    for number in (1, 2, 3):
        day.record(tables[number])
    expect(day.desk.locator(".missing-now")).to_contain_text("All results are in.")
    day.all_see_the_standings("Standings after round 1")

    leaver = tables[1][1][1]
    day.leaves(leaver)
    tables = day.release(2)
    assert len(tables) == 3
    (left_over,) = set(PLAYERS) - {leaver} - {name for _pk, names in tables.values() for name in names}
    day.says(left_over, "You have a bye in this round.")
    day.points[left_over] += 1
    missing, *played = tables
    day.nobody_came(2, missing, tables[missing][1])
    for number in played:
        day.record(tables[number])
    expect(day.desk.locator(".missing-now")).to_contain_text("All results are in.")
    day.all_see_the_standings("Standings after round 2")

    day.press("Close the tournament")
    expect(day.desk.get_by_text("The tournament is over.")).to_be_visible()
    for name in PLAYERS:
        day.says(name, "The tournament is over.")
    places = day.all_see_the_standings("Final standings")
    assert [day.points[name] for name in places] == sorted(day.points.values(), reverse=True)

    for paper, names in (("prizes/?places=3", ".a4-prizes th[scope=row] bdi"), ("certificates/", ".certificate-name")):
        day.desk.goto(f"{day.path}print/{paper}")
        first = day.desk.locator(names).all_inner_texts()
        assert first == places[: len(first)]
        assert len(first) >= 3
        assert printed(day.desk, tmp_path / "paper.pdf") == (1 if "prizes" in paper else len(first))
