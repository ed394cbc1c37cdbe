"""Each code of the record format: a record that gets it, and a very similar one that does not."""

import copy
import pickle
import re
from typing import Any

import pytest

import games
from games import GAMES, Code, notation
from tests.games.records import block, block_hand, first_error, hand, whist

WHIST_DEAL = [
    ["6-6", "6-5", "6-4", "6-3", "6-2", "6-1", "6-0"],
    ["5-5", "5-4", "5-3", "5-2", "5-1", "5-0", "4-4"],
    ["4-3", "4-2", "4-1", "4-0", "3-3", "3-2", "3-1"],
    ["3-0", "2-2", "2-1", "2-0", "1-1", "1-0", "0-0"],
]
BLOCK_DEAL = [
    ["5-5", "5-4", "5-3", "5-2", "5-1", "5-0", "4-4"],
    ["3-3", "6-5", "6-4", "6-3", "6-2", "6-1", "6-0"],
]
OUT = (
    "3-0 1-0e 3-2w 4-1e 6-4e 2-1w 6-5e 5-3e 1-1w 5-1w 5-5w 5-2w 4-2w "
    "3-3e 4-0w 3-1e 6-0w 6-2w 2-0w pass 6-1e 5-0w pass 6-3e 5-4w"
)
OUT_LENGTH = 25
OUT_LEFT = [[], ["4-4"], ["0-0", "2-2"], ["4-3", "6-6"]]
"""Dan passed with 0 and 1 open (move 19), Cleo with 5 and 6 (move 22); then Ana is out."""
BLOCKED = "3-0 5-3w 0-0e 5-0w 2-0e 4-0w 2-1e 1-0e 6-4w 6-0w pass pass pass pass"
BLOCKED_LENGTH = 14
BLOCKED_LEFT = [
    ["1-1", "3-1", "4-4", "5-5"],
    ["3-2", "3-3", "5-1", "6-3"],
    ["2-2", "4-2", "4-3", "6-1", "6-6"],
    ["4-1", "5-2", "5-4", "6-2", "6-5"],
]


def changed(record: dict[str, Any], path: str, value: Any) -> dict[str, Any]:
    """The record with one change at a path such as ``"hands/0/opener"``; the value ``...`` removes the key."""
    record = copy.deepcopy(record)
    *way, last = [int(key) if key.isdigit() else key for key in path.split("/")]
    inside = record
    for key in way:
        inside = inside[key]
    if value is ...:
        del inside[last]
    else:
        inside[last] = value
    return record


# --- malformed ---------------------------------------------------------------------------------------------
WHOLE = whist(
    hand("6-6 6-5e pass 6-4w", deal=[["6-6", "3-0", "2-2", "2-1", "2-0", "1-1", "1-0"], None, None, None]),
    options={"target": 100, "debit": "both", "hands": None},
    meta={"event": "Club night"},
    noted=[{"hand": 0, "move": 2, "code": "wrong-pass"}],
    stopped="time",
    result={"totals": [0, 0, 0, 0], "winners": [0, 1, 2, 3]},
)
WHOLE_FINAL = whist({"opener": 0, "final": {"left": [[], ["6-4"], ["1-0"], 7], "out": 0}})
WHOLE_BLOCK = block({"leader": 0, "final": {"table": [0, 0], "left": [[], 5], "out": 0, "last": 0}})
REACHED = block({"leader": 0, "final": {"table": [150, 0], "reached": 0}}, options={"fives": True})


@pytest.mark.parametrize(
    ("path", "value", "hand_number", "move"),
    [
        ("format", ..., None, None),
        ("format", "scorekeeper-record/2", None, None),
        ("format", 1, None, None),
        ("game", ..., None, None),
        ("game", 7, None, None),
        ("players", ..., None, None),
        ("players", "Ana", None, None),
        ("players/2", 3, None, None),
        ("players/2", "\ud800", None, None),
        ("hands", ..., None, None),
        ("hands", {}, None, None),
        ("hands/0", [], 0, None),
        ("cards", [None] * 4, None, None),
        ("extra", 1, None, None),
        ("options", [], None, None),
        ("meta", [], None, None),
        ("meta/event", 1, None, None),
        ("stopped", "later", None, None),
        ("stopped", None, None, None),
        ("noted", {}, None, None),
        ("noted/0/code", "no-match", None, None),
        ("noted/0/code", ..., None, None),
        ("noted/0/hand", 1, None, None),
        ("noted/0/move", 1, None, None),
        ("noted/0/move", 99, None, None),
        ("noted/0/move", None, None, None),
        ("result/totals", ..., None, None),
        ("result/totals", [0, 0], None, None),
        ("result/totals/0", 0.0, None, None),
        ("result/totals/0", False, None, None),
        ("result/winners", [4], None, None),
        ("result/winners", [1, 1], None, None),
        ("result/extra", 1, None, None),
        ("hands/0/opener", ..., 0, None),
        ("hands/0/opener", 4, 0, None),
        ("hands/0/opener", -1, 0, None),
        ("hands/0/opener", True, 0, None),
        ("hands/0/opener", 0.0, 0, None),
        ("hands/0/leader", 0, 0, None),
        ("hands/0/tricks", [0, 0, 0, 0], 0, None),
        ("hands/0/moves", ..., 0, None),
        ("hands/0/moves", {}, 0, None),
        ("hands/0/deal", [None] * 3, 0, None),
        ("hands/0/deal/0", ["6-6"], 0, None),
        ("hands/0/deal/0/1", "6-6", 0, None),
        ("hands/0/deal/1", WHIST_DEAL[0], 0, None),
        ("hands/0/deal/0/1", "5-6", 0, None),
        ("hands/0/left", [[], [], []], 0, None),
        ("hands/0/left", [[], [], [], None], 0, None),
        ("hands/0/left", [[], [], [], -1], 0, None),
        ("hands/0/left", [[], [], [], True], 0, None),
        ("hands/0/left", [[], [], [], 1.0], 0, None),
        ("hands/0/left", [[], [], [], ["7-0"]], 0, None),
        ("hands/0/moves/1", "6-5", 0, 1),
        ("hands/0/moves/1/seat", ..., 0, 1),
        ("hands/0/moves/1/seat", 4, 0, 1),
        ("hands/0/moves/1/seat", True, 0, 1),
        ("hands/0/moves/1/seat", "1", 0, 1),
        ("hands/0/moves/1/type", ..., 0, 1),
        ("hands/0/moves/1/type", "lay", 0, 1),
        ("hands/0/moves/1/type", "roll", 0, 1),
        ("hands/0/moves/1/type", ["play"], 0, 1),
        ("hands/0/moves/1/tile", ..., 0, 1),
        ("hands/0/moves/1/tile", "5-6", 0, 1),
        ("hands/0/moves/1/tile", "6-7", 0, 1),
        ("hands/0/moves/1/tile", "6-5 ", 0, 1),
        ("hands/0/moves/1/tile", 65, 0, 1),
        ("hands/0/moves/1/end", "x", 0, 1),
        ("hands/0/moves/1/end", None, 0, 1),
        ("hands/0/moves/1/suit", 6, 0, 1),
        ("hands/0/moves/2/tile", "6-1", 0, 2),
    ],
)
def test_what_cannot_be_read_is_malformed(path: str, value: Any, hand_number: int | None, move: int | None) -> None:
    assert first_error(WHOLE) is None
    expected = {"code": "malformed", "hand": hand_number, "move": move, "proof": None}
    assert first_error(changed(WHOLE, path, value)) == expected


@pytest.mark.parametrize(
    ("record", "path", "value"),
    [
        (WHOLE_FINAL, "out", ...),
        (WHOLE_FINAL, "out", 4),
        (WHOLE_FINAL, "out", "0"),
        (WHOLE_FINAL, "left", ...),
        (WHOLE_FINAL, "bad", [1, 2]),
        (WHOLE_FINAL, "table", [0, 0, 0, 0]),
        (WHOLE_FINAL, "left", [[], [], []]),
        (WHOLE_BLOCK, "table", ...),
        (WHOLE_BLOCK, "table", [0]),
        (WHOLE_BLOCK, "table", [0, -5]),
        (WHOLE_BLOCK, "table", [0, True]),
        (WHOLE_BLOCK, "last", 2),
        (WHOLE_BLOCK, "bad", [1, 2]),
        (REACHED, "reached", 2),
        (REACHED, "reached", None),
        (REACHED, "table", ...),
        (REACHED, "left", [[], []]),
    ],
)
def test_a_final_state_that_cannot_be_read_is_malformed(record: dict[str, Any], path: str, value: Any) -> None:
    assert first_error(record) is None
    expected = {"code": "malformed", "hand": 0, "move": None, "proof": None}
    assert first_error(changed(record, f"hands/0/final/{path}", value)) == expected


