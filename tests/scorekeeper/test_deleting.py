"""The name of a person is deleted: nothing stored has it any more, and nothing else changes for anybody."""

import json
import subprocess
import unicodedata
from collections.abc import Iterator
from html import escape
from io import BytesIO
from pathlib import Path
from typing import Any
from urllib.parse import quote, quote_plus
from zipfile import ZipFile, is_zipfile

import pytest
import redis
from django.conf import settings
from django.contrib.sessions.models import Session
from django.core.cache import caches
from django.core.cache.backends.locmem import LocMemCache
from django.core.management import call_command
from django.db import connection
from django.test import Client

from scorekeeper.access import Actor
from scorekeeper.models import (
    AuditEntry,
    Call,
    Event,
    Job,
    Match,
    Pad,
    Player,
    RatingLine,
    SeatResult,
)
from scorekeeper.names import words
from scorekeeper.selectors.clubs import players_named
from scorekeeper.selectors.matches import position
from scorekeeper.selectors.paper import Origin
from scorekeeper.selectors.standings import club_tables
from scorekeeper.services import (
    archive,
    backup,
    claims,
    clubs,
    deleting,
    entrants,
    event_file,
    events,
    files,
    paper,
    people,
    person_export,
    recording,
    schedules,
    seasons,
    tournament_import,
    tournaments,
)
from scorekeeper.services.entrants import About, Named
from scorekeeper.services.errors import Refused
from scorekeeper.standings.calculation import calculate
from scorekeeper.standings.reading import read_value
from scorekeeper.tasks import run_job
from tests.browsing import Browser
from tests.conftest import NOW, Cast, cast_of_two_clubs, enter
from tests.nights import at, first, names_of, seated
from tests.tournaments import file_of, made, played, released, setup_of

NAME = "Zoë «Q» O’Quást-Ñandú"
BEFORE = "Žofia Quást"
BY_MISTAKE = "Zoe Quast 2"


def everywhere(cast: Cast) -> Player:
    """Somebody with former names and a merged row, who played in a tournament, which was also imported, on a night, and
    on paper, came in for somebody else, was written down by mistake, and is named in notes, applications, a call, an
    audit and a pad. They have a link to claim their page, they are in a season, and pictures and files show them."""
    zoe, *others = (clubs.player_add(club=cast.club, name=name, now=NOW) for name in [BEFORE, *names_of(5)])
    twice = clubs.player_add(club=cast.club, name=BY_MISTAKE, now=NOW, by=cast.users["owner"])
    ids = [each.pk for each in (zoe, *others)]
    cup = tournaments.start(club=cast.club, name="Cup", setup=setup_of("block", "heads"), step=first("cup"))
    tournaments.enter(event_id=cup.pk, entrants=[[each] for each in ids], step=at(cup, "enter"))
    wish = {"what": "table", "entrants": [1], "first": 1, "last": None, "table": 2}
    schedules.wish(event_id=cup.pk, wish=wish, step=at(cup, "wish"))
    made(cup)
    for match in released(cup):
        played(match)
    late = {"entrant": 1, "round_number": 1, "points": 1, "reason": f"{BEFORE.upper()} was late"}
    tournaments.penalise(event_id=cup.pk, step=at(cup, "late"), **late)
    cup.applications.create(players=[BEFORE, "Bo"], name=f"{BEFORE} & Bo", asked_at=NOW, key="a")
    later = tournaments.start(
        club=cast.club,
        name="Later",
        setup=setup_of("domino-whist", "heads", size=2, self_entry=True),
        step=first("later"),
    )
    entrants.apply(event=later, named=Named((BEFORE, "Bo"), About(f"Team {BEFORE}")), key="b", now=NOW)
    clubs.player_rename(club=cast.club, player_id=zoe.pk, name=NAME, now=NOW, by=cast.users["owner"])
    events.close(event_id=cup.pk, open_matches=None, step=at(cup, "close"))
    night = events.start(club=cast.club, players=ids, step=first("start"))
    hers, other, third = sorted(
        seated(night, games=("block",), hands=2), key=lambda each: not each.seats.filter(player=zoe).exists()
    )
    played(hers)
    played(other, moves=4)  # few enough for the first hand to be in play still
    entry = {"kind": "substitute", "seat": 0, "player": NAME, "from": 0}
    recording.record(match_id=other.pk, seen=4, key="s", entry=entry, by=Actor(), now=NOW)
    host, seats = Actor(cast.users["owner"]), [seat.name for seat in third.seats.all()]
    enter(third, [{"kind": "swap", "players": [BY_MISTAKE, seats[1]], "why": f"It was {NAME}"}], by=host)
    enter(third, [{"kind": "swap", "players": seats}], prefix="back", by=host)
    events.close(event_id=night.pk, open_matches="abandon", step=at(night, "close"))
    people.merge(club=cast.club, player_id=twice.pk, into_id=zoe.pk, now=NOW)
    Call.objects.create(club=cast.club, table=cast.table, name=NAME, why=f"ask {NAME}", asked_at=NOW)
    Pad.objects.create(table=cast.table, phone="p", name=NAME, since=NOW)
    paper.type_in(
        club=cast.club,
        origin=Origin(),
        game="block",
        options={},
        players=[NAME, "Bo"],
        entries=[{"kind": "result", "totals": [90, 10], "stopped": "time"}],
        sheet="7",
        at=NOW,
        by=Actor(),
        key="paper",
        now=NOW,
    )
    claims.make_link(club=cast.club, player_id=zoe.pk, by=cast.users["owner"], now=NOW)
    season = {"name": "Spring", "starts_on": NOW.date(), "ends_on": NOW.date(), "of": "nights", "by": "gain"}
    seasons.make(club=cast.club, new={**season, "group": "block", "points": [], "best": None}, by=None, now=NOW)
    archive.start(club=cast.club, by=None, now=NOW)
    event_file.start(event=night, version="1", language="en", now=NOW)
    person_export.start(player=zoe, by=cast.users["owner"], now=NOW)
    settle()
    imported(cast, cup)
    for at_address in (f"/players/{zoe.pk}/picture", f"/matches/{hers.pk}/picture", "/clubs/rovers/ranking"):
        for kind in ("svg", "png"):
            assert Client().get(f"{at_address}.{kind}").status_code == 200
    Client().get("/search/", {"q": NAME})
    backup.write(backup.named("daily", NOW), now=NOW)
    zoe.refresh_from_db()
    return zoe


