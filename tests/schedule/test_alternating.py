"""Who is first at tables that are new: against every way to turn them, and in rounds drawn anew."""

import random
from collections.abc import Sequence
from itertools import compress, count, product

import pytest

from scorekeeper.schedule.alternating import alternated
from scorekeeper.schedule.repair import repair
from scorekeeper.schedule.round_robin import propose
from scorekeeper.schedule.rounds import HEADS, Round, Schedule
from scorekeeper.schedule.task import Wishes
from scorekeeper.schedule.verify import Measures, measure

At = tuple[int, int]


def turned(rounds: Sequence[Round], which: Sequence[At]) -> tuple[Round, ...]:
    return tuple(
        Round(
            tuple(table[::-1] if (at, place) in which else table for place, table in enumerate(each.tables)), each.byes
        )
        for at, each in enumerate(rounds)
    )


def measured(rounds: Sequence[Round]) -> Measures:
    return measure(Schedule(HEADS, 7, tuple(rounds)))


@pytest.mark.parametrize("seed", range(10))
def test_no_way_to_turn_them_is_much_better(seed: int) -> None:
    """Among all that leave leads as even, or more even: one break fewer at most."""
    rng = random.Random(seed)
    orders = [rng.sample(range(7), 7) for _round in range(4)]
    rounds = [Round(tuple(zip(order[0:6:2], order[1:6:2], strict=True)), (order[6],)) for order in orders]
    new = rng.sample([(at, place) for at in range(4) for place in range(3)], 8)
    ways = [turned(rounds, [*compress(new, way)]) for way in product((0, 1), repeat=len(new))]
    found = alternated(rounds, new, rng)
    assert found in ways
    here, others = measured(found), map(measured, ways)
    assert here.breaks <= 1 + min(way.breaks for way in others if (way.lead, way.seats) <= (here.lead, here.seats))


@pytest.mark.parametrize("seed", range(3))
def test_two_who_come_late_cost_few_breaks(seed: int) -> None:
    """14 players, of whom two come for the last seven rounds: nearly all tables of these are new. Berger has twelve
    breaks with 14 players; where leads alone are evened out there are 27 here and more."""
    drawn = next(propose(HEADS, 12, rng=random.Random(seed), clock=count().__next__)).schedule
    wishes = Wishes(present={12: (4, 11), 13: (4, 11)})
    ways = {"rounds": 11, "players": 14, "rng": random.Random(seed), "clock": count().__next__, "seconds": 20}
    *_before, last = repair(drawn, 4, wishes, **ways)
    assert last.measures.breaks <= 26
    assert (last.measures.lead, last.measures.seats) == (0, 1)
