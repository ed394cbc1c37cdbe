"""The page of a player: ratings with their reasons, results, titles, and what comes next."""

import re
from collections.abc import Callable
from datetime import timedelta
from math import floor
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from games import GAMES
from scorekeeper.access import Actor
from scorekeeper.models import Event, Match, Player
from scorekeeper.services import clubs, events, matches, people, schedules
from tests.browsing import Browser
from tests.conftest import Cast, enter, plan_for
from tests.copies import copies
from tests.nights import at, first, names_of
from tests.scorekeeper.test_ratings_kept import (
    FAMILY,
    NAMES,
    OTHER,
    PARTNERS,
    TWO,
    at_the_other_club,
    linked,
    played,
    work_off,
)
from tests.tournaments import played as played_match
from tests.tournaments import played_out, released, scheduled, setup_of

DAY = timedelta(days=1)
FOUR = next(slug for slug, game in GAMES.items() if 4 in game.seats and len(game.sides(4)) == 4)


def person(cast: Cast, name: str = "Ana") -> Player:
    return cast.club.players.get(name=name)


def address(cast: Cast, name: str = "Ana") -> str:
    return reverse("player", args=[person(cast, name).pk])


def words(cast: Cast, query: str = "", name: str = "Ana", client: Client | None = None) -> str:
    return Browser(client or Client()).open(address(cast, name) + query).words.replace(" ,", ",")


@pytest.fixture
def history(cast: Cast) -> list[Match]:
    """Ana beat Bo 40 days ago, lost to Cleo at another game yesterday, and beat her today."""
    now = timezone.now()
    found = [
        played(cast, TWO, ("Ana", "Bo"), [90, 10], now - 40 * DAY),
        played(cast, OTHER, ("Ana", "Cleo"), [10, 90], now - DAY),
        played(cast, TWO, ("Ana", "Cleo"), [90, 10], now),
    ]
    work_off()
    return found


def test_somebody_new_is_told_what_will_be_there(cast: Cast) -> None:
    new = clubs.player_add(club=cast.club, name="Newcomer", now=timezone.now())
    assert "No match yet. Ratings, results and titles appear here" in words(cast, name=new.name)


def test_a_match_that_is_not_rated_yet_is_there(cast: Cast) -> None:
    played(cast, TWO, ("Ana", "Bo"), [90, 10], timezone.now())
    page = words(cast)
    assert "No rating yet." in page
    assert "Last matches" in page


@pytest.mark.usefixtures("history")
def test_families_come_first_and_the_ratings_played_most_are_shown(cast: Cast) -> None:
    page = Browser(Client()).open(address(cast)).markup
    assert re.findall(r'href="\?of=([^#]+)#', page) == [FAMILY, TWO, OTHER]
    assert re.findall(r'href="\?of=([^#]+)#ratings"\s+aria-current', page) == [FAMILY]
    assert "provisional" in page


def test_every_change_says_why(cast: Cast, history: list[Match]) -> None:
    page = words(cast, f"?of={TWO}")
    game = GAMES[TWO].name
    assert re.search(rf"Ana, expected 5\d %: beat Cleo at {game} \+69 1579 → 1648", page)
    assert f"Ana, expected 50 %: beat Bo at {game} +79 1500 → 1579" in page
    reasons = page.partition("Why")[2]
    assert reasons.index("beat Cleo") < reasons.index("beat Bo at")
    assert "lost to Cleo" not in page
    assert f"lost to Cleo at {GAMES[OTHER].name}" in words(cast)
    markup = Browser(Client()).open(address(cast)).markup
    assert markup.count(f'href="/matches/{history[0].pk}/"') >= 2  # the point of the line, and the reason


def test_matches_of_one_day_are_one_point_of_the_line_and_a_row_each_of_the_table(cast: Cast) -> None:
    noon = timezone.localtime().replace(hour=12) - 2 * DAY
    all_of_them = [played(cast, TWO, ("Ana", "Bo"), [90, 10], noon + n * DAY / 24) for n in (-48, 0, 1, 2)]
    work_off()
    page = Browser().open(f"{address(cast)}?of={TWO}").markup
    line, _figure, table = page.partition('<svg class="rating-line"')[2].partition("</figure>")[0].partition("<table")
    assert "3 matches" in line
    assert re.findall(r'href="/matches/(\d+)/"', line) == [str(all_of_them[0].pk), str(all_of_them[-1].pk)]
    assert re.findall(r'href="/matches/(\d+)/"', table) == [str(match.pk) for match in reversed(all_of_them)]


