"""`manage.py pair`: what it prints, and what it answers to wrong use."""

import json
import subprocess
import sys
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from tests.running import ROOT

EXAMPLE = ROOT / "tests" / "data" / "tournaments" / "pairing.json"
"""The example that docs/pairing.md explains."""


def printed(*words: str) -> str:
    out = StringIO()
    call_command("pair", *words, stdout=out)
    return out.getvalue()


def as_a_program(*words: str, given: str = "") -> tuple[int, str, str]:
    """The exit code, and what was printed."""
    command = [sys.executable, "manage.py", "pair", *words]
    done = subprocess.run(command, cwd=ROOT, input=given, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout, done.stderr


def the_example(**changes: Any) -> str:
    value = json.loads(EXAMPLE.read_text())
    value["stages"][0] |= changes
    return json.dumps(value)


def test_json_has_what_programs_need() -> None:
    assert json.loads(printed(str(EXAMPLE), "--json")) == {
        "stage": "Main",
        "round": 2,
        "tables": [
            {
                "table": 1,
                "sides": [[4], [1]],
                "totals": None,
                "why": {"difference": "1/4", "across": 9},
            },
            {
                "table": 2,
                "sides": [[5], [3]],
                "totals": None,
                "why": {"difference": "1/4", "floats": 1, "leads": 1, "across": 1},
            },
        ],
        "unplayed": [{"entrant": 2, "kind": "bye"}],
        "rating": {
            "again": 0,
            "byes": [1],
            "club": 0,
            "difference": "1/2",
            "thrice": 0,
            "floats": 1,
            "leads": 1,
            "across": 10,
            "within": 0,
        },
    }


def test_text_has_a_line_for_each_table(tmp_path: Path) -> None:
    assert printed(str(EXAMPLE)).splitlines() == [
        "Main, round 2",
        "  table 1: 4. Di – 1. Ana",
        "  table 2: 5. Eva – 3. Cy",
        "  bye: 2. Bo",
        "  again 0, byes [1], club 0, difference 1/2, thrice 0, floats 1, leads 1, across 10, within 0",
    ]
    file = tmp_path / "file.json"
    file.write_text(the_example(next={"unplayed": [{"entrant": 4, "kind": "asked"}]}))
    assert "  asked: 4. Di" in printed(str(file)).splitlines()


def test_a_knock_out_from_groups(tmp_path: Path) -> None:
    value = json.loads(EXAMPLE.read_text())
    value["stages"].append(
        {"name": "Final", "system": "knock-out", "worth": value["stages"][0]["worth"], "third_place": True}
        | {"from": {"stages": ["Main"], "first": 2}}
    )
    file = tmp_path / "file.json"
    file.write_text(json.dumps(value))
    found = json.loads(printed(str(file), "--json", "--stage", "Final"))
    assert found == {
        "stage": "Final",
        "round": 1,
        "entrants": [1, 5],
        "unplayed": [],
        "tables": [{"table": 1, "sides": [[1], [5]], "totals": None}],
    }
    value["stages"][1]["rounds"] = [{"tables": [{"sides": [[1], [5]], "totals": [1, 0]}]}]
    file.write_text(json.dumps(value))
    assert printed(str(file), "--stage", "Final").splitlines() == ["Final, round 2", "  over"]
    assert json.loads(printed(str(file), "--json", "--stage", "Final"))["tables"] == []


def test_the_same_seed_draws_the_same_round(tmp_path: Path) -> None:
    file = tmp_path / "file.json"
    file.write_text(the_example(rounds=[], pairing="random"))
    drawn = [printed(str(file), "--json", "--seed", str(seed)) for seed in range(12)]
    assert drawn == [printed(str(file), "--json", "--seed", str(seed)) for seed in range(12)]
    assert len({*drawn}) > 1


def test_a_search_ends_after_its_seconds(tmp_path: Path) -> None:
    value = json.loads(EXAMPLE.read_text())
    value["entrants"] = [{"id": number, "name": f"N{number}"} for number in range(1, 18)]
    value["stages"][0] |= {"play": "fours", "rounds": []}
    file = tmp_path / "file.json"
    file.write_text(json.dumps(value))
    found = json.loads(printed(str(file), "--json", "--seconds", "0"))
    assert [len(table["sides"]) for table in found["tables"]] == [4] * 4
    assert found["rating"]["byes"] == [1]


def test_a_file_that_is_refused_ends_with_1() -> None:
    code, out, _error = as_a_program("-", "--json", given='{"format": 3}')
    assert (code, json.loads(out)["error"]["at"]) == (1, "format")
    code, out, error = as_a_program("-", given="{")
    assert (code, out) == (1, "")
    assert "This is not valid JSON." in error


@pytest.mark.parametrize("double", [False, True])
def test_a_knock_out_of_one_is_refused(tmp_path: Path, double: bool) -> None:
    file = tmp_path / "file.json"
    file.write_text(the_example(rounds=[], system="knock-out", double=double, entrants=[1]))
    says = "stages.0..entrants: A table needs 2 entrants, and the stage Main has fewer. Enter more first."
    with pytest.raises(CommandError, match=says) as refused:
        printed(str(file))
    assert refused.value.returncode == 1


def test_one_who_goes_on_makes_no_knock_out(tmp_path: Path) -> None:
    value = json.loads(EXAMPLE.read_text())
    final = {"name": "Final", "system": "knock-out", "worth": value["stages"][0]["worth"]}
    value["stages"].append(final | {"from": {"stages": ["Main"], "first": 1}})
    file = tmp_path / "file.json"
    file.write_text(json.dumps(value))
    with pytest.raises(CommandError, match=r"from\.first: A table needs 2 entrants, and fewer go on to Final"):
        printed(str(file), "--stage", "Final")


@pytest.mark.parametrize(
    "changes",
    [
        {"entrants": [1]},
        {"system": "free", "entrants": [1]},
        {"play": "triples", "entrants": [1, 2]},
        {"play": "fours", "entrants": [1, 2, 3]},
        {"play": "partners", "entrants": [1, 2, 3]},
        {"play": "mixed", "entrants": [1, 2]},
    ],
)
def test_who_fills_no_table_has_a_bye_by_the_rules(tmp_path: Path, changes: dict[str, Any]) -> None:
    file = tmp_path / "file.json"
    file.write_text(the_example(rounds=[], **changes))
    found = json.loads(printed(str(file), "--json"))
    assert found["tables"] == []
    assert found["unplayed"] == [{"entrant": each, "kind": "bye"} for each in changes["entrants"]]


def test_a_round_robin_is_refused() -> None:
    code, out, _error = as_a_program("-", "--json", given=the_example(system="round-robin"))
    error = json.loads(out)["error"]
    assert (code, error["code"], error["at"]) == (1, "has-a-schedule", "stages[0].system")
    assert error["message"] == "The stage Main is a round robin: its schedule says who plays whom."


@pytest.mark.parametrize(
    "words",
    [
        ["--stage", "Other", str(EXAMPLE)],
        ["--seed", "x", str(EXAMPLE)],
        ["--seconds", "-1", str(EXAMPLE)],
        ["--seconds", "nan", str(EXAMPLE)],
        ["missing.json"],
        ["--what", str(EXAMPLE)],
        [],
    ],
)
def test_wrong_use_ends_with_2(words: list[str]) -> None:
    with pytest.raises((CommandError, SystemExit)) as ended:
        call_command("pair", *words)
    assert getattr(ended.value, "returncode", None) or getattr(ended.value, "code", None)


def test_of_several_stages_one_must_be_named(tmp_path: Path) -> None:
    value = json.loads(EXAMPLE.read_text())
    value["stages"].append({**value["stages"][0], "name": "Other"})
    file = tmp_path / "file.json"
    file.write_text(json.dumps(value))
    with pytest.raises(CommandError, match="Say of which stage with --stage: Main, Other") as refused:
        printed(str(file))
    assert refused.value.returncode == 2
    with pytest.raises(CommandError, match="the stages of this file are Main, Other"):
        printed(str(file), "--stage", "Third")
    assert json.loads(printed(str(file), "--json", "--stage", "Other"))["stage"] == "Other"


def test_wrong_words_end_with_2() -> None:
    code, out, error = as_a_program("--what", str(EXAMPLE))
    assert (code, out) == (2, "")
    assert "Traceback" not in error
