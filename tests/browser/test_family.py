"""Every preset of the family on a phone: a whole match by moves and another by final states, compared with the
engine."""

import functools
import json
import random
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

import games
from tests.browser.hall import Hall, Phone, board, shows

pytestmark = pytest.mark.browser

NAMES = ("Bo", "Cleo")
FAMILY = [slug for slug, game in games.GAMES.items() if game.preset]


@functools.cache
def short(game: str) -> tuple[dict[str, Any], dict[str, int]]:
    """A short random match with its options. It shows everything in the preset: draws, arms at the spinner, a target
    reached in mid-hand."""
    presets = games.GAMES[game].read_options({})
    counts = games.GAMES[game].final(presets).table
    options = {"points_to_win": 25} if counts else {"hands": 1}
    found = []
    for seed in range(120):
        record = games.random_match(game, options, NAMES, random.Random(seed), hands=1)
        moves = record["hands"][0]["moves"]
        does = {move["type"] for move in moves} | {move.get("end") for move in moves}
        asked = {"draw"} if presets["draws"] else {"pass"}
        if counts:
            asked |= {"n", "s"}
        if does >= asked and len(record["result"]["winners"]) == 1:
            found.append((len(moves), seed, record))
    return min(found)[-1], options


@pytest.mark.parametrize("game", FAMILY)
def test_a_match_by_moves(hall: Hall, phone: Phone, game: str) -> None:
    record, options = short(game)
    hand = record["hands"][0]
    opener = hand[games.GAMES[game].opener_word]
    page = phone.page
    phone.hurry()
    typed = {"hands": "", **{key: str(value) for key, value in options.items()}}
    match = phone.start_match(games.GAMES[game].name, NAMES, **typed)
    expected = games.Match.new(game, options, NAMES)
    expect(phone.sheet).to_contain_text("Who holds the heaviest double?")
    phone.open_hand(NAMES[opener])
    expected = expected.enter({"kind": "hand", "opener": opener})
    for length, move in enumerate(hand["moves"], 2):
        shows(page, match, length - 1)
        says(phone, expected, move)
        phone.enter(move)
        expected = expected.enter({"kind": "move", "move": move})
    shows(page, match, len(hand["moves"]) + 1)
    if "left" in hand and not expected.finished:
        told = expected.enter({"kind": "left", "left": hand["left"]})
        for seat, tiles in enumerate(hand["left"]):
            if page.locator(f'[data-seat="{seat}"]:has([type=checkbox])').count():
                phone.leave(seat, *tiles)
        expected = told
        phone.press("All agree: count it")
        shows(page, match, len(hand["moves"]) + 2)
    expect(phone.sheet).to_contain_text(f"{NAMES[expected.winners[0]]} won")
    points = page.locator(".side .points").all_inner_texts()
    assert [int(each) for each in points] == list(expected.totals) == record["result"]["totals"]
    kept = hall.record(match)
    assert kept["hands"][0]["moves"] == hand["moves"]
    verdict = games.verify(kept)
    assert verdict["valid"], verdict
    assert verdict["totals"] == record["result"]["totals"]
    if expected.hands[-1].outcome.end.by == "reached":
        expect(phone.sheet).to_contain_text("reached the target: the match ends at once")


def says(phone: Phone, expected: games.Match, move: dict[str, Any]) -> None:
    """Before a move, the page shows the line, its count, and the points of the move."""
    offers, page = expected.offers(), phone.page
    assert board(page) == sorted(each["tile"] for each in expected.hands[-1].moves if each["type"] == "play")
    drawn = page.locator("svg.line [data-end]").evaluate_all("ends => ends.map(end => end.dataset.end)")
    assert set(drawn) == set(expected.hands[-1].line.open)
    if "count" in offers:
        expect(page.locator(".count b")).to_have_text(str(offers["count"]))
    if worth := offers.get("worth", {}).get(move.get("tile")):
        shown = page.locator(f'button[data-tile="{move["tile"]}"] .worth').all_inner_texts()
        assert shown == (["/".join(map(str, sorted(set(worth))))] if any(worth) else [])


