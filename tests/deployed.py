"""The files of docs/deploy/, and the programs they start, on this machine: with other folders, ports, databases."""

import http.client
import json
import os
import re
import shlex
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping
from configparser import ConfigParser
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from http.cookiejar import CookieJar
from pathlib import Path
from typing import Any
from urllib.parse import urlencode
from urllib.request import HTTPCookieProcessor, build_opener

from tests.running import OURS, ROOT
from tests.waiting import free_port, until

FILES = ROOT / "docs" / "deploy"
INSTALLED = "/opt/scorekeeper"
PROGRAMS = {
    f"{INSTALLED}/.venv/bin/python": [sys.executable],
    f"{INSTALLED}/.venv/bin/celery": [sys.executable, "-m", "celery"],
}


def unit(name: str) -> ConfigParser:
    """The unit file, with what all units have in common."""
    read = ConfigParser(strict=False, interpolation=None, delimiters="=", comment_prefixes="#")
    read.optionxform = str  # type: ignore[assignment, method-assign]
    read.read([FILES / name, FILES / "scorekeeper-.service.d" / "common.conf"])
    return read


def started_by(name: str, instance: object = "") -> list[str]:
    """The words of the command that starts this unit."""
    return shlex.split(unit(name)["Service"]["ExecStart"].replace("%i", str(instance)))


def environment() -> dict[str, str]:
    """The variables of the environment file."""
    words = shlex.split((FILES / "environment").read_text(), comments=True)
    return dict(word.split("=", 1) for word in words)


class Part:
    """A program of the server, with processes of its own."""

    def __init__(self, command: list[str], variables: Mapping[str, str], log: Path, cwd: Path = ROOT) -> None:
        self.command, self.variables, self.log, self.cwd = command, variables, log, cwd
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                self.command,
                cwd=self.cwd,
                env=dict(self.variables),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )

    def stop(self) -> int:
        """Ends it as systemd does. Returns its exit code."""
        assert self.process
        self.process.terminate()
        return self.process.wait(30)

    @property
    def noticed(self) -> int:
        """How often Caddy has asked whether this web process lives, and got a yes."""
        return len(re.findall(r'"GET /health/live/".*"status": 200', self.log.read_text()))

    def kill(self) -> None:
        """Kills it with all that it has started."""
        if self.process and self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()


@dataclass
class Deployed:
    """A server as docs/deploy.md describes it, on this machine."""

    port: int
    """That of Caddy."""
    variables: dict[str, str]
    webs: dict[int, Part]
    """By port."""
    worker: Part
    beat: Part
    caddy: Part
    logs: Path

    def manage(self, *words: str) -> str:
        """What a command of manage.py prints."""
        command = [sys.executable, "manage.py", *words]
        return subprocess.run(
            command, cwd=ROOT, env=self.variables, capture_output=True, text=True, check=True
        ).stdout.strip()

    def restart(self, port: int) -> None:
        """What `systemctl restart` does with a web process, and ExecStartPost waits for."""
        web = self.webs[port]
        assert web.stop() == 0
        before = web.noticed
        web.start()
        self.until_ready(port)
        until(lambda: web.noticed > before + 1)

    def until_ready(self, *ports: int) -> None:
        for port in ports or self.webs:
            until(lambda port=port: answer(port, "GET", "/health/ready/")[0] == 200)

    def ask(
        self, method: str, path: str, body: Any = None, headers: Mapping[str, str] | None = None
    ) -> tuple[int, str]:
        """The status and the text of an answer that came through Caddy."""
        return answer(self.port, method, path, body, headers)

    @property
    def logged(self) -> str:
        return "".join(file.read_text() for file in self.logs.glob("*.log"))


