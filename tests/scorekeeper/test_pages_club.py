"""The first run and the pages of a host, without scripts."""

import random
import re
from collections.abc import Callable
from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format

import games
from scorekeeper.access import Actor
from scorekeeper.events.night import Wish
from scorekeeper.models import Club, DeviceToken, Event, Job, Match, Membership, Player, Role, Table
from scorekeeper.pages.club import club as club_part
from scorekeeper.selectors.events import state_of
from scorekeeper.services import clubs, demo, draws, events, matches, people, removing
from tests.browsing import Browser
from tests.conftest import NOW, Cast, enter, names_for, plan_for
from tests.nights import at, drawn, first, night_of, played
from tests.scorekeeper.test_ratings_kept import OTHER, TWO, work_off
from tests.scorekeeper.test_ratings_kept import played as result

GAME = sorted(games.GAMES)[0]


@pytest.fixture
def setup_page(db: None) -> Browser:
    return Browser().open(reverse("setup", args=[clubs.setup_link(timezone.now())]))


@pytest.fixture
def host(as_user: Callable[[str], Client]) -> Browser:
    return Browser(as_user("director"))


@pytest.fixture
def _early_evenings(monkeypatch: pytest.MonkeyPatch) -> None:
    """A demonstration with few hands; test_demo.py makes a whole one."""
    monkeypatch.setattr(demo, "NIGHTS", ((1, 1), (1, 1)))


@pytest.mark.django_db
def test_before_there_is_a_club_the_first_page_says_how_to_make_one() -> None:
    assert "Make your club" in Browser().open("/").words


@pytest.mark.usefixtures("_early_evenings")
def test_while_there_is_no_club_anybody_may_look_at_a_demonstration(db: None) -> None:
    page = Browser().open("/").press("Open a demonstration club")
    assert page.path == reverse("club", args=["demo"])
    assert not Membership.objects.exists()
    assert not page.open("/").has_button("Open a demonstration club")
    assert "Make your club" in page.words
    assert page.post(*page.last_post).path == reverse("club", args=["demo"])  # a second tap
    assert Club.objects.count() == 1


def test_where_there_is_a_club_nobody_makes_a_demonstration(cast: Cast) -> None:
    page = Browser().open("/")
    assert not page.has_button("Open a demonstration club")
    assert page.post(reverse("demo_open"), {}).status == 404
    assert not Club.objects.filter(slug="demo").exists()


def test_the_link_makes_a_club_signs_its_owner_in_and_says_what_is_next(setup_page: Browser) -> None:
    setup_page.press("Make the club", club_name="Café Sur", host_name="Marta", password="correct horse")
    assert setup_page.path == reverse("club", args=["cafe-sur"])
    assert "Start your first night" in setup_page.words
    assert Membership.objects.get().role == Role.OWNER


def test_a_weak_password_is_refused_and_the_rest_stays(setup_page: Browser) -> None:
    assert "zone.js" in setup_page.markup, "the zone of the browser at first"
    kept = {"club_name": "Café Sur", "host_name": "Marta", "time_zone": "Europe/London"}
    setup_page.press("Make the club", **kept, password="password")
    assert setup_page.status == 422
    assert kept.items() <= {field for form in setup_page.forms for field in form.fields}
    assert "zone.js" not in setup_page.markup, "then what was chosen"
    assert not Club.objects.exists()


def test_the_link_works_once(setup_page: Browser) -> None:
    link = setup_page.path
    setup_page.press("Make the club", club_name="Sur", host_name="Marta", password="correct horse")
    setup_page.open(link)
    assert setup_page.status == 404
    assert "was already used" in setup_page.words


def test_an_owner_starts_another_club(cast: Cast, as_user: Callable[[str], Client]) -> None:
    page = Browser(as_user("owner")).open("/").follow("Start another club")
    assert page.path == reverse("club_new")
    page.press("Make the club", club_name="Lake Club", language="es", time_zone="Europe/Madrid")
    assert (page.path, page.status) == (reverse("club", args=["lake-club"]), 200)
    club = Club.objects.get(slug="lake-club")
    assert (club.language, club.time_zone) == ("es", "Europe/Madrid")
    assert [(each.user, each.role) for each in club.memberships.all()] == [(cast.users["owner"], Role.OWNER)]
    assert page.open("/account/").follow("Start another club").press("Make the club", club_name="").status == 422
    for who in ("director", "scorer", "player"):
        assert "Start another club" not in Browser(as_user(who)).open("/").words


