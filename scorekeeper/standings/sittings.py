"""The result of a match for everybody who sat in it."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

Person = tuple[int | None, str]
"""A player of the club by id, with an empty name; anybody else by name alone."""


@dataclass(frozen=True, slots=True)
class Sitting:
    """One person in a seat, from a hand (counted from 0) until somebody else took over or the match ended."""

    seat: int
    player: int | None
    """None for somebody who is not a player of the club."""
    name: str
    from_hand: int = 0

    @property
    def person(self) -> Person:
        return self.player, "" if self.player is not None else self.name


@dataclass(frozen=True, slots=True)
class MatchResult:
    """A finished match. Points are by seat; partners both have the points of their side."""

    game: str
    sides: tuple[tuple[int, ...], ...]
    sittings: tuple[Sitting, ...]
    """The sittings of one seat are in the order of their hands."""
    hands: int
    """The number of hands played; 0 if only the totals are known."""
    totals: tuple[int, ...]
    winners: frozenset[int]
    """Every seat with the best total; empty if nobody won."""
    before: Mapping[int, tuple[int, ...]] = field(default_factory=dict)
    """For every hand from which somebody took over a seat: the points of each seat before that hand."""
    fewer_is_better: bool = False
    unverified: bool = False
    counts: bool = True
    """False for a match that was abandoned, or that has no counted hand."""


class SittingResult(NamedTuple):
    """The result of one sitting, from the hand in which they sat down until they left or the match ended."""

    sitting: Sitting
    side: int
    hands: int
    points: int
    """The points of their side in these hands."""
    against: int
    """The points of all other sides together."""
    others: int
    """The number of other sides."""
    place: int | None
    """1 + the number of better sides; None for somebody who left before the end, and in a match without a winner."""
    sharing: int
    """The number of sides that share this place."""
    counts: bool
    """Whether tables count it: the match counts, and they played a hand in it."""
    unverified: bool

    @property
    def won(self) -> bool:
        return self.place == 1 and self.sharing == 1

    @property
    def shared(self) -> bool:
        """Whether they share the win with another side."""
        return self.place == 1 and self.sharing > 1


def sitting_results(result: MatchResult) -> Iterator[SittingResult]:
    """The result of each sitting. If only the totals are known, they belong to whoever sat there at the end."""
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
        yield SittingResult(
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