WHOLE_DRAW = notation.read("[Game draw] [Players Ana Bo] 1. leader Ana 6-6 +2(1-0 6-5)? 6-5e")
WHOLE_DOMIZERKA = notation.read(
    "[Game domizerka] [Players Ana Bo Cleo] 1. dealer Cleo evens=4 -1(6-6)+(5-5) Ana: 6-5=6 final evens=4 tricks 2 4 1"
)
WHOLE_DOM = notation.read(
    "[Game dom] [Players Ana Bo] 1. dealer Bo deal (KH 2S 3S 4S 5S 6S 7S 8S) ? KH@r1c1 KD@r1c2 final points 9 9"
)
WHOLE_DOMINARDS = notation.read(
    "[Game dominards] [Players Ana Bo] [Cards (AS 2S 3S 4S QS) ?] 1. leader Ana roll(1 2) 6-6=QS 6-0n=6D "
    "final points 12 6 dropped (QS) (6D) tiles 2 0 out Bo"
)


@pytest.mark.parametrize(
    ("record", "move", "path", "values"),
    [
        (WHOLE_DRAW, 1, "count", [..., 0, 1, 3, -2, True, 2.0, "2", None]),
        (WHOLE_DRAW, 1, "tiles", ["1-0", None, [], ["1-0"], ["1-0", "1-0"], ["0-1", "6-5"], [1, 2], [["1-0"], "6-5"]]),
        (WHOLE_DRAW, 1, "drawn", [["1-0", "6-5"]]),
        (WHOLE_DRAW, 1, "end", ["e"]),
        (WHOLE_DRAW, 1, "type", ["discard", "Draw", "roll", None, [], {}]),
        (WHOLE_DRAW, 2, "claim", [{"by": "multiple"}]),
        (WHOLE_DOMIZERKA, 0, "contract", [..., None, 4, ["evens"]]),
        (WHOLE_DOMIZERKA, 0, "trump", [None, True, "4", 4.0, [4]]),
        (WHOLE_DOMIZERKA, 0, "suit", [4]),
        (WHOLE_DOMIZERKA, 1, "count", [..., None, 2, 0, True]),
        (WHOLE_DOMIZERKA, 1, "tiles", [[], ["6-6", "5-5"], "6-6", None, [None]]),
        (WHOLE_DOMIZERKA, 1, "drawn", [[], ["5-5", "5-4"], {}, ["5-6"]]),
        (WHOLE_DOMIZERKA, 2, "suit", [None, True, "6", 6.0, [6]]),
        (WHOLE_DOMIZERKA, 2, "end", ["e"]),
        (WHOLE_DOMIZERKA, 2, "type", ["draw", "pass", "place"]),
        (WHOLE_DOMIZERKA, 2, "seat", [3, -1, None]),
        (WHOLE_DOM, 1, "card", [..., "10D", "KX", "kd", "DK", 12, None, ["KD"]]),
        (WHOLE_DOM, 1, "at", [..., "r0c1", "r1c5", "r5c1", "c1r1", "R1C2", "", 2, None, [1, 2]]),
        (WHOLE_DOM, 1, "tile", ["6-6"]),
        (WHOLE_DOM, 1, "type", ["play", "pass"]),
        (WHOLE_DOMINARDS, 0, "dice", [..., None, 2, "12", ["1", 2], [1.0, 2], [True, 2], [None, 2], {"1": 2}]),
        (WHOLE_DOMINARDS, 0, "count", [2]),
        (WHOLE_DOMINARDS, 1, "claim", [None, "QS", [], {}, {"by": "card"}, {"by": "luck"}, {"by": ["card"]}]),
        (WHOLE_DOMINARDS, 1, "claim/by", ["virtual", "multiple", None]),
        (WHOLE_DOMINARDS, 1, "claim/card", [..., "12", "1S", 12, None]),
        (WHOLE_DOMINARDS, 1, "claim/drop", ["QS"]),
        (WHOLE_DOMINARDS, None, "../deal", [[["6-6"] * 6, None], [["6-6"], None], [None], [None] * 3]),
        (WHOLE_DOM, None, "../deal", [[["6-6"] * 8, None], [["KH"] * 8, None], [["KH", "2S"], None]]),
        (WHOLE_DOM, None, "../left", [[[], []]]),
        (WHOLE_DOM, None, "../tricks", [[1, 1]]),
        (WHOLE_DOM, None, "../opener", [1]),
        (WHOLE_DOMIZERKA, None, "../left", [[[], [], []]]),
        (WHOLE_DOMIZERKA, None, "../tricks", [[2, 4, 1]]),
        (WHOLE_DOMINARDS, None, "../left", [[2, 0]]),
        (WHOLE_DRAW, None, "../tricks", [[1, 1]]),
        (WHOLE_DOMIZERKA, None, "../final/contract", [..., None, 4, ["evens"]]),
        (WHOLE_DOMIZERKA, None, "../final/trump", [None, True, "4", [4]]),
        (WHOLE_DOMIZERKA, None, "../final/tricks", [..., [2, 5], [7], [8, -1, 0], [2.0, 4, 1], 7, {"0": 7}]),
        (WHOLE_DOM, None, "../final/points", [..., [9], [9, 9, 9], [9, -1], [9, True], [9.0, 9], "99", None]),
        (WHOLE_DOM, None, "../final/out", [0, None]),
        (WHOLE_DOMINARDS, None, "../final/points", [..., [12], [12, -6], [12, None]]),
        (WHOLE_DOMINARDS, None, "../final/dropped", [..., [[]], ["QS", "6D"], [["QS"], None], [["12"], []]]),
        (WHOLE_DOMINARDS, None, "../final/tiles", [..., [2], [2, -1], [["6-5", "6-4"], []]]),
        (WHOLE_DOMINARDS, None, "../final/out", [..., 2, "0", True, []]),
        (WHOLE_DOMINARDS, None, "../final/left", [[2, 0]]),
    ],
)
def test_the_moves_and_ends_of_each_game_are_read_to_the_letter(
    record: dict[str, Any], move: int | None, path: str, values: list[Any]
) -> None:
    """``path`` starts at the move, or with ``../`` at the hand."""
    assert first_error(record) is None
    path = "hands/0/" + (path.removeprefix("../") if move is None else f"moves/{move}/{path}")
    for value in values:
        expected = {"code": "malformed", "hand": 0, "move": move, "proof": None}
        assert first_error(changed(record, path, value)) == expected, value


@pytest.mark.parametrize(
    "value",
    [..., None, [], [None], [None] * 3, [["AS"], None], [["AS"] * 5, None], [["AS", "2S", "3S", "4S", "5D"]] * 2],
)
def test_the_cards_of_a_match_are_five_a_seat_and_nobodys_twice(value: Any) -> None:
    error = first_error(changed(WHOLE_DOMINARDS, "cards", value))
    expected = {"code": "malformed", "hand": None, "move": None, "proof": None}
    assert error == (None if value is ... else expected)


@pytest.mark.parametrize("value", [None, 1, True, "record", [], [{}], {}])
def test_anything_but_a_record_is_malformed(value: Any) -> None:
    error = first_error(value)
    assert error == {"code": "malformed", "hand": None, "move": None, "proof": None}


# --- settings, of every game -------------------------------------------------------------------------------
def of_game(game: str, seats: int, **more: Any) -> dict[str, Any]:
    """A record of a match without hands."""
    return {"format": "scorekeeper-record/1", "game": game, "players": ["Ana"] * seats, "hands": [], **more}


def setting_code(record: dict[str, Any]) -> str | None:
    """The code of an error of the match as a whole."""
    error = first_error(record)
    assert error is None or (error["hand"], error["move"], error["proof"]) == (None, None, None)
    return error and error["code"]


@pytest.mark.parametrize("game", ["canasta", "Domino-Whist", "draw ", "", "dominards\n", "x" * 100])
def test_a_game_is_called_by_its_exact_name(game: str) -> None:
    assert setting_code(of_game(game, 2)) == "unknown-game"


@pytest.mark.parametrize("game", GAMES)
def test_a_game_refuses_other_numbers_of_players(game: str) -> None:
    seats = {"domino-whist": [4], "domizerka": [3], "dominards": [2, 3, 4]}.get(game, [2])
    for number in range(7):
        assert setting_code(of_game(game, number)) == (None if number in seats else "wrong-seat-count")


OPTION_VALUES: dict[str, tuple[list[Any], list[Any]]] = {
    "whole": ([1, 7, 305, 10**11], [0, -1, 1.0, 0.5, True, False, "1", "", [], [1], {}, 10**12, 10**40]),
    "flag": ([True, False], [0, 1, "true", "", None, [], {}, 1.0]),
    "choice": ([], ["", "Doublet", "both ", "x", 0, 1, True, None, [], ["both"], {}]),
}
"""By kind of option: valid and invalid values."""


