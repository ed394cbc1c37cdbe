"""Cyclic schedules: byes in turn, and better in as many steps than a search of all rounds at once."""

import random
from itertools import islice

import pytest

from scorekeeper.schedule.candidate import MEMORY, Candidate
from scorekeeper.schedule.cyclic import cyclic_rounds, rotation_for
from scorekeeper.schedule.faults import faults
from scorekeeper.schedule.late_acceptance import improve
from scorekeeper.schedule.measures import bounds, measure
from scorekeeper.schedule.problem import Problem
from scorekeeper.schedule.seating import FOURS, MIXED, PARTNERS, TRIPLES, Format, Schedule
from scorekeeper.schedule.starts import adapted


@pytest.mark.parametrize(
    ("format", "players", "rounds"),
    [(PARTNERS, 44, 43), (PARTNERS, 46, 46), (TRIPLES, 44, 44), (FOURS, 50, 16), (FOURS, 199, 66), (MIXED, 23, 8)],
)
def test_byes_go_in_turn_and_the_search_gets_better(format: Format, players: int, rounds: int) -> None:
    proposals = islice(cyclic_rounds(Problem(format, players, rounds), rng=random.Random(1)), 5)
    first, *_more, last = (found.best for found in proposals)
    for each in (first, last):
        schedule = Schedule(format, players, each)
        assert not faults(schedule)
        here = measure(schedule)
        assert here.byes.most - here.byes.least <= 1
        assert here.out_of_turn == 0
    problem = Problem(format, players, rounds)
    assert Candidate(problem, last).excess < Candidate(problem, first).excess


def test_nobody_of_a_hundred_meets_twice_in_twelve_rounds() -> None:
    *_worse, found = cyclic_rounds(Problem(PARTNERS, 100, 12), rng=random.Random(0))
    schedule = Schedule(PARTNERS, 100, found.best)
    assert (measure(schedule).meet, measure(schedule).partner) == (bounds(schedule).meet, bounds(schedule).partner)


def test_it_is_better_in_as_many_steps_than_a_search_of_all_rounds() -> None:
    problem = Problem(TRIPLES, 66, 32)
    *_worse, one = islice(cyclic_rounds(problem, rng=random.Random(1)), 10)
    *_others, all_at_once = islice(
        improve(adapted(problem, (), random.Random(1)), MEMORY * problem.players, random.Random(1)), 10
    )
    assert Candidate(problem, one.best).excess < Candidate(problem, all_at_once.best).excess


@pytest.mark.parametrize(
    ("players", "rounds", "circles"),
    [(44, 43, (43, 1, 1)), (45, 45, (45, 1, 0)), (40, 8, (8, 5, 0)), (11, 6, (9, 1, 2))],
)
def test_circles_are_as_small_as_can_be(players: int, rounds: int, circles: tuple[int, int, int]) -> None:
    assert rotation_for(players, rounds) == circles


def test_more_rounds_than_players_have_no_rotation() -> None:
    assert rotation_for(8, 9) is None
    assert [*cyclic_rounds(Problem(FOURS, 8, 9), rng=random.Random(0))] == []