def test_partners_ties_and_many_sides_are_worded(cast: Cast) -> None:
    now = timezone.now()
    played(cast, PARTNERS, NAMES, [20, 60, 20, 60], now - 3 * DAY)
    played(cast, PARTNERS, NAMES, [60, 60, 60, 60], now - 2 * DAY)
    lower = GAMES[FOUR].lower_wins
    played(cast, FOUR, NAMES, [30, 20, 50, 40] if lower else [40, 50, 20, 30], now - DAY)
    played(cast, FOUR, NAMES, [20, 20, 50, 40] if lower else [50, 50, 20, 30], now)
    work_off()
    pairs = words(cast, f"?of={PARTNERS}")
    won = "beat" if GAMES[PARTNERS].lower_wins else "lost to"
    assert f"Ana and Cleo, expected 50 %: {won} Bo and Dan at {GAMES[PARTNERS].name}" in pairs
    assert "tied with Bo and Dan" in pairs
    four = words(cast, f"?of={FOUR}")
    assert f"second of 4, behind Bo, at {GAMES[FOUR].name}" in four
    assert "shared first place with Bo at" in four
    assert "won ahead of Ana, Cleo and Dan" in words(cast, f"?of={FOUR}", "Bo")
    assert "fourth of 4, behind Ana, Bo and Dan" in words(cast, f"?of={FOUR}", "Cleo")


@pytest.mark.usefixtures("history")
def test_only_the_player_reads_you(cast: Cast, as_user: Callable[[str], Client]) -> None:
    Player.objects.filter(pk=person(cast).pk).update(user=cast.users["player"])
    mine = words(cast, client=as_user("player"))
    assert "this is you" in mine
    assert "You, expected 50 %: beat Bo" in mine
    assert "you" not in words(cast).split("Why")[1].split("Two of three")[0]


@pytest.mark.usefixtures("history")
@pytest.mark.parametrize(
    ("query", "notice"),
    [
        ("?of=chess", "There is no rating in these games."),
        (f"?of={PARTNERS}", "There is no rating in these games."),
        ("?page=2", "There is no such page."),
        ("?page=x", "There is no such page."),
        ("?page=-1", "There is no such page."),
        ("?of=%00&page=" + "9" * 30, "There is no rating in these games."),
    ],
)
def test_an_address_that_is_not_possible_falls_back(cast: Cast, query: str, notice: str) -> None:
    page = words(cast, query)
    assert notice in page
    assert "beat Cleo" in page


def test_many_changes_come_in_pages(cast: Cast) -> None:
    now = timezone.now()
    for number in range(12):
        played(cast, TWO, ("Ana", "Bo"), [90, 10], now - (30 - number) * DAY)
    work_off()
    page = Browser(Client()).open(address(cast) + f"?of={TWO}")
    assert len(re.findall(r"expected \d+ %", page.words)) == 10
    assert f"?of={TWO}&amp;page=2" in page.markup
    older = words(cast, f"?of={TWO}&page=2")
    assert len(re.findall(r"expected \d+ %", older)) == 2
    assert "1500 →" in older


def test_the_record_of_each_game(cast: Cast) -> None:
    now = timezone.now()
    for number, totals in enumerate(([90, 10], [80, 20], [50, 50], [10, 90])):
        played(cast, TWO, ("Ana", "Bo"), totals, now - (9 - number) * DAY)
    page = Browser(Client()).open(address(cast)).markup.partition('<caption class="hear">Record')[2]
    assert re.findall(r"<td[^>]*>(?:<b>)?([^<]+)", page)[:6] == ["4", "2", "1", "1", "–", "1.3"]
    assert "4 without hands" in page


def test_hands_have_their_points(cast: Cast) -> None:
    match = matches.open_match(
        table=cast.table, game=TWO, options={"hands": 2}, players=["Ana", "Bo"], by=Actor(), now=timezone.now()
    )
    match = enter(match, plan_for(TWO, hands=2), now=timezone.now())
    points = match.sheet["totals"][0] / len(match.sheet["hands"])
    page = Browser(Client()).open(address(cast)).markup.partition('<caption class="hear">Record')[2]
    assert re.findall(r"<td[^>]*>(?:<b>)?([^<]+)", page)[4] == f"{floor(10 * points + 0.5) / 10:.1f}"


