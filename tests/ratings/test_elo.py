"""Elo against the worked example that everybody knows, and its laws."""

from itertools import product

import pytest

from scorekeeper.ratings import elo

# A player with 1613 meets five others: the worked example of the article "Elo rating system" in the English Wikipedia.
# Expected are 0.51, 0.69, 0.79, 0.54 and 0.35, together 2.88; with 2½ of 5 and K = 32 the new rating is 1601.
OPPONENTS = {1609: 51, 1477: 69, 1388: 79, 1586: 54, 1720: 35}


def test_the_published_example() -> None:
    expected = [elo.expected(1613 - other) for other in OPPONENTS]
    assert expected == list(OPPONENTS.values())
    assert 1613 + elo.change(32, won=5, expectation=sum(expected), others=1) == 1601


def test_what_two_sides_expect_is_everything() -> None:
    for ahead, by in product(range(-900, 901), (1, 2, 3, 4)):
        assert elo.expected(ahead, by) + elo.expected(-ahead, by) == 100


@pytest.mark.parametrize(
    ("sides", "expected"), [([[1500], [1500]], [50, 50]), ([[1700, 1500], [1500, 1500]], [64, 36])]
)
def test_a_side_is_as_strong_as_the_mean_of_its_players(sides: list[list[int]], expected: list[int]) -> None:
    assert elo.expectations(sides) == expected


def test_more_sides_are_compared_two_by_two() -> None:
    assert elo.expectations([[1700], [1500], [1500]]) == [76 + 76, 24 + 50, 24 + 50]


def test_a_change_is_rounded_to_whole_points_and_a_half_away_from_zero() -> None:
    assert elo.change(20, won=2, expectation=50, others=1) == 10
    assert elo.change(10, won=2, expectation=95, others=1) == 1  # 0.5
    assert elo.change(10, won=0, expectation=5, others=1) == -1  # -0.5
    assert elo.change(10, won=2, expectation=96, others=1) == 0  # 0.4
    assert elo.change(20, won=3, expectation=100, others=2) == 5  # a win and a draw: half of what each could give


def test_the_first_contests_count_twice() -> None:
    assert [elo.most(contests) for contests in (0, 29, 30, 1000)] == [40, 40, 20, 20]
