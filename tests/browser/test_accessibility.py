"""Pages for everybody: names for screen readers, contrast, narrow phones, keyboards, the reader's language."""

import random
import re
from collections.abc import Callable

import pytest
from axe_playwright_python.base import AXE_SCRIPT, AxeResults
from playwright.sync_api import Page, expect

import games
from tests.browser.hall import NAME, PHONE, RESTING, SCREEN, Club, Hall, Phone, Table, shows

pytestmark = pytest.mark.browser

LONG = ("Bo", "Cleo", "Dan", "Maximiliane-Charlotte")
NARROW = PHONE | {"viewport": {"width": 360, "height": 740}}
SMALL = ((360, 740), (320, 568), (640, 360))  # px
BROKEN = """() => {
  const words = [];
  const texts = document.createTreeWalker(document.querySelector("main"), NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const text = texts.currentNode;
    if (!text.parentElement.checkVisibility() || text.parentElement.closest(".hear, option")) continue;
    for (const { 0: word, index } of text.data.matchAll(/\\p{L}+/gu)) {
      const range = document.createRange();
      range.setStart(text, index);
      range.setEnd(text, index + word.length);
      const lines = [...range.getClientRects()].filter(({ width }) => width).map(({ bottom }) => Math.round(bottom));
      if (new Set(lines).size > 1) words.push(word);
    }
  }
  return words;
}"""
OF_COLOURS = {"runOnly": {"type": "rule", "values": ["color-contrast", "link-in-text-block"]}}


@pytest.fixture
def narrow(visit: Callable[..., Page], table: Table) -> Phone:
    """A phone of 360 px at the table."""
    phone = Phone(visit(**NARROW))
    phone.join(table.link)
    return phone


def fits(page: Page) -> None:
    """The page fits the width of small phones, one of them on its side, also with text of twice the size."""
    page.wait_for_load_state()  # after a tap on a link, a document may have no element yet
    usual = page.viewport_size
    for width, height in SMALL:
        page.set_viewport_size({"width": width, "height": height})
        for size in ("100%", "200%"):
            wide = page.evaluate(
                "(size) => (document.documentElement.style.fontSize = size, document.documentElement.scrollWidth)", size
            )
            assert wide <= width, f"{page.url} is {wide} px wide on {width} × {height}, with text of {size}"
    page.evaluate("document.documentElement.style.fontSize = ''")
    page.set_viewport_size(usual)


def broken(page: Page) -> set[str]:
    """The words that break within themselves on the smallest phone, with text of twice the size."""
    page.wait_for_load_state()
    usual = page.viewport_size
    page.set_viewport_size({"width": 320, "height": 568})
    page.evaluate("document.documentElement.style.fontSize = '200%'")
    found = page.evaluate(BROKEN)
    page.evaluate("document.documentElement.style.fontSize = ''")
    page.set_viewport_size(usual)
    return set(found)


def good(page: Page) -> None:
    """The page fits, and has no accessibility errors in light and dark colours, which change nothing else."""
    fits(page)
    if page.evaluate("!window.axe"):
        page.evaluate(AXE_SCRIPT)
    for scheme, rules in (("light", {}), ("dark", OF_COLOURS)):
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        found = AxeResults(page.evaluate("options => axe.run(options)", {"resultTypes": ["violations"], **rules}))
        assert found.violations_count == 0, f"{page.url}, {scheme}:\n{found.generate_report()}"
    page.emulate_media(color_scheme="light")


def test_the_pages_of_a_table(narrow: Phone, table: Table) -> None:
    page = narrow.page
    good(page)
    narrow.fill_names("Domino Whist", LONG, hands="1")
    good(page)
    narrow.press("Draw tiles for the seats")
    expect(page.get_by_role("heading", name="Draw for the seats")).to_be_visible()
    good(page)
    narrow.press("Let the phone draw")
    expect(page.get_by_role("heading", name="Take your seats")).to_be_visible()
    good(page)
    narrow.press("Everybody is seated: start")
    narrow.open_hand("Bo")
    for count, tile in enumerate(("6-4", "4-4")):
        expect(page.get_by_role("group", name=re.compile(rf"^Line of play, {count} tiles?\b"))).to_be_visible()
        narrow.lay(tile)
    expect(page.get_by_role("group", name="Line of play, 2 tiles")).to_be_visible()
    narrow.tap(narrow.tile("5-5"))
    expect(narrow.refusal).to_contain_text("5-5 does not fit")
    narrow.tap(page.get_by_text("Lost track? Enter only the result"))
    narrow.tap(page.get_by_text("End early"))
    good(page)


