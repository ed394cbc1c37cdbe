"""Connections that cost the server little: nobody can hold them all, or hold one for nothing."""

import asyncio
from collections import defaultdict
from typing import ClassVar

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from scorekeeper.serving.addresses import network_of
from scorekeeper.serving.spectators import Spectators, only_watches

HEAD = 10.0  # seconds for the whole head of a request, from the first byte or from the beginning of the connection
BODY = 20.0  # seconds between two pieces of a body, and for the whole of a small one
SLOWEST = 4000  # bytes of a body in a second, after that; a phone on the slowest network sends faster
REFUSED = 1.0  # seconds to read an answer that came before the end of the body; nothing more is received meanwhile
OF_THIS_CONNECTION = (b"connection", b"content-length", b"transfer-encoding")  # what is followed needs no body
UNREAD = 30.0  # seconds a client may leave what was sent to it unread


class Crowd:
    """The open connections of this process, by network. At most `most` in all, and half of them from one network.

    Proxies hold connections for many people, so they may have all of them.
    """

    def __init__(self, most: int) -> None:
        self.most = most
        self.proxies: frozenset[str] = frozenset()
        self._by_network: defaultdict[str, dict[Connection, None]] = defaultdict(dict)
        self.open = 0

    def enter(self, connection: "Connection") -> None:
        """Where too many are open, the oldest one without a request goes: of the same network, or else of the network
        with the most connections. If all others are answering requests, that is the new one."""
        here = self._by_network[connection.network]
        here[connection] = None
        self.open += 1
        if len(here) > self.most // 2 and connection.address not in self.proxies:
            self._free(here)
        elif self.open > self.most:
            self._free(*sorted(self._by_network.values(), key=len, reverse=True))

    def leave(self, connection: "Connection") -> None:
        here = self._by_network[connection.network]
        if connection in here:
            del here[connection]
            self.open -= 1
        if not here:
            del self._by_network[connection.network]

    def _free(self, *groups: "dict[Connection, None]") -> None:
        oldest = next((connection for group in groups for connection in group if connection.idle), None)
        assert oldest, "The new one is idle, too."
        self.leave(oldest)
        oldest.drop()


crowd = Crowd(most=1000)  # the server knows better


class Connection(H11Protocol):
    """Uvicorn's protocol, with a time limit for everything that a client has to do."""

    spectators: ClassVar[Spectators | None] = None
    """Who serves those who only watch; None: this process."""
    read_before: bytes = b""
    """What another process has read of it."""
    address = network = ""
    _limit: asyncio.TimerHandle | None = None
    _body_until: float | None = None
    """When the body that is being received must be complete, by the loop's clock; later with each piece."""
    _unread: asyncio.TimerHandle | None = None

    @property
    def idle(self) -> bool:
        """Whether it has no request that is being answered."""
        return self.cycle is None or self.cycle.response_complete

    def drop(self) -> None:
        """Ends the connection at once."""
        self.transport.abort()

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self.address = self.client[0] if self.client else ""
        self.network = network_of(self.address)
        self._wait(HEAD)
        crowd.enter(self)
        if self.read_before:
            self.data_received(self.read_before)

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        self._limit_rest(len(data))

    def on_response_complete(self) -> None:
        super().on_response_complete()
        if not self.idle or self.conn.trailing_data[0]:
            self._limit_rest(0)  # of the next request, which began to come before this answer

    def _limit_rest(self, received: int) -> None:
        """How long the rest of the request may take, once these bytes have come."""
        if self.transport.is_closing():
            return
        match self.conn.their_state:
            case h11.IDLE:  # a part of a head; the rest must come in the time of the whole
                self._body_until = None
                if self._limit is None:
                    self._wait(HEAD)
            case h11.SEND_BODY if self.cycle.response_complete:
                self.flow.pause_reading()
                self._wait(REFUSED)
            case h11.SEND_BODY:
                now = self.loop.time()
                self._body_until = (self._body_until or now + BODY) + received / SLOWEST
                self._wait(min(BODY, self._body_until - now))
            case _:
                self._body_until = None
                self._wait(None)

    def pause_writing(self) -> None:
        super().pause_writing()
        self._unread = self.loop.call_later(UNREAD, self.drop)

    def resume_writing(self) -> None:
        super().resume_writing()
        if self._unread:
            self._unread.cancel()

    def connection_lost(self, exc: Exception | None) -> None:
        crowd.leave(self)
        self._wait(None)
        super().connection_lost(exc)  # resumes writing

    def _should_upgrade(self) -> bool:
        """Uvicorn asks this of each request, and then leaves the connection to `handle_websocket_upgrade`."""
        return self.spectators is not None and only_watches(self.scope)

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        """Hands the connection over to the process for spectators. It may be used for this request only."""
        headers = [(name, value) for name, value in self.headers if name not in OF_THIS_CONNECTION]
        head = b"%s %s HTTP/%s\r\n" % (event.method, event.target, event.http_version)
        head += b"".join(b"%s: %s\r\n" % header for header in (*headers, (b"connection", b"close"))) + b"\r\n"
        assert self.spectators
        self.spectators.take(self.transport.get_extra_info("socket").dup(), head)
        self.drop()

    def _wait(self, seconds: float | None) -> None:
        if self._limit:
            self._limit.cancel()
        self._limit = None if seconds is None else self.loop.call_later(seconds, self.drop)
