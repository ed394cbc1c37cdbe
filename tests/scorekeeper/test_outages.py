"""What the tables notice while PostgreSQL or Redis is away, and afterwards."""

import http.client
import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from threading import Event
from typing import Any

import psycopg
import pytest
import redis
from psycopg_pool import ConnectionPool, PoolTimeout
from psycopg_pool.base import AttemptWithBackoff

import games
from scorekeeper.settings import database
from tests.deployed import Host, founded
from tests.line_to import Line, line_to
from tests.own_servers import Service, own_postgres, own_redis
from tests.running import ROOT, Running, running
from tests.scorekeeper.test_live_stream import Phone
from tests.waiting import until

FULL_DISK = """
CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN RAISE EXCEPTION 'could not extend file: No space left on device' USING ERRCODE = 'disk_full'; END $$;
CREATE TRIGGER full_disk AFTER INSERT ON scorekeeper_logentry FOR EACH ROW EXECUTE FUNCTION full_disk();
"""
"""What PostgreSQL answers, in the middle of a transaction, when its disk is full."""

pytestmark = [pytest.mark.postgres, pytest.mark.redis]


@dataclass
class Hall:
    server: Running
    host: Host
    phone: Phone
    database: Line
    redis: Line
    services: dict[str, Service]
    data: str
    """The address of the database, by a line that nobody cuts."""

    def set_clock(self, hours: int) -> None:
        """Sets the clock of all processes to this many hours from now."""
        Path(self.server.environment["CLOCK"]).write_text(str(hours * 3600))

    def kill_server(self) -> None:
        """Kills the server, and starts it again in the same place."""
        old = self.server
        old.process.kill()
        old.ended()
        self.server = Running(old.data, port=old.port, environment=old.environment).until_ready()

    def archive(self) -> str:
        """Asks for an archive of the club. Returns the page of the job."""
        return self.host.post("/clubs/rovers/archive/", page="/clubs/rovers/")[0]

    def until_done(self, job: str) -> None:
        until(lambda: f"{job}file/" in self.host.get(job), within=120)

    def enter(self) -> None:
        """Makes the next entry, like a phone: with the same key until the server has it."""
        until(lambda: self._has_entered())

    def _has_entered(self) -> bool:
        try:
            return self.try_to_enter()[0] in (200, 201)
        except (ConnectionError, http.client.HTTPException):
            return False

    def try_to_enter(self, key: str = "key") -> tuple[int, dict[str, str], dict[str, Any]]:
        """The status, the headers and the content of the answer to the next entry."""
        phone = self.phone
        body = {"seen": phone.seen, "key": f"{key}-{phone.seen}"} | phone.entries[phone.seen]
        connection = http.client.HTTPConnection("127.0.0.1", self.server.port, timeout=30)
        path = f"/api/v1/matches/{phone.match}/entries/"
        connection.request("POST", path, json.dumps(body), phone.headers | {"Content-Type": "application/json"})
        answer = connection.getresponse()
        content = json.loads(answer.read())
        connection.close()
        phone.seen = content.get("length", phone.seen)
        return answer.status, dict(answer.getheaders()), content


