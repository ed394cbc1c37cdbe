"""Rounds to come drawn anew, when somebody comes late, leaves, or must not meet somebody after all."""

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import chain
from typing import NamedTuple

from scorekeeper.schedule.round_robin import Proposal, check, proposed
from scorekeeper.schedule.rounds import Round, Schedule, Table, sides
from scorekeeper.schedule.task import Task, Wishes


class Change(NamedTuple):
    """A round that is another one: its tables that are new. Those who sat there so before, partners with partners, sit
    in the same seats as then."""

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
    players = players or schedule.players
    rounds = check(schedule.format, players, rounds or len(schedule.rounds), double=False)
    task = Task(schedule.format, players, rounds, wishes, schedule.rounds[:released], schedule.rounds)
    task.check()
    yield from proposed(task, [schedule.rounds], before=schedule.rounds, rng=rng, clock=clock, seconds=seconds)


def as_played(schedule: Schedule, played: Sequence[Round]) -> Schedule:
    """The schedule with its first rounds as they were ``played``: whoever was to be there and was at no table sat
    out."""
    found = []
    for drawn, round in zip(schedule.rounds, played, strict=False):
        there = {*drawn.byes, *chain.from_iterable(drawn.tables)}
        found.append(Round(round.tables, tuple(sorted(there - {*chain.from_iterable(round.tables)}))))
    return replace(schedule, rounds=(*found, *schedule.rounds[len(found) :]))


def gone(schedule: Schedule, released: int) -> dict[int, tuple[int, int]]:
    """Who is in none of the rounds to come, with the rounds he was there for: he left, and does not come back unless
    somebody says so."""
    there = [{*round.byes, *(player for table in round.tables for player in table)} for round in schedule.rounds]
    found = {}
    for player in range(schedule.players):
        rounds = [number for number, each in enumerate(there) if player in each]
        if rounds and rounds[-1] < released < len(there):
            found[player] = rounds[0], rounds[-1] + 1
    return found


def changes(before: Schedule, after: Schedule) -> list[Change]:
    """What is another table than before, round by round; rounds that are new have nothing but such."""
    found = []
    for number, round in enumerate(after.rounds):
        was = before.rounds[number].tables if number < len(before.rounds) else ()
        known = {sides(before.format, table) for table in was}
        new = tuple(table for table in round.tables if sides(before.format, table) not in known)
        if new:
            found.append(Change(number, new))
    return found
