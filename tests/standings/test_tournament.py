"""Standings of tournaments: cases worked by hand, and random tournaments of every kind compared with a second opinion,
which shares no code with ours and passes the same cases."""

import json
import random
from fractions import Fraction
from typing import Any

import pytest

from scorekeeper.standings.calculation import calculate
from scorekeeper.standings.reading import read_text, read_value
from scorekeeper.standings.writing import as_json
from tests.standings import second_opinion as slow
from tests.standings.random_tournaments import NORMAL, random_tournament

File = dict[str, Any]
HALF = Fraction(1, 2)
WORTH = {"by": "result", **NORMAL}


def heads(one: int, two: int, totals: list[int | None] | None, **more: Any) -> File:
    return {"sides": [[one], [two]], "totals": totals, **more}


def a_file(count: int, rounds: list[File], order: list[str] | None = None, **more: Any) -> File:
    stage = {"name": "Main", "system": "swiss", "worth": WORTH, "order": order or ["points"], "rounds": rounds}
    return {
        "format": "scorekeeper-tournament/1",
        "lower_wins": more.pop("lower_wins", False),
        "entrants": [{"id": who, "name": f"Entrant {who}"} for who in range(1, count + 1)],
        "stages": [stage | more],
    }


def ours(file: File, *, possible: bool = False, **wishes: Any) -> File:
    """What the command prints."""
    return as_json(calculate(read_text(json.dumps(file)), possible=possible, **wishes), why=True)


def parts(why: Any) -> Any:
    """The parts of a value in any order: which of two equal ones is left out does not matter."""
    return sorted(((each["round"], each["value"]) for each in why), key=str) if isinstance(why, list) else None


def left_out(why: Any) -> list[str]:
    return sorted(each["value"] for each in why if each.get("cut"))


def both(file: File, **wishes: Any) -> File:
    """What we and the second opinion say."""
    found, second = ours(file, **wishes), slow.standings(file, **wishes)
    for stage, again in zip(found["stages"], second["stages"], strict=True):
        for row, other in zip(stage["rows"], again["rows"], strict=True):
            for name in slow.SUMS.keys() & row["why"].keys():
                here, there = row["why"][name], other["why"][name]
                assert (parts(here), left_out(here)) == (parts(there), left_out(there)), name
            assert {**row, "why": 0} == {**other, "why": 0}
    assert found["overall"] == second["overall"]
    return found


def rows(file: File, **wishes: Any) -> dict[int, File]:
    return {row["entrant"]: row for row in both(file, **wishes)["stages"][0]["rows"]}


def values(file: File, criterion: str) -> list[str]:
    return [row["values"][criterion] for _, row in sorted(rows(file).items())]


def places(file: File, **wishes: Any) -> list[int]:
    return [row["place"] for _, row in sorted(rows(file, **wishes).items())]


def the_example(order: list[str]) -> File:
    return a_file(
        5,
        [
            {"tables": [heads(1, 2, [9, 3]), heads(3, 4, [9, 3])], "unplayed": [{"entrant": 5, "kind": "asked"}]},
            {
                "tables": [heads(1, 3, [9, 3]), {"sides": [[2], [5]], "absent": [0]}],
                "unplayed": [{"entrant": 4, "kind": "bye"}],
            },
            {"tables": [heads(5, 1, [9, 3]), heads(3, 4, [5, 5])]},
        ],
        order,
    )


BUCHHOLZ = ["buchholz", "buchholz-cut-1", "buchholz-cut-2", "buchholz-median-1"]