@pytest.mark.parametrize("game", FAMILY)
def test_a_match_by_final_hands(hall: Hall, phone: Phone, game: str) -> None:
    """Bo goes out. The next hand ends at the target if the game has table points, else it is blocked."""
    counts = games.GAMES[game].final(games.GAMES[game].read_options({})).table
    page = phone.page
    match = phone.start_match(games.GAMES[game].name, NAMES, points_to_win="50" if counts else "25", hands="")
    expected = games.Match.new(game, {"points_to_win": 50 if counts else 25}, NAMES)

    def count(final: dict[str, Any]) -> None:
        nonlocal expected
        taps = phone.taps
        phone.tap(page.locator("#final summary"))
        phone.tap(page.locator("label", has=page.locator('[name=opener][value="0"]')))
        out = f"reached-{final['reached']}" if "reached" in final else final["out"]
        out = "blocked" if out is None else out
        phone.tap(page.locator("#final label", has=page.locator(f'[name=out][value="{out}"]')))
        for key in ("table", "left"):
            for seat, number in enumerate(final.get(key, ())):
                if isinstance(number, int) and number:
                    page.locator(f'#final [name="{key}-{seat}"]').fill(str(number))
        phone.press("All agree: count it")
        assert phone.taps - taps <= 8
        expected = expected.enter({"kind": "hand", "opener": 0, "final": final})
        shows(page, match, len(expected.hands))

    tables = {"draw": [[0, 0]], "block": [[0, 0]], "all-threes": [[21, 15], [15, 6]]}.get(game, [[20, 15], [15, 5]])
    count({"table": tables[0], "left": [[], 17], "out": 0})
    if counts:
        count({"table": tables[1], "reached": 0})
    else:
        count({"table": [0, 0], "left": [9, 21], "out": None})
    assert expected.finished
    points = page.locator(".side .points").all_inner_texts()
    assert [int(each) for each in points] == list(expected.totals)
    kept = hall.record(match)
    assert kept["result"]["totals"] == list(expected.totals)
    assert json.dumps(kept["hands"][-1]["final"], sort_keys=True) == json.dumps(
        expected.record()["hands"][-1]["final"], sort_keys=True
    )


def test_counts_are_switched_off_on_this_phone(phone: Phone) -> None:
    game = next(slug for slug in FAMILY if games.GAMES[slug].final(games.GAMES[slug].read_options({})).table)
    page = phone.page
    phone.start_match(games.GAMES[game].name, NAMES)
    phone.open_hand("Bo")
    worth = page.locator('[data-tile="5-5"] .worth')
    expect(worth).to_be_visible()
    phone.tap(page.locator("[data-counts]"))
    expect(worth).to_be_hidden()
    page.reload()
    expect(page.locator("[data-counts]")).to_have_attribute("aria-pressed", "false")
    expect(worth).to_be_hidden()
    phone.lay("5-5")
    expect(page.locator(".count b")).to_be_hidden()
    phone.tap(page.locator("[data-counts]"))
    expect(page.locator(".count b")).to_have_text("10")


def refused(phone: Phone) -> int:
    """A match in which Bo has led 6-6, and then a tile that does not fit was tapped."""
    match = phone.start_match(games.GAMES[FAMILY[0]].name, NAMES)
    phone.open_hand("Bo")
    phone.lay("6-6")
    shows(phone.page, match, 2)
    phone.lay("5-4")
    expect(phone.refusal).to_contain_text("5-4 does not fit any open end: 6.")
    return match


def test_a_refusal_marks_the_tile_that_caused_it(phone: Phone) -> None:
    page, match = phone.page, refused(phone)
    blamed = page.locator("button.blamed")
    expect(blamed).to_have_attribute("data-tile", "5-4")
    on_one_screen(page, phone.refusal, blamed, page.locator(".play .line"), page.locator(".play .tray"))
    assert height(phone.refusal) <= 844 / 3
    phone.tap(phone.refusal.locator("[data-mend]"))
    expect(page.locator('button[data-tile="5-4"]')).to_be_focused()
    expect(blamed).to_have_count(0)
    phone.lay("6-5", "e")
    shows(page, match, 3)


def test_undo_puts_a_tile_down_before_it_takes_anything_back(phone: Phone) -> None:
    page = phone.page
    match = phone.start_match(games.GAMES[FAMILY[0]].name, NAMES)
    phone.open_hand("Bo")
    shows(page, match, 1)
    expect(phone.pass_button.or_(phone.draw_button)).to_be_hidden()
    phone.lay("6-6")
    shows(page, match, 2)
    phone.tap(phone.tile("6-5"))
    expect(page.locator(".ends")).to_be_visible()
    phone.tap(phone.undo_button)
    expect(page.locator(".ends")).to_be_hidden()
    phone.tap(phone.undo_button)
    shows(page, match, 3)
    expect(phone.tile("6-6")).to_be_visible()


def test_a_refusal_goes_as_something_else_is_tapped(phone: Phone) -> None:
    page, match = phone.page, refused(phone)
    page.keyboard.press("Escape")
    expect(phone.refusal).to_have_count(0)
    expect(page.locator(".blamed")).to_have_count(0)
    for wrong in ("5-4", "4-3"):
        phone.lay(wrong)
        expect(phone.refusal).to_contain_text(f"{wrong} does not fit any open end: 6.")
        expect(page.locator("button.blamed")).to_have_attribute("data-tile", wrong)
    phone.lay("6-5", "e")
    shows(page, match, 3)
    expect(phone.refusal).to_have_count(0)
    expect(page.locator(".blamed")).to_have_count(0)


def height(part: Locator) -> float:
    box = part.bounding_box()
    assert box
    return box["height"]


def on_one_screen(page: Page, *parts: Locator) -> None:
    """Every part is completely visible, below the score and above the bar at the bottom."""
    for part in parts:
        box = part.filter(visible=True).bounding_box()
        assert box, part
        top = page.locator(".score").bounding_box()
        assert top
        assert box["y"] >= top["y"] + top["height"] - 1, (part, box, top)
        assert box["y"] + box["height"] <= 844, (part, box)
