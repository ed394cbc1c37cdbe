"""Backups and restoring them: on both databases, from one to the other, damaged, and killed in the middle."""

import errno
import json
import os
import re
import shutil
import signal
import socket
import stat
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import date
from http.client import HTTPConnection
from io import StringIO
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.parse import urlencode
from urllib.request import HTTPCookieProcessor, build_opener
from zipfile import ZipFile

import pytest
from django.core.management import CommandError, call_command
from django.db import connection, connections
from django.db.migrations.recorder import MigrationRecorder
from django.db.utils import ConnectionHandler
from django.urls import reverse
from django.utils import timezone

from scorekeeper.live.topics import KINDS, Topic
from scorekeeper.management.ondata import in_one_line
from scorekeeper.models import Change, Club, Job, Match, Season, Table
from scorekeeper.selectors.standings import UNREAD, out_of_date
from scorekeeper.services import backup, jobs, recording, tables
from scorekeeper.services.errors import Refused
from scorekeeper.services.restore import GAP, ask, asked, restore, restore_asked
from scorekeeper.services.seasons import settings_of
from scorekeeper.serving.lock import DataLock
from scorekeeper.serving.meanwhile import COOKIE, Meanwhile
from scorekeeper.serving.privacy import only_for_owner
from scorekeeper.settings import database
from tests.conftest import NOW, Phone
from tests.running import OURS, ROOT, Running, running

SAVED = sorted((ROOT / "tests/data/backups").glob("*.zip"))
NEWEST = SAVED[-1]


@contextmanager
def on(url: str, data: Path) -> Iterator[None]:
    """The models read and write this database; without a URL the SQLite file in `data`."""
    ours = connections["default"]
    connections["default"] = ConnectionHandler({"default": database(url, data)})["default"]
    try:
        yield
    finally:
        connection.close()
        if connection.vendor == "postgresql":
            connection.close_pool()
        connections["default"] = ours


@pytest.fixture
def data(tmp_path: Path, settings: Any, django_db_blocker: Any) -> Iterator[Path]:
    """An empty data folder."""
    settings.DATA = tmp_path / "data"
    settings.DATA.mkdir()
    with django_db_blocker.unblock():
        yield settings.DATA


@pytest.fixture(scope="module")
def restored(tmp_path_factory: pytest.TempPathFactory, django_db_blocker: Any) -> Path:
    """A data folder into which the newest saved backup was restored. Read only."""
    data = tmp_path_factory.mktemp("restored")
    with django_db_blocker.unblock(), on("", data):
        restore(NEWEST, now=NOW)
    return data


@pytest.fixture
def here(restored: Path, data: Path) -> Iterator[Path]:
    """A copy of that folder, which the models read and write."""
    shutil.copy(restored / "db.sqlite3", data)
    with on("", data):
        yield data


def content(file: Path) -> dict[str, Any]:
    """All rows of a backup, by table."""
    with ZipFile(file) as archive:
        return {
            name: [json.loads(line) for line in archive.read(name).splitlines()]
            for name in archive.namelist()
            if name != backup.MANIFEST
        }


def differing() -> set[str]:
    """The names of everything cached with a match that differs from its log; of data of an earlier version, which kept
    no figures, UNREAD."""
    return {name for match in Match.objects.all() for name in out_of_date(match)}


# --- There and back ------------------------------------------------------------------------------------------
@pytest.mark.parametrize("file", SAVED, ids=lambda file: file.stem)
def test_the_data_of_every_earlier_version_is_restored(data: Path, file: Path) -> None:
    with on("", data):
        assert restore(file, now=NOW) is None
        assert Match.objects.count() == len(content(file)["match.ndjson"])
        assert differing() <= {UNREAD}
        for match in Match.objects.all():
            recording.rebuild(match_id=match.pk)
        assert differing() == set()


