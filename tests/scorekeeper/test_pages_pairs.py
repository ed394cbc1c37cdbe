"""Partners and opponents on a player's page, and the pages of two people."""

import re
from collections.abc import Callable
from datetime import timedelta
from itertools import cycle, islice

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries

from games import GAMES
from scorekeeper.models import Club, Match, Player, RatingLine, Seat, SeatResult
from scorekeeper.selectors.ratings import rating_of
from scorekeeper.services import clubs, people
from tests.browsing import Browser
from tests.conftest import NOW, Cast, enter
from tests.nights import night_of
from tests.scorekeeper.test_etags import tag_of, visit
from tests.scorekeeper.test_ratings_kept import (
    FAMILY,
    NAMES,
    PARTNERS,
    TWO,
    at_the_other_club,
    linked,
    played,
    work_off,
)

HOUR = timedelta(hours=1)
THREE = next(slug for slug, game in GAMES.items() if game.seats == (3,))
QUERIES = 14


def player(cast: Cast, name: str) -> Player:
    return cast.club.players.get(name=name)


def address(route: str, *who: Player) -> str:
    return reverse(route, args=[each.pk for each in who])


def compared(one: Player, typed: str) -> Browser:
    """What the form answers to a typed name."""
    return Browser().open(f"{address('compare', one)}?name={typed}&go=1")


def cells(page: Browser, head: str) -> list[str]:
    """The cells of the first row whose head contains this, as on a large screen."""
    markup = re.sub('<small class="soft narrow-only">.*?</small>', "", page.markup)
    rows = (re.split("</t[hd]>", row) for row in re.findall("<tr>(.*?)</tr>", markup))
    return next([re.sub("<[^>]*>", "", cell) for cell in row[1:-1]] for row in rows if head in row[0])


def table_of(page: Browser) -> list[list[str]]:
    """The rows of the table in which both are compared."""
    body = page.markup.partition('<table class="versus">')[2].partition("</table>")[0].partition("<tbody>")[2]
    rows = re.findall("<tr[^>]*>(.*?)</tr>", body)
    return [[re.sub("<[^>]*>", " ", cell).strip() for cell in re.split("</t[hd]>", row)[:3]] for row in rows]


@pytest.fixture
def history(cast: Cast) -> None:
    """Ana beats Bo twice, Bo wins once, and they share a match; then Ana and Cleo are partners against Bo and Dan."""
    for number, totals in enumerate(([90, 10], [90, 20], [10, 90], [50, 50])):
        played(cast, TWO, ("Ana", "Bo"), totals, NOW + number * HOUR)
    played(cast, PARTNERS, NAMES, [10, 60, 10, 60], NOW + 5 * HOUR)
    work_off()


@pytest.mark.usefixtures("history")
def test_a_player_has_partners_and_opponents(cast: Cast) -> None:
    ana, bo, cleo = (player(cast, name) for name in NAMES[:3])
    page = Browser().open(address("player", ana))
    expected = sum(line.values[line.match.game][6] for line in RatingLine.objects.filter(player=ana))
    assert cells(page, address("head_to_head", ana, bo))[:2] == ["5", "3½"]
    assert abs(float(cells(page, address("head_to_head", ana, bo))[2]) - expected / 1000) < 0.2
    assert cells(page, address("partnership", ana, cleo)) == ["1", "1", "0.5", "+0.5"]
    assert "Bo 5 3½ expected 2.8 2.8 +0.7 Dan 1 1" in page.words, "on a phone below the number of wins"


@pytest.mark.usefixtures("history")
def test_two_opponents_have_their_score_their_games_and_their_matches(cast: Cast) -> None:
    ana, bo = player(cast, "Ana"), player(cast, "Bo")
    page = Browser().open(address("head_to_head", ana, bo))
    assert table_of(page)[:4] == [
        ["3", "Won", "1"],
        ["1", "Shared", "1"],
        ["2.8", "Expected", "2.2"],
        ["2", "Most wins in a row", "1"],
    ]
    assert cells(page, GAMES[TWO].name)[0] == "4"
    assert cells(page, GAMES[TWO].name)[-1] == "240 : 170 points"
    assert "Opponents: 5 Partners: 0" in page.words
    assert "Ana won the last match." in page.words
    linked = re.findall(r'href="/matches/(\d+)/"', page.markup)
    assert linked == [str(match) for match in Match.objects.order_by("-created_at").values_list("pk", flat=True)]
    assert table_of(Browser().open(address("head_to_head", bo, ana)))[0] == ["1", "Won", "3"]


