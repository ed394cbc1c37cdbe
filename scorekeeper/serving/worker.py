"""The one worker process that `manage.py up` starts, watches and ends."""

import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

PARENT = "SCOREKEEPER_PARENT"  # the file descriptor by which the worker notices its parent's end
GRACE = 4.0  # seconds to finish a job in hand before the worker is killed; the ledger runs that job again
STEADY = 60.0  # seconds after which a worker that ended is taken to have been healthy
SLOWEST = 30.0  # seconds, the longest wait before another start

# Threads: the worker is one process, dead or alive as a whole. A pool of processes on a broker without sockets shares
# a lock that one killed at the wrong moment takes with it, and the rest waits for ever.
COMMAND = [
    *(sys.executable, "-W", "ignore:You're running the worker with superuser"),
    *("-m", "celery", "-A", "scorekeeper", "--quiet", "worker", "--beat"),
    *("--pool=threads", "--concurrency=2", "--loglevel=WARNING"),
    *("--without-gossip", "--without-mingle", "--without-heartbeat"),
]


class Worker:
    """A Celery worker, its beat included, in a session of its own: a terminal's Ctrl-C must not reach it twice.

    `before` runs ahead of each start, when nothing of an earlier worker lives. `busy` says whether a job is in
    hand. `say` is told when it has to be started again. `keep` are file descriptors that it inherits. `scratch`
    is a folder for its temporary files, emptied at each start.
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
        self.changing = threading.Lock()  # a start by the watcher, the end asked for by another thread
        self.watcher = threading.Thread(target=self._watch, name="worker-watch", daemon=True)
        # The write end stays with us and is closed by our death at the latest: end of file tells the worker.
        self.watched, self.lifeline = os.pipe()

    def start(self) -> None:
        """Starts it and keeps it running, from a thread of its own."""
        self.watcher.start()

    def ask_to_end(self) -> None:
        """One SIGTERM; a second one would make the worker drop what it does. Returns at once."""
        with self.changing:
            if self.ending.is_set():
                return
            self.ending.set()
            self.asked_at = time.monotonic()
            if self.child and self.child.poll() is None:
                self.child.send_signal(signal.SIGTERM)

    def end(self) -> None:
        """Waits for the job in hand, then ends the worker, which alone would take seconds over it even when idle."""
        self.ask_to_end()
        deadline = self.asked_at + GRACE
        while self.child and self.child.poll() is None and time.monotonic() < deadline and self.busy():
            threading.Event().wait(0.1)
        self.kill()
        self.watcher.join()
        os.close(self.watched)
        os.close(self.lifeline)

    def kill(self) -> None:
        """The worker and all it started, at once."""
        if self.child is None:
            return
        try:
            os.killpg(self.child.pid, signal.SIGKILL)
        except (ProcessLookupError, PermissionError):  # nobody left (macOS says the second)
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
            self.kill()  # its beat may have outlived it
            if self.ending.is_set():
                return
            wait = 1.0 if time.monotonic() - started > STEADY else min(wait * 2, SLOWEST)
            self.say(f"The worker ended (status {self.child.returncode}); starting it again in {wait:.0f} s.")
            self.ending.wait(wait)

    def _spawn(self) -> "subprocess.Popen[bytes]":
        shutil.rmtree(self.scratch, ignore_errors=True)
        self.scratch.mkdir(parents=True)
        # The filesystem broker opens messages in the temporary folder: under the data, like everything else.
        environment = os.environ | {PARENT: str(self.watched), "TMPDIR": str(self.scratch)}
        return subprocess.Popen(
            COMMAND,
            env=environment,
            cwd=Path(__file__).parents[2],
            stdin=subprocess.DEVNULL,
            start_new_session=True,
            pass_fds=(self.watched, *self.keep),
        )


def end_with_parent(group: int) -> None:
    """In the worker: kills its process group when the server that started it is gone, whatever ended that.

    Nothing has to be finished first: the ledger runs again what was in hand.
    """
    pipe = os.environ.get(PARENT)
    if pipe is None:
        return

    def wait_for_the_end() -> None:
        os.read(int(pipe), 1)  # returns at end of file only: nobody writes
        os.killpg(group, signal.SIGKILL)

    threading.Thread(target=wait_for_the_end, name="parent-watch", daemon=True).start()
