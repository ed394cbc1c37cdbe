"""Leagues through the services: a season from its first fixture to the next season."""

import random
import re
from collections.abc import Callable
from datetime import UTC, date, datetime, time, timedelta
from fractions import Fraction
from zoneinfo import ZoneInfo

import pytest
from django.test import Client

from games.errors import Malformed
from scorekeeper.forms.entrants import named
from scorekeeper.forms.tournaments import BY_OPPONENTS, HEADS
from scorekeeper.models import Event, Match, Player
from scorekeeper.pages.compared import compared
from scorekeeper.selectors.events import results_now
from scorekeeper.selectors.leagues import (
    State,
    champions,
    league_in,
    moved_since_the_end,
    name_after,
    promoted,
    season_after,
    series_of,
    team_name,
    undecided,
)
from scorekeeper.selectors.matches import position
from scorekeeper.services import events, leagues
from scorekeeper.services.errors import Refused
from scorekeeper.services.setups import BadSetup
from scorekeeper.services.typed_results import entry_replacing
from tests.browsing import Browser
from tests.calendars import appointments
from tests.conftest import NOW, Cast
from tests.leagues import TOMORROW, begun, divided, fixture_between, fixtures_of, points_of, setup_of, typed
from tests.nights import at
from tests.tournaments import commanded, played

TOP, LOW = ["Ana", "Bo", "Cleo", "Dan"], ["Eva", "Finn", "Gus", "Hana"]


def now_of(event: Event) -> Event:
    return Event.objects.select_related("club").get(pk=event.pk)


def test_a_season_and_the_next_one(cast: Cast) -> None:
    event = begun(cast, {"First": TOP, "Second": LOW})
    assert len(league_in(event).fixtures) == 12
    ana_bo, ana_cleo = fixture_between(event, "Ana", "Bo"), fixture_between(event, "Ana", "Cleo")
    later = datetime.combine(TOMORROW + timedelta(days=40), time(20), ZoneInfo("UTC"))
    leagues.set_date(event_id=event.pk, fixture=ana_bo, at=None, reason="snow", step=at(event, "snow"))
    assert fixtures_of(event)[ana_bo].state == State.POSTPONED
    leagues.set_date(event_id=event.pk, fixture=ana_bo, at=later, step=at(event, "later"))
    found = fixtures_of(event)[ana_bo]
    assert (found.fixture.at, found.fixture.postponed, found.fixture.changes) == (later, "snow", 2)
    # One is played at a table, the others are typed; one is given up.
    match = leagues.play(event_id=event.pk, fixture=ana_cleo, table=cast.table.number, step=at(event, "play"))
    assert (match.event_id, match.round) == (event.pk, ana_cleo)
    assert fixtures_of(event)[ana_cleo].state == State.PLAYING
    played(match)
    assert fixtures_of(event)[ana_cleo].state == State.PLAYED
    finn_gus = fixture_between(event, "Finn", "Gus")
    sides = league_in(event).fixtures[finn_gus].sides
    leagues.give_up(event_id=event.pk, fixture=finn_gus, absent=[1], reason="ill", step=at(event, "ill"))
    names = {number: team_name(results_now(now_of(event)), number) for number in range(1, 9)}
    assert points_of(event)[1][names[sides[0]]] == "2"
    for number, each in fixtures_of(event).items():
        if each.open:
            best_at_home = each.fixture.home < each.fixture.away
            typed(event, number, *((100, 20) if best_at_home else (20, 100)))
    first = min(fixtures_of(event))
    before = points_of(event)
    home, away = fixtures_of(event)[first].totals or (0, 0)
    typed(event, first, away, home, why="the sheet was upside down")
    assert points_of(event) != before
    events.undo(event_id=event.pk, step=at(event, "undo"))
    assert points_of(event) == before
    leagues.close(event_id=event.pk, early=False, step=at(event, "close"))
    snapshot = results_now(now_of(event))
    top, low = (list(names) for names in points_of(event))
    assert champions(snapshot) == [top[0]]
    proposed = [[team_name(snapshot, each) for each in division] for division in promoted(snapshot)]
    assert proposed == [[*top[:3], low[0]], [top[3], *low[1:]]]
    following = leagues.next_season(
        event_id=event.pk,
        name="Spring league",
        setup=setup_of(),
        divisions=[(f"Division {at}", [named(name) for name in names]) for at, names in enumerate(proposed, 1)],
        step=at(event, "next"),
    )
    assert league_in(following).setup["series"] == event.pk
    assert [*series_of(following, league_in(following), host=True)] == [following, event], "each of them once"
    assert [len(each.entrants) for each in league_in(following).divisions] == [4, 4]
    assert {row.player_id for row in following.entrants.all()} == {row.player_id for row in event.entrants.all()}


