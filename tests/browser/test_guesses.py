"""What a phone expects next while the server cannot be reached, compared with the engine."""

import random
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page

from games import Match
from games.moves import move_json
from scorekeeper.pages.boards import board_ahead
from tests.browser.hall import NAMES

pytestmark = pytest.mark.browser

GUESSED = """async ([board, steps]) => {
  const { after } = await import(`/static/scorekeeper/boards/${board}.js`);
  let hand = steps[0].before;
  return steps.map(({ entry }) => (hand = after(hand, entry)));
}"""
SAID = {
    "line": {"seat", "held", "shown", "spinner", "boneyard", "passes", "drew", "over", "openers", "double"},
    "tricks": {
        "seat",
        "held",
        "openers",
        "left",
        "rest",
        "player",
        "waiting",
        "most",
        "led",
        "table",
        "taken",
        "tricks",
    },
    "square": {"seat", "held", "openers", "square", "opener", "rest", "deals"},
    "star": {"seat", "held", "dice", "turns", "boneyard", "first", "arms", "cards", "passes"},
}
"""What a phone knows about a hand, by board; and the tiles not played yet, in any order."""
BETWEEN = {"seat", "openers", "left", "rest", "double"}
"""The same between two hands, when the table is empty."""
CASES = [
    ("domino-whist", 4, {}),
    ("all-fives", 2, {"points_to_win": 500}),
    ("draw", 2, {"leader": "winner"}),
    ("block", 2, {"spinner": True, "leader": "alternate"}),
    ("domizerka", 3, {}),
    ("dom", 2, {}),
    ("dominards", 2, {}),
    ("dominards", 4, {}),
]


@pytest.mark.parametrize(("game", "seats", "options"), CASES, ids=[f"{game}-{seats}" for game, seats, _ in CASES])
def test_the_phone_guesses_what_the_engine_says(
    visit: Callable[..., Page], game: str, seats: int, options: dict[str, Any]
) -> None:
    page = visit()
    page.goto("/reach/")
    board = Match.new(game, options, NAMES[:seats]).game.board
    walks = [walk(Match.new(game, options, NAMES[:seats]), random.Random(seed)) for seed in range(4)]
    assert sum(map(len, walks)) > 40
    for steps in walks:
        for step, guess in zip(steps, page.evaluate(GUESSED, [board, steps]), strict=True):
            compare(board, step, guess)


def compare(board: str, step: dict[str, Any], guess: dict[str, Any]) -> None:
    said = step["after"]
    between = bool(said.get("openers"))
    for name in SAID[board] & BETWEEN if between and board != "line" else SAID[board]:
        assert guess[name] == said[name], (name, step["entry"])
    if "unseen" in said and not between:
        assert sorted(guess["unseen"]) == sorted(said["unseen"])


def walk(match: Match, rng: random.Random) -> list[dict[str, Any]]:
    """The entries that a phone can handle alone, each with the server's data before and after it."""
    steps, before = [], board_ahead(match)
    while match.offers()["next"] in ("hand", "move") and len(steps) < 120:
        if match.hand is None:
            entry = {"kind": "hand", "opener": rng.choice(match.offers()["openers"])}
        else:
            entry = {"kind": "move", "move": move_json(rng.choice(match.hand.state.legal()))}
        match = match.enter(entry)
        after = None if match.finished else board_ahead(match)
        if before is not None and after is not None:
            steps.append({"before": before, "entry": entry, "after": after})
        elif steps:
            break
        before = after
    return steps