def imported(cast: Cast, cup: Event) -> None:
    """The tournament comes from its archive a second time, and is refused a third time."""
    job = archive.start(club=cast.club, by=None, now=NOW, night=Event.objects.get(pk=cup.pk))
    settle()
    content = (files.archives() / Job.objects.get(pk=job.pk).result).read_bytes()
    tournament_import.folder().mkdir()
    for again in (True, False):
        file = tournament_import.folder() / f"again-{again}"
        file.write_bytes(content)
        copy = tournament_import.start(club=cast.club, file=file, again=again, by=Actor(), now=NOW)
        settle()
        assert (Job.objects.get(pk=copy.pk).state == Job.State.DONE) == again


def settle() -> None:
    """Runs the jobs that wait, as a worker does."""
    while job := Job.objects.filter(state=Job.State.NEW).order_by("pk").first():
        run_job(job.pk)


def forms(name: str) -> set[bytes]:
    """The name as it may be written: as it is, in JSON, in an address, in HTML, and as the search compares it."""
    found = {name, unicodedata.normalize("NFD", name), name.casefold(), words(name), json.dumps(name)[1:-1]}
    found |= {quote(name), quote_plus(name), quote(name, safe="«»’"), escape(name)}
    for each in (name, escape(name)):
        found |= {
            "".join(letter if letter.isascii() else f"&#{form(ord(letter))};" for letter in each) for form in NUMBERS
        }
    return {form.encode().lower() for form in found}


NUMBERS = ("{}".format, "x{:x}".format)


def remains(told: str = "") -> list[str]:
    """Where the names still are, in any form: every file of the data folder and everything in it, byte by byte, every
    row of every table, what caches keep, and what was `told` to logs."""
    names = [form for name in (NAME, BEFORE, BY_MISTAKE) for form in forms(name)]
    return [where for where, content in everything(told) if any(name in content.lower() for name in names)]


