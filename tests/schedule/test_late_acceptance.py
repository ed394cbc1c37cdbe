"""Late acceptance: it crosses hills, keeps its best, and stops when nothing can be better."""

import random
from itertools import islice

import pytest

from scorekeeper.schedule.late_acceptance import Progress, improve, last


class Walk:
    """A walk along heights; the cost is the height."""

    least = 0

    def __init__(self, heights: list[int]) -> None:
        self.heights, self.at = heights, 0
        self.cost, self.kept = heights[0], 0

    def try_change(self, rng: random.Random, limit: int) -> int:
        to = min(len(self.heights) - 1, max(0, self.at + rng.choice((-1, 1))))
        if self.heights[to] <= max(self.cost, limit):
            self.at, self.cost = to, self.heights[to]
        return self.cost

    def keep(self) -> None:
        self.kept = self.at

    def best(self) -> int:
        return self.kept


@pytest.mark.parametrize("seed", range(5))
def test_it_crosses_a_hill_as_high_as_the_start(seed: int) -> None:
    *_earlier, found = islice(improve(Walk([5, 1, 3, 5, 3, 0]), 50, random.Random(seed)), 100)
    assert (found.best, found.cost, found.optimal) == (5, 0, True)


def test_its_best_is_the_lowest_place_it_came_to() -> None:
    """Behind a wall it cannot see the 0, and never says so."""
    reports = [*islice(improve(Walk([5, 4, 2, 4, 9, 0]), 50, random.Random(0)), 10)]
    costs = [found.cost for found in reports]
    assert costs == sorted(costs, reverse=True)
    assert (reports[-1].best, costs[-1]) == (2, 2)
    assert not any(found.optimal for found in reports)


def test_an_optimal_start_is_reported_once() -> None:
    (found,) = improve(Walk([0, 1]), 10, random.Random(0))
    assert found == (0, 0, True)


def test_the_same_seed_takes_the_same_way() -> None:
    ways = [[*islice(improve(Walk([5, 4, 2, 4, 9, 0]), 3, random.Random(7)), 5)] for _way in range(2)]
    assert ways[0] == ways[1]


def test_the_last_report_has_the_result() -> None:
    assert last(Progress(best, best, 3) for best in range(4)) == 3
