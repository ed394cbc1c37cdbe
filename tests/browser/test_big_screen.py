"""The big screen of a night with eighty-two people, and what everybody sees of it on a phone."""

import itertools
import random
import re
from collections import Counter
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

import games
from tests.browser.hall import PHONE, SCREEN, Club, Hall, Night, OtherClub
from tests.browser.test_accessibility import NARROW, good
from tests.nights import names_of
from tests.waiting import until

pytestmark = pytest.mark.browser

GAME = "domino-whist"
LONG = "Maximiliane-Charlotte Wilhelmina Featherstonehaugh-Smythe von Hohenstein-Ebers"
PEOPLE = [*names_of(79), LONG, "<b>Bold</b>", "אבגדה"]
HERE = {"timezone_id": "Europe/Warsaw"}
HD = {"viewport": {"width": 1920, "height": 1080}, **HERE}
SMALL = {"viewport": {"width": 1280, "height": 720}, **HERE}
OLD = {"viewport": {"width": 1024, "height": 768}, **HERE}
EVENING = datetime(2026, 11, 20, 20, 15, tzinfo=UTC)
TURN = 12_000  # ms
MOST = 40  # leaves


@pytest.fixture(scope="module", autouse=True)
def night(club: Club) -> Iterator[Night]:
    """The only open night: twenty tables are seated, and two people sit out."""
    with OtherClub.opened(club, "Wanderers") as other, other.night(PEOPLE) as night:
        yield night.draw().seat()


class Screen:
    """A big screen with a clock that stands still unless a test moves it."""

    def __init__(self, page: Page, night: Night) -> None:
        self.page = page
        page.clock.install(time=EVENING)
        page.clock.pause_at(EVENING + timedelta(seconds=1))
        page.goto(f"/tv/{night.pk}")
        expect(page.locator(".clock")).to_have_text("20:15")  # at the club, whatever the screen thinks

    @property
    def heading(self) -> str:
        return " ".join(self.page.locator(".leaf:visible h2").inner_text().split())

    @property
    def place(self) -> str:
        """The leaf that is shown. Their number depends on the length of the names."""
        return self.heading.partition("/")[0]

    @property
    def items(self) -> list[str]:
        return self.page.locator(".leaf:visible .items > li:visible").all_inner_texts()

    def leaves(self) -> Iterator[str]:
        """Every leaf once, starting with the one that is shown."""
        first = self.heading
        for _ in range(MOST):
            yield self.heading
            self.page.keyboard.press("ArrowRight")
            if self.heading == first:
                return
        raise AssertionError(f"{first} does not come back")

    def passes(self, milliseconds: int) -> None:
        self.page.clock.run_for(milliseconds)


@pytest.fixture
def screen(night: Night, visit: Callable[..., Page]) -> Screen:
    return Screen(visit(**HD), night)


def items_of(page: Page) -> list[Locator]:
    return page.locator(".leaf:visible .items > li:visible").all()


def play(night: Night, table: int) -> None:
    """The match of this table is played to the end."""
    record = games.random_match(GAME, {}, ["Ana", "Bo", "Cleo", "Dan"], random.Random(table))
    entries = [{"kind": "hand", **hand} for hand in record["hands"]]
    night.club.hall.go_on(night.matches[table], entries)


def test_it_turns_by_itself_and_can_be_held(screen: Screen) -> None:
    first = screen.heading
    assert first.startswith("At the tables 1/")
    screen.passes(TURN - 1000)
    assert screen.heading == first
    screen.passes(2000)
    second = screen.heading
    assert second.startswith("At the tables 2/")
    screen.page.keyboard.press("Space")
    screen.passes(10 * TURN)
    assert screen.heading == second
    expect(screen.page.get_by_text("Paused. Press the space bar to continue.")).to_be_visible()
    screen.page.keyboard.press("ArrowLeft")
    assert screen.heading == first
    screen.page.keyboard.press("Space")
    expect(screen.page.get_by_text("Paused.")).to_be_hidden()
    screen.passes(TURN + 1000)
    assert screen.heading == second
    seen = set()
    for _ in range(MOST):
        seen.add(screen.heading)
        screen.passes(TURN)
    assert {"Who sits where"} <= {heading.partition(" 1/")[0] for heading in seen}


