"""Redraws the rounds to come when somebody arrives late, leaves, or must not meet somebody after all."""

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import chain
from typing import NamedTuple

from scorekeeper.schedule.late_acceptance import Progress
from scorekeeper.schedule.problem import Problem, Wishes
from scorekeeper.schedule.proposals import Proposal, number_of_rounds, search
from scorekeeper.schedule.seating import Schedule, Seating, Table, sides


class ChangedRound(NamedTuple):
    """A round and its new tables. A table is not new if the same players (with partners: the same pairs) sat there."""

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
) -> Iterator[Progress[Proposal]]:
    """Yields better and better versions of the schedule with other rounds to come, the one with fewest changes first.

    The first ``released`` rounds stay exactly as they are. Late entrants get the next numbers: ``players`` includes
    them. ``wishes.present`` says when players arrive and leave. Progress as in `propose`.
    """
    players = players or schedule.players
    rounds = number_of_rounds(schedule.format, players, rounds or len(schedule.rounds), double=False)
    problem = Problem(schedule.format, players, rounds, wishes, schedule.rounds[:released], schedule.rounds)
    problem.check()
    yield from search(problem, [schedule.rounds], before=schedule.rounds, rng=rng, clock=clock, seconds=seconds)


def as_played(schedule: Schedule, played: Sequence[Seating]) -> Schedule:
    """The schedule with its first rounds as they were ``played``. Players who were due but not seated had a bye."""
    rounds = []
    for drawn, actual in zip(schedule.rounds, played, strict=False):
        due = {*drawn.byes, *chain.from_iterable(drawn.tables)}
        rounds.append(Seating(actual.tables, tuple(sorted(due - {*chain.from_iterable(actual.tables)}))))
    return replace(schedule, rounds=(*rounds, *schedule.rounds[len(rounds) :]))


def leavers(schedule: Schedule, released: int) -> dict[int, tuple[int, int]]:
    """The players who are in no round to come, with the window in which they were present: they have left."""
    present = [{*seating.byes, *chain.from_iterable(seating.tables)} for seating in schedule.rounds]
    windows = {}
    for player in range(schedule.players):
        rounds = [number for number, players in enumerate(present) if player in players]
        if rounds and rounds[-1] < released < len(present):
            windows[player] = rounds[0], rounds[-1] + 1
    return windows


def changes(before: Schedule, after: Schedule) -> list[ChangedRound]:
    """The new tables, round by round. In additional rounds all tables are new."""
    changed = []
    for number, seating in enumerate(after.rounds):
        was = before.rounds[number].tables if number < len(before.rounds) else ()
        old = {sides(before.format, table) for table in was}
        new = tuple(table for table in seating.tables if sides(before.format, table) not in old)
        if new:
            changed.append(ChangedRound(number, new))
    return changed
