"""The web server of `manage.py up` and `serve`: uvicorn in this process, with a clean end."""

import asyncio
import logging
import math
import resource
import socket
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import uvicorn
from django.conf import settings

from scorekeeper.serving.connections import Connection, crowd
from scorekeeper.serving.garbage import skip_what_stays
from scorekeeper.serving.leaving import draining, ending_signals

GRACE = 3  # seconds to finish open requests at the end; streams end earlier, by themselves
KEEP_ALIVE = 30  # seconds a phone's connection stays open between two plays: a new one costs a round trip
OPEN_FILES = 8192  # each follower is a connection; systems often allow a program only 256 or 1024
OTHER_FILES = 100  # the database, pages, sockets to Redis: these must never be refused for want of a file
SWITCH_INTERVAL = 0.001  # seconds before another thread may run: a play needs its turn again after each query

logger = logging.getLogger(__name__)


class FullOfFiles:
    """Handles errors of the event loop. If no file is left for a connection, asyncio reports that up to two thousand
    times at once, then waits for a second; one line says it all."""

    OUT_OF_FILES = "socket.accept() out of system resource"

    def __init__(self) -> None:
        self._said_at = -math.inf  # by the loop's clock

    def __call__(self, loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        if context.get("message") != self.OUT_OF_FILES:
            loop.default_exception_handler(context)
        elif loop.time() > self._said_at + 1:
            self._said_at = loop.time()
            logger.warning("Too many connections: this process may open no more files. New visitors wait.")


class Server(uvicorn.Server):
    """Calls `ready` when the server answers, and `ending` once before it ends.

    Asked to end by a signal, it goes on answering for `drain` seconds, so that a proxy notices first. A second signal
    ends it without that.

    Both run in the event loop. Unlike uvicorn, it does not raise the signal again at the end: a requested end is not a
    failure.
    """

    def __init__(self, *, ready: Callable[[], None], ending: Callable[[], None], drain: float = 0) -> None:
        config = uvicorn.Config(
            "scorekeeper.asgi:application",
            http=Connection,
            ws="none",
            lifespan="off",  # Django has none
            log_level="error",  # anybody can send what no server understands, as often as they like
            access_log=False,  # addresses of tables contain their tokens
            server_header=False,
            proxy_headers=bool(settings.PROXIES),
            forwarded_allow_ips=settings.PROXIES,
            timeout_graceful_shutdown=GRACE,
            timeout_keep_alive=KEEP_ALIVE,
        )
        super().__init__(config)
        self._taking: set[asyncio.Task[Any]] = set()
        self._ready, self._ending, self._drain = ready, ending, drain
        current, most = resource.getrlimit(resource.RLIMIT_NOFILE)
        wanted = OPEN_FILES if most == resource.RLIM_INFINITY else min(OPEN_FILES, most)
        files = max(current, wanted)
        resource.setrlimit(resource.RLIMIT_NOFILE, (files, most))
        crowd.most, crowd.proxies = files - OTHER_FILES, frozenset(settings.PROXIES)

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        self._loop = asyncio.get_running_loop()
        self._loop.set_exception_handler(FullOfFiles())
        await super().startup(sockets)
        skip_what_stays()
        sys.setswitchinterval(SWITCH_INTERVAL)
        self._ready()

    def take(self, connection: socket.socket, head: bytes) -> None:
        """Goes on with a connection from which another process has read `head`. Works from any thread."""
        self._loop.call_soon_threadsafe(self._take, connection, head)

    def end(self) -> None:
        """Ends at once. Works from any thread."""
        self._loop.call_soon_threadsafe(self._end)

    def _take(self, connection: socket.socket, head: bytes) -> None:
        def begun() -> Connection:
            protocol = Connection(config=self.config, server_state=self.server_state, app_state=self.lifespan.state)
            protocol.read_before = head
            return protocol

        taking = self._loop.create_task(self._loop.connect_accepted_socket(begun, connection))
        self._taking.add(taking)
        taking.add_done_callback(self._taking.discard)

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        loop = asyncio.get_running_loop()
        for number in ending_signals():
            loop.add_signal_handler(number, self._asked_to_end)
        yield

    def _asked_to_end(self) -> None:
        if self._drain and not draining.is_set():
            draining.set()
            asyncio.get_running_loop().call_later(self._drain, self._end)
        else:
            self._end()

    def _end(self) -> None:
        if not self.should_exit:
            self.should_exit = True
            self._ending()