@pytest.mark.parametrize(("game", "option"), [(game, option) for game in GAMES for option in GAMES[game].options])
def test_an_option_takes_its_own_values_and_no_others(game: str, option: games.Option) -> None:
    seats = GAMES[game].seats[0]
    good, bad = OPTION_VALUES[option.kind]
    nothing: list[Any] = [None] if option.default is None else []
    for value in [*good, *option.choices, option.default, *nothing]:
        assert setting_code(of_game(game, seats, options={option.name: value})) is None
    for value in bad + ([] if nothing else [None]):
        assert setting_code(of_game(game, seats, options={option.name: value})) == "bad-option"
    assert setting_code(of_game(game, seats, options={option.name.upper(): option.default})) == "bad-option"


def test_the_option_of_another_game_is_none_of_this_one() -> None:
    for option, game in (("spinner", "domino-whist"), ("target", "draw"), ("points_to_win", "dom")):
        assert setting_code(of_game(game, GAMES[game].seats[0], options={option: 1})) == "bad-option"


# --- every other code, with its twin -----------------------------------------------------------------------
# A text in the notation. In <wrong|right>, the first part makes the wrong record, the second its twin.
WHIST = "[Game domino-whist] [Players Ana Bo Cleo Dan] "
BLOCK = "[Game block] [Players Ana Bo] "
DRAW = "[Game draw] [Players Ana Bo] "
FIVES = "[Game all-fives] [Players Ana Bo] "
DOMIZERKA = "[Game domizerka] [Players Ana Bo Cleo] "
DOM = "[Game dom] [Players Ana Bo] "
DOMINARDS = "[Game dominards] [Players Ana Bo Cleo] "
DOMINARDS_FOUR = "[Game dominards] [Players Ana Bo Cleo Dan] "

SIXES = "(6-6 6-5 6-4 6-3 6-2 6-1 6-0)"
FIVES_DEALT = "(5-5 5-4 5-3 5-2 5-1 5-0 4-4)"
LOWER = "(4-3 4-2 4-1 4-0 3-3 3-2 3-1)"
LOWEST = "(3-0 2-2 2-1 2-0 1-1 1-0 0-0)"
DOMIZERKA_WHOLE = """1. dealer Cleo
    domizerka 5-5 6-5 1-0 5-0=0 1-1 3-0 4-2=2 2-1 6-2 Cleo: 4-4 6-4 4-1 4-3=4 2-0 6-3 6-0=6 2-2 3-2 6-6 3-1 3-3 """
"""Twenty-two entries; the tricks are 2, 0 and 5."""
CALLED = ["zero", "domizerka", "evens=2", "odds=1"]
DEALERS = ["Cleo", "Ana", "Bo"]
TWELVE_DEALS = " ".join(f"{n + 1}. dealer {DEALERS[n % 3]} final {CALLED[n // 3]} tricks 2 4 1" for n in range(12))
DOM_WHOLE = """1. dealer Bo 7H@r1c4 AH@r1c1 AC@r2c3 8D@r4c1 2H@r3c3 TH@r3c4 5H@r3c2 4S@r4c2
    QD@r2c2 TC@r3c1 AS@r4c4 7D@r4c3 6H@r1c3 9C@r1c2 4D@r2c4 AD@r2c1 """
DOMINARDS_OUT = """[Game dominards] [Players Ana Bo]
    1. leader Ana roll(1 3 4 3) 1-1 2-1e 1-0n roll(1 1 5 2) 4-1w 5-0n 4-0w roll(6 3) 3-2e 6-3e 6-4e roll(1 5) 0-0w
    5-3n """
"""Fifteen entries; Ana is out, Bo has one tile left."""
FOUR_DROPPED = """[Game dominards] [Players Ana Bo]
    1. leader Ana final points 30 12 dropped (AS 2H KD TC) () tiles 0 3 out Ana """
FOURTEEN = "0-0 1-0 1-1 2-0 2-1 2-2 3-0 3-1 3-2 3-3 4-0 4-1 4-2"
"""With one tile more, all the boneyard."""

Twins = tuple[str, int | None, int | None, int | None]


def at(text: str, hand: int | None = 0, move: int | None = None, proof: int | None = None) -> Twins:
    """Two records in one text, and the error of the first; the proof is a move of the same hand."""
    return text, hand, move, proof


def wrong_and_right(text: str) -> tuple[dict[str, Any], dict[str, Any]]:
    assert re.search("<.*|.*>", text)
    wrong, right = (re.sub(r"<([^|>]*)\|([^>]*)>", side, text) for side in (r"\1", r"\2"))
    return notation.read(wrong), notation.read(right)


