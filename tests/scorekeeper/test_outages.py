"""What the tables notice while PostgreSQL or Redis is away, and afterwards."""

import http.client
import json
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

import psycopg
import pytest
import redis

import games
from tests.line_to import Line, line_to
from tests.running import ROOT, Running, running
from tests.scorekeeper.test_live_stream import EMPTY_CLUB, Phone
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
    phone: Phone
    database: Line
    redis: Line
    data: str
    """The address of the database, by a line that nobody cuts."""

    def try_to_enter(self) -> tuple[int, dict[str, str], dict[str, str]]:
        """The status, the headers and the content of the answer to the next entry."""
        phone = self.phone
        body = {"seen": phone.seen, "key": f"key-{phone.seen}"} | phone.entries[phone.seen]
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


@pytest.fixture
def hall(postgres_url: str, redis_url: str, tmp_path: Path) -> Iterator[Hall]:
    """A server whose lines to PostgreSQL and Redis can be cut, and a phone in the middle of a match."""
    database, broker = urlsplit(postgres_url), urlsplit(redis_url)
    with ExitStack() as stack:
        lines = [stack.enter_context(line_to(url.port or 5432)) for url in (database, broker)]
        user = database.netloc.rpartition("@")[0]
        place = f"{user}@127.0.0.1" if user else "127.0.0.1"
        environment = {
            "DATABASE_URL": f"postgres://{place}:{lines[0].port}{database.path}",
            "REDIS_URL": f"redis://127.0.0.1:{lines[1].port}{broker.path}",
        }
        server = stack.enter_context(running(tmp_path, environment=environment))
        manage(server, "shell", "-c", EMPTY_CLUB)
        yield Hall(server, Phone(server), *lines, postgres_url)
        shutil.rmtree(tmp_path, ignore_errors=True)


def test_an_evening_goes_on_after_postgresql_and_redis_were_away(hall: Hall) -> None:
    follower = hall.server.follow(f"/live/?topic=match:{hall.phone.match}")
    assert follower.next().json["length"] == 0
    assert hall.try_to_enter()[0] == 201
    assert follower.next().json["length"] == 1

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

    status, record = hall.server.ask("GET", f"/api/v1/matches/{hall.phone.match}/record/")
    assert status == 200
    assert games.entries(json.loads(record)) == hall.phone.entries[: hall.phone.seen]
    manage(hall.server, "rebuild", "--check")