def test_the_example_of_the_specification() -> None:
    file = the_example(["points", *BUCHHOLZ, "sonneborn-berger"])
    assert values(file, "points") == ["2", "0", "3/2", "3/2", "5/2"]
    stage = slow.read_stage(file, file["stages"][0], None)
    assert [str(slow.adjusted_points(stage, who)) for who in range(1, 6)] == ["2", "1/2", "3/2", "3/2", "5/2"]
    dummies = [[slow.dummy(stage, who, each) for each in stage.numbers] for who in (5, 4, 2)]
    half, three_halves = Fraction(1, 2), Fraction(3, 2)
    assert dummies == [[three_halves, half, None], [None, three_halves, None], [None, 0, 0]]
    five = rows(file)[5]
    assert [five["values"][name] for name in BUCHHOLZ] == ["4", "5/2", "2", "1/2"]
    assert five["values"]["sonneborn-berger"] == "13/4"
    assert five["why"]["buchholz-cut-1"] == [
        {"round": 1, "of": [], "value": "3/2", "cut": True},
        {"round": 2, "of": [], "value": "1/2"},
        {"round": 3, "of": [1], "value": "2"},
    ]


def test_the_round_robin_of_the_same_tables_has_no_dummies() -> None:
    file = the_example(["buchholz", "sonneborn-berger", "koya"])
    file["stages"][0]["system"] = "round-robin"
    # 5: round 2 against 2, who did not come and has 0 points; round 3 against 1, who has 2.
    assert [rows(file)[5]["values"][name] for name in ("buchholz", "sonneborn-berger")] == ["2", "2"]
    # Nobody had more than three such tables, so half is 3/2: 1, 3 and 4 have as many, 2 has not.
    assert values(file, "koya") == ["1", "0", "3/2", "1/2", "1"]


def test_penalties_count_from_their_round_on_unless_cancelled() -> None:
    file = the_example(["points", "progressive"])
    file["stages"][0]["penalties"] = [
        {"entrant": 1, "round": 2, "points": 1, "reason": "late"},
        {"entrant": 1, "round": 1, "points": 1, "cancelled": True},
        {"entrant": 5, "round": 4, "points": 1},
    ]
    assert values(file, "points") == ["1", "0", "3/2", "3/2", "5/2"]
    assert values(file, "progressive") == ["5", "0", "7/2", "5/2", "9/2"]
    assert rows(file)[1]["why"]["points"][-1] == {"penalty": "late", "round": 2, "value": "-1"}
    assert rows(file, after=1)[1]["values"]["points"] == "1"


def test_head_to_head_where_not_all_have_met() -> None:
    """1 beat 2 and 3, 4 beat nobody of them: 1 is sure of 2 out of 3, the others can have 2 at most."""
    rounds = [{"tables": [heads(1, 2, [1, 0])]}, {"tables": [heads(1, 3, [1, 0])]}, {"tables": [heads(2, 3, [1, 1])]}]
    file = a_file(4, rounds, ["head-to-head"])
    assert values(file, "head-to-head") == ["1", "1", "1", "1"]
    rounds.append({"tables": [heads(1, 4, [1, 1])]})
    # 1 has 5/2. 2 and 3 have 1/2 and can have 3/2; 4 has 1/2 and can have 5/2, which is not less.
    assert values(file, "head-to-head") == ["1", "1", "1", "1"]
    rounds.append({"tables": [heads(1, 4, [1, 0])]})
    # Against 4 the mean is 3/4: 1 has 11/4, 4 has 1/4 and can have 9/4. The rest has not all met and stays equal.
    assert values(file, "head-to-head") == ["1", "2", "2", "2"]


def test_head_to_head_looks_anew_at_every_group_it_separates() -> None:
    """1, 2 and 3 beat each other in a circle and 1 and 2 beat 4, with whom 3 draws: then 1 is before 2."""
    tables = [
        *[heads(1, 2, [1, 0]), heads(2, 3, [1, 0]), heads(3, 1, [1, 0])],
        *[heads(1, 4, [1, 0]), heads(2, 4, [1, 0]), heads(3, 4, [1, 1])],
    ]
    file = a_file(4, [{"tables": [table]} for table in tables], ["head-to-head"], system="round-robin")
    assert values(file, "head-to-head") == ["1", "2", "3", "4"]
    steps = {
        row.entrant: [
            (step.among, [each.value for each in step.summands]) for step in row.values["head-to-head"].compared
        ]
        for row in calculate(read_value(file)).stages[0].rows
    }
    assert steps[1] == [((1, 2, 3, 4), [1, 0, 1]), ((1, 2), [1])]
    assert steps[2] == [((1, 2, 3, 4), [0, 1, 1]), ((1, 2), [0])]
    assert steps[3] == [((1, 2, 3, 4), [0, 1, HALF])]


