"""The server for years, as docs/deploy.md describes it."""

import http.client
import json
import re
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from ipaddress import ip_address, ip_network
from pathlib import Path
from threading import Event
from typing import Any
from urllib.parse import urlencode

import psycopg
import pytest
import redis
import yaml

from tests.conftest import names_for, plan_for
from tests.deployed import FILES, INSTALLED, Deployed, answer, deployed, environment, founded, started_by
from tests.running import ROOT, Following
from tests.waiting import until

UNITS = ["scorekeeper-web@.service", "scorekeeper-worker.service", "scorekeeper-beat.service"]
GAME, HANDS = "block", 1000
PACE = 0.1  # seconds between two entries of a phone: its hands must last while everything is restarted


# --- The story -----------------------------------------------------------------------------------------------
class Phone:
    """A phone that keeps its connection to Caddy, with its own match."""

    def __init__(self, server: Deployed, table: int, token: str) -> None:
        self.server, self.headers = server, {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
        self.connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=30)
        body = {"game": GAME, "options": {"hands": HANDS}, "players": names_for(GAME)}
        self.match = self._post(f"/api/v1/tables/{table}/matches/", body)["id"]
        self.entries = plan_for(GAME, hands=HANDS)
        self.seen = 0

    def enter(self, *, patiently: bool = False) -> None:
        """Makes the next entry, and sends it again with the same key if the server says that it is too early. With
        `patiently`, also if the server does not answer."""
        body = {"seen": self.seen, "key": f"{self.match}-{self.seen}"} | self.entries[self.seen]
        answer = until(lambda: self._posted(f"/api/v1/matches/{self.match}/entries/", body, patiently))
        self.seen += 1
        assert answer["length"] == self.seen

    def enter_until(self, done: Event, *, patiently: bool = False) -> None:
        while not done.wait(PACE):
            self.enter(patiently=patiently)

    def _posted(self, path: str, body: Any, patiently: bool) -> Any:
        """The answer; None if it is worth trying again."""
        try:
            return self._post(path, body, no_answer=(429, 502, 503) if patiently else (429,))
        except (ConnectionError, http.client.HTTPException):
            if not patiently:
                raise
            self.connection.close()
            return None

    def _post(self, path: str, body: Any, no_answer: tuple[int, ...] = ()) -> Any:
        self.connection.request("POST", path, json.dumps(body), self.headers)
        answer = self.connection.getresponse()
        text = answer.read().decode()
        assert answer.status in (200, 201, *no_answer), text
        return None if answer.status in no_answer else json.loads(text)


@pytest.mark.postgres
@pytest.mark.redis
@pytest.mark.caddy
def test_a_server_for_years(postgres_url: str, redis_url: str, tmp_path: Path) -> None:
    with deployed(tmp_path, postgres_url, redis_url) as server, psycopg.connect(postgres_url, autocommit=True) as data:
        link = server.manage("setup-link")
        assert link.startswith(f"http://127.0.0.1:{server.port}/setup/")
        host, table, token = founded(link)
        phones = [Phone(server, table, token) for _ in range(3)]

        # A live page gets each play at once: Caddy keeps nothing back.
        first = phones[0]
        topic = f"/live/?topic=match:{first.match}"
        stream = Following(server.port, topic)
        assert stream.next().json["length"] == 0
        for length in (1, 2):
            first.enter()
            seen = stream.next()
            assert seen.json["length"] == length

        # Worker, beat and Redis lose what they knew; the job is done all the same, later.
        server.worker.kill()
        server.beat.kill()
        job, _page = host.post("/clubs/rovers/archive/", page="/clubs/rovers/")
        redis.from_url(redis_url).flushall()
        server.worker.start()
        server.beat.start()

        # An upgrade: no play is lost, none counts twice.
        done = Event()
        with ThreadPoolExecutor() as hall:
            playing = [hall.submit(phone.enter_until, done) for phone in phones]
            try:
                for port in server.webs:
                    server.restart(port)
            finally:
                done.set()
            for each in playing:
                each.result()
        for phone in phones:
            found = data.execute("SELECT count(*) FROM scorekeeper_logentry WHERE match_id = %s", [phone.match])
            assert found.fetchone() == (phone.seen,)
        assert stream.ends()
        assert Following(server.port, topic, seen.id).next().json["length"] == first.seen

        # Web processes are killed while they post: every entry is there once.
        done = Event()
        with ThreadPoolExecutor() as hall:
            playing = [hall.submit(phone.enter_until, done, patiently=True) for phone in phones]
            try:
                for port, web in server.webs.items():
                    enough = [phone.seen + 5 for phone in phones]
                    until(lambda enough=enough: all(p.seen > least for p, least in zip(phones, enough, strict=True)))
                    web.kill()
                    web.start()
                    server.until_ready(port)
            finally:
                done.set()
            for each in playing:
                each.result()
        for phone in phones:
            found = data.execute(
                "SELECT payload FROM scorekeeper_logentry WHERE match_id = %s ORDER BY seq", [phone.match]
            )
            assert [payload for (payload,) in found] == phone.entries[: phone.seen]
        server.manage("rebuild", "--check")

        # Visitors come with their own address, and cannot choose it.
        sent = urlencode({"username": "Hanna", "password": "a guess", "csrfmiddlewaretoken": "x" * 32})
        visitor = http.client.HTTPConnection("127.0.0.1", server.port, source_address=("127.0.0.2", 0))
        headers = {"Cookie": f"csrftoken={'x' * 32}", "X-Forwarded-For": "203.0.113.9"}
        visitor.request("POST", "/login/", sent, headers | {"Content-Type": "application/x-www-form-urlencoded"})
        assert b"Wrong name or password" in visitor.getresponse().read()
        guesses = data.execute("SELECT ip_address::text FROM axes_accessattempt").fetchall()
        assert guesses == [("127.0.0.2/32",)]

        going = "SELECT 1 FROM scorekeeper_job WHERE kind = 'archive' AND state IN ('new', 'running')"
        until(lambda: not data.execute(going).fetchone(), within=60)
        ended = data.execute("SELECT state, error FROM scorekeeper_job WHERE kind = 'archive'").fetchall()
        assert ended == [("done", "")]
        assert f"{job}file/" in host.get(job)
        assert not list(ROOT.glob("celerybeat*"))

        for port in server.webs:
            state = json.loads(answer(port, "GET", "/health/ready/")[1])
            assert state["worker"] == state["broker"] == state["database"] == "ok"
            figures = answer(port, "GET", "/metrics/", headers={"Authorization": "Bearer for-prometheus"})[1]
            assert "scorekeeper_" in figures

        # One web process dies: pages come from the other. Both die: Caddy logs that, without the table's token.
        one, other = server.webs.values()
        one.kill()
        assert [server.ask("GET", "/")[0] for _ in range(6)] == 6 * [200]
        other.kill()
        assert server.ask("GET", f"/t/{token}/")[0] in (502, 503)
        assert '"status":50' in server.caddy.log.read_text()
        assert token not in server.logged
        assert "Traceback" not in server.logged


