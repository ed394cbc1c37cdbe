"""The answer of ``python -m games solve``: the best play of the hand in play of a record whose tiles are all known."""

from typing import Any

from games import read
from games.errors import Code, illegal, marked
from games.hand import Hand
from games.match import Match
from games.moves import move_json
from games.solver import solve
from games.verify import verified


def solved(value: Any) -> dict[str, Any]:
    """The ``seat`` on turn, the ``worth`` of the rest of the hand for its side, and the ``line`` of moves, as JSON
    values.

    ``value`` is a record, or an object with a ``record`` and the ``boneyard``: the tiles that can be drawn, in their
    order. GameError if it cannot be read, is against the rules, or cannot be solved.
    """
    wrapped = value if isinstance(value, dict) and "record" in value else {"record": value}
    asked = read.keyed(wrapped, required=("record",), optional=("boneyard",))
    match = verified(asked["record"])
    with read.field("boneyard"):
        boneyard = read.tile_list(asked.get("boneyard", []))
    state = hand_in_play(match).state
    found = solve(match.game, state, boneyard)
    return {"seat": state.turn, "worth": found.worth, "line": [move_json(move) for move in found.line]}


def hand_in_play(match: Match) -> Hand:
    """The hand of a match that somebody is to move in. Illegal (``hand-over``) if there is none."""
    hand = match.hand
    if hand is None or hand.state.turn is None or match.finished:
        text = marked("No hand is in play: the match or its last hand is over, or there is no hand.")
        raise illegal(Code.HAND_OVER, text, len(match.hands) - 1 if match.hands else None)
    return hand