def test_runs_of_wins_have_their_first_and_last_match(cast: Cast) -> None:
    now = timezone.now()
    results = ([90, 10], [90, 10], [90, 10], [10, 90], [10, 90])
    found = [
        played(cast, TWO, ("Ana", "Bo"), totals, now - (9 - number) * DAY) for number, totals in enumerate(results)
    ]
    page = Browser(Client()).open(address(cast))
    assert "no win in the last 2 matches" in page.words
    runs = page.markup.partition("Longest run of wins")[2]
    assert re.findall(r"/matches/(\d+)/", runs)[:2] == [str(found[0].pk), str(found[2].pk)]
    assert "won the last 2 matches" in words(cast, name="Bo")


# --- who sees what ---------------------------------------------------------------------------------------------
@pytest.mark.usefixtures("history")
def test_hidden_people_have_a_page_for_hosts_only(cast: Cast, as_user: Callable[[str], Client]) -> None:
    page = address(cast)
    Player.objects.filter(pk=person(cast).pk).update(hidden=True)
    assert Client().get(page).status_code == Client().get(f"{page}matches/").status_code == 404
    assert as_user("player").get(page).status_code == 404
    assert "hidden" in words(cast, client=as_user("director"))


@pytest.mark.usefixtures("history")
def test_former_names_and_the_way_to_change_them_are_for_hosts(cast: Cast, as_user: Callable[[str], Client]) -> None:
    clubs.player_rename(club=cast.club, player_id=person(cast).pk, name="Anna", now=timezone.now())
    assert "formerly Ana" in words(cast, name="Anna", client=as_user("director"))
    page = words(cast, name="Anna")
    assert "formerly" not in page
    assert "Names, merging and more" not in page
    assert "Anna, expected 50 %" in page


@pytest.mark.usefixtures("history")
def test_merged_people_lead_to_the_person_with_what_both_played(cast: Cast) -> None:
    bo, cleo = person(cast, "Bo"), person(cast, "Cleo")
    people.merge(club=cast.club, player_id=bo.pk, into_id=cleo.pk, now=timezone.now())
    work_off()
    for page in ("player", "player_matches"):
        assert Browser(Client()).open(reverse(page, args=[bo.pk])).path == reverse(page, args=[cleo.pk])
    assert words(cast, f"?of={TWO}", "Cleo").partition("Why")[2].count("lost to Ana at") == 2


@pytest.mark.usefixtures("history")
def test_what_nobody_may_see_is_not_told(cast: Cast, as_user: Callable[[str], Client]) -> None:
    event = Event.objects.create(
        club=cast.club, kind="tournament", name="Secret", started_at=timezone.now(), public=False
    )
    Match.objects.filter(game=OTHER).update(event=event)
    page = words(cast)
    assert "lost to Cleo" not in page
    assert page.count(f"{GAMES[OTHER].name} 1 without hands") == 0
    assert "lost to Cleo" in words(cast, client=as_user("director"))


def test_ratings_that_are_not_calculated_again_yet_tell_nothing_wrong(cast: Cast, history: list[Match]) -> None:
    """Somebody else has just turned out to have ended the match."""
    history[2].results.filter(player=person(cast)).update(place=None)
    page = words(cast, f"?of={TWO}").partition("Why")[2]
    assert "beat Bo" in page
    assert "beat Cleo" not in page


@pytest.mark.usefixtures("history")
def test_linked_clubs_are_named_if_the_visitor_may_see_them(cast: Cast) -> None:
    twin, ana = cast.other_club.players.create(name="Ana K."), person(cast)
    Player.objects.filter(pk__in=[twin.pk, ana.pk]).update(person=ana)
    page = Browser(Client()).open(address(cast))
    assert "Also plays in Wanderers" in page.words
    assert reverse("player", args=[twin.pk]) in page.markup
    assert re.search(r"On the whole server: \d+ ± \d+ \(2 clubs\)", page.words)
    type(cast.other_club).objects.filter(pk=cast.other_club.pk).update(public=False)
    page = Browser(Client()).open(address(cast))
    assert "Wanderers" not in page.words
    assert "clubs)" not in page.words


