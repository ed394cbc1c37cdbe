"""Following over the wire: a server with its database, and with the machines a federation has."""

import asyncio
import http.client
import json
import os
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing, suppress
from pathlib import Path
from threading import Event

import pytest
import redis

import games
from scorekeeper.live import Topic, others
from scorekeeper.live import hub as live_hub
from scorekeeper.live.errands import Errands
from scorekeeper.models import Club
from tests.conftest import NOW, names_for, plan_for
from tests.running import ROOT, Running, all_gone, running
from tests.scorekeeper.test_live_hub import following, happen
from tests.waiting import until

STREAMS, HANDS = 30, 20
EMPTY_CLUB = """
from django.utils import timezone
from scorekeeper.services import clubs
clubs.table_add(club=clubs.demo_club(name="Demonstration", now=timezone.now()), now=timezone.now())
"""


class Phone:
    """A phone at a table, with its own match."""

    def __init__(self, server: Running, table: int, token: str) -> None:
        self.headers = {"Authorization": f"Bearer {token}"}
        body = {"game": "block", "options": {"hands": HANDS}, "players": names_for("block")}
        status, text = server.ask("POST", f"/api/v1/tables/{table}/matches/", body, self.headers)
        assert status == 201, text
        self.match = json.loads(text)["id"]
        self.entries = plan_for("block", hands=HANDS)
        self.seen = 0

    def enter(self, server: Running) -> int:
        """Makes one more entry, unless the server has it already. Returns the number of entries."""
        body = {"seen": self.seen, "key": f"key-{self.seen}"} | self.entries[self.seen]
        status, text = server.ask("POST", f"/api/v1/matches/{self.match}/entries/", body, self.headers)
        assert status in (200, 201), text
        self.seen += 1
        return self.seen


def phone_of(server: Running) -> Phone:
    """A phone at table 1 of the demonstration club."""
    command = [sys.executable, "manage.py", "table-link", "demo", "1", "--json", "--data", str(server.data)]
    answer = subprocess.run(command, cwd=ROOT, env=server.environment, capture_output=True, text=True, check=True)
    link = json.loads(answer.stdout)
    return Phone(server, link["table"], link["token"])


@pytest.fixture
def data(demonstration: Path, tmp_path: Path) -> Path:
    """The data folder of a server with a demonstration club."""
    return Path(shutil.copytree(demonstration, tmp_path / "data"))


def test_a_follower_catches_up_after_a_dropped_line_and_a_restart(data: Path) -> None:
    with running(data) as server:
        phone = phone_of(server)
        topic = f"/live/?topic=match:{phone.match}"
        stream = server.follow(topic)
        assert stream.answer.headers["Content-Type"] == "text/event-stream"
        assert stream.answer.headers["X-Accel-Buffering"] == "no"
        assert stream.next().json["length"] == 0
        phone.enter(server)
        message = stream.next()
        assert message.json["length"] == 1
        stream.close()
        with socket.create_connection(("127.0.0.1", server.port)) as odd:  # no browser sends a body with this
            odd.sendall(f"GET {topic} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\n{{}}".encode())
            assert odd.recv(12) == b"HTTP/1.1 200"
        phone.enter(server)
        caught_up = server.follow(topic, last=message.id)
        message = caught_up.next()
        assert message.json["length"] == 2
        server.ctrl_c()
        assert server.ended() == 0
    with running(data) as server:
        stream = server.follow(topic, last=message.id)
        phone.enter(server)
        message = stream.next()
        assert message.json["length"] == 3
        assert message.json["sheet"]


def test_spectators_come_back_if_their_process_is_killed(data: Path) -> None:
    with running(data) as server:
        phone = phone_of(server)
        topic = f"/live/?topic=match:{phone.match}"
        stream = server.follow(topic)
        message = stream.next()
        assert message.json["length"] == 0
        killed = server.spectators_process()
        os.kill(killed, signal.SIGKILL)
        with pytest.raises((EOFError, http.client.IncompleteRead)):
            stream.next()
        phone.enter(server)
        stream = server.follow(topic, last=message.id)
        assert stream.next().json["length"] == 1
        second = server.spectators_process()
        assert second != killed
        assert "The process for spectators ended with status -9: " in server.output
        server.process.kill()
        server.ended()
        assert all_gone(second)


