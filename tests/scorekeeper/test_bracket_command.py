"""`manage.py bracket`: what it draws, and what it answers to wrong use."""

import json
import subprocess
import sys
from io import StringIO
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from django.core.management import CommandError, call_command

from tests.pairing.test_knock_out import a_bracket
from tests.running import ROOT

SWISS = ROOT / "tests" / "data" / "tournaments" / "pairing.json"
EXAMPLE = ROOT / "tests" / "data" / "tournaments" / "knock-out.json"
SVG = "{http://www.w3.org/2000/svg}"


def printed(*words: str) -> str:
    out = StringIO()
    call_command("bracket", *words, stdout=out)
    return out.getvalue()


def as_a_program(*words: str, given: str = "") -> tuple[int, str, str]:
    """The exit code, and what was printed."""
    command = [sys.executable, "manage.py", "bracket", *words]
    done = subprocess.run(command, cwd=ROOT, input=given, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout, done.stderr


def file_with(folder: Path, *stages: Any) -> str:
    """A file of four people with these stages."""
    file = folder / "file.json"
    file.write_text(json.dumps(a_bracket(4) | {"name": "Spring cup", "stages": [*stages]}))
    return str(file)


def a_cup(**keys: Any) -> Any:
    [stage] = a_bracket(4, **keys)["stages"]
    return stage


PLAYED = [{"tables": [{"sides": [[4], [1]], "totals": [2, 1]}, {"sides": [[2], [3]]}]}]


def test_the_drawing_is_a_file_of_its_own(tmp_path: Path) -> None:
    drawn = ElementTree.fromstring(printed(file_with(tmp_path, a_cup(third_place=True, rounds=PLAYED))))
    assert drawn.tag == f"{SVG}svg"
    assert drawn.findtext(f"{SVG}title") == "Spring cup · Cup"
    assert (drawn.findtext(f"{SVG}desc") or "").splitlines() == [
        "Semi-finals",
        "Match 1: Entrant 1 1, ✓ Entrant 4 2",
        "Match 2: Entrant 2, Entrant 3 · in play",
        "Final",
        "Match 3: Entrant 4, Winner of match 2",
        "Match 4: Entrant 1, Loser of match 2 · Third place",
    ]
    words = ["".join(each.itertext()) for each in drawn.iter(f"{SVG}text")]
    assert {"Spring cup · Cup", "Semi-finals", "Final", "Third place", "Entrant 1", "Winner of match 2"} <= {*words}


def test_the_drawing_in_the_documents_is_what_the_command_prints() -> None:
    """`python manage.py bracket tests/data/tournaments/knock-out.json > docs/pictures/bracket.svg` draws it again."""
    assert (ROOT / "docs" / "pictures" / "bracket.svg").read_text() == printed(str(EXAMPLE))


def test_json_has_the_matches_and_the_drawing(tmp_path: Path) -> None:
    file = file_with(tmp_path, a_cup(third_place=True, rounds=PLAYED))
    found = json.loads(printed(file, "--json"))
    assert found.pop("svg") + "\n" == printed(file)
    assert found == {
        "stage": "Cup",
        "parts": [
            {
                "part": "main",
                "matches": [
                    {
                        "number": 1,
                        "round": 1,
                        "state": "over",
                        "sides": [
                            {"entrants": [1], "totals": [1], "won": False},
                            {"entrants": [4], "totals": [2], "won": True},
                        ],
                    },
                    {
                        "number": 2,
                        "round": 1,
                        "state": "open",
                        "sides": [
                            {"entrants": [2], "totals": [], "won": False},
                            {"entrants": [3], "totals": [], "won": False},
                        ],
                    },
                    {
                        "number": 3,
                        "round": 2,
                        "state": "waiting",
                        "sides": [
                            {"entrants": [4], "winner_of": 1, "totals": [], "won": False},
                            {"entrants": [], "winner_of": 2, "totals": [], "won": False},
                        ],
                    },
                ],
            },
            {
                "part": "places",
                "places": [3, 4],
                "matches": [
                    {
                        "number": 4,
                        "round": 2,
                        "state": "waiting",
                        "sides": [
                            {"entrants": [1], "loser_of": 1, "totals": [], "won": False},
                            {"entrants": [], "loser_of": 2, "totals": [], "won": False},
                        ],
                    },
                ],
            },
        ],
    }


def test_the_only_knock_out_need_not_be_named(tmp_path: Path) -> None:
    [group] = json.loads(SWISS.read_text())["stages"]
    group |= {"name": "Group", "entrants": [1, 2, 3, 4], "rounds": [], "penalties": []}
    final = {key: value for key, value in a_cup().items() if key != "entrants"}
    final |= {"name": "Final", "from": {"stages": ["Group"], "first": 2}}
    assert "Spring cup · Final" in printed(file_with(tmp_path, group, final))
    file = file_with(tmp_path, group, final, a_cup())
    with pytest.raises(CommandError, match="Say of which stage with --stage: Final, Cup") as refused:
        printed(file)
    assert refused.value.returncode == 2
    assert "Spring cup · Cup" in printed(file, "--stage", "Cup")
    with pytest.raises(CommandError, match=r"stages\[0\].system: The stage Group is not a knock-out") as refused:
        printed(file, "--stage", "Group")
    assert refused.value.returncode == 1


@pytest.mark.parametrize(
    ("given", "code", "at"),
    [
        ('{"format": 3}', "wrong-kind", "format"),
        (SWISS.read_text(), "no-knock-out", "stages"),
        (json.dumps(a_bracket(1)), "too-few", "stages[0].entrants"),
    ],
)
def test_a_file_that_is_refused_ends_with_1(given: str, code: str, at: str) -> None:
    ended, out, _error = as_a_program("-", "--json", given=given)
    error = json.loads(out)["error"]
    assert (ended, error["code"], error["at"]) == (1, code, at)
    ended, out, printed_error = as_a_program("-", given=given)
    assert (ended, out) == (1, "")
    assert f"{at}: {error['message']}" in printed_error


@pytest.mark.parametrize("words", [["--stage", "Other", str(SWISS)], ["missing.json"], ["--what", str(SWISS)], []])
def test_wrong_use_ends_with_2(words: list[str]) -> None:
    code, out, error = as_a_program(*words)
    assert (code, out) == (2, "")
    assert "Traceback" not in error
