"""Tables in the file of a knock-out at which nobody had a match to play: every command says so, and still answers."""

import json
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

WORTH = {"by": "result", "win": 1, "draw": "1/2", "loss": 0, "bye": 1, "asked": 0, "absent": 0} | {
    "forfeit_win": 1,
    "forfeit_loss": 0,
}
SEMI_FINALS = [([[1], [4]], [5, 3]), ([[2], [3]], [5, 3])]
Round = list[tuple[list[list[int]], list[int] | None]]


def said(path: Path, command: str, *rounds: Round, **stage: Any) -> tuple[str, str]:
    """What the command prints about a cup of four, and what it says beside it."""
    people = [{"id": each, "name": name} for each, name in enumerate(["Ana", "Bo", "Cy", "Di"], 1)]
    played = [{"tables": [{"sides": sides, "totals": totals} for sides, totals in each]} for each in rounds]
    cup = {"name": "Cup", "system": "knock-out", "worth": WORTH, "rounds": played} | stage
    file, lengths = path / "cup.json", path / "lengths"
    file.write_text(json.dumps({"format": "scorekeeper-tournament/1", "entrants": people, "stages": [cup]}))
    lengths.write_text("600\n")
    out, err = StringIO(), StringIO()
    more = ["--lengths", str(lengths), "--runs", "1"] if command == "simulate" else []
    call_command(command, str(file), *more, stdout=out, stderr=err)
    return out.getvalue(), err.getvalue()


@pytest.mark.parametrize("command", ["pair", "standings", "bracket", "simulate"])
def test_a_result_of_a_match_that_is_not_drawn_is_reported(tmp_path: Path, command: str) -> None:
    printed, beside = said(tmp_path, command, SEMI_FINALS, [([[1], [3]], [5, 3])])
    assert "Bo" in printed
    assert beside.splitlines() == [
        "Cup: nobody had a match of the bracket to play at these tables:",
        "  stages[0].rounds[1].tables[0]: 1. Ana – 3. Cy; by the results before, 1. Ana – 2. Bo should play there",
        "The bracket goes on without them. Correct who sat there or an earlier result, or list the entrants by seed.",
    ]


def test_nobody_is_due_at_a_table_too_many(tmp_path: Path) -> None:
    _printed, beside = said(tmp_path, "pair", SEMI_FINALS, [([[1], [2]], None), ([[3], [4]], None)])
    assert "  stages[0].rounds[1].tables[1]: 3. Cy – 4. Di\n" in beside


@pytest.mark.parametrize(
    ("rounds", "stage"),
    [
        ([SEMI_FINALS, [([[1], [2]], [5, 3])]], {}),
        ([SEMI_FINALS, [([[1], [2]], [5, 3]), ([[4], [3]], [5, 3])]], {"third_place": True}),
        # Two sat at the wrong table; those who should have have met since.
        ([SEMI_FINALS, [([[1], [3]], [5, 3])], [([[1], [2]], [5, 3])]], {}),
        # Nobody made a bracket for a table of four.
        ([[([[1], [2], [3], [4]], [5, 3, 2, 1])]], {}),
    ],
)
def test_nothing_is_said_of_the_others(tmp_path: Path, rounds: list[Round], stage: dict[str, Any]) -> None:
    _printed, beside = said(tmp_path, "standings", *rounds, **stage)
    assert beside == ""
