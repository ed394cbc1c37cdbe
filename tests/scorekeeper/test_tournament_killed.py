"""A tournament whose worker is killed while it draws, and whose server is killed while a round is played."""

import http.client
import json
import os
import random
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

import games
from tests.deployed import Host, founded
from tests.nights import names_of
from tests.running import ROOT, Running
from tests.waiting import until

ENTRANTS = 42  # for 14 rounds no theory is as even as counting allows, so the search takes all the time it may
STEP = re.compile(r'name="seen" value="(\d+)"')


@dataclass
class Phone:
    """A phone that has scanned the code of a table, with a random match."""

    token: str
    match: int
    entries: list[dict[str, Any]]
    totals: list[int]
    seen: int = 0
    """How many entries the server has acknowledged."""


@dataclass
class Hall:
    """A director, and a server that can be killed and started again in the same place."""

    server: Running
    host: Host
    page: str = ""
    """The address of the tournament."""
    keys: Iterator[int] = field(default_factory=lambda: iter(range(1000)))

    def step(self, do: str, **typed: str) -> str:
        """A step on the desk. Returns the desk after it."""
        seen = STEP.search(self.host.get(f"{self.page}desk/"))
        assert seen
        sent = {"do": do, "seen": seen[1], "key": f"step-{next(self.keys)}", **typed}
        return self.host.post(f"{self.page}entries/", f"{self.page}desk/", **sent)[1]

    def desk(self) -> str:
        return self.host.get(f"{self.page}desk/")

    def kill_server(self) -> None:
        old = self.server
        old.process.kill()
        old.ended()
        self.server = Running(old.data, port=old.port, environment=old.environment).until_ready()

    def an_hour_passes(self) -> None:
        """So that nobody waits for the lease of a dead worker."""
        clock = Path(self.server.environment["CLOCK"])
        later = clock.with_suffix(".later")
        later.write_text("3600")
        later.replace(clock)  # at once: a process that reads it finds one of the two numbers

    def scanned(self, token: str) -> Phone:
        """A phone finds the match of its table."""
        page = Host(self.host.base).get(f"/t/{token}/")
        found = re.search(r"/matches/(\d+)/entries/", page)
        assert found
        match = json.loads(self.server.ask("GET", f"/api/v1/matches/{found[1]}/")[1])
        record = games.random_match(match["game"], match["options"], match["players"], random.Random(match["id"]))
        return Phone(token, match["id"], games.entries(record), games.verify(record)["totals"])

    def play(self, phone: Phone, entries: int | None = None) -> None:
        """Posts the entries of the phone (default: all that are left), each until the server has it."""
        for _ in phone.entries[phone.seen : None if entries is None else phone.seen + entries]:
            until(lambda: self._posted(phone))

    def _posted(self, phone: Phone) -> bool:
        body = {"seen": phone.seen, "key": f"phone-{phone.seen}", **phone.entries[phone.seen]}
        bearer = {"Authorization": f"Bearer {phone.token}"}
        try:
            status, text = self.server.ask("POST", f"/api/v1/matches/{phone.match}/entries/", body, bearer)
        except (ConnectionError, http.client.HTTPException):
            return False
        assert status in (200, 201, 503), text
        phone.seen += status != 503
        return status != 503

    def read(self, what: str) -> str:
        """What everybody can read about the tournament."""
        status, text = self.server.ask("GET", f"{self.page}{what}")
        assert status == 200
        return text


@pytest.fixture(
    params=["sqlite", pytest.param("postgresql", marks=[pytest.mark.postgres, pytest.mark.redis])],
)
def hall(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Hall]:
    clock = tmp_path / "clock"
    clock.write_text("0")
    environment = {"DJANGO_SETTINGS_MODULE": "tests.settings_hasty", "CLOCK": str(clock)}
    if request.param == "postgresql":
        environment["DATABASE_URL"] = request.getfixturevalue("postgres_url")
        environment["REDIS_URL"] = request.getfixturevalue("redis_url")
    hall = Hall(Running(tmp_path / "data", environment=environment), Host(""))
    try:
        hall.server.until_ready()
        link = re.search(r"http://\S+/setup/\S+", hall.server.output)
        assert link
        hall.host = founded(link[0])[0]
        yield hall
    finally:
        if hall.server.process.poll() is None:
            os.killpg(hall.server.process.pid, signal.SIGKILL)
            hall.server.ended()


def test_a_tournament_goes_on_after_its_worker_and_its_server_were_killed(hall: Hall) -> None:
    setup = {"name": "Cup", "game": "dominards", "way": "fours", "option-hands": "1", "public": "on"}
    setup |= {"length": "number", "rounds": "14", "by": "place", "order-points": "1", "order-difference": "2"}
    new = "/clubs/rovers/tournaments/new/"
    desk, _page = hall.host.post(new, f"{new}?preset=dominards:fours", **setup)
    hall.page = desk.removesuffix("desk/")
    hall.step("enter", names="\n".join(names_of(ENTRANTS)))

    # The worker is killed while it searches for a schedule. Another one searches again.
    job = re.search(r'value="cancel:(\d+)"', hall.step("schedule"))
    assert job
    until(lambda: "The best so far:" in hall.desk())
    worker = hall.server.worker_group()
    os.kill(worker, signal.SIGKILL)
    assert "Making the schedule…" in hall.desk()
    hall.server.until_said("The worker ended (status -9)")
    hall.an_hour_passes()
    assert hall.server.worker_group() != worker
    until(lambda: "The schedule has 14 more rounds." in hall.step(f"keep:{job[1]}"))

    # A round: one table is done, two are in the middle, with extra time at one of them.
    hall.step("draft")
    hall.step("seat", minutes="40")
    hall.step("clock-more:1", minutes="7", table="2")
    _address, cards = hall.host.post("/clubs/rovers/tables/", do="print")
    done, *playing = [hall.scanned(token) for token in list(dict.fromkeys(re.findall(r"/t/([\w-]+)", cards)))[:3]]
    hall.play(done)
    for phone in playing:
        hall.play(phone, 5)
    file, standings, clock = json.loads(hall.read("file.json")), hall.read("standings.csv"), clocks(hall)
    assert len(clock) == 1
    assert "with extra time until" in clock[0]

    # The server is killed while the phones go on.
    with ThreadPoolExecutor() as phones:
        posting = [phones.submit(hall.play, phone, 10) for phone in playing]
        until(lambda: all(phone.seen > 7 for phone in playing))
        hall.kill_server()
        for each in posting:
            each.result()
    assert (hall.read("standings.csv"), clocks(hall)) == (standings, clock)
    for phone in playing:
        hall.play(phone)
    for phone in (done, *playing):
        record = json.loads(hall.server.ask("GET", f"/api/v1/matches/{phone.match}/record/")[1])
        assert games.entries(record) == phone.entries
    by_match = {phone.match: phone.totals for phone in playing}
    for table in file["stages"][0]["rounds"][0]["tables"]:
        table["totals"] = by_match.get(table["match"], table["totals"])
    assert json.loads(hall.read("file.json")) == file
    assert hall.read("standings.csv") != standings
    rebuilt = [sys.executable, "manage.py", "rebuild", "--check", "--data", str(hall.server.data)]
    subprocess.run(rebuilt, cwd=ROOT, env=hall.server.environment, check=True, capture_output=True)


def clocks(hall: Hall) -> list[str]:
    """What the desk says about the clock of the round."""
    return [" ".join(found.split()) for found in re.findall(r'<p class="round-clock.*?</p>', hall.desk(), re.DOTALL)]
