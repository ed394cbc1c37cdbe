"""The audit page: what hosts did in a club, from all its logs, to read and to export."""

import csv
import json
from collections.abc import Callable
from datetime import timedelta
from io import StringIO
from typing import Any

import pytest
from asgiref.sync import async_to_sync
from axes.models import AccessAttempt
from django.conf import settings
from django.test import AsyncClient, Client
from django.urls import reverse
from django.utils import timezone

from scorekeeper.access import Actor
from scorekeeper.events.wishes import Wish
from scorekeeper.models import AuditEntry, Club, Job, Match, User
from scorekeeper.pages.audit import LOGS as NAMED
from scorekeeper.pages.audit import WORDS
from scorekeeper.selectors.audit import LOGS, Asked, Place, all_traces, traces
from scorekeeper.services import (
    archive,
    clubs,
    directing,
    entrants,
    events,
    removing,
    schedules,
    tables,
    tournaments,
    upkeep,
)
from scorekeeper.services.entrants import Named
from scorekeeper.services.events import Step
from tests.browsing import Browser
from tests.conftest import NOW, Cast, enter, plan_for
from tests.nights import at, night_of
from tests.tournaments import entered, released, scheduled, setup_of

GAME = "block"
Host = Callable[[str], Client]


def page(cast: Cast) -> str:
    return reverse("club_audit", args=[cast.club.slug])


def tick(cast: Cast, number: int, by: User) -> None:
    """A step of a host in the club's night, one second after the one before."""
    night = cast.club.events.get()
    step = Step(Actor(by), f"tick {number}", night.length, NOW + timedelta(seconds=number))
    events.tick(event_id=night.pk, came=[], left=[], guests=[f"Guest {number}"], step=step)


@pytest.fixture
def busy(cast: Cast) -> Cast:
    """A club in which a director has done something of every kind."""
    director = cast.users["director"]
    night_of(cast, 4)
    tick(cast, 1, director)
    enter(cast.open(GAME), [*plan_for(GAME)[:2], {"kind": "undo"}], by=Actor(director))
    tables.fresh_token(table=cast.table, now=NOW, by=director)
    tables.revoke_tokens(table=cast.table, now=NOW, by=director)
    archive.start(club=cast.club, by=director, now=NOW)
    return cast


def test_the_page_shows_what_was_done_in_every_log(busy: Cast, as_user: Host) -> None:
    words = Browser(as_user("director")).open(page(busy)).words
    for text in ("changed who is here", "undid an entry", "made a QR code", "revoked all QR codes", "made an archive"):
        assert text in words, text
    assert "director signed in" in words


def test_a_backup_is_in_the_club_of_whoever_asked_for_it(busy: Cast) -> None:
    upkeep.start_backup(by=busy.users["owner"], now=NOW)
    assert ("backup", "owner") in [(trace.kind, trace.who) for trace in traces(busy.club, Asked(log="jobs"))]
    assert traces(busy.other_club, Asked(log="jobs")) == []


def test_what_hosts_do_to_tables_people_and_clocks_is_there(cast: Cast, as_user: Host) -> None:
    host, match = as_user("director"), cast.open(GAME)
    club, player = cast.club.slug, cast.club.players.get(name="Ana")
    for address, sent in (
        (f"/clubs/{club}/tables/", {"do": "add", "name": ""}),
        (f"/clubs/{club}/players/", {"names": "Zoe"}),
        (f"/clubs/{club}/players/{player.pk}/", {"do": "rename", "name": "Anna"}),
        (f"/matches/{match.pk}/time/", {"do": "15"}),
        (f"/matches/{match.pk}/time/", {"do": "no-limit"}),
        (f"/matches/{match.pk}/time/", {"do": "last-hand"}),
        (f"/matches/{match.pk}/time/", {"do": "go-on"}),
    ):
        assert host.post(address, sent).status_code in (302, 303), (address, sent)
    words = Browser(host).open(page(cast)).words
    for text in (
        *(
            "added the table",
            "added the player “Zoe”",
            "renamed a player: “Ana → Anna”",
            "set the minutes of a match: “–”",
        ),
        *("called the last hand of a match", "cancelled the last hand of a match"),
    ):
        assert text in words, text


