"""docs/access.md says who gets in where. Everything in its table is tried here, and no route is missing in it."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.db import transaction
from django.http import HttpResponse
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, resolve
from django.utils import timezone

import games
from scorekeeper.access import SESSION_KEY, SESSION_PHONE, arrival_key, digest
from scorekeeper.live import parts
from scorekeeper.models import Call, Club, DeviceToken, Event, Job, Match, Pad, Season, Table
from scorekeeper.selectors import matches as match_selectors
from scorekeeper.services import ladders, leagues, programs, tables, tournaments
from scorekeeper.services.entrants import Named
from tests.conftest import NOW, Cast, enter, lasting_cast, names_for, plan_for
from tests.ladders import ladder_with, on
from tests.leagues import setup_of as league_setup
from tests.nights import at, first
from tests.team_leagues import league_of_teams
from tests.tournaments import setup_of

TABLE = Path(__file__).parents[2] / "docs" / "access.md"
GAME = sorted(games.GAMES)[0]
HAND, MOVE = plan_for(GAME)[:2]
UNDO = {"kind": "undo"}

pytestmark = pytest.mark.django_db

PHONES = ("phone", "phone without the pad", "phone of another table", "phone of yesterday", "revoked phone")
PROGRAMS = ("program", "program of another table", "program with a revoked token")
# Programs with a token that one of these users made.
USERS_PROGRAMS = {
    "program of a director": "director",
    "program of an owner": "owner",
    "program of a former director": "player",
    "program of a director of another club": "director",
    "program with an expired token of a director": "director",
    "program with a revoked token of a director": "director",
}
# The visitors in each column of the table. Programs only call the API.
COLUMNS = {
    "anybody": (
        "nobody",
        "player",
        "member",
        *PHONES[2:],
        *PROGRAMS[1:],
        *list(USERS_PROGRAMS)[2:],
    ),
    "phone": ("phone", "program"),
    "no pad": ("phone without the pad",),
    "scorer": ("scorer",),
    "director": ("director", *list(USERS_PROGRAMS)[:2]),
    "owner": ("owner",),
    "other owner": ("stranger",),
}
# Who tries the objects of the other club, and the column that they get there.
FOREIGN = {"owner": "other owner", "phone": "anybody"}


@dataclass(frozen=True)
class Row:
    """A row of the table: a method with an address, and the possible answers in each column."""

    method: str
    address: str
    answers: dict[str, set[int]]

    def __str__(self) -> str:
        return f"{self.method} {self.address}"

    @property
    def route(self) -> str:
        """The route that serves the address."""
        path = self.address.partition("?")[0]
        return name_of(resolve(path.format(**dict.fromkeys(STANDS, 1) | {"club": "c", "game": "g", "token": "t"})))


def rows() -> list[Row]:
    found = re.findall(r"^\| `(GET|POST) (\S+)` \|(.*)\|", TABLE.read_text(), re.MULTILINE)
    return [
        Row(
            method,
            address,
            {
                column: set(map(int, cell.split(" or ")))
                for column, cell in zip(COLUMNS, cells.split("|")[: len(COLUMNS)], strict=True)
            },
        )
        for method, address, cells in found
    ]


STANDS = ("club", "player", "table", "match", "past", "night", "tournament", "arrival", "job", "token", "call", "game")
STANDS += ("number", "season", "teams", "league", "ladder")

SEASON = {
    "name": "Autumn",
    "starts_on": "2026-01-01",
    "ends_on": "2026-06-30",
    "of": "nights",
    "by": "place",
    "group": "",
    "scale": "beaten",
}
# What each POST sends; where several things can be sent, each with the answer for those who get in, if it is another.
SENT: dict[str, list[dict[str, Any] | tuple[dict[str, Any], int]]] = {
    "/account/": [{"do": "end:999999"}, {"do": "revoke:999999"}, {"do": "release:999999"}],
    "/setup/": [{"club_name": "Hill Club", "language": "en", "time_zone": "UTC"}],
    "/practice/menu/": [{"do": "clear", "seen": "0"}, ({"do": "made-up"}, 404)],
    "/practice/settings/": [
        {
            "game": GAME,
            "seen": "0",
            "level": "easy",
            "seats": str(games.GAMES[GAME].seats[0]),
            **{f"option-{option.name}": str(option.default or "") for option in games.GAMES[GAME].options},
        },
        ({"game": GAME, "seen": "0"}, 422),
        ({"game": "made-up"}, 404),
    ],
    "/practice/themes/": [{"seen": "0", "theme": "2"}, ({"seen": "0", "theme": "4"}, 404)],
    "/practice/themes/1/": [{}],
    "/practice/import/": [{"seen": "0"}],
    "/practice/puzzle/play/": [{"entry": "{}", "day": "2000-01-01"}],
    "/clubs/{club}/ranking/rules/": [
        {"nights": "200", "tournaments": "100", "agreed": "100", "shortest": "1"},
        ({"nights": "7"}, 422),
    ],
    "/clubs/{club}/players/": [
        {"names": "Eve"},
        {"do": "member", "who": "{player}"},
        ({"do": "member", "who": "999999"}, 404),
    ],
    "/clubs/{club}/players/{player}/": [
        {"do": "hide"},
        {"do": "initials"},
        ({"do": "delete"}, 422),
        ({"do": "merge", "other": "Nobody"}, 422),
        ({"do": "separate:999999"}, 404),
        ({"do": "claim"}, 200),
        ({"do": "release"}, 422),
        ({"do": "link"}, 422),
        ({"do": "agree:999999"}, 404),
        ({"do": "end:999999"}, 404),
        ({"do": "made-up"}, 404),
    ],
    "/players/{player}/privacy/": [
        {"do": "name"},
        {"do": "show"},
        {"do": "export"},
        ({"do": "delete"}, 404),
        ({"do": "made-up"}, 404),
    ],
    "/clubs/{club}/members/": [
        {"do": "invite", "role": "scorer"},
        ({"do": "role", "member": "999999", "role": "scorer"}, 404),
        ({"do": "made-up", "member": "1"}, 404),
        ({"do": "invite", "role": "player"}, 422),
    ],
    "/clubs/{club}/settings/": [
        {"name": "Rovers", "language": "en", "time_zone": "UTC", "public": "on"},
        ({"name": ""}, 422),
    ],
    "/clubs/{club}/seasons/new/": [SEASON, ({"name": ""}, 422), ({**SEASON, "ends_on": "2025-12-31"}, 422)],
    "/seasons/{season}/edit/": [SEASON, ({**SEASON, "do": "preview"}, 200), ({"name": ""}, 422)],
    "/seasons/{season}/remove/": [({}, 200), {"sure": "yes"}],
    "/clubs/{club}/tables/": [
        {"do": "add", "name": "Window"},
        ({"do": "print"}, 200),
        ({"do": "renew"}, 200),
        ({"do": "renew", "sure": "yes"}, 200),
    ],
    "/clubs/{club}/calls/": [
        {"do": "see", "call": "{call}"},
        {"do": "settle", "call": "{call}"},
        ({"do": "made-up", "call": "{call}"}, 404),
        ({"do": "see", "call": "999999"}, 404),
    ],
    "/clubs/{club}/sheets/": [{"do": "blank"}],
    "/nights/{night}/sheets/": [{"do": "drawn"}],
    "/nights/{night}/entries/": [
        {"do": "tick", "guests": "Eve", "seen": "0", "key": "k"},
        ({"do": "made-up"}, 404),
    ],
    "/tournaments/{tournament}/entries/": [
        {"do": "enter", "names": "Eve", "seen": "2", "key": "k"},
        ({"do": "seat", "seen": "2", "key": "k"}, 422),
        ({"do": "made-up"}, 404),
        ({"do": "absent:1"}, 404),
        ({"do": "clock-pause:1", "seen": "2", "key": "k"}, 422),
        ({"do": "penalise:1", "entrant": "1", "points": "", "seen": "2", "key": "k"}, 422),
        ({"do": "result:1:1"}, 404),
    ],
    "/tournaments/{tournament}/print/sheets/": [{}],
    "/tournaments/{tournament}/print/cards/": [{}],
    "/clubs/{club}/tournaments/new/": [{"game": GAME}, ({}, 404)],
    "/tournaments/{tournament}/setup/": [{}],
    "/tournaments/{tournament}/remove/": [{"typed": "cup", "seen": "2", "key": "k"}, ({"seen": "2", "key": "k"}, 422)],
    "/tournaments/{tournament}/entrants/": [
        {"do": "arrived"},
        {"do": "category", "category": "Ladies", "in": "1", "seen": "2", "key": "k"},
        ({"do": "remove-category:0", "seen": "2", "key": "k"}, 422),
        ({"do": "table", "seen": "2", "key": "k"}, 422),
        ({"do": "accept:1", "seen": "2", "key": "k"}, 422),
        ({"do": "made-up"}, 404),
        ({"do": "describe"}, 404),
    ],
    "/tournaments/{tournament}/entrants/1/break/": [{"do": "rest", "key": "k"}, ({"do": "made-up"}, 404)],
    "/tournaments/{tournament}/groups/": [
        {"do": "draw", "number": "2", "how": "snake", "seen": "2", "key": "k"},
        {"do": "move", "entrant": "1", "group": "1", "seen": "2", "key": "k"},
        ({"do": "made-up"}, 404),
    ],
    "/tournaments/{tournament}/finals/": [
        {"name-1": "Final", "final-1": "1", "seen": "2", "key": "k"},
        {"do": "lots", "place-1": "", "place-2": "", "seen": "2", "key": "k"},
        {"do": "decide", "place-1": "1", "place-2": "2", "why": "a match", "seen": "2", "key": "k"},
    ],
    "/tournaments/{tournament}/seeds/": [{"seen": "2", "key": "k"}, {"place-1": "x", "seen": "2", "key": "k"}],
    "/leagues/{teams}/boards/": [{}, ({"do": "none", "seen": "0", "key": "k"}, 422)],
    "/leagues/{teams}/fixtures/1/boards/": [
        {"do": "substitute:1:home", "seen": "3", "key": "k"},
        {"do": "start", "seen": "3", "key": "k"},
        ({"do": "made-up"}, 404),
    ],
    "/leagues/{teams}/fixtures/1/line-up/home/": [{"do": "submit"}, ({"do": "check"}, 200)],
    "/leagues/{teams}/line-ups/": [{"seen": "3"}],
    "/leagues/{teams}/teams/": [({}, 200)],
    "/leagues/{teams}/teams/1/": [
        {"do": "revoke"},
        {"do": "captain", "player": "1", "seen": "3", "key": "k"},
        ({"do": "link"}, 200),
        ({"do": "made-up"}, 404),
    ],
    "/tournaments/{tournament}/equals/": [{"seen": "2", "key": "k"}, {"place-1": "x", "seen": "2", "key": "k"}],
    "/tournaments/{tournament}/ask/": [{"name": "Eve", "key": "k"}, ({"key": "k"}, 422)],
    "/tournaments/{tournament}/schedule/entries/": [
        {"do": "wish", "what": "present", "entrant": "1", "last": "1", "seen": "2", "key": "k"},
        ({"do": "publish", "seen": "2", "key": "k"}, 422),
        ({"do": "made-up"}, 404),
        ({"do": "exchange"}, 404),
    ],
    "/tournaments/{tournament}/rehearsal/": [
        {"do": "rehearse", "tables": "2", "start": "14:00", "pause": "5"},
        {"do": "cancel"},
        ({"do": "rehearse", "tables": "0", "start": "14:00", "pause": "5"}, 422),
        ({"do": "made-up"}, 404),
    ],
    "/tables/{table}/pad/": [{"do": "too"}, {"do": "take"}, ({"do": "nothing"}, 404)],
    "/tables/{table}/call/": [{"why": "a rule"}, {"do": "settle"}, ({"do": "made-up"}, 404)],
    "/tables/{table}/qr/": [{}, {"do": "renew"}, {"do": "renew", "sure": "yes"}],
    "/tables/{table}/open/": [{"open": "1"}, ({"open": "0"}, 200), {"open": "0", "sure": "yes"}],
    "/tables/{table}/devices/": [
        ({"do": "all"}, 200),
        {"do": "all", "sure": "yes"},
        ({"do": "code", "number": "0"}, 404),
        ({"do": "phone", "number": "0"}, 404),
        ({"do": "made-up"}, 404),
    ],
    "/tables/{table}/matches/": [{"game": GAME}],
    "/matches/{match}/entries/": [{"entry": json.dumps(MOVE), "seen": "1", "key": "k"}],
    "/matches/{past}/review/": [{"do": "review"}, {"do": "cancel"}],
    "/matches/{past}/entries/": [{"entry": json.dumps(UNDO), "seen": "1", "key": "k"}],
    "/matches/{match}/confirm/": [
        {"entry": '{"kind":"confirm","seats":[0]}', "seen": "1", "key": "k"},
        ({"entry": '{"kind":"undo"}', "seen": "1", "key": "k"}, 404),
    ],
    "/matches/{match}/remove/": [{"do": "remove", "why": "Twice"}, {"do": "restore"}, ({"do": "made-up"}, 404)],
    "/matches/{match}/time/": [{"do": "5"}, {"do": "last-hand"}, ({"do": "made-up"}, 404)],
    "/matches/{match}/hands/0/": [{"do": "save"}],
    "/matches/{match}/seats/": [{"do": "save", "seen": "-1", "key": "k"}],
    "/matches/{past}/confirm/": [{"seen": "1", "key": "k", "entry": json.dumps({"kind": "confirm", "seats": [0]})}],
    "/matches/{past}/hands/0/": [{"do": "save", "seen": "1", "key": "k"}],
    "/matches/{past}/seats/": [{"do": "save", "seen": "1", "key": "k"}],
    "/leagues/{league}/desk/": [{"do": "undo", "seen": "3"}, ({"do": "made-up"}, 404), ({"do": "close"}, 422)],
    "/leagues/{league}/rehearsal/": [{"do": "cancel"}],
    "/leagues/{league}/divisions/": [({"division": "First", "entrants": "Ana"}, 422)],
    "/leagues/{league}/fixtures/1/": [
        {"do": "score", "home": "90", "away": "10", "early": "yes", "seen": "3"},
        ({"do": "score", "home": ""}, 422),
        ({"do": "made-up"}, 404),
    ],
    "/ladders/{ladder}/desk/": [{"do": "undo", "seen": "3"}, ({"do": "made-up"}, 404), ({"do": "join"}, 422)],
    "/ladders/{ladder}/entrants/1/": [
        {"do": "away", "seen": "3"},
        ({"do": "challenge", "whom": "1"}, 422),
        ({"do": "made-up"}, 404),
    ],
    "/ladders/{ladder}/challenges/1/": [
        {"do": "accept", "seen": "3"},
        {"do": "score", "home": "90", "away": "10", "early": "yes", "seen": "3"},
        ({"do": "score", "home": ""}, 422),
        ({"do": "made-up"}, 404),
    ],
    "/language/": [{"language": "es"}],
    "/api/v1/tables/{table}/matches/": [{"game": GAME, "players": names_for(GAME)}],
    "/api/v1/matches/{match}/entries/": [{**MOVE, "seen": 1, "key": "k"}],
    "/api/v1/matches/{match}/entries/?preview=1": [{**MOVE, "seen": 1}],
    "/api/v1/matches/{past}/entries/": [{**UNDO, "seen": 1, "key": "k"}],
    "/api/v1/clubs/{club}/tournaments/": [
        {"key": "k", "name": "Cup", "setup": setup_of(GAME, "heads")},
        ({"key": "k", "name": "Cup"}, 422),
    ],
    "/api/v1/tournaments/{tournament}/entries/": [
        {"seen": 2, "key": "k", "kind": "enter", "entrants": [{"players": ["Eve"]}]},
        ({"seen": 1, "key": "k", "kind": "undo"}, 409),
        ({"seen": 2, "key": "k", "kind": "made-up"}, 422),
    ],
    "/api/v1/leagues/{league}/entries/": [
        {"seen": 3, "key": "k", "kind": "result", "fixture": 1, "totals": [90, 10], "early": True},
        {"seen": 3, "key": "k", "kind": "undo"},
        ({"seen": 1, "key": "k", "kind": "undo"}, 409),
        ({"seen": 3, "key": "k", "kind": "close"}, 422),
    ],
    "/api/v1/ladders/{ladder}/entries/": [
        {"seen": 3, "key": "k", "kind": "accept", "challenge": 1},
        {"seen": 3, "key": "k", "kind": "undo"},
        ({"seen": 1, "key": "k", "kind": "undo"}, 409),
        ({"seen": 3, "key": "k", "kind": "accept", "challenge": 9}, 422),
    ],
    "/api/v1/records/verify/": [{}],
}


def routes(patterns: list[URLPattern | URLResolver]) -> Iterator[str]:
    """The name of every route, or its pattern if it has no name."""
    for pattern in patterns:
        if isinstance(pattern, URLResolver):
            yield from routes(pattern.url_patterns)
        else:
            yield pattern.name or str(pattern.pattern)


def name_of(match: Any) -> str:
    return match.url_name or match.route


@pytest.fixture(scope="module")
def cast(django_db_setup: None, django_db_blocker: Any) -> Iterator[Cast]:
    """One for all tests here: every answer is undone."""
    with lasting_cast(django_db_blocker) as cast:
        yield cast


@pytest.fixture(scope="module")
def visitors(cast: Cast) -> dict[str, Client]:
    """A browser or program for everybody in the columns."""
    clients = {who: Client() for column in COLUMNS.values() for who in column}
    for who, user in cast.users.items():
        clients[who].force_login(user, backend="django.contrib.auth.backends.ModelBackend")
    yesterday = timedelta(days=1)
    for who in PHONES:
        table = cast.other_table if who == "phone of another table" else cast.table
        ago = yesterday if who == "phone of yesterday" else timedelta(0)
        token = tables.fresh_token(table=table, now=timezone.now() - yesterday)
        session = clients[who].session
        session[SESSION_KEY] = [DeviceToken.objects.get(sha256=digest(token)).pk]
        session[SESSION_PHONE] = who
        session.save()
        revoked = timezone.now() if who == "revoked phone" else None
        held = who != "phone without the pad"
        Pad.objects.create(table=table, phone=digest(who), held=held, since=timezone.now() - ago, revoked_at=revoked)
    for who in PROGRAMS:
        table = cast.other_table if who == "program of another table" else cast.table
        token = tables.fresh_token(table=table, now=timezone.now())
        clients[who].defaults["HTTP_AUTHORIZATION"] = f"Bearer {token}"
        if "revoked" in who:
            tables.revoke_token(device=DeviceToken.objects.get(sha256=digest(token)), now=timezone.now())
    for who, maker in USERS_PROGRAMS.items():
        club, user = cast.other_club if "another club" in who else cast.club, cast.users[maker]
        begun = timezone.now() - timedelta(days=8 if "expired" in who else 1)
        token = programs.add(user=user, club=club, name=who, lives=timedelta(days=7), now=begun)
        clients[who].defaults["HTTP_AUTHORIZATION"] = f"Bearer {token}"
        if "revoked" in who:
            programs.revoke(user=user, pk=user.programs.get(name=who).pk, now=timezone.now())
    return clients


def objects_of(club: Club, table: Table, match: Match, past: Match) -> dict[str, Any]:
    """What the names in an address stand for, at a club."""
    enter(match, [HAND])
    enter(past, [{"kind": "stop", "stopped": "abandoned"}])
    Match.objects.filter(pk=past.pk).update(finished_at=timezone.now() - timedelta(days=7))
    return {
        "club": club.slug,
        "number": club.pk,
        "table": table.pk,
        "match": match.pk,
        "past": past.pk,
        "night": Event.objects.create(club=club, kind="night", started_at=NOW).pk,
        "tournament": (tournament := _tournament(club)),
        "teams": league_of_teams(club).pk,
        "arrival": arrival_key(tournament),
        "job": Job.objects.create(club=club, kind="archive", run_after=NOW, made_at=NOW).pk,
        "token": tables.fresh_token(table=table, now=timezone.now()),
        "call": Call.objects.create(club=club, table=table, asked_at=NOW).pk,
        "game": GAME,
        "league": _league(club),
        "ladder": _ladder(club),
        "season": Season.objects.create(club=club, name="Spring", starts_on=NOW.date(), ends_on=NOW.date()).pk,
        "player": club.players.get(name="An entrant").pk,
    }


def _tournament(club: Club) -> int:
    event = tournaments.start(
        club=club, name="Cup", setup=setup_of(GAME, "heads", self_entry=True), step=first(f"start at {club.slug}")
    )
    player = club.players.create(name="An entrant")
    tournaments.enter(event_id=event.pk, entrants=[[player.pk]], step=at(event, "enter"))
    return event.pk


def _league(club: Club) -> int:
    event = leagues.start(club=club, name="League", setup=league_setup(), step=first(f"league at {club.slug}"))
    divisions = [("First", [Named(("A league player",)), Named(("Another league player",))])]
    leagues.divide(event_id=event.pk, divisions=divisions, step=at(event, "divide"))
    leagues.make_fixtures(event_id=event.pk, step=at(event, "fixtures"))
    return event.pk


def _ladder(club: Club) -> int:
    event = ladder_with(club, ["Top of the ladder", "Second of the ladder", "Third of the ladder"])
    now = replace(on(event, 0), now=timezone.now())
    ladders.challenge(event_id=event.pk, challenger=2, challenged=1, step=now)
    return event.pk


@pytest.fixture(scope="module")
def own(cast: Cast) -> dict[str, Any]:
    return objects_of(cast.club, cast.table, *(cast.open(GAME) for _ in range(2)))


@pytest.fixture(scope="module")
def foreign(cast: Cast) -> dict[str, Any]:
    table = Table.objects.create(club=cast.other_club, number=1)
    return objects_of(cast.other_club, table, *(cast.open(GAME, table=table) for _ in range(2)))


def answer(client: Client, row: Row, sent: dict[str, Any], stands: dict[str, Any]) -> HttpResponse:
    """The answer to one request, after which everything is as before."""
    path = row.address.format(**stands)
    values = {key: value.format(**stands) if value == "{call}" else value for key, value in sent.items()}
    how = {"content_type": "application/json"} if row.method == "POST" and path.startswith("/api/") else {}
    cookies = client.cookies.copy()
    with transaction.atomic():
        got: HttpResponse = getattr(client, row.method.lower())(
            path, *([values] if row.method == "POST" else []), **how
        )
        transaction.set_rollback(True)
    client.cookies = cookies
    match_selectors._positions.clear()
    parts.kept.cache_clear()
    return got


def requests_of(row: Row) -> list[tuple[dict[str, Any], int | None]]:
    listed = SENT.get(row.address, [{}]) if row.method == "POST" else [{}]
    return [each if isinstance(each, tuple) else (each, None) for each in listed]


def is_let_in(row: Row, column: str) -> bool:
    return not row.answers[column] <= {403, 404}


def people_at(row: Row) -> list[tuple[str, str]]:
    """Who tries it, and in which column: all of a column that may not. Of one that may, the first and the last: a page
    takes longer than a refusal."""
    return [
        (who, column)
        for column, people in COLUMNS.items()
        for who in ({people[0], people[-1]} if is_let_in(row, column) else people)
    ]


@pytest.mark.parametrize("row", rows(), ids=str)
def test_everybody_gets_the_answer_in_the_table(
    row: Row, visitors: dict[str, Client], own: dict[str, Any], foreign: dict[str, Any]
) -> None:
    tried = [(who, column, own) for who, column in people_at(row)]
    tried += [(who, column, foreign) for who, column in FOREIGN.items()]
    wrong = []
    for sent, other in requests_of(row):
        for who, column, stands in tried:
            if who.startswith("program") and not row.address.startswith("/api/"):
                continue
            expected = {other} if other and is_let_in(row, column) else row.answers[column]
            got = answer(visitors[who], row, sent, stands).status_code
            if got not in expected:
                wrong.append(f"{who} at {stands['club']} got {got}, not {expected}, for {sent}")
    assert not wrong


def test_a_club_that_is_not_public(visitors: dict[str, Client], own: dict[str, Any], foreign: dict[str, Any]) -> None:
    """Whatever is open to anybody in a row is open to members only, and to phones at their table."""
    Club.objects.update(public=False)
    at_the_table = ("{table}", "{match}", "{past}")
    tried, wrong = 0, []
    for row in rows():
        if not is_let_in(row, "anybody") or not re.search(r"\{(?!token|arrival)\w+\}", row.address):
            continue
        columns = {who: column for column, people in COLUMNS.items() for who in people}
        for who, column in columns.items():
            if who.startswith("program") and not row.address.startswith("/api/"):
                continue
            ours = ("player", "member", "scorer", "director", "owner", *list(USERS_PROGRAMS)[:3])
            member = who in ours
            table = column in ("phone", "no pad") and any(name in row.address for name in at_the_table)
            expected = row.answers[column] if member or table else {403}
            got = answer(visitors[who], row, requests_of(row)[0][0], own).status_code
            tried += 1
            if got not in expected:
                wrong.append(f"{who} got {got}, not {expected}, for {row}")
        if answer(visitors["owner"], row, requests_of(row)[0][0], foreign).status_code != 403:
            wrong.append(f"the owner of another club got in for {row}")
    assert tried > 300
    assert not wrong


def test_every_page_of_a_host_leads_back_to_the_desk(visitors: dict[str, Client], own: dict[str, Any]) -> None:
    """To that of the event that it is about, else to that of the open night."""
    without = []
    for row in rows():
        got = answer(visitors["owner"], row, {}, own) if row.method == "GET" else None
        is_page = got and got.status_code == 200 and got["Content-Type"].startswith("text/html")
        page = got.content.decode() if is_page else ""
        kind = next((kind for kind in ("tournament", "league", "ladder") if f"/{kind}s/{{" in row.address), "night")
        event = row.address.format(**own).split("/")[2] if kind != "night" else own["night"]
        desk = f"/{kind}s/{event}/desk/"
        if '<header class="bar">' in page and f'href="{desk}"' not in page and row.address.format(**own) != desk:
            without.append(row.address)
    assert not without


def test_every_route_has_a_row() -> None:
    assert {row.route for row in rows()} == set(routes(get_resolver().url_patterns))


def test_every_method_without_a_row_is_refused(visitors: dict[str, Client], own: dict[str, Any]) -> None:
    listed = rows()
    have = {(row.route, row.method) for row in listed}
    addresses = {row.route: row.address for row in listed}
    for route, address in addresses.items():
        for method in ("GET", "POST", "PUT", "PATCH", "DELETE"):
            if (route, method) not in have and route != "api-nowhere":
                got = answer(visitors["owner"], Row(method, address, {}), {}, own).status_code
                assert got == 405, f"{method} {address} answers {got}"


def test_whatever_is_sent_belongs_to_a_row() -> None:
    assert set(SENT) <= {row.address for row in rows() if row.method == "POST"}
