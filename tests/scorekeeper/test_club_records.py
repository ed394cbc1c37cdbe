"""The records of a club: who plays most, runs of wins, the best hands, and a year in figures."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

import games
from scorekeeper.access import Actor
from scorekeeper.models import Event, Match, Player
from scorekeeper.pages.bars import Bar
from scorekeeper.pages.club_records import RecordsPage, records_page
from scorekeeper.services import events, matches, people, removing
from tests.browsing import Browser
from tests.conftest import NOW, Cast, enter, plan_for
from tests.nights import at, first

pytestmark = pytest.mark.django_db

GAME = next(slug for slug, game in games.GAMES.items() if game.board == "line")
A_DAY = timedelta(days=1)
NEW_YEAR = datetime(2027, 1, 1, 0, 30, tzinfo=UTC)


def result(cast: Cast, players: list[str], totals: list[int], *, days: int = 0, now: datetime = NOW) -> Match:
    """A match of which only the result is known, that many days later."""
    then = now + days * A_DAY
    setting = {"table": cast.table, "game": GAME, "options": {}, "by": Actor(), "parallel": True}
    match = matches.open_match(players=players, now=then, **setting)
    return enter(match, [{"kind": "result", "totals": totals}], now=then)


def page_of(cast: Cast, year: str = "", actor: Actor | None = None) -> RecordsPage:
    cast.club.refresh_from_db()
    return records_page(actor or Actor(), cast.club, year)


def bars(page: RecordsPage, name: str) -> dict[str, int]:
    found = [table.bars for table in page.tables if table.name == name]
    return {bar.label: bar.number for bar in found[0]} if found else {}


def numbers(page: RecordsPage) -> dict[str, int]:
    return {each.name: each.number for each in page.numbers}


def record(page: RecordsPage, name: str) -> Any:
    return next((each for each in page.records if name in each.name), None)


@pytest.fixture
def ana(cast: Cast) -> Player:
    return Player.objects.create(club=cast.club, name="Ana")


@pytest.fixture
def bo(cast: Cast) -> Player:
    return Player.objects.create(club=cast.club, name="Bo")


def test_a_run_of_wins_ends_with_a_match_that_somebody_else_won(cast: Cast, ana: Player, bo: Player) -> None:
    won, lost = [160, 20], [20, 160]
    for days, totals in enumerate([won, won, lost, won, won, won, lost]):
        last = result(cast, ["Ana", "Bo"], totals, days=days)
        if days == 5:
            third = last
    found = record(page_of(cast), "Longest run of wins")
    assert (found.number, found.people, found.href) == (3, [ana], reverse("match", args=[third.pk]))
    assert (found.about, found.equal) == ("12 May 2026 to 14 May 2026", 0)
    assert bars(page_of(cast), "Most matches") == {"Ana": 7, "Bo": 7}


def test_the_best_hand_of_each_game_leads_to_the_hand(cast: Cast, game: str) -> None:
    seats = [Player.objects.create(club=cast.club, name=f"P{seat}") for seat in range(games.GAMES[game].seats[0])]
    setting = {"table": cast.table, "game": game, "options": {}, "by": Actor(), "now": NOW, "parallel": True}
    for seed in (1, 2):
        enter(matches.open_match(players=[each.name for each in seats], **setting), plan_for(game, seed))
    kept = [
        (row.figures["best"][1], -row.match_id, row.figures["best"][0], row)
        for match in Match.objects.all()
        for row in match.results.all()
        if "best" in row.figures
    ]
    points, _match, hand, row = max(kept, key=lambda each: each[:2])
    found = record(page_of(cast), "in a hand")
    assert (found.number, found.href) == (points, f"{reverse('match', args=[row.match_id])}?hand={hand}")
    side = [each.player for each in row.match.results.filter(side=row.side)]
    assert found.people == side


def test_the_match_with_the_most_hands(cast: Cast) -> None:
    enter(cast.open(GAME, hands=1), plan_for(GAME, hands=1))
    long = enter(cast.open(GAME, hands=2), plan_for(GAME, hands=2))
    found = record(page_of(cast), "Most hands in a match")
    assert (found.number, found.href) == (2, reverse("match", args=[long.pk]))
    assert numbers(page_of(cast))["Hands"] == 3


def test_nights_show_who_came_and_who_came_most(cast: Cast, ana: Player, bo: Player) -> None:
    nights: list[Event] = []
    for number, who in enumerate([[ana.pk, bo.pk], [ana.pk]]):
        night = events.start(club=cast.club, players=who, guests=[], step=first(f"n{number}", NOW + number * A_DAY))
        nights.append(night)
        events.close(event_id=night.pk, open_matches=None, step=at(night, f"c{number}", NOW + number * A_DAY))
    result(cast, ["Ana", "Bo"], [160, 20])
    page = page_of(cast)
    assert bars(page, "People at a night") == {"10 May 2026": 1, "9 May 2026": 2}
    assert bars(page, "Most nights") == {"Ana": 2, "Bo": 1}
    assert numbers(page)["Nights"] == 2
    (table,) = [each for each in page.tables if each.name == "People at a night"]
    assert (table.over, [bar.href for bar in table.bars]) == (
        "1.5 on average",
        [reverse("night", args=[night.pk]) for night in reversed(nights)],
    )


def test_a_list_of_the_first_ten_says_how_many_others_are_equal(cast: Cast) -> None:
    names = [f"Player {number:02}" for number in range(14)]
    for pair in zip(names[::2], names[1::2], strict=True):
        result(cast, [*pair], [160, 20])
    result(cast, names[:2], [160, 20])
    cast.club.players.filter(name=names[-1]).update(hidden=True)
    assert bars(page_of(cast), "Most matches") == dict(zip(names[:10], [2, 2] + 8 * [1], strict=True))
    assert [table.beyond for table in page_of(cast).tables if table.name == "Most matches"] == [
        "3 more people have as many as the last one."
    ]
    assert "3 more people" in Browser().open(f"/clubs/{cast.club.slug}/records/").words


def test_a_year_begins_at_midnight_of_the_club(cast: Cast, ana: Player, bo: Player) -> None:
    """Half an hour after the new year in Greenwich, it is still the old one in New York."""
    Player.objects.create(club=cast.club, name="Cleo")
    cast.club.time_zone = "America/New_York"
    cast.club.save()
    result(cast, ["Ana", "Bo"], [160, 20])
    result(cast, ["Ana", "Bo"], [160, 20], now=NEW_YEAR)
    result(cast, ["Ana", "Cleo"], [160, 20], now=NEW_YEAR + A_DAY)

    def shown(query: str) -> str:
        address = reverse("club_records", args=[cast.club.slug])
        return Client().get(f"{address}{query}").content.decode()

    assert '<a href="?year=2027">2027</a>' in shown("")
    for year, matches_then, new in (("2026", 2, 2), ("2027", 1, 1)):
        html = " ".join(shown(f"?year={year}").split())
        assert f"<dt>Matches</dt> <dd> <b>{matches_then}</b>" in html
        assert f"<dt>New people</dt> <dd> <b>{new}</b>" in html
    for wrong in ("1999", "abc"):
        answer = Client().get(reverse("club_records", args=[cast.club.slug]), {"year": wrong})
        assert answer.status_code == 404
        assert "There was no match here in this year." in answer.content.decode()
        assert "<dt>Matches</dt>" not in answer.content.decode()


def test_a_record_says_how_often_it_was_equalled(cast: Cast, ana: Player, bo: Player) -> None:
    night = events.start(club=cast.club, players=[ana.pk, bo.pk], guests=[], step=first("n"))
    for days, totals in enumerate([[160, 20], [160, 20], [20, 160], [20, 160]]):
        result(cast, ["Ana", "Bo"], totals, days=days)
    Match.objects.update(event=night)
    run, busy = (record(page_of(cast), name) for name in ("run", "at a night"))
    assert (run.people, run.equal, busy.people, busy.equal) == ([ana], 1, [ana], 1)
    for _number in range(3):
        enter(cast.open(GAME, hands=1), plan_for(GAME, hands=1))
    long, hand = (record(page_of(cast), name) for name in ("hands in a match", "in a hand"))
    assert (long.equal, hand.equal) == (2, 2)
    html = Client().get(reverse("club_records", args=[cast.club.slug])).content.decode()
    assert "equalled 2 times" in html


def test_a_tournament_counts_when_one_of_its_matches_does(cast: Cast, ana: Player, bo: Player) -> None:
    tournament = Event.objects.create(club=cast.club, kind=Event.Kind.TOURNAMENT, name="Cup", started_at=NOW)
    match = result(cast, ["Ana", "Bo"], [160, 20])
    assert numbers(page_of(cast))["Tournaments"] == 0
    Match.objects.filter(pk=match.pk).update(event=tournament)
    assert numbers(page_of(cast))["Tournaments"] == 1


def test_hidden_people_and_what_is_removed_are_not_named(cast: Cast, ana: Player, bo: Player) -> None:
    removed = result(cast, ["Ana", "Bo"], [160, 20])
    result(cast, ["Ana", "Bo"], [160, 20], days=1)
    removing.remove(match_id=removed.pk, why="twice", now=NOW, by=None)
    assert numbers(page_of(cast))["Matches"] == 1
    Player.objects.filter(pk=ana.pk).update(hidden=True)
    page = page_of(cast)
    assert bars(page, "Most matches") == {"Bo": 1}
    assert record(page, "Longest run") is None, "only Ana won"
    assert numbers(page)["People"] == 2


def test_people_who_were_merged_count_once(cast: Cast, ana: Player, bo: Player) -> None:
    anna = Player.objects.create(club=cast.club, name="Anna")
    result(cast, ["Ana", "Bo"], [160, 20])
    result(cast, ["Anna", "Bo"], [160, 20], days=1)
    people.merge(club=cast.club, player_id=anna.pk, into_id=ana.pk, now=NOW)
    page = page_of(cast)
    assert bars(page, "Most matches") == {"Ana": 2, "Bo": 2}
    assert (numbers(page)["People"], record(page, "Longest run").number) == (2, 2)


def test_a_club_without_a_match_says_when_records_appear(cast: Cast) -> None:
    html = Client().get(reverse("club_records", args=[cast.club.slug])).content.decode()
    assert "Records appear here after the first one." in html


def test_the_number_of_queries_does_not_depend_on_the_number_of_matches(
    cast: Cast, ana: Player, bo: Player, django_assert_max_num_queries: Any
) -> None:
    night = events.start(club=cast.club, players=[ana.pk, bo.pk], guests=[], step=first("n"))
    for days in range(4):
        result(cast, ["Ana", "Bo"], [160, 20], days=days)
    Match.objects.update(event=night)
    enter(cast.open(GAME), plan_for(GAME))
    with django_assert_max_num_queries(19):
        page = page_of(cast, "2026")
    assert record(page, "Most matches at a night").number == 5
    assert all(isinstance(bar, Bar) for table in page.tables for bar in table.bars)