@pytest.mark.usefixtures("history")
def test_partners_are_compared_with_what_each_won_with_others(cast: Cast) -> None:
    ana, cleo = player(cast, "Ana"), player(cast, "Cleo")
    played(cast, PARTNERS, ("Ana", "Cleo", "Bo", "Dan"), [60, 10, 60, 10], NOW + 6 * HOUR)
    work_off()
    page = Browser().open(address("partnership", ana, cleo))
    assert "Opponents: 1 Partners: 1" in page.words
    assert cells(page, "</bdi>&nbsp;+")[:2] == ["1", "1100&nbsp;%"]
    assert cells(page, "Ana</bdi>with others")[:2] == ["1", "00&nbsp;%"]
    assert cells(page, "Cleo</bdi>with others")[:2] == ["1", "1100&nbsp;%"]
    assert "bad points" in page.words


def test_in_a_match_of_three_the_better_place_wins(cast: Cast) -> None:
    played(cast, THREE, NAMES[:3], [20, 0, -20])
    played(cast, THREE, NAMES[:3], [20, -10, -10])
    work_off()
    page = Browser().open(address("head_to_head", player(cast, "Cleo"), player(cast, "Bo")))
    assert table_of(page)[:2] == [["0", "Won", "1"], ["1", "Shared", "1"]]
    assert "In a match of more than two sides, the better place wins." in page.words
    assert "They finished level in the last match." in page.words
    played(cast, THREE, NAMES[:3], [20, 0, -20])
    ahead = Browser().open(address("head_to_head", player(cast, "Cleo"), player(cast, "Bo")))
    assert "Bo finished ahead of Cleo in the last match." in ahead.words


def test_matches_count_for_those_who_sat_there_at_the_end(cast: Cast) -> None:
    substitute = {"kind": "substitute", "seat": 0, "player": "Cleo", "from": 0}
    match = played(cast, TWO, ("Ana", "Bo"), [90, 10])
    enter(match, [{"kind": "undo"}, substitute, {"kind": "result", "totals": [90, 10], "stopped": "time"}], prefix="s")
    work_off()
    bo, cleo = player(cast, "Bo"), player(cast, "Cleo")
    page = Browser().open(address("head_to_head", cleo, bo))
    assert table_of(page)[0] == ["1", "Won", "0"]
    assert cells(page, GAMES[TWO].name)[2:4] == ["–", "–"], "nothing is expected of a match that is not rated"
    assert "They have not met yet." in Browser().open(address("head_to_head", player(cast, "Ana"), bo)).words


def test_one_person_in_two_clubs_has_no_head_to_head(cast: Cast) -> None:
    ana, there = (club.players.get_or_create(name="Ana")[0] for club in (cast.club, cast.other_club))
    page = Browser().open(address("head_to_head", ana, there))
    assert "They have not met yet." in page.words
    Player.objects.filter(pk__in=[ana.pk, there.pk]).update(person=ana)
    assert "This is Ana again." in Browser().open(address("head_to_head", ana, there)).words


def test_people_who_have_not_met_are_told_so_with_a_way_on(cast: Cast) -> None:
    ana, zoe = cast.club.players.create(name="Ana"), cast.other_club.players.create(name="Zoe")
    for route in ("head_to_head", "partnership"):
        page = Browser().open(address(route, ana, zoe))
        assert page.status == 200
        assert "They have not met yet." in page.words
        assert "Rovers · Wanderers" in page.words
        assert page.follow("Zoe").path == address("player", zoe)


@pytest.mark.usefixtures("history")
def test_opponents_who_were_never_partners_see_the_way_to_their_matches(cast: Cast) -> None:
    page = Browser().open(address("partnership", player(cast, "Ana"), player(cast, "Bo")))
    assert "They have not been partners yet." in page.words
    assert "won" in page.follow("Opponents: 5").words
    assert "They have not met as opponents yet." in (
        Browser().open(address("head_to_head", player(cast, "Ana"), player(cast, "Cleo"))).words
    )


