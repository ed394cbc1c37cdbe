"""Who sits where in the next round of a club night, so that people mix.

Every person gets a place: a seat at a table, or a bye, which is a place without neighbours. What a round costs is, the
first before all that come after it:

1. byes out of turn: those sit out who did so least often tonight; of them those who played most; of them those who did
   not sit out in the last draw;
2. partners who were partners tonight already, each pair as often as it was;
3. opponents who were opponents already, counted likewise;
4. people at one table who met tonight already, counted likewise.

What still is equal is left to chance, and so are tables and seats. The rounds to come are not looked at.
"""

import random
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import factorial

_FEW = 200_000
"""So many seatings are all looked at."""
_SWAPS = 1500
"""Swaps tried for each person."""
_PATIENCE = 40
"""How many swaps back, for each person, a round is compared with."""


@dataclass(frozen=True, slots=True)
class Played:
    """Who met at one table: players by side, as in ``((1, 3), (2, 4))`` or ``((1,), (2,))``."""

    sides: tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True)
class History:
    """Tonight so far."""

    played: tuple[Played, ...]
    """Every match, in order."""
    byes: tuple[frozenset[int] | tuple[int, ...], ...]
    """Who sat out, for every draw, in order."""


@dataclass(frozen=True, slots=True)
class Shape:
    """A kind of table: how many sit there, and the seats of each side, as in ``((0, 2), (1, 3))``."""

    seats: int
    sides: tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True)
class Measures:
    """What is to be said of a round: pairs by number, the lower first, in order."""

    partners_again: tuple[tuple[int, int], ...]
    """Partners who were partners tonight already."""
    opponents_again: tuple[tuple[int, int], ...]
    """Opponents who were opponents tonight already."""
    met_again: tuple[tuple[int, int], ...]
    """Who sits at one table with somebody he met tonight already, as partner or opponent."""
    byes_again: tuple[int, ...]
    """Who sits out and did so already."""
    byes_early: tuple[int, ...]
    """Who sits out although somebody who plays has sat out less often: in a round that was drawn, nobody."""


@dataclass(frozen=True, slots=True)
class Drawn:
    """A round: for every shape asked for, in order, the players by seat; and who sits out."""

    tables: tuple[tuple[int, ...], ...]
    byes: tuple[int, ...]
    measures: Measures


def tables_for(people: int, shapes: Sequence[tuple[Shape, int | None]]) -> list[Shape]:
    """The tables that so many people fill: of each kind as many as fit (at most its number), then the next kind."""
    tables: list[Shape] = []
    for shape, most in shapes:
        fit = people // shape.seats
        count = fit if most is None else min(fit, most)
        tables += [shape] * count
        people -= count * shape.seats
    return tables


def draw(people: Sequence[int], shapes: Sequence[Shape], history: History, rng: random.Random) -> Drawn:
    """The next round for these people at these tables. The same ``rng`` draws the same round.

    Where there are at most 200,000 ways to seat them it is the best there is, else the best that was found with an
    amount of work that grows with the number of people alone. ValueError if somebody is there twice, or too few.
    """
    byes = len(people) - sum(shape.seats for shape in shapes)
    if byes < 0:
        raise ValueError(f"{len(people)} people cannot fill tables for {len(people) - byes}")
    if len(set(people)) < len(people):
        raise ValueError("somebody is there twice")
    places = _places(byes, shapes)
    prices = _Prices.of(rng.sample(people, len(people)), places, _Tally.of(history))
    seating = _improved(places, prices, rng)
    if _ways(places) <= _FEW:
        seating = _cheapest(places, prices, seating)
    who = iter([prices.people[each] for each in seating])
    out = tuple(next(who) for _ in range(byes))
    tables = tuple(_by_seat(shape, who) for shape in shapes)
    return Drawn(tables, out, measure(tables, out, shapes, history))


def measure(
    tables: Sequence[Sequence[int]], byes: Sequence[int], shapes: Sequence[Shape], history: History
) -> Measures:
    """The same of any seating, be it drawn or by hand: players by seat for every shape, and who sits out."""
    tally, now = _Tally.of(history), _Tally()
    for players, shape in zip(tables, shapes, strict=True):
        now.add(tuple(tuple(players[seat] for seat in side) for side in shape.sides))
    least = min((tally.byes[each] for players in tables for each in players), default=0)
    return Measures(
        tuple(sorted(now.partners & tally.partners)),
        tuple(sorted(now.opponents & tally.opponents)),
        tuple(sorted((now.partners + now.opponents) & (tally.partners + tally.opponents))),
        tuple(sorted(each for each in byes if tally.byes[each])),
        tuple(sorted(each for each in byes if tables and tally.byes[each] > least)),
    )


class _Tally:
    """How often tonight: pairs (the lower number first) as partners and opponents, matches, byes."""

    def __init__(self) -> None:
        self.partners: Counter[tuple[int, int]] = Counter()
        self.opponents: Counter[tuple[int, int]] = Counter()
        self.matches: Counter[int] = Counter()
        self.byes: Counter[int] = Counter()
        self.last: frozenset[int] = frozenset()
        """Who sat out in the last draw."""

    @classmethod
    def of(cls, history: History) -> "_Tally":
        tally = cls()
        for each in history.played:
            tally.add(each.sides)
        for out in history.byes:
            tally.byes.update(out)
            tally.last = frozenset(out)
        return tally

    def add(self, sides: Iterable[tuple[int, ...]]) -> None:
        sides = tuple(sides)
        for side in sides:
            self.matches.update(side)
            self.partners.update(_pair(*each) for each in combinations(side, 2))
        self.opponents.update(_pair(one, other) for a, b in combinations(sides, 2) for one in a for other in b)

    def turn(self, player: int) -> tuple[int, int, bool]:
        """Whose is the lowest sits out next."""
        return self.byes[player], -self.matches[player], player in self.last


def _pair(one: int, other: int) -> tuple[int, int]:
    return min(one, other), max(one, other)


# --- places: by their number, byes first, then table after table, side after side ---------------------------------
@dataclass(frozen=True, slots=True)
class _Place:
    partners: tuple[int, ...] = ()
    opponents: tuple[int, ...] = ()
    after: int | None = None
    """A place before it with which it could change places together with all that follow, and the round be the same."""

    @property
    def bye(self) -> bool:
        return not self.partners and not self.opponents


def _places(byes: int, shapes: Sequence[Shape]) -> list[_Place]:
    places = [_Place(after=each - 1 if each else None) for each in range(byes)]
    like: dict[object, int] = {}  # the last table of each shape, the last side of each length at each table
    for table, shape in enumerate(shapes):
        begin = len(places)
        sides = []
        for side in shape.sides:
            sides.append(range(begin, begin + len(side)))
            begin += len(side)
        for number, side_places in enumerate(sides):
            others = tuple(each for other in sides if other is not side_places for each in other)
            for place in side_places:
                if place > side_places.start:
                    after: int | None = place - 1
                else:
                    after = like.get((table, len(side_places)))
                    like[table, len(side_places)] = place
                    if number == 0:
                        after = like.get(shape)
                        like[shape] = place
                places.append(_Place(tuple(each for each in side_places if each != place), others, after))
    return places


def _by_seat(shape: Shape, who: Iterable[int]) -> tuple[int, ...]:
    """The next people, who come side by side, in the order of their seats."""
    seated = dict(zip((seat for side in shape.sides for seat in side), who, strict=False))
    return tuple(seated[seat] for seat in range(shape.seats))