def test_a_restore_is_in_every_club(busy: Cast) -> None:
    """It replaces the note of who asked for it, too."""
    Job.objects.create(kind="restore", args={}, made_at=NOW, run_after=NOW, state=Job.State.DONE)
    for club in (busy.club, busy.other_club):
        assert "restore" in [trace.kind for trace in traces(club, Asked(log="jobs"))]


def test_filters_choose_by_person_night_and_kind(busy: Cast) -> None:
    found = {name: {t.log for t in traces(busy.club, Asked(log=name))} for name in LOGS}
    assert found == {name: {name} for name in LOGS}
    director, owner = busy.users["director"], busy.users["owner"]
    assert {t.who for t in traces(busy.club, Asked(who=director.pk))} == {"director"}
    assert traces(busy.club, Asked(who=owner.pk)) == []
    night = busy.club.events.get()
    assert {t.night for t in traces(busy.club, Asked(night=night.pk))} == {night.pk}


def test_other_clubs_and_plays_are_not_in_it(busy: Cast) -> None:
    assert traces(busy.other_club, Asked()) == []
    assert {t.kind for t in traces(busy.club, Asked(log="matches"))} == {"undo"}
    enter(busy.open(GAME), [*plan_for(GAME)[:2], {"kind": "undo"}])  # a phone did this, not a host
    assert len(traces(busy.club, Asked(log="matches"))) == 1


