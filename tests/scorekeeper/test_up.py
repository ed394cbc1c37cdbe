"""`manage.py up`, started as people start it: real processes, signals and data folders."""

import json
import os
import re
import shutil
import signal
import socket
import sqlite3
import stat
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import closing
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from tests.running import ROOT, Running, all_gone, children, running
from tests.waiting import until

DOUBLED = 6  # times: enough matches for a job that takes longer than the four seconds it gets at the end


@pytest.fixture(scope="module")
def evening(demonstration: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder with a demonstration club of many hundred matches. Read only."""
    data = Path(shutil.copytree(demonstration, tmp_path_factory.mktemp("evening") / "data"))
    with closing(sqlite3.connect(data / "db.sqlite3")) as database, database:
        for _ in range(DOUBLED):
            _double(database)
    return data


@pytest.fixture
def data(evening: Path, tmp_path: Path) -> Path:
    """A copy of that folder, which a test may change."""
    return Path(shutil.copytree(evening, tmp_path / "data"))


def _double(database: sqlite3.Connection) -> None:
    """Copies every match with its seats and its log."""
    (offset,) = database.execute("SELECT max(id) FROM scorekeeper_match").fetchone()
    for table, key in (("match", "id"), ("seat", "match_id"), ("logentry", "match_id")):
        columns = [row[1] for row in database.execute(f"PRAGMA table_info(scorekeeper_{table})")]
        copied = [column for column in columns if column != "id" or key == "id"]
        values = [f"{column} + {offset}" if column == key else f'"{column}"' for column in copied]
        names = ", ".join(f'"{column}"' for column in copied)
        database.execute(
            f"INSERT INTO scorekeeper_{table} ({names}) SELECT {', '.join(values)} FROM scorekeeper_{table}"
        )


def shorten(data: Path) -> None:
    """Removes most matches, so that the job does not take long any more."""
    with closing(sqlite3.connect(data / "db.sqlite3")) as database, database:
        for table, key in (("seat", "match_id"), ("logentry", "match_id"), ("match", "id")):
            database.execute(f"DELETE FROM scorekeeper_{table} WHERE {key} > 100")


def wanted(data: Path) -> int:
    """Adds an archive job to the ledger of a server that is not running. Returns its number."""
    with closing(sqlite3.connect(data / "db.sqlite3")) as database, database:
        return database.execute(
            "INSERT INTO scorekeeper_job (club_id, kind, args, state, progress, total, cancel_asked, stop_asked, tries,"
            " error, result, best, run_after, made_at) SELECT id, 'archive', '{}', 'new', 0, 0, 0, 0, 0, '', '', '{}',"
            " '2026-01-01 00:00:00', '2026-01-01 00:00:00' FROM scorekeeper_club"
        ).lastrowid


def job(data: Path, number: int) -> dict[str, Any]:
    with closing(sqlite3.connect(data / "db.sqlite3", timeout=20)) as database:
        database.row_factory = sqlite3.Row
        return dict(database.execute("SELECT * FROM scorekeeper_job WHERE id = ?", [number]).fetchone())


def in_hand(data: Path, number: int, tries: int = 1) -> None:
    """Waits until the job is in the middle."""
    until(lambda: (found := job(data, number))["tries"] == tries and found["progress"])
    assert job(data, number)["state"] == "running"


def refused(*options: str, environment: dict[str, str] | None = None) -> str:
    """What `up` says when it refuses: one line, no traceback, an exit code that says so."""
    command = [sys.executable, "manage.py", "up", "--no-open", *options]
    answer = subprocess.run(
        command, cwd=ROOT, env=os.environ | (environment or {}), capture_output=True, text=True, timeout=60, check=False
    )
    assert answer.returncode not in (0, -signal.SIGKILL)
    assert answer.stdout == ""
    assert len(answer.stderr.splitlines()) == 1, answer.stderr
    return answer.stderr


def test_first_start_of_all(tmp_path: Path) -> None:
    data = tmp_path / "deep" / "data"
    with running(data) as server:
        assert str(data) in server.output
        setup = re.search(r"http://127\.0\.0\.1:\d+(/setup/\S+)", server.output)
        assert setup
        assert server.ask("GET", setup[1])[0] == 200
        assert server.ask("GET", "/")[0] == 200
        assert server.ask("GET", "/reach/")[0] == 200
        # Not only after half a minute, with the first sweep of the beat.
        until(lambda: json.loads(server.ask("GET", "/health/ready/")[1])["status"] == "ok", within=20)
        assert stat.S_IMODE((data / "secret_key").stat().st_mode) == 0o600
        server.process.send_signal(signal.SIGHUP)  # its terminal was closed
        assert server.ended() == 0
    assert "Traceback" not in server.output
    assert server.output.endswith("Stopped.\n")
    assert {path.name for path in data.iterdir()} == {"db.sqlite3", "queue", "secret_key", "up.lock"}
    readable = [path for path in (data, *data.rglob("*")) if path.stat().st_mode & 0o077]
    assert not readable, "others on the machine can read it"


def test_the_keys_that_make_a_program_dump_its_memory_end_it_cleanly(tmp_path: Path) -> None:
    with running(tmp_path) as server:
        server.process.send_signal(signal.SIGQUIT)
        assert server.ended() == 0
    assert {path.name for path in tmp_path.iterdir()} == {"db.sqlite3", "queue", "secret_key", "up.lock"}


def test_it_ends_within_five_seconds_in_the_middle_of_everything_and_goes_on(data: Path) -> None:
    number = wanted(data)
    with running(data) as server:
        in_the_middle_of_everything(server, number, Running.ctrl_c)
    assert job(data, number)["state"] == "running"
    shorten(data)
    with running(data) as server:
        assert json.loads((data / "up.json").read_text()) == {
            "pid": server.process.pid,
            "addresses": [f"http://127.0.0.1:{server.port}"],
        }
        until(lambda: job(data, number)["state"] == "done")
        server.ctrl_c()
        assert server.ended() == 0
    assert job(data, number)["tries"] == 2
    assert (data / "archives" / job(data, number)["result"]).is_file()
    kept = {path.name for path in data.iterdir()}
    # On a slow machine, the first backup of the day is made meanwhile.
    assert kept - {"backups"} == {"archives", "db.sqlite3", "queue", "secret_key", "up.lock"}


def test_sigterm_is_as_good_as_ctrl_c(data: Path) -> None:
    number = wanted(data)
    with running(data) as server:
        confirmed = recorded(server)
        in_the_middle_of_everything(server, number, lambda server: server.process.terminate())
    assert confirmed <= in_the_file_alone(data)


def test_nothing_that_still_runs_keeps_the_log_of_the_database(tmp_path: Path) -> None:
    """A thread holds a transaction, and a worker that was just killed still has the database open."""
    data = tmp_path / "database"
    held = f"""
import os, signal, sqlite3, sys, threading
from scorekeeper.serving.leaving import leave
database = sqlite3.connect({str(data)!r}, isolation_level=None)
database.executescript("PRAGMA journal_mode=WAL; CREATE TABLE played (id); INSERT INTO played VALUES (1)")
begun = threading.Event()
def hold():
    reader = sqlite3.connect({str(data)!r}, isolation_level=None)
    reader.execute("BEGIN IMMEDIATE")
    reader.execute("INSERT INTO played VALUES (2)")
    begun.set()
    threading.Event().wait()
threading.Thread(target=hold).start()
begun.wait()
leave({str(data)!r}, keep=os.open({str(tmp_path)!r}, os.O_RDONLY))
"""
    subprocess.run([sys.executable, "-c", held], cwd=ROOT, check=True, timeout=30)
    assert {path.name for path in tmp_path.iterdir()} == {"database"}
    with closing(sqlite3.connect(data)) as database:
        assert database.execute("SELECT id FROM played").fetchall() == [(1,)]


def recorded(server: Running) -> set[int]:
    """Posts some matches of a phone at a new table; the ids of those that the server confirmed."""
    with closing(sqlite3.connect(server.data / "db.sqlite3", timeout=20)) as database, database:
        table = database.execute(
            "INSERT INTO scorekeeper_table (club_id, number, name, open)"
            " SELECT min(id), 99, '', 1 FROM scorekeeper_club"
        ).lastrowid
        database.execute(
            "INSERT INTO scorekeeper_devicetoken (table_id, sha256, made_at, address)"
            " VALUES (?, ?, '2026-01-01 00:00:00', '')",
            [table, sha256(b"token").hexdigest()],
        )
    match = {"game": "block", "options": {}, "players": ["Ana", "Bo"]}
    answers = [
        server.ask("POST", f"/api/v1/tables/{table}/matches/", match, {"Authorization": "Bearer token"})
        for _ in range(3)
    ]
    assert {status for status, _ in answers} == {201}
    return {json.loads(text)["id"] for _, text in answers}


def in_the_file_alone(data: Path) -> set[int]:
    """The ids of all matches in a copy of the database file, without what lies next to it."""
    copied = shutil.copy(data / "db.sqlite3", data.parent / "copied.sqlite3")
    with closing(sqlite3.connect(copied)) as database:
        assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        return {number for (number,) in database.execute("SELECT id FROM scorekeeper_match")}


def in_the_middle_of_everything(server: Running, number: int, end: Callable[[Running], None]) -> None:
    """Stops a server with a job running and streams open: within five seconds every process has ended."""
    group = server.worker_group()
    streams = [server.follow(f"/live/?topic={topic}") for topic in ("match:1", "table:1", "club:1")]
    for stream in streams:
        stream.next()
    in_hand(server.data, number)
    asked = time.monotonic()
    end(server)
    assert server.ended() == 0
    assert time.monotonic() - asked < 5
    assert all(stream.ends() for stream in streams)
    assert all_gone(group)
    assert "Traceback" not in server.output
    assert "Error" not in server.output
    assert not (server.data / "db.sqlite3-wal").exists()


def test_killed_it_takes_its_worker_along_and_goes_on(data: Path) -> None:
    number = wanted(data)
    with running(data) as server:
        group = server.worker_group()
        in_hand(data, number)
        server.process.kill()
        server.ended()
        with running(data):
            assert all_gone(group)
            in_hand(data, number, tries=2)


def test_a_worker_that_dies_is_started_again_and_its_job_too(data: Path) -> None:
    number = wanted(data)
    with running(data) as server:
        first = server.worker_group()
        in_hand(data, number)
        assert not children(first), "the beat is a part of the worker, so it cannot die alone"
        os.kill(first, signal.SIGKILL)
        server.until_said("The worker ended (status -9)")
        in_hand(data, number, tries=2)
        assert server.worker_group() != first


def test_ctrl_c_while_it_starts_is_no_accident(tmp_path: Path) -> None:
    server = Running(tmp_path / "data")
    until((tmp_path / "data" / "up.json").exists)
    server.ctrl_c()
    server.ended()
    assert "Traceback" not in server.output
    assert not (tmp_path / "data" / "up.json").exists()


def test_a_second_one_on_the_same_data_is_refused_by_name(evening: Path, data: Path) -> None:
    with running(data) as server:
        said = refused("--data", str(data), "--port", "0")
        for name in (str(server.process.pid), f"http://127.0.0.1:{server.port}", str(data)):
            assert name in said
        assert server.ask("GET", "/reach/")[0] == 200


def test_a_port_in_use_is_named(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        said = refused("--data", str(tmp_path), "--host", "127.0.0.1", "--port", port)
    assert port in said
    assert "--port" in said


@pytest.mark.parametrize("port", ["-1", "70000"])
def test_a_port_that_cannot_be_is_refused(tmp_path: Path, port: str) -> None:
    assert "port" in refused("--data", str(tmp_path), "--host", "127.0.0.1", f"--port={port}")


def test_a_host_of_another_machine_is_refused(tmp_path: Path) -> None:
    assert "192.0.2.77" in refused("--data", str(tmp_path), "--host", "192.0.2.77", "--port", "0")
    assert "no.such.invalid" in refused("--data", str(tmp_path), "--host", "no.such.invalid", "--port", "0")


def test_a_folder_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("")
    for folder in (file, file / "below", Path("/proc/nowhere")):  # not even root may write there
        assert str(folder) in refused("--data", str(folder))


def test_a_public_address_that_is_none_is_refused(tmp_path: Path) -> None:
    """tests/scorekeeper/test_addresses.py has all kinds."""
    url = "scores.example.org"
    assert url in refused("--data", str(tmp_path), "--public-url", url)


def test_a_database_that_is_away_is_one_line(tmp_path: Path) -> None:
    away = "postgres://nobody@127.0.0.1:1/nothing?connect_timeout=1"
    assert "database" in refused("--data", str(tmp_path), "--port", "0", environment={"DATABASE_URL": away})


def test_a_redis_that_is_away_is_one_line(tmp_path: Path) -> None:
    away = {"REDIS_URL": "redis://127.0.0.1:1/0", "DATABASE_URL": ""}
    assert "REDIS_URL" in refused("--data", str(tmp_path), "--port", "0", environment=away)


def test_only_the_real_names_are_answered_to(data: Path) -> None:
    with running(data, "--public-url", "https://scores.example.org") as server:
        assert "https://scores.example.org/reach/" in server.output
        for host, status in (
            (f"127.0.0.1:{server.port}", 200),
            (f"localhost:{server.port}", 200),
            ("scores.example.org", 200),
            ("elsewhere.example.org", 400),
            ("", 400),
        ):
            assert server.ask("GET", "/reach/", headers={"Host": host})[0] == status, host
        refused = server.ask("GET", "/api/v1/", headers={"Host": "elsewhere.example.org"})[1]
        assert json.loads(refused)["code"] == "unknown-address"
        assert "Traceback" not in server.output


def test_the_link_for_the_first_visitor_is_there_only_until_he_came(tmp_path: Path) -> None:
    with running(tmp_path) as server:
        token = re.search(r"/setup/([^/\s]+)/", server.output)
        assert token
    found = (
        "from django.utils import timezone; from scorekeeper.services import clubs;"
        f"clubs.found_club(token={token[1]!r}, club_name='Rovers', host_name='Ana',"
        "password='six of doubles', now=timezone.now())"
    )
    command = [sys.executable, "manage.py", "shell", "--data", str(tmp_path), "-c", found]
    environment = os.environ | {"DJANGO_SETTINGS_MODULE": "scorekeeper.settings", "DATABASE_URL": "", "REDIS_URL": ""}
    subprocess.run(command, cwd=ROOT, env=environment, check=True, capture_output=True)
    with running(tmp_path) as server:
        assert "/setup/" not in server.output
