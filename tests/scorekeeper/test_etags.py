"""A public page is drawn again only if it has changed."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from scorekeeper.models import Club, Match
from scorekeeper.services import clubs, directing, matches
from tests.conftest import NOW, Cast, enter, plan_for
from tests.nights import at, night_of, played
from tests.tournaments import released, scheduled, setup_of

QUERIES = 3


@pytest.fixture
def match(cast: Cast) -> Match:
    night_of(cast, 8, hands=2)
    return Match.objects.order_by("pk")[0]


def public(match: Match) -> dict[str, str]:
    return {
        "home": "/",
        "club": "/clubs/rovers/",
        "night": f"/nights/{match.event_id}/",
        "screen": f"/nights/{match.event_id}/screen/",
        "match": f"/matches/{match.pk}/",
        "table": f"/tables/{match.table_id}/",
        "table, watched": f"/tables/{match.table_id}/watch/",
    }


def visit(visitor: Client, path: str, tag: str = "", language: str = "en") -> Any:
    return visitor.get(path, headers={"If-None-Match": tag, "Accept-Language": language})


def tag_of(visitor: Client, path: str) -> str:
    """The ETag of a page for a returning visitor."""
    visitor.get(path)
    return str(visitor.get(path).headers["ETag"])


@pytest.mark.parametrize("page", ["home", "club", "night", "match", "table", "table, watched"])
def test_an_unchanged_page_is_not_drawn_again(
    match: Match, page: str, django_assert_max_num_queries: Callable[..., Any]
) -> None:
    visitor, path = Client(), public(match)[page]
    tag = tag_of(visitor, path)
    with django_assert_max_num_queries(QUERIES):
        answer = visit(visitor, path, tag)
    assert (answer.status_code, answer.content) == (304, b"")
    assert visit(visitor, path, tag, "es").status_code == 200
    assert visit(Client(), path, tag).status_code == 200


@pytest.mark.parametrize("page", ["home", "club", "night", "screen", "match", "table", "table, watched"])
def test_a_changed_page_is(match: Match, page: str) -> None:
    visitor, path = Client(), public(match)[page]
    tag = tag_of(visitor, path)
    played(match)
    answer = visit(visitor, path, tag)
    assert answer.status_code == 200
    assert answer.headers["ETag"] != tag


def test_a_big_screen_is_not_drawn_again(match: Match) -> None:
    """It takes the time from the server, not from the page."""
    tv, path = Client(), public(match)["screen"]
    tag = tag_of(tv, path)
    assert visit(tv, path, tag).status_code == 304
    played(match)
    assert visit(tv, path, tag).status_code == 200


def test_the_big_screen_of_a_tournament_is_not_drawn_again(cast: Cast) -> None:
    event = scheduled(cast, setup_of("block", "heads", minutes=20), 4)
    match, tv, path = released(event)[0], Client(), f"/tournaments/{event.pk}/screen/"
    tag = tag_of(tv, path)
    assert visit(tv, path, tag).status_code == 304
    directing.set_clock(event_id=event.pk, do="run", round_number=1, step=at(event, "run"))
    tag, before = tag_of(tv, path), tag
    assert tag != before
    played(match)
    assert visit(tv, path, tag).status_code == 200


def test_a_move_is_news_at_its_table_and_none_in_lists(match: Match) -> None:
    visitor = Client()
    tags = {page: (path, tag_of(visitor, path)) for page, path in public(match).items()}
    plan = plan_for(match.game, hands=2)
    enter(match, plan[:2])
    tags = {page: (path, tag_of(visitor, path)) for page, path in public(match).items()}
    match.refresh_from_db()
    enter(match, plan[2:3])
    drawn = {page for page, (path, tag) in tags.items() if visit(visitor, path, tag).status_code == 200}
    assert drawn == {"match", "table", "table, watched"}


def test_hosts_and_phones_see_pages_of_their_own(match: Match, as_user: Callable[[str], Client]) -> None:
    for path in public(match).values():
        assert "ETag" not in as_user("owner").get(path).headers


def test_a_new_club_and_a_new_name_are_news(cast: Cast, match: Match) -> None:
    visitor = Client()
    home, night = tag_of(visitor, "/"), tag_of(visitor, f"/nights/{match.event_id}/")
    Club.objects.create(slug="new", name="New", created_at=NOW)
    assert visit(visitor, "/", home).status_code == 200
    player = cast.club.players.all()[0]
    clubs.player_rename(club=cast.club, player_id=player.pk, name="Renamed", now=NOW)
    assert visit(visitor, f"/nights/{match.event_id}/", night).status_code == 200


def test_a_clock_that_has_run_out_is_news(match: Match) -> None:
    matches.give_minutes(match_id=match.pk, minutes=30, now=NOW)
    Match.objects.filter(pk=match.pk).update(created_at=timezone.now())
    visitor, path = Client(), f"/matches/{match.pk}/"
    tag = tag_of(visitor, path)
    assert visit(visitor, path, tag).status_code == 304
    Match.objects.filter(pk=match.pk).update(created_at=timezone.now() - timedelta(minutes=30))
    assert visit(visitor, path, tag).status_code == 200


def test_what_does_not_exist_has_no_tag(cast: Cast) -> None:
    for path in ("/clubs/nobody/", "/nights/99/", "/matches/99/", "/tables/99/"):
        answer = Client().get(path)
        assert answer.status_code == 404
        assert "ETag" not in answer.headers
