"""`manage.py rebuild`, `table-link` and `setup-link`, and the option --data."""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from io import StringIO
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from django.conf import settings
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse

import games
from scorekeeper.models import Club, DeviceToken, LogEntry, Match
from scorekeeper.services import tables
from scorekeeper.serving.lock import DataLock
from tests.conftest import NOW, Cast, Phone, enter, plan_for

GAME = sorted(games.GAMES)[0]


def run(*words: str) -> str:
    out = StringIO()
    call_command(*words, stdout=out, stderr=StringIO())
    return out.getvalue()


# --- rebuild -------------------------------------------------------------------------------------------------
def spoil(**values: Any) -> Callable[[Match], object]:
    return lambda match: Match.objects.filter(pk=match.pk).update(**values)


DAMAGE: dict[str, Callable[[Match], object]] = {
    "sheet": lambda match: spoil(sheet=match.sheet | {"totals": [99]})(match),
    "offers": lambda match: spoil(offers={"next": "done"})(match),
    "length": lambda match: spoil(length=match.length + 1)(match),
    "status": spoil(status="finished", finished_at=NOW),
    "seats": lambda match: match.seats.filter(number=0).update(number=9),
}


def test_all_is_well_in_a_club_that_played(cast: Cast, game: str) -> None:
    enter(cast.open(game, hands=2), plan_for(game, hands=2))
    cast.open(game)
    assert run("rebuild", "--check").startswith("2 matches, 0 differ, 0 broken\nratings: ")


@pytest.mark.parametrize("name", DAMAGE)
def test_planted_damage_is_found_by_name_and_mended(cast: Cast, name: str) -> None:
    fine, spoilt = (enter(cast.open(GAME), plan_for(GAME)[:7]) for _ in range(2))
    DAMAGE[name](spoilt)
    out = StringIO()
    with pytest.raises(CommandError):
        call_command("rebuild", "--check", stdout=out)
    assert f"match {spoilt.pk} differs from its log in {name}" in out.getvalue()
    assert f"match {fine.pk}" not in out.getvalue()
    assert "1 rebuilt" in run("rebuild")
    assert run("rebuild", "--check").startswith("2 matches, 0 differ")
    mended = Match.objects.get(pk=spoilt.pk)
    assert (mended.sheet, mended.length, mended.status) == (fine.sheet, 7, "playing")


def test_a_log_that_cannot_be_replayed_is_named_and_left_alone(cast: Cast) -> None:
    gap, forged = (enter(cast.open(GAME), plan_for(GAME)[:7]) for _ in range(2))
    LogEntry.objects.filter(match=gap, seq=3).delete()
    LogEntry.objects.filter(match=forged, seq=2).update(payload={"kind": "dance"})
    for words in (["rebuild", "--check"], ["rebuild"]):
        out = StringIO()
        with pytest.raises(CommandError):
            call_command(*words, stdout=out)
        assert f"match {gap.pk}: entry 3 is missing" in out.getvalue()
        assert f"match {forged.pk}: entry 2 is refused: malformed" in out.getvalue()
        assert "2 broken" in out.getvalue()
    assert Match.objects.get(pk=forged.pk).sheet == forged.sheet


# --- table-link ----------------------------------------------------------------------------------------------
@pytest.fixture
def data(tmp_path: Path, settings: Any) -> Path:
    settings.DATA = tmp_path
    return tmp_path


@pytest.fixture
def server(data: Path) -> Iterator[None]:
    """A server that uses this folder and has noted its addresses."""
    lock = DataLock(data)
    lock.take()
    lock.note_addresses(["http://192.0.2.7:8000", "http://x"])
    yield
    lock.file.close()


@pytest.mark.usefixtures("server")
@pytest.mark.parametrize("club", ["rovers", "Rovers", "ROVERS"])
def test_a_table_link_opens_the_doors_of_its_table(cast: Cast, data: Path, club: str) -> None:
    answer = json.loads(run("table-link", club, "1", "--json"))
    assert set(answer) == {"url", "token", "short", "table", "number", "club"}
    assert (answer["table"], answer["number"], answer["club"]) == (cast.table.pk, 1, "rovers")
    assert answer["url"] == "http://192.0.2.7:8000" + reverse("table_join", args=[answer["token"]])
    assert json.loads(run("table-link", club, "1", "--json")) == answer
    match = cast.open(GAME)
    body = {"seen": 0, "key": "k", **plan_for(GAME)[0]}
    assert Phone(answer["token"]).post(reverse("api-entries", args=[match.pk]), body).status_code == 201


def test_a_table_link_for_people_is_a_few_lines(cast: Cast, data: Path) -> None:
    text = run("table-link", "rovers", "2", "--public-url", "https://scores.example.org/")
    assert "Rovers, table 2" in text
    assert "https://scores.example.org/t/" in text
    assert DeviceToken.objects.get().address == "https://scores.example.org"


@pytest.mark.usefixtures("server")
def test_the_public_address_comes_before_what_the_server_noted(cast: Cast, data: Path, settings: Any) -> None:
    settings.PUBLIC_URL = "https://scores.example.org"
    assert "https://scores.example.org/t/" in run("table-link", "rovers", "2")


LEFT = json.dumps({"addresses": ["http://192.0.2.7:8000"], "pid": 1})  # by a server that was killed


