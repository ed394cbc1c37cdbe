"""The worker process that `manage.py up` starts, watches and ends."""

import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

PARENT = "SCOREKEEPER_PARENT"  # the file descriptor by which the worker notices that its parent has ended
GRACE = 4.0  # seconds to finish the current job before the worker is killed; the ledger runs that job again
STEADY = 60.0  # seconds: a worker that ran for longer was healthy, so the next one need not wait longer
LONGEST_WAIT = 30.0  # seconds before another start

# Threads, so that the worker is one process that lives or dies as a whole. Processes in a pool share a lock when the
# broker has no sockets: if one of them is killed while it holds the lock, the others wait for ever.
COMMAND = [
    *(sys.executable, "-W", "ignore:You're running the worker with superuser"),
    *("-m", "celery", "-A", "scorekeeper", "--quiet", "worker"),
    *("--pool=threads", "--concurrency=2", "--loglevel=WARNING"),
    *("--without-gossip", "--without-mingle", "--without-heartbeat"),
]


class Worker:
    """A Celery worker that is also the beat. It has a session of its own, so Ctrl-C in a terminal reaches it once.

    `before` runs before each start, when no earlier worker is alive. `busy` answers whether a job is running. `say`
    gets a line of text when the worker has to be started again. The worker inherits the file descriptors `keep`.
    `scratch` is the folder for its temporary files, emptied at each start.
    """

    def __init__(
        self,
        *,
        scratch: Path,
        before: Callable[[], None],
        busy: Callable[[], bool],
        say: Callable[[str], None],
        keep: tuple[int, ...] = (),
    ) -> None:
        self.scratch, self.before, self.busy, self.say, self.keep = scratch, before, busy, say, keep
        self.child: subprocess.Popen[bytes] | None = None
        self.ending = threading.Event()
        self.asked_at = 0.0
        self.changing = threading.Lock()  # the watcher starts the worker, another thread asks it to end
        self.watcher = threading.Thread(target=self._watch, name="worker-watch", daemon=True)
        # This process keeps the write end. When it ends, in any way, the worker reads the end of the file.
        self.watched, self.lifeline = os.pipe()

    def start(self) -> None:
        """Starts the worker, and a thread that keeps it running."""
        self.watcher.start()

    def ask_to_end(self) -> None:
        """Sends one SIGTERM, never a second, which would make the worker drop its job. Returns at once."""
        with self.changing:
            if self.ending.is_set():
                return
            self.ending.set()
            self.asked_at = time.monotonic()
            if self.child and self.child.poll() is None:
                self.child.send_signal(signal.SIGTERM)

    def end(self) -> None:
        """Waits for the current job, then kills the worker: even an idle one takes seconds to end by itself."""
        self.ask_to_end()
        deadline = self.asked_at + GRACE
        while self.child and self.child.poll() is None and time.monotonic() < deadline and self.busy():
            threading.Event().wait(0.1)
        self.kill()
        self.watcher.join()
        os.close(self.watched)
        os.close(self.lifeline)

    def kill(self) -> None:
        """Kills the worker and all it started, at once."""
        if self.child is None:
            return
        try:
            os.killpg(self.child.pid, signal.SIGKILL)
        except (ProcessLookupError, PermissionError):  # all have ended already (macOS raises the second)
            return

    def _watch(self) -> None:
        wait = 1.0
        while True:
            started = time.monotonic()
            with self.changing:
                if self.ending.is_set():
                    return
                self.before()
                self.child = self._spawn()
            self.child.wait()
            if self.ending.is_set():
                return
            wait = 1.0 if time.monotonic() - started > STEADY else min(wait * 2, LONGEST_WAIT)
            self.say(f"The worker ended (status {self.child.returncode}). It starts again in {wait:.0f} s.")
            self.ending.wait(wait)

    def _spawn(self) -> "subprocess.Popen[bytes]":
        shutil.rmtree(self.scratch, ignore_errors=True)
        self.scratch.mkdir(parents=True)
        # The filesystem broker opens messages in the temporary folder, so that is in the data folder, too.
        environment = os.environ | {PARENT: str(self.watched), "TMPDIR": str(self.scratch)}
        return subprocess.Popen(
            COMMAND,
            env=environment,
            cwd=Path(__file__).parents[2],
            stdin=subprocess.DEVNULL,
            start_new_session=True,
            pass_fds=(self.watched, *self.keep),
        )


def has_parent() -> bool:
    """In the worker: whether `manage.py up` has started it."""
    return PARENT in os.environ


def end_with_parent(group: int) -> None:
    """In the worker: kills its process group when the server that started it has ended, for any reason.

    No job has to finish first: the ledger runs it again.
    """
    pipe = int(os.environ[PARENT])

    def wait_for_parent() -> None:
        os.read(pipe, 1)  # nobody writes, so it returns at the end of the file only
        os.killpg(group, signal.SIGKILL)

    threading.Thread(target=wait_for_parent, name="parent-watch", daemon=True).start()
