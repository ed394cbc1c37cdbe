"""A hand in which tiles are drawn, recorded on a phone tap by tap, and followed on a screen."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

import games
from tests.browser.hall import SCREEN, Hall, Phone, Table, board, shows

pytestmark = pytest.mark.browser

NAMES = ("Bo", "Cleo")
OPTIONS = {"hands": 1}
# Bo leads, and draws twice until a tile fits. Cleo draws all the rest and passes; then the hand is blocked.
MOVES = (
    *("6-6", "6-5 e", "5-3 e", "4-3 e", "5-4 e", "5-2 e", "2-0 e", "5-0 e"),
    *("draw", "6-1 w", "5-1 w", "draw", "draw", "draw", "5-5 w"),
    *(["draw"] * 10),
    *("pass", "pass"),
)
LEFT = ("6-4", "6-0", "4-4", "4-0", "1-0")  # Bo's: 29 pips; Cleo has the other twelve tiles, 55 pips


FIRST = 8  # moves before the first draw
LAST = len(MOVES) - 3  # then come the last draw and two passes


def entries() -> list[dict[str, Any]]:
    state, told = games.Match.new("draw", OPTIONS, NAMES), [{"kind": "hand", "opener": 0}]
    for text in MOVES:
        state = state.enter(told[-1])
        move = {"seat": state.offers()["seat"], "type": text}
        if text == "draw":
            move["count"] = 1
        elif text != "pass":
            tile, _space, end = text.partition(" ")
            move |= {"type": "play", "tile": tile} | ({"end": end} if end else {})
        told.append({"kind": "move", "move": move})
    return told


class Looking:
    """A phone and a screen that show the hand, and what they must show."""

    def __init__(self, hall: Hall, phone: Phone, watch: Page, table: Table, begun: int) -> None:
        """Starts after this number of moves."""
        self.phone, self.watch, self.told = phone, watch, entries()
        self.expected = games.Match.new("draw", OPTIONS, NAMES)
        for entry in self.told[: begun + 1]:
            self.expected = self.expected.enter(entry)
        self.length = begun + 1
        self.match = hall.play(table, "draw", NAMES, self.told[: self.length], OPTIONS)
        watch.goto(f"{table.path}watch/")
        phone.hurry()

    def moves(self, count: int) -> None:
        for entry in self.told[self.length : self.length + count]:
            self.look()
            self.phone.enter(entry["move"])
            self.expected = self.expected.enter(entry)
            self.length += 1
        self.look()

    def look(self) -> None:
        for page in (self.phone.page, self.watch):
            shows(page, self.match, self.length)
        look(self.phone, self.expected)
        if boneyard := self.expected.offers().get("boneyard"):
            expect(self.watch.get_by_text(f"{boneyard} in the boneyard")).to_be_visible()
        laid = sorted(move["tile"] for move in self.expected.hands[-1].moves if move["type"] == "play")
        assert board(self.phone.page) == board(self.watch) == laid


def test_draws_go_on_until_a_tile_fits(hall: Hall, phone: Phone, table: Table, visit: Callable[..., Page]) -> None:
    looking = Looking(hall, phone, visit(**SCREEN), table, FIRST - 1)
    looking.moves(8)  # the last play before, one draw, two plays, three draws, and one play
    moves = hall.record(looking.match)["hands"][0]["moves"]
    assert [move.get("count") for move in moves if move["type"] == "draw"] == [1] * 4
    assert moves == [entry["move"] for entry in looking.told[1 : FIRST + 8]]


def test_an_empty_boneyard_blocks_the_hand(hall: Hall, phone: Phone, table: Table, visit: Callable[..., Page]) -> None:
    looking = Looking(hall, phone, visit(**SCREEN), table, LAST)
    looking.moves(3)
    page, watch = phone.page, looking.watch
    for each in (page, watch):
        expect(each.locator("[data-live]")).to_contain_text("Bo passed")

    phone.leave(0, *LEFT)  # then everything left is Cleo's
    preview = page.locator("#preview-left")
    for words in ("29", "55", "26"):
        expect(preview).to_contain_text(words)
    phone.press("All agree: count it")
    shows(page, looking.match, len(MOVES) + 2)
    record = hall.record(looking.match)
    moves = record["hands"][0]["moves"]
    assert [move.get("count") for move in moves if move["type"] == "draw"] == [1] * 14
    verdict = games.verify(record)
    assert verdict["valid"], verdict
    assert verdict["totals"] == record["result"]["totals"] == [26, 0]

    page.goto(f"/matches/{looking.match}/?hand=0&move=14")
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