def everything(told: str) -> Iterator[tuple[str, bytes]]:
    yield "the log", told.encode()
    there = [file for file in Path(settings.DATA).rglob("*") if file.is_file()]
    database = connection.settings_dict["NAME"]
    if connection.vendor == "sqlite":
        there += [file for file in Path(database).parent.glob(f"{Path(database).name}*") if file.is_file()]
    for file in there:
        # Another process reads it: whoever closes a file of SQLite loses all locks that this process has on it, and the
        # next process that opens the database then takes it for its own.
        content = subprocess.run(["cat", file], capture_output=True, check=True).stdout
        yield from unpacked(str(file), content)
    with connection.cursor() as cursor:
        for table in connection.introspection.table_names(cursor):
            cursor.execute(f"SELECT * FROM {connection.ops.quote_name(table)}")
            for row in cursor.fetchall():
                yield (
                    f"{table} {row}",
                    b" ".join(each if isinstance(each, bytes) else str(each).encode() for each in row),
                )
    for session in Session.objects.all():
        yield "a session", json.dumps(session.get_decoded()).encode()
    for key, value in cached():
        yield f"the cache of {key}", f"{key} {value}".encode()
        if isinstance(value, bytes):
            yield f"the cache of {key}", value


def unpacked(name: str, content: bytes) -> Iterator[tuple[str, bytes]]:
    """A file, and everything in it if it is an archive."""
    yield name, name.encode() + content
    if is_zipfile(BytesIO(content)):
        with ZipFile(BytesIO(content)) as archive:
            for each in archive.namelist():
                yield from unpacked(f"{name}/{each}", archive.read(each))


def cached() -> Iterator[tuple[Any, Any]]:
    """What the cache has, and everything else in Redis if there is one. What a process has in its memory of before
    belongs to an edition of a match, or a version of a page, for which nobody asks any more."""
    local = caches["default"]
    if isinstance(local, LocMemCache):
        yield from local._cache.items()  # type: ignore[attr-defined]
    if settings.REDIS_URL:
        with redis.Redis.from_url(settings.REDIS_URL) as server:
            for key in server.scan_iter():
                match server.type(key):
                    case b"string":
                        yield key, server.get(key)
                    case b"hash":
                        yield key, b" ".join(server.hgetall(key).values())
                    case b"list":
                        yield key, b" ".join(server.lrange(key, 0, -1))
                    case b"zset":
                        yield key, b" ".join(server.zrange(key, 0, -1))
                    case _:
                        yield key, b" ".join(server.smembers(key))


def results(cast: Cast) -> dict[str, Any]:
    """Everything that counts, without names."""
    found: dict[str, Any] = {
        "tables": {
            game: [(row.place, row.points_for, row.won) for row in rows]
            for game, rows in club_tables(cast.club).items()
        },
        "seats": [
            *SeatResult.objects.order_by("match", "number").values_list("match", "number", "player", "points", "place")
        ],
        "ratings": [
            *RatingLine.objects.order_by("match", "player").values_list("match", "player", "values", "everywhere")
        ],
    }
    for cup in Event.objects.filter(kind="tournament", closed_at__isnull=False):
        (stage,) = calculate(read_value(file_of(cup))).stages
        found[str(cup)] = [
            (row.place, row.entrant, {name: each.value for name, each in row.values.items()}) for row in stage.rows
        ]
    return found


@pytest.fixture
def lasting(transactional_db: None, settings: Any, tmp_path: Path) -> Cast:
    """A cast whose data stays when a transaction ends, so that the database can be told to give up what was deleted."""
    settings.DATA = tmp_path
    return cast_of_two_clubs()