def manage(server: Running, *command: str) -> None:
    """A command of manage.py on the server's data."""
    words = [sys.executable, "manage.py", *command, "--data", str(server.data)]
    done = subprocess.run(words, cwd=ROOT, env=server.environment, check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.fixture(scope="module")
def hall(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hall]:
    """A server whose lines to its own PostgreSQL and Redis can be cut, and a phone in the middle of a match."""
    folder = tmp_path_factory.mktemp("hall")
    with ExitStack() as stack:
        postgres, url = stack.enter_context(own_postgres())
        broker, _url = stack.enter_context(own_redis(folder))
        lines = [stack.enter_context(line_to(service.port)) for service in (postgres, broker)]
        clock = folder / "clock"
        clock.write_text("0")
        environment = {
            "DATABASE_URL": url.replace(str(postgres.port), str(lines[0].port)),
            "REDIS_URL": f"redis://127.0.0.1:{lines[1].port}/0",
            "DJANGO_SETTINGS_MODULE": "tests.settings_hasty",
            "CLOCK": str(clock),
        }
        server = stack.enter_context(running(folder / "data", environment=environment))
        link = re.search(r"http://\S+/setup/\S+", server.output)
        assert link
        host, table, token = founded(link[0])
        services = {"postgres": postgres, "redis": broker}
        hall = Hall(server, host, Phone(server, table, token), *lines, services, url)
        yield hall
        hall.server.process.kill()


def test_an_evening_goes_on_after_postgresql_and_redis_were_away(hall: Hall) -> None:
    follower = hall.server.follow(f"/live/?topic=match:{hall.phone.match}")
    assert follower.next().json["length"] == 0
    assert hall.try_to_enter()[0] == 201
    assert follower.next().json["length"] == 1

    with psycopg.connect(hall.data) as data:
        until(lambda: not jobs_of(data, "new", "running"))
    hall.database.cut()
    status, headers, content = hall.try_to_enter()
    assert (status, content["code"], headers["Retry-After"]) == (503, "data-away", "3")
    status, page = hall.server.ask("GET", "/")
    assert status == 503
    assert "The server cannot reach its data." in page
    assert "Traceback" not in hall.server.output

    hall.database.mend()
    until(lambda: hall.try_to_enter()[0] == 201)
    again = hall.server.follow(f"/live/?topic=match:{hall.phone.match}")
    assert again.next().json["length"] == hall.phone.seen

    for trouble in (hall.redis.freeze, hall.redis.cut):
        trouble()
        for _ in range(3):
            assert hall.try_to_enter()[0] == 201
        assert again.next().json["length"]
        hall.redis.mend()
    assert hall.try_to_enter()[0] == 201
    redis.from_url(hall.server.environment["REDIS_URL"]).flushall()
    assert hall.try_to_enter()[0] == 201
    until(lambda: again.next().json["length"] == hall.phone.seen)

    with psycopg.connect(hall.data, autocommit=True) as data:
        data.execute(FULL_DISK)
        status, headers, content = hall.try_to_enter()
        assert (status, content["code"], headers["Retry-After"]) == (507, "disk-full", "30")
        data.execute("DROP TRIGGER full_disk ON scorekeeper_logentry")
    assert hall.try_to_enter()[0] == 201

    all_is_well(hall)


def test_nobody_waits_for_a_postgresql_that_hangs(hall: Hall) -> None:
    page = Page(hall)
    page.until_level()

    hall.database.freeze()
    with ThreadPoolExecutor() as phones:
        opened = phones.submit(hall.server.ask, "GET", "/")
        followed = phones.submit(hall.server.ask, "GET", "/live/?topic=match:1&part=watch")
        answers = list(phones.map(hall.try_to_enter, ("first", "second", "third")))
    for status, headers, content in answers:
        assert (status, content["code"], headers["Retry-After"]) == (503, "data-away", "3")
    assert opened.result()[0] == 503
    status, said = followed.result()
    assert (status, json.loads(said)["code"]) == (503, "data-away")
    assert hall.server.ask("GET", "/health/live/") == (200, "ok")
    status, parts = hall.server.ask("GET", "/health/ready/")
    assert (status, json.loads(parts)["database"]) == (503, "no answer from the database")
    hall.database.mend()
    until(lambda: hall.try_to_enter()[0] == 201)
    page.until_level()

    with ThreadPoolExecutor() as phones:  # so that there are several connections
        list(phones.map(lambda _: hall.server.ask("GET", "/"), range(8)))
    hall.database.forget()
    until(lambda: hall.try_to_enter()[0] == 201)
    page.until_level()
    all_is_well(hall)


def test_after_a_long_outage_the_next_request_connects(hall: Hall, monkeypatch: pytest.MonkeyPatch) -> None:
    """The pool waits twice as long after each failure, so after minutes it would wait for minutes more."""
    monkeypatch.setattr(AttemptWithBackoff, "INITIAL_DELAY", 1000.0)
    port = hall.services["postgres"].port
    options = database(hall.data, Path("/nowhere"))["OPTIONS"]["pool"]
    with line_to(port) as line:
        url = hall.data.replace(str(port), str(line.port))
        pool = ConnectionPool(url, open=False, **options)
        line.cut()
        pool.open()
        with pytest.raises(PoolTimeout):
            pool.getconn(timeout=0.1)
        line.mend()
        pool.putconn(pool.getconn())
        pool.close(timeout=0)


def test_nothing_is_lost_when_anything_is_killed(hall: Hall) -> None:
    page, done = Page(hall), Event()

    def play() -> None:
        while not done.is_set():
            hall.enter()

    def some_plays() -> None:
        enough = hall.phone.seen + 5
        until(lambda: hall.phone.seen >= enough)

    with ThreadPoolExecutor() as phones:
        playing = phones.submit(play)
        try:
            for kill in (hall.kill_server, hall.services["postgres"].restart, hall.services["redis"].restart):
                some_plays()
                kill()
            some_plays()
        finally:
            done.set()
        playing.result()
    page.until_level()
    hall.until_done(hall.archive())
    all_is_well(hall)


def test_jobs_end_although_redis_hangs_or_their_worker_is_killed(hall: Hall) -> None:
    hall.redis.freeze()
    job = hall.archive()
    hall.redis.mend()
    hall.until_done(job)

    with psycopg.connect(hall.data) as data:
        until(lambda: not jobs_of(data, "new", "running"))
        worker = hall.server.worker_group()
        os.kill(worker, signal.SIGSTOP)
        job = hall.archive()
        data.execute("LOCK TABLE scorekeeper_seat")  # so that the worker does not get far
        os.kill(worker, signal.SIGCONT)
        (found,) = until(lambda: jobs_of(data, "running"))
        assert job == f"/jobs/{found}/"
        os.kill(worker, signal.SIGKILL)
        data.execute("UPDATE scorekeeper_job SET lease_until = now() WHERE id = %s", [found])  # a minute later
    hall.until_done(job)
    with psycopg.connect(hall.data) as data:
        assert data.execute("SELECT tries FROM scorekeeper_job WHERE id = %s", [found]).fetchone() == (2,)


def test_an_evening_goes_on_after_the_clock_was_set_back(hall: Hall) -> None:
    page = Page(hall)
    for hours in (12, -12):
        hall.set_clock(hours)
        hall.enter()
        page.until_level()
        hall.until_done(hall.archive())
    hall.set_clock(0)
    all_is_well(hall)


def jobs_of(data: psycopg.Connection, *states: str) -> list[int]:
    """The numbers of the jobs in one of these states."""
    found = data.execute("SELECT id FROM scorekeeper_job WHERE state = ANY(%s)", [list(states)])
    return [number for (number,) in found]


class Page:
    """Shows the match. When its stream ends, it connects again."""

    def __init__(self, hall: Hall) -> None:
        self._hall, self._length = hall, -1
        self._connect()

    def until_level(self) -> None:
        """Waits until it shows all entries that the phone knows to be saved."""
        until(lambda: self._length == self._hall.phone.seen or self._read())

    def _read(self) -> bool:
        try:
            self._length = self._stream.next().json["length"]
        except EOFError:
            self._connect()
        return False

    def _connect(self) -> None:
        self._stream = self._hall.server.follow(f"/live/?topic=match:{self._hall.phone.match}")


def all_is_well(hall: Hall) -> None:
    """Every entry that the server acknowledged is there once, and what is stored is what a replay gives."""
    status, record = hall.server.ask("GET", f"/api/v1/matches/{hall.phone.match}/record/")
    assert status == 200
    assert games.entries(json.loads(record)) == hall.phone.entries[: hall.phone.seen]
    manage(hall.server, "rebuild", "--check")
