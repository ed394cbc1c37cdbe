"""The seasons of a club: which events count and for what, and the pages of a season."""

import csv
from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from fractions import Fraction
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from games import GAMES
from scorekeeper.models import AuditEntry, Event, Match, Player, Season
from scorekeeper.selectors.seasons import SeasonNow, season_now, season_read, titles_of
from scorekeeper.services import events, people, seasons
from scorekeeper.services.errors import Refused
from tests.browsing import Browser
from tests.conftest import NOW, Cast, enter, totals_for
from tests.nights import at, first
from tests.scorekeeper.test_ratings_kept import FAMILY, OTHER, PARTNERS, TWO, played, work_off
from tests.tournaments import played_out, scheduled, setup_of

THREE = next(slug for slug, game in GAMES.items() if 3 in game.seats and len(game.sides(3)) == 3)
DAY = timedelta(days=1)
SPRING = {
    "name": "Spring 2026",
    "starts_on": date(2026, 3, 1),
    "ends_on": date(2026, 5, 31),
    "of": "nights",
    "by": "place",
    "group": TWO,
    "points": [10, 7, 5, 3, 1],
    "best": None,
}
Played = tuple[str, tuple[str, ...], list[int]]


def made(cast: Cast, **other: Any) -> Season:
    return seasons.make(club=cast.club, new=SPRING | other, by=None, now=NOW)


def night(cast: Cast, start: datetime, *results: Played, close: bool = True) -> Event:
    """A night with the results of these matches: the game, who played, the totals."""
    found = events.start(club=cast.club, players=[], guests=["Zoe"], step=first(f"start {start}", start))
    for game, names, totals in results:
        played(cast, game, names, totals, start)
    if close:
        events.close(event_id=found.pk, open_matches="abandon", step=at(found, f"close {start}", start))
    return found


def beat(winner: str, *losers: str, game: str = TWO) -> list[Played]:
    """The winner beats each of the others in a match of two."""
    return [(game, (winner, loser), [90, 10]) for loser in losers]


def totals(found: SeasonNow) -> dict[str, Fraction]:
    return {found.people[row.person].name: row.total for row in found.rows}


@pytest.fixture
def two_nights(cast: Cast) -> None:
    """Ana won the first one before Bo, Bo the second one."""
    night(cast, NOW - 60 * DAY, *beat("Ana", "Bo", "Cleo"), *beat("Bo", "Cleo"))
    night(cast, NOW - 30 * DAY, *beat("Bo", "Ana", "Cleo"), *beat("Ana", "Cleo"))


# --- what counts ---------------------------------------------------------------------------------------------
@pytest.mark.usefixtures("two_nights")
def test_the_places_of_a_night_are_those_of_its_table(cast: Cast) -> None:
    assert totals(season_read(made(cast))) == {"Ana": 17, "Bo": 17, "Cleo": 10}
    assert totals(season_read(made(cast, name="Beaten", points=[]))) == {"Ana": 3, "Bo": 3, "Cleo": 0}
    assert totals(season_read(made(cast, name="Best", best=1))) == {"Ana": 10, "Bo": 10, "Cleo": 5}


def test_a_night_counts_on_the_day_on_which_it_began_in_the_club(cast: Cast) -> None:
    cast.club.time_zone = "America/New_York"
    cast.club.save()
    night(cast, datetime(2026, 3, 1, 4, 30, tzinfo=UTC), *beat("Ana", "Bo"))  # the evening before
    night(cast, datetime(2026, 6, 1, 3, 30, tzinfo=UTC), *beat("Cleo", "Dan"))  # still the last day
    assert totals(season_read(made(cast))) == {"Cleo": 10, "Dan": 7}


def test_only_nights_with_a_match_of_the_games_count(cast: Cast) -> None:
    night(cast, NOW - 9 * DAY, *beat("Ana", "Bo", game=OTHER))
    night(cast, NOW - 8 * DAY)
    assert season_read(made(cast)).events == []
    assert len(season_read(made(cast, name="All", group="")).events) == 1


