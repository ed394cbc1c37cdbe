"""Who goes on from groups to the finals: the first ones of each group, and the best of those who come next."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import groupby
from typing import NamedTuple

from scorekeeper.standings.calculation import StageStandings
from scorekeeper.standings.criteria import CRITERIA, Key
from scorekeeper.standings.ranking import Standing
from scorekeeper.standings.results import Results

Decided = Mapping[frozenset[int], Sequence[int]]
"""The order that lots or a match gave to entrants who were equal."""


class Quota(NamedTuple):
    """How many go on."""

    first: int
    """Of each group."""
    best: int = 0
    """Of those who come next in all groups."""
    by_places: bool = False
    """Whether the next `first` ones of each group play another final, and so on."""


class Candidate(NamedTuple):
    row: Standing
    through: bool
    """Whether the rule lets them go on."""


class Tie(NamedTuple):
    """Entrants whom no criterion separates, and of whom some go on and some do not."""

    entrants: tuple[int, ...]
    """In the order in which they go on: as it is decided, until then by start number."""
    group: int | None
    """The number of their group, from 0; None: they are those who come next in several groups."""
    decided: bool


class Advancing(NamedTuple):
    groups: list[list[Candidate]]
    """By group, in order, but for those who have left."""
    ties: list[Tie]


def advancing(
    groups: Sequence[StageStandings], quota: Quota, left: Collection[int], decided: Decided | None = None
) -> Advancing:
    """Who of the groups goes on, but for those who have `left`. Those who come next are compared by the criteria of the
    tournament, as far as they compare entrants of different groups. Who is equal goes on by what was `decided` between
    just these."""
    (first, best, by_places), settled = quota, decided or {}
    orders: list[list[Standing]] = []
    at_the_first, at_the_next = [], {}
    for number, group in enumerate(groups):
        rows = [row for row in group.rows if row.entrant not in left]
        blocks = [[*block] for _place, block in groupby(rows, lambda row: row.place)]
        lines = range(first, len(rows), first) if by_places else [first]
        order, ties = _in_order(blocks, lines, number, settled)
        at_the_first += ties
        at_the_next[number] = [tie for tie in _in_order(blocks, [first + 1], number, settled)[1] if tie not in ties]
        orders.append(order)
    through = {row.entrant for order in orders for row in order[:first]}
    nexts = [(number, order[first]) for number, order in enumerate(orders) if len(order) > first]
    keys = {row.entrant: _across_groups(groups[number].results, row) for number, row in nexts}
    by_key = sorted((row for _number, row in nexts), key=lambda row: (keys[row.entrant], row.entrant))
    blocks = [[*block] for _key, block in groupby(by_key, lambda row: keys[row.entrant])]
    order, between = _in_order(blocks, [best], None, settled)
    through |= {row.entrant for row in order[:best]}
    behind = [tie for number, row in nexts if row.entrant in through for tie in at_the_next[number]]
    # Who comes next in a group may be another one once it is decided there.
    open_here = {entrant for tie in (*at_the_first, *behind) if not tie.decided for entrant in tie.entrants}
    between = [tie for tie in between if open_here.isdisjoint(tie.entrants)]
    found = [[Candidate(row, row.entrant in through) for row in here] for here in orders]
    return Advancing(found, [*at_the_first, *behind, *between])


def _in_order(
    blocks: Iterable[list[Standing]], lines: Sequence[int], group: int | None, decided: Decided
) -> tuple[list[Standing], list[Tie]]:
    """The entrants of these blocks, each of equals, and the tie between those who are on both sides of a line."""
    found: list[Standing] = []
    ties = []
    for block in blocks:
        before, here = len(found), decided.get(frozenset(row.entrant for row in block))
        found += sorted(block, key=lambda row: here.index(row.entrant)) if here else block
        if any(before < line < len(found) for line in lines):
            ties.append(Tie(tuple(row.entrant for row in found[before:]), group, here is not None))
    return found, ties


def _across_groups(results: Results, row: Standing) -> tuple[bool, tuple[Key, ...]]:
    """How entrants of different groups are compared: less is better. In a knock-out only their tables count."""
    names = results.stage.order or ("points",)
    criteria = (CRITERIA[name].across_groups for name in names)
    return row.out, tuple(key(results, row.entrant) for key in criteria if key)