def test_killed_while_a_phone_posts_it_has_every_entry_once(data: Path) -> None:
    hasty, done = {"DJANGO_SETTINGS_MODULE": "tests.settings_hasty"}, Event()
    with ExitStack() as stack:
        server = stack.enter_context(running(data, environment=hasty))
        phone = phone_of(server)

        def play() -> None:
            while not done.is_set():
                with suppress(ConnectionError, http.client.HTTPException):  # sent again, with the same key
                    phone.enter(server)

        def some_plays() -> None:
            enough = phone.seen + 10
            until(lambda: phone.seen >= enough)

        phones = stack.enter_context(ThreadPoolExecutor())
        stack.callback(done.set)
        playing = phones.submit(play)
        some_plays()
        server.process.kill()
        server.ended()
        with closing(sqlite3.connect(data / "db.sqlite3", timeout=20)) as database, database:
            database.execute("DELETE FROM scorekeeper_heartbeat")
        server = stack.enter_context(running(data, environment=hasty))
        some_plays()
        done.set()
        playing.result()

        assert server.follow(f"/live/?topic=match:{phone.match}").next().json["length"] == phone.seen
        _status, record = server.ask("GET", f"/api/v1/matches/{phone.match}/record/")
        assert games.entries(json.loads(record)) == phone.entries[: phone.seen]
        until(lambda: '"worker": "ok"' in server.ask("GET", "/health/ready/")[1])
        assert not list(ROOT.glob("celerybeat*"))
        checked = [sys.executable, "manage.py", "rebuild", "--check", "--data", str(data)]
        subprocess.run(checked, cwd=ROOT, env=server.environment, check=True, capture_output=True)


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="threads are counted in /proc")
def test_who_follows_holds_no_thread(data: Path) -> None:
    with running(data) as server:
        streams = [server.follow("/live/?topic=match:1") for _ in range(STREAMS)]
        for stream in streams:
            stream.next()
        assert len(list(Path(f"/proc/{server.spectators_process()}/task").iterdir())) < STREAMS


@pytest.mark.parametrize(
    "query", ["", "topic=match:999", "topic=night:1", "topic=match:1&part=nothing", "topic=club:1&part=pad"]
)
def test_what_does_not_exist_cannot_be_followed(client, cast, query: str) -> None:
    assert client.get(f"/live/?{query}").status_code == 404


def test_a_pad_is_followed_only_by_who_may_record(client, cast) -> None:
    pad = f"/live/?topic=table:{cast.table.pk}&part=pad"
    assert client.get(pad).status_code == 403
    assert cast.phone().get(pad).status_code == 200
    assert cast.phone(table=cast.other_table).get(pad).status_code == 403


def test_a_stream_is_only_read(client, cast) -> None:
    assert client.post(f"/live/?topic=table:{cast.table.pk}").status_code == 405


@pytest.mark.postgres
def test_streams_hold_no_database_connections(postgres_url: str, tmp_path: Path) -> None:
    import psycopg

    with running(tmp_path, environment={"DATABASE_URL": postgres_url}) as server:
        command = [sys.executable, "manage.py", "shell", "--data", str(tmp_path), "-c", EMPTY_CLUB]
        subprocess.run(command, cwd=ROOT, env=server.environment, check=True, capture_output=True)
        phone = phone_of(server)
        streams = [server.follow(f"/live/?topic=match:{phone.match}") for _ in range(STREAMS)]
        for stream in streams:
            stream.next()
        with psycopg.connect(postgres_url) as database:
            query = (
                "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
            )
            (held,) = database.execute(query).fetchone()
        assert held <= 8, "no more than the pools of the server and its worker"
        assert server.ask("GET", "/")[0] == 200
        table = server.follow(f"/live/?topic=match:{phone.match}")
        table.next()
        phone.enter(server)
        assert table.next().json["length"] == 1
        server.ctrl_c()
        assert server.ended() == 0
        assert all(stream.ends() for stream in streams)


@pytest.mark.redis
@pytest.mark.django_db(transaction=True)
def test_redis_wakes_the_hubs_of_other_processes(redis_url: str, settings, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.REDIS_URL = redis_url
    for pause in ("READ_PAUSE", "SQLITE_PAUSE"):  # nothing but a wake-up may bring the news
        monkeypatch.setattr(live_hub, pause, 1000)
    hub = live_hub.Hub()
    club = Club.objects.create(slug="rovers", name="Rovers", created_at=NOW)

    async def story() -> None:
        async with following(hub, Topic("club", club.pk), last=0) as follower:
            await asyncio.to_thread(_until_somebody_listens, redis_url)
            newest = await happen(club, "elsewhere", silent=True)
            await asyncio.to_thread(live_hub.wake)
            assert (await follower.next()).id == newest

    others.client.cache_clear()
    asyncio.run(story())
    others.client.cache_clear()


@pytest.mark.django_db(transaction=True)
def test_without_its_redis_everything_goes_on(settings) -> None:
    settings.REDIS_URL = "redis://127.0.0.1:1/0"
    hub = live_hub.Hub()
    club = Club.objects.create(slug="rovers", name="Rovers", created_at=NOW)
    others.client.cache_clear()

    async def story() -> None:
        async with following(hub, Topic("club", club.pk), last=0) as follower:
            newest = await happen(club)
            assert (await follower.next()).id == newest

    asyncio.run(story())
    others.client.cache_clear()


def test_nobody_waits_for_a_redis_that_hangs(settings, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(others, "TIMEOUT", 1000)
    monkeypatch.setattr(others, "wakings", Errands("wakings of this test", most=1))
    others.client.cache_clear()
    with socket.create_server(("127.0.0.1", 0)) as silent:
        settings.REDIS_URL = f"redis://127.0.0.1:{silent.getsockname()[1]}/0"
        committing = threading.Thread(target=lambda: [live_hub.wake() for _ in range(100)], daemon=True)
        committing.start()
        committing.join(30)
        assert not committing.is_alive()
    others.client.cache_clear()


def _until_somebody_listens(redis_url: str) -> None:
    client = redis.from_url(redis_url)
    until(lambda: client.pubsub_numsub(others.CHANNEL)[0][1])
