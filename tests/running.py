"""A real server, started as people start it, and a follower."""

import http.client
import json
import os
import queue
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, NamedTuple

from tests.waiting import free_port, until

ROOT = Path(__file__).parent.parent
# The server must not inherit a database or data folder from the environment of the tests.
OURS = ("SCOREKEEPER_", "DATABASE_URL", "REDIS_URL", "DJANGO_SETTINGS_MODULE", "DISPLAY", "WAYLAND_DISPLAY")


class Message(NamedTuple):
    """One server-sent event; `id` is 0 if it has none."""

    id: int
    event: str
    data: str

    @property
    def json(self) -> Any:
        return json.loads(self.data)


class Running:
    """`manage.py up` with a data folder and a port of this machine (default: a free one), and its output line by
    line."""

    def __init__(
        self, data: Path, *options: str, port: int | None = None, environment: Mapping[str, str] | None = None
    ) -> None:
        clean = {name: value for name, value in os.environ.items() if not name.startswith(OURS)}
        self.environment = clean | dict(environment or {})
        self.port = port or free_port()
        self.data = data
        self.lines: list[str] = []
        self._unread: queue.Queue[str | None] = queue.Queue()
        place = ["--data", str(data), "--host", "127.0.0.1", "--port", str(self.port), "--no-open"]
        self.process = subprocess.Popen(
            [sys.executable, "-u", "manage.py", "up", *place, *options],
            cwd=ROOT,
            env=self.environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            encoding="utf-8",
            start_new_session=True,  # so that a test may press Ctrl-C: a signal to the whole group
        )
        threading.Thread(target=self._listen, daemon=True).start()

    def until_said(self, words: str, within: float = 60.0) -> str:
        """The first unread line of output that contains `words`."""
        while True:
            line = self._unread.get(timeout=within)
            assert line is not None, f"It ended without saying {words!r}:\n{self.output}"
            if words in line:
                return line

    def until_ready(self) -> "Running":
        self.until_said("Ctrl-C stops everything")
        return self

    @property
    def output(self) -> str:
        return "".join(self.lines)

    def ask(
        self, method: str, path: str, body: Any = None, headers: Mapping[str, str] | None = None
    ) -> tuple[int, str]:
        """The status and the text of the answer. `body` is sent as JSON."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        sent = None if body is None else json.dumps(body)
        connection.request(method, path, sent, {"Content-Type": "application/json"} | dict(headers or {}))
        answer = connection.getresponse()
        text = answer.read().decode()
        connection.close()
        return answer.status, text

    def follow(self, path: str, last: int | None = None) -> "Following":
        return Following(self.port, path, last)

    def ctrl_c(self) -> None:
        """Sends a signal to every process of the group, as a terminal does."""
        os.killpg(self.process.pid, signal.SIGINT)

    def ended(self, within: float = 30.0) -> int:
        """Waits for the end. Returns the exit code."""
        return self.process.wait(within)

    def worker_group(self) -> int:
        """The process group of the worker, once there is one."""
        return self._child("celery")

    def spectators_process(self) -> int:
        """The process for those who only watch, once there is one."""
        return self._child("spectators")

    def _child(self, word: str) -> int:
        return until(lambda: [child for child in children(self.process.pid) if word in _command(child)])[0]

    def _listen(self) -> None:
        assert self.process.stdout
        for line in self.process.stdout:
            self.lines.append(line)
            self._unread.put(line)
        self._unread.put(None)


def all_gone(group: int) -> bool:
    """Waits until all processes of the group have ended."""

    def gone() -> bool:
        try:
            os.killpg(group, 0)
        except ProcessLookupError:
            return True
        return False

    return until(gone)


def _command(pid: int) -> list[str]:
    command = ["ps", "-ww", "-p", str(pid), "-o", "args="]
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout.split()


def children(pid: int) -> list[int]:
    """The child processes: from /proc, or from `ps` on a machine without /proc."""
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):  # gone meanwhile
            words = stat.read_text().rpartition(")")[2].split()
            found.append((int(stat.parent.name), int(words[1])))
    if not found:
        listed = subprocess.run(["ps", "-A", "-o", "pid=,ppid="], capture_output=True, text=True, check=True).stdout
        found = [(int(child), int(parent)) for child, parent in map(str.split, listed.splitlines())]
    return [child for child, parent in found if parent == pid]


class Following:
    """A follower of a stream."""

    def __init__(self, port: int, path: str, last: int | None = None) -> None:
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
        headers = {} if last is None else {"Last-Event-ID": str(last)}
        self.connection.request("GET", path, headers=headers)
        self.answer = self.connection.getresponse()
        assert self.answer.status == 200, self.answer.read()

    def next(self) -> Message:
        """The next event, without comments. EOFError when the server ends the stream."""
        fields: dict[str, list[str]] = {}
        while True:
            line = self.answer.readline()
            if not line:
                raise EOFError
            if line == b"\n":
                if "event" in fields:
                    number = int(fields.get("id", ["0"])[0])
                    return Message(number, fields["event"][0], "\n".join(fields["data"]))
                fields = {}
                continue
            name, _, value = line.decode().rstrip("\n").partition(": ")
            fields.setdefault(name, []).append(value)

    def ends(self) -> bool:
        """Waits until the server ends the stream."""
        try:
            while True:
                self.next()
        except EOFError:
            return True

    def close(self) -> None:
        self.answer.close()
        self.connection.close()


@contextmanager
def running(data: Path, *options: str, environment: Mapping[str, str] | None = None) -> Iterator[Running]:
    """A running server. It ends after the test, with all that it started."""
    server = Running(data, *options, environment=environment)
    try:
        yield server.until_ready()
    finally:
        if server.process.poll() is None:
            os.killpg(server.process.pid, signal.SIGKILL)
            server.ended()