def test_equals_of_whom_not_all_go_up_are_named(cast: Cast, as_user: Callable[[str], Client]) -> None:
    divisions = {"First": ["Ana", "Bo"], "Second": ["Cleo", "Dan", "Eva"]}
    event = begun(cast, divisions, up=1, down=1, order=["points", "difference"])
    beats = {(3, 4), (4, 5), (5, 3), (1, 2)}
    for number, each in fixtures_of(event).items():
        typed(event, number, *((100, 20) if each.fixture.sides in beats else (20, 100)))
    leagues.close(event_id=event.pk, early=False, step=at(event, "close"))
    page = Browser().open(f"/leagues/{event.pk}/")
    assert page.words.count("▲▼ equal with others: who moves is open") == 3
    assert page.words.count("▼ goes down") == 1
    following = Browser(as_user("director")).open(f"/leagues/{event.pk}/next/")
    assert "Cleo, Dan and Eva are equal by all criteria, but do not all move the same way." in following.words
    assert following.words.count("are equal by all criteria") == 1


def test_equals_in_the_middle_are_named_once(cast: Cast) -> None:
    names = [["Ana", "Bo"], ["Cleo", "Dan"], ["Eva", "Finn"]]
    event = begun(cast, dict(zip("ABC", names, strict=True)), up=1, down=1, order=["points", "difference"])
    for number, each in fixtures_of(event).items():
        typed(event, number, *((50, 50) if 3 in each.fixture.sides else (100, 20)))
    assert undecided(results_now(now_of(event))) == [[3, 4]]


@pytest.mark.parametrize(("played_before", "annulled"), [(1, True), (2, False)])
def test_who_leaves_before_half_of_their_fixtures_counts_no_more(
    cast: Cast, played_before: int, annulled: bool
) -> None:
    event = begun(cast, {"First": TOP})
    theirs = league_in(event).fixtures_of(1)
    for each in theirs[:played_before]:
        typed(event, each.number, *((100, 20) if each.home == 1 else (20, 100)))
    leagues.withdraw(event_id=event.pk, entrant=1, step=at(event, "leave"))
    states = [fixtures_of(event)[each.number].state for each in theirs]
    table = points_of(event)[0]
    if annulled:
        assert states == [State.ANNULLED] * 3
        assert table == {"Bo": "0", "Cleo": "0", "Dan": "0"}
    else:
        assert states == [State.PLAYED, State.PLAYED, State.GIVEN_UP]
        assert sorted(table.values()) == ["0", "0", "2", "4"]
    with pytest.raises(Refused, match="have left already"):
        leagues.withdraw(event_id=event.pk, entrant=1, step=at(event, "again"))


@pytest.mark.parametrize(
    ("game", "way", "says"),
    [
        ("draw", "pairs", "Draw has no leagues of pairs. Choose other entrants below"),
        ("domino-whist", "heads", "Domino Whist has no leagues of single players."),
        ("draw", "heads", ""),
        ("domino-whist", "pairs", ""),
        ("draw", "teams", ""),
        ("draw", "nobody", ""),
    ],
)
def test_entrants_who_do_not_fit_the_game_are_refused_in_words(cast: Cast, game: str, way: str, says: str) -> None:
    page = cast.browser("director").get(f"/clubs/{cast.club.slug}/leagues/new/?way={way}&game={game}&meeting=swiss")
    assert page.status_code == (422 if says else 200)
    assert says in page.content.decode()
    assert ("has no leagues of" in page.content.decode()) == bool(says)