def test_of_several_tables_with_an_opponent_each_is_a_part_of_the_mean() -> None:
    rounds = [{"tables": [heads(1, 2, [1, 0])]}, {"tables": [heads(1, 2, [1, 1])]}]
    first, second = calculate(read_value(a_file(2, rounds, ["head-to-head"]))).stages[0].rows
    (step,) = first.values["head-to-head"].compared
    assert [(each.round, each.of, each.value) for each in step.summands] == [(1, (2,), HALF), (2, (2,), HALF / 2)]
    assert (first.place, second.place) == (1, 2)


def test_head_to_head_may_be_certain_although_two_have_not_met() -> None:
    """1 and 4 have not. Missing meetings lost: 2, 7/4, 5/4, 0; won: 3, 7/4, 5/4, 1."""
    tables = [heads(1, 2, [1, 0]), heads(1, 3, [1, 0]), heads(2, 3, [1, 0]), heads(2, 3, [1, 1])]
    tables += [heads(2, 4, [1, 0]), heads(3, 4, [1, 0])]
    assert values(a_file(4, [{"tables": [table]} for table in tables], ["head-to-head"]), "head-to-head") == list(
        "1234"
    )


def test_head_to_head_ends_also_where_a_win_is_worth_less_than_a_loss() -> None:
    """Then missing meetings can leave several ahead of each other: they share the place."""
    file = the_example(["head-to-head", "start"])
    file["stages"][0]["worth"] = WORTH | {"win": "-1/2"}
    assert values(file, "head-to-head") == ["5", "1", "1", "1", "1"]


def test_three_at_a_table_by_place_with_one_absent() -> None:
    worth = {"by": "place", "places": {"3": [2, 1, 0]}, **dict.fromkeys(("bye", "asked", "absent"), 0)}
    worth |= {"forfeit_win": 2, "forfeit_loss": -1}
    table = {"sides": [[1], [2], [3]], "absent": [1], "totals": [4, None, 4]}
    order = ["points", "firsts", "seconds", "wins", "difference", "rounds-won", "sonneborn-berger"]
    file = a_file(3, [{"tables": [table]}], order, worth=worth)
    assert [values(file, name) for name in order] == [
        ["3/2", "-1", "3/2"],
        ["1", "0", "1"],
        ["0", "0", "0"],
        ["0", "0", "0"],
        ["0", "0", "0"],
        ["0", "0", "0"],
        ["3/4", "-1/2", "3/4"],
    ]


def test_by_score_an_average_and_fewest_first() -> None:
    worth = {"by": "score", "bye": "average", "asked": "average", "absent": 9, "forfeit_win": 0, "forfeit_loss": 9}
    rounds = [{"tables": [heads(1, 2, [3, 4])], "unplayed": [{"entrant": 3, "kind": "bye"}]}]
    rounds.append({"tables": [heads(1, 3, [6, 5])], "unplayed": [{"entrant": 2, "kind": "bye"}]})
    penalties = [{"entrant": 1, "round": 1, "points": "1/2"}]
    order = ["points", "progressive", "best-table", "difference", "conceded"]
    file = a_file(4, rounds, order, worth=worth, lower_wins=True, penalties=penalties)
    assert values(file, "points") == ["19/2", "8", "10", "18"]
    assert values(file, "progressive") == ["12", "12", "15", "27"]
    assert values(file, "best-table") == ["3", "4", "5", None]
    assert values(file, "difference") == ["0", "-1", "1", "0"]
    assert places(file) == [2, 1, 3, 4]