@pytest.mark.postgres
def test_every_row_comes_back_from_one_database_to_the_other(here: Path, postgres_url: str) -> None:
    first, second, third, fourth = (here / f"{number}.zip" for number in range(4))
    backup.write(first, now=NOW)
    with on(postgres_url, here):
        assert restore(first, now=NOW) is None
        assert differing() <= {UNREAD}
        backup.write(second, now=NOW)
        before = Change.objects.latest("pk").pk
        kept = restore(second, now=NOW)
        assert kept
        assert content(kept) == content(first)
        assert Change.objects.earliest("pk").pk > before
        added = Club.objects.create(slug="new", name="New", created_at=NOW)
        assert added.pk > GAP
        added.delete()
        backup.write(third, now=NOW)
    restore(third, now=NOW)
    backup.write(fourth, now=NOW)
    assert content(first) == content(second) == content(third) == content(fourth)
    assert differing() <= {UNREAD}


def test_a_restored_server_has_nothing_left_from_before(here: Path) -> None:
    seen = {
        topic: topic.newest() for topic in (Topic("match", pk) for pk in Match.objects.values_list("pk", flat=True))
    }
    saved = here / "saved.zip"
    backup.write(saved, now=NOW)
    club = Club.objects.create(slug="late", name="Late", created_at=NOW)
    last = Change.objects.create(topic="home:0", kind="club", at=NOW)
    kept = restore(saved, now=NOW)
    assert not Club.objects.filter(slug="late").exists()
    assert kept
    assert [row[1] for row in content(kept)["club.ndjson"]][-1] == "late"
    for topic, newest in seen.items():
        assert topic.newest() > max(newest, last.pk)
    for kind, rows in KINDS.items():
        assert all(Topic(kind, row.pk).newest() for row in rows)
    # A phone that knows the lost club's id must not find another one under it.
    assert Club.objects.create(slug="next", name="Next", created_at=NOW).pk > club.pk


def test_the_seasons_of_a_club_come_back(here: Path) -> None:
    season = Season.objects.create(
        club=Club.objects.get(slug="demo"),
        name="2026",
        starts_on=date(2026, 1, 1),
        ends_on=date(2026, 12, 31),
        points=[10, 7, 5],
        best=8,
    )
    backup.write(here / "saved.zip", now=NOW)
    Season.objects.all().delete()
    restore(here / "saved.zip", now=NOW)
    assert settings_of(Season.objects.get(pk=season.pk)) == settings_of(season)


def test_unfinished_jobs_are_over_after_a_restore(here: Path) -> None:
    waiting, running = (jobs.start(kind="archive", args={}, club=None, by=None, now=NOW, send=False) for _ in range(2))
    assert jobs.Run.claim(running.pk, lambda: NOW)
    backup.write(here / "saved.zip", now=NOW)
    restore(here / "saved.zip", now=NOW)
    for job in (waiting, running):
        job.refresh_from_db()
        assert (job.state, job.lease_until) == ("cancelled", None)


def test_the_log_of_a_killed_server_is_not_replayed_over_the_backup(here: Path, data: Path) -> None:
    backup.write(data / "saved.zip", now=NOW)
    killed = data.parent / "killed"
    killed.mkdir()
    Club.objects.create(slug="late", name="Late", created_at=NOW)
    for end in ("", "-wal", "-shm"):
        shutil.copy(data / f"db.sqlite3{end}", killed)
    assert (killed / "db.sqlite3-wal").stat().st_size
    with on("", killed):
        kept = restore(data / "saved.zip", now=NOW)
        assert kept
        assert len(content(kept)["club.ndjson"]) == 3
        assert Club.objects.count() == 2
        assert connection.cursor().execute("PRAGMA integrity_check").fetchone() == ("ok",)


def test_a_damaged_database_is_kept_aside(here: Path, data: Path) -> None:
    connection.close()
    (data / "db.sqlite3").write_bytes(b"not a database" * 1000)
    kept = restore(NEWEST, now=NOW)
    assert kept
    assert kept.read_bytes().startswith(b"not a database")
    assert Club.objects.count() == 2