TWINS: dict[str, list[Twins]] = {
    "unknown-game": [at("[Game <canasta|dom>] [Players Ana Bo]", None)],
    "wrong-seat-count": [at("[Game dominards] [Players Ana<| Bo>]", None)],
    "bad-option": [at(WHIST + "[Options target <0|1>]", None)],
    # A hand after the end of the match: by its target, number of hands, in mid-hand, by its rules, by a last card.
    "match-over": [
        at(WHIST + "[Options target 50] 1. opener Ana final bad 9 <50|49> out Ana 2. opener Bo 6-6", 1),
        at(WHIST + "[Options hands <1|2>] 1. opener Ana final bad 9 9 out Ana 2. opener Bo 6-6", 1),
        at(DRAW + "[Options points_to_win <12|13>] 1. leader Ana final table 0 0 left () 12 out Ana 2. leader Bo", 1),
        at(FIVES + "[Options points_to_win 10] 1. leader Ana 5-5 <2. leader Ana 5-5|>", 1),
        at(FIVES + "[Options points_to_win 10] 1. leader Ana final table 10 0 <left () 5 out Bo|reached Ana>"),
        at(FIVES + "[Options points_to_win 10] 1. leader Ana final table <10|5> 0 left 3 12 out -"),
        at(FIVES + "[Options points_to_win 10] 1. leader Ana final table 10 <10|9> reached Ana"),
        at(DOM + "1. dealer Bo final points 5 6 2. dealer Ana final points 5 6 <3. dealer Bo|>", 2),
        at(DOMIZERKA + TWELVE_DEALS + " <13. dealer Cleo|>", 12),
        at(f"{FOUR_DROPPED} 2. leader Bo roll(1 1) 6-6 6-0n=6S <3. leader Bo|>", 2),
        at(DOMINARDS + "1. leader Ana final points 1 1 1 dropped (AS 2S 3S 4S <5S|>) () () tiles 1 0 1 out Bo"),
        at(
            DOMINARDS + "1. leader Ana final points 1 1 1 "
            "dropped (AS 2S 3S 4S 5S) (AD 2D 3D 4D <5D|>) () tiles 1 1 1 out -"
        ),
    ],
    # By turn; by what the last hand says; by a known deal; by a heavier double that shows up or is left.
    "wrong-leader": [
        at(WHIST + "1. opener Ana final bad 9 9 out Ana 2. opener <Ana|Bo>", 1),
        at(WHIST + "1. opener Dan final bad 9 9 out Ana 2. opener <Bo|Ana>", 1),
        at(DOMIZERKA + "1. dealer Cleo final zero tricks 7 0 0 2. dealer <Bo|Ana> zero", 1),
        at(DOM + "1. dealer Bo final points 5 6 2. dealer <Bo|Ana>", 1),
        at(DRAW + "[Options leader winner] 1. leader Ana final table 0 0 left () 12 out Ana 2. leader <Bo|Ana>", 1),
        at(DRAW + "[Options leader loser] 1. leader Ana final table 0 0 left () 12 out Ana 2. leader <Ana|Bo>", 1),
        at(DRAW + "[Options leader alternate] 1. leader Ana final table 0 0 left () 12 out Ana 2. leader <Ana|Bo>", 1),
        at(BLOCK + f"1. leader <Bo|Ana> deal {FIVES_DEALT} {LOWER}"),
        at(BLOCK + "1. leader <Bo|Ana> deal ? (6-5 6-4 6-3 6-2 6-1 6-0 5-4)"),
        at(BLOCK + f"1. leader <Bo|Ana> deal {SIXES} ?"),
        at(DOMINARDS + "1. leader <Cleo|Bo> deal ? (5-5 5-4 5-3 5-2 5-1 5-0) (6-0 4-4 4-3 4-2 4-1 4-0)"),
        at(BLOCK + "1. leader Ana 4-4 5-4e 6-4w <5-5e|5-0e>", 0, None, 3),
        at(DRAW + "1. leader Ana 4-4 5-4e 6-4w <5-5e|+1 5-5e>", 0, None, 3),
        at(DOMINARDS + "1. leader Ana roll(1 2) 5-5 6-5e <6-6e|6-1e>", 0, None, 3),
        at(BLOCK + "1. leader Ana 4-4 4-1e final table 0 0 left () (<5-5|5-0>) out Ana"),
    ],
    "hand-over": [
        at(WHIST + f"1. opener Ana {OUT} <Ana: 6-6n|>", 0, OUT_LENGTH),
        at(WHIST + f"1. opener Ana {BLOCKED} <3-0e|>", 0, BLOCKED_LENGTH),
        at(BLOCK + "1. leader Ana 6-6 pass pass <pass|>", 0, 3),
        at(FIVES + "[Options points_to_win 10] 1. leader Ana 5-5 <5-0e|>", 0, 1),
        at(DOMIZERKA + DOMIZERKA_WHOLE + "<Ana: 5-4|>", 0, 22),
        at(DOMIZERKA + DOMIZERKA_WHOLE + "<Ana: -0|>", 0, 22),
        at(DOM + DOM_WHOLE + "<KH@r1c1|>", 0, 16),
        at(DOMINARDS_OUT + "<6-5e|>", 0, 15),
        at(f"{FOUR_DROPPED} 2. leader Ana roll(1 1) 6-6=QS <Bo: 6-1e|>", 1, 2),
        at(f"{FOUR_DROPPED} 2. leader Ana roll(1 1) 6-6=QS <roll(1 1)|>", 1, 2),
    ],
    "not-your-turn": [
        at(WHIST + "1. opener Ana <Bo: 6-6|6-6>", 0, 0),
        at(WHIST + "1. opener Ana 6-6 <Cleo: 6-5e|6-5e>", 0, 1),
        at(WHIST + "1. opener Ana 6-6 <Ana: pass|pass>", 0, 1),
        at(DRAW + "1. leader Ana 6-6 <Ana: +1|+1>", 0, 1),
        at(DRAW + "1. leader Ana 6-6 +1 <Ana: 6-5e|6-5e>", 0, 2),
        at(DOMIZERKA + "1. dealer Cleo <Cleo: zero|zero>", 0, 0),
        at(DOMIZERKA + "1. dealer Cleo zero <Bo: 6-6|6-6>", 0, 1),
        at(DOMIZERKA + "1. dealer Cleo zero 6-5=5 5-4 5-5 <Ana: 6-4=4|Cleo: 6-4=4>", 0, 4),
        at(DOM + "1. dealer Bo <Bo: KH@r1c1|KH@r1c1>", 0, 0),
        at(DOM + "1. dealer Bo KH@r1c1 <Ana: KD@r1c2|KD@r1c2>", 0, 1),
        at(DOMINARDS + "1. leader Ana roll(1 1) 6-6 <Cleo: 6-5e|6-5e>", 0, 2),
        at(DOMINARDS + "1. leader Ana roll(1 1) 6-6 <Cleo: +1|+1>", 0, 2),
    ],
    "not-your-roll": [
        at(DOMINARDS + "1. leader Ana <Bo: roll(1 2)|roll(1 2)>", 0, 0),
        at(DOMINARDS + "1. leader Ana roll(1 2) <roll(1 2)|6-6>", 0, 1),
        at(DOMINARDS + "1. leader Ana roll(1 2) 6-6 <roll(1 2)|6-5e>", 0, 2),
        at(DOMINARDS + "1. leader Ana roll(1 2) 6-6 6-5e 6-4w 6-3n <Ana: roll(1 1)|roll(1 1)>", 0, 5),
    ],
    "roll-needed": [
        at(DOMINARDS + "1. leader Ana <6-6|roll(1 2) 6-6>", 0, 0),
        at(DOMINARDS + "1. leader Ana <pass|roll(1 2)>", 0, 0),
        at(DOMINARDS + "1. leader Ana roll(1 2) 6-6 6-5e 6-4w 6-3n <+1|roll(1 2) Bo: +1>", 0, 5),
    ],
    "tile-already-laid": [
        at(WHIST + "1. opener Ana 6-6 6-5e <6-5w|6-4w>", 0, 2, 1),
        at(DRAW + "1. leader Ana 6-6 +1 6-5e <6-5w|6-4w>", 0, 3, 2),
        at(DRAW + "1. leader Ana 6-6 +1(<6-6|5-0>)", 0, 1, 0),
        at(DOMIZERKA + "1. dealer Cleo zero 6-5=5 <6-5|5-4>", 0, 2, 1),
        at(DOMINARDS + "1. leader Ana roll(1 2) 6-6 <6-6e|6-5e>", 0, 2, 1),
    ],
    # Another's by the deal; not in a known hand; drawn by another, or by nobody; put out of play.
    "tile-not-held": [
        at(WHIST + f"1. opener Ana deal ? {SIXES} ? ? <6-4|5-4>", 0, 0),
        at(WHIST + f"1. opener Ana deal ? {FIVES_DEALT} ? ? 4-3 <4-2w|5-4w>", 0, 1),
        at(DRAW + "1. leader Ana 6-6 +2(5-0 6-5) 6-5e <5-0e|5-1e>", 0, 3),
        at(DRAW + "1. leader Ana deal (6-6 5-0 4-1 3-1 2-1 1-1 0-0) ? 6-6 +1(<5-0|4-0>)", 0, 1),
        at(DRAW + "1. leader Ana 6-6 +1(5-0) +1(<5-0|4-0>)", 0, 2),
        at(DOMIZERKA + f"1. dealer Cleo deal ? {FIVES_DEALT} ? zero <5-5|6-6>", 0, 1),
        at(DOMIZERKA + f"1. dealer Cleo deal {FIVES_DEALT} ? ? zero -1(<6-6|5-5>)", 0, 1),
        at(DOMIZERKA + f"1. dealer Cleo deal ? {FIVES_DEALT} ? zero -1(6-6)+(<5-5|1-1>)", 0, 1),
        at(DOMIZERKA + "1. dealer Cleo zero -1(6-6) Ana: <6-6|5-5>", 0, 2),
        at(DOMINARDS + "1. leader Ana deal (6-6 6-4 4-1 3-1 2-1 1-1) ? ? roll(1 2) 6-6 <6-4e|6-5e>", 0, 2),
    ],
    # No double leads; a heavier one was known, shows up later or is left; nobody was dealt any.
    "must-lead-double": [
        at(BLOCK + "1. leader Ana <5-4|5-5>", 0, 0),
        at(DRAW + "[Options leader winner] 1. leader Ana final table 0 0 left 3 12 out - 2. leader Bo <6-5|6-6>", 1, 0),
        at(BLOCK + f"1. leader Ana deal {FIVES_DEALT} ? <4-4|5-5>", 0, 0),
        at(BLOCK + "1. leader Ana 4-4 5-4e <5-5e|5-0e>", 0, 0, 2),
        at(DRAW + "1. leader Ana 4-4 6-4w <6-6w|+1 6-6w>", 0, 0, 2),
        at(BLOCK + "1. leader Ana 4-4 4-1e final table 0 0 left (<5-5|5-0>) () out Bo", 0, 0),
        at(BLOCK + "1. leader Ana deal (<1-0|0-0> 2-0 3-0 4-0 5-0 6-0 2-1) (3-1 4-1 5-1 6-1 3-2 4-2 5-2)"),
        at(DOMINARDS + "1. leader Ana roll(1 2) <6-5|6-6>", 0, 1),
        at(DOMINARDS + "1. leader Ana roll(1 2) 5-5 6-5e 5-1w <6-6e|5-2n>", 0, 1, 4),
    ],
    "no-such-end": [
        at(WHIST + "1. opener Ana 6-6<e|>", 0, 0),
        at(WHIST + "1. opener Ana 6-6 6-5<n|w>", 0, 1),
        at(FIVES + "1. leader Ana 5-5 5-0e <5-1n|5-1w>", 0, 2),
        at(FIVES + "[Options spinner <false|true>] 1. leader Ana 5-5 5-0e 5-1w 5-2n", 0, 3),
        at(
            FIVES + "[Options leader alternate] 1. leader Ana 5-5 final table 10 0 left () 3 out Ana "
            "2. leader Bo 6-4 6-6w 4-3e 6-1<n|w>",
            1,
            3,
        ),
        at(DOMINARDS + "1. leader Ana roll(1 2) 6-6<s|> 6-5s", 0, 1),
    ],
    "end-needed": [
        at(WHIST + "1. opener Ana 6-6 6-5<|e>", 0, 1),
        at(WHIST + "1. opener Ana 6-4 6-6w 6-1w 4-1<|e>", 0, 3),
        at(FIVES + "1. leader Ana 5-5 5-0e 5-1w 5-2<|s>", 0, 3),
        at(DOMINARDS + "1. leader Ana roll(1 2) 6-6 6-5e 5-1e 6-1<|e>", 0, 4),
    ],
    "no-match": [
        at(WHIST + "1. opener Ana 6-6 <5-4|6-4>e", 0, 1),
        at(WHIST + "1. opener Ana 6-4 6-5<e|w>", 0, 1),
        at(WHIST + "1. opener Ana 6-4 <5-3|6-3>", 0, 1),
        at(FIVES + "1. leader Ana 5-5 5-0e 5-1w 2-1<n|w>", 0, 3),
        at(DOMINARDS + "1. leader Ana roll(1 2) 6-6 6-5e <5-4w|5-4e>", 0, 3),
    ],
    # At the lead; with a tile that fits in a hand that is known; another tile than the one drawn last.
    "must-play": [
        at(WHIST + "1. opener Ana <pass|6-6>", 0, 0),
        at(WHIST + f"1. opener Ana deal ? {FIVES_DEALT} ? ? <6-5|6-6> pass", 0, 1),
        at(WHIST + f"1. opener Ana deal {SIXES} ? {LOWER} {LOWEST} <6-5|6-6> pass", 0, 1),
        at(DRAW + "1. leader Ana 6-6 +1(6-5) <6-4e|6-5e>", 0, 2),
        at(DRAW + f"1. leader Ana 6-6 +14({FOURTEEN} <6-5|5-4>) pass", 0, 2),
        at(DOMINARDS + "1. leader Ana roll(1 2) <pass|6-6>", 0, 1),
        at(DOMINARDS + "1. leader Ana roll(1 2) 6-6 +1(6-5) <6-4e|6-5e>", 0, 3),
    ],
    "must-draw": [
        at(DRAW + "1. leader Ana 6-6 <pass|+1>", 0, 1),
        at(DRAW + "1. leader Ana 6-6 +13 <pass|+1 pass>", 0, 2),
        at(BLOCK + "[Options draws <true|false>] 1. leader Ana 6-6 pass", 0, 1),
        at(DOMINARDS + "1. leader Ana roll(1 2) 6-6 <pass|+1>", 0, 2),
    ],
    # Where nothing is drawn; by the leader; more than there are; with a tile that fits, known or shown later.
    "cannot-draw": [
        at(BLOCK + "1. leader Ana 6-6 <+1|pass>", 0, 1),
        at(WHIST + "1. opener Ana 6-6 <+1|pass>", 0, 1),
        at(FIVES + "[Options draws <false|true>] 1. leader Ana 6-6 +1", 0, 1),
        at(DRAW + "1. leader Ana <+1|6-6>", 0, 0),
        at(DRAW + "1. leader Ana 6-6 +<15|14>", 0, 1),
        at(DRAW + "1. leader Ana 6-6 +14 <+1|pass>", 0, 2),
        at(DRAW + "1. leader Ana deal ? (<6-5|4-4> 5-5 5-4 5-3 5-2 5-1 5-0) 6-6 +1", 0, 1),
        at(DRAW + "1. leader Ana 6-6 +1(6-5) <+1|6-5e>", 0, 2),
        at(DRAW + "1. leader Ana 6-6 +2(<6-5 1-0|1-0 6-5>)", 0, 1),
        at(DRAW + "1. leader Ana 6-6 +1 6-5e 5-4e <6-4w|4-3e>", 0, 1, 4),
        at(DRAW + "1. leader Ana 6-6 +1 +1 6-5e 5-4e <6-4w|4-3e>", 0, 2, 5),
        at(DRAW + "1. leader Ana 6-6 +14 6-5e final table 0 0 left () (<6-4|5-4>) out Ana", 0, 1),
        at(DOMINARDS + "1. leader Ana roll(1 2) <+1|6-6>", 0, 1),
        at(DOMINARDS + "1. leader Ana roll(1 2) 6-6 +<11|10>", 0, 2),
        at(DOMINARDS + "1. leader Ana roll(1 2) 6-6 +1 6-5e 6-4w 6-3n roll(1 2) <6-2s|5-2e>", 0, 2, 7),
    ],
    "bad-contract": [
        at(DOMIZERKA + "1. dealer Cleo <6-6|zero 6-6>", 0, 0),
        at(DOMIZERKA + "1. dealer Cleo zero <odds=1|6-6>", 0, 1),
        at(DOMIZERKA + "1. dealer Cleo zero 6-6 6-5 6-4 <zero|5-5>", 0, 4),
        at(DOMIZERKA + "1. dealer Cleo evens=4 6-6 final <zero|evens=4> tricks 2 4 1"),
    ],
    "contract-used": [
        at(
            DOMIZERKA + "1. dealer Cleo final zero tricks 7 0 0 2. dealer Ana final zero tricks 7 0 0 "
            "3. dealer Bo final zero tricks 7 0 0 4. dealer Cleo <zero|domizerka>",
            3,
            0,
        ),
        at(
            DOMIZERKA + "1. dealer Cleo final evens=2 tricks 7 0 0 2. dealer Ana final zero tricks 7 0 0 "
            "3. dealer Bo final zero tricks 7 0 0 4. dealer Cleo final <evens=4|odds=1> tricks 7 0 0",
            3,
        ),
    ],
    "bad-trump": [
        at(DOMIZERKA + "1. dealer Cleo evens=<3|4>", 0, 0),
        at(DOMIZERKA + "1. dealer Cleo odds=<7|5>", 0, 0),
        at(DOMIZERKA + "1. dealer Cleo evens=<0|2>", 0, 0),
        at(DOMIZERKA + "1. dealer Cleo odds<|=1>", 0, 0),
        at(DOMIZERKA + "1. dealer Cleo zero<=0|>", 0, 0),
        at(DOMIZERKA + "1. dealer Cleo domizerka<=1|>", 0, 0),
        at(DOMIZERKA + "1. dealer Cleo final zero<=2|> tricks 2 4 1"),
        at(DOMIZERKA + "1. dealer Cleo evens=4 6-6 final evens=<2|4> tricks 2 4 1"),
    ],
    "bad-discard": [
        at(DOMIZERKA + "1. dealer Cleo <-2|zero -2>", 0, 0),
        at(DOMIZERKA + "1. dealer Cleo zero -<8|7>", 0, 1),
        at(DOMIZERKA + "1. dealer Cleo zero -4 -<4|3>", 0, 2),
        at(DOMIZERKA + "1. dealer Cleo zero -0 <Ana: -0|-0>", 0, 2),
        at(DOMIZERKA + "1. dealer Cleo zero Bo: -0 <Ana: -1|Cleo: -1>", 0, 2),
        at(DOMIZERKA + "1. dealer Cleo zero 6-6 <-0|6-5>", 0, 2),
    ],
    "suit-needed": [
        at(DOMIZERKA + "1. dealer Cleo zero 6-5<|=6>", 0, 1),
        at(DOMIZERKA + "1. dealer Cleo evens=4 <6-5|6-4>", 0, 1),
        at(DOMIZERKA + "1. dealer Cleo <domizerka|zero> 6-0", 0, 1),
        at(DOMIZERKA + "1. dealer Cleo zero 6-5=5 5-4 5-5 Cleo: 6-4<|=4>", 0, 4),
    ],
    "bad-suit": [
        at(DOMIZERKA + "1. dealer Cleo zero 6-5=<4|5>", 0, 1),
        at(DOMIZERKA + "1. dealer Cleo zero 6-5=<7|6>", 0, 1),
        at(DOMIZERKA + "1. dealer Cleo evens=4 6-4=<6|4>", 0, 1),
        at(DOMIZERKA + "1. dealer Cleo zero 6-6=6 6-5<=6|>", 0, 2),
        at(DOMIZERKA + "1. dealer Cleo zero 6-6 5-5<=5|>", 0, 2),
    ],
    # At once in a known hand; shown by a later tile of the suit; of a hand known after its exchange.
    "revoke": [
        at(DOMIZERKA + f"1. dealer Cleo deal ? {FIVES_DEALT} ? zero 6-5=5 <4-4|5-4>", 0, 2),
        at(DOMIZERKA + f"1. dealer Cleo deal ? {FIVES_DEALT} ? zero Bo: -<4|5> Ana: 6-5=5 4-4", 0, 3),
        at(DOMIZERKA + "1. dealer Cleo zero 6-5=5 4-4 5-5 Cleo: 4-3=4 4-2 <5-4|4-1>", 0, 2, 6),
        at(DOMIZERKA + "1. dealer Cleo evens=4 6-5=6 5-5 6-6 Cleo: 4-4 4-3 <6-1|6-4>", 0, 2, 6),
    ],
    "card-already-placed": [at(DOM + "1. dealer Bo KH@r1c1 <KH|KD>@r1c2", 0, 1, 0)],
    # Not in a known hand; in the other's; dropped before, by oneself or another; a sixth.
    "card-not-held": [
        at(DOM + "1. dealer Bo deal (KH 2S 3S 4S 5S 6S 7S 8S) ? <KD|KH>@r1c1", 0, 0),
        at(DOM + "1. dealer Bo deal (KH 2S 3S 4S 5S 6S 7S 8S) ? KH@r1c1 <2S|KD>@r1c2", 0, 1),
        at(DOMINARDS + "1. leader Ana roll(1 2) 6-6=QD 6-0e=<QD|QS>", 0, 2),
        at(DOMINARDS + "[Cards (AS 2S 3S 4S KS) ? ?] 1. leader Ana roll(1 2) 6-6=<QD|multiple>", 0, 1),
        at(DOMINARDS + "[Cards (AS 2S 3S 4S KS) ? (QD QS QC 2D 3D)] 1. leader Ana roll(1 2) 6-6 6-0e=<QD|QH>", 0, 2),
        at(DOMINARDS + "1. leader Ana roll(1 2 3 6) 6-6=virtual(4C) 6-0e=virtual(<4C|4D>)", 0, 2),
        at(DOMINARDS + "1. leader Ana final points 9 9 0 dropped (AS) (<AS|2S>) () tiles 0 3 2 out Ana"),
        at(DOMINARDS + "1. leader Ana final points 9 9 0 dropped (AS <AS|2S>) () () tiles 0 3 2 out Ana"),
        at(DOMINARDS + "1. leader Ana final points 9 9 0 dropped (AS 2S 3S 4S 5S <6S|>) () () tiles 0 3 2 out Ana"),
        at(f"{FOUR_DROPPED} 2. leader Ana final points 9 9 dropped () (<AS|3S>) tiles 0 3 out Ana", 1),
        at(f"{FOUR_DROPPED} 2. leader Ana roll(1 2) 1-1 1-0e=<2H|2S>", 1, 2),
    ],
    "cell-taken": [at(DOM + "1. dealer Bo KH@r1c1 KD@<r1c1|r1c2>", 0, 1, 0)],
    "corner-first": [
        at(DOM + "1. dealer Bo KH@<r1c2|r1c4>", 0, 0),
        at(DOM + "1. dealer Bo KH@<r2c2|r4c1>", 0, 0),
    ],
    "bad-roll": [
        at(DOMINARDS + "1. leader Ana roll(<1|1 1>)", 0, 0),
        at(DOMINARDS + "1. leader Ana roll(<1 2 3|1 2 3 4>)", 0, 0),
        at(DOMINARDS + "1. leader Ana roll(<|1 1>)", 0, 0),
        at(DOMINARDS + "1. leader Ana roll(1 <7|6>)", 0, 0),
        at(DOMINARDS + "1. leader Ana roll(<0|1> 1)", 0, 0),
    ],
    # A card of another value; dice that do not sum so, or too few or many of them.
    "bad-claim": [
        at(DOMINARDS + "1. leader Ana roll(1 2) 6-6=<KD|QD>", 0, 1),
        at(DOMINARDS + "1. leader Ana roll(1 2) 0-0=<AS|multiple>", 0, 1),
        at(DOMINARDS + "1. leader Ana roll(1 2) 6-6 6-2n=<2S|8S>", 0, 2),
        at(DOMINARDS + "1. leader Ana roll(<1 4|1 3>) 6-6=multiple", 0, 1),
        at(DOMINARDS + "1. leader Ana roll(<1 2 3 6|6 6>) 6-6=multiple", 0, 1),
        at(DOMINARDS + "1. leader Ana roll(1 2 3 <5|6>) 6-6=virtual(4C)", 0, 1),
        at(DOMINARDS + "1. leader Ana roll(6 6) 6-6=<virtual(4C)|multiple>", 0, 1),
    ],
    # Shown by a play, with draws before it, by what is left.
    "wrong-pass": [
        at(WHIST + "1. opener Ana 6-5 pass 6-4w 4-0w pass <5-3e|3-0w>", 0, 1, 5),
        at(DRAW + "1. leader Ana 6-6 +14 pass 6-5e <6-4w|5-4e>", 0, 2, 4),
        at(DRAW + "1. leader Ana 6-6 +13 +1 pass 6-5e 5-4e 6-4e <6-3w|pass>", 0, 3, 7),
        at(DRAW + "1. leader Ana 6-6 +14 pass 6-5e final table 0 0 left () (<6-4|5-4>) out Ana", 0, 2),
        at(WHIST + f"1. opener Ana {OUT} left () (4-4) (<4-3|0-0> 2-2) (<0-0|4-3> 6-6)", 0, 19),
        at(WHIST + f"1. opener Ana {OUT} left () (4-4) (0-0 <6-6|2-2>) (<2-2|6-6> 4-3)", 0, 22),
        at(DOMINARDS + "1. leader Ana roll(1 2) 6-6 +10 pass 6-5e 6-4w roll(1 2) <6-3n|5-3e>", 0, 3, 7),
    ],
    # Three hands that together cannot hold what nobody has shown; too few places; by what is left alone.
    "no-possible-deal": [
        at(WHIST + "1. opener Ana 6-6 pass pass pass <pass|6-5e>", 0, 4),
        at(WHIST + "1. opener Ana 6-5 pass pass <pass|6-4w>", 0, 3),
        at(WHIST + f"1. opener Ana {OUT} left 0 8 <11 12|4 19>"),
        at(DRAW + "1. leader Ana 6-6 +14 pass 6-5e 5-4e <4-3e|6-4e>", 0, 5),
        at(DOMINARDS_FOUR + "1. leader Ana deal (<0-0|2-2> 1-0 2-0 3-0 4-0 5-0) ? ? ? roll(1 1) <0-0|2-2>", 0, 1),
        at(DOMIZERKA + f"1. dealer Cleo deal ? {FIVES_DEALT} ? zero Bo: -5 Ana: 6-5=5 5-0 6-6 4-3=4 <2-2|4-4>", 0, 6),
    ],
    "left-mismatch": [
        # Not as many; laid; held twice; pips that cannot be; not said though another hand follows.
        at(WHIST + f"1. opener Ana {OUT} left () (<|4-4>) (0-0 2-2) (4-3 6-6)"),
        at(WHIST + f"1. opener Ana {OUT} left (<4-4|>) (<|4-4>) (0-0 2-2) (4-3 6-6)"),
        at(WHIST + f"1. opener Ana {OUT} left () (<3-0|4-4>) (0-0 2-2) (4-3 6-6)"),
        at(WHIST + f"1. opener Ana {OUT} left () (<6-6|4-4>) (0-0 2-2) (4-3 6-6)"),
        at(WHIST + f"1. opener Ana {OUT} left 0 8 4 <18|19>"),
        at(WHIST + f"1. opener Ana {OUT} left <1 8 4 18|0 8 4 19>"),
        at(WHIST + f"1. opener Ana {BLOCKED} <2. opener Bo 6-6|>"),
        # By the final state: out with something left, nothing left without being out, what no hands can have.
        at(WHIST + "1. opener Ana final left <3|0> 5 5 5 out Ana"),
        at(WHIST + "1. opener Ana final left 0 (<|6-1>) 5 5 out Ana"),
        at(WHIST + "1. opener Ana final bad <0|2> 12 out -"),
        at(WHIST + "1. opener Ana 6-6 6-5e final left () (<6-5|6-1>) 5 5 out Ana"),
        at(DRAW + "1. leader Ana final table 0 0 left () <169|15> out Ana"),
        at(BLOCK + f"1. leader Ana final table 0 0 left () <{sum(range(6, 13)) + 30}|5> out Ana"),
        at(DRAW + "1. leader Ana final table <5|0> 0 left () 5 out Ana"),
        at(FIVES + "1. leader Ana 5-5 final table <5|10> 0 left () 5 out Ana"),
        at(DRAW + "[Options block_award last] 1. leader Ana final table 0 0 left () 5 out Ana last <Bo|Ana>"),
        at(DRAW + f"1. leader Ana deal ? {FIVES_DEALT} 6-6 +14 pass 6-5e final table 0 0 left (<5-0|6-0>) () out Bo"),
        at(DOM + "1. dealer Bo TH@r1c1 final points <5|6> 9"),
        at(DOM + DOM_WHOLE + "final points 69 <101|100>"),
        at(DOMINARDS + "1. leader Ana final points 9 9 0 dropped (AS) () () tiles <1|0> 3 2 out Ana"),
        at(DOMINARDS + "1. leader Ana final points 9 9 0 dropped (AS) () () tiles 0 <0|3> 2 out Ana"),
        at(
            DOMINARDS + "1. leader Ana roll(1 2) 6-6=QS final points <11|12> 0 0 dropped (QS) () () tiles 0 3 2 out Ana"
        ),
        at(
            DOMINARDS + "1. leader Ana roll(1 2) 6-6=QS final points 12 0 0 dropped (<QD|QS>) () () tiles 0 3 2 out Ana"
        ),
        at(DOMINARDS_OUT + "left () (<6-5 6-6|6-5>)"),
    ],
    "tricks-mismatch": [
        at(DOMIZERKA + "1. dealer Cleo final zero tricks 2 4 <2|1>"),
        at(DOMIZERKA + "1. dealer Cleo final zero tricks <0|1> 4 2"),
        at(DOMIZERKA + DOMIZERKA_WHOLE + "tricks 2 <1 4|0 5>"),
        at(DOMIZERKA + DOMIZERKA_WHOLE + "final domizerka tricks 2 <1 4|0 5>"),
        at(DOMIZERKA + "1. dealer Cleo evens=4 6-5=6 6-3 6-1 5-5 final evens=4 tricks <0 6|6 0> 1"),
    ],
    # An earlier hand that stops before its end; what is said of an end that has not come; a target not reached.
    "hand-unfinished": [
        at(WHIST + "1. opener Ana 6-6 6-5e <2. opener Bo 6-6|>"),
        at(WHIST + "1. opener Ana <2. opener Bo|>"),
        at(WHIST + "1. opener Ana 6-6 6-5e <left 1 2 3 4|>"),
        at(DRAW + "1. leader Ana 6-6 6-5e <2. leader Ana 6-6|>"),
        at(FIVES + "[Options points_to_win 10] 1. leader Ana final table <9|10> 5 reached Ana"),
        at(FIVES + "[Options points_to_win 10] 1. leader Ana final table 10 5 reached <Bo|Ana>"),
        at(
            FIVES + "[Options points_to_win 20] 1. leader Ana final table 10 0 left () 5 out Ana "
            "2. leader Ana final table <4|5> 0 reached Ana",
            1,
        ),
        at(DOMIZERKA + "1. dealer Cleo zero 6-5=5 5-4 5-5 <tricks 0 0 1|>"),
        at(DOMIZERKA + "1. dealer Cleo zero <2. dealer Ana zero|>"),
        at(DOM + "1. dealer Bo KH@r1c1 <2. dealer Ana KH@r1c1|>"),
        at(DOMINARDS + "1. leader Ana roll(1 2) <2. leader Ana roll(1 2)|>"),
    ],
    "result-mismatch": [
        at(WHIST + "[Result 30 25 30 25 <won Bo Dan|>] 1. opener Ana final bad 30 25 out Ana", None),
        at(WHIST + "[Result <25 30 25 30|30 25 30 25>] 1. opener Ana final bad 30 25 out Ana", None),
        at(WHIST + "[Options hands 1] [Result 30 25 30 25 won Bo <|Dan>] 1. opener Ana final bad 30 25 out Ana", None),
        at(WHIST + "[Stopped abandoned] [Result 9 8 9 8 <won Bo Dan|>] 1. opener Ana final bad 9 8 out Ana", None),
        at(DOMIZERKA + "[Result 3 -2 <1|-1>] 1. dealer Cleo final zero tricks 7 0 0", None),
        at(FIVES + "[Options points_to_win 10] [Result 10 0 <|won Ana>] 1. leader Ana 5-5", None),
    ],
}


