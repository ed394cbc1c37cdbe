"""The next round of a stage is the best there is: the second opinion goes through every round."""

import json
import random
from collections import Counter
from fractions import Fraction
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis.strategies import integers, sampled_from

from scorekeeper.pairing.pairing import paired
from scorekeeper.pairing.rounds import NextRound
from scorekeeper.pairing.writing import as_json
from scorekeeper.standings.reading import read_text
from tests.pairing.random_stages import random_stage
from tests.pairing.second_opinion import Position
from tests.standings.random_tournaments import NORMAL

LAST_FIVE = dict.fromkeys(("bye", "asked", "absent", "forfeit_win", "forfeit_loss"), "average")

File = dict[str, Any]


def ours(file: File, seed: int = 0) -> File:
    """What the command prints, of the first stage."""
    tournament = read_text(json.dumps(file))
    stage = tournament.stages[0]
    drawn = next(paired(tournament, stage, random.Random(seed))).best
    return as_json(tournament, stage, drawn)


def written(value: Any) -> Any:
    if isinstance(value, list):
        return value
    return int(value) if Fraction(value).denominator == 1 else str(value)


def both(file: File, seed: int = 0, *, best: bool = True) -> File:
    """What we say; the second opinion says the same of it, and (`best`) knows no better round."""
    found = ours(file, seed)
    second = Position(file)
    tables = [table["sides"] for table in found["tables"]]
    byes = [each["entrant"] for each in found["unplayed"] if each["kind"] == "bye"]
    # Everybody is there once, and what was settled stands.
    assert found["round"] == second.number
    people = [who for sides in tables for side in sides for who in side]
    assert sorted([*people, *(each["entrant"] for each in found["unplayed"])]) == sorted(
        {*second.here, *second.unplayed}
    )
    drawn = [sides for sides in tables if sides not in second.settled]
    assert len(drawn) + len(second.settled) == len(tables)
    assert second.unplayed.items() <= {each["entrant"]: each["kind"] for each in found["unplayed"]}.items()
    # The numbers are right, and there are no better ones.
    rating = second.rating(tables, byes)
    assert [*found["rating"]] == second.names
    assert [*found["rating"].values()] == [*map(written, rating)]
    assert not best or rating == second.best()
    # So are the tables.
    best = [min(second.place[who] for side in sides for who in side) for sides in tables]
    assert best == sorted(best)
    assert [table["table"] for table in found["tables"]] == [*range(1, len(tables) + 1)]
    for number, table in enumerate(found["tables"], 1):
        adds = second.rating_of_table(table["sides"])
        assert table["why"] == {name: written(value) for name, value in adds.items() if value}
        if table["sides"] in drawn:
            assert table["sides"][0] == sorted(
                second.leader(number, table["sides"], second.place), key=second.place.get
            )
    return found


SIZES = {"heads": [1, 2, 3, 4, 5, 6, 7, 8], "triples": [2, 5, 6, 7, 9, 12], "fours": [3, 4, 6, 8, 9, 12]}
SIZES |= {"partners": [4, 5, 8, 9, 12], "mixed": [1, 2, 3, 4, 5, 6, 7, 9, 11]}


@pytest.mark.parametrize("play", [*SIZES])
def test_no_round_is_better(play: str) -> None:
    for seed in range(30):
        rng = random.Random(f"{play} {seed}")
        both(random_stage(rng, play, rng.choice(SIZES[play])), seed)


@given(seed=integers(0, 2**32), play=sampled_from([*SIZES]), players=integers(1, 7))
@settings(max_examples=40, deadline=None, derandomize=True)
def test_no_round_of_any_stage_is_better(seed: int, play: str, players: int) -> None:
    both(random_stage(random.Random(seed), play, players), seed)


@pytest.mark.parametrize("players", [14, 15, 17, 18])
def test_no_round_of_more_is_better(players: int) -> None:
    """As a matching of least weight, also where everybody has met."""
    for seed in range(4):
        file = random_stage(random.Random(seed), "heads", players, rounds=[1, 3, 5, 20][seed])
        file["stages"][0].pop("next", None)
        found, second = both(file, seed, best=False), Position(file)
        assert [*found["rating"].values()] == [*map(written, second.best_by_matching())]


def test_lots_never_outweigh_a_number() -> None:
    """They draw between equal rounds only: every seed finds the same rating."""
    for stage in (10, 35, 55):
        rng = random.Random(stage)
        size, by = rng.choice([16, 30, 41, 60]), rng.choice(["result", "place", "score"])
        file = random_stage(rng, "heads", size, by=by, rounds=rng.choice([1, 2, 3, 5]))
        first, *others = (ours(file, seed)["rating"] for seed in range(5))
        assert [first] * 4 == others