def test_a_host_runs_a_league_in_the_browser(cast: Cast) -> None:
    host = cast.browser("director")
    form = host.get(f"/clubs/{cast.club.slug}/leagues/new/?game=block")
    assert form.status_code == 200
    assert "scorekeeper/setup.js" in form.content.decode(), "it makes ticks of the numbers of the criteria"
    sent = {name: value for name, value in form.context["form"].initial.items() if value not in (None, False)}
    made = host.post(f"/clubs/{cast.club.slug}/leagues/new/", {**sent, "name": "Winter", "legs": 1, "game": "block"})
    assert made.status_code == 302, made.content.decode()
    event = Event.objects.get(kind=Event.Kind.LEAGUE)
    home = f"/leagues/{event.pk}/"
    divisions = {"division": ["First", ""], "entrants": ["Ana\nBo", ""], "seen": 1}
    assert host.post(f"{home}divisions/", {**divisions, "entrants": ["Ana", ""]}).status_code == 422
    assert host.post(f"{home}divisions/", divisions).status_code == 302
    assert b"Fixtures as they would be" in host.get(f"{home}desk/").content
    assert host.post(f"{home}desk/", {"do": "close", "seen": 2}).status_code == 422
    assert host.post(f"{home}desk/", {"do": "fixtures", "seen": 2}).status_code == 302
    assert host.get(f"{home}fixtures/1/").status_code == 200
    assert host.post(f"{home}fixtures/1/", {"do": "score", "home": "", "away": "1", "seen": 3}).status_code == 422
    result = {"do": "score", "home": "100", "away": "40", "early": "yes", "ahead": "yes", "seen": 3}
    desk = host.post(f"{home}fixtures/1/", result, follow=True).content.decode()
    assert "Saved: result typed (Ana – Bo)." in desk
    assert re.search(r"Undo: result typed \(Ana – Bo\)", desk)
    undone = host.post(f"{home}desk/", {"do": "undo", "seen": 4}, follow=True).content.decode()
    assert "Undone: result typed (Ana – Bo)." in undone
    assert host.post(f"{home}fixtures/1/", {**result, "seen": 5}).status_code == 302
    open_still = host.get(f"{home}next/", follow=True).content.decode()
    assert "This season is not closed. Play all fixtures, then close it." in open_still
    assert host.post(f"{home}desk/", {"do": "close", "seen": 6}).status_code == 302
    public = Client().get(home).content.decode()
    assert "100" in public
    assert "Champion: " in public
    assert b"Champion: " in Client().get(f"/clubs/{cast.club.slug}/leagues/").content
    assert Client().get(f"{home}entrants/1/").status_code == 200
    assert Client().get(f"{home}desk/").status_code == 403
    proposed = host.get(f"{home}next/")
    assert proposed.context["divisions"][0] == ("First", "\n".join(points_of(event)[0]))
    assert proposed.context["name"] == "Winter 2"
    assert proposed.context["first"] > max(each.fixture.planned for each in fixtures_of(event).values()).isoformat()
    audit = host.get(f"/clubs/{cast.club.slug}/audit/").content.decode()
    for words in ("set up the league", "entered the divisions", "made the fixtures", "closed the season"):
        assert words in audit
    assert "the tournament" not in audit
    assert "the night" not in audit
    assert f'href="{home}">the league</a>' in audit
    following = {**divisions, "name": "Spring", "first": (date.today() + timedelta(days=3)).isoformat(), "seen": 5}
    assert host.post(f"{home}next/", following).status_code == 302
    made = Event.objects.filter(kind=Event.Kind.LEAGUE).latest("pk")
    for again in (host.get(f"{home}next/"), host.post(f"{home}next/", {**following, "key": "another"})):
        assert (again.status_code, again["Location"]) == (302, f"/leagues/{made.pk}/desk/")
    with pytest.raises(Refused, match="made already: Spring"):
        leagues.next_season(event_id=event.pk, name="No", setup=setup_of(), divisions=[], step=at(event, "second"))
    assert Event.objects.filter(kind=Event.Kind.LEAGUE).count() == 2
    file = Client().get(f"{home}file.json").content
    assert [row["values"]["points"] for row in commanded(file)["stages"][0]["rows"]] == ["2", "0"]


def test_a_table_shows_head_to_head_only_where_it_compares_somebody(cast: Cast) -> None:
    event = begun(cast, {"First": TOP})
    for winner, loser in (("Ana", "Bo"), ("Ana", "Cleo"), ("Bo", "Cleo"), ("Cleo", "Dan")):
        number = fixture_between(event, winner, loser)
        one, other = fixtures_of(event)[number].fixture.sides
        typed(event, number, 10 * (one < other), 10 * (other < one))
    shown = re.findall(r'data-label="Head to head">([^<]*)<', Browser().open(f"/leagues/{event.pk}/").markup)
    assert [each.strip() for each in shown] == ["–", "1", "2", "–"]


def test_usual_criteria_follow_the_system_and_chosen_ones_stay(cast: Cast) -> None:
    host = Browser(cast.browser("director")).open(
        f"/clubs/{cast.club.slug}/leagues/new/?game=block&meeting=round-robin"
    )
    host.press("Set up the league", name="Cup", meeting="swiss", legs="1")
    event = Event.objects.get(name="Cup")
    assert league_in(event).setup["order"] == BY_OPPONENTS
    setup = f"/leagues/{event.pk}/setup/"
    assert "setup.js" in host.open(setup).markup, "with scripts, it shows which criteria count"
    host.open(setup).press("Save", meeting="round-robin")
    assert league_in(now_of(event)).setup["order"] == HEADS
    host.open(setup).press("Save", **{f"order-{HEADS[-1]}": ""})
    host.open(setup).press("Save", meeting="swiss")
    assert league_in(now_of(event)).setup["order"] == HEADS[:-1], "a host chose them"


def test_a_league_may_be_under_way_but_not_begin_after_the_calendar(cast: Cast) -> None:
    event = divided(cast, {"First": ["Ana", "Bo"]}, first="2020-01-01")
    desk = f"/leagues/{event.pk}/desk/"
    assert "days are over already" in cast.browser("director").get(desk).content.decode()
    leagues.make_fixtures(event_id=event.pk, step=at(event, "fixtures"))
    assert fixtures_of(event)[1].overdue(NOW)
    for first in ("2200-01-01", "9999-12-31"):
        with pytest.raises(BadSetup, match="before the year 2200"):
            divided(cast, {"Second": ["Ana", "Bo"]}, first=first)
    late = datetime.max.replace(tzinfo=UTC)
    with pytest.raises(Refused, match="before the year 2200"):
        leagues.set_date(event_id=event.pk, fixture=1, at=late, step=at(event, "late"))


@pytest.mark.parametrize(
    ("name", "following"),
    [("Autumn 2026", "Autumn 2027"), ("2026/27", "2027/28"), ("League 09", "League 10"), ("Winter", "Winter 2")],
)
def test_the_next_season_has_another_name(name: str, following: str) -> None:
    assert name_after(name) == following


