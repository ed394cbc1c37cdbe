"""A whole night with nine people: two games, somebody who leaves, a paper sheet, a change of phones, the big screen."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.browser.hall import JOIN, PHONE, SCREEN, Club, Hall, Phone
from tests.browser.test_accessibility import NARROW, good

pytestmark = pytest.mark.browser

PEOPLE = ("Ivo", "Jana", "Kai", "Lena", "Milo", "Nora", "Otto", "Pia", "Rolf")


@pytest.fixture
def hall(browser: Browser, tmp_path: Path) -> Iterator[Hall]:
    """A separate hall, because in the shared one people of other tests are still playing."""
    hall = Hall(browser, tmp_path / "data")
    yield hall
    hall.stop()


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
        self.chip(one).drag_to(self.chip(onto))
        self.changed(one, onto)

    def chip(self, name: str) -> Locator:
        return self.page.locator(".name-chip").filter(has_text=name)

    def changed(self, one: str, other: str) -> None:
        """Waits until the step can be undone."""
        words = re.compile(rf"({one} \+ {other}|{other} \+ {one}) change places")
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


def test_a_whole_night(hall: Hall, visit: Callable[..., Page], tmp_path: Path) -> None:
    with hall.visitor(**SCREEN) as page, hall.visitor(**SCREEN) as screen:
        club = Club(hall, page)
        desk = Desk(page)
        begin(club, desk)
        screen.goto("/tv/")
        links = the_first_round(desk, screen)
        a_phone_handed_over(hall, links[0])
        a_sheet_typed_in(desk)
        expect(screen.locator("main")).to_contain_text("Results")
        the_desk_in_every_light(hall, page)
        the_second_round(hall, desk, links)
        the_end(hall, desk, screen, tmp_path)


def begin(club: Club, desk: Desk) -> None:
    """Nine names and a game of one hand; then the tables are drawn."""
    page = desk.page
    page.goto(club.address)
    page.get_by_role("link", name="Start a night").click()
    page.get_by_label("Who is here? One name per line").fill("\n".join([*PEOPLE, "Ivo"]))
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


def the_first_round(desk: Desk, screen: Page) -> list[str]:
    """Two tables of four and one bye; players change places by taps and by dragging; the codes of the tables are
    shown."""
    assert [len(table) for table in desk.tables] == [4, 4]
    (out,) = desk.byes
    first = desk.tables[0][0]
    desk.swap(out, first)
    assert (desk.tables[0][0], desk.byes) == (out, [first])
    one, other = desk.tables[0][1], desk.tables[1][1]
    desk.drag(one, other)
    assert (desk.tables[0][1], desk.tables[1][1]) == (other, one)
    assert "Who sits where" not in screen.locator("main").inner_text()
    desk.press("Seat them")
    expect(desk.page.get_by_role("link", name=re.compile("no entries yet"))).to_have_count(2)
    expect(screen.locator("main")).to_contain_text(out)
    return desk.codes()


def a_phone_handed_over(hall: Hall, link: str) -> None:
    """One phone begins the hand; another one takes over and counts it."""
    with hall.visitor(**PHONE) as first, hall.visitor(**PHONE) as second:
        phone, other = Phone(first), Phone(second)
        phone.join(link)
        phone.tap(phone.page.locator(".plan button").first)
        phone.lay("6-6")
        expect(phone.sheet).to_have_attribute("data-version", re.compile(":2$"))
        other.join(link)
        expect(phone.page.locator(".handed")).to_contain_text("Another phone has the pad since")
        other.tap(other.page.get_by_text("Lost track? Enter only the result"))
        group = other.page.get_by_role("group", name="Who went out?")
        other.tap(group.get_by_role("radio").first)
        for seat, pips in ((1, "14"), (2, "3"), (3, "9")):
            other.page.locator(f"#final-left-{seat}").fill(pips)
        other.press("All agree: count it")
        expect(other.page.get_by_text("Where do I sit?").first).to_be_visible()
        expect(phone.sheet).to_contain_text("won")


def a_sheet_typed_in(desk: Desk) -> None:
    """The second table had no phone. Its sheet is typed in, and becomes the match that was drawn there."""
    page = desk.page
    expect(page.get_by_role("link", name=re.compile("no entries yet"))).to_have_count(1)
    page.get_by_role("link", name="Enter a paper sheet").click()
    page.get_by_role("listitem").filter(has_text="Domino Whist").get_by_role("link").first.click()
    page.locator("[name=h0-out]").select_option("1")
    page.locator("[name=h0-bad-0]").fill("31")
    page.locator("[name=h0-bad-1]").fill("12")
    page.locator("[name=h0-bad-1]").press("Tab")
    expect(page.locator("#verdict")).to_contain_text("31 : 12")
    page.get_by_role("button", name="Save", exact=True).click()
    page.goto("/nights/1/desk/")
    expect(page.get_by_text("9 are here and not playing")).to_be_visible()


def the_desk_in_every_light(hall: Hall, laptop: Page) -> None:
    """The host's pages on a laptop and on a narrow phone, before and after a draw."""
    with hall.visitor(**NARROW, storage_state=laptop.context.storage_state()) as phone:
        for page in (laptop, phone):
            for path in ("/nights/1/desk/", "/nights/1/scorer/", "/nights/1/games/domino-whist/"):
                page.goto(path)
                for summary in page.locator("summary:visible").all():
                    summary.click()
                good(page)
        phone.goto("/nights/1/desk/")
        phone.get_by_role("button", name="Mix").click()
        expect(phone.locator(".drawn-table")).to_have_count(2)
        good(phone)
        expect(laptop.locator("main")).to_be_visible()
        phone.get_by_role("button", name="Discard").click()
        expect(phone.get_by_role("button", name="Mix")).to_be_visible()
    laptop.goto("/nights/1/desk/")