def test_a_link_starts_a_club_of_somebody_with_an_account_or_without(
    cast: Cast, as_user: Callable[[str], Client]
) -> None:
    with_account, without = (reverse("setup", args=[clubs.setup_link(timezone.now())]) for _ in range(2))
    player = Browser(as_user("player")).open(with_account)
    assert f"You are signed in as {cast.users['player']}." in player.words
    assert not player.has_button("Open a demonstration club")
    assert player.press("Make the club", club_name="Lake Club").path == reverse("club", args=["lake-club"])
    assert Membership.objects.get(club__slug="lake-club").user == cast.users["player"]
    assert player.open(without).has_button("Make the club"), "another link is still good"
    assert player.open(with_account).follow("Start another club").path == reverse("club_new")
    visitor = Browser().open(without)
    assert visitor.follow("I have an account on this server").path == f"/login/?next={without}"
    visitor.open(without).press("Make the club", club_name="Hill Club", host_name="Marta", password="correct horse")
    assert "Start your first night" in visitor.words
    assert Membership.objects.get(club__slug="hill-club").user.username == "Marta"


def test_a_link_makes_no_demonstration_where_there_is_a_club(cast: Cast) -> None:
    link = reverse("setup", args=[clubs.setup_link(timezone.now())])
    assert Browser().post(link, {"demo": ["1"]}).status == 422
    assert not Club.objects.filter(slug="demo").exists()


def test_the_first_page_lists_the_visitors_own_clubs_first(cast: Cast, as_user: Callable[[str], Client]) -> None:
    for name in ("Éire Dominoes", "albion", "Zeta"):
        clubs.start_club(
            owner=cast.users["owner"] if name == "Zeta" else cast.users["stranger"], club_name=name, now=NOW
        )

    def listed(page: Browser) -> list[str]:
        return re.findall("Your clubs|Other clubs|albion|Éire|Rovers|Wanderers|Zeta", page.words)

    everybody = ["albion", "Éire", "Rovers", "Wanderers", "Zeta"]
    assert listed(Browser().open("/")) == everybody
    own = ["Your clubs", "Rovers", "Zeta", "Other clubs", "albion", "Éire", "Wanderers"]
    assert listed(Browser(as_user("owner")).open("/")) == own


def test_the_first_page_lists_the_nights_of_several_clubs(cast: Cast) -> None:
    nights = {
        club.name: events.start(club=club, players=[], guests=["Ana"], step=first(club.slug))
        for club in (cast.club, cast.other_club)
    }
    page = Browser().open("/")
    assert "Tonight Rovers Club night Wanderers Club night" in page.words
    assert page.follow("Wanderers Club night").path == reverse("night", args=[nights["Wanderers"].pk])


@pytest.mark.usefixtures("_early_evenings")
def test_the_link_opens_a_demonstration_club_and_stays_good(setup_page: Browser) -> None:
    link = setup_page.path
    setup_page.press("Open a demonstration club")
    assert demo.PLAYERS[0] in setup_page.words
    assert setup_page.open(link).has_button("Make the club")


def test_a_phone_sees_that_it_reaches_the_server(db: None) -> None:
    assert "This phone reaches the server." in Browser().open("/reach/").words


def test_somebody_with_one_club_comes_to_it_and_a_scorer_to_what_there_is_to_score(cast: Cast) -> None:
    night = night_of(cast, names=["Ada", "Bruno", "Carmen", "Dmitri"])
    cast.users["scorer"].set_password("long enough 7")
    cast.users["scorer"].save()
    scorer = Browser().open("/login/").press("Sign in", username="scorer", password="long enough 7")
    assert scorer.path == reverse("club", args=["rovers"])
    scorer.follow("Tables to score")
    assert (scorer.path, scorer.status) == (reverse("night_scorer", args=[night.pk]), 200)
    for path in (reverse("club", args=["rovers"]), reverse("night", args=[night.pk])):
        assert scorer.open(path).follow("Enter a paper sheet").status == 200
        assert scorer.open(path).follow("Tables to score").status == 200
        assert "Tables to score" not in Browser().open(path).words
    events.close(event_id=night.pk, open_matches="abandon", step=at(night, "close"))
    for path in (reverse("club", args=["rovers"]), reverse("night", args=[night.pk])):
        assert scorer.open(path).follow("Enter a paper sheet").status == 200
        assert "Tables to score" not in scorer.open(path).words