# --- whom to compare -----------------------------------------------------------------------------------------
@pytest.mark.usefixtures("history")
def test_a_typed_name_leads_to_the_page_of_the_two(cast: Cast) -> None:
    ana, bo, cleo = (player(cast, name) for name in NAMES[:3])
    clubs.player_rename(club=cast.club, player_id=bo.pk, name="Boris", now=NOW)
    page = Browser().open(address("player", ana))
    assert "datalist" not in page.markup
    assert [form.action for form in page.forms if "name" in form.names] == [address("compare", ana)]
    for typed in ("Boris", "boris", "bori"):
        assert compared(ana, typed).path == address("head_to_head", ana, bo)
    cast.other_club.players.all().delete()
    assert compared(ana, "Bo").path == address("head_to_head", ana, bo)
    assert compared(ana, "Cleo").path == address("partnership", ana, cleo)


def test_a_name_that_nobody_or_several_have_is_answered(cast: Cast) -> None:
    ana, bob, boris, hidden = (cast.club.players.create(name=name) for name in ("Ana", "Bob", "Boris", "Zeno"))
    cast.club.players.filter(pk=hidden.pk).update(hidden=True)
    assert "Nobody on this server is called Quirin. Type a part of a name." in compared(ana, "Quirin").words
    assert "Nobody on this server is called Zeno." in compared(ana, "Zeno").words
    page = compared(ana, "bo")
    assert address("head_to_head", ana, bob) in page.markup
    assert page.follow("Boris").path == address("head_to_head", ana, boris)
    assert "This is Ana again." in compared(ana, "ana").words
    for odd in ("%00", "a" * 81):
        assert compared(ana, odd).status == 200
    asks = "Type the name of the person to compare with."
    for empty in ("", "%20"):
        assert asks in compared(ana, empty).words
    assert asks not in Browser().open(address("compare", ana)).words


def test_people_of_all_clubs_are_found_those_with_the_same_name_as_several(cast: Cast) -> None:
    ana, own = (cast.club.players.create(name=name) for name in ("Ana", "Dee Lake"))
    zoe, namesake = (cast.other_club.players.create(name=name) for name in ("Zoe Hill", "Dee Lake"))
    assert compared(ana, "zoe").path == address("head_to_head", ana, zoe)
    page = compared(ana, "Dee Lake")
    found = re.findall(r'/against/(\d+)/"', page.markup)
    assert found == [str(own.pk), str(namesake.pk)]
    assert "Dee Lake Rovers Dee Lake Wanderers" in page.words
    assert "Zoe Hill" in Browser().open(f"{address('compare', ana)}?name=zoe").words, "a script only asks who fits"


def test_of_many_who_fit_some_are_shown(cast: Cast) -> None:
    ana = cast.club.players.create(name="Ana")
    cast.other_club.players.bulk_create(Player(club=cast.other_club, name=f"Bo Number {n}") for n in range(12))
    page = compared(ana, "bo num")
    assert page.markup.count("/against/") == 10
    assert "More people fit. Type more of the name." in page.words


def test_somebody_with_themselves_is_answered_with_a_way_on(cast: Cast) -> None:
    ana = cast.club.players.create(name="Ana")
    for route in ("head_to_head", "partnership"):
        page = Browser().open(address(route, ana, ana))
        assert page.status == 200
        assert "This is Ana again. Choose somebody else." in page.words
        assert [form.action for form in page.forms if "name" in form.names] == [address("compare", ana)]


@pytest.mark.usefixtures("history")
def test_merged_people_lead_to_who_counts(cast: Cast) -> None:
    ana, bo, dan = player(cast, "Ana"), player(cast, "Bo"), player(cast, "Dan")
    twin = cast.club.players.create(name="Anna")
    people.merge(club=cast.club, player_id=twin.pk, into_id=ana.pk, now=NOW)
    assert Browser().open(address("head_to_head", twin, bo)).path == address("head_to_head", ana, bo)
    assert Browser().open(address("partnership", dan, twin)).path == address("partnership", dan, ana)
    assert Browser().open(address("compare", twin)).path == address("compare", ana)
    assert "This is Ana again." in Browser().open(address("head_to_head", twin, ana)).words


