"""Nestor, the computer player of "Electrum Dominoes", here for every game.

He imagines deals that fit all that the seat on turn knows, and finds out in each of them what a move brings.
"""

from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Any, NamedTuple

from games.base import Game, State
from games.dom import DomState
from games.dominards import DominardsState
from games.domizerka import DomizerkaState
from games.laying import LayingState
from games.moves import Move
from games.nestor import laying, square, star, tricks
from games.nestor.laying import Thought
from games.nestor.levels import LEVELS, STRONGEST, Level

__all__ = ["LEVELS", "STRONGEST", "Level", "Thought", "compare", "think"]


class Player(NamedTuple):
    """How he plays a kind of game."""

    think: Callable[..., Thought]
    at_once: Callable[..., Thought]
    """The move that scores most at once, by chance if several do. It takes no time."""


PLAYERS: Mapping[type[State], Player] = {
    LayingState: Player(laying.think, laying.at_once),
    DomizerkaState: Player(tricks.think, tricks.at_once),
    DomState: Player(square.think, square.at_once),
    DominardsState: Player(star.think, star.at_once),
}
"""By the kind of state."""


def think(game: Game[Any], state: State, level: Level, *, rng: Random, clock: Callable[[], float], ms: int) -> Thought:
    """A move for the seat on turn, whose own tiles and cards must be known. Looks at nothing that this seat does not
    know.

    ``clock`` gives the time in seconds, and ``ms`` is how long he may think.

    The ``worth`` of the thought, and its ``gains``, are the points by which the seat (with its partner) will then win
    more than the others do on average, from now to the end of the hand or as far as he looks ahead. With two sides that
    is the difference of their points. Two games add what is worth something later: contracts in Domizerka
    (``tricks``), cards and the end of the match in Dominards (``star``). ``gains`` has the moves that he considered.
    """
    player = PLAYERS[type(state)]
    if rng.randrange(level.thinks.denominator) < level.thinks.numerator:
        return player.think(game, state, rng=rng, clock=clock, ms=ms)
    return player.at_once(state, rng)


def compare(
    game: Game[Any],
    state: State,
    moves: Sequence[Move],
    *,
    rng: Random,
    clock: Callable[[], float],
    ms: int,
) -> Thought:
    """What these moves are worth, each tried in the same deals; of all possible ones what he thinks at his strongest,
    if there are none. Only for games in which he tries moves (``trials``)."""
    return PLAYERS[type(state)].think(game, state, rng=rng, clock=clock, ms=ms, only=moves)
