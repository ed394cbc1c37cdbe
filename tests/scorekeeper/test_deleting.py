"""The name of a person is deleted: nothing stored has it any more, and nothing else changes for anybody."""

import json
from pathlib import Path
from typing import Any

import pytest
from django.apps import apps
from django.conf import settings
from django.core.management import call_command
from django.db import connection

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
from scorekeeper.selectors.clubs import players_named
from scorekeeper.selectors.matches import position
from scorekeeper.selectors.standings import club_tables
from scorekeeper.services import (
    archive,
    backup,
    clubs,
    deleting,
    events,
    jobs,
    people,
    recording,
    tournaments,
)
from scorekeeper.services.errors import Refused
from scorekeeper.standings.calculation import calculate
from scorekeeper.standings.reading import read_value
from scorekeeper.tasks import WORK
from tests.browsing import Browser
from tests.conftest import NOW, Cast, cast_of_two_clubs, enter
from tests.nights import at, first, names_of, seated
from tests.tournaments import file_of, made, played, released, setup_of

NAME = "Zoë «Q» O’Quást-Ñandú"
BEFORE = "Žofia Quást"
BY_MISTAKE = "Zoe Quast 2"


def everywhere(cast: Cast) -> Player:
    """Somebody with former names and a merged row, who played in a tournament and on a night, came in for somebody
    else, was written down by mistake, and is named in notes, an application, a call, an audit and a pad."""
    zoe, *others = (clubs.player_add(club=cast.club, name=name, now=NOW) for name in [BEFORE, *names_of(5)])
    twice = clubs.player_add(club=cast.club, name=BY_MISTAKE, now=NOW, by=cast.users["owner"])
    ids = [each.pk for each in (zoe, *others)]
    cup = tournaments.start(club=cast.club, name="Cup", setup=setup_of("block", "heads"), step=first("cup"))
    tournaments.enter(event_id=cup.pk, entrants=[[each] for each in ids], step=at(cup, "enter"))
    made(cup)
    for match in released(cup):
        played(match)
    late = {"entrant": 1, "round_number": 1, "points": 1, "reason": f"{BEFORE.upper()} was late"}
    tournaments.penalise(event_id=cup.pk, step=at(cup, "late"), **late)
    cup.applications.create(players=[BEFORE, "Bo"], name=f"{BEFORE} & Bo", asked_at=NOW, key="a")
    clubs.player_rename(club=cast.club, player_id=zoe.pk, name=NAME, now=NOW, by=cast.users["owner"])
    events.close(event_id=cup.pk, open_matches=None, step=at(cup, "close"))
    night = events.start(club=cast.club, players=ids, step=first("start"))
    hers, other, third = sorted(
        seated(night, games=("block",), hands=2), key=lambda each: not each.seats.filter(player=zoe).exists()
    )
    played(hers)
    played(other, moves=8)
    entry = {"kind": "substitute", "seat": 0, "player": NAME, "from": 0}
    recording.record(match_id=other.pk, seen=8, key="s", entry=entry, by=Actor(), now=NOW)
    host, seats = Actor(cast.users["owner"]), [seat.name for seat in third.seats.all()]
    enter(third, [{"kind": "swap", "players": [BY_MISTAKE, seats[1]], "why": f"It was {NAME}"}], by=host)
    enter(third, [{"kind": "swap", "players": seats}], prefix="back", by=host)
    events.close(event_id=night.pk, open_matches="abandon", step=at(night, "close"))
    people.merge(club=cast.club, player_id=twice.pk, into_id=zoe.pk, now=NOW)
    Call.objects.create(club=cast.club, table=cast.table, name=NAME, why=f"ask {NAME}", asked_at=NOW)
    Pad.objects.create(table=cast.table, phone="p", name=NAME, since=NOW)
    job = archive.start(club=cast.club, by=None, now=NOW)
    jobs.run(job.pk, WORK)
    settle()
    backup.write(backup.named("daily", NOW), now=NOW)
    zoe.refresh_from_db()
    return zoe


def settle() -> None:
    """Runs the jobs that wait, as a worker does."""
    while job := Job.objects.filter(state=Job.State.NEW).order_by("pk").first():
        jobs.run(job.pk, WORK)


def forms(name: str) -> set[bytes]:
    return {name.encode(), json.dumps(name)[1:-1].encode(), name.casefold().encode()}


def remains() -> list[str]:
    """Where the names still are: files of the data folder, byte by byte, backups and archives unpacked; all tables."""
    found = []
    names = [form for name in (NAME, BEFORE, BY_MISTAKE) for form in forms(name)]
    files = [file for file in Path(settings.DATA).rglob("*") if file.is_file()]
    database = connection.settings_dict["NAME"]
    if connection.vendor == "sqlite":
        files += [file for file in Path(database).parent.glob(f"{Path(database).name}*") if file.is_file()]
    for file in files:
        content = file.read_bytes()
        found += [str(file) for name in names if name in content]
    for model in apps.get_models():
        for row in model._default_manager.values_list():
            text = json.dumps(row, default=str, ensure_ascii=False).casefold()
            found += [
                f"{model.__name__} {row}"
                for name in (NAME, BEFORE, BY_MISTAKE)
                if json.dumps(name, ensure_ascii=False)[1:-1].casefold() in text
            ]
    return found


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
    for cup in Event.objects.filter(kind="tournament"):
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


def test_the_name_is_nowhere_and_all_results_stay(lasting: Cast) -> None:
    zoe = everywhere(lasting)
    before = results(lasting)
    assert len(remains()) > 15
    for match in Match.every.all():
        position(match)  # from now on in memory
    deleting.start(club=lasting.club, player_id=zoe.pk, now=NOW, by=lasting.users["owner"])
    settle()
    assert Job.objects.get(kind=deleting.KIND).state == Job.State.DONE
    assert remains() == []
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
