"""The practice table in a browser: a game to 50 with undo, preserve and restore, and another theme."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.hall import PHONE, RESTING, SCREEN

pytestmark = pytest.mark.browser
HELD = ".tray button[data-tile]"
STATE = re.compile(r"next-(move|nestor|hand|done)")


class Visitor:
    """Somebody at the practice table."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.sheet = page.locator("#sheet")
        self.undo = page.get_by_role("button", name="Undo", exact=True)

    def begin(self, game: str, *ticked: str, points: str = "50", level: str = "Beginner") -> None:
        self.page.goto("/")
        self.page.get_by_role("link", name="Play against Nestor").click()
        self.page.get_by_role("link", name=game, exact=True).click()
        self.page.get_by_label("Points to win").fill(points)
        self.page.get_by_label("How strong Nestor is").select_option(level)
        for name in ticked:
            self.page.get_by_label(name).check()
        self.page.get_by_role("button", name="Start a new game").click()
        expect(self.sheet).to_have_class(STATE)

    def ready(self) -> str:
        """Waits until the page takes taps, and says what it waits for."""
        expect(self.page.locator(RESTING)).to_have_count(0)
        expect(self.page.locator(".thinking")).to_have_count(0)
        found = STATE.search(self.sheet.get_attribute("class") or "")
        assert found
        return found.group(1)

    def press(self) -> str:
        """Lays the first tile that fits, at the first end; else draws, passes, or lets Nestor play. Returns what the
        page waits for then."""
        state, before = self.ready(), self.seen()
        lit = self.page.locator(".tiles .lit")
        if state == "move" and lit.count():
            lit.first.click()
            ends = self.page.locator(".ends button:visible")
            if self.page.locator(".tiles .chosen").count():
                expect(self.page.locator(RESTING)).to_have_count(0)
                ends.first.click()
        else:
            self.page.locator(".thumb .main").click()
        expect(self.page.locator("form.play [name=seen]")).not_to_have_value(before)
        return self.ready()

    def seen(self) -> str:
        return self.page.locator("form.play [name=seen]").input_value()

    def part(self, name: str) -> Locator:
        """An opened part of the menu."""
        part = self.page.locator(f"#practice-{name}")
        if part.get_attribute("open") is None:
            part.locator("summary").click()
        return part

    def hand(self) -> list[str]:
        return [str(tile.get_attribute("data-tile")) for tile in self.page.locator(HELD).all()]

    def until(self, state: str) -> None:
        for _ in range(200):
            if self.ready() == state:
                return
            self.press()
        raise AssertionError(f"the page never waited for {state}")


def test_a_game_to_fifty(visit: Callable[..., Page]) -> None:
    visitor = Visitor(visit(**PHONE))
    page = visitor.page
    visitor.begin("All Fives")
    visitor.until("move")

    # A tile is laid, and taken back: it is in the hand again, and the game is marked.
    while not page.locator(".tiles .lit").count():
        visitor.press()
        visitor.until("move")
    before = visitor.hand()
    visitor.press()
    assert visitor.hand() != before
    visitor.undo.click()
    expect(page.get_by_text("You took back a move in this game.")).to_be_visible()
    visitor.ready()
    assert visitor.hand() == before
    expect(visitor.undo).to_be_disabled()

    # This moment is preserved; the game goes on, and comes back to it. That can be undone, too.
    part = visitor.part("preserve")
    part.get_by_label("Name of this moment").fill("a hard choice")
    part.get_by_role("button", name="Preserve", exact=True).click()
    expect(part).to_contain_text("a hard choice")
    visitor.press()
    later = visitor.hand()
    visitor.part("preserve").get_by_role("button", name="Restore a hard choice").click()
    expect(page.locator(HELD)).to_have_count(len(before))
    visitor.ready()
    assert visitor.hand() == before
    visitor.undo.click()
    expect(page.locator(HELD)).to_have_count(len(later))
    visitor.ready()
    assert visitor.hand() == later

    visitor.until("done")
    expect(page.locator(".due")).to_contain_text("won the game.")
    points = [int(text) for text in page.locator(".score .points").all_inner_texts()]
    assert max(points) >= 50
    tally = visitor.part("tally")
    expect(tally).to_contain_text("100 %")
    expect(tally).to_contain_text("In 1 of these games you took back a move")
    tally.get_by_role("button", name="Clear").click()
    expect(tally).not_to_contain_text("100 %")
    visitor.undo.click()
    expect(visitor.part("tally")).to_contain_text("100 %")
    visitor.ready()
    page.locator(".thumb").get_by_role("button", name="New game").click()
    expect(page.locator(".which-hand")).to_contain_text("hand 1")