# --- in several clubs ----------------------------------------------------------------------------------------
@pytest.mark.usefixtures("history")
def test_the_matches_of_linked_people_at_all_their_clubs_count(cast: Cast) -> None:
    linked(cast, "Ana", "Bo")
    away = played(at_the_other_club(cast), TWO, ("Ana", "Bo"), [90, 10], NOW + 9 * HOUR)
    work_off()
    ana, bo = player(cast, "Ana"), player(cast, "Bo")
    twins = [cast.other_club.players.get(name=name) for name in ("Ana", "Bo")]
    for clubs_of, one, other in (("Rovers · Wanderers", ana, bo), ("Wanderers · Rovers", *twins)):
        page = Browser().open(address("head_to_head", one, other))
        assert table_of(page)[:2] == [["4", "Won", "1"], ["1", "Shared", "1"]]
        assert f"/matches/{away.pk}/" in page.markup
        assert clubs_of in page.words
    assert "Opponents: 6" in Browser().open(address("partnership", ana, twins[1])).words
    assert "This is Ana again." in Browser().open(address("head_to_head", ana, twins[0])).words
    assert "Ana Wanderers" not in compared(bo, "Ana").words
    cast.other_club.players.filter(name="Bo").update(hidden=True)
    assert "Opponents: 5" in Browser().open(address("head_to_head", ana, bo)).words, "nobody knows of the link"


@pytest.mark.usefixtures("history")
def test_people_of_different_clubs_have_their_ratings_on_the_whole_server(cast: Cast) -> None:
    linked(cast, "Ana")
    played(at_the_other_club(cast), TWO, ("Ana", "Bo"), [90, 10], NOW + 9 * HOUR)
    work_off()
    stranger = cast.other_club.players.get(name="Bo")
    page = Browser().open(address("head_to_head", player(cast, "Ana"), stranger))
    today = next(row for row in table_of(page) if "Rating today" in row[1])
    for line, shown in zip(RatingLine.objects.order_by("-at", "player")[:2], (today[0], today[2]), strict=True):
        assert line.everywhere[FAMILY] != line.values[FAMILY] or line.player == stranger
        assert shown.startswith(str(rating_of(line.everywhere[FAMILY], line.at).shown))


# --- who sees what -------------------------------------------------------------------------------------------
@pytest.mark.usefixtures("history")
def test_hidden_people_are_for_hosts(cast: Cast, as_user: Callable[[str], Client]) -> None:
    ana, bo = player(cast, "Ana"), player(cast, "Bo")
    cast.club.players.filter(pk=bo.pk).update(hidden=True)
    of_two = address("head_to_head", ana, bo)
    assert of_two not in Browser().open(address("player", ana)).markup
    for route in ("head_to_head", "partnership"):
        assert Browser().open(address(route, ana, bo)).status == 404
        assert Browser().open(address(route, bo, ana)).status == 404
    host = Browser(as_user("director"))
    assert of_two in host.open(address("player", ana)).markup
    assert host.open(of_two).status == 200


@pytest.mark.usefixtures("history")
def test_matches_of_what_visitors_may_not_see_do_not_count_for_them(
    cast: Cast, as_user: Callable[[str], Client]
) -> None:
    draft = cast.club.events.create(kind="tournament", name="Draft", started_at=NOW, public=False)
    Match.objects.filter(pk=Match.objects.order_by("pk")[0].pk).update(event=draft)
    of_two = address("head_to_head", player(cast, "Ana"), player(cast, "Bo"))
    assert "Opponents: 4" in Browser().open(of_two).words
    assert "Draft" not in Browser().open(of_two).words
    host = Browser(as_user("director")).open(of_two)
    assert "Opponents: 5" in host.words
    assert "Draft" in host.words


@pytest.mark.usefixtures("history")
def test_a_club_that_is_not_public_shows_nothing(cast: Cast, as_user: Callable[[str], Client]) -> None:
    Club.objects.filter(pk=cast.club.pk).update(public=False)
    zoe, ana, bo = cast.other_club.players.create(name="Zoe"), player(cast, "Ana"), player(cast, "Bo")
    for visitor in (Client(), as_user("stranger")):
        for path in (address("head_to_head", ana, bo), address("partnership", zoe, ana), address("compare", ana)):
            assert visitor.get(path).status_code == 403
    assert "Opponents: 5" in Browser(as_user("player")).open(address("head_to_head", ana, bo)).words