@pytest.mark.parametrize("kind", [HD, SMALL, OLD])
def test_everything_is_shown_once_and_readable_at_ten_metres(
    night: Night, visit: Callable[..., Page], kind: dict[str, Any]
) -> None:
    screen = Screen(visit(**kind), night)
    height = kind["viewport"]["height"]
    tables: list[str] = []
    people: list[str] = []
    for heading in screen.leaves():
        page = screen.page
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), heading
        assert page.evaluate("document.documentElement.scrollHeight <= innerHeight"), heading
        for item in page.locator(".leaf:visible .items > li:visible, .qr, .clock").all():
            box = item.bounding_box()
            assert box
            assert 0 <= box["y"] < box["y"] + box["height"] <= height, heading
        letters = page.locator(".leaf:visible").locator(".name, .points, .number, .at").filter(visible=True)
        sizes = letters.evaluate_all("all => all.map(each => parseFloat(getComputedStyle(each).fontSize))")
        assert min(sizes) >= height / 25
        if heading.startswith("At the tables"):
            tables += page.locator(".leaf:visible .number:visible").all_inner_texts()
        if heading.startswith("Who sits where"):
            columns = Counter(item["x"] for item in map(Locator.bounding_box, items_of(page)) if item)
            assert len(columns) == 2, "as many columns as there is room for"
            assert max(columns.values()) - min(columns.values()) <= 2, "of about the same height"
            people += page.locator(".leaf:visible .name:visible").all_inner_texts()
    assert [re.sub(r"\D", "", number) for number in tables] == [str(number) for number in range(1, 21)]
    assert people == sorted(PEOPLE, key=str.casefold)


LOUD = """([club, call, left, note]) => {
  document.querySelector("h1").textContent = club;
  document.querySelector(".calls").innerHTML = `<p class="call">${call}</p><p class="left up">${left}</p>`;
  document.querySelector(".follow").insertAdjacentHTML("beforeend", `<p>${note}</p>`);
}"""
SAID = (
    "Club Deportivo de Dominó de los Amigos del Barrio Viejo",
    "Last hand",
    "Time is up: finish your hand",
    "Phones cannot reach this address: the server accepts only this computer.",
)


@pytest.mark.parametrize("kind", [HD, SMALL, OLD])
def test_nothing_at_the_side_lies_over_another(night: Night, visit: Callable[..., Page], kind: dict[str, Any]) -> None:
    """If there is much text, the QR code gives way."""
    page = Screen(visit(**kind), night).page
    page.evaluate(LOUD, SAID)
    heading = page.locator("h1").bounding_box()
    size = float(page.locator("h1").evaluate("h1 => parseFloat(getComputedStyle(h1).fontSize)"))
    assert heading
    assert heading["height"] < 2.5 * size, "two lines of the club's name"
    parts = page.locator("h1, .clock, .calls > *, .follow > *").filter(visible=True).all()
    boxes = [box for part in parts if (box := part.bounding_box())]
    assert len(boxes) == 8
    for above, below in itertools.pairwise(boxes):
        assert above["y"] + above["height"] <= below["y"] + 0.5, (above, below)
    assert boxes[-1]["y"] + boxes[-1]["height"] <= kind["viewport"]["height"]
    code = page.locator(".qr").bounding_box()
    assert code
    assert code["height"] > 0.12 * kind["viewport"]["height"]


def test_it_follows_and_keeps_its_place(night: Night, screen: Screen) -> None:
    page = screen.page
    screen.page.keyboard.press("Space")
    screen.page.keyboard.press("ArrowRight")
    held = screen.place
    assert not page.locator("[data-leaf^=results]").count()
    play(night, 1)
    until(lambda: page.locator("[data-leaf^=results]").count())
    assert screen.place == held
    headings = list(screen.leaves())
    assert any(heading.startswith("Results · Round 1") for heading in headings)
    assert any(heading.startswith("Points") for heading in headings)
    expect(page.locator("[data-leaf^=results] .contest.won").first).to_contain_text("won")


def figures_in_line(page: Page) -> int:
    """The number of heads if all visible figures end where a row of heads does; else 0, as while the type still grows.
    Measured at once, because the screen sets its type again with every result."""
    found = page.evaluate("""() => {
        const ends = part => `${[...part.querySelectorAll(".figure")].map(
            each => Math.round(each.getBoundingClientRect().right))}`;
        const leaf = document.querySelector(".leaf:not([hidden])");
        const heads = [...leaf.querySelectorAll(".heads p")];
        const items = [...leaf.querySelectorAll(".items > li")].filter(item => item.checkVisibility());
        const inLine = items.length && items.every(item => heads.map(ends).includes(ends(item)));
        return inLine ? heads[0].querySelectorAll(".figure").length : 0;
    }""")
    return int(found)


