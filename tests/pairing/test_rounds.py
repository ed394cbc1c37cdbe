"""The next round of a stage is the best there is: the second opinion goes through every round."""

import json
import random
from fractions import Fraction
from typing import Any

import pytest

from scorekeeper.pairing.pairing import paired
from scorekeeper.pairing.writing import as_json
from scorekeeper.standings.reading import read_text
from tests.pairing.random_stages import random_stage
from tests.pairing.second_opinion import Position

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


def both(file: File, seed: int = 0) -> File:
    """What we say; the second opinion says the same of it, and knows no better round."""
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
    assert rating == second.best()
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


SIZES = {"heads": [1, 2, 3, 4, 5, 6, 7, 8], "triples": [2, 5, 6, 7, 9], "fours": [3, 4, 6, 8, 9]}
SIZES |= {"partners": [4, 5, 8, 9], "mixed": [1, 2, 3, 4, 5, 6, 7, 8, 9]}


@pytest.mark.parametrize("play", [*SIZES])
def test_no_round_is_better(play: str) -> None:
    for seed in range(120):
        rng = random.Random(f"{play} {seed}")
        both(random_stage(rng, play, rng.choice(SIZES[play])), seed)
