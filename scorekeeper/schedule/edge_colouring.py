"""Seats without partners: everybody has every seat equally often, or once more, whatever the tables.

Tables and players are the two sides of a graph. An edge is a player at a table, its colour is the seat. Each player is
split into copies that sit at as many tables as a table has seats. Such a graph can always be coloured (König, by
alternating paths), so that every copy has every seat at most once.
"""

from collections import Counter, defaultdict
from collections.abc import Sequence
from itertools import count, cycle

from scorekeeper.schedule.seating import Table


def coloured(tables: Sequence[Table], seats: int) -> list[Table]:
    """Each table with its players in the order of their seats. An edge's number is table · seats + place."""
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
    """The copy of the player, by edge. A copy sits at no more tables than a table has seats."""
    numbers = count()
    games: Counter[int] = Counter()
    copy: defaultdict[tuple[int, int], int] = defaultdict(lambda: next(numbers))
    copies = []
    for table in tables:
        copies += [copy[player, games[player] // seats] for player in table]
        games.update(table)
    return copies


def _colour(
    edge: int,
    copies: Sequence[int],
    at_table: Sequence[list[int | None]],
    at_copy: Sequence[list[int | None]],
    seats: int,
) -> None:
    """Gives the edge a seat that is free on both sides. If there is none, first exchanges two seats along a path."""
    table, copy = at_table[edge // seats], at_copy[copies[edge]]
    free = [seat for seat in range(seats) if table[seat] is None]
    here = next((seat for seat in free if copy[seat] is None), free[0])
    there = copy.index(None)
    # The path leaves the copy. Its edges alternate: the seat free at the table, then the seat free at the copy.
    path: list[int] = []
    at = copy
    while (along := at[here]) is not None:
        path.append(along)
        if (back := at_table[along // seats][there]) is None:
            break
        path.append(back)
        at = at_copy[copies[back]]
    for step, seat in zip(path, cycle((here, there)), strict=False):
        at_table[step // seats][seat] = at_copy[copies[step]][seat] = None
    for step, seat in zip(path, cycle((there, here)), strict=False):
        at_table[step // seats][seat] = at_copy[copies[step]][seat] = step
    table[here] = copy[here] = edge