TWIN_CASES = [
    pytest.param(code, *twins, id=f"{code}-{number}")
    for code, every in TWINS.items()
    for number, twins in enumerate(every)
]


@pytest.mark.parametrize(("code", "text", "hand", "move", "proof"), TWIN_CASES)
def test_the_wrong_record_gives_the_code_and_its_twin_is_valid(
    code: str, text: str, hand: int | None, move: int | None, proof: int | None
) -> None:
    wrong, right = wrong_and_right(text)
    assert first_error(right) is None
    shown = None if proof is None else {"hand": hand, "move": proof}
    assert first_error(wrong) == {"code": code, "hand": hand, "move": move, "proof": shown}


@pytest.mark.parametrize(("code", "text", "hand", "move", "proof"), TWIN_CASES)
def test_an_error_leaves_the_hands_before_it_and_a_wrong_result_leaves_all(
    code: str, text: str, hand: int | None, move: int | None, proof: int | None
) -> None:
    wrong, _ = wrong_and_right(text)
    verdict = games.verify(wrong)
    if hand is None and code != "result-mismatch":
        assert (verdict["hands"], verdict["totals"]) == ([], [])
        return
    before = games.verify(
        {key: value for key, value in wrong.items() if key != "result"} | {"hands": wrong["hands"][:hand]}
    )
    assert before["valid"]
    assert (verdict["hands"], verdict["totals"]) == (before["hands"], before["totals"])
    if code != "result-mismatch":
        assert (verdict["finished"], verdict["winners"]) == (False, [])