def test_a_played_fixture_offers_only_what_is_allowed_and_nobody_moves_before_a_result(cast: Cast) -> None:
    event = begun(cast, {"First": TOP, "Second": LOW})
    leagues.set_date(event_id=event.pk, fixture=1, at=None, reason="snow", step=at(event, "snow"))
    host, home = cast.browser("director"), f"/leagues/{event.pk}/"
    page, public = f"{home}fixtures/1/", Client()
    before = host.get(page).content.decode()
    assert "the most win" in before
    cast.club.tables.exclude(pk=cast.table.pk).delete()
    leagues.play(event_id=event.pk, fixture=2, table=cast.table.number, step=at(event, "play"))
    full = host.get(page).content.decode()
    assert "No table is free now." in full
    assert 'value="play"' not in full
    table = public.get(home)
    assert "goes up" not in table.content.decode()
    first = [value for _label, value in table.context["tables"][0].rows[0].figures]
    assert first == ["0", "–", "0"], "no head to head before a match"
    kept = {"home": "77", "away": "", "seen": Event.objects.get(pk=event.pk).length}
    refused = host.post(page, {"do": "score", **kept}).content.decode()
    assert 'value="77"' in refused
    moved = host.post(page, {"do": "date", "day": "2020-02-03", "time": "18:45", "where": "Bar", **kept})
    assert all(f'value="{each}"' in moved.content.decode() for each in ("2020-02-03", "18:45", "Bar"))
    behind = host.post(page, {"do": "absent", "absent": "1", "reason": "ill", "seen": "0"}).content.decode()
    assert 'value="1" checked' in behind
    assert 'value="ill"' in behind
    typed(event, 1, 100, 20)
    after = host.get(page).content.decode()
    for words, offered in (("no date yet", 0), ('value="date"', 0), ('value="absent"', 0), ('value="score"', 1)):
        assert (before.count(words), after.count(words)) == (1, offered)
    text = public.get(home).content.decode()
    assert "would go down now" in text
    assert "no date yet" not in text


def test_a_player_starts_and_types_their_own_fixture_if_the_league_allows_it(cast: Cast) -> None:
    event = begun(cast, {"First": ["Ana", "Bo", "Cleo"]}, by_players=True)
    Player.objects.filter(name="Ana").update(user=cast.users["player"])
    theirs, other = fixture_between(event, "Ana", "Bo"), fixture_between(event, "Cleo", "Bo")
    player, at_home = cast.browser("player"), f"/leagues/{event.pk}/fixtures/"
    assert player.get(f"{at_home}{theirs}/").status_code == 200
    assert player.get(f"{at_home}{other}/").status_code == 403
    length = Event.objects.get(pk=event.pk).length
    result = {"do": "score", "home": "90", "away": "10", "early": "yes", "seen": length}
    assert player.post(f"{at_home}{other}/", result).status_code == 403
    assert player.post(f"{at_home}{theirs}/", {"do": "absent", "absent": "0", "seen": length}).status_code == 404
    assert player.post(f"{at_home}{theirs}/", result).status_code == 302
    assert fixtures_of(event)[theirs].totals == (90, 10)


def test_a_result_before_the_day_of_its_fixture_asks_first(cast: Cast) -> None:
    event = begun(cast, {"First": ["Ana", "Bo"]}, first=(date.today() + timedelta(days=7)).isoformat())
    host = Browser(cast.browser("director")).open(f"/leagues/{event.pk}/fixtures/1/")
    result = {"home": "100", "away": "40", "early": "yes"}
    host.press("Save the result", **result)
    assert (host.status, fixtures_of(event)[1].state) == (422, State.PLANNED)
    assert "The day of this fixture is still to come." in host.words
    host.press("Save the result", **result, ahead="yes")
    assert fixtures_of(event)[1].totals == (100, 40)
    again = Browser(cast.browser("director")).open(f"/leagues/{event.pk}/fixtures/1/")
    assert "before the day" not in again.words, "a correction does not ask"


def test_a_player_finds_the_way_to_their_own_fixtures(cast: Cast) -> None:
    """Also if the row that they claimed was merged with the one that plays."""
    event = begun(cast, {"First": ["Ana", "Bo", "Cleo"]}, by_players=True)
    ana = cast.club.players.get(name="Ana")
    claimed = cast.club.players.create(name="Anna", user=cast.users["player"], merged_into=ana)
    theirs, other = fixture_between(event, "Ana", "Bo"), fixture_between(event, "Cleo", "Bo")
    pages = (f"/leagues/{event.pk}/", f"/leagues/{event.pk}/entrants/1/", f"/players/{ana.pk}/")
    for page in pages:
        shown = cast.browser("player").get(page).content.decode()
        assert f'href="/leagues/{event.pk}/fixtures/{theirs}/"' in shown, page
        assert f"fixtures/{other}/" not in shown
        assert "/fixtures/" not in Client().get(page).content.decode()
    assert cast.browser("player").get(f"/leagues/{event.pk}/fixtures/{theirs}/").status_code == 200
    claimed.delete()
    assert "/fixtures/" not in cast.browser("player").get(pages[0]).content.decode()