def the_second_round(hall: Hall, desk: Desk, links: list[str]) -> None:
    """Rolf goes home. One table of four and two of two; the last hand reaches a phone."""
    page = desk.page
    page.locator(".tick").filter(has_text="Rolf").click()
    expect(page.get_by_role("heading", name="8 people here")).to_be_visible()
    page.get_by_label("Players left over").select_option(label="plays Draw (2)")
    page.get_by_label("Maximum number of tables").fill("1")
    desk.press("Mix")
    expect(page.locator(".drawn-table")).to_have_count(3)
    assert [len(table) for table in desk.tables] == [4, 2, 2]
    assert not desk.byes
    assert not any("Rolf" in table for table in desk.tables)
    someone = desk.tables[2][0]
    desk.press("Seat them")
    expect(page.get_by_role("link", name=re.compile("no entries yet"))).to_have_count(3)
    with hall.visitor(**PHONE) as reader, hall.visitor(**PHONE) as recorder:
        reader.goto("/nights/1/")
        reader.get_by_role("combobox").first.select_option(label=someone)
        expect(reader.locator("main")).to_contain_text("Table 3")
        phone = Phone(recorder)
        phone.join(links[0])
        desk.press("Call the last hand at all tables")
        expect(phone.page.locator("main")).to_contain_text("The next hand is the last")


def the_end(hall: Hall, desk: Desk, screen: Page, folder: Path) -> None:
    """The host closes the night with matches in play, and decides about them. Then everything can be downloaded."""
    page = desk.page
    desk.press("Close the night")
    expect(page.get_by_role("alert")).to_contain_text("Choose what happens to them")
    page.get_by_role("radio", name="the current scores count").check()
    desk.press("Close the night")
    expect(page.get_by_role("heading", name="The night is closed")).to_be_visible()
    expect(screen.locator("main")).to_contain_text("The night is over")
    page.get_by_role("link", name="Results and sharing").click()
    status, text = hall.server.ask("GET", "/nights/1/results.txt")
    assert status == 200
    assert "31" in text
    assert sum(name in text for name in PEOPLE) == 8  # one sat out, and the second round was not played
    page.goto("/nights/1/file/")
    desk.press("Make the file")
    with page.expect_download() as waiting:
        page.get_by_role("link", name="Download").click()
    waiting.value.save_as(folder / "night.html")
    page.goto((folder / "night.html").as_uri())
    for words in ("Domino Whist", "31"):
        expect(page.locator("body")).to_contain_text(words)