# --- What is refused -----------------------------------------------------------------------------------------
def test_a_wrong_byte_anywhere_is_found(tmp_path: Path) -> None:
    whole = NEWEST.read_bytes()
    spoiled = tmp_path / "spoiled.zip"
    for place in [*range(64), *range(64, len(whole), 97), *range(len(whole) - 200, len(whole))]:
        spoiled.write_bytes(whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :])
        with pytest.raises(backup.Unusable):
            backup.check(spoiled)
    for length in (0, 3, 50, 100, len(whole) // 2, len(whole) - 1):
        spoiled.write_bytes(whole[:length])
        with pytest.raises(backup.Unusable):
            backup.check(spoiled)
    spoiled.write_bytes(whole + b"\n")
    with pytest.raises(backup.Unusable):
        backup.check(spoiled)


def forged(file: Path, change: Callable[[dict[str, Any]], object]) -> Path:
    """A well sealed backup whose manifest was changed."""
    with ZipFile(NEWEST) as old, file.open("w+b") as target:
        manifest = json.loads(old.read(backup.MANIFEST))
        change(manifest)
        with ZipFile(target, "w") as new:
            for name in old.namelist():
                new.writestr(name, json.dumps(manifest) if name == backup.MANIFEST else old.read(name))
            new.comment = b"0" * backup.DIGEST
        backup._seal(target)
    return file


@pytest.mark.parametrize(
    ("change", "code"),
    [
        (lambda manifest: manifest.update(format=2), "newer-backup"),
        (lambda manifest: manifest["migrations"].append("9999_later"), "newer-backup"),
        (lambda manifest: manifest["tables"].pop(), "backup-damaged"),
        (lambda manifest: manifest["tables"][0].update(rows=1), "backup-damaged"),
        (lambda manifest: manifest["tables"][0]["columns"].pop(), "backup-damaged"),
        (lambda manifest: manifest.pop("tables"), "backup-damaged"),
    ],
)
def test_what_this_version_cannot_read_changes_nothing(
    here: Path, change: Callable[[dict[str, Any]], object], code: str
) -> None:
    file = forged(here / "forged.zip", change)
    with pytest.raises(Refused) as refused:
        restore(file, now=NOW)
    assert refused.value.code == code
    assert Club.objects.count() == 2
    assert not list(here.glob("db.sqlite3.*"))


def test_what_stops_in_the_middle_leaves_nothing_behind(here: Path) -> None:
    before = (here / "db.sqlite3").read_bytes()

    def stop(done: int, total: int) -> None:
        if done > total / 2:
            raise jobs.Cancelled

    with pytest.raises(jobs.Cancelled):
        backup.write(here / "saved.zip", now=NOW, progress=stop)
    assert [path.name for path in here.glob("saved*")] == []
    with pytest.raises(jobs.Cancelled):
        restore(NEWEST, now=NOW, progress=stop)
    assert (here / "db.sqlite3").read_bytes() == before
    assert not list(here.glob("db.sqlite3.*"))


KILLED = """
import os, signal
from datetime import UTC, datetime
from pathlib import Path
import django
django.setup()
from scorekeeper.services.restore import restore
def stop(done, total):
    if done > total / 2:
        os.kill(os.getpid(), signal.SIGKILL)
restore(Path(%r), now=datetime.now(UTC), progress=stop)
"""


def killed(data: Path, **environment: str) -> None:
    """Kills a restore in the middle."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith(OURS)}
    ours = {"DJANGO_SETTINGS_MODULE": "scorekeeper.settings", "SCOREKEEPER_DATA": str(data)}
    command = [sys.executable, "-c", KILLED % str(NEWEST)]
    ended = subprocess.run(command, cwd=ROOT, env=clean | ours | environment, check=False, timeout=60)
    assert ended.returncode == -signal.SIGKILL


def test_a_killed_restore_leaves_the_old_data(here: Path) -> None:
    Club.objects.create(slug="late", name="Late", created_at=NOW)
    connection.close()
    killed(here)
    assert Club.objects.count() == 3
    restore(NEWEST, now=NOW)
    assert Club.objects.count() == 2


@pytest.mark.postgres
def test_a_killed_restore_leaves_the_old_tables(data: Path, postgres_url: str) -> None:
    import psycopg

    with on(postgres_url, data):
        restore(NEWEST, now=NOW)
        Club.objects.create(slug="late", name="Late", created_at=NOW)
        with psycopg.connect(postgres_url), pytest.raises(Refused, match="Stop all servers"):
            restore(NEWEST, now=NOW)
    killed(data, DATABASE_URL=postgres_url)
    with on(postgres_url, data):
        assert Club.objects.count() == 3
        restore(NEWEST, now=NOW)
        assert Club.objects.count() == 2


# --- The commands --------------------------------------------------------------------------------------------
def run(*words: str) -> str:
    out = StringIO()
    call_command(*words, stdout=out)
    return out.getvalue()


def test_the_commands_say_what_they_did(here: Path) -> None:
    said = run("backup")
    (file,) = (here / "backups").iterdir()
    assert str(file) in said
    assert "rows" in said
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert stat.S_IMODE(file.parent.stat().st_mode) == 0o700
    said = run("restore", str(file))
    assert f"Restored {file}." in said
    assert "before-restore-" in said


def test_existing_data_is_backed_up_before_it_is_changed(here: Path) -> None:
    backup.write(here / "now.zip", now=NOW)
    run("migrate")
    assert not (here / "backups").exists()
    run("migrate", "axes", "0008")
    assert "before-upgrade-" in run("migrate")
    assert content(next((here / "backups").glob("before-upgrade-*"))) == content(here / "now.zip")


def test_data_of_a_newer_version_is_left_alone(here: Path) -> None:
    MigrationRecorder(connection).record_applied("scorekeeper", "9999_later")
    for words in (["migrate"], ["backup"]):
        with pytest.raises(CommandError, match="newer Scorekeeper"):
            run(*words)


def test_nothing_is_restored_under_a_running_server(here: Path) -> None:
    lock = DataLock(here)
    lock.take()
    lock.note_addresses(["http://192.0.2.7:8000"])
    with pytest.raises(CommandError, match="already running on this data"):
        run("restore", str(NEWEST))
    lock.file.close()


def test_a_restore_by_command_is_in_the_audit(here: Path) -> None:
    file = backup.named("daily", NOW)
    backup.write(file, now=NOW)
    run("restore", str(file))
    assert Job.objects.filter(kind="restore", state="done", args={"file": file.name}).exists()


def test_damaged_data_is_one_line_and_names_the_newest_backup(here: Path) -> None:
    connection.close()
    file = here / "db.sqlite3"
    whole = file.read_bytes()
    file.write_bytes(whole[:8192] + b"\xff" * (len(whole) - 8192))
    for words in (["rebuild", "--check"], ["backup"], ["migrate"], ["up", "--no-open", "--port", "0"]):
        with pytest.raises(CommandError, match=r"db\.sqlite3 is damaged .* There is no backup"):
            run(*words)
    saved = backup.named("daily", NOW)
    shutil.copy(NEWEST, saved)
    with pytest.raises(CommandError, match=f"Restore the newest backup: manage.py restore {saved}"):
        run("rebuild", "--check")
    run("restore", str(saved))
    run("rebuild", "--check")
    with pytest.raises(CommandError, match="No such file"):
        run("restore", "nowhere.zip")


def test_a_damaged_database_is_not_backed_up_as_if_it_were_whole(here: Path) -> None:
    """Damage that no query of the backup stumbles over would otherwise push out the good backups, day by day."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT rootpage FROM sqlite_master WHERE type = 'index' AND tbl_name = 'scorekeeper_change'")
        page = cursor.fetchone()[0]
        cursor.execute("PRAGMA page_size")
        size = cursor.fetchone()[0]
    connection.close()
    with (here / "db.sqlite3").open("r+b") as file:
        file.seek((page - 1) * size)
        file.write(b"\xff" * size)
    with pytest.raises(CommandError, match="The database is damaged, so it was not backed up"):
        run("backup")
    assert backup.saved() == []


