"""Brackets played to their end: every round is that of the second opinion, and everybody plays until they are out."""

import random
from collections import Counter
from typing import Any

import pytest

from scorekeeper.standings.calculation import calculate
from scorekeeper.standings.reading import Refused, read_value
from tests.pairing.second_bracket import Bracket, seeded, size_for
from tests.pairing.test_rounds import ours
from tests.standings.random_tournaments import NORMAL

File = dict[str, Any]
KINDS: dict[str, File] = {
    "single": {},
    "third place": {"third_place": True},
    "placement": {"placement": True},
    "double": {"double": True},
}
SIZES = [2, 3, 4, 5, 6, 7, 8, 11, 16, 23, 32, 64]


def a_bracket(entrants: int, **keys: Any) -> File:
    ids = [*range(1, entrants + 1)]
    worth = {"by": "result", **NORMAL}
    stage = {"name": "Cup", "system": "knock-out", "worth": worth, "entrants": ids, "rounds": [], **keys}
    named = [{"id": who, "name": f"Entrant {who}"} for who in ids]
    return {"format": "scorekeeper-tournament/1", "entrants": named, "stages": [stage]}


def next_round(file: File) -> File:
    """The next round, which is that of the second opinion."""
    found, second = ours(file), Bracket(file)
    listed = [(frozenset(who for [who] in table["sides"]), tuple(table.get("places", ()))) for table in found["tables"]]
    assert len(listed) == len(second.tables())
    assert {*listed} == {*second.tables()}
    assert {each["entrant"] for each in found["unplayed"]} == second.byes()
    assert all(each["kind"] == "bye" for each in found["unplayed"])
    assert (found["stage"], found["round"]) == (file["stages"][0]["name"], second.number)
    assert "rating" not in found
    for number, table in enumerate(found["tables"], 1):
        assert table["table"] == number
        assert table["totals"] is None
        assert table["sides"][0] == [second.leader(number, frozenset(who for [who] in table["sides"]))]
    return found


def play(rng: random.Random, table: File, *, odd: float) -> None:
    """A table ends; at times equal, not at all, or by forfeit, also of both."""
    how = rng.choice(["draw", "open", "forfeit", "both"]) if rng.random() < odd else "won"
    if how == "draw":
        table["totals"] = [3, 3]
    elif how == "forfeit":
        table["absent"] = [rng.choice([0, 1])]
    elif how == "both":
        table["absent"] = [0, 1]
    elif how == "won":
        table["totals"] = rng.choice([[1, 0], [0, 1]])


def add(file: File, drawn: File) -> None:
    file["stages"][0]["rounds"].append({key: drawn[key] for key in ("tables", "unplayed")})


def play_on(file: File, rng: random.Random, *, odd: float = 0.0, better_wins: bool = False) -> None:
    """To the end."""
    for _ in range(300):
        drawn = next_round(file)
        if not drawn["tables"] and not drawn["unplayed"]:
            return
        for table in drawn["tables"]:
            if better_wins:
                [[one], [other]] = table["sides"]
                table["totals"] = [1, 0] if one < other else [0, 1]
            else:
                play(rng, table, odd=odd)
        add(file, drawn)
    pytest.fail("It never ends.")


def rounds_of(file: File) -> list[list[tuple[int, int]]]:
    tables = [each["tables"] for each in file["stages"][0]["rounds"]]
    return [[(table["sides"][0][0], table["sides"][1][0]) for table in each] for each in tables]


def loser(table: File) -> int:
    lost = table["absent"][0] if "absent" in table else 0 if table["totals"] == [0, 1] else 1
    return int(table["sides"][lost][0])


def places(file: File) -> dict[int, int]:
    return {row.entrant: row.place for row in calculate(read_value(file)).stages[0].rows}


@pytest.mark.parametrize("kind", [*KINDS])
@pytest.mark.parametrize("odd", [0.0, 0.3])
def test_every_round_of_a_bracket(kind: str, odd: float) -> None:
    for entrants in SIZES:
        for seed in range(1 if entrants > 16 else 4):
            play_on(a_bracket(entrants, **KINDS[kind]), random.Random(f"{kind} {entrants} {seed}"), odd=odd)


