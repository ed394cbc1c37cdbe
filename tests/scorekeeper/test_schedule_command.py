"""`manage.py schedule` as it is called: what it prints, and what it refuses."""

import json
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command


def printed(*words: str, **options: Any) -> str:
    out = StringIO()
    call_command("schedule", *words, stdout=out, **options)
    return out.getvalue()


def test_a_schedule_is_printed_with_its_grade() -> None:
    text = printed("partners", "8")
    assert text.count("Round") == 7
    assert "Perfect: everybody partners everybody once and opposes everybody twice." in text


def test_as_json_it_has_what_programs_need() -> None:
    told = json.loads(printed("partners", "5", "--json"))
    assert {key: told[key] for key in ("format", "n", "k", "partners")} == {
        "format": "partners",
        "n": 5,
        "k": 4,
        "partners": True,
    }
    assert [len(round) for round in told["rounds"]] == [1] * 5
    assert sorted(byes for (byes,) in told["byes"]) == list(range(5))
    assert told["measures"]["partner"] == told["bounds"]["partner"] == {"least": 1, "most": 1, "squares": 10}


def test_what_it_prints_it_finds_good(tmp_path: Path) -> None:
    file = tmp_path / "schedule.json"
    file.write_text(printed("triples", "15", "--json"))
    assert "Perfect: everybody meets everybody once." in printed(verify=str(file))
    assert json.loads(printed("--json", verify=str(file)))["errors"] == []


def test_a_text_with_faults_is_told_round_by_round(tmp_path: Path) -> None:
    file = tmp_path / "pasted.txt"
    file.write_text("1-2-3-4\n5-6-7-8\n\n1-5-2-6\n3-7-4-4\n")
    with pytest.raises(CommandError, match="Round 2: player 4 is there twice"):
        printed(verify=str(file), partners=True)


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ((), "Say a format and a number of players"),
        (("triples", "2"), "With 2 players no table is full: it takes 3 at least."),
        (("heads", "201"), "201 players are more than this draws for: 200 at most."),
        (("heads", "6", "--rounds", "99"), "99 rounds cannot be: 1 to 20 for so many players."),
        (("fours", "8", "--double"), "--double is for heads"),
        (("--verify", "no/such/file"), "no/such/file cannot be read"),
    ],
)
def test_what_cannot_be_is_refused_in_a_sentence(words: tuple[str, ...], sentence: str) -> None:
    with pytest.raises(CommandError, match=sentence):
        printed(*words)