def test_calendars_follow_the_fixtures(cast: Cast) -> None:
    cast.club.time_zone = "Europe/Madrid"
    cast.club.save()
    strange = "Ñandú; de los largos nombres, y \\ otras cosas que no caben en una sola línea"
    event = begun(cast, {"First": [strange, "Bo", "Cleo"], "Second": ["Eva", "Finn"]})
    home = f"/leagues/{event.pk}/"
    found = appointments(Client().get(f"{home}calendar.ics").content.decode())
    assert len(found) == len({each["UID"] for each in found}) == 4
    begins = datetime.combine(TOMORROW, time(19, 30), ZoneInfo("Europe/Madrid")).astimezone(UTC)
    assert found[0]["DTSTART"] == f"{begins:%Y%m%dT%H%M%SZ}"
    assert any(strange in each["SUMMARY"] for each in found)
    assert all(each["SUMMARY"].endswith(" · Autumn league") for each in found)
    assert len(appointments(Client().get(f"{home}divisions/2/calendar.ics").content.decode())) == 1
    assert len(appointments(Client().get(f"{home}entrants/1/calendar.ics").content.decode())) == 2
    assert Client().get(f"{home}divisions/3/calendar.ics").status_code == 404
    leagues.set_date(event_id=event.pk, fixture=1, at=None, reason="ice, snow", step=at(event, "ice"))
    after = {each["UID"]: each for each in appointments(Client().get(f"{home}calendar.ics").content.decode())}
    changed = [each for each in found if after[each["UID"]]["SEQUENCE"] != each["SEQUENCE"]]
    assert [after[each["UID"]]["STATUS"] for each in changed] == ["CANCELLED"]
    later = datetime(2030, 1, 2, 20, tzinfo=UTC)
    leagues.set_date(event_id=event.pk, fixture=1, at=later, where="Bar; left", step=at(event, "later"))
    moved = {each["UID"]: each for each in appointments(Client().get(f"{home}calendar.ics").content.decode())}
    (one,) = [moved[each["UID"]] for each in changed]
    assert (one["SEQUENCE"], one["STATUS"], one["DTSTART"]) == ("2", "CONFIRMED", "20300102T200000Z")
    assert one["LOCATION"] == "Bar; left"


def test_the_only_division_needs_no_name_on_any_page(cast: Cast) -> None:
    event = begun(cast, {"": ["Ana", "Bo", "Cleo"]})
    home = f"/leagues/{event.pk}/"
    host = Browser(cast.browser("director"))
    assert ("division", "") in host.open(f"{home}divisions/").button("Save")[0].fields
    for path in (home, f"{home}screen/", f"{home}desk/", f"{home}fixtures/1/", f"{home}entrants/1/"):
        assert "Everybody" not in host.open(path).words
    for language, title in (("en", "Standings"), ("es", "Clasificación")):
        assert title in Browser(language=language).open(home).words
    alone = Browser(cast.browser("director")).open(f"/leagues/{divided(cast, {'': ['Ana', 'Bo']}).pk}/divisions/")
    assert "The league has too few entrants. Type at least two" in alone.press("Save", entrants="Ana").words


def test_two_rounds_of_a_league_are_open_and_later_ones_folded(cast: Cast) -> None:
    event = begun(cast, {"": ["Ana", "Bo", "Cleo", "Dan"]})
    page = Browser().open(f"/leagues/{event.pk}/").markup
    rounds = re.findall(r'<details class="part" id="next-\d"( open)?>', page)
    assert rounds == [" open", " open", ""]


def test_what_is_typed_about_a_fixture_or_a_penalty_has_at_most_200_characters(cast: Cast) -> None:
    event = begun(cast, {"First": ["Ana", "Bo", "Cleo"]})
    length = Event.objects.get(pk=event.pk).length
    line = "x" * 201
    for attempt in (
        lambda: leagues.set_date(event_id=event.pk, fixture=1, at=NOW, where=line, step=at(event, "place")),
        lambda: leagues.set_date(event_id=event.pk, fixture=1, at=None, reason=line, step=at(event, "date")),
        lambda: leagues.give_up(event_id=event.pk, fixture=1, absent=[0], reason=line, step=at(event, "absent")),
        lambda: leagues.penalise(event_id=event.pk, entrant=1, points=1, reason=line, step=at(event, "penalty")),
    ):
        with pytest.raises(Malformed, match=r"up to 200 characters\. Shorten it"):
            attempt()
    assert Event.objects.get(pk=event.pk).length == length
    leagues.give_up(event_id=event.pk, fixture=1, absent=[0], reason=line[1:], step=at(event, "short"))


