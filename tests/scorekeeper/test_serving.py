"""Why the server answers quickly: sockets that do not delay, and threads that keep their connections."""

import asyncio
import json
import os
import random
import resource
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from asgiref.testing import ApplicationCommunicator
from django.core.signals import request_started
from django.db import connection
from django.db.backends.signals import connection_created

import games
from scorekeeper.serving.addresses import listen
from scorekeeper.serving.application import READERS, Application
from scorekeeper.serving.server import OPEN_FILES, Server
from tests.running import OURS, ROOT


def test_nothing_sent_waits_for_a_confirmation_by_the_phone() -> None:
    with (
        listen("127.0.0.1", 0) as listening,
        socket.create_connection(listening.getsockname()),
        listening.accept()[0] as accepted,
    ):
        assert accepted.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)


async def ask(application: Application, method: str, path: str, body: bytes = b"") -> int:
    """The status of the answer."""
    headers = [(b"host", b"localhost"), (b"content-length", str(len(body)).encode())]
    scope = {"type": "http", "method": method, "path": path, "headers": headers}
    asked = ApplicationCommunicator(application, scope | {"query_string": b"", "http_version": "1.1"})
    await asked.send_input({"type": "http.request", "body": body})
    return (await asked.receive_output(60))["status"]


@pytest.mark.django_db(transaction=True)
def test_checking_many_records_delays_nobody() -> None:
    application = Application()
    record = json.dumps(games.random_match("domino-whist", {}, ["Ana", "Bo", "Cleo", "Dan"], random.Random(1)))
    many = "\n".join([record] * (2_000_000 // len(record))).encode()

    async def story() -> None:
        assert await ask(application, "POST", "/language/") == 403  # without a token; now its page is read
        loop, begun = asyncio.get_running_loop(), asyncio.Event()

        def begins(**signal: Any) -> None:
            loop.call_soon_threadsafe(begun.set)

        request_started.connect(begins)
        checking = asyncio.create_task(ask(application, "POST", "/api/v1/records/verify/", many))
        await begun.wait()
        request_started.disconnect(begins)
        assert await ask(application, "POST", "/language/") == 403
        assert not checking.done()
        assert await checking == 200

    asyncio.run(story())


if connection.vendor == "sqlite":

    @pytest.mark.django_db(transaction=True)
    def test_requests_do_not_connect_to_the_database_each_time() -> None:
        """PostgreSQL has a connection pool for this, so the test is for SQLite only."""
        application, made = Application(), []

        def count(**signal: Any) -> None:
            made.append(signal["connection"])

        async def story() -> None:
            for _ in range(3):
                assert await asyncio.gather(*(ask(application, "GET", "/") for _ in range(10))) == [200] * 10

        connection_created.connect(count)
        asyncio.run(story())
        connection_created.disconnect(count)
        assert 1 <= len(made) <= READERS


def test_a_hall_full_of_phones_may_connect() -> None:
    Server(ready=lambda: None, ending=lambda: None)
    allowed, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    assert allowed >= OPEN_FILES or allowed == most


def test_any_asgi_server_finds_the_application(tmp_path: Path) -> None:
    environment = {name: value for name, value in os.environ.items() if not name.startswith(OURS)}
    asked = [sys.executable, "-c", "import scorekeeper.asgi; print(scorekeeper.asgi.application)"]
    answer = subprocess.run(
        asked,
        cwd=ROOT,
        env=environment | {"SCOREKEEPER_DATA": str(tmp_path)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert "Application" in answer.stdout
