"""The rounds that theory knows for a format and a number of players, and how many rounds make a cycle."""

from collections.abc import Iterator, Sequence
from math import ceil

from scorekeeper.schedule import berger, designs
from scorekeeper.schedule.problem import Problem, sizes_of
from scorekeeper.schedule.seating import Format, Seating


def cycle_length(format: Format, players: int, double: bool = False) -> int:
    """How many rounds it takes until everybody has met everybody, or as nearly as possible."""
    if format.size == 2:
        return (players - 1 + players % 2) * (1 + double)
    if format.partners:
        return players - (players % 4 == 0)
    kirkman = designs.kirkman(players) if format.size == 3 else None
    if kirkman:
        return len(kirkman)
    if format.size == 3 and players % 3:
        return players
    return ceil((players - 1) / (format.size - 1))


def heads_rounds(players: int, rounds: int, double: bool) -> tuple[Seating, ...]:
    """Berger tables, cycle after cycle, every second one with sides reversed.

    If part of the first cycle has an even number of rounds, it begins with Berger's second round: some players have the
    same side in an odd round and the next, so this keeps leads even.
    """
    once = berger.single(players)
    twice = berger.double(players) if double else (*once, *map(_reversed, once))
    times, left = divmod(rounds, len(twice))
    first = 1 if left % 2 == 0 and left < len(once) else 0
    return (*twice * times, *twice[first : first + left])


def _reversed(seating: Seating) -> Seating:
    return Seating(tuple((b, a) for a, b in seating.tables), seating.byes)


def known_rounds(problem: Problem) -> Iterator[Sequence[Seating]]:
    """Every known way to play the problem's number of rounds: part of a cycle, or the cycle again and again.

    If players must not meet early, also with the rounds in which they meet at the end.
    """
    for cycle in _known_cycles(problem.format, problem.players):
        if cycle and len(cycle[0].tables) == len(sizes_of(problem.format, problem.players)):
            yield tuple(cycle[number % len(cycle)] for number in range(problem.rounds))
            if problem.apart:
                late = sorted(cycle, key=lambda seating: _meetings_apart(problem, seating))
                yield tuple(late[number % len(late)] for number in range(problem.rounds))


def _meetings_apart(problem: Problem, seating: Seating) -> int:
    """How many pairs meet in this round who must not meet early."""
    return sum(any(one in table and other in table for table in seating.tables) for one, other in problem.apart)


def _known_cycles(format: Format, players: int) -> Iterator[tuple[Seating, ...] | None]:
    if format.size == 2:
        yield berger.single(players)
    elif format.partners:
        yield designs.whist(players)
        yield designs.near_whist(players)
        yield from _fours(players)
    elif format.sizes == (3,):
        yield designs.kirkman(players)
        more = designs.kirkman(players + 1)
        yield more and designs.without_last(more, players)
        yield designs.near_resolvable(players)
        yield designs.transversal(players, 3)
    elif format.sizes == (4,):
        yield from _fours(players)
        yield from (more and designs.without_last(more, players) for more in _fours(players + 1))
        yield designs.whist(players)
        yield designs.near_whist(players)
    else:
        yield from _fours(players)
        yield from (more and designs.with_smaller_tables(more, players) for more in _fours(players + 1))


def _fours(players: int) -> Iterator[tuple[Seating, ...] | None]:
    """Tables of four at which nobody meets twice."""
    yield designs.affine_lines(players, 4)
    yield designs.golf(players)
    yield designs.transversal(players, 4)