def test_several_players_are_added_at_once(cast: Cast, host: Browser) -> None:
    host.open(reverse("club_players", args=["rovers"])).press("Add", names="Eva\n\n Félix \nGil")
    assert [p.name for p in Player.objects.filter(club=cast.club)] == ["Eva", "Félix", "Gil"]
    assert "Félix" in host.words


def test_a_list_says_how_many_were_added_and_who_was_here(cast: Cast, host: Browser) -> None:
    Player.objects.create(club=cast.club, name="Eva")
    host.open(reverse("club_players", args=["rovers"])).press("Add", names="Eva\nGil\nGil\nHugo")
    assert host.status == 200
    assert "2 players added. Already here: Eva." in host.words
    assert [p.name for p in cast.club.players.order_by("name")] == ["Eva", "Gil", "Hugo"]


def test_what_is_no_name_stays_in_the_field_and_the_others_are_added(cast: Cast, host: Browser) -> None:
    host.open(reverse("club_players", args=["rovers"])).press("Add", names=f"Gil\n{'x' * 81}")
    assert host.status == 422
    assert "1 player added." in host.words
    assert next(v for form in host.forms for name, v in form.fields if name == "names").split() == ["x" * 81]
    assert cast.club.players.get().name == "Gil"


def test_a_wrong_name_is_mended_and_matches_keep_it(cast: Cast, host: Browser) -> None:
    for name in ("Anna", "Eva"):
        Player.objects.create(club=cast.club, name=name)
    match = matches.open_match(
        table=cast.table, game=GAME, options={}, players=["Anna", *names_for(GAME)[1:]], by=Actor(), now=NOW
    )
    anna = cast.club.players.get(name="Anna")
    host.open(reverse("club_player", args=["rovers", anna.pk])).press("Rename", name="Eva")
    assert host.status == 422
    assert "The club already has a player called Eva." in host.words
    host.press("Rename", name="Ana")
    assert [p.name for p in cast.club.players.filter(guest=False).order_by("name")] == ["Ana", "Eva"]
    seat = match.seats.get(number=0)
    assert (seat.name, seat.player.name) == ("Anna", "Ana")


def test_nobody_renames_the_players_of_another_club(cast: Cast, host: Browser) -> None:
    stranger = cast.other_club.players.get(name="Ana")
    path = reverse("club_player", args=["rovers", stranger.pk])
    assert host.post(path, {"do": ["rename"], "name": ["X"]}).status == 404
    stranger.refresh_from_db()
    assert stranger.name == "Ana"


def test_a_table_gets_the_next_number_and_its_own_code(cast: Cast, host: Browser) -> None:
    host.open(reverse("club_tables", args=["rovers"])).press("Make a table", name="By the window")
    assert Table.objects.filter(club=cast.club, number=3, name="By the window").exists()
    host.press("QR code")
    assert "<svg" in host.answer.content.decode()
    device = DeviceToken.objects.get()
    assert device.short
    assert f"type: {device.short}" in host.words
    assert "data-print" in host.markup
    host.press("Renew the code").press("Renew the code")
    assert f"type: {DeviceToken.objects.get(revoked_at=None).short}" in host.words
    device.refresh_from_db()
    assert device.revoked_at


def test_the_code_carries_an_address_that_lets_a_phone_record(cast: Cast, host: Browser) -> None:
    host.open(reverse("table_qr", args=[cast.table.pk])).press("Show the QR code")
    address = next(word for word in host.words.split() if "/t/" in word)
    phone = Browser().open("/t/" + address.split("/t/")[1])
    assert phone.path == reverse("table", args=[cast.table.pk])
    assert "Start a match" in phone.words


def test_all_codes_are_printed_on_one_page(cast: Cast, host: Browser) -> None:
    host.open(reverse("club_tables", args=["rovers"])).press("QR codes of all")
    assert host.answer.content.decode().count("<article") == 2
    printed = {*DeviceToken.objects.values_list("short", flat=True)}
    host.open(reverse("club_tables", args=["rovers"])).press("Renew all codes").press("Renew all codes")
    assert host.answer.content.decode().count("<article") == 2
    valid = {*DeviceToken.objects.filter(revoked_at=None).values_list("short", flat=True)}
    assert (len(valid), valid & printed) == (2, set())


