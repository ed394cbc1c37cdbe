"""The places that are still possible: worked by hand, compared with a second opinion that tries every ending, and
bounds where a search has a limit."""

import random
from typing import Any

import pytest

from scorekeeper.standings.possible import Chance, Possible, Prospect, possible_places, prospects
from scorekeeper.standings.reading import read_value
from scorekeeper.standings.results import Results
from tests.standings import second_opinion as slow
from tests.standings.random_tournaments import random_tournament
from tests.standings.test_tournament import a_file, heads

File = dict[str, Any]
THREE_FOR_A_WIN = {"win": 3, "draw": 1, "loss": 0}


def results_of(file: File) -> Results:
    read = read_value(file)
    return Results.of(read, read.stages[0])


def stage_of(file: File) -> slow.Stage:
    return slow.read_stage(file, file["stages"][0], None)


def random_file(rng: random.Random, **wishes: Any) -> File:
    """With many open tables, and at times a worth that makes a loss better than a draw or a win."""
    file = random_tournament(
        rng,
        stages=1,
        by=rng.choice(["result", "place"]),
        system=rng.choice(["swiss", "free", "round-robin"]),
        entrants=rng.randint(2, 8),
        rounds=rng.randint(1, 4),
        open_share=rng.choice([0.2, 0.5, 0.8]),
        planned=False,
        **wishes,
    )
    worth = file["stages"][0]["worth"]
    if rng.random() < 0.2:
        for values in worth.get("places", {}).values():
            rng.shuffle(values)
        if "win" in worth:
            worth["win"], worth["draw"], worth["loss"] = rng.sample([worth["win"], worth["draw"], worth["loss"]], 3)
    return file


def with_points(entrants: int, rounds: int, rng: random.Random, *, spread: int, **worth: Any) -> File:
    """All tables of these rounds are open; what was won before is in the penalties."""
    drawn = []
    for _ in range(rounds):
        order = rng.sample(range(1, entrants + 1), entrants)
        drawn.append({"tables": [heads(*pair, None) for pair in zip(order[::2], order[1::2], strict=True)]})
    penalties = [{"entrant": who, "round": 1, "points": rng.randint(0, spread)} for who in range(1, entrants + 1)]
    file = a_file(entrants, drawn, penalties=penalties)
    file["stages"][0]["worth"] = file["stages"][0]["worth"] | worth
    return file


@pytest.mark.parametrize("start", [0, 1000, 2000, 3000])
def test_random_tournaments_are_what_every_ending_says(start: int) -> None:
    compared = 0
    for seed in range(start, start + 300):
        file = random_file(random.Random(seed))
        try:
            second = slow.best_and_worst_of_all(stage_of(file), most=2000)
        except slow.NotExactError:
            continue
        assert possible_places(results_of(file)) == {who: (*places, True) for who, places in second.items()}, seed
        compared += 1
    assert compared > 200


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("worth", [{"win": 2, "draw": 1}, THREE_FOR_A_WIN], ids=["2-1-0", "3-1-0"])
def test_more_than_ten_thousand_endings(seed: int, worth: File) -> None:
    """Five rounds of two tables can end in 59,049 ways."""
    file = with_points(4, 5, random.Random(seed), spread=6, **worth)
    second = slow.best_and_worst_of_all(stage_of(file), most=60_000)
    assert possible_places(results_of(file)) == {who: (*places, True) for who, places in second.items()}


@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize("worth", [{}, {"win": 2, "draw": 1}, THREE_FOR_A_WIN], ids=["1-½-0", "2-1-0", "3-1-0"])
def test_sixteen_with_three_rounds_to_go_are_exact(seed: int, worth: File) -> None:
    rng = random.Random(seed)
    file = with_points(16, 3, rng, spread=rng.randint(1, 8), **worth)
    found = possible_places(results_of(file))
    assert all(each.exact for each in found.values())
    for _ in range(20):
        for who, place in slow.a_possible_end(file, "Main", rng).items():
            assert found[who].best <= place <= found[who].worst