def with_great_scores(rng: random.Random, play: str, players: int) -> File:
    file = random_stage(rng, play, players, by="score", rounds=3)
    [stage] = file["stages"]
    for table in (table for each in stage["rounds"] for table in each.get("tables", [])):
        if table.get("totals"):
            table["totals"] = [each and each * rng.randint(1, 10**10) for each in table["totals"]]
    stage["worth"] |= {"absent": "1/1048573", "forfeit_loss": f"{2**39 - 1}/{2**38}", "asked": "average"}
    return file


def test_scores_can_be_of_any_size() -> None:
    for seed in range(20):
        rng = random.Random(seed)
        both(with_great_scores(rng, rng.choice(["heads", "heads", "fours"]), rng.choice([3, 5, 8])), seed)


def test_two_ways_to_find_the_best_round_of_heads() -> None:
    """The second opinion of itself; and of ours where the numbers of a round do not fit into one."""
    for seed in range(20):
        second = Position(random_stage(random.Random(seed), "heads", 2 + seed % 6, rounds=seed % 4))
        if second.to_draw and not second.settled and "bye" not in second.unplayed.values():
            assert second.best() == second.best_by_matching()
    for seed in range(4):
        file = with_great_scores(random.Random(seed), "heads", 13 + seed)
        file["stages"][0].pop("next", None)
        file["stages"][0]["first"] = ["new", "points"][seed // 2]
        found = both(file, seed, best=False)
        assert [*found["rating"].values()] == [*map(written, Position(file).best_by_matching())]


def test_the_example() -> None:
    file = json.loads((Path(__file__).parent.parent / "data" / "tournaments" / "pairing.json").read_text())
    second = Position(file)
    everybody = range(1, 6)
    assert [str(second.points[who]) for who in everybody] == ["1", "0", "1/2", "1/2", "1"]
    assert [second.place[who] for who in everybody] == [1, 5, 3, 4, 2]
    assert [second.queue[who] for who in everybody] == [4, 1, 3, 2, 5]
    assert [second.uneven(who) for who in everybody] == [1, -1, 1, -1, 0]
    found = both(file)
    assert [table["sides"] for table in found["tables"]] == [[[4], [1]], [[5], [3]]]
    assert [each["entrant"] for each in found["unplayed"]] == [2]
    rating = {"again": 0, "byes": [1], "club": 0, "difference": "1/2", "thrice": 0, "floats": 1, "leads": 1}
    assert found["rating"] == rating | {"across": 10, "within": 0}
    # "If 1 met 5, 3 and 4 would meet again. If 1 met 3 and 4 met 5, `leads` would be 5."
    assert second.rating_of_table([[4], [3]])["again"] == 1
    assert second.best_at_table((1, 3))[5] + second.best_at_table((4, 5))[5] == 5
    assert second.names[1:7] == ["byes", "club", "difference", "thrice", "floats", "leads"]


# --- many players ------------------------------------------------------------------------------------------
@pytest.mark.parametrize("play", ["triples", "fours", "mixed", "partners"])
def test_what_a_search_says_of_its_best_is_right(play: str) -> None:
    for seed in range(4):
        rng = random.Random(f"{play} {seed}")
        both(random_stage(rng, play, rng.randint(14, 23)), seed, best=False)


def test_a_search_gets_better() -> None:
    file = random_stage(random.Random(2), "fours", 24, rounds=3, absent_share=0)
    tournament = read_text(json.dumps(file))
    reports = paired(tournament, tournament.stages[0], random.Random(0))
    ratings = [[*each.best.rating.values()] for each in islice(reports, 30) if isinstance(each.best, NextRound)]
    assert ratings == sorted(ratings, reverse=True)
    assert ratings[-1] < ratings[0]


@pytest.mark.parametrize(("play", "players"), [("heads", 6), ("triples", 6), ("fours", 8), ("partners", 4)])
def test_the_seed_draws_among_equally_good_rounds(play: str, players: int) -> None:
    """In the first round of 4, 6 or 8 without order, by chance: every round comes."""
    file = a_tournament(players, play=play, pairing="random")
    rounds = [ours(file, seed) for seed in range(150)]
    assert rounds == [ours(file, seed) for seed in range(150)]
    drawn = {
        frozenset(frozenset(frozenset(side) for side in table["sides"]) for table in each["tables"]) for each in rounds
    }
    assert len(drawn) == {"heads": 15, "triples": 10, "fours": 35, "partners": 3}[play]


def a_tournament(players: int, **keys: Any) -> File:
    worth = {"by": "result", **NORMAL} if keys.get("play", "heads") == "heads" else {"by": "score", **LAST_FIVE}
    stage = {"name": "Main", "system": "swiss", "worth": worth, "order": ["points", "lots"], "rounds": [], **keys}
    named = [{"id": who, "name": f"Entrant {who}"} for who in range(1, players + 1)]
    return {"format": "scorekeeper-tournament/1", "entrants": named, "stages": [stage]}


def played(file: File, rounds: int, rng: random.Random) -> list[File]:
    """What was said of each round."""
    found = []
    for _ in range(rounds):
        found.append(ours(file))
        tables = [{"sides": table["sides"]} for table in found[-1]["tables"]]
        for table in tables:
            table["totals"] = [rng.randint(0, 2) for _ in table["sides"]]
        file["stages"][0]["rounds"].append({"tables": tables, "unplayed": found[-1]["unplayed"]})
    return found


@pytest.mark.parametrize(("players", "rounds"), [(8, 4), (9, 9), (14, 7), (33, 7), (100, 6), (200, 3)])
def test_whole_tournaments_of_heads(players: int, rounds: int) -> None:
    file = a_tournament(players)
    found = played(file, rounds, random.Random(players))
    # As long as everybody has met less than half of the others, nobody need meet again.
    assert all(each["rating"]["again"] == 0 for each in found[: players // 2])
    # Nobody has a second bye before everybody has one.
    byes = [each["entrant"] for drawn in found for each in drawn["unplayed"]]
    assert len(byes) == rounds * (players % 2)
    assert len({*byes}) == len(byes)
    # Hardly anybody leads, or does not lead, three times running: only where equal points say so.
    seats = sum(2 * len(drawn["tables"]) for drawn in found)
    assert sum(each["rating"]["thrice"] for each in found) <= seats // 30


@pytest.mark.parametrize(("play", "players"), [("triples", 11), ("fours", 10), ("mixed", 11), ("partners", 9)])
def test_whole_tournaments_of_more_at_a_table(play: str, players: int) -> None:
    file = a_tournament(players, play=play)
    found = played(file, 4, random.Random(play))
    byes = Counter(each["entrant"] for drawn in found for each in drawn["unplayed"])
    assert len(byes) == 0 if play == "mixed" else max(byes.values()) == -(-byes.total() // players)
    if play == "mixed":
        assert [sorted(len(table["sides"]) for table in drawn["tables"]) for drawn in found] == [[3, 4, 4]] * 4
        assert found[0]["rating"]["small"] == 0
    if play == "partners":
        assert [drawn["rating"]["partners"] for drawn in found] == [0] * 4


def test_where_points_come_first_equals_meet_again() -> None:
    """Of four, 1 and 2 have won: only if new opponents come first do they not meet again."""
    keys = {"rounds": [{"tables": [{"sides": [[1], [2]], "totals": [1, 1]}, {"sides": [[3], [4]], "totals": [1, 0]}]}]}
    file = a_tournament(4, **keys)
    file["stages"][0]["penalties"] = [{"entrant": 3, "round": 1, "points": 1}]
    assert both(file)["rating"]["again"] == 0
    file["stages"][0]["first"] = "points"
    found = both(file)
    assert (found["rating"]["again"], found["rating"]["difference"]) == (2, 0)
    assert [*found["rating"]][:3] == ["difference", "again", "byes"]


def test_clubs_are_apart_for_some_rounds() -> None:
    file = a_tournament(4, pairing="adjacent", apart={"by": "club", "rounds": 1})
    for entrant, club in zip(file["entrants"], "AABB", strict=True):
        entrant |= {"club": club, "rating": 2000 - entrant["id"]}
    found = both(file)
    assert found["rating"]["club"] == 0
    assert [1, 2] not in map(together, found["tables"])
    file["stages"][0]["apart"]["rounds"] = 0
    assert [*map(together, both(file)["tables"])] == [[1, 2], [3, 4]]


def together(table: File) -> list[int]:
    return sorted(who for side in table["sides"] for who in side)


def test_everybody_can_be_settled() -> None:
    """Nobody is left to draw, or only somebody who has a bye."""
    file = a_tournament(3, next={"tables": [{"sides": [[3], [1]]}], "unplayed": [{"entrant": 2, "kind": "absent"}]})
    assert [table["sides"] for table in both(file)["tables"]] == [[[3], [1]]]
    file["stages"][0]["next"]["unplayed"] = []
    assert both(file)["unplayed"] == [{"entrant": 2, "kind": "bye"}]
    file["stages"][0]["next"] = {"unplayed": [{"entrant": who, "kind": "asked"} for who in (1, 2, 3)]}
    found = ours(file)
    assert (found["tables"], found["rating"]["byes"]) == ([], [])
