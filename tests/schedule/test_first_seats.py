"""Who is first at new tables: compared with every way, and after a repair."""

import random
from collections.abc import Sequence
from itertools import compress, count, product

import pytest

from scorekeeper.schedule.first_seats import alternated
from scorekeeper.schedule.late_acceptance import last
from scorekeeper.schedule.measures import Measures, measure
from scorekeeper.schedule.problem import Wishes
from scorekeeper.schedule.proposals import propose
from scorekeeper.schedule.repair import repair
from scorekeeper.schedule.seating import HEADS, Schedule, Seating

At = tuple[int, int]


def exchanged(rounds: Sequence[Seating], which: Sequence[At]) -> tuple[Seating, ...]:
    return tuple(
        Seating(
            tuple(table[::-1] if (at, place) in which else table for place, table in enumerate(each.tables)), each.byes
        )
        for at, each in enumerate(rounds)
    )


def measured(rounds: Sequence[Seating]) -> Measures:
    return measure(Schedule(HEADS, 7, tuple(rounds)))


@pytest.mark.parametrize("seed", range(10))
def test_no_other_way_is_much_better(seed: int) -> None:
    """Of all ways with leads at least as even, the best has one break fewer at most."""
    rng = random.Random(seed)
    orders = [rng.sample(range(7), 7) for _round in range(4)]
    rounds = [Seating(tuple(zip(order[0:6:2], order[1:6:2], strict=True)), (order[6],)) for order in orders]
    new = rng.sample([(at, place) for at in range(4) for place in range(3)], 8)
    ways = [exchanged(rounds, [*compress(new, way)]) for way in product((0, 1), repeat=len(new))]
    found = alternated(rounds, new, rng)
    assert found in ways
    here, others = measured(found), map(measured, ways)
    assert here.breaks <= 1 + min(way.breaks for way in others if (way.lead, way.seats) <= (here.lead, here.seats))


@pytest.mark.parametrize("seed", range(3))
def test_two_late_entrants_cost_few_breaks(seed: int) -> None:
    """Two of 14 players arrive for the last seven rounds, so nearly all tables are new. Berger has twelve breaks with
    14 players; here there are 27 or more if only leads are made even."""
    drawn = last(propose(HEADS, 12, rng=random.Random(seed), clock=count().__next__)).schedule
    wishes = Wishes(present={12: (4, 11), 13: (4, 11)})
    ways = {"rounds": 11, "players": 14, "rng": random.Random(seed), "clock": count().__next__, "seconds": 20}
    measures = last(repair(drawn, 4, wishes, **ways)).measures
    assert measures.breaks <= 26
    assert (measures.lead, measures.seats) == (0, 1)
