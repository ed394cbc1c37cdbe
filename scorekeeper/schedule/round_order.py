"""The order of rounds: few players meet in two rounds running."""

from collections.abc import Sequence
from functools import partial
from itertools import combinations, pairwise

from scorekeeper.schedule.problem import Problem
from scorekeeper.schedule.seating import Seating, sides

_AHEAD = 20
"""The next round is chosen out of this many."""


def reordered(problem: Problem, before: Sequence[Seating], rounds: Sequence[Seating]) -> tuple[Seating, ...]:
    """The same rounds; those to come in another order if fewer players then meet in two rounds running.

    A round that shares a table with the round ``before`` keeps its place, and wishes stay kept. Repeated cycles stay in
    the same order.
    """
    pairs = [{frozenset(pair) for table in seating.tables for pair in combinations(table, 2)} for seating in rounds]

    def repeats(one: int, other: int) -> int:
        return len(pairs[one] & pairs[other])

    cycle = len(rounds) if problem.done else rounds_until_repeat(rounds)
    order = [*range(cycle)]
    for at, number in enumerate(free := [*_free(problem, before, rounds[:cycle])]):
        if number:
            ahead = [other for other in free[at : at + _AHEAD] if problem.present[other] == problem.present[number]]
            follows = order[number - 1]
            next_best = min(ahead, key=lambda other: repeats(follows, order[other]))
            order[number], order[next_best] = order[next_best], order[number]
    best = min([*range(cycle)], order, key=lambda order: sum(repeats(*two) for two in pairwise(order)))
    return tuple(rounds[best[number % cycle]] for number in range(len(rounds)))


def rounds_until_repeat(rounds: Sequence[Seating]) -> int:
    """After how many rounds they repeat from the first, in whole cycles; the number of rounds if they do not."""
    repeats = (number for number in range(1, len(rounds)) if len(rounds) % number == 0 and rounds[number] == rounds[0])
    return next((number for number in repeats if rounds[number:] == rounds[:-number]), len(rounds))


def _free(problem: Problem, before: Sequence[Seating], rounds: Sequence[Seating]) -> list[int]:
    """The numbers of rounds that may be swapped."""
    was = [{*map(partial(sides, problem.format), seating.tables)} for seating in before]
    apart = max((until for until in problem.apart.values() if until < problem.rounds), default=0)
    return [
        number
        for number in range(max(apart, len(problem.done)), len(rounds))
        if number >= len(was) or was[number].isdisjoint(map(partial(sides, problem.format), rounds[number].tables))
    ]
