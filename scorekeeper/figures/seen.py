"""A hand as one seat saw it, and what is counted in the hands of every game."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from games.base import Game
from games.hand import Hand
from games.moves import Move
from scorekeeper.figures.counts import Count


@dataclass(frozen=True)
class Seen:
    """A hand, and whose it is. ``sides`` are those of the match."""

    game: Game[Any]
    sides: tuple[tuple[int, ...], ...]
    hand: Hand
    seat: int

    @cached_property
    def side(self) -> tuple[int, ...]:
        """The seats of their side."""
        return next(side for side in self.sides if self.seat in side)

    @property
    def recorded(self) -> bool:
        """Whether it was recorded move by move. Not a hand that was lost track of and entered by its end."""
        return self.hand.final is None and bool(self.hand.state.moves)

    @property
    def moves(self) -> list[Move]:
        """What they did themselves, if the hand was recorded."""
        return [move for move in self.hand.state.moves if move.seat == self.seat] if self.recorded else []

    @property
    def own(self) -> int:
        """The points of their side."""
        return self.hand.points[self.seat]

    @property
    def others(self) -> int:
        """The points of all other sides together."""
        return sum(self.hand.points[side[0]] for side in self.sides if side != self.side)

    @property
    def gained(self) -> int:
        """What makes a hand a good one: the points won, or the bad points that the other side got."""
        return self.others if self.game.lower_wins else self.own


def common(seen: Seen) -> Iterator[Count]:
    """The figures that every game has."""
    yield Count("hands", "played")
    yield Count("hands", "recorded", int(seen.recorded))
    yield Count("hands", "dealt", int(seen.hand.state.opening.deal[seen.seat] is not None))
    yield Count("points", "own", seen.own)
    yield Count("points", "others", seen.others)


def compared(own: int, others: list[int], *, lower_wins: bool = False) -> str:
    """``won`` if a side is better than all others, ``lost`` if one of them is better, else ``tied``."""
    best = min(others) if lower_wins else max(others)
    if own == best:
        return "tied"
    return "won" if (own < best) == lower_wins else "lost"
