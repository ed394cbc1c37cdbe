"""The end of `manage.py up`: SQLite's write-ahead log is emptied into the database file, whatever still runs.

A log that stays would be replayed over a backup that somebody puts in the place of the database, and a copy of the file
alone would lack the newest entries. SQLite empties the log when the last connection closes, but threads of a server may
hold theirs for long. So at the end the process becomes a small program that has neither those threads nor their
connections: this file.
"""

import os
import signal
import sqlite3
import sys
import threading
from contextlib import closing
from pathlib import Path
from typing import NoReturn

ENDING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT)
_restarting = threading.Event()
draining = threading.Event()
"""Set when the process is about to end and still answers. Proxies should send no one to it any more."""
PATIENCE = 2.0  # seconds to wait for the connections of a worker that is just being killed


def ending_signals() -> list[signal.Signals]:
    """The signals that end the server. `nohup` makes a program ignore SIGHUP, and that stays so."""
    return [number for number in ENDING if number != signal.SIGHUP or signal.getsignal(number) != signal.SIG_IGN]


def empty_log(database: str | Path) -> None:
    """Copies the write-ahead log into the database file and empties it. No other thread or process may be using it."""
    if os.path.exists(database):
        with closing(sqlite3.connect(database, timeout=PATIENCE)) as connection:
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def restart() -> None:
    """Ends the server like Ctrl-C. Then it starts again with the same options."""
    _restarting.set()
    os.kill(os.getpid(), signal.SIGTERM)


def leave(database: str | Path | None, *, keep: int) -> NoReturn:
    """Ends the process at once with exit code 0: a normal exit of Python takes a slow machine a second. `database` is
    the file of SQLite, if that is in use. The descriptor `keep`, a lock, stays open until the end. After `restart` the
    process becomes a new server instead."""
    if _restarting.is_set():
        words = [word for word in sys.orig_argv[1:] if word != "--no-open"]
        os.execv(sys.executable, [sys.executable, *words, "--no-open"])  # noqa: S606
    if database is None:
        os._exit(0)
    os.set_inheritable(keep, True)
    signal.pthread_sigmask(signal.SIG_BLOCK, ENDING)  # nothing may interrupt it any more
    os.execv(sys.executable, [sys.executable, "-I", "-S", __file__, str(database)])  # noqa: S606


if __name__ == "__main__":
    empty_log(sys.argv[1])
