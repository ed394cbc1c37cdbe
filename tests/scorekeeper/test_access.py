"""Every route, requested by every kind of visitor. A new route fails here until somebody decides who may use it."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, reverse
from django.utils import timezone

import games
from scorekeeper.access import SESSION_KEY, SESSION_PHONE, digest
from scorekeeper.models import Call, DeviceToken, Event, Job, Match, Pad
from scorekeeper.services import tables
from tests.conftest import NOW, Cast, names_for, plan_for

GAME = sorted(games.GAMES)[0]
PHONES = ("phone", "phone that handed the pad over", "phone of another table", "phone of yesterday")
EVERYBODY = ("nobody", "stranger", "player", "member", "scorer", "director", "owner", *PHONES)
MAY = {
    "anybody": set(EVERYBODY),
    "record": {"scorer", "director", "owner", "phone"},
    "keep": {"scorer", "director", "owner"},
    "pad": {"phone", "phone that handed the pad over"},
    "call": {"scorer", "director", "owner", "phone", "phone that handed the pad over"},
    "host": {"director", "owner"},
}


@dataclass(frozen=True)
class Door:
    """One way to use a route: the role it needs, the answer for that role, and the answer for others."""

    need: str
    method: str = "get"
    args: tuple[Any, ...] = ()
    data: dict[str, Any] | None = None
    json: bool = False
    query: str = ""
    ok: set[int] = field(default_factory=lambda: {200})
    refused: set[int] = field(default_factory=lambda: {403})


def post(need: str, *args: Any, ok: set[int], refused: set[int] | None = None, **data: Any) -> Door:
    return Door(need, "post", args, data, ok=ok, refused=refused or {403})


def post_json(need: str, *args: Any, ok: set[int], **data: Any) -> Door:
    return Door(need, "post", args, data, json=True, ok=ok)


# In `args` and in values, a word of STANDS_FOR is replaced by its number.
DOORS: dict[str, list[Door]] = {
    "api-match-open": [post_json("record", "TABLE", ok={201}, game=GAME, players=names_for(GAME))],
    "api-match": [Door("anybody", args=("MATCH",))],
    "api-entries": [
        post_json("record", "MATCH", ok={201, 409}, seen=0, key="KEY", **plan_for(GAME)[0]),
        Door("record", "post", ("MATCH",), plan_for(GAME)[0] | {"seen": 0}, json=True, query="?preview=1"),
    ],
    "api-record": [Door("anybody", args=("MATCH",))],
    "api-verify": [post_json("anybody", ok={200})],
    "api-nowhere": [Door("anybody", ok={404})],
    "live": [Door("anybody", query="?topic=match:MATCH")],
    "home": [Door("anybody")],
    # The server has a club already, so nobody can make a demonstration.
    "demo_open": [post("anybody", ok={404})],
    "setup": [Door("anybody", args=("made-up",), ok={404}), post("anybody", "made-up", ok={404}, club_name="X")],
    "reach": [Door("anybody")],
    "worker": [Door("anybody")],
    "login": [Door("anybody", ok={200, 302})],
    "logout": [post("anybody", ok={302})],
    "set_language": [post("anybody", ok={302}, language="es")],
    "club": [Door("anybody", args=("rovers",))],
    "club_players": [
        Door("host", args=("rovers",)),
        post("host", "rovers", ok={302, 422}, names="Eve"),
        post("host", "rovers", ok={404}, do="rename", player="999999", name="Eve"),
    ],
    "club_tables": [
        Door("host", args=("rovers",)),
        post("host", "rovers", ok={302}, do="add", name="Window"),
    ],
    "archive_start": [post("host", "rovers", ok={302})],
    "club_calls": [
        Door("keep", args=("rovers",)),
        post("keep", "rovers", ok={303}, do="see", call="CALL"),
        post("keep", "rovers", ok={303}, do="settle", call="CALL"),
        post("keep", "rovers", ok={404}, do="made-up", call="CALL"),
        post("keep", "rovers", ok={404}, do="see", call="999999"),
    ],
    "paper": [
        Door("keep", args=("rovers",)),
        Door("keep", args=("rovers",), query=f"?game={GAME}"),
        post("keep", "rovers", ok={200}),
    ],
    "club_sheets": [Door("host", args=("rovers",)), post("host", "rovers", ok={200, 422}, do="blank")],
    "night": [Door("anybody", args=("NIGHT",))],
    "night_seats": [Door("anybody", args=("NIGHT",))],
    "night_sheets": [Door("host", args=("NIGHT",)), post("host", "NIGHT", ok={200}, do="drawn")],
    "night_screen": [Door("anybody", args=("NIGHT",))],
    "night_text": [Door("anybody", args=("NIGHT",))],
    "night_file": [Door("anybody", args=("NIGHT",)), post("anybody", "NIGHT", ok={302})],
    "night_archive": [post("host", "NIGHT", ok={302})],
    "tv": [Door("anybody", ok={302})],
    "night_new": [Door("host", args=("rovers",), ok={302}), post("host", "rovers", ok={422})],
    "night_desk": [Door("host", args=("NIGHT",))],
    "night_entry": [
        post("host", "NIGHT", ok={302}, do="tick", guests="Eve"),
        post("host", "NIGHT", ok={404}, do="made-up"),
    ],
    "night_game": [
        Door("host", args=("NIGHT", GAME)),
        Door("host", args=("NIGHT", "made-up"), ok={404}),
        post("host", "NIGHT", GAME, ok={302, 422}),
    ],
    "night_scorer": [Door("keep", args=("NIGHT",))],
    "table_join": [Door("anybody", args=("TOKEN",), ok={303}), Door("anybody", args=("made-up",), ok={403})],
    "table": [Door("anybody", args=("TABLE",))],
    "table_watch": [Door("anybody", args=("TABLE",))],
    "table_pad": [post("pad", "TABLE", ok={303}, do="too"), post("pad", "TABLE", ok={404}, do="nothing")],
    "table_call": [
        post("call", "TABLE", ok={303}, why="a rule"),
        post("call", "TABLE", ok={303}, do="settle"),
        post("call", "TABLE", ok={404}, do="made-up"),
    ],
    "table_qr": [Door("host", args=("TABLE",)), post("host", "TABLE", ok={200})],
    "table_open": [post("host", "TABLE", ok={302}, open="1")],
    "match_new": [
        Door("record", args=("TABLE",), query=f"?game={GAME}"),
        post("record", "TABLE", ok={200, 422}, game=GAME),
    ],
    "match": [Door("anybody", args=("MATCH",))],
    "match_record": [Door("anybody", args=("MATCH",))],
    "match_entry": [post("record", "MATCH", ok={303, 409, 422}, kind="undo", seen="0", key="KEY")],
    "match_confirm": [
        post("call", "MATCH", ok={303}, entry='{"kind":"confirm","seats":[0]}', seen="0", key="KEY"),
        post("call", "MATCH", ok={404}, entry='{"kind":"undo"}', seen="0", key="KEY"),
    ],
    "match_time": [post("host", "MATCH", ok={303}, do="5"), post("host", "MATCH", ok={404}, do="made-up")],
    # No hand has been played yet.
    "hand_correct": [
        Door("record", args=("MATCH", "0"), ok={404}),
        post("record", "MATCH", "0", ok={404}, do="save"),
    ],
    "match_seats": [
        Door("record", args=("MATCH",)),
        post("record", "MATCH", ok={409}, do="save", seen="-1", key="KEY"),
    ],
    "job": [Door("host", args=("JOB",), refused={404})],
    "job_cancel": [post("host", "JOB", ok={302}, refused={404})],
    "job_file": [Door("host", args=("JOB",), ok={404}, refused={404})],
}


def routes(patterns: list[URLPattern | URLResolver]) -> Iterator[str]:
    """The name of every route, or its pattern if it has no name."""
    for pattern in patterns:
        if isinstance(pattern, URLResolver):
            yield from routes(pattern.url_patterns)
        else:
            yield pattern.name or str(pattern.pattern)


@pytest.fixture
def visitors(cast: Cast) -> dict[str, Client]:
    """A browser for each of EVERYBODY."""
    clients = {who: Client() for who in EVERYBODY}
    for who, user in cast.users.items():
        clients[who].force_login(user, backend="django.contrib.auth.backends.ModelBackend")
    now, yesterday = timedelta(0), timedelta(days=1)
    ages = (cast.table, now), (cast.table, now), (cast.other_table, now), (cast.table, yesterday)
    for who, (table, ago) in zip(PHONES, ages, strict=True):
        token = tables.fresh_token(table=table, now=timezone.now() - ago)
        session = clients[who].session
        session[SESSION_KEY] = [DeviceToken.objects.get(sha256=digest(token)).pk]
        session[SESSION_PHONE] = who
        session.save()
        Pad.objects.create(table=table, phone=digest(who), held=who != "phone that handed the pad over", since=NOW)
    return clients


@pytest.fixture
def stands_for(cast: Cast) -> dict[str, Any]:
    match = cast.open(GAME)
    night = Event.objects.create(club=cast.club, kind="night", started_at=NOW)
    job = Job.objects.create(club=cast.club, kind="archive", run_after=NOW, made_at=NOW)
    token = tables.fresh_token(table=cast.table, now=timezone.now())
    call = Call.objects.create(club=cast.club, table=cast.other_table, asked_at=NOW)
    return {
        "CALL": call.pk,
        "TABLE": cast.table.pk,
        "MATCH": match.pk,
        "JOB": job.pk,
        "NIGHT": night.pk,
        "TOKEN": token,
    }


def test_every_route_is_listed() -> None:
    assert sorted(routes(get_resolver().url_patterns)) == sorted(DOORS)


@pytest.mark.parametrize(("name", "number"), [(name, n) for name, doors in DOORS.items() for n in range(len(doors))])
def test_a_door_opens_for_those_it_is_for(
    name: str, number: int, visitors: dict[str, Client], stands_for: dict[str, Any]
) -> None:
    door = DOORS[name][number]
    path = reverse(name, args=[stands_for.get(arg, arg) for arg in door.args])
    path += door.query.replace("MATCH", str(stands_for["MATCH"]))
    for who in sorted(EVERYBODY, key=lambda who: who in MAY[door.need]):
        data = {key: f"by {who}" if value == "KEY" else value for key, value in (door.data or {}).items()}
        data = {key: stands_for.get(value, value) if isinstance(value, str) else value for key, value in data.items()}
        extra = {"content_type": "application/json"} if door.json else {}
        answer = getattr(visitors[who], door.method)(path, data, **extra)
        expected = door.ok if who in MAY[door.need] else door.refused
        assert answer.status_code in expected, (who, answer.status_code)


@pytest.mark.parametrize("name", [name for name, doors in DOORS.items() if all(d.method == "post" for d in doors)])
def test_what_changes_something_is_not_done_by_looking(
    name: str, visitors: dict[str, Client], stands_for: dict[str, Any]
) -> None:
    path = reverse(name, args=[stands_for.get(arg, arg) for arg in DOORS[name][0].args])
    before = Match.objects.count(), Job.objects.get().cancel_asked
    assert visitors["owner"].get(path).status_code == 405 or name == "set_language"
    assert (Match.objects.count(), Job.objects.get().cancel_asked) == before