def test_the_pad_of_a_game_with_draws(narrow: Phone) -> None:
    match = narrow.start_match("All Fives", ("Bo", "Maximiliane-Charlotte"))
    narrow.open_hand("Bo")
    narrow.lay("6-6")
    shows(narrow.page, match, 2)
    expect(narrow.draw_button).to_contain_text("14 left")
    narrow.tap(narrow.draw_button)
    expect(narrow.draw_button).to_contain_text("13 left")
    narrow.tap(narrow.page.get_by_text("Lost track? Enter only the result"))
    good(narrow.page)


def test_the_pages_of_a_tournament(hall: Hall, club: Club, visit: Callable[..., Page]) -> None:
    page, public = club.page, visit(**NARROW)
    wide = page.viewport_size
    page.set_viewport_size({"width": 360, "height": 740})
    page.goto(club.address)
    page.get_by_role("link", name="New tournament").click()
    good(page)
    page.locator("a[href='?preset=domizerka:triples']").click()
    page.get_by_label("Name of the tournament").fill("Spring cup")
    page.get_by_label("People may enter themselves").check()
    for part in ("Rules of the game", "Exact values", "More criteria"):
        page.get_by_text(part).click()
    good(page)
    page.get_by_label("Number of hands").fill("1")
    page.get_by_role("button", name="Set up the tournament").click()
    entrants = ("Una", "Vito", "Wanda", "Xaver", "Yara", "Zacharias-Maximilian")  # nobody from another test
    page.get_by_label("Names, one per line").fill("\n".join(entrants))
    page.get_by_role("button", name="Enter", exact=True).click()
    good(page)
    page.get_by_role("link", name="Entrants").click()
    page.get_by_text("Club, rating").first.click()
    page.get_by_text("Add a category").click()
    good(page)
    page.get_by_label("Name of the category").fill("Ladies")
    page.get_by_role("checkbox", name="Una").check()
    page.get_by_role("button", name="Add the category").click()
    expect(page.get_by_text("Ladies: saved.")).to_be_visible()
    good(page)
    for address in page.locator("#codes .address a").all():
        public.goto(str(address.get_attribute("href")).replace("127.0.0.1", NAME))
        good(public)
    page.get_by_role("link", name="Director's desk").click()
    page.get_by_role("button", name="Make the schedule").click()
    page.get_by_role("link", name="See and change the schedule").click()
    for layout in ("Rounds and tables", "Entrants and rounds", "List"):
        page.get_by_role("link", name=layout).click()
        expect(page.locator(".layout[aria-current]")).to_have_text(layout)
        good(page)
    page.locator("[data-exchange] .name-chip").nth(0).click()
    page.locator("[data-exchange] .name-chip").nth(3).click()
    expect(page.get_by_role("heading", name="What the change does")).to_be_visible()
    page.get_by_text("An entrant always sits at one table").click()
    good(page)
    page.get_by_role("link", name="Director's desk").click()
    page.get_by_role("button", name="Draft the first round").click()
    good(page)
    page.get_by_role("button", name="Release round 1").click()
    page.get_by_text("Somebody did not come").first.click()
    good(page)
    public.goto(page.url.removesuffix("desk/"))
    expect(public.get_by_role("heading", name="Round 1")).to_be_visible()
    good(public)
    public.goto(page.url.replace("desk/", "standings/?category=Ladies"))
    good(public)
    public.goto(page.url.replace("desk/", "seats/"))
    assert broken(public) == set()
    for part in page.locator("#desk .part > summary").all():
        part.click()
    good(page)
    page.get_by_label("abandon them: nobody wins").check()
    page.get_by_label("Close it early").check()
    page.get_by_role("button", name="Close the tournament").click()
    expect(page.get_by_text("The tournament is over.")).to_be_visible()
    good(page)
    page.set_viewport_size(wide)


