"""Two players at a table: the Berger tables, as FIDE prints them (Handbook C.05, annex 1)."""

from scorekeeper.schedule.seating import Seating, Table


def single(players: int) -> tuple[Seating, ...]:
    """Everybody meets everybody once; the first player of a table leads. With an odd number each has one bye.

    Leads differ by one at most. With an even number, all but two players once lead, or follow, twice in a row; with an
    odd number nobody does.
    """
    even = players + players % 2
    return tuple(_without_absent(players, _tables(even, number)) for number in range(even - 1))


def double(players: int) -> tuple[Seating, ...]:
    """Everybody meets everybody twice, the second time with the lead reversed.

    The last two rounds of the first cycle are swapped, so that nobody leads, or follows, three times in a row.
    """
    first = single(players)
    swapped = first if players < 4 else (*first[:-2], first[-1], first[-2])
    return swapped + tuple(Seating(tuple((b, a) for a, b in tables), byes) for tables, byes in first)


def _tables(players: int, number: int) -> tuple[Table, ...]:
    """A round of an even number of players: the last one stays, the others move round."""
    circle, last = players - 1, players - 1
    at = number * players // 2 % circle
    tables: list[Table] = [(last, at) if number % 2 else (at, last)]
    tables += (((at + step) % circle, (at - step) % circle) for step in range(1, players // 2))
    return tuple(tables)


def _without_absent(players: int, tables: tuple[Table, ...]) -> Seating:
    """The opponent of a player who does not exist has a bye."""
    playing = tuple(table for table in tables if max(table) < players)
    return Seating(playing, tuple(min(table) for table in tables if max(table) >= players))
