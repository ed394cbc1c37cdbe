"""Schedules that several tests look at."""

import random
from itertools import count
from typing import Any

from scorekeeper.schedule.late_acceptance import last
from scorekeeper.schedule.problem import NO_WISHES, Wishes
from scorekeeper.schedule.proposals import propose
from scorekeeper.schedule.repair import repair
from scorekeeper.schedule.seating import PARTNERS, Format, Schedule

LOOKS = 7  # at the clock, each after 2,000 steps

# Kirkman's schoolgirls walk out three abreast on seven days.
SCHOOLGIRLS = """
1-2-3
4-8-12
5-10-15
6-11-13
7-9-14

1-4-5
2-8-10
3-13-14
6-9-15
7-11-12

1-6-7
2-9-11
3-12-15
4-10-14
5-8-13

1-8-9
2-12-14
3-5-6
4-11-15
7-10-13

1-10-11
2-13-15
3-4-7
5-9-12
6-8-14

1-12-13
2-4-6
3-9-10
5-11-14
7-8-15

1-14-15
2-5-7
3-8-11
4-9-13
6-10-12
"""


def whist() -> Schedule:
    """Eight players: everybody partners everybody once."""
    return made(PARTNERS, 8, 7)


def made(
    format: Format, players: int, rounds: int, wishes: Wishes = NO_WISHES, seed: int = 0, looks: int = LOOKS
) -> Schedule:
    clock = count().__next__
    ways = {"rng": random.Random(seed), "clock": clock, "seconds": looks}
    return last(propose(format, players, rounds, wishes=wishes, **ways)).schedule


def repaired(
    schedule: Schedule, released: int, wishes: Wishes = NO_WISHES, *, looks: int = LOOKS, **more: Any
) -> Schedule:
    clock = count().__next__
    return last(repair(schedule, released, wishes, rng=random.Random(1), clock=clock, seconds=looks, **more)).schedule