def test_the_pages_of_a_league(club: Club, visit: Callable[..., Page]) -> None:
    page, public = club.page, visit(**NARROW)
    wide = page.viewport_size
    page.set_viewport_size({"width": 360, "height": 740})
    page.goto(f"{club.address}leagues/")
    good(page)
    page.get_by_label("Who meets whom").select_option("swiss")
    page.get_by_role("button", name="Next: the setup").click()
    page.get_by_label("Name of the league").fill("Winter league")
    expect(page.get_by_role("checkbox", name="Buchholz, cut 1")).to_be_checked()
    expect(page.get_by_label("In a round robin they meet")).to_be_hidden()
    page.get_by_label("Who meets whom").select_option("round-robin")
    expect(page.get_by_label("In a round robin they meet")).to_be_visible()
    page.get_by_text("More criteria").click()
    good(page)
    page.get_by_role("button", name="Set up the league").click()
    page.get_by_label("Name").first.fill("First division")
    page.get_by_label("Entrants").first.fill("Wendelin\nXanthippe\nYorick\nZacharias-Maximilian")
    page.get_by_role("button", name="Save").click()
    good(page)
    public.goto(page.url.removesuffix("desk/"))
    table = public.get_by_role("table", name="First division")
    expect(table.get_by_text("0", exact=True).last).to_be_visible()
    assert table.evaluate("table => table.scrollWidth <= table.parentElement.clientWidth"), "no figure is cut"
    good(public)
    page.set_viewport_size(wide)


@pytest.mark.parametrize("shown", ["pad", "watch", "replay", "end of a hand"])
@pytest.mark.parametrize("game", ["domizerka", "dom", "dominards"])
def test_a_match_that_a_program_records(
    hall: Hall, table: Table, visit: Callable[..., Page], game: str, shown: str
) -> None:
    page, names = visit(**NARROW), ("Bo", "Cleo", "Dan", "Maximiliane-Charlotte")[-max(games.GAMES[game].seats) :]
    entries = games.entries(games.random_match(game, {}, names, random.Random(2), 2))[:30]
    match = hall.play(table, game, names, entries)
    if shown == "pad":
        Phone(page).join(table.link)
        shows(page, match, len(entries))
    else:
        at = {"replay": "?hand=0&move=5", "end of a hand": "?hand=0"}
        page.goto(f"{table.path}watch/" if shown == "watch" else f"/matches/{match}/{at[shown]}")
    for summary in page.locator("summary:visible").all():
        summary.click()
    good(page)


def test_names_stay_whole_on_a_small_phone(hall: Hall, club: Club, visit: Callable[..., Page], table: Table) -> None:
    page = visit(**NARROW, storage_state=club.page.context.storage_state())
    names = ("Bo", "Cleo", "Dan", "Maximiliane-Charlotte")
    match = hall.play(table, "domino-whist", names, [{"kind": "hand", "opener": 0}])
    page.goto(f"/matches/{match}/seats/")
    assert broken(page) == set()


def test_the_pages_of_a_match(hall: Hall, narrow: Phone, table: Table) -> None:
    page = narrow.page
    match = hall.open_match(table, "6-6")
    for path in (f"{table.path}watch/", f"/matches/{match}/"):
        page.goto(path)
        expect(page.get_by_text("Bo laid 6-6").first).to_be_visible()
        good(page)


def test_the_pages_of_a_club(club: Club, narrow: Phone) -> None:
    for path in ("/", "/login/", club.address):
        narrow.page.goto(path)
        good(narrow.page)
    for path in ("players/", "audit/", "tables/"):
        club.page.goto(f"{club.address}{path}")
        good(club.page)
    club.page.get_by_role("link", name="codes and phones").first.click()
    good(club.page)


