"""Why the server answers quickly: sockets that do not delay, and threads that keep their connections."""

import asyncio
import errno
import json
import os
import random
import resource
import socket
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable, Mapping
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any

import pytest
from django.db import connection
from django.db.backends.signals import connection_created
from django.http import HttpResponse
from django.test import Client
from django.utils import timezone

import games
from scorekeeper.services.tables import revoke_tokens
from scorekeeper.serving.addresses import listen
from scorekeeper.serving.application import READERS, Application
from scorekeeper.serving.connections import crowd
from scorekeeper.serving.known_browsers import remember
from scorekeeper.serving.limits import BY_ADDRESS, BY_ASKER, Limits, Rate
from scorekeeper.serving.server import OPEN_FILES, FullOfFiles, Server
from scorekeeper.serving.spectators import Streams
from scorekeeper.serving.troubles import InTrouble
from tests.conftest import Cast
from tests.running import OURS, ROOT


def test_nothing_sent_waits_for_a_confirmation_by_the_phone() -> None:
    with (
        listen("127.0.0.1", 0) as listening,
        socket.create_connection(listening.getsockname()),
        listening.accept()[0] as accepted,
    ):
        assert accepted.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)


class Asked:
    """A request to the application, and its answer. `wait` comes before each part of the answer is read, except the
    first."""

    def __init__(
        self,
        application: Application,
        method: str,
        path: str,
        body: bytes = b"",
        *,
        receive: Callable[[], Awaitable[Any]] | None = None,
        headers: Mapping[bytes, bytes] | None = None,
        wait: Callable[[], Awaitable[Any]] | None = None,
    ) -> None:
        self.answered, self.headers, self._status = b"", [], asyncio.get_running_loop().create_future()
        self._body, self._wait = [{"type": "http.request", "body": body}], wait
        sent = {b"host": b"localhost", b"content-length": str(len(body)).encode()} | dict(headers or {})
        scope = {"type": "http", "method": method, "path": path, "headers": list(sent.items())}
        scope |= {"query_string": b"", "http_version": "1.1", "client": ("192.0.2.7", 1)}
        self.task = asyncio.create_task(application(scope, receive or self._receive, self._send))

    async def status(self) -> int:
        if not self._wait:
            await self.task
        return await self._status

    async def _receive(self) -> Any:
        return self._body.pop() if self._body else await asyncio.Future()

    async def _send(self, message: Any) -> None:
        if message["type"] == "http.response.start":
            self.headers = message["headers"]
            self._status.set_result(message["status"])
            return
        if self._wait and self.answered:
            await self._wait()
        self.answered += message.get("body", b"")


