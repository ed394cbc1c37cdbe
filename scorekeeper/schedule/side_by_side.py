"""Several schedules that are played at the same time, each by other people."""

from collections.abc import Iterator, Sequence
from itertools import zip_longest
from typing import TypeVar

from scorekeeper.schedule.late_acceptance import Progress
from scorekeeper.schedule.seating import Seating

PARTS = 1000  # of its work, in which a search reports its progress here
Result = TypeVar("Result")


def searched(searches: Sequence[Iterator[Progress[Result]]]) -> Iterator[Progress[tuple[Result, ...]]]:
    """Several searches as one. Each begins, then one after the other goes on to its end."""
    reports = [next(each) for each in searches]

    def so_far() -> Progress[tuple[Result, ...]]:
        done = (PARTS if each.done == each.total else PARTS * each.done // each.total for each in reports)
        return Progress(tuple(each.best for each in reports), sum(done), PARTS * len(reports))

    yield so_far()
    for number, search in enumerate(searches):
        for report in search:
            reports[number] = report
            yield so_far()


def merged(schedules: Sequence[Sequence[Seating]]) -> tuple[Seating, ...]:
    """The rounds of all of them: in each, the tables of the first come first."""
    return tuple(
        Seating(
            tuple(table for each in rounds if each for table in each.tables),
            tuple(sorted(player for each in rounds if each for player in each.byes)),
        )
        for rounds in zip_longest(*schedules)
    )
