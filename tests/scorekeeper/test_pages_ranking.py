"""The rankings of a club and of the server: on any day, with filters, as a table, and while a night goes on."""

import csv
import random
import re
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from scorekeeper.models import Club, Event, Match, Player, RatingBook, RatingLine, Season
from scorekeeper.names import fit
from scorekeeper.pages.ratings import stamp
from scorekeeper.ratings.plackett_luce import Belief
from scorekeeper.selectors import rankings
from scorekeeper.selectors.rankings import Board, Wanted, of_club, of_server
from scorekeeper.selectors.ratings import SERVER, edition, games_of, groups_of, in_edition
from tests.browsing import Browser
from tests.conftest import NOW, Cast
from tests.copies import copies
from tests.scorekeeper.test_ratings_kept import FAMILY, HOUR, OTHER, TWO, played, work_off

DAY = timedelta(days=1)
SERVERS = reverse("ranking")


@pytest.fixture
def address(cast: Cast) -> str:
    return reverse("club_ranking", args=[cast.club.slug])


def rows(address: str, client: Client | None = None) -> list[list[str]]:
    """The place, the movement in places, the name, the rating and the points won in each row."""
    page = (client or Client()).get(address).content.decode()
    cells = (
        r'<td class="number place">\s*(\d+).*?<span class="hear">(.*?)</span>.*?<bdi>(\w+)</bdi>.*?<b>(\d+)</b>'
        r'.*?<td class="number won">\s*(?:<span class="soft">)?(\S+?)\s*(?:</span>\s*)?</td>'
    )
    return [list(row) for row in re.findall(cells, page.partition("<tbody>")[2], re.S)]


def names(address: str, client: Client | None = None) -> list[str]:
    return [row[2] for row in rows(address, client)]


@pytest.fixture
def history(cast: Cast) -> None:
    """Ana beat Bo a month ago, and Cleo today; Bo and Cleo played another game."""
    now = timezone.now()
    played(cast, TWO, ("Ana", "Bo"), [90, 10], now - 30 * DAY)
    played(cast, TWO, ("Ana", "Cleo"), [90, 10], now)
    played(cast, OTHER, ("Bo", "Cleo"), [90, 10], now)
    work_off()


def test_a_club_without_matches_says_what_will_be_there(cast: Cast, address: str) -> None:
    assert "No ratings yet." in Browser(Client()).open(address).words
    assert "No ratings yet." in Browser(Client()).open(SERVERS).words


@pytest.mark.usefixtures("history")
def test_the_best_come_first_with_what_the_last_week_moved(cast: Cast, address: str) -> None:
    assert names(f"{address}?of={TWO}") == ["Ana", "Cleo", "Bo"]
    ana, bo, cleo = rows(address)  # the family comes first
    assert int(ana[3]) > int(bo[3]) > int(cleo[3])
    assert int(ana[4]) > 0
    assert int(bo[4]) > 0
    assert cleo[1:] == ["for the first time", "Cleo", cleo[3], "new"]


@pytest.mark.usefixtures("history")
def test_the_ranking_of_a_day_has_what_was_played_until_its_end(cast: Cast, address: str) -> None:
    day = timezone.localdate() - 10 * DAY
    page = Client().get(f"{address}?of={TWO}&on={day.isoformat()}").content.decode()
    assert "Ana" in page
    assert "Cleo" not in page
    before = timezone.localdate() - 40 * DAY
    assert "Nobody had a rating" in Client().get(f"{address}?of={TWO}&on={before.isoformat()}").content.decode()