def test_a_table_cannot_help_both_sides() -> None:
    """1 has 1 point and no table. 2, 3 and 4 have ½ and meet each other: if each wins once, all get ahead. But if 2 has
    0, the needs are 1½, 1 and 1, and there are only 3 points. And not all of them can stay behind. As bounds, each
    alone could do either."""
    rounds = [{"tables": [heads(2, 3, None)]}, {"tables": [heads(3, 4, None)]}, {"tables": [heads(2, 4, None)]}]
    given = {1: -1, 2: "-1/2", 3: "-1/2", 4: "-1/2"}
    penalties = [{"entrant": who, "round": 1, "points": points} for who, points in given.items()]
    file = a_file(4, rounds, penalties=penalties)
    assert possible_places(results_of(file))[1] == Possible(2, 4, True)
    penalties[1]["points"] = 0
    assert possible_places(results_of(file))[1] == Possible(2, 3, True)
    assert possible_places(results_of(file), 0)[1] == Possible(1, 4, False)


@pytest.mark.parametrize("effort", [0, 100, 1000, 5000])
def test_a_search_beyond_its_limit_gives_a_bound(effort: int) -> None:
    bounds = 0
    for seed in range(10):
        file = with_points(16, 4, random.Random(seed), spread=6)
        exact = possible_places(results_of(file))
        for who, (best, worst, is_exact) in possible_places(results_of(file), effort).items():
            assert best <= exact[who].best
            assert worst >= exact[who].worst
            assert not is_exact or (best, worst) == exact[who][:2]
            bounds += not is_exact
    assert bounds


def test_rounds_not_drawn_yet_give_bounds() -> None:
    for seed in range(60):
        rng = random.Random(seed)
        file = random_file(rng)
        file["stages"][0]["rounds_planned"] = 1 + len(file["stages"][0].get("rounds", []))
        found = possible_places(results_of(file))
        assert not any(each.exact for each in found.values())
        for _ in range(20):
            for who, place in slow.a_possible_end(file, file["stages"][0]["name"], rng).items():
                assert found[who].best <= place <= found[who].worst


# --- chances -----------------------------------------------------------------------------------------------
def chances(file: File, first: int) -> dict[int, str | None]:
    return {who: each.chance for who, each in prospects(results_of(file), first).items()}


@pytest.mark.parametrize("start", [0, 1000])
def test_chances_are_what_every_ending_says(start: int) -> None:
    found: set[str | None] = set()
    for seed in range(start, start + 80):
        rng = random.Random(seed)
        file = random_file(rng, order=["points"])
        stage = stage_of(file)
        file["stages"][0]["minimum_played"] = 0
        first = rng.randint(1, 3)
        try:
            second = {who: slow.chance(stage, who, first) for who in stage.entrants}
        except slow.NotExactError:
            continue
        if first < len(second):
            assert chances(file, first) == second, seed
            found |= {*second.values()}
    assert found == {*Chance, None}


def test_equal_points_are_not_sure() -> None:
    """1 can be caught, but not passed: whoever of them is put first gets the prize."""
    file = a_file(3, [{"tables": [heads(1, 3, [1, 0])]}, {"tables": [heads(2, 3, None)]}])
    found = prospects(results_of(file), 1)
    assert found[1] == Prospect(Possible(1, 1, True), None)
    assert found[2] == Prospect(Possible(1, 3, True), Chance.NEEDS_WIN)
    assert chances(file, 2) == {1: Chance.SURE, 2: None, 3: None}


@pytest.mark.parametrize("change", [{"order": ["wins", "points"]}, {"minimum_played": 1}])
def test_no_chance_is_certain_where_points_alone_do_not_decide(change: File) -> None:
    file = a_file(3, [{"tables": [heads(1, 3, [1, 0])]}, {"tables": [heads(2, 3, None)]}])
    file["stages"][0] |= change
    assert {*chances(file, 2).values()} == {None}


def test_all_have_a_prize_where_there_are_enough() -> None:
    assert {*chances(a_file(3, [{"tables": [heads(2, 3, None)]}]), 3).values()} == {None}


def test_who_is_gone_gets_nothing_from_rounds_to_come() -> None:
    file = a_file(4, [{"tables": [heads(1, 3, [1, 0]), heads(2, 4, [1, 0])]}])
    file["stages"][0]["rounds_planned"] = 3
    there, gone = (
        {entrant: each.possible[:2] for entrant, each in prospects(results_of(file), 1, gone=gone).items()}
        for gone in ((), (4,))
    )
    assert there == dict.fromkeys((1, 2, 3, 4), (1, 4))
    assert gone == {1: (1, 3), 2: (1, 3), 3: (1, 3), 4: (3, 4)}