def test_the_name_is_nowhere_and_all_results_stay(lasting: Cast, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("INFO")
    zoe = everywhere(lasting)
    before = results(lasting)
    assert len(remains()) > 15
    for match in Match.every.all():
        position(match)  # from now on in memory
    deleting.start(club=lasting.club, player_id=zoe.pk, now=NOW, by=lasting.users["owner"])
    settle()
    assert Job.objects.get(kind=deleting.KIND).state == Job.State.DONE
    assert remains(caplog.text) == []
    assert results(lasting) == before
    call_command("rebuild", "--check")
    assert all(NAME not in position(match).players for match in Match.every.all())
    assert [file.name.startswith(deleting.BACKUP) for file in backup.saved()] == [True]


def test_a_job_that_is_killed_is_finished_by_the_next_worker(lasting: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    zoe = everywhere(lasting)
    deleting.start(club=lasting.club, player_id=zoe.pk, now=NOW)
    for step in ("_rename_in_event", "_overwrite"):
        with monkeypatch.context() as killed:
            killed.setattr(deleting, step, interrupted)
            with pytest.raises(KeyboardInterrupt):
                settle()
    settle()
    assert remains() == []


def interrupted(*_: object) -> None:
    raise KeyboardInterrupt


def test_an_import_that_waits_brings_no_name_back(cast: Cast, settings: Any, tmp_path: Path) -> None:
    settings.DATA = tmp_path
    ana = clubs.player_add(club=cast.club, name="Ana Blum", now=NOW)
    tournament_import.folder().mkdir()
    file = tournament_import.folder() / "waits"
    file.write_text("Ana Blum")
    waits = tournament_import.start(club=cast.club, file=file, by=Actor(), now=NOW)
    run_job(deleting.start(club=cast.club, player_id=ana.pk, now=NOW).pk)
    waits.refresh_from_db()
    assert (waits.state, file.exists()) == (Job.State.CANCELLED, False)


def test_the_name_is_gone_from_the_club_at_once(cast: Cast) -> None:
    ana = clubs.player_add(club=cast.club, name="Ana Blum", now=NOW)
    ana.user = cast.users["member"]
    ana.save()
    clubs.player_rename(club=cast.club, player_id=ana.pk, name="Ana Klein", now=NOW)
    deleting.start(club=cast.club, player_id=ana.pk, now=NOW)
    ana.refresh_from_db()
    assert (ana.name, ana.user, ana.left) == ("Deleted player 1", None, True)
    assert not {"Ana Blum", "Ana Klein"} & {*players_named(cast.club.pk, ["Ana Blum", "Ana Klein"])}
    with pytest.raises(Refused, match="already"):
        deleting.start(club=cast.club, player_id=ana.pk, now=NOW)
    with pytest.raises(Refused, match="already"):
        clubs.player_rename(club=cast.club, player_id=ana.pk, name="Ana Blum", now=NOW)


def test_whoever_plays_cannot_be_deleted(cast: Cast) -> None:
    ana = clubs.player_add(club=cast.club, name="Ana Blum", now=NOW)
    events.start(club=cast.club, players=[ana.pk], step=first("start"))
    with pytest.raises(Refused, match="when it is over"):
        deleting.start(club=cast.club, player_id=ana.pk, now=NOW)


def test_names_of_others_and_ordinary_words_stay(cast: Cast) -> None:
    """Ana is deleted; Ana Maria, Anabel, and another club's Ana keep their names."""
    ana, *_others = (clubs.player_add(club=cast.club, name=each, now=NOW) for each in ("Ana", "Ana Maria", "Anabel"))
    kept = note_of(cast, "Anabel and banana")
    changed = note_of(cast, "ana, then Bo")
    deleting.start(club=cast.club, player_id=ana.pk, now=NOW)
    settle()
    assert {*cast.club.players.values_list("name", flat=True)} == {"Deleted player 1", "Ana Maria", "Anabel"}
    assert cast.other_club.players.filter(name="Ana").exists()
    kept.refresh_from_db()
    changed.refresh_from_db()
    assert (kept.what, changed.what) == ("Anabel and banana", "Deleted player 1, then Bo")


def note_of(cast: Cast, what: str) -> AuditEntry:
    return AuditEntry.objects.create(club=cast.club, kind="match-removed", at=NOW, what=what)


def test_a_host_is_asked_first_and_sees_that_it_is_done(cast: Cast) -> None:
    ana = clubs.player_add(club=cast.club, name="Ana Blum", now=NOW)
    host = Browser(cast.browser("director"))
    host.open(f"/clubs/{cast.club.slug}/players/{ana.pk}/").press("Delete the name")
    assert "This cannot be undone." in host.words
    assert Player.objects.get(pk=ana.pk).deleted_at is None
    host.press("Delete the name for good")
    assert "is being deleted everywhere" in host.words
    settle()
    host.open(f"/clubs/{cast.club.slug}/players/{ana.pk}/")
    assert "was deleted on" in host.words
    assert not host.has_button("Rename")
