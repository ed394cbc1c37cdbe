"""Who sits where at a table, once it is settled who sits there: every player in every seat about as often.

Without partners this always comes out: tables and players are the two sides of a graph, sitting there is an edge, the
seat its colour. Each player is cut into copies that sit at as many tables as a table has seats; a graph like that is
coloured with so many colours (König, by alternating paths), and so everybody has every seat as often as any other, or
once more. Where tables are of two sizes it is settled first who leads, for all of them together (`leads`).

With partners the pairs come first: which pair of a table sits in seats 0 and 2 is tried and mended, so that everybody
is there half of the time; then each pair is turned so that everybody leaves as many times as he arrives (Euler). Who
leads too often all the same hands that on.
"""

import random
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, count, cycle, permutations

from scorekeeper.schedule.alternating import alternated
from scorekeeper.schedule.halving import Pair, halved
from scorekeeper.schedule.leads import in_turn, shared
from scorekeeper.schedule.order import begin_again
from scorekeeper.schedule.rounds import Format, Round, Table, sides


def seated(format: Format, rounds: Sequence[Round], rng: random.Random) -> tuple[Round, ...]:
    """The same rounds, players at each table in seats as even as can be. Where tables of one size come again after a
    whole cycle all move on by a seat: who was somewhere once less than elsewhere is not so twice."""
    tables = [table for each in rounds for table in each.tables]
    whole = len(tables)
    if len(format.sizes) == 1:
        whole = sum(len(each.tables) for each in rounds[: begin_again(rounds)])
    first = _partners(tables[:whole], rng) if format.partners else _by_size(tables[:whole])
    every: Sequence[Table] = [_moved_on(table, by) for by in range(len(tables) // whole) for table in first]
    ordered = iter(_led(every) if format.partners else every)
    return tuple(Round(tuple(next(ordered) for _table in each.tables), each.byes) for each in rounds)


def _moved_on(table: Table, by: int) -> Table:
    return table[by % len(table) :] + table[: by % len(table)]


def as_before(
    format: Format, before: Sequence[Round], rounds: Sequence[Round], done: int, rng: random.Random
) -> tuple[Round, ...]:
    """Rounds after so many that are ``done``: a table that was there ``before`` in the same round is laid as it was
    then. The seats of the others make up for all these: each in turn takes the order that is best for its players,
    until none has a better one; two at a table are first and second in turn, as nearly as may be."""
    was = [{sides(format, table): table for table in round.tables} for round in before[done:]]
    found = [
        [(was[at] if at < len(was) else {}).get(sides(format, table), table) for table in round.tables]
        for at, round in enumerate(rounds)
    ]
    new = [
        (at, place)
        for at, tables in enumerate(found)
        for place, table in enumerate(tables)
        if at >= len(was) or sides(format, table) not in was[at]
    ]
    times: Counter[tuple[int, int, int]] = Counter()
    for table in (*(table for each in before[:done] for table in each.tables), *chain.from_iterable(found)):
        times.update(_places(table))
    better = True
    while better:
        better = False
        for at, place in new:
            tables, table = found[at], found[at][place]
            times.subtract(_places(table))
            tables[place] = min((table, *_orders(format, table)), key=lambda order: _uneven(times, order))
            times.update(_places(tables[place]))
            better = better or tables[place] != table
    laid = tuple(Round(tuple(tables), each.byes) for tables, each in zip(found, rounds, strict=True))
    if format.size > 2:
        return laid
    return alternated((*before[:done], *laid), [(done + at, place) for at, place in new], rng)[done:]


def _places(table: Table) -> Iterator[tuple[int, int, int]]:
    return ((player, len(table), seat) for seat, player in enumerate(table))


def _uneven(times: Counter[tuple[int, int, int]], order: Table) -> int:
    """By how much the squares of seats grow, but for what is the same for all orders; who leads counts twice."""
    return sum(times[player, len(order), seat] * (2 if seat == 0 else 1) for seat, player in enumerate(order))


def _orders(format: Format, table: Table) -> Iterator[Table]:
    """Every order of a table that leaves partners partners."""
    for order in permutations(table):
        if not format.partners or {order[0], order[2]} in ({table[0], table[2]}, {table[1], table[3]}):
            yield order


# --- without partners --------------------------------------------------------------------------------------
def _by_size(tables: Sequence[Table]) -> Sequence[Table]:
    """Where tables are of several sizes, who leads is settled for all of them together, who sits where else for those
    of each size by themselves."""
    sizes = {len(table) for table in tables}
    if len(sizes) < 2:
        return _heads(tables) if 2 in sizes else _coloured(tables, *sizes)
    leaders = shared(tables, in_turn(tables), tables)
    found: list[Table] = list(tables)
    for size in sizes:
        those = [at for at, table in enumerate(tables) if len(table) == size]
        others = [tuple(player for player in tables[at] if player != leaders[at]) for at in those]
        for at, rest in zip(those, _coloured(others, size - 1), strict=True):
            found[at] = (leaders[at], *rest)
    return found


def _heads(tables: Sequence[Table]) -> Sequence[Table]:
    return _turned([(one, other) for one, other in tables])


def _coloured(tables: Sequence[Table], seats: int) -> list[Table]:
    """Each table with its players in the order of their colours. An edge's number is table · seats + place."""
    copies = _copies(tables, seats)
    at_table: list[list[int | None]] = [[None] * seats for _table in tables]
    at_copy: list[list[int | None]] = [[None] * seats for _copy in range(1 + max(copies))]
    for edge in range(len(copies)):
        _colour(edge, copies, at_table, at_copy, seats)
    return [
        tuple(table[edge % seats] for edge in edges if edge is not None)
        for table, edges in zip(tables, at_table, strict=True)
    ]


def _copies(tables: Sequence[Table], seats: int) -> list[int]:
    """By edge: instead of the player one of several copies of him, each at as many tables as there are seats."""
    numbers = count()
    games: Counter[int] = Counter()
    copy: defaultdict[tuple[int, int], int] = defaultdict(lambda: next(numbers))
    found = []
    for table in tables:
        found += [copy[player, games[player] // seats] for player in table]
        games.update(table)
    return found


def _colour(
    edge: int,
    copies: Sequence[int],
    at_table: Sequence[list[int | None]],
    at_copy: Sequence[list[int | None]],
    seats: int,
) -> None:
    """Gives the edge a seat that is free on both sides, after two seats have changed along a path if none is."""
    table, copy = at_table[edge // seats], at_copy[copies[edge]]
    free = [seat for seat in range(seats) if table[seat] is None]
    here = next((seat for seat in free if copy[seat] is None), free[0])
    there = copy.index(None)
    # From the copy on, edges of the seat that is free at the table and of the one that is free at the copy take turns.
    path: list[int] = []
    at = copy
    while (along := at[here]) is not None:
        path.append(along)
        if (back := at_table[along // seats][there]) is None:
            break
        path.append(back)
        at = at_copy[copies[back]]
    for each, seat in zip(path, cycle((here, there)), strict=False):
        at_table[each // seats][seat] = at_copy[copies[each]][seat] = None
    for each, seat in zip(path, cycle((there, here)), strict=False):
        at_table[each // seats][seat] = at_copy[copies[each]][seat] = each
    table[here] = copy[here] = edge


# --- with partners -----------------------------------------------------------------------------------------
def _partners(tables: Sequence[Table], rng: random.Random) -> Sequence[Table]:
    """Tables of four; seats 0 and 2 are partners before and after."""
    pairs = halved([((a, c), (b, d)) for a, b, c, d in tables], rng)
    first, second = (_turned([each[axis] for each in pairs]) for axis in (0, 1))
    return [(a, b, c, d) for (a, c), (b, d) in zip(first, second, strict=True)]


def _led(tables: Sequence[Table]) -> Sequence[Table]:
    """The same, everybody leading his share: partners change seats where that will do; where it does not, the other
    pair comes to the first seats."""
    for may_lead in (lambda table: table[0::2], lambda table: table):
        leaders = shared(tables, [table[0] for table in tables], [*map(may_lead, tables)])
        tables = [_with_lead(table, leader) for table, leader in zip(tables, leaders, strict=True)]
    return tables


def _with_lead(table: Table, leader: int) -> Table:
    a, b, c, d = table
    return {a: (a, b, c, d), b: (b, c, d, a), c: (c, b, a, d), d: (d, a, b, c)}[leader]


def _turned(pairs: Sequence[Pair]) -> list[Pair]:
    """Each pair in the order that makes everybody first as often as second, or once more: along trails that use every
    pair once, those with an odd number joined by pairs that are not there."""
    loose = sorted(player for player, times in Counter(each for pair in pairs for each in pair).items() if times % 2)
    edges = [*pairs, *zip(loose[0::2], loose[1::2], strict=True)]
    around: defaultdict[int, list[int]] = defaultdict(list)
    for number, (one, other) in enumerate(edges):
        around[one].append(number)
        around[other].append(number)
    ordered: dict[int, Pair] = {}
    for start in list(around):
        at = start
        while (along := _unused(around[at], ordered)) is not None:
            one, other = edges[along]
            ordered[along] = (at, other if at == one else one)
            at = ordered[along][1]
    return [ordered[number] for number in range(len(pairs))]


def _unused(edges: list[int], ordered: Iterable[int]) -> int | None:
    while edges:
        if edges[-1] not in ordered:
            return edges[-1]
        edges.pop()
    return None
