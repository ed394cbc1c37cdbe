"""The working that a page shows gives what openskill and Elo give."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorekeeper.ratings import Contest, Ladder
from scorekeeper.ratings.contest import halves_won
from scorekeeper.ratings.working import working
from tests.ratings.contests import contests

CLOSE = {"rel": 1e-9, "abs": 1e-9}


@given(contests(), st.sampled_from([50, 100, 150]))
def test_the_working_leads_to_what_the_ladder_says(history: list[Contest], weight: int) -> None:
    ladder = Ladder()
    for each in history:
        contest = each._replace(weight=weight)
        found = working(ladder.ratings, contest)
        rows = [(side, player) for side in found.sides for player in side.players]
        for change, (side, player) in zip(ladder.rate(contest), rows, strict=True):
            assert player.player == change.player
            assert player.before == change.before.belief
            assert player.after == pytest.approx(tuple(change.after.belief), **CLOSE)
            assert side.expected == pytest.approx(change.expected, **CLOSE)
            assert sum(other.per_cent for other in side.against) == change.elo_expected
            assert player.gain == change.after.elo - change.before.elo
            assert abs(player.points - player.gain) <= 0.5
            assert (side.won, player.k) == (change.won, change.k)


@given(contests())
def test_shares_are_one_and_sides_that_share_a_place_share_a_total(history: list[Contest]) -> None:
    ladder = Ladder()
    for contest in history:
        found = working(ladder.ratings, contest)
        for number, side in enumerate(found.sides):
            assert sum(player.share for player in side.players) == pytest.approx(1)
            assert side.won == halves_won(contest.places, number)
            assert side.equal == contest.places.count(side.place)
            assert {one.total for one in found.sides if one.place == side.place} == {side.total}
        ladder.rate(contest)
