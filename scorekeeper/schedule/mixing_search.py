"""Searches the cheapest round of mixing.

A small draw (at most 200,000 ways to divide the people among the tables) is optimal: it tries every way. A larger one
is searched by late acceptance from several starts.
"""

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations, islice
from typing import NamedTuple

from scorekeeper.schedule.late_acceptance import STEPS_PER_REPORT, Found, Progress, improve
from scorekeeper.schedule.mixing_divisions import cheapest, divisions
from scorekeeper.schedule.mixing_prices import Prices
from scorekeeper.schedule.seating import Seating, Shape, Sides

_FEW_DIVISIONS = 200_000
_SWAPS = 1000
"""Swaps from one start, for each person. More swaps hardly help."""
_MEMORY = 15
"""The search compares with this many swaps ago, for each person."""
_ALL_SWAPS = 150_000
"""Swaps of all starts together: few people get many starts, many people get few."""
_AGREE = 3
"""When this many starts end at the lowest cost so far, it is very likely the lowest of all, and the search ends."""


def search(
    people: Sequence[int], shapes: Sequence[Shape], prices: Prices, rng: random.Random
) -> Iterator[Progress[Seating]]:
    """Yields better and better rounds, with the work done. ``prices`` go by index in ``people``."""
    few = divisions(len(people), shapes) <= _FEW_DIVISIONS
    starts = 1 if few else max(1, _ALL_SWAPS // (_SWAPS * len(people)))
    looks = 1 + -(-_SWAPS * len(people) // STEPS_PER_REPORT)
    total = starts * looks + 1
    swaps = _swaps(shapes, len(people))
    best: Found[list[int]] | None = None
    reached: Counter[int] = Counter()
    """How many starts ended at each cost."""
    for start in range(starts):
        state = _Seating(shapes, swaps, prices, rng)
        for look, found in enumerate(islice(improve(state, _MEMORY * len(people), rng), looks)):
            if best is None or found.cost < best.cost:
                best = found
            yield Progress(_seating(people, shapes, best.best), start * looks + look, total)
        reached[found.cost] += 1
        if found.optimal or reached[min(reached)] == _AGREE:
            break
    assert best is not None
    slots = best.best if best.optimal or not few else cheapest(shapes, prices, best)
    yield Progress(_seating(people, shapes, slots), total, total)


def _seating(people: Sequence[int], shapes: Sequence[Shape], slots: Sequence[int]) -> Seating:
    """The round of people by slot: table after table, side after side, then the byes."""
    rest = iter([people[person] for person in slots])
    return Seating(tuple(shape.by_seat(islice(rest, shape.seats)) for shape in shapes), tuple(rest))


class _Swap(NamedTuple):
    """Two slots whose people may change, and for each the slots of its partners and opponents, without the other."""

    at: int
    by: int
    partners_at: tuple[int, ...]
    opponents_at: tuple[int, ...]
    partners_by: tuple[int, ...]
    opponents_by: tuple[int, ...]
    bye: bool
    """``by`` is a bye."""


def _swaps(shapes: Sequence[Shape], people: int) -> tuple[_Swap, ...]:
    """Every swap that changes who plays with whom."""
    partners, opponents = _neighbours(shapes)
    seats = len(partners)
    partners += [()] * (people - seats)
    opponents += [()] * (people - seats)
    return tuple(
        _Swap(
            at,
            by,
            partners[at],
            tuple(slot for slot in opponents[at] if slot != by),
            partners[by],
            tuple(slot for slot in opponents[by] if slot != at),
            by >= seats,
        )
        for at, by in combinations(range(people), 2)
        if at < seats and by not in partners[at]
    )


def _neighbours(shapes: Sequence[Shape]) -> tuple[list[tuple[int, ...]], list[tuple[int, ...]]]:
    """The slots of the partners, and of the opponents, by slot."""
    partners: list[tuple[int, ...]] = []
    opponents: list[tuple[int, ...]] = []
    for shape in shapes:
        first = len(partners)
        sides = [side for side, seats in enumerate(shape.sides) for _seat in seats]
        for slot, side in enumerate(sides):
            others = [other for other in range(shape.seats) if other != slot]
            partners.append(tuple(first + other for other in others if sides[other] == side))
            opponents.append(tuple(first + other for other in others if sides[other] != side))
    return partners, opponents


class _Seating:
    """People by slot; two of them swap seats at a time."""

    least = 0

    def __init__(self, shapes: Sequence[Shape], swaps: Sequence[_Swap], prices: Prices, rng: random.Random) -> None:
        people = len(prices.play)
        seats = sum(shape.seats for shape in shapes)
        self.swaps = swaps
        self.partner, self.opponent = prices.partner, prices.opponent
        self.bye = [out - play for out, play in zip(prices.sit_out, prices.play, strict=True)]
        """What a bye costs each person more than playing."""
        order = sorted(rng.sample(range(people), people), key=lambda person: -self.bye[person])
        self.slots = rng.sample(order[:seats], seats) + order[seats:]
        rest = iter(self.slots)
        tables = sum(prices.of_table(_sides(shape, tuple(islice(rest, shape.seats)))) for shape in shapes)
        self.cost = tables + sum(prices.sit_out[person] for person in rest)
        self.keep()

    def try_change(self, rng: random.Random, limit: int) -> int:
        if not self.swaps:
            return self.cost
        swap = self.swaps[int(rng.random() * len(self.swaps))]
        at, by, partners_at, opponents_at, partners_by, opponents_by, bye = swap
        slots = self.slots
        one, other = slots[at], slots[by]
        change = self.bye[one] - self.bye[other] if bye else 0
        leaves, comes = self.partner[one], self.partner[other]
        for slot in partners_at:
            neighbour = slots[slot]
            change += comes[neighbour] - leaves[neighbour]
        for slot in partners_by:
            neighbour = slots[slot]
            change += leaves[neighbour] - comes[neighbour]
        leaves, comes = self.opponent[one], self.opponent[other]
        for slot in opponents_at:
            neighbour = slots[slot]
            change += comes[neighbour] - leaves[neighbour]
        for slot in opponents_by:
            neighbour = slots[slot]
            change += leaves[neighbour] - comes[neighbour]
        if change <= 0 or self.cost + change <= limit:
            slots[at], slots[by] = other, one
            self.cost += change
        return self.cost

    def keep(self) -> None:
        self.kept = self.slots.copy()

    def best(self) -> list[int]:
        return self.kept


def _sides(shape: Shape, people: Sequence[int]) -> Sides:
    """People in the order of their slots, by side."""
    rest = iter(people)
    return tuple(tuple(islice(rest, len(side))) for side in shape.sides)