def test_a_host_closes_and_opens_a_table(cast: Cast, host: Browser) -> None:
    host.open(reverse("club_tables", args=["rovers"])).press("Close")
    cast.table.refresh_from_db()
    assert not cast.table.open
    host.press("Open")
    cast.table.refresh_from_db()
    assert cast.table.open


def test_the_club_shows_its_tables_matches_and_points(cast: Cast) -> None:
    match = enter(cast.open(GAME, hands=1), plan_for(GAME, hands=1))
    page = Browser().open(reverse("club", args=["rovers"]))
    assert "Ana" in page.words
    assert all(str(points) in page.words for points in match.sheet["totals"])
    assert match.get_status_display() in page.words


def test_older_matches_are_a_page_away(cast: Cast) -> None:
    opened = [cast.open(GAME).pk for _ in range(23)]
    page = Browser().open(reverse("club", args=["rovers"]))
    first = [href for href, _text in page._read.links if href.startswith("/matches/")]
    page.follow("Older matches")
    rest = [href for href, _text in page._read.links if href.startswith("/matches/")]
    assert first + rest == [reverse("match", args=[pk]) for pk in reversed(opened)]
    page.follow("Newest matches")
    assert page.status == 200


def test_an_archive_is_asked_for_watched_and_cancelled(cast: Cast, host: Browser) -> None:
    cast.open(GAME)
    host.open(reverse("club", args=["rovers"])).press("Archive of all matches")
    job = Job.objects.get()
    assert host.path == reverse("job", args=[job.pk])
    assert "Waiting to start" in host.words
    host.press("Cancel")
    assert "Cancelled" in host.words
    assert host.has_button("Make the archive again")


def test_an_archive_on_its_way_shows_how_far_it_is(cast: Cast, host: Browser) -> None:
    cast.open(GAME)
    host.open(reverse("club", args=["rovers"])).press("Archive of all matches")
    Job.objects.update(state=Job.State.RUNNING, progress=1200, total=5000)
    assert "1200 of 5000 matches" in host.open(host.path).words


def test_missing_pages_say_so_in_plain_words(db: None) -> None:
    page = Browser().open("/clubs/nowhere/")
    assert page.status == 404
    assert "Page not found" in page.words


def test_a_page_may_be_turned_into_spanish_and_back(cast: Cast) -> None:
    page = Browser().open(reverse("club", args=["rovers"]))
    page.press("Español")
    assert "En las mesas" in page.words
    assert 'lang="es"' in page.answer.content.decode()
    page.press("English")
    assert "At the tables" in page.words


def test_no_page_has_a_script_or_style_of_its_own(cast: Cast, host: Browser) -> None:
    """The content security policy forbids inline scripts and styles."""
    match = enter(cast.open(GAME), plan_for(GAME)[:5])
    for path in (
        "/",
        reverse("club", args=["rovers"]),
        reverse("club_tables", args=["rovers"]),
        reverse("table", args=[cast.table.pk]),
        reverse("table_watch", args=[cast.table.pk]),
        reverse("match", args=[match.pk]),
        reverse("match_new", args=[cast.table.pk]) + f"?game={GAME}",
    ):
        text = host.open(path).answer.content.decode()
        assert "<style" not in text
        assert " style=" not in text
        assert " onclick=" not in text
        assert "<script>" not in text


def test_names_are_shown_as_they_are_written(cast: Cast) -> None:
    Player.objects.create(club=cast.club, name="<b>Eva</b> & Co")
    text = Browser().open(reverse("club", args=["rovers"])).answer.content.decode()
    assert "&lt;b&gt;Eva&lt;/b&gt; &amp; Co" in text


def test_the_clubs_page_asks_as_much_of_ten_matches_as_of_two(
    cast: Cast, django_assert_num_queries: Callable[..., object]
) -> None:
    client = Client()
    path = reverse("club", args=["rovers"])
    for number in (2, 10):
        while Match.objects.count() < number:
            cast.open(GAME)
        with django_assert_num_queries(13 if number == 2 else 12):  # the leaders are drawn once
            client.get(path)