# --- On the page ---------------------------------------------------------------------------------------------
class Browser:
    """Signed in as the owner in the saved backup."""

    def __init__(self, server: Running) -> None:
        self.address = f"http://127.0.0.1:{server.port}"
        self.opener = build_opener(HTTPCookieProcessor())
        self.post("/login/", username="Ana", password="six of doubles")

    def get(self, path: str) -> str:
        return str(self.opener.open(self.address + path, timeout=30).read().decode())

    def post(self, path: str, **fields: str) -> str:
        token = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', self.get(path))
        assert token
        body = urlencode(fields | {"csrfmiddlewaretoken": token[1]}).encode()
        return str(self.opener.open(self.address + path, body, timeout=30).read().decode())


def test_the_owner_restores_a_backup_on_the_page_and_the_server_starts_again(here: Path) -> None:
    good, bad = backup.named("daily", NOW), backup.named("by-hand", NOW)
    backup.write(good, now=NOW)
    bad.write_bytes(good.read_bytes()[:-1])
    Club.objects.filter(slug="rovers").update(name="Renamed")
    connection.close()
    with running(here) as server:
        owner = Browser(server)
        shown = owner.get("/backups/")
        dates = re.findall(r"<time [^>]+>[^<]+</time>", shown)
        assert dates == 2 * dates[:2]  # to download and, in the same words, to restore
        assert f'value="{good.name}"' in shown
        with pytest.raises(HTTPError, match="422"):
            owner.post("/backups/", do="restore", name=good.name)
        with pytest.raises(HTTPError, match="422"):
            owner.post("/backups/", do="restore", name=bad.name, sure="yes")
        assert "Renamed" in owner.get("/clubs/rovers/")
        pid = server.process.pid
        assert "0 % restored" in owner.post("/backups/", do="restore", name=good.name, sure="yes")
        server.until_said(f"Restored {good.name}.")
        server.until_ready()
        signed_out = owner.get("/backups/")
        assert "The backup was restored. Sign in to go on." in signed_out
        assert '<input type="hidden" name="next" value="/backups/">' in signed_out
        owner = Browser(server)
        assert f"{good.name} was restored." in owner.get("/backups/")
        assert "Renamed" not in owner.get("/clubs/rovers/")
        server.ctrl_c()
        assert server.ended() == 0
        assert server.process.pid == pid
    assert not (here / "restore-next").exists()
    assert list((here / "backups").glob("before-restore-*"))