def test_movements_are_since_the_day_or_span_that_was_asked_for(cast: Cast, address: str) -> None:
    now = timezone.now()
    played(cast, TWO, ("Ana", "Bo"), [90, 10], now - 20 * DAY)
    night = Event.objects.create(club=cast.club, kind=Event.Kind.NIGHT, started_at=now - 2 * DAY)
    for _match in range(2):
        played(cast, TWO, ("Bo", "Ana"), [90, 10], now - DAY)
    work_off()
    moved = {
        asked: [(row[1], row[2], row[4][0]) for row in rows(f"{address}?of={TWO}{asked}")]
        for asked in ("", "&moved=night", "&moved=month", f"&since={timezone.localdate() - 30 * DAY}")
    }
    week = [("up 1 place", "Bo", "+"), ("down 1 place", "Ana", "−")]
    new = [("for the first time", "Bo", "n"), ("for the first time", "Ana", "n")]
    assert [*moved.values()] == [week, week, new, new]
    Event.objects.filter(pk=night.pk).update(started_at=now - 90 * DAY)
    assert rows(f"{address}?of={TWO}&moved=night&least=2")[0][4] == "new"


@pytest.mark.usefixtures("history")
def test_filters_leave_out_people_and_places_are_counted_without_them(cast: Cast, address: str) -> None:
    Player.objects.filter(club=cast.club).exclude(name="Ana").update(guest=False)
    played(cast, TWO, ("Dan", "Bo"), [90, 10], timezone.now() - 70 * DAY)
    work_off()
    at = f"{address}?of={TWO}"
    assert names(f"{at}&least=2") == ["Ana", "Bo"]
    assert {*names(f"{at}&active=on")} == {"Ana", "Bo", "Cleo"}
    assert "Ana" not in names(f"{at}&members=on")
    assert rows(f"{at}&members=on")[0][0] == "1"
    # By name, places stay those among all.
    assert [(row[0], row[2]) for row in rows(f"{at}&name=cle")] == [
        (row[0], "Cleo") for row in rows(at) if row[2] == "Cleo"
    ]


@pytest.mark.usefixtures("history")
def test_a_season_has_who_played_in_it_and_moves_since_its_start(cast: Cast, address: str) -> None:
    today = timezone.localdate()
    ended = Season.objects.create(club=cast.club, name="Spring", starts_on=today - 40 * DAY, ends_on=today - 20 * DAY)
    begun = Season.objects.create(club=cast.club, name="Autumn", starts_on=today - 10 * DAY, ends_on=today + 9 * DAY)
    assert names(f"{address}?of={TWO}&season={ended.pk}") == ["Ana", "Bo"]
    ana, cleo = rows(f"{address}?of={TWO}&season={begun.pk}")
    assert (ana[2], cleo[2], cleo[4]) == ("Ana", "Cleo", "new")
    assert int(ana[4]) > 0
    coming = Season.objects.create(club=cast.club, name="Winter", starts_on=today + 9 * DAY, ends_on=today + 10 * DAY)
    assert "This season begins on" in Client().get(f"{address}?season={coming.pk}").content.decode()


@pytest.mark.usefixtures("history")
@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ("on=2999-01-01", "This day has not come yet."),
        ("on=0001-01-01", "Nobody had a rating then."),
        ("on=yesterday", "This is no date."),
        ("since=2999-01-01", "This day has not come yet."),
        ("of=chess", "There is no ranking of these games."),
        ("moved=ever", "There is no movement of this kind."),
        ("season=77", "This season does not exist."),
        ("club=rovers", "This club does not exist."),
        ("least=0", "Enter a whole number from 1 to 10000."),
        ("least=many", "Enter a whole number from 1 to 10000."),
        ("name=" + "x" * 81, "at most 80 characters"),
    ],
)
def test_nonsense_is_said_and_a_link_drops_it(cast: Cast, address: str, asked: str, said: str) -> None:
    page = Client().get(f"{address}?{asked}&active=on").content.decode()
    assert said in page
    assert "Ana" in page  # the rest still holds
    assert 'href="?active=on"' in page.partition(said)[2]


