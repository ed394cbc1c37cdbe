"""Warnings about a tournament's file that can be used: every command prints them and still answers."""

import json
from collections.abc import Sequence
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
    played = [{"tables": [{"sides": sides, "totals": totals} for sides, totals in each]} for each in rounds]
    return printed(path, command, {"name": "Cup", "system": "knock-out", "worth": WORTH, "rounds": played} | stage)


def printed(path: Path, command: str, *stages: dict[str, Any], more: Sequence[str] = ()) -> tuple[str, str]:
    """The same about these stages."""
    people = [{"id": each, "name": name} for each, name in enumerate(["Ana", "Bo", "Cy", "Di"], 1)]
    file, lengths = path / "cup.json", path / "lengths"
    file.write_text(json.dumps({"format": "scorekeeper-tournament/1", "entrants": people, "stages": stages}))
    lengths.write_text("600\n")
    out, err = StringIO(), StringIO()
    more = [*more, "--lengths", str(lengths), "--runs", "1"] if command == "simulate" else more
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


def a_group(name: str, *entrants: int, totals: list[int] | None, **more: Any) -> dict[str, Any]:
    tables = [{"sides": [[each] for each in entrants], "totals": totals}]
    stage = {"name": name, "system": "swiss", "entrants": entrants, "worth": WORTH, "order": ["points", "start"]}
    return stage | {"rounds": [{"tables": tables}]} | more


FINAL = {"name": "F", "system": "knock-out", "worth": WORTH, "from": {"stages": ["A", "B"], "first": 1}}


@pytest.mark.parametrize("command", ["pair", "standings", "bracket", "simulate"])
def test_that_who_goes_on_can_still_change_is_said(tmp_path: Path, command: str) -> None:
    groups = (a_group("A", 1, 2, totals=None), a_group("B", 3, 4, totals=None, rounds=[]))
    answer, beside = printed(tmp_path, command, *groups, FINAL, more=["--stage", "F"])
    assert "Ana" in answer
    assert beside == "F: who goes on can still change: in A and B, not all tables are over.\n"


def test_that_a_group_is_too_small_for_its_final_is_said(tmp_path: Path) -> None:
    groups = (a_group("A", 1, 2, totals=[5, 3]), a_group("B", 3, 4, totals=[5, 3]))
    final = FINAL | {"from": {"stages": ["A", "B"], "first": 3}}
    said = "F: 3 of each should go on, and there are fewer in A (2) and B (2). All do.\n"
    assert printed(tmp_path, "pair", *groups, final, more=["--stage", "F"])[1] == said
    assert printed(tmp_path, "pair", *groups, FINAL, more=["--stage", "F"])[1] == ""


@pytest.mark.parametrize(
    ("group", "said"),
    [
        ({"totals": [3, 5], "rounds_planned": 2}, "F: who goes on can still change: in B, not all tables are over.\n"),
        ({"totals": [3, 5], "rounds_planned": 1}, ""),
        ({"totals": [3, 5]}, ""),
        # Nobody plays on there, and nobody came here.
        ({"totals": None, "rounds": [{"tables": [{"sides": [[3], [4]], "abandoned": True}]}]}, ""),
        ({"totals": None, "rounds": [{"tables": [{"sides": [[3], [4]], "absent": [0, 1]}]}]}, ""),
    ],
)
def test_nothing_is_said_of_groups_that_may_be_over(tmp_path: Path, group: dict[str, Any], said: str) -> None:
    groups = (a_group("A", 1, 2, totals=[5, 3]), a_group("B", 3, 4, **group))
    assert printed(tmp_path, "pair", *groups, FINAL, more=["--stage", "F"])[1] == said
    assert printed(tmp_path, "standings", *groups, FINAL)[1] == said
    assert printed(tmp_path, "pair", *groups, FINAL, more=["--stage", "B"])[1] == "", "only of the stage asked for"