def test_over_several_games_matches_won_decide_then_comparisons(cast: Cast) -> None:
    night(
        cast,
        NOW,
        (TWO, ("Ana", "Bo"), [90, 10]),
        (THREE, ("Cleo", "Dan", "Bo"), totals_for(THREE, 3)),
        (TWO, ("Cleo", "Eve"), [10, 90]),
    )
    # Ana won 1 of 1 comparison, Eve too, Cleo 2 of 3, Dan 1 of 2, Bo none of 3.
    assert totals(season_read(made(cast, group=""))) == {
        "Ana": Fraction(17, 2),
        "Eve": Fraction(17, 2),
        "Cleo": 5,
        "Dan": 3,
        "Bo": 1,
    }


def test_matches_won_are_counted_and_a_shared_win_is_half(cast: Cast) -> None:
    night(cast, NOW, *beat("Ana", "Bo"), (TWO, ("Ana", "Bo"), [50, 50]), *beat("Ana", "Bo", game=OTHER))
    assert totals(season_read(made(cast, by="wins"))) == {"Ana": Fraction(3, 2), "Bo": Fraction(1, 2)}
    assert FAMILY
    assert totals(season_read(made(cast, name="Family", by="wins", group=FAMILY)))["Ana"] == Fraction(5, 2)


def test_rating_points_won_at_the_events_count(cast: Cast) -> None:
    played(cast, TWO, ("Ana", "Bo"), [90, 10], NOW - DAY)  # at no event
    night(cast, NOW, *beat("Ana", "Bo", "Cleo"))
    work_off()
    lines = (
        Match.objects.filter(event__isnull=False).order_by("pk").values_list("ratings__player__name", "ratings__values")
    )
    moves: dict[str, int] = {}
    for name, values in lines:
        mu, before = values[TWO][0], values[TWO][4]
        moves[name] = moves.get(name, 0) + 1500 + round(30 * (mu - 25)) - before
    assert moves["Ana"] > 0 > moves["Cleo"]
    assert totals(season_read(made(cast, by="gain"))) == moves
    assert totals(season_read(made(cast, name="All", by="gain", group=""))) == moves


def test_who_is_merged_counts_as_one_and_who_is_hidden_is_not_shown(cast: Cast) -> None:
    night(cast, NOW - DAY, *beat("Ana", "Bo", "Cleo"), *beat("Ana", "Bo"))
    night(cast, NOW, *beat("Dan", "Bo"))
    season = made(cast)
    assert totals(season_read(season)) == {"Ana": 10, "Cleo": 7, "Bo": 12, "Dan": 10}
    cleo, dan = (cast.club.players.get(name=name) for name in ("Cleo", "Dan"))
    people.merge(club=cast.club, player_id=dan.pk, into_id=cleo.pk, by=None, now=NOW)
    Player.objects.filter(name="Ana").update(hidden=True)
    found = season_read(season)
    assert totals(found) == {"Cleo": 17, "Bo": 12}
    assert [row.place for row in found.rows] == [1, 2]


def test_a_tournament_counts_by_its_places_when_it_is_closed(cast: Cast) -> None:
    cup = scheduled(cast, setup_of(TWO, "heads"), 4)
    played_out(cup)
    season = made(cast, of="both")
    assert season_read(season).events == []
    events.close(event_id=cup.pk, open_matches="abandon", step=at(cup, "close"))
    found = season_read(season)
    assert sorted(totals(found).values(), reverse=True) == [10, 7, 5, 3]
    assert [row.won for row in found.rows] == [1, 0, 0, 0]
    assert season_read(made(cast, name="Nights")).events == []
    assert season_read(made(cast, name="Other game", of="tournaments", group=OTHER)).events == []
    Event.objects.filter(pk=cup.pk).update(public=False)
    assert season_read(season).events == []


