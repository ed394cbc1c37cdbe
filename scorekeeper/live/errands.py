"""What has to be done soon, but must not be waited for: messages to Redis or to the broker, which may hang."""

import threading
from collections.abc import Callable
from queue import Full, Queue


class Errands:
    """Done one after another in a thread, which ends with the process. At most `most` wait; more are dropped, so each
    must be one that does no harm if it is lost."""

    def __init__(self, name: str, most: int) -> None:
        self._name, self._waiting = name, Queue[Callable[[], object]](most)
        self._starting = threading.Lock()
        self._thread: threading.Thread | None = None

    def run(self, errand: Callable[[], object]) -> None:
        """Returns at once. The errand handles its own errors."""
        with self._starting:
            if self._thread is None:
                self._thread = threading.Thread(target=self._work, name=self._name, daemon=True)
                self._thread.start()
        try:
            self._waiting.put_nowait(errand)
        except Full:
            return

    def _work(self) -> None:
        while True:
            self._waiting.get()()
