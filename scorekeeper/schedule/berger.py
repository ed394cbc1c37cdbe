"""Two at a table: the Berger tables, as FIDE prints them (Handbook C.05, annex 1)."""

from scorekeeper.schedule.rounds import Round, Table


def single(players: int) -> tuple[Round, ...]:
    """Everybody meets everybody once; who stands first leads. With an odd number each sits out once.

    Leads differ by one at most. With an even number all but two players once lead, or follow, twice in a row; with an
    odd number nobody does.
    """
    even = players + players % 2
    return tuple(_without(players, _round(even, number)) for number in range(even - 1))


def double(players: int) -> tuple[Round, ...]:
    """Twice, the second time with the lead reversed: as often first as second against everybody.

    The last two rounds of the first cycle change places, so that nobody leads, or follows, three times in a row.
    """
    first = single(players)
    turned = first if players < 4 else (*first[:-2], first[-1], first[-2])
    return turned + tuple(Round(tuple((b, a) for a, b in tables), byes) for tables, byes in first)


def _round(players: int, number: int) -> tuple[Table, ...]:
    """A round of an even number of players: the last one stays, the others go round."""
    circle, last = players - 1, players - 1
    at = number * players // 2 % circle
    tables: list[Table] = [(last, at) if number % 2 else (at, last)]
    tables += (((at + step) % circle, (at - step) % circle) for step in range(1, players // 2))
    return tuple(tables)


def _without(players: int, tables: tuple[Table, ...]) -> Round:
    """Who would meet a player that is not there sits out."""
    playing = tuple(table for table in tables if max(table) < players)
    return Round(playing, tuple(min(table) for table in tables if max(table) >= players))