def test_partners_both_get_what_their_pair_got(cast: Cast) -> None:
    cup = scheduled(cast, setup_of(PARTNERS, "heads", size=2), 3, 2)
    played_out(cup)
    events.close(event_id=cup.pk, open_matches="abandon", step=at(cup, "close"))
    worth = season_read(made(cast, of="tournaments", group="", points=[4, 2, 1]))
    assert sorted(totals(worth).values()) == [1, 1, 2, 2, 4, 4]


def test_a_correction_changes_the_table(cast: Cast) -> None:
    night(cast, NOW, *beat("Ana", "Bo"), close=False)
    season = made(cast)
    assert totals(season_read(season)) == {"Ana": 10, "Bo": 7}
    enter(Match.objects.get(), [{"kind": "undo"}], prefix="u")
    assert totals(season_read(season)) == {}


@pytest.mark.usefixtures("two_nights")
def test_a_season_that_is_over_has_a_title(cast: Cast) -> None:
    night(cast, NOW, *beat("Bo", "Ana"))
    season = made(cast)
    ana, bo = (cast.club.players.get(name=name) for name in ("Ana", "Bo"))
    assert titles_of([ana, bo], date(2026, 5, 31)) == {}
    assert titles_of([ana, bo], date(2026, 6, 1)) == {bo.pk: [season]}


@pytest.mark.usefixtures("two_nights")
def test_titles_need_two_queries_where_the_tables_are_known(
    cast: Cast, django_assert_num_queries: Callable[..., DjangoAssertNumQueries]
) -> None:
    made(cast)
    players = list(cast.club.players.all())
    first_time = titles_of(players, date(2026, 6, 1))
    with django_assert_num_queries(2):
        assert titles_of(players, date(2026, 6, 1)) == first_time


@pytest.mark.parametrize("by", Season.By.values)
@pytest.mark.parametrize("group", [TWO, ""])
@pytest.mark.parametrize("people", [2, 12])
def test_the_number_of_queries_does_not_grow(
    cast: Cast, people: int, group: str, by: str, django_assert_max_num_queries: Callable[..., DjangoAssertNumQueries]
) -> None:
    names = [f"Guest {number}" for number in range(people)]
    for ago in range(1, people):
        night(cast, NOW - ago * DAY, *beat(names[0], names[ago]))
    work_off()
    season = made(cast, by=by, group=group)
    with django_assert_max_num_queries(4):
        assert len(season_read(season).rows) == people


# --- making and changing -------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("wrong", "code"),
    [
        ({"name": "  SPRING 2026"}, "name-taken"),
        ({"ends_on": date(2026, 2, 28)}, "ends-before-start"),
        ({"ends_on": date(2029, 3, 1)}, "too-long"),
        ({"points": [5, 7]}, "bad-points"),
        ({"points": [1001]}, "bad-points"),
    ],
)
def test_what_cannot_be_is_refused(cast: Cast, wrong: dict[str, Any], code: str) -> None:
    made(cast)
    with pytest.raises(Refused) as refused:
        made(cast, **{"name": "Another", **wrong})
    assert refused.value.code == code


def test_a_season_has_at_most_three_years_and_may_overlap_another(cast: Cast) -> None:
    made(cast)
    made(cast, name="Long", ends_on=date(2029, 2, 28))
    assert Season.objects.count() == 2


def test_changes_are_noted_once(cast: Cast) -> None:
    season = made(cast)
    seasons.change(season=season, new=SPRING, by=None, now=NOW)
    seasons.change(season=season, new=SPRING | {"best": 3}, by=None, now=NOW)
    season.refresh_from_db()
    assert season.best == 3
    seasons.remove(season=season, by=None, now=NOW)
    noted = AuditEntry.objects.order_by("pk").values_list("kind", "what")
    assert [*noted] == [(f"season-{what}", "Spring 2026") for what in ("added", "set", "removed")]


# --- pages ---------------------------------------------------------------------------------------------------
@pytest.fixture
def director(as_user: Callable[[str], Client]) -> Browser:
    return Browser(as_user("director"))