def answer(
    port: int, method: str, path: str, body: Any = None, headers: Mapping[str, str] | None = None
) -> tuple[int, str]:
    """The status and the text of the answer; 0 if nobody listens. `body` is sent as JSON."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    try:
        sent = None if body is None else json.dumps(body)
        connection.request(method, path, sent, {"Content-Type": "application/json"} | dict(headers or {}))
        found = connection.getresponse()
        return found.status, found.read().decode()
    except ConnectionRefusedError:
        return 0, ""
    finally:
        connection.close()


@dataclass
class Host:
    """A browser that fills in forms."""

    base: str
    jar: CookieJar = field(default_factory=CookieJar)

    def __post_init__(self) -> None:
        self._open = build_opener(HTTPCookieProcessor(self.jar)).open

    def get(self, path: str) -> str:
        with self._open(self.base + path) as found:
            text: str = found.read().decode()
        return text

    def post(self, path: str, page: str = "", **fields: str) -> tuple[str, str]:
        """Posts a form of the page (default: at the same address). Returns the address where that leads, and what is
        there."""
        token = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', self.get(page or path))
        assert token
        sent = urlencode(fields | {"csrfmiddlewaretoken": token[1]}).encode()
        with self._open(self.base + path, sent) as found:
            return found.geturl().removeprefix(self.base), found.read().decode()


def founded(link: str) -> tuple[Host, int, str]:
    """The host of a new club, its first table, and the token of that. `link` creates the first club of a server."""
    base, _slash, setup = link.partition("/setup/")
    host = Host(base)
    about = {"club_name": "Rovers", "language": "en", "host_name": "Hanna", "password": "correct horse"}
    club, _page = host.post(f"/setup/{setup}", **about)
    assert club == "/clubs/rovers/"
    _address, tables = host.post("/clubs/rovers/tables/", do="add", name="")
    _address, cards = host.post("/clubs/rovers/tables/", do="print")
    (token,) = set(re.findall(r"/t/([\w-]+)", cards))
    (table,) = re.findall(r"/tables/(\d+)/qr/", tables)
    return host, int(table), token


@contextmanager
def deployed(folder: Path, database: str, redis: str) -> Iterator[Deployed]:
    """Starts it all, and ends it."""
    port, ports = free_port(), [free_port(), free_port()]
    site = f"http://127.0.0.1:{port}"
    clean = {name: value for name, value in os.environ.items() if not name.startswith(OURS)}
    variables = clean | environment()
    variables |= {
        "DATABASE_URL": database,
        "REDIS_URL": redis,
        "SCOREKEEPER_DATA": str(folder / "data"),
        "SCOREKEEPER_PUBLIC_URL": site,
        "SCOREKEEPER_METRICS_TOKEN": "for-prometheus",
        "DJANGO_SETTINGS_MODULE": "tests.settings_hasty",
    }
    caddyfile = folder / "Caddyfile"
    text = (FILES / "Caddyfile").read_text().replace("{\n", "{\n\tadmin off\n", 1)
    caddyfile.write_text(text.replace("interval 1s", "interval 200ms").replace("try_duration 5s", "try_duration 1s"))
    web = " ".join(f"127.0.0.1:{each}" for each in ports)
    of_caddy = clean | {"SCOREKEEPER_SITE": site, "SCOREKEEPER_WEB": web, "HOME": str(folder)}

    def part(name: str, instance: object = "") -> Part:
        program, *words = [{"3": "1.5"}.get(word, word) for word in started_by(f"{name}.service", instance)]
        log = folder / f"{name.replace('@', '-')}{instance}.log"
        return Part([*PROGRAMS[program], *words], variables, log)

    server = Deployed(
        port,
        variables,
        {each: part("scorekeeper-web@", each) for each in ports},
        part("scorekeeper-worker"),
        part("scorekeeper-beat"),
        Part(["caddy", "run", "--adapter", "caddyfile", "--config", str(caddyfile)], of_caddy, folder / "caddy.log"),
        folder,
    )
    with ExitStack() as stack:
        for each in (*server.webs.values(), server.caddy, server.worker, server.beat):
            stack.callback(each.kill)
        for each in (*server.webs.values(), server.caddy):  # they wait until the database is up to date
            each.start()
        server.manage("migrate", "--verbosity", "0")
        server.worker.start()
        server.beat.start()
        server.until_ready()
        until(lambda: server.ask("GET", "/health/live/")[0] == 200)
        yield server
