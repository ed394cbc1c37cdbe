"""A hand in which tiles are drawn, recorded on a phone tap by tap, and followed on a screen."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

import games
from tests.browser.hall import SCREEN, Hall, Phone, Table, board, shows

pytestmark = pytest.mark.browser

NAMES = ("Bo", "Cleo")
# Bo leads, and draws twice until a tile fits. Cleo draws all the rest and passes; then the hand is blocked.
MOVES = (
    *("6-6", "6-5 e", "5-3 e", "4-3 e", "5-4 e", "5-2 e", "2-0 e", "5-0 e"),
    *("draw", "6-1 w", "5-1 w", "draw", "draw", "draw", "5-5 w"),
    *(["draw"] * 10),
    *("pass", "pass"),
)
LEFT = ("6-4", "6-0", "4-4", "4-0", "1-0")  # Bo's: 29 pips; Cleo has the other twelve tiles, 55 pips


def test_a_hand_with_draws(hall: Hall, phone: Phone, table: Table, visit: Callable[..., Page]) -> None:
    page, watch = phone.page, visit(**SCREEN)
    match = phone.start_match("Draw", NAMES, hands="1")
    watch.goto(f"{table.path}watch/")
    phone.open_hand("Bo")
    expected = games.Match.new("draw", {"hands": 1}, NAMES).enter({"kind": "hand", "opener": 0})
    laid: list[str] = []
    for length, text in enumerate(MOVES, 2):
        offers = expected.offers()
        kind, tile, end = text, *text.partition(" ")[::2]
        move = {"seat": offers["seat"], "type": kind} | ({"count": 1} if kind == "draw" else {})
        if kind not in ("draw", "pass"):
            move = {"seat": offers["seat"], "type": "play", "tile": tile} | ({"end": end} if end else {})
            laid.append(tile)
        expected = expected.enter({"kind": "move", "move": move})
        phone.enter(move)
        for each in (page, watch):
            shows(each, match, length)
        look(phone, expected)
        if boneyard := expected.offers().get("boneyard"):
            expect(watch.get_by_text(f"{boneyard} in the boneyard")).to_be_visible()
        assert board(page) == board(watch) == sorted(laid)
    for each in (page, watch):
        expect(each.locator("[data-live]")).to_contain_text("Bo passed")

    phone.leave(0, *LEFT)  # then everything left is Cleo's
    preview = page.locator("#preview-left")
    for words in ("29", "55", "26"):
        expect(preview).to_contain_text(words)
    phone.press("All agree: count it")
    shows(page, match, len(MOVES) + 2)
    record = hall.record(match)
    moves = record["hands"][0]["moves"]
    assert [move.get("count") for move in moves if move["type"] == "draw"] == [1] * 14
    verdict = games.verify(record)
    assert verdict["valid"], verdict
    assert verdict["totals"] == record["result"]["totals"] == [26, 0]

    page.goto(f"/matches/{match}/?hand=0&move=14")
    expect(page.get_by_text("Bo drew a tile").first).to_be_visible()
    expect(page.locator(".seats")).to_contain_text(re.compile(r"Bo\s*6\s*tiles"))  # seven dealt, four drawn, five laid


def look(phone: Phone, expected: games.Match) -> None:
    """Possible tiles are lit. A player who may have none draws while there are tiles, then passes."""
    offers = expected.offers()
    if offers["next"] != "move":
        return
    lit = phone.page.locator("button.lit").evaluate_all("tiles => tiles.map(tile => tile.getAttribute('aria-label'))")
    assert sorted(lit) == sorted(offers["plays"])
    if offers["boneyard"]:
        expect(phone.draw_button).to_contain_text(f"{offers['boneyard']} left")
        expect(phone.pass_button).to_have_count(0)
    else:
        expect(phone.draw_button).to_have_count(0)
        expect(phone.pass_button).to_be_visible()
    draws = 0
    for move in reversed(expected.hands[-1].moves):
        if move["type"] != "draw":
            break
        draws += 1
    if draws:
        expect(phone.sheet).to_contain_text("drew a tile" if draws == 1 else f"drew {draws} tiles")
