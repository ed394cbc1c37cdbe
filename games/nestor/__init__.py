"""Nestor, the computer player of "Electrum Dominoes", here for every game.

He imagines deals that fit all that the seat on turn knows, and finds out in each of them what a move brings.
"""

from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Any

from games.base import Game, State
from games.dom import DomState
from games.dominards import DominardsState
from games.domizerka import DomizerkaState
from games.laying import LayingState
from games.moves import Move
from games.nestor import laying, square, star, tricks
from games.nestor.laying import Thought
from games.nestor.levels import LEVELS, Level

__all__ = ["LEVELS", "Level", "Thought", "compare", "think"]

THINKERS: Mapping[type[State], Callable[..., Thought]] = {
    LayingState: laying.think,
    DomizerkaState: tricks.think,
    DomState: square.think,
    DominardsState: star.think,
}
"""By the kind of state: who thinks about it."""


def think(game: Game[Any], state: State, level: Level, *, rng: Random, clock: Callable[[], float], ms: int) -> Thought:
    """A move for the seat on turn, whose own tiles and cards must be known. Looks at nothing that this seat does not
    know.

    ``clock`` gives the time in seconds, and ``ms`` is how long he may think.

    The ``worth`` of the thought, and its ``gains``, are the points by which the seat (with its partner) will then win
    more than the others do on average, from now to the end of the hand or as far as he looks ahead. With two sides that
    is the difference of their points. Two games add what is worth something later: contracts in Domizerka
    (``tricks``), cards and the end of the match in Dominards (``star``). ``gains`` has the moves that he considered.
    """
    return THINKERS[type(state)](game, state, level, rng=rng, clock=clock, ms=ms)


def compare(
    game: Game[Any],
    state: State,
    moves: Sequence[Move],
    level: Level,
    *,
    rng: Random,
    clock: Callable[[], float],
    ms: int,
) -> Thought:
    """As ``think``, for some of the possible moves, each tried in the same deals. Only for games in which he tries
    moves (``trials``)."""
    return THINKERS[type(state)](game, state, level, rng=rng, clock=clock, ms=ms, only=moves)