@pytest.mark.django_db(transaction=True)
def test_checking_many_records_delays_nobody() -> None:
    """A part of the verdicts at a time: whoever does not read them gets no more, and others are answered meanwhile."""
    application = Application()
    record = json.dumps(games.random_match("domino-whist", {}, ["Ana", "Bo", "Cleo", "Dan"], random.Random(1)))
    many = "\n".join([record] * (2_000_000 // len(record))).encode()

    async def story() -> None:
        reading = asyncio.Event()
        checking = Asked(application, "POST", "/api/v1/records/verify/", many, wait=reading.wait)
        assert await checking.status() == 200
        assert await Asked(application, "POST", "/language/").status() == 403  # without a token
        assert checking.answered.count(b"\n") < 20
        reading.set()
        await checking.task
        assert checking.answered.count(b"\n") == many.count(b"\n") + 1

    asyncio.run(story())


@pytest.mark.parametrize("announced", [True, False], ids=["announced", "in chunks"])
def test_a_body_that_is_too_large_is_not_received(announced: bool) -> None:
    taken = 0

    async def chunks() -> dict[str, Any]:
        nonlocal taken
        taken += 100_000
        return {"type": "http.request", "body": bytes(100_000), "more_body": True}

    async def story() -> None:
        length = {b"content-length": b"300000000"} if announced else {b"transfer-encoding": b"chunked"}
        for path, kind in (("/nowhere/", "text/html; charset=utf-8"), ("/api/v1/records/verify/", "application/json")):
            asked = Asked(Application(), "POST", path, receive=chunks, headers=length)
            assert await asked.status() == 413
            assert dict(asked.headers)[b"Content-Type"].decode() == kind
            ago = time.time_ns() // 1_000_000 - int(dict(asked.headers)[b"X-Time"])
            assert 0 <= ago < 60_000, "every answer says the time, for the clocks of pages"
            await asked.task

    asyncio.run(story())
    assert taken <= 600_000 + 2_700_000


def test_who_asks_too_often_is_told_when_to_come_back() -> None:
    limits, scope = Limits(), {"method": "POST", "path": "/login/", "headers": [], "client": ("192.0.2.1", 1)}
    tries = BY_ADDRESS["sign-in"].at_once
    assert [limits.wait(scope, 100) for _ in range(tries)] == [0] * tries
    wait = limits.wait(scope, 100)
    assert wait > 0
    assert limits.wait(scope | {"client": ("192.0.2.2", 1)}, 100) == 0
    assert limits.wait(scope, 100 + 1000 * wait) == 0


def test_every_kind_of_request_has_a_limit_and_a_thread() -> None:
    assert BY_ADDRESS.keys() == Application()._threads.keys()


def test_all_addresses_of_a_network_share_one_limit() -> None:
    """Whoever has one address of IPv6 has as many as they like."""
    limits, scope = Limits(), {"method": "POST", "path": "/login/", "headers": []}

    def waits(address: str) -> bool:
        return bool(limits.wait(scope | {"client": (address, 1)}, 100))

    tries = BY_ADDRESS["sign-in"].at_once
    assert not any(waits(f"2001:db8:0:1::{number}") for number in range(tries))
    assert waits("2001:db8:0:1:ffff::1")
    assert not waits("2001:db8:0:2::1")


def test_who_guesses_passwords_in_the_hall_does_not_use_up_the_share_of_a_host() -> None:
    limits, scope = Limits(), {"method": "POST", "path": "/login/", "client": ("192.0.2.1", 1)}
    answer = HttpResponse()
    remember(answer, "Hanna")
    known, forged = (f"known={value}".encode() for value in (answer.cookies["known"].value, "Hanna:1:x"))
    while not limits.wait(scope | {"headers": []}, 100):
        pass
    assert limits.wait(scope | {"headers": [(b"cookie", forged)]}, 100)
    assert limits.wait(scope | {"headers": [(b"cookie", known)]}, 100) == 0


def test_a_thousand_errors_for_want_of_files_are_one_line(caplog: pytest.LogCaptureFixture) -> None:
    loop, handler = asyncio.new_event_loop(), FullOfFiles()
    for _ in range(1000):
        handler(loop, {"message": FullOfFiles.OUT_OF_FILES, "exception": OSError(errno.EMFILE, "Too many open files")})
    handler(loop, {"message": "something else"})
    loop.close()
    assert [record.message.partition(":")[0] for record in caplog.records] == ["Too many connections", "something else"]


def test_one_phone_cannot_use_up_what_its_hall_may_do() -> None:
    limits, scope = Limits(), {"method": "POST", "path": "/matches/1/entries/", "client": ("192.0.2.1", 1)}

    def sends(phone: str) -> bool:
        return not limits.wait(scope | {"headers": [(b"cookie", f"sessionid={phone}; x".encode())]}, 100)

    sent = sum(sends("greedy") for _ in range(5000))
    assert sent == BY_ASKER["send"].at_once
    assert all(sends(f"phone {number}") for number in range(200))


@pytest.mark.django_db(transaction=True)
def test_whoever_invents_tokens_does_not_use_up_the_share_of_a_phone(
    cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nor the share of a program. Only an answer tells which token is real, so a page or a post comes before that."""
    monkeypatch.setattr("scorekeeper.serving.application.HELD", 0)
    monkeypatch.setitem(BY_ADDRESS, "send", Rate(20, 60_000))
    monkeypatch.setitem(BY_ASKER, "send", Rate(40, 60_000))
    application, opened, browser = Application(), f"/api/v1/tables/{cast.table.pk}/matches/", Client()
    phone = cast.phone()
    program = {b"authorization": f"Bearer {phone.token}".encode()}
    browser.get(f"/t/{phone.token}/")
    session = {b"cookie": f"sessionid={browser.cookies['sessionid'].value}".encode()}

    async def story() -> None:
        async def sends(method: str = "POST", path: str = opened, **headers: Mapping[bytes, bytes]) -> int:
            return await Asked(application, method, path, **headers).status()

        assert await sends(headers=program) == 422
        assert await sends("GET", f"/tables/{cast.table.pk}/", headers=session) == 200
        invented = [{b"authorization": f"Bearer {number}".encode()} for number in range(20)]
        assert {await sends(headers=headers) for headers in invented} == {403, 429}
        assert await sends("POST", "/language/", headers=invented[0]) == 429
        assert await sends("POST", "/language/", headers=session) == 403  # without the token against forged requests
        assert [await sends(headers=program) for _ in range(40)] == [422] * 39 + [429]

    asyncio.run(story())


@pytest.mark.django_db(transaction=True)
def test_a_token_that_is_revoked_has_no_share_of_its_own(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("scorekeeper.serving.application.HELD", 0)
    monkeypatch.setitem(BY_ADDRESS, "send", Rate(1, 60_000))
    application, path = Application(), f"/api/v1/tables/{cast.table.pk}/matches/"
    program = {b"authorization": f"Bearer {cast.phone().token}".encode()}

    async def sent_twice() -> list[int]:
        return [await Asked(application, "POST", path, headers=program).status() for _ in range(2)]

    assert asyncio.run(sent_twice()) == [422, 422]
    revoke_tokens(table=cast.table, now=timezone.now())
    assert asyncio.run(sent_twice()) == [403, 429]


@pytest.mark.django_db(transaction=True)
def test_the_answer_to_too_many_requests_says_when_to_come_back(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("scorekeeper.serving.application.HELD", 0)
    application = Application()

    async def story() -> None:
        answers = [Asked(application, "POST", "/login/") for _ in range(BY_ADDRESS["sign-in"].at_once + 1)]
        *_passed, last = [await asked.status() for asked in answers]
        assert last == 429
        assert dict(answers[-1].headers)[b"Retry-After"].isdigit()
        assert b"Try again in" in answers[-1].answered

    asyncio.run(story())


def test_spectators_leave_room_for_who_plays() -> None:
    streams = Streams()
    with ExitStack() as open_streams:

        def come(address: str, query: bytes = b"topic=table:1&part=watch") -> bool:
            scope = {"method": "GET", "path": "/live/", "query_string": query, "client": (address, 1)}
            with suppress(InTrouble):
                open_streams.enter_context(streams.one_more(scope, connections=8))
                return True
            return False

        assert [come("192.0.2.1") for _ in range(3)] == [True, True, False]
        assert [come("192.0.2.2") for _ in range(2)] == [True, True]
        assert not come("192.0.2.3")
        assert all(come("192.0.2.1", b"topic=table:1&part=pad") for _ in range(9))
    with streams.one_more({"method": "GET", "path": "/live/", "query_string": b"", "client": ("", 0)}, connections=4):
        pass


@pytest.mark.django_db(transaction=True)
def test_a_spectator_too_many_is_told_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(crowd, "most", 0)

    async def story() -> None:
        asked = Asked(Application(), "GET", "/live/")
        assert await asked.status() == 503
        assert json.loads(asked.answered)["code"] == "full-house"

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
                pages = [Asked(application, "GET", "/").status() for _ in range(10)]
                assert await asyncio.gather(*pages) == [200] * 10

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
