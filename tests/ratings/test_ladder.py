"""The fold of contests: openskill's published figures, ties, absence, and the laws of a rating."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorekeeper.ratings import Change, Contest, Ladder, plackett_luce
from scorekeeper.ratings.ladder import NEW
from tests.ratings.contests import contests

NOON = datetime(2026, 1, 5, 12, tzinfo=UTC)


def contest(*sides: tuple[int, ...], totals: tuple[int, ...], **more: Any) -> Contest:
    return Contest(more.pop("at", NOON), "block", sides, totals, **more)


def beliefs(changes: list[Change]) -> list[tuple[float, float]]:
    return [(each.after.belief.mu, each.after.belief.sigma) for each in changes]


def test_the_published_figures_of_openskill() -> None:
    """From the manual of openskill 6, section *The Basics*: two new players beat two others."""
    winner, loser = (26.964294621803063, 8.177962604389991), (23.035705378196937, 8.177962604389991)
    found = beliefs(Ladder().rate(contest((1, 2), (3, 4), totals=(10, 5))))
    assert found == [pytest.approx(each) for each in (winner, winner, loser, loser)]


@pytest.mark.parametrize("lower_wins", [False, True])
def test_the_better_total_wins(lower_wins: bool) -> None:
    one, other = Ladder().rate(contest((1,), (2,), totals=(10, 5), lower_wins=lower_wins))
    assert (one.after.shown > 1500 > other.after.shown) is not lower_wins
    assert (one.after.elo, other.after.elo) == ((1480, 1520) if lower_wins else (1520, 1480))


def test_partners_rise_together_and_three_players_by_their_places() -> None:
    pairs = Ladder().rate(contest((1, 2), (3, 4), totals=(7, 3)))
    assert [each.after.shown - 1500 for each in pairs] == [59, 59, -59, -59]
    three = Ladder().rate(contest((1,), (2,), (3,), totals=(7, 3, 5)))
    assert [each.won for each in three] == [4, 0, 2]
    assert [each.after.elo for each in three] == [1520, 1480, 1500]
    assert three[0].after.shown > three[2].after.shown > three[1].after.shown


def test_a_tie_between_equals_changes_nothing_but_what_is_known() -> None:
    for change in Ladder().rate(contest((1,), (2,), totals=(5, 5))):
        assert (change.after.shown, change.after.elo) == (1500, 1500)
        assert change.after.belief.sigma < change.before.belief.sigma


def test_somebody_who_is_away_becomes_less_known_up_to_somebody_new() -> None:
    ladder = Ladder()
    for day in range(40):
        ladder.rate(contest((1,), (2,), totals=(day % 2, 1), at=NOON + timedelta(days=day)))
    last = ladder.ratings[1]
    assert last.on(NOON + timedelta(days=39, hours=23)) == last
    year, century = (last.on(NOON + timedelta(days=39 + days)) for days in (365, 36500))
    assert last.uncertainty < year.uncertainty < century.uncertainty == 250
    assert last.shown == year.shown == century.shown
    assert year.belief.sigma**2 == pytest.approx(last.belief.sigma**2 + 365 * plackett_luce.GROWTH)


def test_a_rating_is_provisional_until_ten_contests() -> None:
    ladder = Ladder()
    for done in range(12):
        assert ladder.ratings.get(1, NEW).provisional is (done < 10)
        ladder.rate(contest((1,), (2,), totals=(1, 0)))


@given(contests(), st.data())
def test_going_on_from_any_point_is_the_same_as_beginning_again(history: list[Contest], data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(history)))
    whole, begun = Ladder(), Ladder()
    whole.rate_all(history)
    begun.rate_all(history[:at])
    resumed = Ladder(begun.ratings)
    resumed.rate_all(history[at:])
    assert resumed.ratings == whole.ratings


@given(contests(pairs=False))
def test_elo_between_two_settled_players_is_won_and_lost_alike(history: list[Contest]) -> None:
    ladder = Ladder()
    for each in history:
        changes = ladder.rate(each)
        if len({change.k for change in changes}) == 1 and len(changes) == 2:
            assert sum(change.after.elo - change.before.elo for change in changes) == 0


@given(contests())
def test_the_expectations_of_all_sides_are_half_of_the_comparisons(history: list[Contest]) -> None:
    ladder = Ladder()
    for each in history:
        by_player = {change.player: change for change in ladder.rate(each)}
        sides = [by_player[side[0]] for side in each.sides]
        assert sum(side.expected for side in sides) == pytest.approx(len(sides) / 2)
        assert sum(side.won for side in sides) == len(sides) * (len(sides) - 1)


@given(contests())
def test_a_weight_is_a_part_of_the_way(history: list[Contest]) -> None:
    full, half = Ladder(), Ladder()
    for each in history:
        light = half.rate(each._replace(weight=50))
        half.ratings = {**full.ratings}
        for one, part in zip(full.rate(each), light, strict=True):
            mu, sigma = one.before.belief
            assert part.after.belief.mu == pytest.approx((mu + one.after.belief.mu) / 2)
            assert part.after.belief.sigma == pytest.approx((sigma * one.after.belief.sigma) ** 0.5)
            assert abs(2 * (part.after.elo - part.before.elo) - (one.after.elo - one.before.elo)) <= 1
        half.ratings = {**full.ratings}
