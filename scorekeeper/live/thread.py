"""A thread in which the event loop can query the database."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from django.db import close_old_connections

T = TypeVar("T")


class DatabaseThread:
    """A single thread, so a single database connection, which it gives back after each question."""

    def __init__(self, name: str) -> None:
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix=name)

    async def ask(self, question: Callable[[], T]) -> T:
        """Calls `question` in the thread."""

        def answer() -> T:
            try:
                return question()
            finally:
                close_old_connections()

        return await asyncio.get_running_loop().run_in_executor(self._thread, answer)