def test_the_keyboard_shows_where_it_is(hall: Hall, narrow: Phone, table: Table) -> None:
    page = narrow.page
    match = hall.open_match(table)
    shows(page, match, 1)
    page.reload()
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to content")).to_be_focused()
    seen: set[str] = set()
    while not narrow.undo_button.evaluate("button => button === document.activeElement"):
        outline = page.evaluate("getComputedStyle(document.activeElement).outline")
        what = page.evaluate("document.activeElement.getAttribute('aria-label') ?? document.activeElement.textContent")
        assert "none" not in outline, f"{what}: {outline}"
        seen.add(what)
        page.keyboard.press("Tab")
    assert {"6-6", "0-0", "Español"} <= seen
    page.get_by_role("button", name="6-6", exact=True).focus()
    page.keyboard.press("Enter")
    shows(page, match, 2)


@pytest.mark.parametrize(
    ("game", "keys", "entered"),
    [
        ("domino-whist", ["ArrowRight", "ArrowDown", "ArrowLeft", "ArrowUp", "Enter", "w"], 1),
        ("domizerka", ["ArrowDown", "Enter"], 1),
        ("dominards", ["3", "4"], 1),
        ("dom", ["ArrowRight", "ArrowDown", "h"], 0),
    ],
)
def test_the_pad_by_keyboard(
    hall: Hall, table: Table, visit: Callable[..., Page], game: str, keys: list[str], entered: int
) -> None:
    """Arrows lead over the pad of every board, Ctrl+Z takes an entry back, and the focus never leaves the sheet."""
    names = ("Bo", "Cleo", "Dan", "Ana")[: min(games.GAMES[game].seats)]
    length = 2 if game == "domino-whist" else 1
    entries = games.entries(games.random_match(game, {}, names, random.Random(2)))[:length]
    match = hall.play(table, game, names, entries)
    page = visit(**SCREEN)
    Phone(page).join(table.link)
    shows(page, match, length)
    page.locator("form.play :is(.lit, .faces button, .calls button)").first.focus()
    for number, keys_then in ((length + entered, keys), (length + entered + 1, ["Control+z"])):
        for key in keys_then:
            page.keyboard.press(key)
            expect(page.locator("#sheet :focus")).to_have_count(1)
        shows(page, match, number)
        expect(page.locator(RESTING)).to_have_count(0)
    expect(page.locator("#sheet :focus")).to_have_count(1)


def test_single_keys_can_be_switched_off(
    hall: Hall, club: Club, table: Table, visit: Callable[..., Page], match: int
) -> None:
    """Whoever speaks to the computer presses them by chance. The device keeps the setting."""
    page = visit(**SCREEN)
    Phone(page).join(table.link)
    shows(page, match, 2)
    page.get_by_text("By keyboard", exact=True).click()
    page.get_by_label("Single letters, digits and / work as keys").uncheck()
    page.locator("form.play .lit").first.focus()
    for key in ("p", "u"):
        page.keyboard.press(key)
    page.keyboard.press("Control+z")
    shows(page, match, 3)  # the undo alone
    page.goto(club.address)
    page.keyboard.press("/")
    expect(page.get_by_role("searchbox", name="Search")).not_to_be_focused()
    page.goto("/search/")
    page.get_by_label("Single letters, digits and / work as keys").check()
    page.goto(club.address)
    page.keyboard.press("/")
    expect(page.get_by_role("searchbox", name="Search")).to_be_focused()


def test_the_language_chosen_on_the_phone_is_that_of_what_arrives(
    hall: Hall, narrow: Phone, table: Table, visit: Callable[..., Page]
) -> None:
    page = narrow.page
    match = hall.open_match(table)
    shows(page, match, 1)
    narrow.press("Español")
    expect(page.get_by_text("Juega Bo")).to_be_visible()
    other = Phone(visit(**PHONE))
    other.join(table.link)
    narrow.record_here_too()
    other.lay("6-6")
    shows(page, match, 2)
    expect(page.locator("[data-live]")).to_contain_text("Bo puso el 6-6")
    expect(other.page.locator("[data-live]")).to_contain_text("Bo laid 6-6")
    narrow.press("English")
    expect(page.locator("[data-live]")).to_contain_text("Bo laid 6-6")
