"""What a player did in recorded hands: the sums, and the section of their page."""

from typing import Any

import pytest
from django.db.models import QuerySet
from django.template.loader import render_to_string
from django.urls import reverse

import games
from scorekeeper.access import Actor, matches_for
from scorekeeper.figures import added
from scorekeeper.models import Match, Player, SeatResult
from scorekeeper.pages import context
from scorekeeper.pages.player_figures import GameFigures, player_figures
from scorekeeper.selectors.figures import Sitting, figures_by_game
from scorekeeper.selectors.players import played_by
from scorekeeper.services import matches, removing
from tests.conftest import NOW, Cast, enter, names_for, plan_for

pytestmark = pytest.mark.django_db


def sittings_of(player: Player, matches: QuerySet[Match]) -> list[Sitting]:
    """As the player's page reads them."""
    return [sitting for each in played_by([player.pk], matches) for sitting in each.sittings]


GAME = next(slug for slug, game in games.GAMES.items() if game.board == "line")


@pytest.fixture
def ana(cast: Cast) -> Player:
    return Player.objects.create(club=cast.club, name="Ana")


def played(cast: Cast, game: str, seed: int = 1, **options: Any) -> Match:
    """A match that is over, in which Ana of the club sits first."""
    setting = {"table": cast.table, "game": game, "options": options, "by": Actor(), "now": NOW, "parallel": True}
    match = matches.open_match(players=names_for(game), **setting)
    return enter(match, plan_for(game, seed, **options))


def shown(player: Player, game: str) -> GameFigures:
    page = player_figures(sittings_of(player, Match.objects.all()))
    return next(each for each in page.figures if each.slug == game)


def section(player: Player) -> str:
    return render_to_string(
        "scorekeeper/_player_figures.html", context(player_figures(sittings_of(player, Match.objects.all())))
    )


def test_figures_of_many_matches_add_up(cast: Cast, ana: Player, django_assert_num_queries: Any) -> None:
    two = [played(cast, GAME, seed) for seed in (1, 2)]
    kept = [SeatResult.objects.get(match=match, player=ana).figures for match in two]
    with django_assert_num_queries(1):
        found = figures_by_game(sittings_of(ana, Match.objects.all()))
    assert found[GAME].matches == 2
    assert found[GAME].counts == added(each["counts"] for each in kept)
    assert {(each.match, each.hand, each.points) for each in found[GAME].best} == {
        (match.pk, *figures["best"]) for match, figures in zip(two, kept, strict=True)
    }
    assert found[GAME].best[0].points == max(each["best"][1] for each in kept)


def test_only_matches_that_count_and_that_the_visitor_may_see_are_in_the_figures(cast: Cast, ana: Player) -> None:
    kept, removed, given_up = (played(cast, GAME, seed) for seed in (1, 2, 3))
    removing.remove(match_id=removed.pk, why="twice", now=NOW, by=None)
    stop = {"kind": "stop", "stopped": "abandoned"}
    enter(given_up, [stop], prefix="stop", by=Actor(user=cast.users["director"]))
    assert figures_by_game(sittings_of(ana, Match.objects.all()))[GAME].matches == 1
    cast.club.public = False
    cast.club.save()
    assert kept in matches_for(Actor(user=cast.users["member"]))
    assert figures_by_game(sittings_of(ana, matches_for(Actor()))) == {}


def test_the_page_shows_each_game_with_the_most_hands_first(cast: Cast, ana: Player) -> None:
    for game in games.GAMES:
        played(cast, game)
    page = player_figures(sittings_of(ana, Match.objects.all()))
    hands = [each.hands for each in page.figures]
    assert {each.slug for each in page.figures} == games.GAMES.keys()
    assert hands == sorted(hands, reverse=True)
    html = section(ana)
    for each in page.figures:
        assert f"{each.recorded} of {each.hands} hand" in html
        for best in each.best:
            assert f'href="{reverse("match", args=[best.match])}?hand={best.hand}"' in html


def test_how_hands_ended_adds_up_to_all_hands(cast: Cast, ana: Player, game: str) -> None:
    played(cast, game)
    figures = shown(ana, game)
    ends = figures.tables[0]
    assert ends.name == "How hands ended"
    assert sum(bar.number for bar in ends.bars) == figures.hands


def test_contracts_show_what_was_called_made_and_scored(cast: Cast, ana: Player) -> None:
    game = next(slug for slug, game in games.GAMES.items() if game.board == "tricks")
    played(cast, game)
    (table,) = [each for each in shown(ana, game).tables if each.name == "Contracts called"]
    assert (table.heading, table.more, table.over) == ("Times", ("Made", "Points"), "in 4 hands")
    assert [(bar.number, bar.percent) for bar in table.bars] == [(1, 25)] * 4


def test_a_match_of_which_only_the_result_is_known_has_no_figures(cast: Cast, ana: Player) -> None:
    setting = {"table": cast.table, "game": GAME, "options": {}, "by": Actor(), "now": NOW}
    match = matches.open_match(players=names_for(GAME), **setting)
    enter(match, [{"kind": "result", "totals": [160, 20]}])
    assert player_figures(sittings_of(ana, Match.objects.all())).figures == []
    assert "No recorded hand yet." in section(ana)