def test_every_code_has_its_record() -> None:
    assert [*TWINS] == [code for code in Code if code != Code.MALFORMED]


# --- which error is named ----------------------------------------------------------------------------------
# Moves before, then moves that are wrong in several ways: each has all the faults of the one before it but the first.
ORDER: list[tuple[str, list[tuple[str, str]]]] = [
    (
        WHIST + f"1. opener Ana deal ? {FIVES_DEALT} ? ? 6-6",
        [
            ("Cleo: 6-6n", "not-your-turn"),
            ("6-6n", "tile-already-laid"),
            ("6-5n", "tile-not-held"),
            ("5-5n", "no-such-end"),
            ("5-5w", "no-match"),
        ],
    ),
    (
        WHIST + "1. opener Ana 6-5 pass 6-4w 4-0w pass",
        [("5-3n", "no-such-end"), ("5-3w", "no-match"), ("5-3e", "wrong-pass")],
    ),
    (WHIST + "1. opener Ana 6-6 pass 6-4e 4-3e 6-3e", [("6-2", "end-needed"), ("6-2e", "wrong-pass")]),
    (
        BLOCK + "1. leader Ana deal (5-5 5-4 5-3 5-2 5-1 5-0 4-4) ?",
        [
            ("Bo: 6-4e", "not-your-turn"),
            ("6-4e", "tile-not-held"),
            ("5-4e", "must-lead-double"),
            ("5-5e", "no-such-end"),
        ],
    ),
    (
        DRAW + "1. leader Ana deal (6-6 6-1 4-3 4-1 3-1 2-1 1-1) ? 6-6 +1(6-5)",
        [
            ("Ana: 6-6n", "not-your-turn"),
            ("6-6n", "tile-already-laid"),
            ("6-1n", "tile-not-held"),
            ("6-4n", "no-such-end"),
            ("5-4", "no-match"),
            ("6-4", "end-needed"),
            ("6-4w", "must-play"),
        ],
    ),
    (DRAW + "1. leader Ana 6-6 +14 pass 6-5e", [("6-4n", "no-such-end"), ("6-4e", "no-match"), ("6-4w", "wrong-pass")]),
    (
        DOMINARDS + "1. leader Ana roll(1 1) 6-6 6-5e 6-4w 6-3n",
        [("Cleo: 6-6e", "not-your-turn"), ("6-6e", "roll-needed"), ("roll(7)", "bad-roll")],
    ),
    (
        DOMINARDS + "1. leader Ana roll(1 1) 6-6 6-5e 6-4w 6-3n",
        [("Cleo: roll(7)", "not-your-roll"), ("roll(7)", "bad-roll")],
    ),
    (
        DOMINARDS + "1. leader Ana deal ? (5-5 5-4 5-3 5-2 5-1 6-1) ? roll(1 1) 6-6=QD",
        [
            ("Cleo: 6-6=QD", "not-your-turn"),
            ("6-6=QD", "tile-already-laid"),
            ("6-5=QD", "tile-not-held"),
            ("6-1=QD", "end-needed"),
            ("5-5w=QD", "no-match"),
            ("6-1w=QD", "card-not-held"),
            ("6-1w=2D", "bad-claim"),
        ],
    ),
    (
        DOMINARDS + "1. leader Ana roll(1 2) 6-6 +10 pass 6-5e 6-4w roll(1 2)",
        [("6-3=QD", "end-needed"), ("6-3n=QD", "bad-claim"), ("6-3n", "wrong-pass")],
    ),
    (DOMINARDS + "1. leader Ana roll(1 2)", [("6-5e=KD", "must-lead-double"), ("6-6e=KD", "no-such-end")]),
    (
        DOMIZERKA + f"1. dealer Cleo deal ? {FIVES_DEALT} ?",
        [("Bo: 5-5=4", "not-your-turn"), ("5-5=4", "tile-not-held"), ("6-6=4", "bad-contract")],
    ),
    (
        DOMIZERKA + f"1. dealer Cleo deal ? {FIVES_DEALT} ? zero 6-5=5",
        [
            ("Cleo: 6-5=4", "not-your-turn"),
            ("6-5=4", "tile-already-laid"),
            ("6-4=4", "tile-not-held"),
            ("4-4=4", "bad-suit"),
            ("4-4", "revoke"),
        ],
    ),
    (
        DOMIZERKA + "1. dealer Cleo final zero tricks 7 0 0 2. dealer Ana final zero tricks 7 0 0 "
        "3. dealer Bo final zero tricks 7 0 0 4. dealer Cleo",
        [("Bo: zero=1", "not-your-turn"), ("zero=1", "contract-used"), ("domizerka=1", "bad-trump")],
    ),
    (
        DOMIZERKA + "1. dealer Cleo zero 6-5=5 4-4 5-5 Cleo: 4-3=4 4-2",
        [("5-4=3", "bad-suit"), ("5-4", "revoke")],
    ),
    (
        DOM + "1. dealer Bo deal (KH 2S 3S 4S 5S 6S 7S 8S) ?",
        [("Bo: KD@r1c2", "not-your-turn"), ("KD@r1c2", "card-not-held"), ("KH@r1c2", "corner-first")],
    ),
    (
        DOM + "1. dealer Bo deal (KH 2S 3S 4S 5S 6S 7S 8S) ? KH@r1c1",
        [
            ("Ana: KH@r1c1", "not-your-turn"),
            ("KH@r1c1", "card-already-placed"),
            ("2S@r1c1", "card-not-held"),
            ("KD@r1c1", "cell-taken"),
        ],
    ),
]


