"""A night with nine people: two games, somebody who leaves, a paper sheet, a change of phones, the big screen."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.hall import JOIN, PHONE, SCREEN, Club, Night, OtherClub, Phone, drag
from tests.browser.test_accessibility import NARROW, broken, good

pytestmark = pytest.mark.browser

PEOPLE = ("Ivo", "Jana", "Kai", "Lena", "Milo", "Nora", "Otto", "Pia", "Rolf")


PLAYED = [{"kind": "hand", "opener": 0, "final": {"bad": [31, 12], "out": 0}}]


@pytest.fixture(scope="module")
def other_club(club: Club) -> Iterator[OtherClub]:
    with OtherClub.opened(club, "Nights") as other:
        yield other


@pytest.fixture(autouse=True)
def _nights_end(other_club: OtherClub) -> Iterator[None]:
    yield
    other_club.close_nights()


@pytest.fixture
def night(other_club: OtherClub) -> Iterator[Night]:
    """A night with matches of one hand: two tables are seated, one person sits out."""
    with other_club.night(PEOPLE) as night:
        yield night.draw(hands=1).seat()


@pytest.fixture
def desk(night: Night) -> "Desk":
    page = night.club.page
    page.goto(f"{night.path}desk/")
    return Desk(page)


@pytest.fixture
def screen(night: Night, visit: Callable[..., Page]) -> Page:
    page = visit(**SCREEN)
    page.goto(f"{night.path}screen/")
    return page


def play_the_round(night: Night) -> None:
    """Both tables finish their matches."""
    for match in night.matches.values():
        night.club.hall.go_on(match, PLAYED)


class Desk:
    """The page of the host."""

    def __init__(self, page: Page) -> None:
        self.page = page

    def press(self, name: str) -> None:
        self.page.get_by_role("button", name=name).first.click()

    @property
    def tables(self) -> list[list[str]]:
        """The people drawn to each table, by side."""
        return [self.names(table) for table in self.page.locator(".drawn-table").all()]

    @property
    def byes(self) -> list[str]:
        byes = self.page.locator(".drawn-byes")
        return self.names(byes) if byes.count() else []

    @staticmethod
    def names(place: Locator) -> list[str]:
        return [text.split()[0] for text in place.locator(".name-chip").all_inner_texts()]

    def swap(self, one: str, other: str) -> None:
        for name in (one, other):
            self.chip(name).click()
        self.changed(one, other)

    def drag(self, one: str, onto: str) -> None:
        drag(self.chip(one), self.chip(onto))
        self.changed(one, onto)

    def chip(self, name: str) -> Locator:
        return self.page.locator(".name-chip").filter(has_text=name)

    def changed(self, one: str, other: str) -> None:
        """Waits until the step can be undone."""
        words = re.compile(rf"({one} \+ {other}|{other} \+ {one}) swap seats")
        expect(self.page.get_by_role("button", name=words)).to_be_visible()

    def codes(self) -> list[str]:
        """The addresses in the printed QR codes, by table."""
        back = self.page.url
        self.press("QR codes of all open tables, to print")
        addresses = self.page.get_by_text(JOIN)
        expect(addresses.first).to_be_visible()
        links = [text.strip() for text in addresses.all_inner_texts()]
        self.page.goto(back)
        return links


def test_a_night_begins_and_its_tables_are_drawn(other_club: OtherClub, visit: Callable[..., Page]) -> None:
    """Nine names and a game of one hand; then the tables are drawn."""
    page = other_club.page
    desk = Desk(page)
    page.goto(other_club.address)
    page.get_by_role("link", name="Start a night").click()
    page.get_by_label("Names, one per line").fill("\n".join([*PEOPLE, "Ivo"]))
    page.get_by_role("radio", name="Domino Whist").check()
    desk.press("Fill the tables")
    expect(page.get_by_role("heading", name="9 people here")).to_be_visible()
    page.locator("summary", has_text="Length and options").click()
    page.get_by_role("link", name="Domino Whist").click()
    page.get_by_label("Number of hands").fill("1")
    desk.press("Save")
    page.locator("summary", has_text="Draw again").click()
    page.get_by_role("button", name="Draw again").click()
    expect(page.get_by_text("Number of hands: 1").first).to_be_visible()
    assert [len(table) for table in desk.tables] == [4, 4]
    screen = visit(**SCREEN)
    screen.goto(page.url.replace("/nights/", "/tv/").replace("/desk/", ""))
    expect(screen.locator("main")).to_be_visible()
    assert "Who sits where" not in screen.locator("main").inner_text()


def test_players_change_places_before_they_are_seated(other_club: OtherClub, visit: Callable[..., Page]) -> None:
    """Two tables of four and one bye; players swap seats by taps and by dragging. A code of a table lets a phone
    in."""
    with other_club.night(PEOPLE) as night:
        night.draw(hands=1)
        desk, screen = Desk(other_club.page), visit(**SCREEN)
        desk.page.goto(f"{night.path}desk/")
        screen.goto(f"/tv/{night.pk}")
        expect(desk.page.locator(".drawn-table")).to_have_count(2)
        assert [len(table) for table in desk.tables] == [4, 4]
        (out,) = desk.byes
        first = desk.tables[0][0]
        desk.swap(out, first)
        assert (desk.tables[0][0], desk.byes) == (out, [first])
        one, other = desk.tables[0][1], desk.tables[1][1]
        desk.drag(one, other)
        assert (desk.tables[0][1], desk.tables[1][1]) == (other, one)
        expect(screen.locator("main")).to_be_visible()
        assert "Who sits where" not in screen.locator("main").inner_text()
        desk.press("Seat them")
        expect(desk.page.get_by_role("link", name=re.compile("no entries yet"))).to_have_count(2)
        expect(screen.locator("main")).to_contain_text(out)
        first_table, _second = desk.codes()
        phone = Phone(visit(**PHONE))
        phone.join(first_table)
        expect(phone.opener(out)).to_be_visible()


def test_news_does_not_take_a_name_from_under_the_pointer(other_club: OtherClub) -> None:
    signed_in = other_club.page.context.storage_state()
    laptop = other_club.hall.visitor(**SCREEN, storage_state=signed_in)
    with laptop as page, other_club.night(PEOPLE) as night:
        night.draw(hands=1)
        desk, follower, other = Desk(page), Desk(page.context.new_page()), Desk(other_club.page)
        for each in (desk, follower, other):
            each.page.goto(f"{night.path}desk/")
        name = desk.chip(desk.tables[0][0])
        held = name.element_handle()
        name.hover()
        desk.page.mouse.down()
        (_, *two), (_, *more) = other.tables
        for pair in zip(two, more, strict=True):
            other.swap(*pair)
            follower.changed(*pair)
        assert held.evaluate("name => name.isConnected")
        desk.page.mouse.up()  # chooses the name
        name.click()  # puts it down again
        desk.changed(*pair)


def test_another_phone_takes_over_and_counts(night: Night, screen: Page, visit: Callable[..., Page]) -> None:
    """One phone begins the hand; another one takes over and counts it."""
    phone, other = Phone(visit(**PHONE)), Phone(visit(**PHONE))
    link = night.link(1)
    phone.join(link)
    phone.tap(phone.page.locator(".plan button").first)
    phone.lay("6-6")
    expect(phone.sheet).to_have_attribute("data-version", re.compile(":2$"))
    other.join(link)
    other.press("Take the pad")
    expect(phone.page.locator(".handed")).to_contain_text("Another phone has had the pad since")
    other.tap(other.page.get_by_text("Lost track? Enter only the result"))
    group = other.page.get_by_role("group", name="Who went out?")
    other.tap(group.get_by_role("radio").first)
    for seat, pips in ((1, "14"), (2, "3"), (3, "9")):
        other.page.locator(f"#final-left-{seat}").fill(pips)
    other.press("All agree: count it")
    expect(other.page.get_by_text("Where do I sit?").first).to_be_visible()
    expect(phone.sheet).to_contain_text("won")
    expect(screen.locator("main")).to_contain_text("Results")


def test_a_sheet_is_typed_in(night: Night, desk: Desk) -> None:
    """The second table has no phone. Its sheet is typed in, and becomes the match that was drawn there."""
    page = desk.page
    night.club.hall.go_on(night.matches[1], PLAYED)
    expect(page.get_by_role("link", name=re.compile("no entries yet"))).to_have_count(1)
    page.get_by_role("link", name="Enter a paper sheet").click()
    page.get_by_role("listitem").filter(has_text="Domino Whist").get_by_role("link").first.click()
    page.locator("[name=h0-out]").select_option("1")
    page.locator("[name=h0-bad-0]").fill("31")
    page.locator("[name=h0-bad-1]").fill("12")
    page.locator("[name=h0-bad-1]").press("Tab")
    expect(page.locator("#verdict")).to_contain_text("31 : 12")
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.get_by_role("status").filter(has_text="Saved:")).to_be_visible()
    page.goto(f"{night.path}desk/")
    expect(page.get_by_text("9 are here and not playing")).to_be_visible()


@pytest.mark.parametrize("kind", [SCREEN, NARROW], ids=["laptop", "phone"])
def test_the_pages_of_the_host(night: Night, visit: Callable[..., Page], kind: dict[str, Any]) -> None:
    """On a laptop and on a narrow phone, after a round."""
    play_the_round(night)
    page = visit(**kind, storage_state=night.club.page.context.storage_state())
    sheet = f"{night.club.address}paper/?night={night.pk}&game=domino-whist"
    for path in (*(f"{night.path}{path}" for path in ("desk/", "scorer/", "games/domino-whist/")), sheet):
        page.goto(path)
        for summary in page.locator("summary:visible").all():
            summary.click()
        good(page)
    for path in (f"{night.path}seats/", f"{night.club.address}audit/"):
        page.goto(path)
        assert broken(page) == set()
    night.draw(hands=1).seat()
    page.goto(f"{night.path}scorer/")
    page.locator("main .list a").first.click()
    expect(page.get_by_role("link", name="All tables")).to_be_visible()
    good(page)


def test_a_draft_is_discarded(night: Night, desk: Desk, visit: Callable[..., Page]) -> None:
    """On a narrow phone, while the desk is open on a laptop."""
    play_the_round(night)
    phone = visit(**NARROW, storage_state=night.club.page.context.storage_state())
    phone.goto(f"{night.path}desk/")
    phone.get_by_role("button", name="Mix").click()
    expect(phone.locator(".drawn-table")).to_have_count(2)
    good(phone)
    expect(desk.page.locator("main")).to_be_visible()
    phone.get_by_role("button", name="Discard").click()
    expect(phone.get_by_role("button", name="Mix")).to_be_visible()


def test_a_second_round_has_two_games(night: Night, visit: Callable[..., Page]) -> None:
    """Rolf goes home. One table of four and two of two; the last hand reaches a phone."""
    play_the_round(night)
    page = night.club.page
    desk = Desk(page)
    page.goto(f"{night.path}desk/")
    page.get_by_role("heading", name="9 people here").click()
    page.locator(".tick").filter(has_text="Rolf").click()
    expect(page.get_by_role("heading", name="8 people here")).to_be_visible()
    page.get_by_label("Players left over").select_option(label="plays Draw (2 players)")
    page.get_by_label("Maximum number of tables").fill("1")
    desk.press("Mix")
    expect(page.locator(".drawn-table")).to_have_count(3)
    assert [len(table) for table in desk.tables] == [4, 2, 2]
    assert not desk.byes
    assert not any("Rolf" in table for table in desk.tables)
    someone = desk.tables[2][0]
    desk.press("Seat them")
    expect(page.get_by_role("link", name=re.compile("no entries yet"))).to_have_count(3)
    reader, phone = visit(**PHONE), Phone(visit(**PHONE))
    reader.goto(night.path)
    reader.get_by_role("combobox").first.select_option(label=someone)
    expect(reader.locator("main")).to_contain_text("Table 3")
    phone.join(night.link(1))
    desk.press("Call the last hand at all tables")
    expect(phone.page.locator("main")).to_contain_text("The next hand is the last")


def test_a_night_is_closed_and_downloaded(night: Night, screen: Page, tmp_path: Path) -> None:
    """The host closes the night with matches in play, and decides about them. Then everything can be downloaded."""
    play_the_round(night)
    night.draw(hands=1).seat()
    page = night.club.page
    desk = Desk(page)
    page.goto(f"{night.path}desk/")
    desk.press("Close the night")
    expect(page.get_by_role("alert")).to_contain_text("Choose below what to do with them")
    page.get_by_role("radio", name="the current scores count").check()
    desk.press("Close the night")
    expect(page.get_by_role("heading", name="The night is closed")).to_be_visible()
    expect(screen.locator("main")).to_contain_text("The night is over")
    page.get_by_role("link", name="Results and sharing").click()
    status, text = night.club.hall.server.ask("GET", f"{night.path}results.txt")
    assert status == 200
    assert "31" in text
    assert sum(name in text for name in PEOPLE) == 8  # one sat out, and the second round was not played
    page.goto(f"{night.path}file/")
    desk.press("Make the file")
    with page.expect_download() as waiting:
        page.get_by_role("link", name="Download").click()
    waiting.value.save_as(tmp_path / "night.html")
    page.goto((tmp_path / "night.html").as_uri())
    for words in ("Domino Whist", "31"):
        expect(page.locator("body")).to_contain_text(words)