def test_a_restore_that_fails_at_the_start_changes_nothing_and_is_not_tried_again(here: Path) -> None:
    file = backup.named("daily", NOW)
    shutil.copy(NEWEST, file)
    ask(file)
    file.write_bytes(b"PK\x03\x04 overwritten meanwhile")
    wanted = asked()
    assert wanted
    job = restore_asked(wanted, now=NOW)
    assert (job.state, Club.objects.count()) == ("failed", 2)
    assert "damaged" in Job.objects.get(pk=job.pk).error
    assert asked() is None


def test_half_a_request_for_a_restore_is_none(here: Path) -> None:
    (here / "restore-next").write_text('{"file": "da')
    assert asked() is None


def test_what_killed_programs_left_is_removed(here: Path) -> None:
    unfinished = here / "db.sqlite3.restored"
    old, new = backup.folder() / "daily-old.zip.part", backup.folder() / "daily-new.zip.part"
    for file in (unfinished, old, new):
        file.touch()
    os.utime(old, (0, 0))
    os.utime(new, (NOW.timestamp(), NOW.timestamp()))
    with running(here) as server:
        server.ctrl_c()
        assert server.ended() == 0
    backup.tidy(NOW)
    assert [file.exists() for file in (unfinished, old, new)] == [False, False, True]


def test_an_emptied_database_is_not_taken_for_a_new_server(here: Path) -> None:
    file = backup.named("daily", NOW)
    backup.write(file, now=NOW)
    connection.close()
    (here / "db.sqlite3").write_bytes(b"")
    server = Running(here)
    assert server.ended() == 1
    assert f"manage.py restore {file}" in server.output
    assert "Traceback" not in server.output


def test_while_a_backup_is_restored_all_see_how_far_it_is_and_its_owner_can_cancel(here: Path, settings: Any) -> None:
    settings.WHITENOISE_USE_FINDERS = True
    file = backup.named("daily", NOW)
    backup.write(file, now=NOW)
    Club.objects.filter(slug="rovers").update(name="Renamed")
    wanted = ask(file)
    shown: list[str] = []
    with socket.create_server(("127.0.0.1", 0)) as listening, Meanwhile(listening, wanted.key) as meanwhile:
        server = Visited(listening.getsockname()[1])

        def progress(done: int, total: int) -> None:
            meanwhile.tell(done, total)
            if done * 4 >= total * 3 and not shown:
                shown.append(server.ask("GET", "/clubs/rovers/"))
                assert "max-width" in server.ask("GET", "/static/scorekeeper/base.css", status=200)
                entry = server.ask("POST", "/api/v1/matches/1/entries/", body="{}")
                assert json.loads(entry)["code"] == "restoring"
                server.ask("POST", "/backups/", body="do=cancel")
                server.ask("POST", "/backups/", body="do=cancel", cookie=f"{COOKIE}=guessed")
                assert not meanwhile.cancelled
                owner = f"{COOKIE}={wanted.key}"
                assert "Cancel" in server.ask("GET", "/backups/", cookie=owner)
                server.ask("POST", "/backups/", body="do=cancel", cookie=owner, status=302)
                assert "Stopping…" in server.ask("GET", "/backups/", cookie=owner)
            if meanwhile.cancelled:
                raise jobs.Cancelled

        job = restore_asked(wanted, now=NOW, progress=progress)
    assert re.search(r"\b(7[5-9]|[89]\d) % restored", shown[0])
    assert "Cancel" not in shown[0]
    assert Job.objects.get(pk=job.pk).state == "cancelled"
    assert Club.objects.filter(name="Renamed").exists()
    assert not list(here.glob("*.restored*"))


