"""Rounds to come drawn anew, when somebody comes late, leaves, or must not meet somebody after all."""

import random
from collections.abc import Callable, Iterator
from typing import NamedTuple

from scorekeeper.schedule.round_robin import Proposal, proposed
from scorekeeper.schedule.rounds import Round, Schedule, Table
from scorekeeper.schedule.search import at_random
from scorekeeper.schedule.task import Task, Wishes


class Change(NamedTuple):
    """A round that is another one: its tables that are new, whoever sits at them in whichever order."""

    round: int
    tables: tuple[Table, ...]


def repair(
    schedule: Schedule,
    released: int,
    wishes: Wishes,
    *,
    rounds: int | None = None,
    players: int | None = None,
    rng: random.Random,
    clock: Callable[[], float],
    seconds: float = 10.0,
) -> Iterator[Proposal]:
    """The same schedule with other rounds to come: those that are ``released`` stay to the letter, whoever else is in
    them. Late entrants have the numbers after the others (``players`` of them in all); ``wishes.present`` says who
    comes and who leaves when. Better and better ones, from the one that changes least on."""
    done = schedule.rounds[:released]
    task = Task(schedule.format, players or schedule.players, rounds or len(schedule.rounds), wishes, done)
    task.check()
    start = _as_it_was(task, schedule, rng)
    yield from proposed(task, start, rng=rng, clock=clock, seconds=seconds)


def changes(before: Schedule, after: Schedule) -> list[Change]:
    """What is another table than before, round by round; rounds that are new have nothing but such."""
    found = []
    for number, round in enumerate(after.rounds):
        was = before.rounds[number].tables if number < len(before.rounds) else ()
        known = {frozenset(table) for table in was}
        new = tuple(table for table in round.tables if frozenset(table) not in known)
        if new:
            found.append(Change(number, new))
    return found


def _as_it_was(task: Task, schedule: Schedule, rng: random.Random) -> list[Round]:
    """Every table to come that can stay stays; the gaps are filled with whoever is left, who missed most first."""
    rounds = list(at_random(task, rng))
    for number in range(len(task.done), min(task.rounds, len(schedule.rounds))):
        there, sizes = {*task.present[number]}, list(task.sizes[number])
        kept: list[Table] = []
        for table in schedule.rounds[number].tables:
            if {*table} <= there and len(table) in sizes:
                sizes.remove(len(table))
                kept.append(table)
        out = [*rounds[number].byes]
        left = sorted(there - {player for table in kept for player in table}, key=lambda each: (each in out, each))
        rest = iter(left)
        filled = [tuple(next(rest) for _seat in range(size)) for size in sizes]
        by_size = {size: [table for table in (*kept, *filled) if len(table) == size] for size in {*task.sizes[number]}}
        rounds[number] = Round(tuple(by_size[size].pop(0) for size in task.sizes[number]), tuple(sorted(rest)))
    return rounds