@pytest.mark.usefixtures("history")
def test_the_record_of_somebody_in_several_clubs_is_of_one_or_of_all(cast: Cast) -> None:
    linked(cast, "Ana", "Bo")
    played(at_the_other_club(cast), TWO, ("Ana", "Bo"), [90, 10], timezone.now())
    work_off()
    page = Browser(Client()).open(address(cast))
    assert re.search(r"Bo 1 1 ", page.words)
    assert "?" not in page.path
    page.follow("All clubs")
    assert re.search(r"Bo 2 2 ", page.words), "with Bo of both clubs as one person"
    assert f"{GAMES[TWO].name} 3 without hands 3 3 0 0" in page.words
    assert "All clubs" in page.follow(f"{GAMES[OTHER].name}").words
    assert re.search(r"Bo 2 2 ", page.words), "another rating leaves the choice as it is"
    assert "All clubs" not in words(cast, "?clubs=all", name="Cleo")


# --- nights and tournaments ------------------------------------------------------------------------------------
def test_nights_that_are_over_have_their_winner(cast: Cast) -> None:
    now = timezone.now()
    ids = [cast.club.players.create(name=name).pk for name in ("Ana", "Bo", "Cleo")]
    night = events.start(club=cast.club, players=ids, step=first("start", now - DAY))
    match = played(cast, TWO, ("Ana", "Bo"), [90, 10], now - DAY)
    Match.objects.filter(pk=match.pk).update(event=night)
    assert "club night" not in words(cast)
    events.close(event_id=night.pk, open_matches=None, step=at(night, "close", now))
    assert "Won 1 club night" in words(cast)
    assert "club night" not in words(cast, name="Bo")
    other = person(cast, "Cleo")
    people.merge(club=cast.club, player_id=person(cast, "Ana").pk, into_id=other.pk, now=now)
    assert "Won 1 club night" in words(cast, name="Cleo")
    people.separate(club=cast.club, player_id=person(cast, "Ana").pk, now=now)
    assert "Won 1 club night" in words(cast)


def test_a_tournament_says_where_they_play_next_and_then_which_place_they_had(cast: Cast) -> None:
    event = scheduled(cast, setup_of(TWO, "heads"), 4)
    name = names_of(1)[0]
    assert "The next round is not released yet." in words(cast, name=name)
    schedules.publish(event_id=event.pk, step=at(event, "publish"))
    page = words(cast, name=name)
    assert "Now and next Cup" in page
    assert re.search(r"Round 1 against (Bruno|Carmen|Dmitri) Table \d", page)
    match = next(match for match in released(event) if match.seats.filter(name=name).exists())
    assert (
        f'href="/matches/{match.pk}/"'
        in Browser(Client()).open(address(cast, name)).markup.partition("Now and next")[2]
    )
    played_out(event)
    for open_match in Match.objects.filter(event=event, finished_at=None):
        played_match(open_match)
    assert not any("Cup 9 May 2026" in words(cast, name=each) for each in names_of(4))
    events.close(event_id=event.pk, open_matches=None, step=at(event, "close"))
    found = [words(cast, name=each) for each in names_of(4)]
    assert sum("Cup 9 May 2026 won" in page for page in found) == 1
    assert sum(f"Cup 9 May 2026 place {place} of 4" in page for page in found for place in (2, 3)) == 2


# --- how fast --------------------------------------------------------------------------------------------------
@pytest.mark.usefixtures("history")
def test_a_visitor_who_has_the_page_gets_it_again_only_after_a_change(cast: Cast) -> None:
    first_time = Client().get(address(cast))
    again = {"HTTP_IF_NONE_MATCH": first_time.headers["ETag"]}
    assert Client().get(address(cast), **again).status_code == 304
    played(cast, TWO, ("Bo", "Cleo"), [90, 10], timezone.now())
    assert Client().get(address(cast), **again).status_code == 200


def test_the_number_of_queries_does_not_grow(cast: Cast, django_assert_num_queries: Any) -> None:
    now = timezone.now()
    for number in range(10):
        played(cast, TWO, ("Ana", "Bo"), [90, 10], now - (2000 - number) * DAY)
    work_off()
    page = address(cast)
    with django_assert_num_queries(12):
        Client().get(page)
    last = Match.objects.latest("pk")
    copies(last, 990, DAY)
    with django_assert_num_queries(12):
        content = Client().get(page).content
    assert b"1000 without hands" in content
    assert len(content) < 100_000
    copies(last, 500, DAY, new=[1])  # each against somebody else
    with django_assert_num_queries(12):
        assert b"1500 without hands" in Client().get(page).content
