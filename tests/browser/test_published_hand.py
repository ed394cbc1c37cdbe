"""A published hand, with its end recorded tap by tap; see tests/data/published_hand.json."""

import json
from pathlib import Path

import pytest
from playwright.sync_api import expect

import games
from tests.browser.hall import Hall, Phone, Table, shows

pytestmark = pytest.mark.browser

HAND = json.loads((Path(__file__).parents[1] / "data" / "published_hand.json").read_text())
NAMES = ("West", "North", "East", "South")
TAPPED = 8  # the last moves


def test_it_ends_as_published(hall: Hall, table: Table, phone: Phone) -> None:
    page, moves = phone.page, HAND["moves"]
    phone.hurry()
    told = [{"kind": "move", "move": move} for move in moves[:-TAPPED]]
    match = hall.play(table, "domino-whist", NAMES, [{"kind": "hand", "opener": HAND["opener"]}, *told], {"hands": 1})
    for length, move in enumerate(moves[-TAPPED:], len(told) + 1):
        shows(page, match, length)
        phone.enter(move)
    length = len(moves) + 1
    shows(page, match, length)
    out = NAMES[HAND["published"]["out"]]
    expect(page.get_by_text(f"{out} went out").first).to_be_visible()
    # Each of the other three has one of the tiles left over. It was not published which one.
    choices = page.get_by_role("checkbox").evaluate_all("boxes => [...new Set(boxes.map(box => box.value))]")
    assert sorted(choices) == sorted(HAND["published"]["left_over"])
    for seat, tile in zip((0, 1, 3), HAND["published"]["left_over"], strict=True):
        phone.leave(seat, tile)
    phone.press("All agree: count it")
    shows(page, match, length + 1)
    record = hall.record(match)
    assert record["hands"][0]["moves"] == HAND["moves"]
    verdict = games.verify(record)
    assert verdict["valid"], verdict
    assert verdict["totals"] == record["result"]["totals"] == [6, 3, 6, 3]
