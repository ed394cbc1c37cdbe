"""Drawings that followers share: each part of a topic is drawn once for all who follow it."""

import asyncio
import functools
from collections.abc import Mapping
from time import monotonic

from django.utils import timezone

from scorekeeper.live import parts
from scorekeeper.live.parts import Drawing
from scorekeeper.live.thread import DatabaseThread
from scorekeeper.live.topics import Topic

WATCH_PAUSE = 0.25  # seconds between two drawings for people who only watch
Key = tuple[Topic, str, str, str]  # topic, part, language, time zone


class Drawings:
    """The newest drawing of every part that somebody follows. Used in one event loop.

    `newest_changes` has the id of the newest change of every topic that somebody follows.
    """

    def __init__(self, newest_changes: Mapping[Topic, int]) -> None:
        self._newest_changes = newest_changes
        # A pad does not wait here behind what others watch.
        self._for_players, self._for_others = DatabaseThread("pads"), DatabaseThread("watched")
        self._tasks: dict[Key, asyncio.Task[tuple[int, Drawing]]] = {}
        # When a topic may be drawn again, by the loop's clock: all its parts together, from one reading.
        self._due: dict[Topic, float] = {}

    async def newest(self, key: Key) -> tuple[int, Drawing]:
        """The newest change in the drawing, and the drawing. The first follower who asks draws it for all."""
        newest = self._newest_changes[key[0]]
        while True:
            if key not in self._tasks:
                self._tasks[key] = asyncio.create_task(self._draw(key))
                self._tasks[key].add_done_callback(functools.partial(self._forget_failed, key))
            task = self._tasks[key]
            # Shielded: a follower who leaves must not cancel the drawing of the others.
            version, drawing = await asyncio.shield(task)
            if version >= newest:
                return version, drawing
            if self._tasks.get(key) is task:
                del self._tasks[key]

    def forget(self, topic: Topic) -> None:
        """Nobody follows the topic any more."""
        for key in [key for key in self._tasks if key[0] == topic]:
            self._tasks.pop(key).cancel()
        self._due.pop(topic, None)

    def __len__(self) -> int:
        return len(self._tasks)

    async def _draw(self, key: Key) -> tuple[int, Drawing]:
        topic, part, language, zone = key
        if part in parts.FOR_PLAYERS:
            newest = self._newest_changes[topic]
            with timezone.override(zone):  # mostly the answer to a play has drawn the pad
                known = parts.known_drawing(topic, part, language, newest)
            if known:
                return newest, known
            return newest, await self._for_players.ask(functools.partial(_drawn, key, newest))
        loop = asyncio.get_running_loop()
        await asyncio.sleep(self._due.get(topic, 0) - loop.time())
        began, newest = loop.time(), self._newest_changes[topic]

        def draw() -> tuple[Drawing, float]:
            start = monotonic()
            return _drawn(key, newest), monotonic() - start

        drawing, seconds = await self._for_others.ask(draw)
        # The longer a drawing takes, the less often it is made.
        self._due[topic] = max(self._due.get(topic, 0), began + max(WATCH_PAUSE, 2 * seconds))
        return newest, drawing

    def _forget_failed(self, key: Key, task: asyncio.Task[tuple[int, Drawing]]) -> None:
        if (task.cancelled() or task.exception()) and self._tasks.get(key) is task:
            del self._tasks[key]


def _drawn(key: Key, version: int) -> Drawing:
    topic, part, language, zone = key
    with timezone.override(zone):
        return parts.drawn(topic, part, language, version)
