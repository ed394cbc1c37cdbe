"""A second opinion on a draw: tries every seating, and judges each by going through the whole night. Slow and plain."""

from collections.abc import Iterator, Sequence
from itertools import combinations

from scorekeeper.schedule.meetings import History
from scorekeeper.schedule.seating import Shape

Sides = tuple[tuple[int, ...], ...]
Division = tuple[tuple[int, ...], list[Sides]]
"""The byes, and the sides at every table."""


def every_seating(people: Sequence[int], shapes: Sequence[Shape]) -> Iterator[Division]:
    seats = sum(shape.seats for shape in shapes)
    for out in combinations(sorted(people), len(people) - seats):
        for tables in _tables([each for each in sorted(people) if each not in out], list(shapes)):
            yield out, tables


def _tables(free: list[int], shapes: list[Shape]) -> Iterator[list[Sides]]:
    """Tables of one shape come in the order of their first side only, so that no seating comes twice."""
    if not shapes:
        yield []
        return
    for sides in _sides(free, [len(side) for side in shapes[0].sides]):
        seated = {each for side in sides for each in side}
        for rest in _tables([each for each in free if each not in seated], shapes[1:]):
            if not rest or shapes[0] != shapes[1] or sides < rest[0]:
                yield [sides, *rest]


def _sides(free: list[int], lengths: list[int]) -> Iterator[Sides]:
    if not lengths:
        yield ()
        return
    for side in combinations(free, lengths[0]):
        for rest in _sides([each for each in free if each not in side], lengths[1:]):
            if not rest or len(side) != len(rest[0]) or side < rest[0]:
                yield (side, *rest)


Judged = tuple[list[tuple[int, int, bool]], int, int, int]


def judged(seating: Division, history: History) -> Judged:
    """What a seating costs, each part before all later ones: byes, partners again, opponents again, met again."""
    out, tables = seating
    turns = []
    for player in out:
        byes = sum(player in each for each in history.byes)
        matches = sum(player in side for each in history.played for side in each.sides)
        turns.append((byes, -matches, bool(history.byes) and player in history.byes[-1]))
    partners = opponents = met = 0
    for sides in tables:
        for one, other in combinations([each for side in sides for each in side], 2):
            as_partners = as_opponents = 0
            for each in history.played:
                ones = [side for side in each.sides if one in side]
                others = [side for side in each.sides if other in side]
                as_partners += bool(ones and ones == others)
                as_opponents += bool(ones and others and ones != others)
            met += as_partners + as_opponents
            if any(one in side and other in side for side in sides):
                partners += as_partners
            else:
                opponents += as_opponents
    return sorted(turns), partners, opponents, met


def table_of(players: Sequence[int], shape: Shape) -> Sides:
    """The sides of a table given by seat, in ascending order."""
    return tuple(sorted(tuple(sorted(players[seat] for seat in side)) for side in shape.sides))