@pytest.mark.parametrize(("before", "faults"), ORDER)
def test_the_first_fault_of_a_move_is_the_one_that_is_named(before: str, faults: list[tuple[str, str]]) -> None:
    assert first_error(notation.read(before)) is None
    for move, code in faults:
        assert (move, first_error(notation.read(f"{before} {move}"))["code"]) == (move, code)


@pytest.mark.parametrize(
    ("ended", "late"),
    [
        (WHIST + f"1. opener Ana {OUT}", "Ana: 6-6n"),
        (FIVES + "[Options points_to_win 10] 1. leader Ana 5-5", "Ana: 5-5n"),
        (DOMIZERKA + DOMIZERKA_WHOLE, "Ana: 6-6=3"),
        (DOM + DOM_WHOLE, "Bo: 7H@r1c4"),
        (DOMINARDS_OUT, "Ana: 1-1=8S"),
        (DOMINARDS_OUT, "Ana: roll(7)"),
    ],
)
def test_after_the_end_of_a_hand_nothing_else_is_looked_at(ended: str, late: str) -> None:
    assert first_error(notation.read(ended)) is None
    assert first_error(notation.read(f"{ended} {late}"))["code"] == "hand-over"


def test_a_hand_after_the_end_is_refused_before_its_leader_and_its_moves_are_looked_at() -> None:
    ended = WHIST + "[Options hands 1] 1. opener Ana final bad 30 25 out Ana"
    assert first_error(notation.read(ended)) is None
    for late in ("2. opener Dan 6-6e", "2. opener Bo pass"):
        assert first_error(notation.read(f"{ended} {late}"))["code"] == "match-over"


