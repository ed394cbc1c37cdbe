"""Django's ASGI handler, but each request stays in one thread from start to end."""

import asyncio
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from dataclasses import replace
from io import BytesIO
from typing import Any

from asgiref.sync import sync_to_async
from django.conf import settings
from django.core.handlers.asgi import ASGIHandler
from django.db import OperationalError, close_old_connections, connection
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils import translation

from scorekeeper.access import is_known
from scorekeeper.live.precedence import answering, giving_way
from scorekeeper.serving import logs, metrics, troubles
from scorekeeper.serving.connections import crowd
from scorekeeper.serving.limits import Limits, kind_of, largest_body
from scorekeeper.serving.spectators import Streams
from scorekeeper.serving.troubles import InTrouble

HELD = 1.0  # seconds before a request that came too often gets its answer: the next one cannot come earlier
READERS = 2  # pages at a time: threads share one processor, so more would slow them all down
NEED_NO_DATA = ("/health/", "/metrics/", settings.STATIC_URL)
AWAY = 1.0  # seconds between two looks whether a database that was away is back
NURSES = 2  # whoever asks whether this process lives does not wait for the one who asks about the database


class Application(ASGIHandler):
    """Runs middleware and view of a request in one of a few threads that live as long as the server.

    Django's own handler switches between the event loop and a new thread for each request, which has to connect to the
    database: together that takes longer than recording a play. Requests that can change something run one at a time, in
    order of arrival: SQLite allows one writer, and makes the others sleep longer than they need to. Passwords are slow
    to compare, and whoever asks about the health of the server may wait for what is ill, so both have a thread of their
    own. What comes too often or is too large is refused before that.
    """

    def __init__(self) -> None:
        super().__init__()
        readers, writer, guard, nurse = (
            ThreadPoolExecutor(number, thread_name_prefix=name)
            for name, number in (("reader", READERS), ("writer", 1), ("guard", 1), ("nurse", NURSES))
        )
        self._threads = {
            "read": readers,
            "follow": readers,
            "send": writer,
            "code": writer,
            "check": writer,
            "import": writer,
            "sign-in": guard,
            "health": nurse,
        }
        self._limits = Limits()
        self._streams = Streams()
        self._data_away_until = 0.0  # by the monotonic clock; 0 if it is there

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        # Django makes a thread for each request here; a stream would hold it for as long as somebody follows.
        logs.request_id.set(logs.new_id())
        exchange = _Exchange(scope, receive, send)
        try:
            if wait := self._limits.wait(scope, time.monotonic_ns() // 1_000_000):
                await asyncio.sleep(HELD)
                raise InTrouble(replace(troubles.TOO_OFTEN, retry_after=wait))
            exchange.check_announced_size()
            with self._streams.one_more(scope, crowd.most):
                await self.handle(scope, exchange.receive, exchange.send)
        except InTrouble as error:
            request = self.request_class(scope, BytesIO())
            with translation.override(translation.get_language_from_request(request)):
                answer = troubles.answer(error.trouble, request.path)
            await self.send_response(answer, exchange.send)

    async def get_response_async(self, request: HttpRequest) -> HttpResponseBase:
        kind = kind_of(request.method or "", request.path)
        answer = self._read if kind == "read" else self._answer
        with nullcontext() if kind == "read" else answering():
            return await sync_to_async(answer, thread_sensitive=False, executor=self._threads[kind])(request)

    def load_middleware(self, is_async: bool = False) -> None:
        super().load_middleware(is_async=False)

    def _read(self, request: HttpRequest) -> HttpResponseBase:
        """Pages give way to plays: somebody who asks for many must not keep the tables waiting."""
        with giving_way():
            return self._answer(request)

    def _answer(self, request: HttpRequest) -> HttpResponseBase:
        """While the database is away, one request each second looks whether it is back. The others are refused at once,
        and so are those that waited for their thread: what was sent again by then is not done late."""
        if self._data_away_until and not request.path.startswith(NEED_NO_DATA) and not self._data_is_back():
            return troubles.answer(troubles.DATA_AWAY, request.path)
        try:
            answer = self.get_response(request)
        finally:
            close_old_connections()
        if (known := is_known(request)) is not None:
            self._limits.learn(request, known=known)
        if not answer.streaming:
            # A request refers to itself, by its user and its messages. Otherwise all of it, with what the page was made
            # of, would stay in memory until the next full garbage collection, many minutes later.
            request.close()
            vars(request).clear()
        if answer.headers.get(troubles.CODE) == troubles.DATA_AWAY.code:
            self._data_away_until = time.monotonic() + AWAY
        return answer

    def _data_is_back(self) -> bool:
        now = time.monotonic()
        if now < self._data_away_until:
            return False
        self._data_away_until = now + settings.ANSWER_WITHIN + AWAY  # nobody else tries meanwhile
        try:
            connection.ensure_connection()
        except OperationalError:
            self._data_away_until = time.monotonic() + AWAY
            return False
        self._data_away_until = 0.0
        return True


class _Exchange:
    """The two directions of one request: what comes in is counted, and the answer is counted, logged and gets an id."""

    def __init__(self, scope: dict[str, Any], receive: Any, send: Any) -> None:
        self._scope, self._receive, self._send = scope, receive, send
        self._began = time.monotonic()
        self._left = largest_body(kind_of(scope["method"], scope["path"]))
        self._answered = False

    def check_announced_size(self) -> None:
        announced = dict(self._scope["headers"]).get(b"content-length", b"0")
        if announced.isdigit() and int(announced) > self._left:
            raise InTrouble(troubles.TOO_LARGE)

    async def receive(self) -> Any:
        """The next message. InTrouble as soon as the body is too large, announced or not."""
        message = await self._receive()
        self._left -= len(message.get("body", b""))
        if self._left < 0:
            raise InTrouble(troubles.TOO_LARGE)
        if self._answered:
            # Django's handler cancels this. If it got the end of the connection instead, it would keep the error, which
            # keeps the request and the answer, until the next full garbage collection, many minutes later.
            await asyncio.get_running_loop().create_future()
        return message

    async def send(self, message: Any) -> None:
        if message["type"] == "http.response.start":
            # Milliseconds: pages show their clocks by the server's time.
            now = b"X-Time", str(time.time_ns() // 1_000_000).encode()
            message["headers"] = [*message["headers"], (b"X-Request-ID", logs.request_id.get().encode()), now]
            method, path, status = self._scope["method"], self._scope["path"], message["status"]
            seconds = time.monotonic() - self._began
            metrics.answered(kind_of(method, path), status, seconds)
            logs.answered(method, path, status, seconds)
        self._answered = message["type"] == "http.response.body" and not message.get("more_body")
        await self._send(message)
