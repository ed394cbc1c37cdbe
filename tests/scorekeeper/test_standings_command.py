"""`manage.py standings`: what it prints, and what it answers to wrong use."""

import json
import subprocess
import sys
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from tests.running import ROOT

EXAMPLE = ROOT / "tests" / "data" / "tournaments" / "example.json"
"""The swiss example that docs/tournament.md explains."""


def printed(*words: str) -> str:
    out = StringIO()
    call_command("standings", *words, stdout=out)
    return out.getvalue()


def as_a_program(*words: str, given: str = "") -> tuple[int, str, str]:
    """The exit code, and what was printed."""
    command = [sys.executable, "manage.py", "standings", *words]
    done = subprocess.run(command, cwd=ROOT, input=given, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout, done.stderr


def test_json_has_what_programs_need() -> None:
    found = json.loads(printed(str(EXAMPLE), "--json", "--why", "--possible"))
    (stage,) = found["stages"]
    assert (stage["name"], stage["after"], [row["entrant"] for row in stage["rows"]]) == ("Main", 3, [5, 1, 3, 4, 2])
    first = stage["rows"][0]
    assert (first["place"], first["name"], first["out"], first["values"]["points"]) == (1, "Eva", False, "5/2")
    assert first["why"]["buchholz-cut-1"] == [
        {"round": 1, "of": [], "value": "3/2", "cut": True},
        {"round": 2, "of": [], "value": "1/2"},
        {"round": 3, "of": [1], "value": "2"},
    ]
    assert (first["best"], first["worst"], first["exact"]) == (1, 1, True)
    assert [row["entrant"] for row in found["overall"]] == [5, 1, 3, 4, 2]
    assert "why" not in json.loads(printed(str(EXAMPLE), "--json"))["stages"][0]["rows"][0]


def test_text_explains_every_value() -> None:
    text = printed(str(EXAMPLE), "--why")
    assert "Main after 3 rounds" in text
    assert "  buchholz-cut-1: 2½ = ½ (round 2) + 2 (round 3 from 1); left out: 1½ (round 1)" in text


def test_text_names_byes_and_forfeits(tmp_path: Path) -> None:
    value = {
        "format": json.loads(EXAMPLE.read_text())["format"],
        "name": "Cup",
        "game": "block",
        "entrants": [{"id": number, "name": f"N{number}"} for number in (1, 2, 3)],
        "stages": [
            {
                **{name: json.loads(EXAMPLE.read_text())["stages"][0][name] for name in ("name", "system", "worth")},
                "order": ["points"],
                "rounds": [
                    {
                        "tables": [{"table": 1, "sides": [[1], [2]], "absent": [1]}],
                        "unplayed": [{"entrant": 3, "kind": "bye"}],
                    }
                ],
            }
        ],
    }
    file = tmp_path / "file.json"
    file.write_text(json.dumps(value))
    text = printed(str(file), "--why")
    assert "(round 1 from 2, forfeit)" in text
    assert "(round 1, bye)" in text
    why = json.loads(printed(str(file), "--why", "--json"))["stages"][0]["rows"]
    assert {tuple(part) for row in why for part in row["why"]["points"]} == {("round", "of", "value")}


def test_head_to_head_and_means_are_explained(tmp_path: Path) -> None:
    value = json.loads(EXAMPLE.read_text())
    value["stages"][0] |= {"order": ["wins", "head-to-head", "rating-average", "best-table"]}
    for entrant, rating in zip(value["entrants"], (1500, 1501, 1502, 1504, 1507), strict=True):
        entrant["rating"] = rating
    file = tmp_path / "file.json"
    file.write_text(json.dumps(value))
    text = printed(str(file), "--why")
    assert "  head-to-head: 1, among 3 and 5: 0 = 0" in text
    ratings = "1501 (round 1 from 2), 1502 (round 2 from 3), 1507 (round 3 from 5)"
    assert f"  rating-average: 1503, the mean of {ratings}, rounded" in text
    assert "  best-table: 2, the best of 2 (round 1 from 2), 2 (round 2 from 3), 1 (round 3 from 5)" in text
    why = json.loads(printed(str(file), "--why", "--json"))["stages"][0]["rows"][0]["why"]
    assert why["head-to-head"] == why["best-table"] == [], "no sum gives a place"


def test_an_earlier_round() -> None:
    found = json.loads(printed(str(EXAMPLE), "--json", "--after", "1", "--stage", "Main"))
    assert (found["stages"][0]["after"], found["overall"]) == (1, [])
    assert [row["place"] for row in found["stages"][0]["rows"]] == [1, 1, 3, 4, 4]


def test_a_file_that_is_refused_ends_with_1() -> None:
    code, out, _error = as_a_program("-", "--json", given='{"format": 3}')
    assert (code, json.loads(out)["error"]["at"]) == (1, "format")
    code, out, error = as_a_program("-", given="{")
    assert (code, out) == (1, "")
    assert "This is not valid JSON." in error


def test_nobody_can_go_on_from_two_stages() -> None:
    value = json.loads(EXAMPLE.read_text())
    main = value["stages"][0]
    final = {"name": "Final", "system": "knock-out", "worth": main["worth"]}
    value["stages"] += [{**main, "name": "Other"}, final | {"from": {"stages": ["Main", "Other"], "first": 1}}]
    code, out, _error = as_a_program("-", "--json", given=json.dumps(value))
    error = {"code": "twice", "message": "Entrant 5 is there twice.", "at": "stages[2].from"}
    assert (code, json.loads(out)) == (1, {"error": error})


@pytest.mark.parametrize(
    "words",
    [
        ["--stage", "Other", str(EXAMPLE)],
        ["--after", "-1", str(EXAMPLE)],
        ["missing.json"],
        ["--what", str(EXAMPLE)],
        [],
    ],
)
def test_wrong_use_ends_with_2(words: list[str]) -> None:
    code, out, error = as_a_program(*words)
    assert (code, out) == (2, "")
    assert "Traceback" not in error


def test_the_stages_there_are_are_named() -> None:
    with pytest.raises(CommandError, match="the stages of this file are Main"):
        printed(str(EXAMPLE), "--stage", "Other")


def test_the_file_shown_in_the_documents_is_read(tmp_path: Path) -> None:
    text = (ROOT / "docs" / "tournament.md").read_text()
    shown: Any = text.split("```json\n")[1].split("```")[0]
    file = tmp_path / "shown.json"
    file.write_text(shown)
    assert "Main after 1 round\n" in printed(str(file))
