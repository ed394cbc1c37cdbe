"""One hub a process: reads new events, and has each part of each topic drawn once for all who follow it."""

import asyncio
import functools
import logging
from collections import defaultdict
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from time import monotonic
from typing import Any, TypeVar

import redis
import redis.asyncio
from django.conf import settings
from django.db import DatabaseError, close_old_connections, connection
from django.db.models import Max

from scorekeeper.live import parts
from scorekeeper.live.parts import Drawing
from scorekeeper.live.topics import Topic
from scorekeeper.models import Event

HEARTBEAT = 15.0  # seconds; shorter than proxies and phones wait before they give a silent connection up
RETRY = 2000  # milliseconds before a follower whose stream ended comes back
FOLLOWERS = 0.25  # seconds between two drawings for those who only watch
SAFETY = 2.0  # seconds between two readings when no wake-up came: one may have been lost
OTHERS = 0.2  # seconds, the same for SQLite, where other processes (the worker, a command) cannot wake us
CHANNEL = "scorekeeper:wake"
PASSED_ON = "pad"  # kind of the events by which another phone may have taken a pad over

logger = logging.getLogger(__name__)
T = TypeVar("T")
Key = tuple[Topic, str, str]  # what is drawn: topic, part, language


class Hub:
    """Belongs to the event loop of its first follower; with the last follower gone it does nothing at all.

    A stream has no queue: it knows only that its topic changed, and is sent the latest when it can take it. So a
    slow phone costs nothing and misses nothing that still holds.
    """

    def __init__(self) -> None:
        self._loop: asyncio.AbstractEventLoop | None = None
        self._tasks: list[asyncio.Task[None]] = []
        self._closed = False
        self._woken = asyncio.Event()
        self._started: asyncio.Future[None] | None = None
        self._last = 0  # id of the newest event read
        self._followers: defaultdict[Topic, set[asyncio.Event]] = defaultdict(set)
        self._newest: dict[Topic, int] = {}
        self._passed_on: dict[Topic, int] = {}  # id of the newest event by which a phone may have lost a right
        self._drawn: dict[Key, asyncio.Task[tuple[int, Drawing]]] = {}
        # When each may be drawn again, by the loop's clock: its parts at one moment, of one reading.
        self._due: dict[Topic, float] = {}
        # One thread reads and draws, so one database connection a process, and none between two readings.
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="live")

    def wake(self) -> None:
        """Something was committed: read at once. From any thread; does nothing where nobody follows."""
        loop = self._loop
        if loop and not loop.is_closed():
            loop.call_soon_threadsafe(self._woken.set)

    def close(self) -> None:
        """Ends all streams, and each new one at once: the server is going. From the event loop."""
        self._closed = True
        for changed in self._everybody():
            changed.set()

    async def subscribe(
        self,
        topic: Topic,
        part: str = "",
        language: str = "en",
        last: int | None = None,
        may: Callable[[], bool] | None = None,
    ) -> AsyncIterator[bytes]:
        """Server-sent events for one follower, without end. `last` is the id of the event it saw last.

        Sends the present state unless `last` is the newest; after that whenever `topic` changed. `may` is asked anew
        whenever a pad changed hands: who may not follow any more is told so, and nothing else.
        """
        asked: int | None = None
        sent: Drawing | None = None
        changed = asyncio.Event()
        self._followers[topic].add(changed)
        try:
            await self._start()
            newest = await self._ask(topic.newest)
            self._newest[topic] = max(newest, self._newest.get(topic, 0))
            yield f"retry: {RETRY}\n\n".encode()
            if last is not None and last > newest:  # it followed other data: all it shows is doubtful
                yield parts.message(newest, "reset")
            if last != newest:
                changed.set()
            while not self._closed:
                try:
                    async with asyncio.timeout(HEARTBEAT):  # without the task that wait_for makes in Python 3.11
                        await changed.wait()
                except TimeoutError:
                    yield b":\n\n"
                    continue
                if self._closed:
                    return
                changed.clear()
                passed_on = self._passed_on.get(topic, 0)
                if may and passed_on != asked and not await self._ask(may):
                    yield parts.message(self._newest[topic], "reset")
                    return
                asked = passed_on
                version, drawing = await self._present((topic, part, language))
                if drawing is not sent:  # without news only the number, by which a page that comes back goes on
                    yield parts.message(version, part or "change", drawing.since(sent))
                sent = drawing
        finally:
            self._leave(topic, changed)

    def _everybody(self) -> list[asyncio.Event]:
        return [changed for followers in self._followers.values() for changed in followers]

    def _leave(self, topic: Topic, changed: asyncio.Event) -> None:
        self._followers[topic].discard(changed)
        if self._followers[topic]:
            return
        del self._followers[topic]
        self._newest.pop(topic, None)
        self._passed_on.pop(topic, None)
        for key in [key for key in self._drawn if key[0] == topic]:
            self._drawn.pop(key).cancel()
        self._due.pop(topic, None)
        if not self._followers:
            for task in self._tasks:
                task.cancel()
            self._tasks, self._loop, self._started = [], None, None

    async def _start(self) -> None:
        """Begins to read with the first follower, from the newest event on; the others wait for that."""
        if self._started is None:
            self._loop = asyncio.get_running_loop()
            self._started = self._loop.create_future()
            self._woken = asyncio.Event()
            self._tasks.append(self._loop.create_task(self._read(self._started)))
            if settings.REDIS_URL:
                self._tasks.append(self._loop.create_task(self._listen()))
        await asyncio.shield(self._started)

    async def _read(self, started: asyncio.Future[None]) -> None:
        pause = OTHERS if connection.vendor == "sqlite" else SAFETY
        try:
            self._last = await self._ask(lambda: Event.objects.aggregate(last=Max("pk"))["last"] or 0)
        except DatabaseError as error:
            started.set_exception(error)
            return
        started.set_result(None)
        while True:
            with suppress(TimeoutError):
                await asyncio.wait_for(self._woken.wait(), pause)
            self._woken.clear()
            try:
                events = await self._ask(lambda: list(Event.objects.filter(pk__gt=self._last).order_by("pk")))
            except DatabaseError as error:  # away for a moment: its rows will still be there
                logger.warning("Cannot read events: %s", error)
                continue
            for event in events:
                self._tell(event)

    def _tell(self, event: Event) -> None:
        self._last = event.pk
        for topic in Topic.of(event):
            if topic in self._followers:
                self._newest[topic] = max(event.pk, self._newest.get(topic, 0))
                if event.kind == PASSED_ON:
                    self._passed_on[topic] = event.pk
                for changed in self._followers[topic]:
                    changed.set()

    async def _listen(self) -> None:
        """Wake-ups from other processes. Without them the hub still reads every two seconds."""
        while True:
            try:
                async with redis.asyncio.from_url(settings.REDIS_URL) as client, client.pubsub() as listening:
                    await listening.subscribe(CHANNEL)
                    async for _ in listening.listen():
                        self._woken.set()
            except redis.RedisError as error:
                logger.warning("Cannot listen to Redis: %s", error)
            await asyncio.sleep(SAFETY)

    async def _present(self, key: Key) -> tuple[int, Drawing]:
        """What to show now, and the newest event in it: drawn for the first who asks, and for the others too."""
        newest = self._newest[key[0]]
        while True:
            if key not in self._drawn:
                self._drawn[key] = asyncio.create_task(self._draw(key))
                self._drawn[key].add_done_callback(functools.partial(self._forget_failed, key))
            drawing = self._drawn[key]
            # Shielded: one follower who goes must not end the drawing for the others.
            version, drawn = await asyncio.shield(drawing)
            if version >= newest:
                return version, drawn
            if self._drawn.get(key) is drawing:
                del self._drawn[key]

    async def _draw(self, key: Key) -> tuple[int, Drawing]:
        topic, part, _language = key
        loop = asyncio.get_running_loop()
        if part not in parts.SEATS:
            await asyncio.sleep(self._due.get(topic, 0) - loop.time())
        began, newest = loop.time(), self._newest[topic]

        def draw() -> tuple[Drawing, float]:
            begun = monotonic()
            return parts.drawn(*key, newest), monotonic() - begun

        drawn, took = await self._ask(draw)
        if part not in parts.SEATS:  # what takes long is drawn less often
            self._due[topic] = max(self._due.get(topic, 0), began + max(FOLLOWERS, 2 * took))
        return newest, drawn

    def _forget_failed(self, key: Key, drawing: asyncio.Task[tuple[int, Drawing]]) -> None:
        if (drawing.cancelled() or drawing.exception()) and self._drawn.get(key) is drawing:
            del self._drawn[key]

    async def _ask(self, question: Callable[[], T]) -> T:
        def asked() -> T:
            try:
                return question()
            finally:
                close_old_connections()

        return await asyncio.get_running_loop().run_in_executor(self._thread, asked)


hub = Hub()


def wake() -> None:
    """Tells every process that something was committed; to be called on commit by who wrote an `Event`."""
    hub.wake()
    if settings.REDIS_URL:
        try:
            _redis().publish(CHANNEL, b"")
        except redis.RedisError as error:  # the hubs' own reading makes up for it
            logger.warning("Cannot wake others by Redis: %s", error)


@functools.cache
def _redis() -> Any:
    return redis.from_url(settings.REDIS_URL, socket_connect_timeout=1, socket_timeout=1)