def test_totals_of_a_forfeit_count_for_difference_only() -> None:
    table = {"sides": [[1], [2]], "absent": [1], "totals": [5, 2]}
    file = a_file(2, [{"tables": [table]}], ["points", "difference", "scored", "conceded", "wins", "games-second"])
    assert list(rows(file)[1]["values"].values()) == ["1", "3", "5", "2", "0", "0"]


def test_who_came_to_too_few_tables_is_out() -> None:
    file = the_example(["points", "head-to-head"])
    file["stages"][0]["minimum_played"] = 2
    found = rows(file)
    assert [found[who]["out"] for who in range(1, 6)] == [False, True, False, False, False]
    assert places(file) == [2, 5, 3, 4, 1]
    file["stages"][0]["minimum_played"] = 3
    # Only 1 and 3 came to three tables.
    assert places(file) == [1, 5, 2, 4, 3]


def test_a_knock_out() -> None:
    """1 has a bye, 2 and 3 win; 1 beats 2, 3 and 1 draw, then 1 wins. 2 plays for the third place with 5."""
    rounds = [
        {"tables": [heads(2, 5, [1, 0]), heads(3, 4, [1, 0])], "unplayed": [{"entrant": 1, "kind": "bye"}]},
        {"tables": [heads(1, 2, [1, 0])], "unplayed": [{"entrant": 3, "kind": "bye"}]},
        {"tables": [heads(1, 3, [1, 1]), heads(2, 5, [0, 1], places=[3, 4])]},
        {"tables": [heads(1, 3, [1, 0])]},
    ]
    file = a_file(5, rounds, system="knock-out")
    assert places(file, after=0) == [1, 1, 1, 1, 1]
    assert places(file, after=1) == [1, 1, 1, 4, 4]
    assert places(file, after=2) == [1, 3, 1, 4, 4]
    assert places(file, after=3) == [1, 4, 1, 4, 3]
    assert places(file) == [1, 4, 2, 4, 3]
    assert rows(file)[1]["values"] == {}
    file["stages"][0]["double"] = True
    # 2 lost in rounds 2 and 3 and is out. 3, 4 and 5 lost once: 5 won round 3 and came to round 4, 3 to round 3 (a bye,
    # then a draw), 4 to round 1. So two come before 3, and four before 4; 2 and 5 keep the places they played for.
    assert places(file) == [1, 4, 3, 5, 3]


def test_overall_with_two_groups_and_a_final() -> None:
    file = a_file(6, [{"tables": [heads(1, 2, [1, 0])]}], ["points"], entrants=[1, 2, 3])
    group = file["stages"][0]
    other = {**group, "name": "B", "entrants": [4, 5, 6], "rounds": [{"tables": [heads(4, 5, [1, 1])]}]}
    final = {**group, "name": "Final", "entrants": [4, 1], "rounds": [{"tables": [heads(1, 4, [0, 1])]}]}
    file["stages"] += [other, final]
    file["overall"] = [["Final"], ["Main", "B"]]
    group["penalties"] = [{"entrant": 3, "round": 1, "points": 1}]
    # 5 shares the first place of B. 2 is second of Main, 3 and 6 are third, both without a table.
    found = [(row["place"], row["entrant"]) for row in both(file)["overall"]]
    assert found == [(1, 4), (2, 1), (3, 5), (4, 2), (5, 3), (5, 6)]
    assert both(file, stage="B")["overall"] == []