@pytest.mark.parametrize("kind", [*KINDS])
def test_everybody_plays_until_they_are_out(kind: str) -> None:
    for entrants in SIZES:
        file = a_bracket(entrants, **KINDS[kind])
        play_on(file, random.Random(f"{kind} {entrants}"))
        tables = [table for each in file["stages"][0]["rounds"] for table in each["tables"]]
        for_places = [table for table in tables if "places" in table]
        lost = Counter(loser(table) for table in tables)
        if kind == "double":
            # All but one have lost twice; the one at most once.
            assert sorted(lost[who] for who in range(1, entrants + 1))[1:] == [2] * (entrants - 1)
            assert len(tables) in (2 * entrants - 2, 2 * entrants - 1)
        elif kind == "single":
            assert sorted(lost.values()) == [1] * (entrants - 1)
        elif kind == "third place":
            assert len(for_places) == (entrants >= 4)
        found = places(file)
        if kind == "placement":
            assert sorted(found.values()) == [*range(1, entrants + 1)]
        if kind == "placement" and entrants == size_for(entrants):
            assert len(for_places) == max(entrants // 2 - 1, 0)
            assert {len(each) for each in rounds_of(file)} <= {entrants // 2}
        final = rounds_of(file)[-1]
        first_two = [who for who, place in found.items() if place <= 2]
        assert any(sorted(two) == sorted(first_two) for two in final)


@pytest.mark.parametrize("entrants", [2, 3, 5, 8, 13, 16, 32, 64])
def test_the_best_left_meets_the_worst_left(entrants: int) -> None:
    file = a_bracket(entrants)
    play_on(file, random.Random(0), better_wins=True)
    left = [*range(1, size_for(entrants) + 1)]
    for each in rounds_of(file):
        half = len(left) // 2
        expected = {(left[at], left[-1 - at]) for at in range(half) if left[-1 - at] <= entrants}
        assert {(min(two), max(two)) for two in each} == expected
        left = left[:half]


def test_a_table_stands_where_its_two_are_in_the_tree() -> None:
    file = a_bracket(16)
    order = seeded(16)
    for _ in range(4):
        drawn = next_round(file)
        found = [min(order.index(who) for [who] in table["sides"]) for table in drawn["tables"]]
        assert found == sorted(found)
        for table in drawn["tables"]:
            play(random.Random(1), table, odd=0)
        add(file, drawn)


@pytest.mark.parametrize("entrants", [8, 16, 32, 64])
def test_those_who_come_down_meet_nobody_again_soon(entrants: int) -> None:
    """In `double`, two who met do not meet again before the round after the upper final."""
    for seed in range(1 if entrants == 64 else 4):
        file = a_bracket(entrants, double=True)
        play_on(file, random.Random(seed))
        seen: dict[frozenset[int], int] = {}
        for number, each in enumerate(rounds_of(file), 1):
            for two in map(frozenset, each):
                assert two not in seen or number >= entrants.bit_length()
                seen[two] = number


def test_equal_ones_meet_again_and_what_follows_waits() -> None:
    file = a_bracket(4, third_place=True)
    drawn = next_round(file)
    assert [table["sides"] for table in drawn["tables"]] in ([[[1], [4]], [[3], [2]]], [[[1], [4]], [[2], [3]]])
    drawn["tables"][0]["totals"] = [2, 2]
    drawn["tables"][1]["totals"] = [2, 1]
    add(file, drawn)
    again = next_round(file)
    # 1 and 4 meet again, now 4 leads; one waits for the final, one for the third place.
    assert [table["sides"] for table in again["tables"]] == [[[4], [1]]]
    assert {each["entrant"] for each in again["unplayed"]} == {2, 3}
    again["tables"][0]["totals"] = [1, 0]
    add(file, again)
    last = next_round(file)
    assert [table.get("places") for table in last["tables"]] == [None, [3, 4]]
    assert last["unplayed"] == []


def test_of_two_who_do_not_come_nobody_goes_on() -> None:
    file = a_bracket(4, third_place=True)
    drawn = next_round(file)
    drawn["tables"][0]["absent"] = [0, 1]
    drawn["tables"][1]["totals"] = [1, 0]
    add(file, drawn)
    assert next_round(file)["tables"] == []


def test_a_round_can_be_empty_before_the_end() -> None:
    """Of four, two do not come: the others meet in the grand final, but not before its round."""
    file = a_bracket(4, double=True)
    drawn = next_round(file)
    drawn["tables"][0]["absent"] = [0, 1]
    drawn["tables"][1]["totals"] = [1, 0]
    add(file, drawn)
    for _round in (2, 3):
        drawn = next_round(file)
        assert drawn["tables"] == []
        assert {each["entrant"] for each in drawn["unplayed"]} == {2, 3}
        add(file, drawn)
    assert len(next_round(file)["tables"]) == 1


def test_nothing_is_settled_beforehand_in_a_knock_out() -> None:
    file = a_bracket(3)
    file["stages"][0]["next"] = {"tables": [{"sides": [[1], [2]]}], "unplayed": [{"entrant": 3, "kind": "asked"}]}
    assert [table["sides"] for table in next_round(file)["tables"]] in ([[[2], [3]]], [[[3], [2]]])


def test_whoever_wins_the_grand_final_from_below_must_win_it_twice() -> None:
    file = a_bracket(2, double=True)
    for winner in (1, 2, 1):
        drawn = next_round(file)
        [table] = drawn["tables"]
        table["totals"] = [1, 0] if table["sides"][0] == [winner] else [0, 1]
        add(file, drawn)
    assert [len(each) for each in rounds_of(file)] == [1, 1, 1]
    assert next_round(file)["tables"] == []
    assert places(file) == {1: 1, 2: 2}


# --- from other stages -------------------------------------------------------------------------------------
def with_groups(rng: random.Random, groups: int, first: int, **keys: Any) -> File:
    """Groups of a few, of whom the first go on; in some nobody has played, so that all share a place."""
    worth = {"by": "result", **NORMAL}
    stages: list[File] = []
    number = 0
    for group in range(groups):
        ids = [*range(number + 1, number + 1 + rng.choice([first, first + 1, max(first - 1, 1)]))]
        number = ids[-1]
        rng.shuffle(ids)
        tables = [
            {"sides": [[one], [other]], "totals": [1, 0]} for one, other in zip(ids[::2], ids[1::2], strict=False)
        ]
        rounds = [{"tables": rng.sample(tables, rng.randint(0, len(tables)))}]
        stages.append(
            {"name": f"Group {group}", "system": "free", "worth": worth, "order": ["points"], "entrants": ids}
            | {"rounds": rounds}
        )
    asked = {"stages": rng.sample([each["name"] for each in stages], groups), "first": first}
    stages.append({"name": "Cup", "system": "knock-out", "worth": worth, "from": asked, **keys})
    rng.shuffle(stages)
    stages.sort(key=lambda each: each["name"] != "Cup")
    named = [{"id": who, "name": f"Entrant {who}"} for who in range(1, number + 1)]
    return {"format": "scorekeeper-tournament/1", "entrants": named, "stages": stages}


@pytest.mark.parametrize("groups", [1, 2, 3, 4, 5, 6])
def test_those_of_one_group_meet_late(groups: int) -> None:
    for first in (1, 2, 3, 4):
        for seed in range(6 if groups < 6 else 1):
            file = with_groups(random.Random(f"{groups} {first} {seed}"), groups, first)
            second = Bracket(file, "Cup")
            if len(second.seeds) == 1:
                with pytest.raises(Refused):
                    ours(file)
                continue
            found = ours(file)
            assert found["entrants"] == second.seeds
            assert {frozenset(who for [who] in table["sides"]) for table in found["tables"]} == {
                two for two, _places in second.tables()
            }


def test_two_groups_of_two_cross() -> None:
    file = with_groups(random.Random(0), 2, 2)
    for name, stage in (("A", 1), ("B", 2)):
        ids = [1, 2] if name == "A" else [3, 4]
        table = {"sides": [[ids[0]], [ids[1]]], "totals": [1, 0]}
        file["stages"][stage] |= {"name": name, "entrants": ids, "rounds": [{"tables": [table]}]}
    file["entrants"] = [{"id": who, "name": str(who)} for who in range(1, 5)]
    file["stages"][0]["from"] = {"stages": ["A", "B"], "first": 2}
    found = ours(file)
    # 1 and 3 are seeds 1 and 2. Seed 3 meets seed 2, and seed 4 seed 1: in the order 2, 4 nobody meets their own group.
    assert found["entrants"] == [1, 3, 2, 4]
    assert {frozenset(who for [who] in table["sides"]) for table in found["tables"]} == {
        frozenset({1, 4}),
        frozenset({3, 2}),
    }


def test_the_standings_place_only_those_who_went_on() -> None:
    file = with_groups(random.Random(3), 3, 1)
    drawn = ours(file)
    found = {row.entrant for row in calculate(read_value(file), stage="Cup").stages[0].rows}
    assert found == {*drawn["entrants"]}
    assert len(found) == 3 < len(file["entrants"])
    # A result corrected later lets somebody else go on: who has played stays.
    other = next(each["id"] for each in file["entrants"] if each["id"] not in found)
    file["stages"][0]["rounds"] = [{"tables": [{"sides": [[drawn["entrants"][0]], [other]], "totals": [0, 1]}]}]
    assert {row.entrant for row in calculate(read_value(file), stage="Cup").stages[0].rows} == found | {other}
    assert ours(file)["entrants"] == drawn["entrants"]


def test_nobody_goes_on_from_two_stages() -> None:
    file = with_groups(random.Random(0), 2, 1)
    for stage in file["stages"][1:]:
        stage |= {"entrants": [1, 2], "rounds": []}
    with pytest.raises(Refused, match="twice") as refused:
        ours(file)
    assert refused.value.at == "stages[0].from"