def played_night(cast: Cast, *, ago: timedelta = timedelta(0), people: int = 4, close: bool = True) -> Event:
    """A night at which two of the people play a match of one hand."""
    now = NOW - ago
    names = tuple(f"Player {number}" for number in range(people))
    known = list(Player.objects.filter(club=cast.club, name__in=names).values_list("pk", flat=True))
    night = events.start(club=cast.club, players=known, guests=names[len(known) :], step=first(f"s{ago}", now))
    wish = Wish(games.GAMES[GAME], tables=1)
    events.set_game(
        event_id=night.pk, game=games.GAMES[GAME], options={"hands": 1}, minutes=None, step=at(night, f"g{ago}", now)
    )
    draws.draw(event=night, wishes=(wish,), rng=random.Random(1), step=at(night, f"d{ago}", now))
    for match in events.seat(event_id=night.pk, step=at(night, f"r{ago}", now)):
        enter(match, plan_for(GAME, hands=1))
    if close:
        events.close(event_id=night.pk, open_matches=None, step=at(night, f"c{ago}", now))
    return night


def test_a_clubs_nights_the_newest_first_and_tonight(cast: Cast, host: Browser) -> None:
    path = reverse("club", args=["rovers"])
    page = Browser().open(path)
    assert "No nights yet" in page.words
    assert "Tonight" not in page.words
    assert host.open(path).follow("Start a night").path == reverse("night_new", args=["rovers"])
    ids = [played_night(cast, ago=timedelta(days=days), close=days > 0).pk for days in range(8, -1, -1)][::-1]
    page.open(path)
    shown = [href for href, _text in page._read.links if href.startswith("/nights/")]
    assert shown == [reverse("night", args=[pk]) for pk in (ids[0], *ids[:6])]
    assert page.words.count("4 players · 1 match") == 6
    page.follow("Follow the night")
    assert page.path == reverse("night", args=[ids[0]])
    page.open(path).follow("All nights")
    assert [href for href, _text in page._read.links if href.startswith("/nights/")][1:] == [
        reverse("night", args=[pk]) for pk in ids
    ]
    assert host.open(path).follow("Host's desk").path == reverse("night_desk", args=[ids[0]])


def test_a_night_counts_each_person_and_each_match_once(cast: Cast) -> None:
    night = night_of(cast, names=["Ada", "Bruno", "Carmen", "Dmitri", "Elena"], hands=2)
    match = night.matches.get()
    enter(match, [{"kind": "substitute", "seat": 0, "from": 0, "player": "Farid"}])
    enter(match, [{"kind": "result", "totals": [90, 10, 90, 10], "stopped": "early"}])
    page, path = Browser(), reverse("club", args=["rovers"])
    assert "6 players · 1 match " in page.open(path).words  # one sat out, and Farid came as a substitute

    twice, blank = (
        matches.open_match(
            table=cast.table, game=GAME, options={}, players=["Gus", "Hal"], by=Actor(), now=NOW, parallel=True
        )
        for _number in range(2)
    )
    Match.objects.filter(pk__in=[twice.pk, blank.pk]).update(event=night)
    enter(twice, [{"kind": "result", "totals": [90, 10], "stopped": "early"}])
    assert "8 players · 3 matches" in page.open(path).words
    enter(blank, [{"kind": "stop", "stopped": "abandoned"}])
    assert "8 players · 2 matches" in page.open(path).words
    removing.remove(match_id=twice.pk, why="Typed twice", now=NOW, by=None)
    removing.remove(match_id=blank.pk, why="Nobody played", now=NOW, by=None)
    assert "6 players · 1 match " in page.open(path).words

    events.close(event_id=night.pk, open_matches=None, step=at(night, "close"))
    out = next(player for player in night.club.players.filter(entries__event=night) if not player.seats.exists())
    people.merge(club=cast.club, player_id=Player.objects.get(name="Farid").pk, into_id=out.pk, now=NOW)
    assert "5 players · 1 match " in page.open(path).words


def test_who_won_how_much_by_game(cast: Cast) -> None:
    path = reverse("club", args=["rovers"])
    page = Browser().open(path)
    assert "No match has finished yet" in page.words
    other = sorted(games.GAMES)[1]
    enter(cast.open(GAME, hands=1), plan_for(GAME, hands=1))
    for _ in range(2):
        enter(cast.open(other), [{"kind": "result", "totals": list(range(len(names_for(other)))), "stopped": "early"}])
    assert "2 without hands" in page.open(path).words
    page.follow(games.GAMES[GAME].name)
    assert "without hands" not in page.words.partition("Matches won and points")[2].partition("Matches")[0]
    assert "2 without hands" in page.open(f"{path}?game=none-of-them").words