@pytest.mark.parametrize("noted", [None, "", "{}", '{"addresses": []}', LEFT])
def test_without_a_server_the_address_is_a_guess_and_says_so(cast: Cast, data: Path, noted: str | None) -> None:
    if noted is not None:
        (data / "up.json").write_text(noted)
        (data / "up.lock").touch()
    out, err = StringIO(), StringIO()
    call_command("table-link", "rovers", "1", "--json", stdout=out, stderr=err)
    assert json.loads(out.getvalue())["url"].startswith("http://127.0.0.1:8000/t/")
    assert "guess" in err.getvalue()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("nowhere", "1"), "No club is called 'nowhere'. Clubs here: rovers, wanderers."),
        (("Twins", "1"), "Several clubs are called 'Twins'. Clubs here: rovers, twins, twins-2, wanderers."),
        (("rovers", "9"), "Rovers has no table '9'. Its tables: 1, 2."),
        (("rovers", "x"), "Rovers has no table 'x'. Its tables: 1, 2."),
        (("wanderers", "1"), "Wanderers has no table '1'. Its tables: none yet."),
        (("rovers", "2"), "Table 2 of Rovers is closed, so no phone can join it. Open the table first."),
    ],
)
def test_a_table_link_that_cannot_be_says_what_there_is(
    cast: Cast, data: Path, words: tuple[str, ...], said: str
) -> None:
    if words[0] == "Twins":
        for slug in ("twins", "twins-2"):
            Club.objects.create(slug=slug, name="Twins", created_at=NOW)
    tables.table_set_open(table=cast.other_table, is_open=words != ("rovers", "2"), now=NOW)
    with pytest.raises(CommandError, match="^" + said.replace(".", r"\.") + "$"):
        call_command("table-link", *words)


# --- setup-link ----------------------------------------------------------------------------------------------
@pytest.mark.django_db
def test_the_newest_setup_link_founds_the_club_once(data: Path, settings: Any) -> None:
    settings.PUBLIC_URL = "https://scores.example.org"
    replaced, link = (run("setup-link").strip() for _ in range(2))
    assert link.startswith("https://scores.example.org/setup/")
    client = Client()
    assert b"expired" in client.get(urlsplit(replaced).path).content
    host = {"club_name": "Rovers", "host_name": "Hanna", "password": "correct horse"}
    assert client.post(urlsplit(link).path, host).status_code == 302
    assert Club.objects.get().name == "Rovers"
    with pytest.raises(CommandError, match=r"^This server already has a club\. Sign in instead\.$"):
        run("setup-link")


# --- manage.py -----------------------------------------------------------------------------------------------
def manage(*words: str, **environ: str) -> subprocess.CompletedProcess[str]:
    """Runs the real command in its own process, without the settings of this one."""
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("SCOREKEEPER_", "DJANGO_", "DATABASE_", "REDIS_"))}
    command = [sys.executable, str(settings.BASE_DIR / "manage.py"), *words]
    return subprocess.run(command, env=kept | environ, capture_output=True, text=True, timeout=60, check=False)


@pytest.mark.parametrize("form", ["apart", "joined", "first"])
def test_the_data_folder_is_named_anywhere_on_the_command_line(tmp_path: Path, form: str) -> None:
    folder = tmp_path / "hall"
    words = {
        "apart": ["check", "--data", str(folder)],
        "joined": ["check", f"--data={folder}"],
        "first": ["--data", str(folder), "check"],
    }[form]
    done = manage(*words)
    assert (done.returncode, "no issues" in done.stdout) == (0, True), done.stderr
    key = folder / "secret_key"
    assert (key.stat().st_mode & 0o777, len(key.read_text()) >= 50) == (0o600, True)
    before = key.read_text()
    manage(*words)
    assert key.read_text() == before


def test_who_reads_only_the_beginning_sees_no_error() -> None:
    command = [sys.executable, str(settings.BASE_DIR / "manage.py"), "schedule", "partners", "61"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as printing:
        assert printing.stdout
        assert printing.stderr
        assert printing.stdout.readline() == "partners, 61 players\n"
        printing.stdout.close()
        assert printing.stderr.read() == ""


def test_a_problem_at_the_start_is_reported_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    for words, environ, said in [
        (["check", "--data"], {}, "--data needs the name of a folder."),
        (["check", "--data", str(tmp_path / "file" / "x")], {}, "cannot be used: Not a directory."),
        (
            ["check"],
            {"SCOREKEEPER_DATA": str(tmp_path), "SCOREKEEPER_DEBUG": "maybe"},
            "SCOREKEEPER_DEBUG must be 1 or 0",
        ),
        (["check"], {"SCOREKEEPER_DATA": str(tmp_path), "DATABASE_URL": "mysql://x/y"}, "DATABASE_URL must start with"),
    ]:
        done = manage(*words, **environ)
        assert (done.returncode, done.stderr.count("\n")) == (1, 1), done.stderr
        assert said in done.stderr


@pytest.mark.parametrize("words", [["table-link", "demo", "1"], ["setup-link"], ["rebuild", "--check"]], ids=" ".join)
def test_a_folder_without_data_is_reported_in_one_line(tmp_path: Path, words: list[str]) -> None:
    ran = manage(*words, "--data", str(tmp_path / "new"))
    assert ran.returncode == 1
    assert ran.stderr.splitlines() == [
        f"CommandError: There is no Scorekeeper data in {tmp_path / 'new'}. Run `manage.py up` first."
    ]