@pytest.mark.usefixtures("history")
@pytest.mark.parametrize("kind", ["csv", "png", "svg"])
def test_a_table_or_a_picture_with_nonsense_is_refused_in_the_words_of_the_page(cast: Cast, kind: str) -> None:
    for at in (reverse(f"club_ranking_{kind}", args=[cast.club.slug]), reverse(f"ranking_{kind}")):
        answer = Client().get(f"{at}?on=2999-01-01&active=on")
        page = at.removesuffix(f".{kind}")
        assert answer.status_code == 400
        assert "This day has not come yet." in answer.content.decode()
        assert f'href="{page}/?active=on"' in answer.content.decode()


@pytest.mark.usefixtures("history")
def test_filters_that_nobody_fits_are_listed_each_with_a_link_that_drops_it(cast: Cast, address: str) -> None:
    page = Client().get(f"{address}?least=9&name=Zoe").content.decode()
    assert "Nobody fits all of these filters." in page
    assert 'href="?least=9"' in page
    assert 'href="?name=Zoe"' in page
    assert "does not go on so far" in Client().get(f"{address}?page=7").content.decode()


def table(address: str, client: Client | None = None) -> list[list[str]]:
    answer = (client or Client()).get(address)
    assert answer.headers["Content-Type"] == "text/csv; charset=utf-8"
    return [*csv.reader(answer.content.decode("utf-8-sig").splitlines())]


def test_the_table_has_what_the_page_shows_and_no_formulas(cast: Cast, address: str) -> None:
    played(cast, TWO, ("=1+1", "Bo"), [90, 10], timezone.now())
    work_off()
    head, *lines = table(f"{reverse('club_ranking_csv', args=[cast.club.slug])}?of={TWO}")
    assert [line[head.index("name")] for line in lines] == ["'=1+1", "Bo"]
    assert [line[head.index("rating")] for line in lines] == ["1579", "1421"]
    assert [line[head.index("place")] for line in lines] == ["1", "2"]
    assert len(table(f"{reverse('club_ranking_csv', args=[cast.club.slug])}?of={TWO}&name=bo")) == 2


@pytest.mark.usefixtures("history")
def test_hidden_people_are_not_ranked(cast: Cast, address: str, as_user: Callable[[str], Client]) -> None:
    Player.objects.filter(club=cast.club, name="Ana").update(hidden=True)
    for at in (address, SERVERS, reverse("ranking_csv")):
        assert "Ana" not in Client().get(at).content.decode()
    assert rows(f"{SERVERS}?of={TWO}")[0][:3:2] == ["1", "Cleo"]
    assert "Ana" not in as_user("owner").get(address).content.decode()


@pytest.mark.usefixtures("history")
def test_the_server_shows_the_clubs_that_the_visitor_may_see(cast: Cast, as_user: Callable[[str], Client]) -> None:
    assert names(f"{SERVERS}?of={TWO}") == ["Ana", "Cleo", "Bo"]
    assert names(f"{SERVERS}?of={TWO}&club=rovers") == ["Ana", "Cleo", "Bo"]
    assert names(f"{SERVERS}?of={TWO}&club=wanderers") == []
    Club.objects.filter(pk=cast.club.pk).update(public=False)
    assert "Ana" not in Client().get(SERVERS).content.decode()
    assert "Ana" not in Client().get(reverse("ranking_csv")).content.decode()
    assert names(f"{SERVERS}?of={TWO}", as_user("member")) == ["Ana", "Cleo", "Bo"]


def test_linked_people_are_one_person_with_all_clubs_that_can_be_seen(cast: Cast) -> None:
    elsewhere = Player.objects.get(club=cast.other_club, name="Ana")
    here = Player.objects.create(club=cast.club, name="Ana")
    for player in (elsewhere, here):
        Player.objects.filter(pk=player.pk).update(person=elsewhere)
    played(cast, TWO, ("Ana", "Bo"), [90, 10], timezone.now())
    work_off()
    page = Client().get(f"{SERVERS}?of={TWO}").content.decode()
    assert page.count("<bdi>Ana</bdi>") == 1
    assert "<bdi>Wanderers</bdi> and <bdi>Rovers</bdi>" in page
    assert reverse("player", args=[elsewhere.pk]) in page
    Club.objects.filter(pk=cast.other_club.pk).update(public=False)
    seen = Client().get(f"{SERVERS}?of={TWO}&least=1").content.decode()
    assert reverse("player", args=[here.pk]) in seen
    assert "Wanderers" not in seen


