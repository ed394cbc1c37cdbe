"""The answer of ``python -m games nestor``: the move that Nestor would make in a record, as one seat knows it."""

from collections.abc import Callable
from random import Random
from typing import Any

from games import read
from games.base import State
from games.dom import DomState
from games.errors import Code, Malformed, illegal, marked
from games.match import Match
from games.moves import move_json
from games.nestor import think
from games.nestor.levels import LEVELS, STRONGEST
from games.solving import hand_in_play
from games.verify import verified


def asked(value: Any, clock: Callable[[], float]) -> dict[str, Any]:
    """The ``move`` of Nestor, what it is ``worth``, the number of ``deals`` that he imagined and whether that is
    ``exact``, as JSON values. ``clock`` gives the time in seconds.

    ``value`` has the ``record``, and the ``seat`` that is to move; it may have the ``level``, the time in ``ms``, and
    the ``seed`` for what is left to chance. GameError if it cannot be read, is against the rules, or the seat cannot
    move or does not know its own tiles.
    """
    given = read.keyed(value, required=("record", "seat"), optional=("level", "ms", "seed"))
    match = verified(given["record"])
    with read.field("seat"):
        seat = read.seat(given["seat"], len(match.players))
    with read.field("level"):
        level = LEVELS[read.one_of(given.get("level", STRONGEST), tuple(LEVELS))]
    with read.field("ms"):
        ms = read.whole(given.get("ms", level.ms))
    with read.field("seed"):
        rng = Random(read.whole(given.get("seed", 0)))
    state = _to_move(match.seen_by(seat), seat)
    thought = think(match.game, state, level, rng=rng, clock=clock, ms=ms)
    return {
        "move": move_json(thought.move),
        "worth": str(thought.worth),
        "line": [move_json(move) for move in thought.line],
        "deals": thought.deals,
        "exact": thought.exact,
    }


def _to_move(match: Match, seat: int) -> State:
    """The hand in play, if this seat is to move in it and knows its own tiles and cards."""
    state = hand_in_play(match).state
    if state.turn != seat:
        raise illegal(
            Code.NOT_YOUR_TURN,
            marked("It is {turn}'s turn, not {player}'s."),
            len(match.hands) - 1,
            turn=match.players[state.turn or 0],
            player=match.players[seat],
        )
    if not _knows(state, seat):
        raise Malformed(
            marked("Nestor must know his own tiles or cards: give his deal, his cards, and the tiles that he drew.")
        )
    return state


def _knows(state: Any, seat: int) -> bool:
    """Whether the tiles and cards of this seat are known."""
    opening = state.opening
    if opening.cards and opening.cards[seat] is None:
        return False
    return opening.deal[seat] is not None if isinstance(state, DomState) else bool(state.holdings.knows(seat))
