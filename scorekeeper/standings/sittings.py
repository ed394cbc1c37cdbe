"""What a match came to for everybody who sat in it."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

Person = tuple[int | None, str]
"""A player of the club by id, with no name; else the name alone."""


@dataclass(frozen=True, slots=True)
class Sitting:
    """Who sat in a seat from a hand on, counted from 0, until somebody else did."""

    seat: int
    player: int | None
    """None: nobody the club knows, known by name alone."""
    name: str
    from_hand: int = 0

    @property
    def person(self) -> Person:
        return self.player, "" if self.player is not None else self.name


@dataclass(frozen=True, slots=True)
class Result:
    """A match that has ended. Points are by seat; those of a side stand at each of its seats."""

    game: str
    sides: tuple[tuple[int, ...], ...]
    sittings: tuple[Sitting, ...]
    """Those of a seat in the order of their hands."""
    hands: int
    """How many were played; 0 where only the totals are known."""
    totals: tuple[int, ...]
    winners: frozenset[int]
    """Every seat that shares the best total; empty where nothing was won."""
    before: Mapping[int, tuple[int, ...]] = field(default_factory=dict)
    """What each seat had before a hand, for every hand from which somebody took over a seat."""
    fewer_is_better: bool = False
    unverified: bool = False
    counts: bool = True
    """False for a match that was abandoned, or in which no hand was counted."""


class Outcome(NamedTuple):
    """What one sitting came to: from when they sat down until they left or the match ended."""

    sitting: Sitting
    side: int
    hands: int
    points: int
    """Of their side, in these hands."""
    against: int
    """Of all other sides together."""
    others: int
    """How many other sides there were."""
    place: int | None
    """1 + the number of sides that did better; None for who left before the end, and where nothing was won."""
    sharing: int
    """How many sides had that place."""
    counts: bool
    """Whether tables count it: the match counts, and they played a hand of it."""
    unverified: bool

    @property
    def won(self) -> bool:
        return self.place == 1 and self.sharing == 1

    @property
    def shared(self) -> bool:
        """Whether they won together with another side."""
        return self.place == 1 and self.sharing > 1


def outcomes(result: Result) -> Iterator[Outcome]:
    """What each sitting came to. Of a bare result nobody knows who played which hand: it belongs to whoever sat there
    at the end."""
    totals = [result.totals[side[0]] for side in result.sides]
    for sitting in result.sittings:
        here = [each for each in result.sittings if each.seat == sitting.seat]
        later = here[here.index(sitting) + 1 :]
        first, until = sitting.from_hand, later[0].from_hand if later else result.hands
        at_the_end = until >= result.hands
        until = min(until, result.hands)
        played = first < until if result.hands else not later
        had = result.before.get(first, (0,) * len(result.totals))
        has = result.totals if at_the_end or not played else result.before[until]
        points = [has[side[0]] - had[side[0]] for side in result.sides]
        own = next(number for number, side in enumerate(result.sides) if sitting.seat in side)
        better = [total < totals[own] if result.fewer_is_better else total > totals[own] for total in totals]
        yield Outcome(
            sitting,
            own,
            until - first if result.hands and played else 0,
            points[own],
            sum(points) - points[own],
            max(len(points) - 1, 1),
            1 + sum(better) if at_the_end and played and result.winners else None,
            totals.count(totals[own]),
            result.counts and played,
            result.unverified,
        )