class Visited:
    """A server that answers 503, unless `status` is expected."""

    def __init__(self, port: int) -> None:
        self.port = port

    def ask(self, method: str, path: str, *, body: str = "", cookie: str = "", status: int = 503) -> str:
        connection = HTTPConnection("127.0.0.1", self.port, timeout=30)
        connection.request(method, path, body, {"Cookie": cookie} if cookie else {})
        answer = connection.getresponse()
        text = answer.read().decode()
        connection.close()
        assert answer.status == status, text
        return text


# --- The disk and the files ----------------------------------------------------------------------------------
def test_a_full_disk_is_said_in_plain_words_and_takes_nothing(here: Path) -> None:
    phone = Phone(tables.fresh_token(table=Table.objects.earliest("pk"), now=timezone.now()))
    phone.client.raise_request_exception = False
    path = reverse("api-match-open", args=[Table.objects.earliest("pk").pk])
    match = {"game": "block", "options": {}, "players": ["Ana", "Bo"]}
    connection.cursor().execute("VACUUM")  # so that no page is free
    pages = connection.cursor().execute("PRAGMA page_count").fetchone()[0]
    connection.cursor().execute(f"PRAGMA max_page_count = {pages}")
    confirmed = set(Match.objects.values_list("pk", flat=True))
    while (answer := phone.post(path, match)).status_code == 201:
        confirmed.add(answer.json()["id"])
    assert (answer.status_code, answer.json()["code"]) == (507, "disk-full")
    assert answer["Retry-After"]
    tries = (phone.client.post(reverse("login"), {"username": f"Ana{n}", "password": "wrong"}) for n in range(100))
    page = next(answer for answer in tries if answer.status_code != 200)
    assert page.status_code == 507
    assert b"disk is full" in page.content
    with pytest.raises(CommandError, match="Nothing is lost: free some space"), in_one_line():
        Club.objects.bulk_create(Club(slug=f"c{n}", name="C", created_at=NOW) for n in range(1000))
    job = Job.objects.filter(state="cancelled").earliest("pk")
    Job.objects.filter(pk=job.pk).update(state="new")
    run = jobs.Run.claim(job.pk, timezone.now)
    assert run
    with suppress(OSError), run:
        raise OSError(errno.ENOSPC, "No space left on device")
    assert Job.objects.get(pk=job.pk).error.startswith("The disk of the server is full.")
    connection.cursor().execute("PRAGMA max_page_count = 100000")
    assert set(Match.objects.values_list("pk", flat=True)) == confirmed
    assert phone.post(path, match).status_code == 201


def test_nobody_else_on_the_machine_can_read_the_data(here: Path) -> None:
    for name in ("secret_key", "up.lock", "archives", "backups"):
        path = here / name
        path.mkdir() if name.endswith("s") else path.touch()
    (here / "archives" / "a.zip").touch()
    for path in (here, *here.rglob("*")):
        path.chmod(0o755)
    (here / "mine.txt").touch(mode=0o644)
    only_for_owner(here)
    modes = {path.name: stat.S_IMODE(path.stat().st_mode) & 0o077 for path in (here, *here.rglob("*"))}
    assert {name for name, others in modes.items() if others} == {here.name, "mine.txt"}
    (here / "mine.txt").unlink()
    only_for_owner(here)
    assert stat.S_IMODE(here.stat().st_mode) == 0o700
