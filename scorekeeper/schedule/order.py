"""In which order rounds are played: nobody wants to meet the same people twice running."""

from collections.abc import Sequence
from functools import partial
from itertools import combinations, pairwise

from scorekeeper.schedule.rounds import Round, sides
from scorekeeper.schedule.task import Task

_AHEAD = 20
"""Of so many rounds the next one is chosen."""


def in_turn(task: Task, before: Sequence[Round], rounds: Sequence[Round]) -> tuple[Round, ...]:
    """The same rounds, those to come in another order if fewer meet in two rounds running then. Where a round was
    ``before`` it stays as long as a table of it does; wishes are kept, and whole cycles that come again do so in the
    same order."""
    met = [{frozenset(pair) for table in each.tables for pair in combinations(table, 2)} for each in rounds]

    def again(one: int, other: int) -> int:
        return len(met[one] & met[other])

    whole = len(rounds) if task.done else begin_again(rounds)
    order = [*range(whole)]
    for at, number in enumerate(free := [*_free(task, before, rounds[:whole])]):
        others = [each for each in free[at : at + _AHEAD] if task.present[each] == task.present[number]]
        next_best = min(others, key=lambda each: again(order[number - 1], order[each])) if number else number
        order[number], order[next_best] = order[next_best], order[number]
    best = min([*range(whole)], order, key=lambda each: sum(again(*pair) for pair in pairwise(each)))
    return tuple(rounds[best[number % whole]] for number in range(len(rounds)))


def begin_again(rounds: Sequence[Round]) -> int:
    """After how many rounds they come again from the first, cycle after whole cycle; all of them where they do not."""
    again = (number for number in range(1, len(rounds)) if len(rounds) % number == 0 and rounds[number] == rounds[0])
    return next((whole for whole in again if rounds[whole:] == rounds[:-whole]), len(rounds))


def _free(task: Task, before: Sequence[Round], rounds: Sequence[Round]) -> list[int]:
    """Numbers of rounds whose place does not matter."""
    was = [{*map(partial(sides, task.format), each.tables)} for each in before]
    apart = max((until for until in task.apart.values() if until < task.rounds), default=0)
    return [
        number
        for number in range(max(apart, len(task.done)), len(rounds))
        if number >= len(was) or was[number].isdisjoint(map(partial(sides, task.format), rounds[number].tables))
    ]