# --- The files -----------------------------------------------------------------------------------------------
@pytest.mark.systemd
def test_systemd_understands_the_units(tmp_path: Path) -> None:
    folder = Path(shutil.copytree(FILES, tmp_path / "units"))
    (folder / UNITS[0]).rename(folder / UNITS[0].replace("@", "@8001"))
    here = [str(folder / name.replace("@", "@8001")) for name in UNITS]
    for file in folder.rglob("*"):
        if file.suffix in (".service", ".conf"):  # nothing is installed on this machine
            text = re.sub(rf"{INSTALLED}/\S+", sys.executable, file.read_text())
            file.write_text(text.replace(INSTALLED, str(tmp_path)))
    checked = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", *here], capture_output=True, text=True, check=False
    )
    assert (checked.returncode, checked.stderr) == (0, "")
    # How much of the machine a unit could reach, from 0 to 10 in tenths: the common part counts for each of them.
    strict = ["systemd-analyze", "security", "--offline=true", "--threshold=20", *here]
    assert subprocess.run(strict, capture_output=True, check=False).returncode == 0


@pytest.mark.caddy
def test_caddy_understands_its_file_and_it_is_formatted(tmp_path: Path) -> None:
    file = str(FILES / "Caddyfile")
    for words in (["fmt", file], ["validate", "--adapter", "caddyfile", "--config", file]):
        done = subprocess.run(
            ["caddy", *words], env={"HOME": str(tmp_path)}, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr
        if words[0] == "fmt":
            assert done.stdout == Path(file).read_text()


def test_containers_start_what_the_units_start() -> None:
    services = yaml.safe_load((FILES / "compose.yaml").read_text())["services"]

    def of_unit(name: str, **other: str) -> list[str]:
        program, *words = started_by(name, "8000")
        return [Path(program).name, *words]

    web = of_unit("scorekeeper-web@.service")
    outside = web.index("--port")
    web[outside:outside] = ["--host", "0.0.0.0"]
    assert services["web-1"]["command"] == services["web-2"]["command"] == web
    assert services["worker"]["command"] == of_unit("scorekeeper-worker.service")
    assert services["beat"]["command"] == of_unit("scorekeeper-beat.service")
    instructions = re.findall(r"^([A-Z]+) (.*)$", (FILES / "Containerfile").read_text(), re.MULTILINE)
    assert json.loads(dict(instructions)["CMD"]) == web
    for source in (part for word, rest in instructions if word == "COPY" for part in rest.split()[:-1]):
        assert (ROOT / source).exists()


def test_a_shell_reads_the_environment_file_as_systemd_does() -> None:
    """The command `scorekeeper` is a script for the shell; systemd takes off the quotes."""
    reading = ["sh", "-c", f"set -a; . {FILES}/environment; env"]
    read = subprocess.run(reading, env={}, capture_output=True, text=True, check=True).stdout.splitlines()
    assert {f"{name}={value}" for name, value in environment().items()} <= set(read)
    subprocess.run(["sh", "-n", FILES / "scorekeeper"], check=True)


def test_containers_get_the_settings_of_the_environment_file() -> None:
    composed = yaml.safe_load((FILES / "compose.yaml").read_text())
    services, network = composed["services"], composed["networks"]["default"]["ipam"]["config"][0]
    ours = services["web-1"]["environment"]
    assert ours.keys() - {"SCOREKEEPER_ALLOWED_HOSTS"} == environment().keys() - {"SCOREKEEPER_DATA"}
    assert ours["SCOREKEEPER_PROXIES"] == services["caddy"]["networks"]["default"]["ipv4_address"]
    assert ip_address(ours["SCOREKEEPER_PROXIES"]) in ip_network(network["subnet"])
    assert services["caddy"]["environment"]["SCOREKEEPER_WEB"] == "web-1:8000 web-2:8000"
    named = {volume.partition(":")[0] for each in services.values() for volume in each.get("volumes", [])}
    assert {name for name in named if not name.startswith(".")} == composed["volumes"].keys()


def test_the_document_explains_every_file() -> None:
    text = (ROOT / "docs" / "deploy.md").read_text()
    files = {str(path.relative_to(FILES)) for path in FILES.rglob("*") if path.is_file()}
    assert {name for name in files if f"(deploy/{name})" not in text} == set()
