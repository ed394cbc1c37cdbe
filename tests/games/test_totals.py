"""Results that are typed without their hands: what no match can have is refused."""

from typing import Any

import pytest

import games
from games.dom import LINES_OF, best_line
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
        ("dom", {}, [1121, 50]),
        ("dom", {"hands": 1}, [561, 50]),
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
        ("dom", {"hands": 3}, [1120, 0]),
        ("dominards", {}, [99999, 0, 0]),
    ],
)
def test_the_last_possible_one_is_taken(game: str, options: dict[str, Any], totals: list[int]) -> None:
    games.Match.new(game, options, players(game, 0)).enter({"kind": "result", "totals": totals}).check_result()


@pytest.mark.parametrize(
    ("game", "options", "totals"),
    [("all-fives", {"points_to_win": 100}, [40, 20]), ("domino-whist", {}, [99, 20, 99, 20])],
)
def test_a_result_that_nothing_ended_is_not_the_end(game: str, options: dict[str, Any], totals: list[int]) -> None:
    match, result = games.Match.new(game, options, players(game, 0)), {"kind": "result", "totals": totals}
    with pytest.raises(games.Illegal, match="Nobody has reached 100") as refused:
        match.enter(result).check_ended()
    assert refused.value.code == "hand-unfinished"
    for ended in ("time", "early", "night-closed"):
        early = match.enter(result | {"stopped": ended})
        early.check_ended()
        assert early.record()["stopped"] == "time"
        assert games.verify(early.record())["valid"]
    games.Match.new(game, options | {"hands": 2}, players(game, 0)).enter(result).check_ended()


@pytest.mark.parametrize(
    ("game", "table", "message"),
    [
        ("all-fives", [97, 0], "Table points come in fives: 97 is not possible."),
        ("all-threes", [97, 0], "Table points come in threes: 97 is not possible."),
        ("fives-and-threes", [30, 7], "Table points come in fives and threes: 7 is not possible."),
        ("all-fives", [0, 1000], "1000 points are not possible: the match ends at 150. Check the result."),
        ("fives-and-threes", [8, 11], None),
        ("all-threes", [96, 0], None),
    ],
)
def test_table_points_that_no_play_gives_are_refused_only_when_people_type_them(
    game: str, table: list[int], message: str | None
) -> None:
    final: dict[str, Any] = {"table": table, "left": [[], 12], "out": 0}
    if max(table) >= 150:
        final = {"table": table, "reached": table.index(max(table))}
    entry = {"kind": "hand", "leader": 0, "final": final}
    match = games.Match.new(game, {}, players(game, 0)).enter(entry)
    if message is None:
        match.check_typed(entry)
    else:
        with pytest.raises(games.Illegal) as refused:
            match.check_typed(entry)
        assert refused.value.message == message
    assert games.verify(match.record())["valid"]


def test_a_record_from_elsewhere_is_taken_as_it_stands() -> None:
    record = {
        "format": "scorekeeper-record/1",
        "game": "domino-whist",
        "players": ["Ana", "Bo", "Cleo", "Dan"],
        "hands": [],
        "result": {"totals": [-5, 50, -5, 50], "winners": [0, 2]},
    }
    assert games.verify(record)["valid"]


@pytest.mark.parametrize(
    ("game", "final", "said"),
    [
        ("dom", {"points": [561, 20]}, "Nobody can have 561 points: one game gives 560 at most. Check the points."),
        ("dom", {"points": [560, 20]}, ""),
        (
            "dominards",
            {"points": [900, 1], "dropped": [[], []], "tiles": [0, 3], "out": 0},
            "901 points cannot be claimed: at most 25 tiles were laid, for up to 36 points each.",
        ),
        ("dominards", {"points": [899, 1], "dropped": [[], []], "tiles": [0, 3], "out": 0}, ""),
    ],
)
def test_points_of_a_hand_that_no_play_can_give_are_refused(game: str, final: dict[str, Any], said: str) -> None:
    entry = {"kind": "hand", "opener": 0, "final": final}
    typed = games.Match.new(game, {}, ["Ana", "Bo"]).enter(entry)
    if not said:
        typed.check_typed(entry)
        return
    with pytest.raises(games.Illegal) as refused:
        typed.check_typed(entry)
    assert (refused.value.code, refused.value.message) == ("left-mismatch", said)


def test_no_random_game_of_dom_comes_near_its_bound() -> None:
    """The bound is proved line by line: a card is on three lines, and the best lines are known."""
    assert [best_line(size) for size in (1, 2, 3, 4)] == [3, 10, 22, 30]
    assert max(map(len, LINES_OF)) == 3
