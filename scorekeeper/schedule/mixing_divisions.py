"""Small draws: tries every way to divide the people among the tables that can still be the cheapest."""

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import chain, combinations
from math import factorial, prod

from scorekeeper.schedule.late_acceptance import Found
from scorekeeper.schedule.mixing_prices import Prices
from scorekeeper.schedule.seating import Shape, Sides

_Seated = tuple[Shape, tuple[int, ...]]
"""A table and its people, side after side."""


def divisions(people: int, shapes: Sequence[Shape]) -> int:
    """In how many ways people can be divided among the tables, whatever their seats there."""
    byes = people - sum(shape.seats for shape in shapes)
    alike = prod(map(factorial, Counter(shapes).values()))
    return factorial(people) // prod(factorial(shape.seats) for shape in shapes) // alike // factorial(byes)


def cheapest(shapes: Sequence[Shape], prices: Prices, known: Found[list[int]]) -> list[int]:
    """The people by slot in the cheapest of all rounds; those of ``known`` if no round is cheaper."""
    best, found = known.cost, known.best

    @cache
    def at_table(shape: Shape, people: tuple[int, ...]) -> tuple[int, tuple[int, ...]]:
        """What these people cost at one table, on the best sides; and their order there."""
        ways = _divided(people, [len(side) for side in shape.sides])
        return min((prices.of_table(sides), tuple(chain.from_iterable(sides))) for sides in ways)

    def fill(free: tuple[int, ...], left: Counter[Shape], tables: list[_Seated], cost: int) -> None:
        """Gives the first free person every slot, then goes on with the others."""
        nonlocal best, found
        if not left.total():
            total = cost + sum(prices.sit_out[person] for person in free)
            if total < best:
                best, found = total, [*_in_order(shapes, tables), *byes, *free]
            return
        person, *others = free
        if len(free) > sum(shape.seats * times for shape, times in left.items()):
            dearer = cost + prices.sit_out[person]
            if dearer < best:
                byes.append(person)
                fill(tuple(others), left, tables, dearer)
                byes.pop()
        for shape in [shape for shape, times in left.items() if times]:
            left[shape] -= 1
            for companions in combinations(others, shape.seats - 1):
                price, order = at_table(shape, (person, *companions))
                if cost + price < best:
                    rest = tuple(other for other in others if other not in companions)
                    fill(rest, left, [*tables, (shape, order)], cost + price)
            left[shape] += 1

    byes: list[int] = []
    fill(tuple(range(len(prices.play))), Counter(shapes), [], 0)
    return found


def _divided(people: Sequence[int], sizes: Sequence[int]) -> Iterator[Sides]:
    """Every way to divide people into sides; sides of one size may be exchanged, so they come in one order only."""
    if not sizes:
        yield ()
        return
    for side in combinations(people, sizes[0]):
        for others in _divided([person for person in people if person not in side], sizes[1:]):
            if not others or len(side) != len(others[0]) or side < others[0]:
                yield (side, *others)


def _in_order(shapes: Sequence[Shape], tables: Sequence[_Seated]) -> Iterator[int]:
    """The people of all tables, tables in the order of ``shapes``."""
    by_shape = {shape: iter([people for kind, people in tables if kind == shape]) for shape in {*shapes}}
    return chain.from_iterable(next(by_shape[shape]) for shape in shapes)
