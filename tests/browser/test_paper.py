"""Paper at a table without a phone: sheets printed by Chromium, and a sheet typed in with the keyboard alone."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.hall import Club, Hall, Night, OtherClub

pytestmark = pytest.mark.browser

PEOPLE = [f"{name} {letter}." for letter in "ABC" for name in ("Ana", "Bo", "Cleo", "Dan", "Eva", "Fay", "Gus", "Hal")]
LONG = [
    "Grace Hopper",
    "Mary-Jane Watson-Featherstonehaugh",
    "Alexander Wilson",
    "Maximiliane von und zu Hohenlohe-Bartenstein",
]
MM = 96 / 25.4  # pixels
WHIST = "Domino Whist"


@pytest.fixture(scope="module")
def night(club: Club) -> Iterator[Night]:
    """A night with 24 people whose first round is seated."""
    with OtherClub.opened(club, "Paper") as other, other.night(PEOPLE) as night:
        yield night.draw().seat()


@pytest.fixture
def host(hall: Hall, night: Night) -> Iterator[Page]:
    """The host of this night, at a laptop."""
    hall.trouble.clear()
    yield night.club.page
    assert not hall.trouble, "\n".join(hall.trouble)


def pages_of(page: Page, file: Path) -> int:
    """The number of pages when the page is printed."""
    pdf = page.pdf(path=file, prefer_css_page_size=True)
    return len(re.findall(rb"/Type\s*/Page\b", pdf))


def test_the_sheets_of_24_people_are_three_pages_of_paper(host: Page, night: Night, tmp_path: Path) -> None:
    host.goto(f"{night.path}sheets/")
    host.get_by_role("button", name="For the tables of round 1, with names").click()
    sheets = host.locator(".score-sheet")
    expect(sheets).to_have_count(6)
    assert pages_of(host, tmp_path / "sheets.pdf") == 3
    host.emulate_media(media="print")
    try:
        expect(host.get_by_role("button")).to_have_count(0)
        shown = " ".join(sheets.all_inner_texts())
        assert all(name in shown for name in PEOPLE)
        for number, sheet in enumerate(sheets.all(), 1):
            expect(sheet).to_contain_text(f"Sheet {night.pk}-1.{number}")
            expect(sheet).to_contain_text(WHIST)
            box = sheet.bounding_box()
            assert box
            assert box["height"] <= 140 * MM
            code = sheet.locator("svg.qr")
            drawn = code.bounding_box()
            assert drawn
            assert min(drawn["width"], drawn["height"]) >= 24 * MM
            assert code.locator("path").last.evaluate("path => path.getTotalLength()") > 100
            row = sheet.locator("tbody tr").last.bounding_box()
            assert row
            assert row["height"] >= 6 * MM
            assert sheet.evaluate("sheet => sheet.scrollHeight <= sheet.clientHeight + 1")
            assert sheet.evaluate("sheet => sheet.scrollWidth <= sheet.clientWidth + 1")
    finally:
        host.emulate_media(media="null")


def test_long_names_are_printed_whole_and_take_no_room_from_the_rows(club: Club, tmp_path: Path) -> None:
    with OtherClub.opened(club, "Long") as other, other.night(LONG) as night:
        night.draw().seat()
        host = other.page
        host.goto(f"{night.path}sheets/")
        host.get_by_role("button", name="For the tables of round 1, with names").click()
        sheet = host.locator(".score-sheet")
        expect(sheet).to_have_count(1)
        assert pages_of(host, tmp_path / "sheets.pdf") == 1
        host.emulate_media(media="print")
        try:
            assert sheet.evaluate("sheet => sheet.scrollHeight <= sheet.clientHeight + 1")
            row = sheet.locator("tbody tr").last.bounding_box()
            assert row
            assert row["height"] >= 6 * MM
            names = sheet.locator("b, thead small, .sign .name")
            cut = "those => those.filter(each => each.scrollWidth > each.clientWidth + 1).map(each => each.innerText)"
            assert names.evaluate_all(f"those => ({cut})(those.filter(each => each.clientWidth))") == []
            for name in LONG:
                assert sheet.inner_text().replace("\n", " ").count(name) == 4, "head, points, total, signature"
        finally:
            host.emulate_media(media="null")


@pytest.mark.parametrize("game", ["all-fives", "domizerka", "dom", "dominards", "domino-whist"])
def test_blank_sheets_of_every_kind_fit_the_paper(host: Page, night: Night, tmp_path: Path, game: str) -> None:
    host.goto(f"{night.club.address}sheets/")
    host.locator("[name=game]").select_option(game)
    host.get_by_label("How many").fill("5")
    host.get_by_role("button", name="Blank sheets").click()
    sheets = host.locator(".score-sheet")
    expect(sheets).to_have_count(5)
    assert pages_of(host, tmp_path / "blank.pdf") == 3
    assert sheets.evaluate_all("sheets => sheets.every(s => s.scrollHeight <= s.clientHeight + 1)")
    assert sheets.evaluate_all("sheets => sheets.every(s => s.scrollWidth <= s.clientWidth + 1)")


def test_a_sheet_is_typed_in_by_the_keyboard_alone(host: Page, night: Night) -> None:
    host.goto(f"{night.club.address}paper/?night={night.pk}")
    host.get_by_role("link", name="1", exact=False).filter(has_text=WHIST).first.press("Enter")
    expect(host.get_by_role("heading", name=WHIST)).to_be_visible()
    names = [host.locator(f"[name=player-{seat}]").input_value() for seat in range(4)]
    expect(host.get_by_label("Sheet number")).to_have_value(f"{night.pk}-1.1")
    expect(host.locator("[name=h0-out]")).to_be_focused()  # everything else is known from the draw
    keys = host.keyboard
    for number, (first, second) in enumerate(((31, 12), (40, 15), (22, 9), (5, 17), (30, 2))):
        expect(host.locator(f"[name=h{number}-out]")).to_be_focused()
        keys.type(names[0])
        keys.press("Enter")
        keys.type(str(first))
        keys.press("Enter")
        keys.type(str(second))
        if number < 4:
            keys.press("Enter")
    expect(host.locator("#total-3-0")).to_contain_text("98")
    expect(host.locator("#total-4-0")).to_contain_text("128")
    expect(host.locator("#total-4-1")).to_contain_text("55")
    expect(host.locator("#verdict")).to_contain_text(f"{names[1]} + {names[3]} won")
    assert host.locator("[data-row]").count() > 5, "a new row came by itself"
    keys.press("Enter")
    expect(host.get_by_role("button", name="Save and choose the next sheet")).to_be_focused()
    keys.press("Enter")
    expect(host.get_by_role("status").filter(has_text="Saved:")).to_contain_text("128 : 55")
    expect(host.get_by_text("Drawn, no entries yet")).to_be_visible()
    expect(host.locator(".list").get_by_text(names[0])).to_have_count(0)


def test_the_keyboard_leaves_out_options_that_differ(host: Page, night: Night) -> None:
    host.goto(f"{night.club.address}paper/?game=domino-whist")
    host.get_by_label("Sheet number").fill("7")
    for seat, name in enumerate(("Wim", "Xia", "Yan", "Zoe")):
        host.locator(f"[name=player-{seat}]").fill(name)
    host.get_by_text("Options", exact=True).click()
    host.locator("[name=option-target]").fill("50")
    host.keyboard.press("Tab")  # the page is drawn again, with the options open
    expect(host.locator("[name=h0-out]")).to_be_focused()
    host.locator("[name=player-3]").press("Enter")
    expect(host.locator("[name=h0-out]")).to_be_focused()
    expect(host.locator("[name=option-hands]")).to_have_value("")


def test_a_mistake_is_named_with_its_row_and_nothing_typed_is_lost(host: Page, night: Night) -> None:
    host.goto(f"{night.club.address}paper/?game=domino-whist")
    for seat, name in enumerate(("Wim", "Xia", "Yan", "Zoe")):
        host.locator(f"[name=player-{seat}]").fill(name)
    expect(host.locator("th [data-seat]").first).to_have_text("Wim")
    host.locator("[name=h0-out]").select_option("Wim")
    host.get_by_role("textbox", name="1 Bad points Wim + Yan", exact=True).fill("900")
    host.get_by_role("textbox", name="1 Bad points Xia + Zoe", exact=True).fill("3")
    expect(host.locator("#message-0")).to_contain_text("cannot have 900 pips left")
    host.keyboard.press("Control+Enter")
    expect(host.get_by_role("alert")).to_contain_text("Hand 1: Wim + Yan cannot have 900 pips left")
    expect(host.locator("[name=h0-bad-0]")).to_be_focused()
    expect(host.locator("[name=h0-bad-0]")).to_have_value("900")
    expect(host.locator("[name=player-3]")).to_have_value("Zoe")
    host.locator("[name=h0-bad-0]").fill("9")
    expect(host.locator("#total-0-0")).to_contain_text("9")
    host.get_by_label("How did it end?").select_option("time")
    host.get_by_role("button", name="Save", exact=True).click()
    expect(host.get_by_role("status").filter(has_text="Saved:")).to_be_visible()
    expect(host.locator(".kind")).to_contain_text("time was up")


def test_whoever_is_out_has_nothing_left_to_type(host: Page, night: Night) -> None:
    host.goto(f"{night.club.address}paper/?game=all-fives")
    host.locator("[name=player-0]").fill("Wim")
    host.locator("[name=player-1]").fill("Xia")
    out = host.locator("[name=h0-out]")
    out.select_option("Wim")
    expect(host.locator("[name=h0-left-0]")).to_be_disabled()
    expect(host.locator("[name=h0-left-1]")).to_be_enabled()
    out.select_option("Wim reached the target")
    expect(host.locator("[name=h0-left-1]")).to_be_disabled()
    out.select_option("nobody: blocked")
    expect(host.locator("[name=h0-left-0]")).to_be_enabled()
    host.get_by_text("Options", exact=True).click()
    host.get_by_label("Fives", exact=True).uncheck()  # other columns: the page is drawn again
    expect(host.locator("[name=h0-table-0]")).to_have_count(0)
    expect(host.locator("[name=h0-out]")).to_have_value("blocked")
