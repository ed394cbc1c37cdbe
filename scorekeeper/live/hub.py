"""One hub for each process: reads new changes, and sends each follower the newest state of its topic."""

import asyncio
import logging
from collections import defaultdict
from collections.abc import AsyncGenerator, Callable
from contextlib import suppress

from django.conf import settings
from django.db import DatabaseError, connection

from scorekeeper.live import others, parts
from scorekeeper.live.drawings import Drawings
from scorekeeper.live.parts import Drawing
from scorekeeper.live.reading import NewChanges
from scorekeeper.live.thread import DatabaseThread
from scorekeeper.live.topics import Topic
from scorekeeper.models import Event
from scorekeeper.models.change import OUTLOOK

HEARTBEAT = 15.0  # seconds; proxies and phones wait longer before they give up a silent connection
RETRY = 2000  # milliseconds before a follower reconnects after its stream has ended
READ_PAUSE = 2.0  # seconds between two readings without a wake-up, because a wake-up can get lost
SQLITE_PAUSE = 0.2  # seconds, the same on SQLite: without Redis, other processes cannot wake this one
# Kinds of the changes by which a phone may have lost the pad or its pass; and for those who see who stands better, by
# which they may play themselves from now on: another match at the table, others in its seats, a step of the host.
RIGHTS = frozenset({"pad", "table"})
SEATING = {"table": frozenset({"opened", "swap", "substitute", "undo"}), "outlook": frozenset(Event.Kind.values)}
OF_ALL = "club-set"  # the kind by which any follower may have lost the right to look

logger = logging.getLogger(__name__)


class Hub:
    """Runs in the event loop of its first follower, and stops when the last follower has left.

    A stream has no queue. It only knows that its topic has changed, and sends the newest state when the connection is
    ready. So a slow phone costs nothing, and misses nothing that is still true.
    """

    def __init__(self) -> None:
        self._loop: asyncio.AbstractEventLoop | None = None
        self._tasks: list[asyncio.Task[None]] = []
        self._closed = False
        self._woken = asyncio.Event()
        self._started: asyncio.Future[None] | None = None
        self._followers: defaultdict[Topic, dict[asyncio.Event, str]] = defaultdict(dict)  # with the part
        self._newest: dict[Topic, int] = {}  # ids of changes
        self._rights: dict[Topic, int] = {}  # id of the newest change by which a phone may have lost a right
        self._database = DatabaseThread("live")
        self._drawings = Drawings(self._newest)

    @property
    def followers(self) -> int:
        """The number of open streams."""
        return sum(map(len, self._followers.values()))

    def wake(self) -> None:
        """Reads at once, after a commit. Works from any thread; does nothing without followers."""
        loop = self._loop
        if loop and not loop.is_closed():
            loop.call_soon_threadsafe(self._woken.set)

    def close(self) -> None:
        """Ends all streams, and new ones at once, before the server ends. Must run in the event loop."""
        self._closed = True
        for followers in self._followers.values():
            for changed in followers:
                changed.set()

    async def subscribe(
        self,
        topic: Topic,
        part: str = "",
        language: str = "en",
        zone: str = "UTC",
        last: int | None = None,
        may: Callable[[], bool] | None = None,
    ) -> AsyncGenerator[bytes, None]:
        """Server-sent events for one follower, without end. `last` is the id of the last change it has seen.

        Sends the current state, unless `last` is the newest change, and again after every change. When a pad changes
        hands, a table closes or a club has new settings, `may` answers whether the follower may go on like this; if
        not, the stream says so and ends.
        """
        checked: int | None = None
        sent: Drawing | None = None
        changed = asyncio.Event()
        self._followers[topic][changed] = part
        try:
            await self._start()
            newest = await self._database.ask(topic.newest)
            self._newest[topic] = max(newest, self._newest.get(topic, 0))
            yield f"retry: {RETRY}\n\n".encode()
            if last is not None and last > newest:  # the page shows the state of another database
                yield parts.message(newest, "reset")
            if last != newest:
                changed.set()
            while not self._closed:
                try:
                    async with asyncio.timeout(HEARTBEAT):
                        await changed.wait()
                except TimeoutError:
                    yield b":\n\n"
                    continue
                if self._closed:
                    return
                changed.clear()
                rights = self._rights.get(topic, 0)
                if may and rights != checked and not await self._database.ask(may):
                    yield parts.message(self._newest[topic], "reset")
                    return
                checked = rights
                version, drawing = await self._drawings.newest((topic, part, language, zone))
                if drawing is not sent:  # `since` can be empty: the page then gets only the id, to resume from there
                    yield parts.message(version, part or "change", drawing.since(sent))
                sent = drawing
        except DatabaseError:
            return  # the page connects again until the database is back
        finally:
            self._leave(topic, changed)

    def _leave(self, topic: Topic, changed: asyncio.Event) -> None:
        self._followers[topic].pop(changed)
        if self._followers[topic]:
            return
        del self._followers[topic]
        self._newest.pop(topic, None)
        self._rights.pop(topic, None)
        self._drawings.forget(topic)
        if not self._followers:
            for task in self._tasks:
                task.cancel()
            self._tasks, self._loop, self._started = [], None, None

    async def _start(self) -> None:
        """The first follower starts the reading, from the newest change on. All followers wait for that."""
        if self._started is None:
            self._loop = asyncio.get_running_loop()
            self._started = self._loop.create_future()
            self._woken = asyncio.Event()
            self._tasks.append(self._loop.create_task(self._read(self._started)))
            if settings.REDIS_URL:
                self._tasks.append(self._loop.create_task(others.listen(self._woken.set, retry=READ_PAUSE)))
        await asyncio.shield(self._started)

    async def _read(self, started: asyncio.Future[None]) -> None:
        pause = SQLITE_PAUSE if connection.vendor == "sqlite" else READ_PAUSE
        try:
            new = await self._database.ask(NewChanges)
        except DatabaseError as error:
            started.set_exception(error)
            return
        started.set_result(None)
        while True:
            with suppress(TimeoutError):
                async with asyncio.timeout(pause):  # in Python 3.11, wait_for can swallow a cancellation
                    await self._woken.wait()
            self._woken.clear()
            try:
                changes = await self._database.ask(new.read)
            except DatabaseError as error:  # the rows will still be there at the next reading
                logger.warning("Cannot read changes: %s", error)
                continue
            for pk, topic, kind in changes:
                self._tell(pk, Topic.read(topic), kind)
                if kind == OF_ALL:
                    self._check_all(pk)

    def _check_all(self, pk: int) -> None:
        """Everybody looks whether they may go on, also those who follow what is in the club of this change."""
        for topic, followers in self._followers.items():
            self._rights[topic] = pk
            for changed in followers:
                changed.set()

    def _tell(self, pk: int, topic: Topic, kind: str) -> None:
        if topic in self._followers:
            self._newest[topic] = max(pk, self._newest.get(topic, 0))
            if kind in RIGHTS | SEATING.get(topic.kind, frozenset()):
                self._rights[topic] = pk
            for changed, part in self._followers[topic].items():
                if kind != OUTLOOK or topic.kind == "outlook" or part == "outlook":
                    changed.set()


hub = Hub()
neighbours: list[Callable[[], None]] = []
"""How to wake the hubs of processes that belong to this one."""


def wake() -> None:
    """Tells every process about a commit. Whoever wrote a `Change` calls this on commit."""
    for waken in (hub.wake, *neighbours):
        waken()
    if settings.REDIS_URL:
        others.wake()
