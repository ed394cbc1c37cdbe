"""Nestor's thoughts, in processes of their own: he holds the interpreter while he thinks, and the server would answer
nobody meanwhile.

There are at most as many as the machine has cores, less one for the server. Each starts with the first question and
knows only the rules. Who asks waits without holding a thread.
"""

import asyncio
import multiprocessing
import os
import threading
import time
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import Any

from games.nestor.asked import asked

PROCESSES = max(1, (os.cpu_count() or 1) - 1)
MOST_WAITING = 200
"""Questions at once. Nobody waits longer than about ten seconds."""
LEAST = 20
"""Milliseconds that he always has."""


class Busy(Exception):
    """Nestor cannot be asked now: too many people ask, this one asks already, or his process was ended."""


class Thinking:
    """The processes, and who waits for an answer. Used in one event loop at a time."""

    def __init__(self) -> None:
        self._pool: ProcessPoolExecutor | None = None
        self._waiting: set[str] = set()
        self._turn = threading.Lock()

    def share(self, ms: int) -> int:
        """The time for a question, in milliseconds: less if many wait, so that nobody waits long."""
        return max(LEAST, ms * PROCESSES // max(PROCESSES, len(self._waiting)))

    async def ask(self, visitor: str, question: dict[str, Any]) -> dict[str, Any]:
        """Nestor's answer to a question (``games.nestor.asked``) of this visitor. Busy if there is none."""
        with self._turn:
            if visitor in self._waiting or len(self._waiting) >= MOST_WAITING:
                raise Busy
            self._waiting.add(visitor)
            pool = self._pool = self._pool or self._started()
        try:
            question = {**question, "ms": self.share(question["ms"])}
            loop = asyncio.get_running_loop()
            return await loop.run_in_executor(pool, asked, question, time.monotonic)
        except BrokenProcessPool as error:
            with self._turn:
                self._pool = None if self._pool is pool else self._pool
            raise Busy from error
        finally:
            with self._turn:
                self._waiting.discard(visitor)

    @staticmethod
    def _started() -> ProcessPoolExecutor:
        # Spawned: a copy of a process with threads may hold their locks for ever.
        spawning = multiprocessing.get_context("spawn")
        return ProcessPoolExecutor(PROCESSES, mp_context=spawning, initializer=_end_with_the_server)


def _end_with_the_server() -> None:
    """Ends this process when the server is gone, also if it was killed. It is nicer to others than the server is."""
    server = multiprocessing.parent_process()
    assert server is not None
    os.nice(5)

    def watch() -> None:
        server.join()
        os._exit(0)

    threading.Thread(target=watch, daemon=True).start()


thinking = Thinking()
"""Nestor, for this process of the server."""