def test_what_cannot_be_is_refused_and_changes_nothing(cast: Cast) -> None:
    with pytest.raises(Refused) as twice:
        divided(cast, {"First": ["Ana", "Bo"], "Second": ["Ana", "Dan"]})
    assert twice.value.code == "entered-twice"
    past = begun(cast, {"First": ["Ana", "Bo", "Cleo"]}, without=[(TOMORROW + timedelta(days=1)).isoformat()])
    length = Event.objects.get(pk=past.pk).length
    day = timedelta(days=1)
    idle = datetime.combine(TOMORROW + day, time(12), UTC)
    tries: list[tuple[str, Callable[[], object]]] = [
        ("in-the-past", lambda: leagues.set_date(event_id=past.pk, fixture=1, at=NOW - day, step=at(past, "a"))),
        ("no-play-then", lambda: leagues.set_date(event_id=past.pk, fixture=1, at=idle, step=at(past, "b"))),
        ("no-reason", lambda: leagues.set_date(event_id=past.pk, fixture=1, at=None, step=at(past, "c"))),
        ("no-such-fixture", lambda: typed(past, 99, 1, 2)),
        ("fixtures-open", lambda: leagues.close(event_id=past.pk, early=False, step=at(past, "d"))),
        (
            "not-closed",
            lambda: leagues.next_season(
                event_id=past.pk, name="Next", setup=setup_of(), divisions=[], step=at(past, "e")
            ),
        ),
        ("too-few", lambda: leagues.divide(event_id=past.pk, divisions=[("A", [named("Ana")])], step=at(past, "f"))),
        ("nobody-chosen", lambda: leagues.give_up(event_id=past.pk, fixture=1, absent=[], step=at(past, "g"))),
    ]
    for code, attempt in tries:
        with pytest.raises(Refused) as refused:
            attempt()
        assert refused.value.code == code
    assert Event.objects.get(pk=past.pk).length == length
    typed(past, 1, 90, 20)
    for code, attempt in [
        (
            "fixtures-played",
            lambda: leagues.set_up(event_id=past.pk, name="A", setup=setup_of(legs=2), step=at(past, "h")),
        ),
        ("fixtures-played", lambda: leagues.make_fixtures(event_id=past.pk, step=at(past, "i"))),
        ("no-note", lambda: typed(past, 1, 80, 20)),
        ("fixture-played", lambda: leagues.give_up(event_id=past.pk, fixture=1, absent=[0], step=at(past, "j"))),
        ("fixture-begun", lambda: leagues.play(event_id=past.pk, fixture=1, table=1, step=at(past, "k"))),
    ]:
        with pytest.raises(Refused) as refused:
            attempt()
        assert refused.value.code == code
    assert Match.objects.filter(event=past).count() == 1


def test_two_teams_or_pairs_of_one_name_are_refused(cast: Cast) -> None:
    league = divided(cast, {"A": ["Ana + Bo", "Cleo + Dan"]}, game="domino-whist", size=2)
    twice = [named("Rovers: Ana + Bo"), named("rovers: Cleo + Dan")]
    with pytest.raises(Refused, match="Two entrants have the name “rovers”") as refused:
        leagues.divide(event_id=league.pk, divisions=[("A", twice)], step=at(league, "one"))
    divisions = [("A", [twice[0], named("Eva + Finn")]), ("B", [twice[1], named("Gus + Hal")])]
    with pytest.raises(Refused, match="Two entrants have the name “rovers”"):
        leagues.divide(event_id=league.pk, divisions=divisions, step=at(league, "two"))
    assert refused.value.code == "name-twice"
    assert not any(each.name for each in league_in(league).entrants.values()), "nothing changed"


def closed(cast: Cast) -> Event:
    """A season that Ana has won, before Bo."""
    event = begun(cast, {"First": ["Ana", "Bo", "Cleo"]})
    for number, each in fixtures_of(event).items():
        typed(event, number, *((100, 20) if each.fixture.home < each.fixture.away else (20, 100)))
    leagues.close(event_id=event.pk, early=False, step=at(event, "close"))
    return event


def test_a_correction_after_the_end_says_first_and_afterwards_whose_place_it_changes(cast: Cast) -> None:
    event = closed(cast)
    host, public = cast.browser("director"), Client()
    number = fixture_between(event, "Ana", "Bo")
    page, shown = f"/leagues/{event.pk}/fixtures/{number}/", f"/leagues/{event.pk}/"
    assert "after the season was closed" not in public.get(shown).content.decode()
    home, away = reversed(fixtures_of(event)[number].totals or ())
    sent = {
        "do": "score",
        "home": home,
        "away": away,
        "early": "yes",
        "why": "upside down",
        "seen": event_length(event),
    }
    first = host.post(page, sent)
    assert (first.status_code, "Bo (2 → 1), Ana (1 → 2)" in first.content.decode()) == (422, True)
    assert fixtures_of(event)[number].totals == (away, home), "nothing is saved"
    assert host.post(page, sent | {"sure": "yes"}).status_code == 302
    after = public.get(shown).content.decode()
    assert "Other places than then: Bo (2 → 1), Ana (1 → 2)" in after
    assert "Champion: Bo" in " ".join(after.split())
    events.undo(event_id=event.pk, step=at(event, "undo"))
    assert moved_since_the_end(results_now(now_of(event))) == []


def test_a_correction_that_keeps_all_places_needs_no_more_after_the_end(cast: Cast) -> None:
    event = closed(cast)
    number = fixture_between(event, "Ana", "Bo")
    home, away = fixtures_of(event)[number].totals or (0, 0)
    typed(event, number, home - (home == 100), away - (away == 100), why="miscounted")
    assert moved_since_the_end(results_now(now_of(event))) == []


def event_length(event: Event) -> int:
    return Event.objects.get(pk=event.pk).length


