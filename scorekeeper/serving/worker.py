"""The one worker process that `manage.py up` starts, watches and ends."""

import os
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


class Worker:
    """A Celery worker, its beat included, in a session of its own: a terminal's Ctrl-C must not reach it twice.

    `before` runs ahead of each start, when nothing of an earlier worker lives. `say` is told when it has to be
    started again. `keep` are file descriptors that it inherits. `folder` is for its temporary files.
    """

    def __init__(
        self,
        *,
        folder: Path,
        before: Callable[[], None],
        say: Callable[[str], None],
        keep: tuple[int, ...] = (),
    ) -> None:
        self.folder, self.before, self.say, self.keep = folder, before, say, keep
        self.child: subprocess.Popen[bytes] | None = None
        self.ending = threading.Event()
        self.changing = threading.Lock()  # between the watcher's start and the end asked for by another thread
        self.watcher = threading.Thread(target=self._watch, name="worker-watch", daemon=True)
        # The write end stays with us and is closed by our death at the latest: end of file tells the worker.
        self.watched, self.lifeline = os.pipe()

    def start(self) -> None:
        self.watcher.start()

    def ask_to_end(self) -> None:
        """One SIGTERM; a second one would make the worker drop what it does. Returns at once."""
        with self.changing:
            self.ending.set()
            if self.child and self.child.poll() is None:
                self.child.send_signal(signal.SIGTERM)

    def end(self) -> None:
        """Waits for the worker's end, kills it when it takes too long."""
        if not self.ending.is_set():
            self.ask_to_end()
        if self.child:
            try:
                self.child.wait(GRACE)
            except subprocess.TimeoutExpired:
                self.kill()
        self.watcher.join()

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
            self.kill()  # its pool may have outlived it
            if self.ending.is_set():
                return
            wait = 1.0 if time.monotonic() - started > STEADY else min(wait * 2, SLOWEST)
            self.say(f"The worker ended (status {self.child.returncode}); starting it again in {wait:.0f} s.")
            self.ending.wait(wait)

    def _spawn(self) -> "subprocess.Popen[bytes]":
        # The filesystem broker opens messages in the temporary folder: under the data, like everything else.
        environment = os.environ | {PARENT: str(self.watched), "TMPDIR": str(self.folder)}
        command = [sys.executable, "-m", "celery", "-A", "scorekeeper", "--quiet", "worker", "--beat"]
        options = [
            "--concurrency=2",
            "--loglevel=WARNING",
            "--without-gossip",
            "--without-mingle",
            "--without-heartbeat",
        ]
        return subprocess.Popen(
            [*command, *options],
            env=environment,
            stdin=subprocess.DEVNULL,
            start_new_session=True,
            pass_fds=(self.watched, *self.keep),
        )

    def kill(self) -> None:
        """The worker and all it started, at once."""
        if self.child is None:
            return
        try:
            os.killpg(self.child.pid, signal.SIGKILL)
        except (ProcessLookupError, PermissionError):  # nobody left (macOS says the second)
            return


def end_with_parent(group: int) -> None:
    """In the worker: kills its process group when the server that started it is gone, whatever ended that.

    Nothing to be finished first: the ledger runs again what was in hand.
    """
    pipe = os.environ.get(PARENT)
    if pipe is None:
        return

    def wait_for_the_end() -> None:
        os.read(int(pipe), 1)  # returns at end of file only: nobody writes
        os.killpg(group, signal.SIGKILL)

    threading.Thread(target=wait_for_the_end, name="parent-watch", daemon=True).start()