def test_a_game_of_which_nothing_counts_says_so(cast: Cast) -> None:
    enter(cast.open(GAME), [{"kind": "stop", "stopped": "abandoned"}])
    page = Browser().open(reverse("club", args=["rovers"]))
    assert "None of these matches counts" in page.words
    assert "abandoned" in page.words.partition("Matches")[0]
    assert "stopped" not in page.words


@pytest.mark.parametrize("number", [2, 8])
def test_the_price_of_a_clubs_page(cast: Cast, number: int, django_assert_num_queries: Callable[..., object]) -> None:
    for days in range(number, 0, -1):
        played_night(cast, ago=timedelta(days=days), people=4 + number)
    work_off()
    with django_assert_num_queries(18):
        Client().get(reverse("club", args=["rovers"]))


def test_the_best_five_lead_and_their_places_follow_the_matches(cast: Cast) -> None:
    path, now = reverse("club", args=["rovers"]), timezone.now()
    assert "Leaders" not in Browser().open(path).words
    for names in (("Ana", "Bo"), ("Cleo", "Dan"), ("Eva", "Finn")):
        result(cast, TWO, names, [90, 10], now - timedelta(days=2))
    result(cast, OTHER, ("Bo", "Ana"), [90, 10], now - timedelta(days=2))
    cast.club.events.create(kind="night", started_at=now - timedelta(days=1), closed_at=now)
    work_off()
    cast.club.players.filter(name="Eva").update(hidden=True)

    def leaders(markup: str) -> list[list[str]]:
        """The name and the points won since the last night began."""
        rows = markup.partition('id="leaders"')[2].partition("</section>")[0].split("<tr>")[2:]
        return [re.findall(r"<bdi>(\w+)|won\">\s*(?:<span class=\"soft\">)?(\S+?)\s*<", row) for row in rows]

    def read(markup: str) -> list[tuple[str, str]]:
        return [(found[0][0], found[1][1]) for found in leaders(markup)]

    first = read(Browser().open(path).markup)
    assert len(first) == 5
    assert {won for _name, won in first} == {"0"}
    assert "Eva" not in dict(first)
    assert first[0][0] == "Cleo"
    page = Browser().open(path)
    for link in ("ranking", "seasons", "records"):
        assert f"{path}{link}/" in page.markup.partition('id="club"')[0]

    result(cast, TWO, ("Bo", "Cleo"), [90, 10], now)
    work_off()
    after = read(club_part("club", cast.club.pk))
    assert after == read(page.open(path).markup)
    assert after[0][0] == "Bo"
    assert dict(after)["Bo"].startswith("+")
    assert dict(after)["Cleo"].startswith("−")


def test_names_on_a_clubs_page_lead_to_the_players(cast: Cast) -> None:
    result(cast, TWO, ("Ana", "Bo"), [90, 10], timezone.now())
    cast.club.players.filter(name="Bo").update(hidden=True)
    ana, bo = cast.club.players.get(name="Ana"), cast.club.players.get(name="Bo")
    work_off()
    page = Browser().open(reverse("club", args=["rovers"]))
    assert f"since {date_format(timezone.localtime() - timedelta(days=7), 'j M')}" in page.words, "there was no night"
    assert page.markup.count(f'href="{reverse("player", args=[ana.pk])}"') == 3  # also among the leaders
    assert reverse("player", args=[bo.pk]) not in page.markup


def test_followers_of_a_club_get_tables_and_matches(cast: Cast) -> None:
    cast.open(GAME)
    sent = club_part("club", cast.club.pk)
    page = Client().get(reverse("club", args=["rovers"])).content.decode()
    assert all(
        sent.count(f'id="{part}"') == page.count(f'id="{part}"') == 1
        for part in ("club", "matches", "tonight", "leaders")
    )


def test_during_a_night_tables_show_no_result_of_an_earlier_one(cast: Cast) -> None:
    earlier = night_of(cast, 8)
    for match in earlier.matches.all():
        played(match)
    page = Browser().open(reverse("club", args=["rovers"]))
    assert page.words.split("Matches")[0].count("Domino Whist") == 2
    events.close(event_id=earlier.pk, open_matches=None, step=at(earlier, "close"))
    people = [*state_of(earlier).here]
    tonight = events.start(club=cast.club, players=people[:4], step=at(earlier, "next"))
    drawn(tonight)
    events.seat(event_id=tonight.pk, step=at(tonight, "seat"))
    tables = page.open(page.path).words.split("Matches")[0]
    assert (tables.count("Domino Whist"), tables.count("free")) == (1, 1)