@pytest.fixture
def visitor(cast: Cast) -> Browser:
    return Browser(Client())


def table(browser: Browser) -> list[str]:
    """The words of each row."""
    body = browser.markup.partition("<tbody>")[2].partition("</tbody>")[0]
    return [" ".join(part.split()) for part in body.split("<tr>")[1:]]


def test_a_host_makes_a_season_and_everybody_reads_it(cast: Cast, director: Browser, visitor: Browser) -> None:
    night(cast, timezone.now(), *beat("Ana", "Bo"), close=False)
    director.open("/clubs/rovers/seasons/")
    assert "No seasons yet." in director.words
    director.follow("New season").press("Make the season", name="Autumn", scale="own", points="8, 5, 3")
    assert "The first places are worth 8, 5 and 3 points." in director.words
    visitor.open("/clubs/rovers/").follow("Seasons").follow("Autumn")
    ana, bo = table(visitor)
    assert "Ana" in ana
    assert '<td class="number first">8</td>' in ana
    assert '<td class="number first">5</td>' in bo
    assert "A night is open" in visitor.words
    assert "data-again" in visitor.markup
    assert "Change the season" not in visitor.words


@pytest.mark.usefixtures("two_nights")
def test_dropped_results_are_read_as_not_counted(cast: Cast, visitor: Browser) -> None:
    visitor.open(f"/seasons/{made(cast, best=1).pk}/")
    ana, bo, cleo = table(visitor)
    dropped = '<s>{}</s><span class="hear">not counted</span>'
    assert dropped.format(7) in ana
    assert dropped.format(7) in bo
    assert dropped.format(5) in cleo
    assert "up 1 place" in bo
    assert "Only the best result of each person counts." in visitor.words


@pytest.mark.usefixtures("two_nights")
def test_a_season_that_is_over_shows_its_champions(cast: Cast, visitor: Browser) -> None:
    season = made(cast)
    assert "Champions Ana Bo" in visitor.open(f"/seasons/{season.pk}/").words
    assert "Champions: Ana and Bo" in visitor.open("/clubs/rovers/seasons/").words


def test_a_season_to_come_says_when_it_begins(cast: Cast, visitor: Browser) -> None:
    season = made(cast, starts_on=date(2100, 1, 7), ends_on=date(2100, 2, 1))
    assert "This season begins on 7 Jan 2100." in visitor.open(f"/seasons/{season.pk}/").words
    assert "To come" in visitor.open("/clubs/rovers/seasons/").words


@pytest.mark.usefixtures("two_nights")
def test_a_change_is_shown_before_it_is_saved(cast: Cast, director: Browser) -> None:
    season = made(cast)
    director.open(f"/seasons/{season.pk}/").follow("Change the season")
    director.press("What would it change?", best="1", ends_on="2026-03-31")
    assert "Nothing is saved yet." in director.words
    assert "Name Place Total Ana 1 17 → 10 Bo 1 → 2 17 → 7 Cleo 3 10 → 5 Name of the season" in director.words
    season.refresh_from_db()
    assert season.best is None
    director.press("Save")
    season.refresh_from_db()
    assert (season.best, season.ends_on) == (1, date(2026, 3, 31))
    assert director.path == f"/seasons/{season.pk}/"


@pytest.mark.usefixtures("two_nights")
def test_only_the_rows_that_change_are_shown(cast: Cast, director: Browser) -> None:
    director.open(f"/seasons/{made(cast).pk}/edit/").press("What would it change?", scale="own", points="10 7 4")
    assert "2 rows of the table stay as they are. Nothing is saved yet." in director.words
    assert "Name Place Total Cleo 3 10 → 8 Name of the season" in director.words
    director.press("What would it change?", scale="10 7 5 3 1", points="")
    assert "What would change 3 rows of the table stay as they are." in director.words


