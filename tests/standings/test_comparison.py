"""Who moved since the round before, what decided between neighbours, and who met whom."""

from typing import Any

import pytest

from scorekeeper.standings.calculation import StageStandings, calculate
from scorekeeper.standings.comparison import TOO_FEW, decisions, movements, newcomers
from scorekeeper.standings.meetings import encounters, ending, meetings
from scorekeeper.standings.reading import read_value
from tests.standings.test_tournament import a_file, heads


def stage_of(file: dict[str, Any], after: int | None = None) -> StageStandings:
    return calculate(read_value(file), after=after).stages[0]


def four(*sides: list[int], totals: list[int | None] | None = None, **more: Any) -> dict[str, Any]:
    return {"sides": [*sides], "totals": totals, **more}


CUP = a_file(
    5,
    [
        {"tables": [heads(1, 2, [9, 3]), heads(3, 4, [9, 8])]},
        {"tables": [heads(1, 4, [2, 9]), heads(3, 2, [9, 3])], "unplayed": [{"entrant": 5, "kind": "bye"}]},
    ],
    order=["points", "head-to-head", "difference", "start"],
)


def test_each_row_says_what_puts_it_ahead_of_the_next() -> None:
    stage = stage_of(CUP)
    assert [(row.entrant, row.place) for row in stage.rows] == [(3, 1), (4, 2), (5, 3), (1, 4), (2, 5)]
    assert decisions(stage.rows) == {3: "points", 4: "difference", 5: "difference", 1: "points"}


def test_nothing_decides_between_those_who_share_a_place() -> None:
    stage = stage_of(a_file(3, [{"tables": [heads(1, 2, [9, 3])]}], order=["points"]))
    assert [row.place for row in stage.rows] == [1, 2, 2]
    assert decisions(stage.rows) == {1: "points"}


def test_too_few_tables_decide_before_all_criteria() -> None:
    stage = stage_of(a_file(3, [{"tables": [heads(1, 2, [9, 3])]}], minimum_played=1))
    assert decisions(stage.rows) == {1: "points", 2: TOO_FEW}


def test_movement_is_in_places() -> None:
    now, before = stage_of(CUP), stage_of(CUP, after=1)
    assert [row.entrant for row in before.rows] == [1, 3, 5, 4, 2]
    assert movements(now.rows, before.rows) == {1: -3, 2: 0, 3: 1, 4: 2, 5: 0}


def test_who_comes_for_the_first_time_is_new() -> None:
    assert newcomers(stage_of(CUP).results) == {5}
    assert newcomers(stage_of(CUP, after=1).results) == {1, 2, 3, 4}


def test_encounters_have_the_worth_to_the_own_side() -> None:
    forfeit = {**heads(1, 2, None), "absent": [1]}
    found = encounters(
        stage_of(a_file(4, [{"tables": [heads(3, 4, [9, 3]), forfeit]}, {"tables": [heads(4, 3, None)]}])).results
    )
    assert [(each.round, each.table, each.worth, each.forfeit) for each in found[3, 4]] == [
        (1, 0, 1, False),
        (2, 0, None, False),
    ]
    assert [(each.worth, each.forfeit) for each in found[2, 1]] == [(0, True)]
    assert (1, 3) not in found


def test_meetings_partners_and_seats() -> None:
    file = a_file(
        8,
        [
            {"tables": [four([1, 2], [3, 4], totals=[9, 3]), four([5, 6], [7, 8])]},
            {"tables": [four([3, 2], [1, 4], totals=[9, 3]), four([5, 6], [7, 8], absent=[1])]},
        ],
    )
    counts = meetings(stage_of(file).results)
    assert counts.partners[1, 2] == counts.partners[2, 3] == counts.partners[5, 6] == 1
    assert counts.opponents[1, 3] == 2
    assert counts.opponents[1, 2] == 1
    assert counts.opponents[5, 7] == 1, "nobody met at the table to which one side came"
    assert (counts.seats[1], counts.seats[2], counts.seats[4]) == ({0: 1, 1: 1}, {2: 2}, {3: 2})
    assert counts.most_seats == 4


@pytest.mark.parametrize(
    ("table", "endings"),
    [
        (heads(1, 2, None), ["open", "open"]),
        (heads(1, 2, [3, 3]), ["drawn", "drawn"]),
        (heads(1, 2, [3, 4]), ["lost", "won"]),
        ({**heads(1, 2, None), "absent": [0]}, ["did-not-come", "forfeit"]),
        ({**heads(1, 2, None), "absent": [0, 1]}, ["did-not-come", "did-not-come"]),
    ],
)
def test_how_a_table_ended(table: dict[str, Any], endings: list[str]) -> None:
    contest = stage_of(a_file(2, [{"tables": [table]}])).results.contests[0][0]
    assert [ending(contest, side) for side in range(2)] == endings