def test_the_page_of_a_match_says_what_a_correction_changes_in_the_table_of_its_league(cast: Cast) -> None:
    event = closed(cast)
    number = fixture_between(event, "Ana", "Bo")
    match = Match.objects.get(pk=league_in(event).fixtures[number].matches[1])
    state = position(match)
    totals = [state.totals[side[0]] for side in state.sides][::-1]
    then = state.enter(entry_replacing(state, totals, "upside down", "early"))
    found = compared(match, state, then, None)
    assert (found.league, found.of_night, found.needs_note) == ("Bo (2 → 1), Ana (1 → 2)", False, True)


def test_a_league_made_by_mistake_is_removed_and_restored(cast: Cast) -> None:
    event = begun(cast, {"First": ["Ana", "Bo"]})
    host, home = cast.browser("director"), f"/leagues/{event.pk}/"
    sent = {"do": "remove", "typed": "Another", "seen": event_length(event)}
    wrong = host.post(f"{home}desk/", sent)
    assert (wrong.status_code, "Type the name of the league" in wrong.content.decode()) == (422, True)
    assert host.post(f"{home}desk/", sent | {"typed": "autumn league"}).status_code == 302
    assert Client().get(home).status_code == 404
    assert "Autumn league" not in Client().get(f"/clubs/{cast.club.slug}/leagues/").content.decode()
    for page in (f"/clubs/{cast.club.slug}/", f"/clubs/{cast.club.slug}/leagues/"):
        assert "its desk restores it" in host.get(page).content.decode()
    assert "This league is removed" in host.get(f"{home}desk/").content.decode()
    with pytest.raises(Refused) as refused:
        typed(event, 1, 100, 20)
    assert refused.value.code == "removed"
    assert host.post(f"{home}desk/", {"do": "undo", "seen": event_length(event)}).status_code == 302
    assert Client().get(home).status_code == 200


def test_a_removed_season_makes_room_for_another_next_one(cast: Cast) -> None:
    event = closed(cast)
    divisions = [("First", [named("Ana"), named("Bo")])]
    following = leagues.next_season(
        event_id=event.pk, name="Next", setup=setup_of(), divisions=divisions, step=at(event, "next")
    )
    assert season_after(event, league_in(event)) == following
    events.remove(event_id=following.pk, typed="Next", step=at(following, "remove"))
    assert season_after(event, league_in(event)) is None


def test_who_goes_up_and_down_is_said_as_soon_as_it_is_certain(cast: Cast) -> None:
    """By points, however the open fixtures end: counted by hand."""
    event = begun(cast, {"First": TOP, "Second": ["Eva", "Finn"]})
    wins = [("Ana", "Bo"), ("Ana", "Cleo"), ("Bo", "Dan"), ("Cleo", "Dan"), ("Bo", "Cleo")]
    said: list[dict[str, str]] = []
    for one, other in [*wins, ("Dan", "Ana"), ("Finn", "Eva")]:
        fixture = fixture_between(event, one, other)
        at_home = fixtures_of(event)[fixture].fixture.home == 1 + [*TOP, "Eva", "Finn"].index(one)
        typed(event, fixture, *((100, 20) if at_home else (20, 100)))
        tables = Client().get(f"/leagues/{event.pk}/").context["tables"]
        said.append({row.name: row.fate for table in tables for row in table.rows if row.fate})
    # Ana has 4, to which either Bo or Cleo can come, and Dan, who has 0, to 2. Bo has 2.
    assert said[3] == {"Ana": "cannot go down any more", "Dan": "▼ would go down now"}
    # Bo has 4, too. Cleo has 2, to which Dan can still come.
    assert said[4] == {"Ana": "cannot go down any more", "Bo": "cannot go down any more", "Dan": "▼ would go down now"}
    # The first division is over.
    assert {name for name, words in said[5].items() if words == "▼ goes down"} == {list(points_of(event)[0])[-1]}
    assert said[6]["Finn"] == "▲ goes up"


def test_points_are_taken_off_with_a_reason_and_given_back(cast: Cast) -> None:
    event = begun(cast, {"First": ["Ana", "Bo", "Cleo"], "Second": ["Dan", "Eva"]})
    for number in fixtures_of(event):
        typed(event, number, 100, 20)
    host, home = cast.browser("director"), f"/leagues/{event.pk}/"
    before = points_of(event)
    sent = {"do": "penalise", "entrant": "1", "points": "½", "reason": "", "seen": event_length(event)}
    assert "Give a reason" in host.post(f"{home}desk/", sent).content.decode()
    too_many = host.post(f"{home}desk/", sent | {"points": "1000", "reason": "late again"}).content.decode()
    assert "points here. Enter fewer." in too_many
    assert host.post(f"{home}desk/", sent | {"reason": "late again"}).status_code == 302
    taken = dict(zip(("First", "Second"), points_of(event), strict=True))
    assert Fraction(taken["First"]["Ana"]) == Fraction(before[0]["Ana"]) - Fraction(1, 2)
    assert taken["Second"] == before[1]
    assert "late again" in Client().get(home).content.decode()
    file = Client().get(f"{home}file.json").content
    rows = {row["name"]: row["values"]["points"] for row in commanded(file)["stages"][0]["rows"]}
    assert rows == taken["First"]
    gave_back = {"do": "cancel-penalty:0", "reason": "the bus", "seen": event_length(event)}
    assert host.post(f"{home}desk/", gave_back).status_code == 302
    assert points_of(event) == before
    assert "gave a penalty" in host.get(f"/clubs/{cast.club.slug}/audit/").content.decode()