def test_nestor_plays_on_by_himself_with_auto_ok(visit: Callable[..., Page]) -> None:
    visitor = Visitor(visit(**SCREEN))
    visitor.begin("Block", "Auto-OK", points="10", level="Easy")
    for _ in range(200):
        expect(visitor.page.get_by_role("button", name="OK", exact=True)).to_have_count(0)
        expect(visitor.sheet).to_have_class(re.compile("next-(move|done)"))
        if visitor.ready() == "done":
            break
        if visitor.page.locator(".tiles .lit, .thumb .main").count():
            visitor.press()
    expect(visitor.page.locator(".due")).to_contain_text("won the game.")


def moved(visitor: Visitor) -> str:
    """Makes a move of Domizerka, DOM or Dominards as a person does, and returns what was tapped."""
    page, before = visitor.page, visitor.seen()
    calls, away, cards = (page.locator(each) for each in (".calls .button:enabled", ".tiles label", "[data-hand-card]"))
    if calls.count():
        expect(page.locator(".tiles .held")).to_have_count(3)
        expect(page.locator(".tiles .back")).to_have_count(4)
        what, button = "contract", calls.first
    elif away.count():
        away.first.click()
        what, button = "exchange", page.get_by_role("button", name="Exchange", exact=True)
    elif cards.count():
        cards.last.click()
        what, button = "card", page.locator(".square button.lit").last
        expect(button).to_contain_text(re.compile(r"\d"))
    elif page.locator(".tiles .lit").count():
        what, button = "tile", page.locator(".tiles .lit").first
    else:
        what, button = "button", page.locator(".thumb .main:visible").first
    # What is tapped goes at once, or asks for an end or a suit, and then for a claim.
    sent = f"form.play:not(:has([name=seen][value='{before}']))"
    questions = (".ends:not([hidden])", ".claims:not([hidden])")
    for step, question in enumerate(("", *questions)):
        if question and not page.locator(question).count():
            continue
        expect(page.locator(RESTING)).to_have_count(0)
        (page.locator(f"{question} button:visible").last if question else button).click()
        expect(page.locator(", ".join([sent, *questions[step:]]))).not_to_have_count(0)
    expect(page.locator(sent)).to_have_count(1)
    return what


@pytest.mark.parametrize(
    ("game", "taps"),
    [
        ("Domizerka", {"exchange", "tile"}),
        ("DOM", {"card"}),
        ("Dominards", {"button", "tile"}),
    ],
)
def test_the_first_moves_of_the_other_games(visit: Callable[..., Page], game: str, taps: set[str]) -> None:
    visitor = Visitor(visit(**PHONE))
    page, made = visitor.page, set[str]()
    page.goto("/practice/")
    page.get_by_role("link", name=game, exact=True).click()
    page.get_by_label("Show the table count").check()
    page.get_by_label("Auto-OK").check()
    page.get_by_role("button", name="Start a new game").click()
    for _ in range(20):
        expect(visitor.sheet).to_have_class(re.compile("next-move"), timeout=20_000)
        visitor.ready()
        made.add(moved(visitor))
        if made >= taps:
            break
    assert made >= taps
    expect(page.locator("#refusal.loud")).to_have_count(0)
    visitor.undo.click()
    expect(page.get_by_text("You took back a move in this game.")).to_be_visible()


def test_a_theme(visit: Callable[..., Page]) -> None:
    visitor = Visitor(visit(**SCREEN))
    page = visitor.page
    visitor.begin("Draw")
    visitor.part("colours").get_by_role("link", name="Edit Theme 2").click()
    preview = page.locator("[data-theme-preview]")
    page.get_by_label("Background", exact=True).fill("#004400")
    expect(preview).to_have_css("background-color", "rgb(0, 68, 0)")
    contrast = page.get_by_role("listitem").filter(has_text="Text on Background")
    expect(contrast.locator("b")).to_have_text("10.0")
    expect(contrast).not_to_have_class("errors")
    page.get_by_label("Text", exact=True).fill("#115511")
    expect(contrast).to_have_class("errors")  # before anything is saved
    shown = contrast.text_content()
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("Two colors are too much alike: Text on Background.")).to_be_visible()
    assert contrast.text_content() == shown, "the server measures the same"
    page.get_by_label("Text", exact=True).fill("#ffffff")
    page.get_by_role("button", name="Save").click()
    expect(page.locator(".errors")).to_have_count(0)
    page.get_by_role("link", name="Back to the table").click()
    visitor.part("colours").get_by_role("button", name="Use Theme 2").click()
    expect(page.locator("form.play")).to_have_css("background-color", "rgb(0, 68, 0)")


def test_without_scripts(visit: Callable[..., Page]) -> None:
    page = visit(**PHONE, java_script_enabled=False)
    visitor = Visitor(page)
    visitor.begin("Fives & Threes")
    for _ in range(12):
        lit = page.locator(".tiles .lit")
        if "next-move" in (visitor.sheet.get_attribute("class") or "") and lit.count():
            lit.first.click()
            ends = page.locator(".ends button:visible")
            if ends.count():
                ends.first.click()
        else:
            page.locator(".thumb .main").click()
    expect(page.locator("#refusal.loud")).to_have_count(0)
    assert int(visitor.seen()) > 10, "the game went on"
