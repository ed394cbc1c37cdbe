"""One round that is turned: what it gives is as it was reckoned, and better than rounds drawn one by one."""

import random
from itertools import islice

import pytest

from scorekeeper.schedule.rounds import FOURS, MIXED, PARTNERS, TRIPLES, Format, Schedule
from scorekeeper.schedule.search import Draft, fitted, improved
from scorekeeper.schedule.task import Task
from scorekeeper.schedule.turned import turned, turning
from scorekeeper.schedule.verify import bounds, faults, measure


@pytest.mark.parametrize(
    ("format", "players", "rounds"),
    [(PARTNERS, 44, 43), (PARTNERS, 46, 46), (TRIPLES, 44, 44), (FOURS, 50, 16), (FOURS, 199, 66), (MIXED, 23, 8)],
)
def test_everybody_plays_and_sits_out_in_turn(format: Format, players: int, rounds: int) -> None:
    proposals = islice(turned(Task(format, players, rounds), rng=random.Random(1)), 5)
    first, *_more, last = (found.best for found in proposals)
    for each in (first, last):
        schedule = Schedule(format, players, each)
        assert not faults(schedule)
        here = measure(schedule)
        assert here.byes.most - here.byes.least <= 1
        assert here.out_of_turn == 0
    task = Task(format, players, rounds)
    assert Draft(task, last).excess < Draft(task, first).excess


def test_nobody_of_a_hundred_meets_twice_in_twelve_rounds() -> None:
    *_worse, found = turned(Task(PARTNERS, 100, 12), rng=random.Random(0))
    schedule = Schedule(PARTNERS, 100, found.best)
    assert (measure(schedule).meet, measure(schedule).partner) == (bounds(schedule).meet, bounds(schedule).partner)


def test_it_comes_nearer_in_as_many_steps_than_all_rounds_at_once() -> None:
    task = Task(TRIPLES, 66, 32)
    *_worse, one = islice(turned(task, rng=random.Random(1)), 10)
    *_others, all_at_once = islice(improved(fitted(task, (), random.Random(1)), task.players, random.Random(1)), 10)
    assert Draft(task, one.best).excess < Draft(task, all_at_once.best).excess


@pytest.mark.parametrize(
    ("players", "rounds", "circles"),
    [(44, 43, (43, 1, 1)), (45, 45, (45, 1, 0)), (40, 8, (8, 5, 0)), (11, 6, (9, 1, 2))],
)
def test_circles_are_as_small_as_can_be(players: int, rounds: int, circles: tuple[int, int, int]) -> None:
    assert turning(players, rounds) == circles


def test_more_rounds_than_players_cannot_be_turned() -> None:
    assert turning(8, 9) is None
    assert [*turned(Task(FOURS, 8, 9), rng=random.Random(0))] == []
