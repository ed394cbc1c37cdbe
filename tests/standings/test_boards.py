"""The criteria that count the boards of encounters of teams."""

import random
from fractions import Fraction
from typing import Any

import pytest

from scorekeeper.standings.calculation import calculate
from scorekeeper.standings.reading import Refused, read_value
from scorekeeper.standings.writing import as_json
from tests.standings.random_tournaments import random_tournament

WORTH = {"by": "result", "win": 2, "draw": 1, "loss": 0, "bye": 0, "asked": 0, "absent": 0}
WORTH |= {"forfeit_win": 2, "forfeit_loss": 0}
ORDER = ["points", "board-points", "board-wins"]


def encounter(home: int, away: int, totals: list[int] | None, *shares: list[Any] | None, **more: Any) -> dict[str, Any]:
    boards = [{"players": [["Ana"], ["Bo"]], "shares": each} for each in shares]
    return {"sides": [[home], [away]], "totals": totals, "boards": boards, **more}


def league(*rounds: list[dict[str, Any]], order: list[str] = ORDER) -> dict[str, Any]:
    stage = {"name": "Table", "system": "round-robin", "worth": WORTH, "order": order}
    entrants = [{"id": number, "name": f"Team {number}"} for number in range(1, 5)]
    listed = [{"tables": tables} for tables in rounds]
    return {"format": "scorekeeper-tournament/1", "entrants": entrants, "stages": [stage | {"rounds": listed}]}


def rows_of(file: dict[str, Any]) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = as_json(calculate(read_value(file)), why=True)["stages"][0]["rows"]
    return rows


HALVES = ["1/2", "1/2"]
FIRST = encounter(1, 2, [3, 3], [1, 0], HALVES, [0, 1])
SECOND = encounter(3, 4, [3, 3], [0, 1], HALVES, [1, 0])


def test_higher_boards_count_more() -> None:
    """1 wins board 1 of three and draws board 2: 3 + 1. 2 wins the last one: 1 + 1."""
    rows = rows_of(league([FIRST, SECOND]))
    assert [(row["entrant"], row["place"], row["values"]["board-points"]) for row in rows] == [
        (1, 1, "4"),
        (4, 1, "4"),
        (2, 3, "2"),
        (3, 3, "2"),
    ]
    assert rows[0]["why"]["board-points"] == [{"round": 1, "of": [2], "value": "4"}]


def test_board_one_separates_before_board_two() -> None:
    rounds = [FIRST, SECOND], [encounter(1, 3, [4, 2], [0, 1], [1, 0], [1, 0]), encounter(2, 4, [4, 2], [1, 0], HALVES)]
    rows = rows_of(league(*rounds, order=["board-wins"]))
    assert [(row["entrant"], row["place"], row["values"]["board-wins"]) for row in rows] == [
        (1, 1, "1 3/2 1"),
        (2, 2, "1 1 1"),
        (4, 3, "1 1 0"),
        (3, 4, "1 1/2 1"),
    ]


def test_boards_count_once_the_encounter_is_over_and_those_not_played_count_nothing() -> None:
    still = encounter(1, 2, None, [1, 0], None)
    forfeit = encounter(3, 4, None, [1, 0], [1, 0], absent=[1])
    values = {row["entrant"]: row["values"] for row in rows_of(league([still, forfeit]))}
    assert [values[number]["board-points"] for number in (1, 2, 3, 4)] == ["0", "0", "3", "0"]
    assert [values[number]["board-wins"] for number in (1, 2, 3, 4)] == ["", "", "1 1", "0 0"]
    decided = rows_of(league([encounter(1, 2, [1, 0], [1, 0], None)]))
    assert decided[0]["values"]["board-points"] == "2"


@pytest.mark.parametrize("boards", [5, [1], [{"shares": [1]}], [{"shares": [1, 2]}], [{"shares": ["0.5", 0]}]])
def test_boards_are_read_only_where_a_criterion_needs_them(boards: Any) -> None:
    file = league([{**FIRST, "boards": boards}])
    with pytest.raises(Refused) as refused:
        read_value(file)
    assert refused.value.at.startswith(".stages[0].rounds[0].tables[0].boards".lstrip("."))
    read_value(league([{**FIRST, "boards": boards}], order=["points"]))


@pytest.mark.parametrize("seed", range(80))
def test_boards_are_counted_as_slowly_by_hand(seed: int) -> None:
    rng = random.Random(seed)
    order = ["board-points"] if seed % 2 else ["board-wins"]
    file = random_tournament(rng, system="swiss", play="heads", by="result", order=order, stages=1, lower_wins=False)
    stage = file["stages"][0]
    stage["minimum_played"] = 0
    for each in stage.get("rounds", []):
        for table in each.get("tables", []):
            some: list[Any] = [[1, 0], [0, 1], HALVES, [0, 0], None]
            table["boards"] = [{"shares": rng.choice(some)} for _ in range(rng.randint(0, 4))]
    found = {row["entrant"]: row for row in rows_of(file)}
    slow = {who: counted(stage, who) for who in found}
    for who, row in found.items():
        weighted, wins = slow[who]
        if seed % 2:
            assert Fraction(row["values"]["board-points"]) == weighted
            better = sum(other > weighted for other, _wins in slow.values())
        else:
            assert row["values"]["board-wins"].split() == [
                str(each) for each in wins[: len(row["values"]["board-wins"].split())]
            ]
            better = sum(other > wins for _weighted, other in slow.values())
        assert row["place"] == 1 + better


def counted(stage: dict[str, Any], who: int) -> tuple[Fraction, list[Fraction]]:
    """The weighted boards of an entrant, and the boards won by their number, from 1 to 4."""
    weighted, wins = Fraction(0), [Fraction(0)] * 4
    for each in stage.get("rounds", []):
        for table in each.get("tables", []):
            sides = [side for side, entrants in enumerate(table["sides"]) if who in entrants]
            came = len(table["sides"]) - len(table.get("absent", []))
            if not sides or (came == 2 and table.get("totals") is None):
                continue
            for at, board in enumerate(table["boards"]):
                share = Fraction((board["shares"] or [0, 0])[sides[0]])
                weighted += share * (len(table["boards"]) - at)
                wins[at] += share
    return weighted, wins