# --- long lists ----------------------------------------------------------------------------------------------
def many(cast: Cast, count: int) -> None:
    """Matches of Ana with many people, one after the other, among them Bo and Cleo, each with a result and a rating."""
    others = [*NAMES[1:3], *(f"Guest {number}" for number in range(count // 4))]
    for name in ("Ana", *others):
        cast.club.players.get_or_create(name=name)
    ids = dict(cast.club.players.values_list("name", "pk"))
    first = played(cast, TWO, ("Ana", "Bo"), [90, 10])
    work_off()
    line = RatingLine.objects.get(player=ids["Ana"])
    made = [
        Match(
            club=cast.club, table=cast.table, game=TWO, options=first.options, status=first.status, sheet=first.sheet,
            offers=first.offers, created_at=NOW + number * HOUR, finished_at=NOW + number * HOUR, unverified=True,
        )
        for number in range(1, count)
    ]  # fmt: skip
    Match.objects.bulk_create(made)
    results, lines = [], []
    for match, other in zip(made, islice(cycle(others), count), strict=False):
        for seat, name in enumerate(("Ana", other)):
            results.append(
                SeatResult(
                    match=match, club=cast.club, game=TWO, number=seat, seat=seat, player_id=ids[name], side=seat,
                    hands=0, points=90 - 80 * seat, against=10 + 80 * seat, others=1, place=1 + seat, counts=True,
                    unverified=True,
                )
            )  # fmt: skip
            lines.append(
                RatingLine(
                    match=match, game=TWO, player_id=ids[name], person_id=ids[name],
                    at=match.finished_at, values=line.values, everywhere={}, since=1,
                )
            )  # fmt: skip
    SeatResult.objects.bulk_create(results)
    RatingLine.objects.bulk_create(lines)
    Seat.objects.bulk_create(
        Seat(match=match, number=seat.number, begun=seat.begun, name=seat.name)
        for match in made
        for seat in first.seats.all()
    )


@pytest.mark.parametrize("count", [8, 160])
def test_the_number_of_queries_does_not_grow(
    cast: Cast, count: int, django_assert_max_num_queries: Callable[..., DjangoAssertNumQueries]
) -> None:
    many(cast, count)
    ana, bo = player(cast, "Ana"), player(cast, "Bo")
    with django_assert_max_num_queries(QUERIES):
        Browser().open(address("player", ana))
    with django_assert_max_num_queries(QUERIES):
        page = Browser().open(address("head_to_head", ana, bo))
    assert f"Opponents: {1 + len(range(0, count - 1, 2 + count // 4))}" in page.words
    with django_assert_max_num_queries(QUERIES):
        Browser().open(address("partnership", ana, bo))


def test_more_people_are_one_tap_away(cast: Cast) -> None:
    many(cast, 60)
    page = Browser().open(address("player", player(cast, "Ana")))
    assert "7 more people" in page.words


def test_a_long_list_of_matches_has_pages(cast: Cast) -> None:
    many(cast, 3)
    first = Match.objects.order_by("pk")[0]
    for number in range(20):
        played(cast, TWO, ("Ana", "Bo"), [90, 10], NOW + (9 + number) * HOUR)
    of_two = address("head_to_head", player(cast, "Ana"), player(cast, "Bo"))
    page = Browser().open(of_two)
    assert f"/matches/{first.pk}/" not in page.markup
    assert f"/matches/{first.pk}/" in page.follow("More").markup
    assert f"/matches/{first.pk}/" in page.open(f"{of_two}?page=99").markup
    assert f"/matches/{first.pk}/" not in page.follow("Back").markup
    for odd in ("x", "-1", "0"):
        assert "More" in page.open(f"{of_two}?page={odd}").words


def test_a_visitor_who_has_the_page_gets_it_again_only_after_a_change(cast: Cast) -> None:
    played(cast, TWO, ("Ana", "Bo"), [90, 10])
    for route in ("head_to_head", "partnership"):
        visitor, path = Client(), address(route, player(cast, "Ana"), player(cast, "Bo"))
        tag = tag_of(visitor, path)
        assert visit(visitor, path, tag).status_code == 304
        played(cast, TWO, ("Ana", "Bo"), [90, 10])
        assert visit(visitor, path, tag).status_code == 200


def test_a_visitor_gets_it_again_after_a_match_at_another_club_of_a_linked_person(cast: Cast) -> None:
    played(cast, TWO, ("Ana", "Bo"), [90, 10])
    linked(cast, "Ana", "Bo")
    visitor, path = Client(), address("head_to_head", player(cast, "Ana"), player(cast, "Bo"))
    tag = tag_of(visitor, path)
    assert visit(visitor, path, tag).status_code == 304
    played(at_the_other_club(cast), TWO, ("Ana", "Bo"), [90, 10])
    assert visit(visitor, path, tag).status_code == 200


def test_matches_name_their_night(cast: Cast) -> None:
    night = night_of(cast, 4, rounds=2)
    one, other = night.matches.order_by("pk")[0].seats.all()[:2]
    assert one.player
    assert other.player
    page = Browser().open(address("head_to_head", one.player, other.player))
    assert "Club night" in page.words