def test_what_is_possible() -> None:
    file = the_example(["points"])
    file["stages"][0]["rounds"].append({"tables": [heads(1, 5, None), {"sides": [[2], [3], [4]], "absent": [2]}]})
    found = rows(file, possible=True)
    # From 2, 0, 3/2, 3/2, 5/2 on: 4 gets nothing. 3 gets to 5/2 at most, and one of 1 and 5 always has more.
    bounds = [(found[who]["best"], found[who]["worst"]) for who in range(1, 6)]
    assert bounds == [(1, 3), (5, 5), (2, 3), (3, 4), (1, 2)]
    file["stages"][0]["rounds_planned"] = 5
    bounds = {row["entrant"]: row for row in ours(file, possible=True)["stages"][0]["rows"]}
    # One more round is worth 0 to 1. 2 can reach 2, and only 5 has more than that already. 5 can stay at 5/2, and only
    # 1 and 3 can have more.
    assert [(bounds[who]["best"], bounds[who]["worst"], bounds[who]["exact"]) for who in (2, 5)] == [
        (2, 5, False),
        (1, 3, False),
    ]


def test_an_abandoned_table_gives_no_more_points() -> None:
    file = the_example(["points"])
    file["stages"][0]["rounds_planned"] = 4
    file["stages"][0]["rounds"].append({"tables": [heads(1, 5, None, abandoned=True), heads(3, 4, None)]})
    bounds = {row["entrant"]: row for row in ours(file, possible=True)["stages"][0]["rows"]}
    # From 2, 0, 3/2, 3/2, 5/2 on: 3 or 4 can still reach 5/2, but 1 and 5 get nothing.
    assert [(bounds[who]["best"], bounds[who]["worst"]) for who in range(1, 6)] == [
        (2, 3),
        (5, 5),
        (1, 4),
        (1, 4),
        (1, 1),
    ]
    assert all(row["exact"] for row in bounds.values())


# --- random tournaments ------------------------------------------------------------------------------------
SEEDS = range(150)  # in each of four tests, so that they run in parallel


@pytest.mark.parametrize("start", [0, 1000, 2000, 3000])
def test_random_tournaments_of_every_kind(start: int) -> None:
    for seed in SEEDS:
        file = random_tournament(random.Random(start + seed))
        found = both(file)
        for row in (row for stage in found["stages"] for row in stage["rows"]):
            for name, why in row["why"].items():
                if isinstance(why, list) and why:
                    assert (
                        str(sum(Fraction(each["value"]) for each in why if not each.get("cut"))) == row["values"][name]
                    )


def test_what_random_tournaments_make_possible() -> None:
    """Exact where the second opinion is; else every random end is within the bounds."""
    exact = 0
    for seed in SEEDS:
        rng = random.Random(seed)
        wishes = {"by": rng.choice(["result", "place"]), "system": rng.choice(["swiss", "free", "round-robin"])}
        file = random_tournament(rng, stages=1, open_share=0.2, entrants=6, rounds=3, **wishes)
        name = file["stages"][0]["name"]
        try:
            both(file, possible=True)
            exact += 1
        except slow.NotExactError:
            found = {row["entrant"]: row for row in ours(file, possible=True)["stages"][0]["rows"]}
            for _ in range(10):
                for who, place in slow.a_possible_end(file, name, rng).items():
                    assert found[who]["best"] <= place <= found[who]["worst"]
    assert 0 < exact < len(SEEDS)


@pytest.mark.parametrize("seed", range(10))
def test_two_ways_to_find_what_a_last_round_makes_possible(seed: int) -> None:
    rng = random.Random(seed)
    file = random_tournament(
        rng, by="result", system="free", stages=1, open_share=0, rounds=3, entrants=7, planned=False
    )
    for table in file["stages"][0]["rounds"][-1].get("tables", [])[:3]:
        if len(table["sides"]) - len(table.get("absent", [])) >= 2:
            table["totals"] = None
    stage = slow.read_stage(file, file["stages"][0], None)
    assert slow.best_and_worst(stage) == slow.best_and_worst_of_all(stage)
    both(file, possible=True)
