"""One server for one data folder."""

import fcntl
import json
import os
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from typing import IO, Any

NOTE = "up.json"  # who holds the data, and where it answers
DYING = 5.0  # seconds the worker of a server that was killed may take to follow it


class DataInUse(Exception):
    """Another server works on this data; the message names it."""


class DataLock:
    """Held from `up` to its end, and by its worker too: while either lives, nobody else may work on the data.

    The system lets go of it when the last of them has ended, however it ended: a leftover file means nothing.
    """

    def __init__(self, data: Path) -> None:
        self.data = data
        self.note = data / NOTE
        self.file: IO[str] = (data / "up.lock").open("a")

    def take(self) -> None:
        """Raises DataInUse, naming process, address and folder. Waits only for what a dead server left."""
        deadline = time.monotonic() + DYING
        while not self._taken():
            holder = self._holder()
            if _alive(holder.get("pid")) or time.monotonic() > deadline:
                raise DataInUse(self._refusal(holder))
            threading.Event().wait(0.1)
        self.note.unlink(missing_ok=True)

    def fileno(self) -> int:
        """For the worker to inherit."""
        return self.file.fileno()

    def tell(self, addresses: Sequence[str]) -> None:
        """Writes down who holds the data and where it answers."""
        written = self.note.with_suffix(".part")
        written.write_text(json.dumps({"pid": os.getpid(), "addresses": list(addresses)}))
        written.replace(self.note)

    def _taken(self) -> bool:
        try:
            fcntl.flock(self.file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True

    def _holder(self) -> dict[str, Any]:
        try:
            return dict(json.loads(self.note.read_text()))
        except (OSError, ValueError):  # it has only just begun
            return {}

    def _refusal(self, holder: dict[str, Any]) -> str:
        who = f"process {holder['pid']}, {' '.join(holder['addresses'])}" if holder else "it is just starting"
        return (
            f"A Scorekeeper is already running on this data ({who}; data in {self.data}). "
            "Use that one, end it with Ctrl-C, or choose other data with --data."
        )


def served(data: Path) -> list[str]:
    """The addresses of the server that runs on this data, the best first, as it noted them down; none where it did
    not."""
    try:
        return [str(each).rstrip("/") for each in json.loads((data / NOTE).read_text())["addresses"]]
    except (FileNotFoundError, ValueError, LookupError):
        return []


def _alive(pid: int | None) -> bool:
    if pid is None:
        return True
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:  # somebody else's, but alive
        return True
    return True