def test_the_big_screen_shows_tables_fixtures_and_results(cast: Cast) -> None:
    event = begun(cast, {"First": ["Ana", "Bo", "Cleo"]})
    typed(event, 1, 100, 20)
    page = Client().get(f"/leagues/{event.pk}/screen/")
    assert page.status_code == 200
    standings = page.context["tables"][0][1]
    assert standings.columns[0].head == "Points", "the first one is bold"
    assert standings.columns[-1].head == "Played"
    for part in ('data-leaf="division-1"', 'data-leaf="to-come"', 'data-leaf="results"', "100 : 20", "Autumn league"):
        assert part in page.content.decode()
    assert f'href="/leagues/{event.pk}/screen/"' in Client().get(f"/leagues/{event.pk}/").content.decode()
    assert Client().get(f"/tv/{event.pk}/")["Location"] == f"/leagues/{event.pk}/screen/"


def test_the_page_of_a_player_has_their_league_and_its_next_fixtures(cast: Cast) -> None:
    event = begun(cast, {"First": ["Ana", "Bo", "Cleo"]})
    page = f"/players/{cast.club.players.get(name='Ana').pk}/"
    ana_bo = fixture_between(event, "Ana", "Bo")
    lines = Client().get(page).context["fixtures"][0].lines
    assert sorted(line.opponents for line in lines) == ["Bo", "Cleo"]
    assert f'href="/leagues/{event.pk}/entrants/1/"' in Client().get(page).content.decode()
    typed(event, ana_bo, 100, 20)
    assert [line.opponents for line in Client().get(page).context["fixtures"][0].lines] == ["Cleo"]
    leagues.withdraw(event_id=event.pk, entrant=1, step=at(event, "leave"))
    assert Client().get(page).context["fixtures"] == []


def test_who_came_far_in_a_league_has_a_title(cast: Cast) -> None:
    event = begun(cast, {"First": ["Ana", "Bo"], "Second": ["Cleo", "Dan"]})
    typed(event, 1, 100, 20)
    typed(event, 2, 100, 20)
    leagues.close(event_id=event.pk, early=False, step=at(event, "close"))
    pages = {name: f"/players/{cast.club.players.get(name=name).pk}/" for name in ("Ana", "Bo", "Cleo")}
    titles = {name: Client().get(page).context["tournaments"] for name, page in pages.items()}
    assert {name: [(each.place, each.of) for each in found] for name, found in titles.items()} == {
        "Ana": [(1, 2)],
        "Bo": [(2, 2)],
        "Cleo": [],
    }
    assert f'href="/leagues/{event.pk}/"' in Client().get(pages["Ana"]).content.decode()


@pytest.mark.parametrize("seed", range(3))
def test_tables_equal_a_slow_count(cast: Cast, seed: int) -> None:
    rng = random.Random(seed)
    event = begun(
        cast, {"First": ["Ana", "Bo", "Cleo", "Dan", "Eva"]}, legs=2, leaving=rng.choice(["annul", "forfeit"])
    )
    for number in rng.sample(sorted(league_in(event).fixtures), 14):
        if rng.random() < 0.2:
            leagues.give_up(event_id=event.pk, fixture=number, absent=[rng.choice((0, 1))], step=at(event, f"{number}"))
        else:
            typed(event, number, rng.choice((10, 50)), rng.choice((10, 50)))
    leagues.withdraw(event_id=event.pk, entrant=rng.randint(1, 5), step=at(event, "leave"))
    state, points = league_in(event), dict.fromkeys(range(1, 6), 0)
    for each in state.fixtures.values():
        if state.annulled.intersection(each.sides):
            continue
        sheet = Match.objects.get(pk=each.matches[1]).sheet["totals"] if each.matches else None
        won = {each.home: 0, each.away: 0}
        if sheet:
            won = {each.home: 1 + (sheet[0] > sheet[1]) - (sheet[0] < sheet[1])}
            won[each.away] = 2 - won[each.home]
        else:
            lost = {each.sides[side] for side in each.absent} or state.withdrawn.intersection(each.sides)
            won = {side: 2 * (side not in lost and bool(lost)) for side in each.sides}
        for side, worth in won.items():
            points[side] += worth
    names = ["Ana", "Bo", "Cleo", "Dan", "Eva"]
    counted = {names[number - 1]: str(sum) for number, sum in points.items() if number not in state.annulled}
    assert points_of(event)[0] == counted


def test_the_audit_page_says_who_left_a_league(cast: Cast) -> None:
    event = begun(cast, {"First": TOP})
    leagues.withdraw(event_id=event.pk, entrant=1, step=at(event, "leave"))
    audit = cast.browser("director").get(f"/clubs/{cast.club.slug}/audit/").content.decode()
    assert "noted who left the league" in audit
    assert "Ana" in audit
