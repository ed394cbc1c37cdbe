"""Whole tournaments of every format: directors press the buttons of the pages, and the tables' phones post every entry
to the API. In the end, what the server shows is what the downloaded file says."""

import csv
import json
import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client, TestCase

import games
from scorekeeper.models import Event, Job, Match
from scorekeeper.pages.tournament_exports import decimal
from scorekeeper.services import jobs, schedules
from scorekeeper.tasks import WORK
from tests.browsing import Browser
from tests.conftest import Cast, Phone
from tests.nights import names_of
from tests.standings import second_opinion


@dataclass(frozen=True)
class Format:
    """A preset of the page, what is typed there, and who enters."""

    preset: str
    entrants: Sequence[str]
    rounds: int
    tables: int
    """In each round."""
    typed: Mapping[str, str] = field(default_factory=dict)


def joined(size: int, count: int) -> list[str]:
    """This number of entrants with `size` players each, as a director types them."""
    names = names_of(size * count)
    return [" + ".join(names[at : at + size]) for at in range(0, len(names), size)]


def some(rounds: int) -> dict[str, str]:
    return {"length": "number", "rounds": str(rounds)}


FORMATS = {
    "heads": Format("block:heads", joined(1, 4), 3, 2),
    "double heads": Format("draw:heads", joined(1, 3), 6, 1, {"length": "twice"}),
    "pairs": Format("domino-whist:pairs", joined(2, 3), 3, 1),
    "teams": Format(
        "domino-whist:pairs",
        [f"{name}: {team}" for name, team in zip(("Rovers", "Owls", "Ravens"), joined(3, 3), strict=True)],
        3,
        1,
        {"teams": "on"},
    ),
    "triples": Format("domizerka:triples", joined(1, 7), 2, 2, some(2)),
    "fours": Format("dominards:fours", joined(1, 8), 2, 2, some(2)),
    "mixed": Format("dominards:mixed", joined(1, 7), 2, 2, some(2)),
    "partners": Format("domino-whist:partners", joined(1, 5), 5, 1),
}


@pytest.fixture(autouse=True)
def _short_searches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(schedules, "SECONDS", 0.2)


@pytest.mark.parametrize("name", FORMATS)
def test_a_whole_tournament_by_pages_and_api(
    cast: Cast, as_user: Callable[[str], Client], tmp_path: Path, name: str
) -> None:
    kind = FORMATS[name]
    desk = Browser(as_user("director")).open(f"/clubs/{cast.club.slug}/tournaments/new/?preset={kind.preset}")
    desk.press("Set up the tournament", name="Cup", **{"option-hands": "1"}, **kind.typed)
    desk.press("Enter", names="\n".join(kind.entrants)).press("Make the schedule")
    event = Event.objects.get(kind="tournament")
    jobs.run(Job.objects.get(kind="schedule").pk, WORK)  # what a worker does, unless the schedule is there already
    desk.open(desk.path)
    for number in range(1, kind.rounds + 1):
        desk.press("Draft the").press("Release round")
        seated = list(event.matches.filter(round=number).order_by("table__number"))
        assert len(seated) == kind.tables
        for match in seated:
            recorded(cast, match)
        desk.open(desk.path)
    assert "All rounds are played." in desk.words
    desk.press("Close the tournament")
    assert "The tournament is over." in desk.words

    downloaded = tmp_path / "cup.json"
    downloaded.write_bytes(Client().get(f"/tournaments/{event.pk}/file.json").content)
    found = calculated(downloaded)
    second = second_opinion.standings(json.loads(downloaded.read_text()))
    for row in second["stages"][0]["rows"]:
        del row["why"]
    assert found == second
    assert shown(event) == as_shown(found)
    everybody = Browser().open(f"/tournaments/{event.pk}/standings/").words
    assert "Final standings" in everybody
    assert [name for _place, name, *_values in shown(event) if name not in everybody] == []


def recorded(cast: Cast, match: Match) -> None:
    """The phone of the match's table posts a random match, and then the last entry once more, as if the answer had
    been lost."""
    assert match.table
    names = [seat.name for seat in match.seats.all()]
    record = games.random_match(match.game, match.options, names, random.Random(match.pk))
    phone, path = cast.phone(table=match.table), f"/api/v1/matches/{match.pk}/"
    entries = games.entries(record)
    assert [posted(phone, path, seen, entry) for seen, entry in enumerate(entries)] == [201] * len(entries)
    assert posted(phone, path, len(entries) - 1, entries[-1]) == 200
    assert phone.get(path).json()["status"] == "finished"


def posted(phone: Phone, path: str, seen: int, entry: dict[str, Any]) -> int:
    with TestCase.captureOnCommitCallbacks(execute=True):
        return phone.post(f"{path}entries/", {"seen": seen, "key": f"phone-{seen}", **entry}).status_code


def calculated(file: Path) -> dict[str, Any]:
    """What `manage.py standings FILE --json` prints."""
    out = StringIO()
    call_command("standings", str(file), "--json", stdout=out)
    printed: dict[str, Any] = json.loads(out.getvalue())
    return printed


def shown(event: Event) -> list[list[str]]:
    """The rows of the standings that the server offers to spreadsheets: place, name and values."""
    text = Client().get(f"/tournaments/{event.pk}/standings.csv").content.decode("utf-8-sig")
    rows = csv.DictReader(StringIO(text))
    rest = ("start number", "players", "club", "rating", "left", "too few tables")
    return [[value for column, value in row.items() if column not in rest] for row in rows]


def as_shown(found: dict[str, Any]) -> list[list[str]]:
    (stage,) = found["stages"]
    return [
        [
            str(row["place"]),
            row["name"],
            *("" if value is None else str(decimal(second_opinion.exact(value))) for value in row["values"].values()),
        ]
        for row in stage["rows"]
    ]
