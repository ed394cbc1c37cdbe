"""A PostgreSQL and a Redis for one test alone, which it may kill and start again."""

import os
import shutil
import signal
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import mkdtemp

from tests.waiting import free_port, until


class Service:
    """A server process on a port of this machine. It keeps its data when it is killed."""

    def __init__(self, command: list[str], port: int, *, user: str | None, killed_by: signal.Signals) -> None:
        self.port = port
        self._command, self._user, self._killed_by = command, user, killed_by
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        self._process = subprocess.Popen(
            self._command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, user=self._user, start_new_session=True
        )

    def kill(self) -> None:
        """Ends it at once, so that it has to repair its data at the next start."""
        assert self._process
        self._process.send_signal(self._killed_by)
        self._process.wait()

    def restart(self) -> None:
        self.kill()
        self.start()


@contextmanager
def own_postgres() -> Iterator[tuple[Service, str]]:
    """A PostgreSQL, and the address of its database."""
    import psycopg

    user = "postgres" if os.geteuid() == 0 else None  # it refuses to run as root
    folder = Path(mkdtemp(prefix="scorekeeper-postgres-"))
    if user:
        shutil.chown(folder, user, user)
    port = free_port()
    data = ["-D", str(folder / "data")]
    making = [_program("initdb"), *data, "--auth=trust", "--username=scorekeeper", "--encoding=UTF8", "--no-sync"]
    subprocess.run(making, check=True, stdout=subprocess.DEVNULL, user=user, cwd=folder)
    settings = {"listen_addresses": "127.0.0.1", "unix_socket_directories": "", "port": port, "fsync": "off"}
    options = [word for name, value in settings.items() for word in ("-c", f"{name}={value}")]
    # Killed by SIGKILL, it would leave processes behind. This signal makes it do the same to all of them.
    server = Service([_program("postgres"), *data, *options], port, user=user, killed_by=signal.SIGQUIT)
    url = f"postgres://scorekeeper@127.0.0.1:{port}/postgres"

    with _started(server, lambda: psycopg.connect(url).close(), refused=psycopg.OperationalError):
        yield server, url
    shutil.rmtree(folder)


@contextmanager
def own_redis(folder: Path) -> Iterator[tuple[Service, str]]:
    """A Redis that saves each change, and the address of its first database."""
    import redis

    port = free_port()
    words = ["--port", str(port), "--bind", "127.0.0.1", "--dir", str(folder), "--save", "", "--appendonly", "yes"]
    server = Service(["redis-server", *words], port, user=None, killed_by=signal.SIGKILL)
    url = f"redis://127.0.0.1:{port}/0"

    with _started(server, lambda: redis.from_url(url).ping(), refused=redis.ConnectionError):
        yield server, url


@contextmanager
def _started(server: Service, ask: Callable[[], object], *, refused: type[Exception]) -> Iterator[None]:
    """Runs it, from its first answer on, until the block ends."""

    def answers() -> bool:
        try:
            ask()
        except refused:
            return False
        return True

    server.start()
    try:
        until(answers)
        yield
    finally:
        server.kill()


def _program(name: str) -> str:
    """A program of PostgreSQL; Debian has them where no shell looks."""
    found = shutil.which(name) or max(map(str, Path("/usr/lib/postgresql").glob(f"*/bin/{name}")), default="")
    assert found, f"{name} is missing: install PostgreSQL's server."
    return found
