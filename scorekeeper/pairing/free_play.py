"""Free play: tables for those who are free, who need not all play.

``docs/pairing.md`` rates a round with as few byes as possible. Here somebody rather goes on waiting than meets again.
"""

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import combinations

import numpy as np

from scorekeeper.pairing.field import Field
from scorekeeper.pairing.groups import EXACT
from scorekeeper.pairing.matching import Edges, heaviest
from scorekeeper.pairing.pairing import drawn_from
from scorekeeper.pairing.rounds import NextRound, NextTable
from scorekeeper.schedule.seating import FORMATS
from scorekeeper.standings.tournament import Kind, Play


def drawn(
    field: Field, *, only_new: bool, chance: random.Random, clock: Callable[[], float], seconds: float
) -> NextRound:
    """The best tables for those who are free, found in at most these `seconds` of the `clock`. `only_new`: as many as
    there can be at which nobody meets again, and nobody has a partner again; with more than EXACT players at larger
    tables, as many as the search has found."""
    if only_new:
        field = _with_byes(field, set(field.free) - set(_playing(field)))
    began, best = clock(), None
    for report in drawn_from(field, chance):
        assert isinstance(report.best, NextRound), "a field has no bracket"
        best = report.best
        if report.done == report.total or clock() - began >= seconds:
            break
    assert best, "there is always a round"
    tables = [table for table in best.tables if not (only_new and _repeats(table))]
    there = {each for table in tables for side in table.sides for each in side}
    return best._replace(tables=tables, byes=[each for each in field.players if each not in there])


def _repeats(table: NextTable) -> bool:
    return bool(table.why.get("again") or table.why.get("partners"))


def _with_byes(field: Field, waiting: set[int]) -> Field:
    following = replace(field.stage.next, unplayed={**field.stage.next.unplayed, **dict.fromkeys(waiting, Kind.BYE)})
    return replace(field, stage=replace(field.stage, next=following))


def _playing(field: Field) -> list[int]:
    """Those who play where nobody meets again: as many as can, then those who have a bye last."""
    free = sorted(field.free, key=lambda each: field.players[each].queue)
    if field.play is Play.HEADS:
        return _in_twos(field, free)
    return _in_groups(field, free) if len(free) <= EXACT else free


def _in_twos(field: Field, free: Sequence[int]) -> list[int]:
    two = [
        (one, other)
        for one, other in combinations(range(len(free)), 2)
        if not field.met.get(_key(free[one], free[other]), 0)
    ]
    edges = Edges(np.array([one for one, _other in two], int), np.array([other for _one, other in two], int))
    # The greatest place in the queue decides, then the next: as their powers of two do.
    found = heaviest(edges, [(1 << one) + (1 << other) for one, other in two])
    return [free[each] for pair in found for each in pair]


def _in_groups(field: Field, free: Sequence[int]) -> list[int]:
    """Of all who can play at the same time, the best."""
    tables: list[list[int]] = [[] for _each in free]
    for group in _new_groups(field, free):
        tables[group[0]].append(sum(1 << each for each in group))
    possible = [True] + [False] * ((1 << len(free)) - 1)
    for players in range(1, len(possible)):
        first = (players & -players).bit_length() - 1
        possible[players] = any(table & players == table and possible[players ^ table] for table in tables[first])
    best = max((players for players, can in enumerate(possible) if can), key=lambda each: (each.bit_count(), each))
    return [each for at, each in enumerate(free) if best >> at & 1]


def _new_groups(field: Field, free: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """Who can sit together, by index, without meeting again."""
    for size in FORMATS[field.play.value].sizes:
        for group in combinations(range(len(free)), size):
            if field.play is Play.PARTNERS:
                first, *others = (free[each] for each in group)
                if any(_all_new(field, first, partner, others) for partner in others):
                    yield group
            elif not any(field.met.get(_key(free[one], free[other]), 0) for one, other in combinations(group, 2)):
                yield group


def _all_new(field: Field, first: int, partner: int, others: Sequence[int]) -> bool:
    """Whether a table of partners has nothing that was before, if these two are partners."""
    against = [each for each in others if each != partner]
    together = _key(first, partner), _key(*against)
    facing = [_key(one, other) for one in (first, partner) for other in against]
    return not any(field.partners.get(two, 0) for two in together) and not any(field.met.get(two, 0) for two in facing)


def _key(one: int, other: int) -> tuple[int, int]:
    return min(one, other), max(one, other)
