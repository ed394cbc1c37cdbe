"""One server for one data folder."""

import fcntl
import json
import os
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

NOTE = "up.json"  # the process that holds the data, and its addresses
WORKER_ENDS = 5.0  # seconds for the worker of a killed server to end


class DataInUse(Exception):
    """Another server uses this data; the message names it."""


class DataLock:
    """Held by `up` and by its worker: while either of them runs, no other server can use the data.

    The system releases the lock when both have ended, even if they were killed. A leftover file means nothing.
    """

    def __init__(self, data: Path) -> None:
        self.data = data
        self.note = data / NOTE
        self.file: IO[str] = (data / "up.lock").open("a")

    @contextmanager
    def taken(self) -> Iterator[None]:
        """The lock is taken, and there is no note afterwards. As `take`."""
        self.take()
        try:
            yield
        finally:
            self.forget()

    def take(self) -> None:
        """Takes the lock. DataInUse names process, address and folder. Waits only for a dead server's worker."""
        deadline = time.monotonic() + WORKER_ENDS
        while not self._taken():
            holder = self._holder()
            if _alive(holder.get("pid")) or time.monotonic() > deadline:
                raise DataInUse(self._refusal(holder))
            threading.Event().wait(0.1)
        self.forget()

    def forget(self) -> None:
        """Removes the note."""
        self.note.unlink(missing_ok=True)

    def fileno(self) -> int:
        """The file descriptor that the worker inherits."""
        return self.file.fileno()

    def note_addresses(self, addresses: Sequence[str]) -> None:
        """Writes this process and its addresses into the note."""
        part = self.note.with_suffix(".part")
        part.write_text(json.dumps({"pid": os.getpid(), "addresses": list(addresses)}))
        part.replace(self.note)

    def _taken(self) -> bool:
        try:
            fcntl.flock(self.file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True

    def _holder(self) -> dict[str, Any]:
        try:
            return dict(json.loads(self.note.read_text()))
        except (OSError, ValueError):  # that server has just started, and has not written its note
            return {}

    def _refusal(self, holder: dict[str, Any]) -> str:
        who = f"process {holder['pid']}, {' '.join(holder['addresses'])}" if holder else "just starting"
        return (
            f"Scorekeeper is already running on this data ({who}; data in {self.data}). "
            "Use that one, stop it with Ctrl-C, or choose another folder with --data."
        )


def in_use(data: Path) -> bool:
    """Whether a server or its worker uses this data. A note that a killed server left behind means nothing."""
    try:
        with (data / "up.lock").open() as file:
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except FileNotFoundError:
        return False
    except BlockingIOError:
        return True
    return False


def runs_here(data: Path) -> bool:
    """Whether this process is the server of `manage.py up` on this data."""
    try:
        return bool(json.loads((data / NOTE).read_text())["pid"] == os.getpid())
    except (FileNotFoundError, ValueError, LookupError):
        return False


def noted_addresses(data: Path) -> list[str]:
    """The addresses that the server on this data has noted, the best first; none without a server or a note."""
    if not in_use(data):
        return []
    try:
        return [str(address).rstrip("/") for address in json.loads((data / NOTE).read_text())["addresses"]]
    except (FileNotFoundError, ValueError, LookupError):
        return []


def _alive(pid: int | None) -> bool:
    if pid is None:
        return True
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:  # alive, but of another user
        return True
    return True