# --- while a night goes on -----------------------------------------------------------------------------------
@pytest.mark.usefixtures("history")
def test_a_visitor_who_has_the_page_gets_it_again_only_after_a_change(cast: Cast, address: str) -> None:
    for at in (address, SERVERS):
        first = Client().get(at)
        again = {"HTTP_IF_NONE_MATCH": first.headers["ETag"]}
        assert Client().get(at, **again).status_code == 304
        played(cast, TWO, ("Bo", "Cleo"), [90, 10], timezone.now())
        work_off()
        assert Client().get(at, **again).status_code == 200


@pytest.mark.usefixtures("history")
def test_followers_hear_of_ratings_not_of_every_play(cast: Cast, address: str) -> None:
    before = stamp("club", cast.club.pk)
    assert before.strip() in Client().get(address).content.decode()
    cast.open(TWO)
    assert stamp("club", cast.club.pk) == before
    played(cast, TWO, ("Bo", "Cleo"), [90, 10], timezone.now())
    work_off()
    assert stamp("club", cast.club.pk) != before


@pytest.mark.usefixtures("history")
def test_many_visitors_get_one_drawing_until_ratings_change(
    cast: Cast, address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[Wanted] = []
    found = rankings.ranking

    def counted(board: Board, wanted: Wanted, **page: Any) -> Any:
        asked.append(wanted)
        return found(board, wanted, **page)

    monkeypatch.setattr("scorekeeper.pages.ratings.ranking", counted)
    for _visitor in range(3):
        assert names(address) == ["Ana", "Bo", "Cleo"]
    assert len(asked) == 1
    played(cast, TWO, ("Bo", "Ana"), [90, 10], timezone.now())
    work_off()
    assert rows(address)[1][4] != "new"
    assert len(asked) == 2


@pytest.mark.parametrize("people", [4, 10_000])
def test_the_number_of_queries_does_not_grow(
    cast: Cast, address: str, people: int, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    match = played(cast, TWO, ("Ana", "Bo"), [90, 10], timezone.now() - HOUR)
    work_off()
    copies(match, people // 2 - 1, timedelta(seconds=0.1), new=[0, 1])
    for at in (address, SERVERS):
        with django_assert_num_queries(8):
            page = Client().get(f"{at}?of={TWO}&least=1&active=on&moved=month").content.decode()
        assert page.count("<tr") == min(people, 100) + 1
        assert f"{people} people" in page


# --- a second opinion ----------------------------------------------------------------------------------------
def expected(board: Board, wanted: Wanted) -> list[tuple[int, int, int, int | None, int | None]]:
    """The person, place, rating, points and places won, by reading every line."""
    linked = board.scope is SERVER

    def counts_as(player: Player) -> set[int]:
        return {player.pk, (player.person_id if linked else None) or player.pk}

    people = {who for player in board.players for who in counts_as(player)}
    lines = sorted(
        in_edition(edition()).filter(game__in=games_of(wanted.group)), key=lambda line: (line.at, line.match_id)
    )

    def newest(until: datetime) -> dict[int, tuple[float, int, datetime]]:
        found = {}
        for line in lines:
            who = line.person_id if linked else line.player_id
            values = ((line.everywhere if linked else line.values) or {}).get(wanted.group)
            if values and who in people and line.at <= until:
                found[who] = values[0], values[3], line.at
        return found

    now = {
        who: mu
        for who, (mu, contests, at) in newest(wanted.at).items()
        if contests >= wanted.least and (wanted.played_since is None or at >= wanted.played_since)
    }
    before = {who: mu for who, (mu, _contests, _at) in newest(wanted.since).items() if who in now}
    known = {who: now[who] for who in before}

    def place(mu: float, among: dict[int, float]) -> int:
        return 1 + sum(Belief(other, 1).shown > Belief(mu, 1).shown for other in among.values())

    fits = {
        who
        for player in board.players
        if not wanted.named or fit(wanted.named, player.name) is not None
        for who in counts_as(player)
    }
    order = sorted((who for who in now if who in fits), key=lambda who: (-now[who], who))
    return [
        (
            who,
            place(now[who], now),
            Belief(now[who], 1).shown,
            Belief(now[who], 1).shown - Belief(before[who], 1).shown if who in before else None,
            place(before[who], before) - place(known[who], known) if who in before else None,
        )
        for who in order
    ]


def random_lines(cast: Cast, rng: random.Random) -> None:
    """Lines of two clubs, of several editions and games; some people are hidden, merged or linked."""
    old_from = rng.choice([None, NOW - timedelta(hours=20)])  # whether lines of the first edition wait for deletion
    RatingBook.objects.create(pk=1, edition=2, old_from=old_from)
    players = [
        Player.objects.create(club=club, name=f"{club.slug} {number}", hidden=number == 3, guest=number == 4)
        for club in (cast.club, cast.other_club)
        for number in range(8)
    ]
    Player.objects.filter(pk=players[5].pk).update(merged_into=players[6])
    for one, other in ((players[0], players[9]), (players[1], players[11])):  # players[11] is hidden
        Player.objects.filter(pk__in=[one.pk, other.pk]).update(person=one)
    persons = dict(Player.objects.values_list("pk", "person"))
    for _line in range(120):
        player, game = rng.choice(players), rng.choice([TWO, OTHER])
        at = NOW - timedelta(hours=rng.randint(0, 40))
        match = Match.objects.create(
            club=player.club,
            game=game,
            options={},
            sheet={},
            offers={},
            status="finished",
            created_at=at,
            finished_at=at,
        )
        values = [
            {group: [25 + rng.randint(-9, 9) / 10, 8.0, 1500, rng.randint(1, 9), 1500, 1500, 500] for group in groups}
            or None
            for groups in (rng.choice([groups_of(game), ()]), rng.choice([groups_of(game), ()]))
        ]
        RatingLine.objects.create(
            match=match,
            player=player,
            person_id=persons[player.pk] or player.pk,
            game=game,
            at=at,
            values=values[0],
            everywhere=values[1],
            since=rng.randint(1, 3),
        )


@pytest.mark.parametrize("seed", range(6))
def test_rankings_agree_with_reading_every_line(cast: Cast, seed: int) -> None:
    rng = random.Random(seed)
    random_lines(cast, rng)
    server = of_server(Player.objects.all())
    guests_out = replace(server, players=server.players.filter(guest=False))
    for board in (of_club(cast.club), server, guests_out):
        for _asked in range(6):
            at = NOW - timedelta(hours=rng.randint(0, 40))
            wanted = Wanted(
                group=rng.choice([TWO, OTHER, FAMILY or TWO]),
                at=at,
                since=at - timedelta(hours=rng.randint(0, 20)),
                played_since=rng.choice([None, at - timedelta(hours=9)]),
                least=rng.choice([1, 3]),
                named=rng.choice(["", "", "rovers"]),
            )
            second = expected(board, wanted)
            skip, at_most = rng.choice([(0, None), (0, 3), (2, 3)])
            found, count = rankings.ranking(board, wanted, at_most=at_most, skip=skip)
            shown = [(each.person, each.place, each.rating.shown, each.moved, each.places) for each in found]
            assert shown == second[skip:][:at_most]
            assert count == (len(second) if shown else 0)