@pytest.mark.usefixtures("two_nights")
def test_who_types_other_points_chooses_them(cast: Cast, director: Browser) -> None:
    director.open("/clubs/rovers/seasons/new/")
    director.press("Make the season", name="Mine", starts_on="2026-03-01", ends_on="2026-05-31", points="8 4 2")
    season = Season.objects.get()
    assert season.points == [8, 4, 2]
    director.open(f"/seasons/{season.pk}/edit/").press("What would it change?", scale="5 4 3 2 1")
    director.press("Save")
    season.refresh_from_db()
    assert season.points == [5, 4, 3, 2, 1]  # the others were only those of before


@pytest.mark.parametrize("other", [{"scale": "beaten"}, {"by": "wins"}])
def test_other_points_are_refused_next_to_another_choice(cast: Cast, director: Browser, other: dict[str, str]) -> None:
    season = made(cast)
    director.open(f"/seasons/{season.pk}/edit/").press("What would it change?", points="8 4 2", **other)
    assert director.status == 422
    assert "You chose something else above." in director.words


@pytest.mark.usefixtures("two_nights")
def test_fractions_stay_in_one_piece(cast: Cast) -> None:
    night(cast, NOW, *beat("Ana", "Bo"), *beat("Cleo", "Dan"), *beat("Eve", "Fay"))
    season = made(cast, points=[10, 9])
    page = Client().get(f"/seasons/{season.pk}/").content.decode()
    assert "25\N{NARROW NO-BREAK SPACE}<sup>1</sup>⁄<sub>3</sub>" in page
    head, first, *_rows = csv.reader(Client().get(f"/seasons/{season.pk}/table.csv").content.decode().splitlines())
    row = dict(zip(head, first, strict=True))
    assert (row["total"], row["total exact"]) == ("25.3333", "25 1/3")


@pytest.mark.usefixtures("two_nights")
def test_points_that_nobody_can_have_are_refused_in_words(cast: Cast, director: Browser) -> None:
    season = made(cast)
    director.open(f"/seasons/{season.pk}/edit/")
    director.press("What would it change?", scale="own", points="5 x")
    assert director.status == 422
    assert "Enter whole numbers with spaces between them" in director.words
    director.press("What would it change?", scale="own", points="5 7")
    assert director.status == 422
    assert "A later place has more points" in director.words


def test_a_season_is_removed_after_a_question(cast: Cast, director: Browser) -> None:
    season = made(cast)
    director.open(f"/seasons/{season.pk}/edit/").press("Remove it")
    assert Season.objects.exists()
    director.press("Remove the season Spring 2026")
    assert not Season.objects.exists()
    assert "The season Spring 2026 is removed." in director.words


@pytest.mark.usefixtures("two_nights")
def test_the_table_as_csv(cast: Cast) -> None:
    answer = Client().get(f"/seasons/{made(cast, best=1).pk}/table.csv")
    assert answer["Content-Disposition"] == 'attachment; filename="spring-2026.csv"'
    assert answer.content.decode().splitlines() == [
        "\ufeffplace,name,total,total exact,events,won,2026-03-10,2026-04-09,not counted",
        "1,Ana,10,10,2,1,10,7,2026-04-09",
        "1,Bo,10,10,2,1,7,10,2026-03-10",
        "3,Cleo,5,5,2,0,5,5,2026-04-09",
    ]


def test_a_visitor_who_has_the_page_gets_it_again_only_after_a_change(cast: Cast) -> None:
    address = f"/seasons/{made(cast).pk}/"
    again = {"HTTP_IF_NONE_MATCH": Client().get(address).headers["ETag"]}
    assert Client().get(address, **again).status_code == 304
    night(cast, NOW, *beat("Ana", "Bo"))
    assert "Ana" in Client().get(address, **again).content.decode()


def test_the_table_is_read_once_for_everybody(
    cast: Cast, django_assert_num_queries: Callable[..., DjangoAssertNumQueries]
) -> None:
    season = made(cast)
    cast.club.newest_change = season.club.newest_change = 1
    found = season_now(season)
    with django_assert_num_queries(0):
        assert season_now(season) is found
