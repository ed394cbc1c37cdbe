"""Results that are typed without their hands: what no match can have is refused."""

from typing import Any

import pytest

import games
from tests.games.test_matches import CASES, new, players, random_record


@pytest.mark.parametrize(("game", "number", "seed"), CASES)
def test_whatever_is_played_can_be_typed(game: str, number: int, seed: int) -> None:
    record = random_record(game, number, seed)
    for hands in range(1, len(record["hands"]) + 1):  # a match that ended when time was up, too
        totals = games.Match.of(games.read_record({**record, "hands": record["hands"][:hands]}, games.GAMES)).totals
        new(record).enter({"kind": "result", "totals": list(totals)}).check_result()


@pytest.mark.parametrize(
    ("game", "options", "totals"),
    [
        ("domino-whist", {}, [-5, 50, -5, 50]),
        ("domino-whist", {}, [0, 0, 0, 0]),
        ("domino-whist", {"target": 50}, [218, 30, 218, 30]),
        ("block", {"points_to_win": 100}, [268, 40]),
        ("block", {}, [150, 151]),
        ("draw", {"fives": True, "rounding": True}, [150, 48]),
        ("all-fives", {"rounding": True}, [150, 48]),
        ("domizerka", {}, [4, -3, 0]),
        ("domizerka", {}, [50, -25, -25]),
        ("domizerka", {}, [-36, 18, 18]),
        ("dom", {}, [-1, 50]),
        ("dominards", {}, [30, -2, 5]),
    ],
)
def test_what_no_match_can_have_is_refused(game: str, options: dict[str, Any], totals: list[int]) -> None:
    typed = games.Match.new(game, options, players(game, 0)).enter({"kind": "result", "totals": totals})
    with pytest.raises(games.Illegal) as refused:
        typed.check_result()
    assert refused.value.code == "result-mismatch"
    assert str(refused.value).endswith((".", "!"))


@pytest.mark.parametrize(
    ("game", "options", "totals"),
    [
        ("domino-whist", {"target": 50}, [217, 0, 217, 0]),
        ("domino-whist", {}, [100, 100, 100, 100]),
        ("block", {"points_to_win": 100}, [267, 99]),
        ("draw", {"threes": True, "fives": True, "rounding": True}, [150, 48]),
        ("domizerka", {}, [4, -4, 0]),
        ("domizerka", {}, [49, -35, -14]),
        ("dom", {}, [0, 0]),
    ],
)
def test_the_last_possible_one_is_taken(game: str, options: dict[str, Any], totals: list[int]) -> None:
    games.Match.new(game, options, players(game, 0)).enter({"kind": "result", "totals": totals}).check_result()


def test_a_record_from_elsewhere_is_taken_as_it_stands() -> None:
    record = {
        "format": "scorekeeper-record/1",
        "game": "domino-whist",
        "players": ["Ana", "Bo", "Cleo", "Dan"],
        "hands": [],
        "result": {"totals": [-5, 50, -5, 50], "winners": [0, 2]},
    }
    assert games.verify(record)["valid"]