def test_figures_stand_below_their_heads_and_no_word_is_broken(night: Night, screen: Screen) -> None:
    play(night, 4)
    page = screen.page
    until(lambda: page.locator("[data-leaf^=points]").count())
    while not screen.heading.startswith("Points"):
        page.keyboard.press("ArrowRight")
    leaf = page.locator(".leaf:visible")
    assert leaf.locator(".heads p").first.evaluate("heads => heads.textContent.trim()") == ""
    assert until(lambda: figures_in_line(page)) == 3
    name = leaf.locator(".items .name").filter(visible=True).first
    # In one step, because the page may be drawn again in between.
    lines = name.evaluate("""name => {
        name.textContent = 'Featherstonehaugh'.repeat(5);
        const text = document.createRange();
        text.selectNodeContents(name);
        return new Set([...text.getClientRects()].map(rect => rect.top)).size;
    }""")
    assert lines == 1
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_after_a_draw_it_shows_who_sits_where(hall: Hall, night: Night, screen: Screen) -> None:
    """The people who are free are drawn again: those of table 2, and the two with byes."""
    play(night, 2)
    assert screen.heading.startswith("At the tables")
    with hall.visitor(**SCREEN) as host:
        host.goto("/login/")
        host.get_by_label("Your name").fill(Club.host)
        host.get_by_label("Password").fill(Club.password)
        host.get_by_role("button", name="Sign in").click()
        host.goto(f"{night.path}desk/")
        host.get_by_role("button", name="Mix").click()
        expect(host.locator(".drawn-table").first).to_be_visible()
        assert screen.heading.startswith("At the tables"), "a draft is the host's alone"
        host.get_by_role("button", name="Seat them").click()
        until(lambda: screen.heading.startswith("Who sits where"))
    screen.passes(TURN)
    assert screen.heading.startswith("Who sits where 1/"), "time enough to find oneself"
    screen.passes(TURN + 1000)
    assert not screen.heading.startswith("Who sits where 1/")


def test_without_scripts_all_is_there(night: Night, visit: Callable[..., Page]) -> None:
    page = visit(**HD, java_script_enabled=False)
    page.goto(f"/tv/{night.pk}")
    for heading in ("At the tables", "Who sits where"):
        expect(page.get_by_role("heading", name=heading)).to_be_visible()
    expect(page.locator(".people:not(ol) > li")).to_have_count(82)
    tables, code = page.locator(".cards").first.bounding_box(), page.locator(".qr").bounding_box()
    assert tables
    assert code
    assert tables["y"] < code["y"], "the tables first"
    wide = page.evaluate("document.documentElement.scrollWidth")
    assert wide <= HD["viewport"]["width"]


def test_where_do_i_sit_is_answered_at_once(night: Night, visit: Callable[..., Page]) -> None:
    page = visit(**PHONE)
    page.goto(night.path)
    page.get_by_label("Where do I sit?").select_option(label=PEOPLE[0])
    answer = page.locator("#my-seat")
    expect(answer).to_contain_text(re.compile(r"Table \d+\s+Seat \d, with .+, against .+ and .+|You sit out|Wait for"))
    number = page.locator("#me").input_value()
    mine = page.locator(f'#night-attendees [data-player="{number}"]')
    assert mine.evaluate("place => place.textContent.trim()") == answer.evaluate("place => place.textContent.trim()")


def test_a_match_that_ends_is_read_out(night: Night, visit: Callable[..., Page]) -> None:
    page = visit(**PHONE)
    page.goto(night.path)
    expect(page.locator("#announce")).to_have_text("")
    play(night, 3)
    expect(page.locator("#announce")).to_contain_text(re.compile(r"Table 3: .+ won"))
    expect(page.locator("#night-table-3")).to_contain_text("finished")


def test_a_result_comes_into_its_place_and_the_rest_of_the_page_stays(night: Night, visit: Callable[..., Page]) -> None:
    page = visit(**PHONE)
    page.goto(night.path)
    play(night, 8)
    page.locator("#night-results").get_by_role("heading", name="Round 1").click()
    result = page.locator("#night-results ul").first.get_by_role("link")
    expect(result.filter(has_text="Table 8")).to_be_visible()
    page.locator("#night").evaluate("night => night.marked = true")
    for table in (5, 9, 7):  # before it, after it, and between
        play(night, table)
        expect(result.filter(has_text=f"Table {table}")).to_be_visible()
    numbers = [int(re.search(r"Table (\d+)", text)[1]) for text in result.all_inner_texts()]
    assert numbers == sorted(numbers)
    assert {5, 7, 8, 9} <= {*numbers}
    assert page.locator("#night").evaluate("night => night.marked")


def test_results_are_copied_on_plain_http(night: Night, visit: Callable[..., Page]) -> None:
    page = visit(**PHONE)
    page.goto(night.path)
    assert page.evaluate("navigator.clipboard === undefined && navigator.share === undefined")
    page.get_by_role("link", name="Results as text for a chat").click()
    expect(page.get_by_text("Copied. Paste it into the chat.")).to_be_visible()
    text = page.locator("#share-text textarea").input_value()
    assert text.startswith("Wanderers\n")
    assert page.evaluate("getSelection().toString()") == text


@pytest.mark.parametrize("kind", [NARROW, HD], ids=["narrow", "wide"])
@pytest.mark.parametrize("path", ["", "seats/", "screen/", "file/"])
def test_the_pages_of_a_night(night: Night, visit: Callable[..., Page], path: str, kind: dict[str, Any]) -> None:
    page = visit(**kind)
    page.goto(f"{night.path}{path}")
    expect(page.locator("main, #screen").first).to_be_visible()
    good(page)
