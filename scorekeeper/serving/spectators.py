"""A process for those who only watch, next to the server: so plays never wait for their pages and messages.

The server accepts all connections. When the request on one of them is to follow what spectators see, it hands the
connection over, with what it has read of it. Players' phones follow their pads in the server itself: the answer to a
play has drawn them already.
"""

import functools
import logging
import mmap
import socket
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from struct import Struct
from typing import Any
from urllib.parse import parse_qsl

from scorekeeper.live import parts
from scorekeeper.live.errands import Errands
from scorekeeper.serving import troubles
from scorekeeper.serving.addresses import network_of
from scorekeeper.serving.limits import kind_of
from scorekeeper.serving.troubles import InTrouble

COMMAND = [sys.executable, "manage.py", "spectators"]
TRIES = 2
PATIENCE = 1.0  # seconds to end all streams before the process is killed
SILENT = 15.0  # seconds without a sign of life, after which it is killed, too
LENGTH = Struct("!I")  # of what the server has read; 0 for a wake-up, which comes without a connection
SIGN = Struct("!Id")  # of life: the number of followers, and when that was, by the monotonic clock of the machine

logger = logging.getLogger(__name__)


def only_watches(scope: Any) -> bool:
    """Whether this is a request to follow what spectators see."""
    if kind_of(scope["method"], scope["path"]) != "follow":
        return False
    return dict(parse_qsl(scope["query_string"].decode("latin1"))).get("part") not in parts.FOR_PLAYERS


class Streams:
    """The open streams of spectators in this process, by the address of the visitor, also behind a proxy.

    At most half of the connections, so that there is always room for who plays, and half of those for one address.
    """

    def __init__(self) -> None:
        self._by_address: Counter[str] = Counter()

    @contextmanager
    def one_more(self, scope: Any, connections: int) -> Iterator[None]:
        """If this is a request of a spectator, the stream is open as long as the block runs; InTrouble if there are too
        many. `connections` is the number that the process may have."""
        if not only_watches(scope):
            yield
            return
        address = network_of((scope.get("client") or ("",))[0])
        if self._by_address.total() >= connections // 2 or self._by_address[address] >= connections // 4:
            raise InTrouble(troubles.FULL_HOUSE)
        self._by_address[address] += 1
        try:
            yield
        finally:
            self._by_address -= Counter([address])  # leaves out what is 0


class Spectators:
    """The process, as the server sees it: started for the first spectator, and again if it has ended or hangs.

    At most `waiting` connections wait for it; more are closed, and come again.
    """

    def __init__(self, waiting: int) -> None:
        self._errands = Errands("spectators", waiting)
        self._child: subprocess.Popen[bytes] | None = None
        self._channel: socket.socket | None = None
        self._signs = tempfile.TemporaryFile()  # noqa: SIM115 (as long as the server)
        self._signs.truncate(SIGN.size)
        self._sign = mmap.mmap(self._signs.fileno(), SIGN.size)

    @property
    def followers(self) -> int:
        """The number of open streams, at most a second ago."""
        number: int = SIGN.unpack(self._sign)[0]
        return number

    def take(self, connection: socket.socket, head: bytes) -> None:
        """Takes over a connection from which `head` has been read. Returns at once."""
        self._errands.run(functools.partial(self._hand_over, connection, head))

    def wake(self) -> None:
        """After a commit. Returns at once."""
        if self._channel:
            self._errands.run(self._wake)

    def end(self) -> None:
        """Ends all streams and the process."""
        if self._channel:
            self._channel.shutdown(socket.SHUT_RDWR)
            self._status()

    def _hand_over(self, connection: socket.socket, head: bytes) -> None:
        with connection:
            for _ in range(TRIES):
                try:
                    channel = self._living() or self._start()
                    socket.send_fds(channel, [LENGTH.pack(len(head))], [connection.fileno()])
                    channel.sendall(head)
                    return
                except OSError as error:
                    self._give_up(error)

    def _wake(self) -> None:
        try:
            if channel := self._living():
                channel.sendall(LENGTH.pack(0))
        except OSError as error:
            self._give_up(error)

    def _living(self) -> socket.socket | None:
        """The channel to the process; None if there is none. TimeoutError if the process hangs."""
        if self._channel and time.monotonic() - SIGN.unpack(self._sign)[1] > SILENT:
            raise TimeoutError("no sign of life")
        return self._channel

    def _start(self) -> socket.socket:
        channel, other = socket.socketpair()
        channel.settimeout(SILENT)
        self._sign[:] = SIGN.pack(0, time.monotonic())
        with other:
            try:
                self._child = subprocess.Popen(
                    [*COMMAND, str(self._signs.fileno())],
                    cwd=Path(__file__).parents[2],
                    stdin=other.fileno(),
                    pass_fds=[self._signs.fileno()],
                    start_new_session=True,  # Ctrl-C in a terminal reaches the server only
                )
            except OSError:
                channel.close()
                raise
        self._channel = channel
        return channel

    def _give_up(self, error: OSError) -> None:
        """The process could not start, has ended, or hangs. The next spectator gets another one."""
        if self._channel is None:
            logger.warning("The process for spectators cannot start: %s", error)
            return
        self._channel.close()
        self._channel = None
        self._sign[:] = bytes(SIGN.size)
        logger.warning("The process for spectators ended with status %s: %s", self._status(), error)

    def _status(self) -> int:
        """Waits until the process has ended."""
        assert self._child
        try:
            return self._child.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self._child.kill()
            return self._child.wait()


class Reception:
    """In the process: receives what the server hands over. `signs` is the file for the signs of life."""

    def __init__(self, channel: socket.socket, signs: int) -> None:
        self._channel, self._sign = channel, mmap.mmap(signs, SIGN.size)

    def give_sign(self, followers: int) -> None:
        """To be called each second."""
        self._sign[:] = SIGN.pack(followers, time.monotonic())

    def receive(self, take: Callable[[socket.socket, bytes], None], woken: Callable[[], None]) -> None:
        """Calls `take` for each connection, `woken` for each wake-up. Returns when the server has ended."""
        while True:
            length, descriptors, _flags, _address = socket.recv_fds(self._channel, LENGTH.size, 1)
            if not length:
                return
            if descriptors:
                head = self._channel.recv(LENGTH.unpack(length)[0], socket.MSG_WAITALL)
                take(socket.socket(fileno=descriptors[0]), head)
            else:
                woken()