def test_a_record_is_read_whole_before_anything_in_it_is_judged() -> None:
    wrong = whist(hand("6-6 5-4e"), hand("6-6"))
    assert first_error(wrong)["code"] == "no-match"
    assert first_error(changed(wrong, "hands/1/moves/0/tile", "7-7")) == {
        "code": "malformed",
        "hand": 1,
        "move": 0,
        "proof": None,
    }
    assert first_error(changed(wrong, "options", {"target": 0}))["code"] == "bad-option"
    assert first_error(changed(wrong, "result", {}))["code"] == "malformed"


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        # A record ends at its first error. What is left, tricks and result are compared after all moves.
        (WHIST + f"[Result 1 2 1 2] 1. opener Ana {OUT} 6-6e left () () () ()", ["hand-over"]),
        (WHIST + f"[Result 1 2 1 2] 1. opener Ana {OUT} left () () () ()", ["left-mismatch"]),
        (WHIST + f"[Result 1 2 1 2] 1. opener Ana {OUT} left () (4-4) (0-0 2-2) (4-3 6-6)", ["result-mismatch"]),
        (WHIST + f"1. opener Ana {OUT} left () (4-4) (0-0 2-2) (4-3 6-6)", []),
        (DOMIZERKA + "[Result 1 2 3] " + DOMIZERKA_WHOLE + "Ana: 6-6 tricks 7 0 0", ["hand-over"]),
        (DOMIZERKA + "[Result 1 2 3] " + DOMIZERKA_WHOLE + "tricks 7 0 0", ["tricks-mismatch"]),
        (DOMIZERKA + "[Result 1 2 3] " + DOMIZERKA_WHOLE + "tricks 2 0 5", ["result-mismatch"]),
        (DOMIZERKA + DOMIZERKA_WHOLE + "tricks 2 0 5", []),
    ],
)
def test_the_end_of_a_hand_is_compared_after_its_moves_and_the_result_last(text: str, codes: list[str]) -> None:
    assert [error["code"] for error in games.verify(notation.read(text))["errors"]] == codes


def test_a_tile_laid_where_the_deal_says_another_has_it_is_named_before_the_wrong_lead() -> None:
    assert first_error(block(block_hand("5-4", deal=[BLOCK_DEAL[1], None])))["code"] == "tile-not-held"


# --- what the table let stand ------------------------------------------------------------------------------
REVOKED = DOMIZERKA_WHOLE.replace("5-5 6-5 1-0 5-0=0 1-1", "5-5 1-1! 1-0 5-0=0 6-5")
# Each with the entry at fault, its proof, and the points of the hand. With ? instead of ! the entry was noted.
NOTED: list[tuple[str, str, int, int | None, list[int]]] = [
    ("wrong-pass", FIVES + "1. leader Ana 5-5 +14 pass! 5-0e 5-1w", 2, 4, [20, 0]),
    (
        "wrong-pass",
        WHIST + f"1. opener Ana {OUT.replace('pass', 'pass!', 1)} left () (4-4) (4-3 2-2) (0-0 6-6)",
        19,
        None,
        [11, 20, 11, 20],
    ),
    ("cannot-draw", FIVES + "1. leader Ana 5-5 +1! 5-0e 5-1w 5-4n", 1, 4, [10, 15]),
    ("cannot-draw", DOMINARDS + "1. leader Ana roll(1 2) 6-6 +1! 6-5e 6-4w 6-3n roll(1 2) 6-2s=AS", 2, 7, [0, 14, 0]),
    ("revoke", DOMIZERKA + REVOKED, 2, 5, [-1, 2, -1]),
    ("revoke", DOMIZERKA + f"1. dealer Cleo deal ? {FIVES_DEALT} ? zero 6-5=5 4-4!", 2, None, [0, 0, 0]),
]


@pytest.mark.parametrize(("code", "text", "move", "proof", "points"), NOTED)
def test_an_irregularity_that_was_noted_is_given_back_and_the_hand_scored_as_played(
    code: str, text: str, move: int, proof: int | None, points: list[int]
) -> None:
    shown = None if proof is None else {"hand": 0, "move": proof}
    unnoted = notation.read(text.replace("!", ""))
    assert first_error(unnoted) == {"code": code, "hand": 0, "move": move, "proof": shown}
    noted = [{"hand": 0, "move": move, "code": code}]
    verdict = games.verify({**unnoted, "noted": noted})
    assert (verdict["errors"], verdict["irregularities"], verdict["hands"]) == ([], noted, [points])
    assert verdict == games.verify(notation.read(text.replace("!", "?")))


@pytest.mark.parametrize(
    ("code", "text"),
    [
        ("must-draw", DRAW + "1. leader Ana 6-6 pass?"),
        ("must-play", WHIST + "1. opener Ana pass?"),
        ("not-your-turn", WHIST + "1. opener Ana 6-6 Cleo: pass?"),
        ("cannot-draw", DRAW + "1. leader Ana 6-6 +15?"),
        ("cannot-draw", DRAW + "1. leader Ana +1?"),
        ("cannot-draw", BLOCK + "1. leader Ana 6-6 +1?"),
        ("roll-needed", DOMINARDS + "1. leader Ana pass?"),
        ("suit-needed", DOMIZERKA + "1. dealer Cleo zero 6-5?"),
        ("tile-already-laid", DOMIZERKA + "1. dealer Cleo zero 6-5=5 6-5?"),
    ],
)
def test_a_note_excuses_nothing_else(code: str, text: str) -> None:
    assert first_error(notation.read(text))["code"] == code


# --- the lead by the heaviest double ----------------------------------------------------------------------
DOUBLE_LESS = ["6-5", "6-4", "6-3", "6-2", "6-1", "6-0", "5-4"]


@pytest.mark.parametrize(
    ("deal", "leader", "error"),
    [
        ([BLOCK_DEAL[0], None], 0, None),
        ([None, BLOCK_DEAL[1]], 0, None),
        ([None, BLOCK_DEAL[0]], 0, None),
        (BLOCK_DEAL, 0, None),
        (BLOCK_DEAL, 1, "wrong-leader"),
        ([None, ["6-6", "6-5", "6-4", "6-3", "6-2", "6-1", "6-0"]], 0, "wrong-leader"),
        ([DOUBLE_LESS, None], 0, "wrong-leader"),
        ([None, DOUBLE_LESS], 0, None),
        ([DOUBLE_LESS, None], 1, None),
    ],
)
def test_who_cannot_lead_by_the_known_hands_is_refused_before_the_first_move(
    deal: list[Any], leader: int, error: str | None
) -> None:
    record = block({"leader": leader, "moves": [], "deal": deal})
    expected = error and {"code": error, "hand": 0, "move": None, "proof": None}
    assert first_error(record) == expected


def test_an_error_can_be_sent_from_one_process_to_another() -> None:
    with pytest.raises(games.GameError) as refused:
        games.Match.new("nothing", {}, ())
    sent = pickle.loads(pickle.dumps(refused.value))
    assert type(sent) is type(refused.value)
    assert (sent.as_json(), str(sent), sent.field) == (refused.value.as_json(), str(refused.value), None)
