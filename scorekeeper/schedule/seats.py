"""Who sits in which seat at a table: every player has every seat about equally often.

Without partners this always comes out even (`edge_colouring`). If tables have two sizes, `leads` first settles who
leads, for all tables together.

With partners, a search first settles which pair of a table sits in seats 0 and 2, so that everybody sits there half of
the time (`partner_seats`). Then each pair is put in order (`euler`). Whoever still leads too often passes leads on
(`leads`).
"""

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain, permutations

from scorekeeper.schedule.edge_colouring import coloured
from scorekeeper.schedule.euler import oriented
from scorekeeper.schedule.first_seats import alternated
from scorekeeper.schedule.leads import leads_in_turn, shared
from scorekeeper.schedule.partner_seats import balanced
from scorekeeper.schedule.round_order import rounds_until_repeat
from scorekeeper.schedule.seating import Format, Seating, Table, sides


def seated(format: Format, rounds: Sequence[Seating], rng: random.Random) -> tuple[Seating, ...]:
    """The same rounds, with seats as even as possible. When tables of one size repeat after a whole cycle, all players
    move on by one seat, so that nobody misses the same seat again."""
    tables = [table for seating in rounds for table in seating.tables]
    cycle = len(tables)
    if len(format.sizes) == 1:
        cycle = sum(len(seating.tables) for seating in rounds[: rounds_until_repeat(rounds)])
    first = _partners(tables[:cycle], rng) if format.partners else _without_partners(tables[:cycle])
    every: Sequence[Table] = [_moved_on(table, by) for by in range(len(tables) // cycle) for table in first]
    ordered = iter(_led(every) if format.partners else every)
    return tuple(Seating(tuple(next(ordered) for _table in seating.tables), seating.byes) for seating in rounds)


def _moved_on(table: Table, by: int) -> Table:
    return table[by % len(table) :] + table[: by % len(table)]


# --- in an earlier schedule --------------------------------------------------------------------------------
def seated_as_before(
    format: Format, before: Sequence[Seating], rounds: Sequence[Seating], done: int, rng: random.Random
) -> tuple[Seating, ...]:
    """The ``rounds`` after those ``done``. A table that was in the same round ``before`` keeps its seats.

    New tables make up for them: each in turn takes the order that is best for its players, until no order is better.
    Two players at a table take turns at being first, as far as possible.
    """
    was = [{sides(format, table): table for table in seating.tables} for seating in before[done:]]
    tables = [
        [(was[at] if at < len(was) else {}).get(sides(format, table), table) for table in seating.tables]
        for at, seating in enumerate(rounds)
    ]
    new = [
        (at, index)
        for at, those in enumerate(tables)
        for index, table in enumerate(those)
        if at >= len(was) or sides(format, table) not in was[at]
    ]
    _settle(format, tables, new, [table for seating in before[:done] for table in seating.tables])
    to_come = tuple(Seating(tuple(those), seating.byes) for those, seating in zip(tables, rounds, strict=True))
    if format.size > 2:
        return to_come
    return alternated((*before[:done], *to_come), [(done + at, index) for at, index in new], rng)[done:]


def _settle(
    format: Format, tables: Sequence[list[Table]], new: Sequence[tuple[int, int]], played: Sequence[Table]
) -> None:
    """Reorders the ``new`` tables, each by round and index, until no single one has a better order."""
    times: Counter[tuple[int, int, int]] = Counter()
    for table in chain(played, chain.from_iterable(tables)):
        times.update(_seats(table))
    better = True
    while better:
        better = False
        for at, index in new:
            table = tables[at][index]
            times.subtract(_seats(table))
            best = min((table, *_orders(format, table)), key=lambda order: _unevenness(times, order))
            times.update(_seats(best))
            tables[at][index] = best
            better = better or best != table


def _seats(table: Table) -> Iterator[tuple[int, int, int]]:
    """Player, table size and seat."""
    return ((player, len(table), seat) for seat, player in enumerate(table))


def _unevenness(times: Counter[tuple[int, int, int]], order: Table) -> int:
    """What this order adds to the squares of seats, apart from what all orders add. The lead counts twice."""
    return sum(times[player, len(order), seat] * (2 if seat == 0 else 1) for seat, player in enumerate(order))


def _orders(format: Format, table: Table) -> Iterator[Table]:
    """Every order of a table in which partners stay partners."""
    for order in permutations(table):
        if not format.partners or {order[0], order[2]} in ({table[0], table[2]}, {table[1], table[3]}):
            yield order


# --- without partners --------------------------------------------------------------------------------------
def _without_partners(tables: Sequence[Table]) -> Sequence[Table]:
    """With several table sizes, leads are settled for all tables together, the other seats for each size alone."""
    sizes = {len(table) for table in tables}
    if len(sizes) < 2:
        return oriented([(one, other) for one, other in tables]) if 2 in sizes else coloured(tables, *sizes)
    leaders = shared(tables, leads_in_turn(tables), tables)
    ordered: list[Table] = list(tables)
    for size in sizes:
        numbers = [at for at, table in enumerate(tables) if len(table) == size]
        others = [tuple(player for player in tables[at] if player != leaders[at]) for at in numbers]
        for at, rest in zip(numbers, coloured(others, size - 1), strict=True):
            ordered[at] = (leaders[at], *rest)
    return ordered


# --- with partners -----------------------------------------------------------------------------------------
def _partners(tables: Sequence[Table], rng: random.Random) -> Sequence[Table]:
    """Tables of four. Seats 0 and 2 are partners before and after."""
    pairs = balanced([((a, c), (b, d)) for a, b, c, d in tables], rng)
    first, second = (oriented([two[axis] for two in pairs]) for axis in (0, 1))
    return [(a, b, c, d) for (a, c), (b, d) in zip(first, second, strict=True)]


def _led(tables: Sequence[Table]) -> Sequence[Table]:
    """The same tables, with everybody leading their share. Partners change seats if that is enough; else the pairs
    change seats."""
    for may_lead in (lambda table: table[0::2], lambda table: table):
        leaders = shared(tables, [table[0] for table in tables], [*map(may_lead, tables)])
        tables = [_with_lead(table, leader) for table, leader in zip(tables, leaders, strict=True)]
    return tables


def _with_lead(table: Table, leader: int) -> Table:
    a, b, c, d = table
    return {a: (a, b, c, d), b: (b, c, d, a), c: (c, b, a, d), d: (d, a, b, c)}[leader]
