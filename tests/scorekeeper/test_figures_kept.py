"""The figures of a match are kept with its results, and follow what becomes of it."""

from typing import Any

import pytest

import games
from scorekeeper.figures import figures_of
from scorekeeper.models import Job, Match, SeatResult
from scorekeeper.selectors.matches import position
from scorekeeper.selectors.standings import out_of_date
from scorekeeper.services import jobs, upkeep
from scorekeeper.tasks import WORK
from tests.conftest import NOW, Cast, enter, plan_for
from tests.scorekeeper.test_corrections import change_of
from tests.scorekeeper.test_substitutes import EVA, after_a_hand, record

pytestmark = pytest.mark.django_db

GAME = next(slug for slug, game in games.GAMES.items() if game.board == "line")


def kept(match: Match) -> list[Any]:
    return list(match.results.order_by("number").values_list("figures", flat=True))


def test_a_match_that_ends_keeps_the_figures_of_each_seat(cast: Cast, game: str) -> None:
    match = enter(cast.open(game), plan_for(game)[:4])
    assert kept(match) == []
    enter(match, plan_for(game)[4:], prefix="later")
    state = position(match)
    assert kept(match) == [figures_of(state, seat, 0, len(state.hands)) for seat in range(len(state.players))]
    assert out_of_date(Match.objects.get(pk=match.pk)) == []


def test_a_match_without_hands_has_no_figures(cast: Cast) -> None:
    match = enter(cast.open(GAME), [{"kind": "result", "totals": [160, 20]}])
    assert kept(match) == [{}, {}]


def test_a_substitute_has_the_figures_of_their_own_hands(cast: Cast, game: str) -> None:
    match, later = after_a_hand(cast, game)
    record(match, EVA | {"from": 1})
    enter(match, later, prefix="later")
    state = position(match)
    first, *others, eva = kept(match)
    assert (first, eva) == (figures_of(state, 0, 0, 1), figures_of(state, 0, 1, 1))
    assert [each["counts"]["hands"]["played"] for each in others] == [2] * len(others)


def test_a_corrected_hand_changes_the_figures(cast: Cast, game: str) -> None:
    plan, number, hand = change_of(game)
    match = enter(cast.open(game, hands=2), plan)
    before = kept(match)
    enter(match, [{"kind": "replace", "hand": number, "with": hand}], prefix="corrected")
    state = position(match)
    assert before != kept(match) == [figures_of(state, seat, 0, 2) for seat in range(len(state.players))]


def test_the_job_of_a_new_version_fills_what_an_earlier_one_did_not_keep(cast: Cast) -> None:
    match = enter(cast.open(GAME), plan_for(GAME))
    figures = kept(match)
    SeatResult.objects.update(figures=None)
    assert out_of_date(match) == ["figures"]
    upkeep.start_due(now=NOW)
    jobs.run(Job.objects.get(kind=upkeep.REBUILD).pk, WORK)
    assert kept(match) == figures