def test_pages_of_fifty_have_everything_once_in_order(busy: Cast, as_user: Host) -> None:
    """Also actions at the same time, in several logs."""
    for number in range(2, 60):
        tick(busy, number // 2, busy.users["director"]) if number % 2 else tables.fresh_token(table=busy.table, now=NOW)
    whole = [trace for batch in all_traces(busy.club, Asked(), at_once=10_000) for trace in batch]
    assert len(whole) > 60
    assert [trace.at for trace in whole] == sorted((trace.at for trace in whole), reverse=True)
    for at_once in (1, 7, 50):
        assert [trace for batch in all_traces(busy.club, Asked(), at_once=at_once) for trace in batch] == whole
    browser = Browser(as_user("director")).open(page(busy))
    assert browser.markup.count('class="at"') == 50
    browser.follow("Older")
    assert browser.markup.count('class="at"') == len(whole) + 1 - 50  # one more sign-in
    browser.follow("Newest")
    assert browser.markup.count('class="at"') == 50


def test_the_number_of_queries_does_not_grow(busy: Cast, as_user: Host, django_assert_max_num_queries: Any) -> None:
    director = as_user("director")
    for number in range(60):
        tables.fresh_token(table=busy.table, now=NOW + timedelta(seconds=number))
    with django_assert_max_num_queries(13):
        assert director.get(page(busy)).status_code == 200


def exported(cast: Cast, kind: str, query: str = "") -> str:
    async def read() -> str:
        client = AsyncClient()
        await client.aforce_login(cast.users["owner"], backend="django.contrib.auth.backends.ModelBackend")
        answer = await client.get(f"/clubs/{cast.club.slug}/audit.{kind}{query}")
        assert (answer.status_code, answer["Content-Disposition"]) == (
            200,
            f'attachment; filename="rovers-audit.{kind}"',
        )
        return b"".join([part async for part in answer]).decode("utf-8-sig")  # type: ignore[attr-defined]

    return str(async_to_sync(read)())


def test_exports_have_everything_that_the_filters_choose(busy: Cast) -> None:
    director = busy.users["director"]
    whole = traces(busy.club, Asked(who=director.pk, log="nights"), at_most=1000)
    query = f"?log=nights&who={director.pk}"
    rows = list(csv.DictReader(StringIO(exported(busy, "csv", query))))
    lines = [json.loads(line) for line in exported(busy, "ndjson", query).splitlines()]
    assert [row["kind"] for row in rows] == [line["kind"] for line in lines] == [trace.kind for trace in whole]
    assert lines[0] | {"at": ""} == {
        "at": "",
        "log": "nights",
        "pk": whole[0].pk,
        "kind": "people",
        "who": "director",
        "night": whole[0].night,
        "match": None,
        "table": None,
        "of_tournament": False,
        "of_league": False,
        "of_ladder": False,
        "what": "",
        "said": {"came": ["Guest 1"]},
        "removed": False,
    }


def test_exports_have_the_times_of_the_club(busy: Cast) -> None:
    Club.objects.update(time_zone="Europe/Madrid")
    AuditEntry.objects.update(at=NOW)
    for kind in ("csv", "ndjson"):
        assert "2026-05-09T21:30:00+02:00" in exported(busy, kind, "?log=tables")


def test_a_spreadsheet_reads_no_formula(busy: Cast) -> None:
    busy.club.events.update(name="=1+1")
    rows = csv.DictReader(StringIO(exported(busy, "csv", "?log=nights")))
    assert {row["what"] for row in rows} == {"'=1+1"}


def test_what_was_typed_is_there(cast: Cast, as_user: Host) -> None:
    event = scheduled(cast, setup_of(GAME, "heads"), 4)
    released(event)
    table = event.matches.filter(round=1).latest("pk").table
    assert table
    about: Any = {"event_id": event.pk, "round_number": 1, "table": table.number}
    now = timezone.now()
    directing.type_result(**about, totals=[100, 85], step=at(event, "typed", now))
    directing.replace_result(**about, totals=[85, 150], why="=misread", step=at(event, "corrected", now))
    words = Browser(as_user("director")).open(page(cast)).words
    assert "typed a result at the desk" in words
    assert "{" not in words, "a draft says nothing of this kind"
    assert "round 1 · 100 : 85" in words
    assert "round 1 · 100 : 85 → 85 : 150 · “=misread”" in words
    rows = list(csv.DictReader(StringIO(exported(cast, "csv", "?log=nights"))))
    assert rows[0]["said"] == "entrants: Bruno, Carmen; round: 1; totals: 100 : 85 → 85 : 150; why: =misread"


def test_each_step_says_whom_it_is_about(cast: Cast, as_user: Host) -> None:
    event = scheduled(cast, setup_of(GAME, "heads"), 4)
    released(event)
    number = event.matches.latest("pk").table.number  # type: ignore[union-attr]
    one: Any = {"event_id": event.pk}

    def step(key: str) -> Step:
        return at(event, key, timezone.now())

    tournaments.withdraw(**one, entrants=[4], step=step("withdraw"))
    tournaments.come_back(**one, entrants=[4], step=step("return"))
    tournaments.forfeit(**one, round_number=1, table=number, absent=[1], step=step("forfeit"))
    tournaments.penalise(**one, entrant=2, round_number=1, points="1/2", reason="late", step=step("penalty"))
    events.undo(**one, step=step("undo"))
    schedules.exchange(**one, round_number=2, entrants=[1, 2], step=step("exchange"))
    schedules.wish(**one, wish=Wish("apart", (1, 3), last=2).as_json(), step=step("wish"))
    schedules.wish(**one, wish=Wish("present", (3,), first=2).as_json(), step=step("later"))
    directing.offer_no_show(**one, minutes=1, step=step("no-show"))
    tournaments.set_up(**one, name="Cup", setup=setup_of(GAME, "heads", minutes=20, prizes=1), step=step("setup"))
    words = Browser(as_user("director")).open(page(cast)).words
    for text in (
        "entered a player “Cup” Ada, Bruno, Carmen, Dmitri",
        "withdrew a player “Cup” Dmitri",
        "brought a player back “Cup” Dmitri",
        "noted who did not come “Cup” did not come: Carmen · round 1 Table 2",
        "gave a penalty “Cup” Bruno · round 1 · 1/2 points · “late”",
        "undid the step before “Cup” gave a penalty · Bruno · round 1 · 1/2 points · “late”",
        "swapped two entrants in the schedule “Cup” Ada, Bruno · round 2",
        "entered a wish for the schedule “Cup” do not meet · Ada, Carmen · in rounds 1–2",
        "not in every round · Carmen · from round 2 on",
        "until a no-show “Cup” 1 minute ",
        "set up the tournament “Cup” changed: Places with a prize, Minutes of a match the tournament",
    ):
        assert text in words, (text, words)


def test_how_a_game_is_played_is_said(cast: Cast, as_user: Host) -> None:
    night = night_of(cast, 4)
    host, path = as_user("director"), f"/nights/{night.pk}/games/domino-whist/"
    Browser(host).open(path).press("Save", minutes="20", **{"option-target": "50", "option-hands": ""})
    words = Browser(host).open(page(cast)).words
    assert "director set how to play Domino Whist · Bad points to reach: 50 · 20 minutes the night" in words
    Browser(host).open(f"/nights/{night.pk}/desk/").press("Undo: options changed")
    words = Browser(host).open(page(cast)).words
    assert "undid the step before set how to play · Domino Whist · Bad points to reach: 50 · 20 minutes" in words


def test_a_match_without_a_table_ends_with_no_separator(cast: Cast, as_user: Host) -> None:
    match = cast.open(GAME)
    Match.objects.update(table=None)
    removing.remove(match_id=match.pk, why="Twice", now=NOW, by=None)
    said = Browser(as_user("director")).open(page(cast)).words.replace("\N{NO-BREAK SPACE}", " ")
    assert f"removed the match: “Twice” Ana – Bo, 0 : 0 match {match.pk} (removed) Restore" in said


def test_names_in_the_log_are_those_of_its_time(cast: Cast) -> None:
    """A start number that an undo has freed belongs to somebody else later."""
    event = scheduled(cast, setup_of(GAME, "heads"), 4)
    for name in ("Eva", "Fay"):
        player = clubs.player_add(club=cast.club, name=name, now=NOW)
        tournaments.enter(event_id=event.pk, entrants=[[player.pk]], step=at(event, f"enter {name}"))
        tournaments.withdraw(event_id=event.pk, entrants=[5], step=at(event, f"withdraw {name}"))
        for time in range(2):
            events.undo(event_id=event.pk, step=at(event, f"undo {name} {time}"))
    said = [trace.said["entrants"] for trace in traces(cast.club, Asked(log="nights")) if "entrants" in trace.said]
    assert said[:8] == [["Fay"]] * 4 + [["Eva"]] * 4


def test_what_is_no_step_of_a_tournament_is_noted_too(cast: Cast, as_user: Host) -> None:
    event = entered(cast, setup_of(GAME, "heads", self_entry=True), 4)
    asked = entrants.apply(event=event, named=Named(("Zoe",)), key="zoe", now=NOW)
    (ada, bruno), host = cast.club.players.order_by("name")[:2], as_user("director")
    entrants.arrive(event=event, players=[bruno.pk], now=NOW)  # on their own phone
    address = f"/tournaments/{event.pk}/entrants/"
    for sent in (
        {"do": f"decline:{asked.pk}"},
        {"do": "arrived", "who": [ada.pk, bruno.pk]},
        {"do": f"not-arrived:{ada.pk}"},
        {"do": f"not-arrived:{ada.pk}"},
    ):
        assert host.post(address, {"seen": "9", "key": str(sent), **sent}).status_code == 302, sent
    job = Job.objects.create(
        kind="schedule", args={"event": event.pk}, club=cast.club, made_at=NOW, run_after=NOW, state=Job.State.RUNNING
    )
    for do in (f"keep:{job.pk}", f"keep:{job.pk}", f"cancel:{job.pk}", f"cancel:{job.pk}"):
        assert host.post(f"/tournaments/{event.pk}/entries/", {"seen": "9", "key": do, "do": do}).status_code < 400
    found = [(trace.kind, trace.what, trace.who) for trace in traces(cast.club, Asked(night=event.pk, log="tables"))]
    assert found == [
        ("search-cancelled", "", "director"),
        ("search-stopped", "", "director"),
        ("not-arrived", "Ada", "director"),
        ("arrived", "Ada", "director"),
        ("declined", "Zoe", "director"),
    ]
    assert "director declined the entry of “Zoe” the tournament" in Browser(host).open(page(cast)).words


def test_an_import_is_said_in_words(cast: Cast, as_user: Callable[[str], Client]) -> None:
    Job.objects.create(kind="tournament-import", args={}, club=cast.club, made_at=NOW, run_after=NOW)
    words = Browser(as_user("owner")).open(f"/clubs/{cast.club.slug}/audit/").words
    assert "imported a tournament" in words
    assert "tournament-import" not in words


@pytest.mark.parametrize("query", ["?after=x", "?log=x", "?who=x", f"?night={'9' * 30}"])
def test_odd_addresses_are_not_found(cast: Cast, as_user: Host, query: str) -> None:
    assert as_user("director").get(page(cast) + query).status_code == 404


def test_a_place_is_read_as_it_is_written() -> None:
    place = Place(timezone.now(), 2, 77)
    assert Place.read(str(place)) == place


def test_every_action_has_words() -> None:
    assert NAMED.keys() == WORDS.keys() == LOGS.keys()


def test_a_sign_in_is_noted_where_the_user_is_a_host(cast: Cast, as_user: Host) -> None:
    for who in ("owner", "player", "stranger"):
        as_user(who)
    noted = AuditEntry.objects.filter(kind="signed-in").values_list("user__username", "club__slug")
    assert list(noted) == [("owner", "rovers"), ("stranger", "wanderers")]


def test_opening_and_closing_a_table_is_noted_with_its_host(cast: Cast, as_user: Host) -> None:
    director = as_user("director")
    for is_open in ("0", "0", "1"):
        director.post(reverse("table_open", args=[cast.table.pk]), {"open": is_open})
    found = [(t.kind, t.who, t.table) for t in traces(cast.club, Asked()) if t.kind != "signed-in"]
    assert found == [("table-opened", "director", 1), ("table-closed", "director", 1)]


def test_a_lock_is_noted_once_where_the_user_is_a_host(cast: Cast, as_user: Host) -> None:
    def guess(name: str, address: str) -> None:
        for _ in range(settings.AXES_FAILURE_LIMIT + 3):
            Client().post(reverse("login"), {"username": name, "password": "wrong"}, REMOTE_ADDR=address)

    def noted() -> list[Any]:
        entries = AuditEntry.objects.filter(kind="locked-out").order_by("pk")
        return list(entries.values_list("user__username", "club__slug", "what"))

    for name in ("owner", "player", "nobody"):
        guess(name, "192.0.2.1")
    assert noted() == [("owner", "rovers", "192.0.2.1")]
    guess("owner", "192.0.2.2")
    assert len(noted()) == 2
    earlier = timezone.now() - settings.AXES_COOLOFF_TIME
    AccessAttempt.objects.update(attempt_time=earlier)
    AuditEntry.objects.update(at=earlier)
    guess("owner", "192.0.2.1")
    assert len(noted()) == 3
    words = Browser(as_user("director")).open(page(cast)).words
    assert "owner was locked out after wrong passwords from “192.0.2.1”" in words


def test_totals_are_those_of_sides(cast: Cast, as_user: Host) -> None:
    """Partners have one total."""
    match = cast.open("domino-whist")
    enter(match, [{"kind": "result", "totals": [104, 60, 104, 60]}], by=Actor(cast.users["director"]))
    words = Browser(as_user("director")).open(page(cast)).words
    assert "entered the result 104 : 60 match" in words


def test_a_match_set_aside_is_not_just_ended(cast: Cast, as_user: Host) -> None:
    director = Actor(cast.users["director"])
    for stopped in ("abandoned", "time"):
        enter(cast.open(GAME), [*plan_for(GAME)[:1], {"kind": "stop", "stopped": stopped}], by=director, prefix=stopped)
    words = Browser(as_user("director")).open(page(cast)).words
    assert "set the match aside abandoned" in words
    assert "ended the match time was up" in words
    assert "ended the match abandoned" not in words
