"""Each code of the record format: a record that gives it, and its near twin that does not."""

import copy
from typing import Any

import pytest

from games import Code
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
FINAL: dict[str, Any] = {"opener": 0, "final": {"bad": [30, 25], "out": 0}}


def finals(count: int, **more: Any) -> list[dict[str, Any]]:
    return [{**FINAL, "opener": at % 4, **more} for at in range(count)]


def changed(record: dict[str, Any], path: str, value: Any) -> dict[str, Any]:
    """The record with one thing in it changed, ``"hands/0/opener"``; the value ``...`` takes it out."""
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


@pytest.mark.parametrize("value", [None, 1, True, "record", [], [{}], {}])
def test_anything_but_a_record_is_malformed(value: Any) -> None:
    error = first_error(value)
    assert error == {"code": "malformed", "hand": None, "move": None, "proof": None}


# --- every other code, with its twin ----------------------------------------------------------------------
def case(code: str, wrong: dict[str, Any], right: dict[str, Any], *place: Any) -> Any:
    """``place``: hand, move and the move that proves it (in the same hand)."""
    return pytest.param(code, wrong, right, (*place, None, None, None)[:3], id=f"{code}-{place}")


def left(moves: str, right: Any, wrong: Any) -> tuple[dict[str, Any], dict[str, Any]]:
    return whist(hand(moves, left=wrong)), whist(hand(moves, left=right))


TWINS = [
    case("unknown-game", changed(whist(), "game", "canasta"), whist()),
    case("unknown-game", changed(whist(), "game", "Domino-Whist"), whist()),
    case("wrong-seat-count", changed(whist(), "players", ["A", "B", "C"]), whist()),
    case("wrong-seat-count", changed(block(), "players", ["A", "B", "C"]), block()),
    case("wrong-seat-count", changed(whist(), "players", []), whist()),
    case("bad-option", whist(options={"target": 0}), whist(options={"target": 1})),
    case("bad-option", whist(options={"target": True}), whist(options={"target": 1})),
    case("bad-option", whist(options={"target": 100.0}), whist(options={"target": 100})),
    case("bad-option", whist(options={"target": None}), whist(options={"hands": None})),
    case("bad-option", whist(options={"debit": "lower"}), whist(options={"debit": "higher"})),
    case("bad-option", whist(options={"spinner": True}), block(options={"spinner": True})),
    case("bad-option", block(options={"spinner": 1}), block(options={"spinner": False})),
    case("bad-option", block(options={"leader": "host"}), block(options={"leader": "loser"})),
    case("bad-option", whist(options={"hands": 0}), whist(options={"hands": 1})),
    case("match-over", whist(*finals(5)), whist(*finals(4)), 4),
    case("match-over", whist(*finals(3), options={"hands": 2}), whist(*finals(2), options={"hands": 2}), 2),
    case("wrong-leader", whist(FINAL, {**FINAL, "opener": 0}), whist(FINAL, {**FINAL, "opener": 1}), 1),
    case(
        "wrong-leader", whist(FINAL, {**FINAL, "opener": 2}), whist({**FINAL, "opener": 1}, {**FINAL, "opener": 2}), 1
    ),
    case("wrong-leader", block(block_hand("4-4 5-4e 6-4w 5-5e")), block(block_hand("4-4 5-4e 6-4w 5-0e")), 0, None, 3),
    case("must-lead-double", block(block_hand("4-4 5-4e 5-5e")), block(block_hand("4-4 5-4e 5-0e")), 0, 0, 2),
    case("must-lead-double", block(block_hand("5-4")), block(block_hand("5-5")), 0, 0),
    case(
        "wrong-leader",
        block({"leader": 1, "moves": [], "deal": BLOCK_DEAL}),
        block({"leader": 0, "moves": [], "deal": BLOCK_DEAL}),
        0,
    ),
    case(
        "must-lead-double",
        block(block_hand("4-4", deal=BLOCK_DEAL)),
        block(block_hand("5-5", deal=BLOCK_DEAL)),
        0,
        0,
    ),
    case(
        "must-lead-double",
        block(
            {
                "leader": 0,
                "moves": [],
                "deal": [
                    ["1-0", "2-0", "3-0", "4-0", "5-0", "6-0", "2-1"],
                    ["3-1", "4-1", "5-1", "6-1", "3-2", "4-2", "5-2"],
                ],
            }
        ),
        block(
            {
                "leader": 0,
                "moves": [],
                "deal": [
                    ["0-0", "2-0", "3-0", "4-0", "5-0", "6-0", "2-1"],
                    ["3-1", "4-1", "5-1", "6-1", "3-2", "4-2", "5-2"],
                ],
            }
        ),
        0,
    ),
    case("hand-over", whist(hand(f"{OUT} pass")), whist(hand(OUT)), 0, OUT_LENGTH),
    case("hand-over", whist(hand(f"{BLOCKED} 3-0e")), whist(hand(BLOCKED)), 0, BLOCKED_LENGTH),
    case("not-your-turn", whist(hand("6-6 2:6-5e")), whist(hand("6-6 1:6-5e")), 0, 1),
    case("not-your-turn", whist(hand("1:6-6")), whist(hand("6-6")), 0, 0),
    case("not-your-turn", whist(hand("6-6 0:pass")), whist(hand("6-6 1:pass")), 0, 1),
    case("tile-already-laid", whist(hand("6-6 6-5e 6-5w")), whist(hand("6-6 6-5e 6-4w")), 0, 2, 1),
    case(
        "tile-not-held",
        whist(hand("6-6 5-5e", deal=[None, WHIST_DEAL[0], None, None])),
        whist(hand("6-4 5-4e", deal=[None, WHIST_DEAL[1], None, None])),
        0,
        0,
    ),
    case(
        "tile-not-held",
        whist(hand("5-4 4-3e", deal=[None, WHIST_DEAL[1], None, None])),
        whist(hand("4-3 5-4w", deal=[None, WHIST_DEAL[1], None, None])),
        0,
        0,
    ),
    case("no-such-end", whist(hand("6-6e")), whist(hand("6-6")), 0, 0),
    case("no-such-end", whist(hand("6-6 6-5n")), whist(hand("6-6 6-5w")), 0, 1),
    case(
        "no-such-end",
        block(block_hand("6-6 6-5w 6-4n"), options={"spinner": True}),
        block(block_hand("6-6 6-5w 6-4e"), options={"spinner": True}),
        0,
        2,
    ),
    case(
        "no-such-end",
        block(block_hand("6-6 6-5w 6-4e 6-3n")),
        block(block_hand("6-6 6-5w 6-4e 6-3n"), options={"spinner": True}),
        0,
        3,
    ),
    case("end-needed", whist(hand("6-6 6-5")), whist(hand("6-6 6-5e")), 0, 1),
    case("end-needed", whist(hand("6-4 6-6w 6-1w 4-1")), whist(hand("6-4 6-6w 6-1w 4-1e")), 0, 3),
    case("no-match", whist(hand("6-6 5-4e")), whist(hand("6-6 6-4e")), 0, 1),
    case("no-match", whist(hand("6-4 6-5e")), whist(hand("6-4 6-5w")), 0, 1),
    case("no-match", whist(hand("6-4 5-3")), whist(hand("6-4 6-3")), 0, 1),
    case("must-play", whist(hand("pass")), whist(hand("6-6")), 0, 0),
    case(
        "must-play",
        whist(hand("6-5 pass", deal=[None, WHIST_DEAL[1], None, None])),
        whist(hand("6-6 pass", deal=[None, WHIST_DEAL[1], None, None])),
        0,
        1,
    ),
    case(
        "must-play",
        whist(hand("6-5 pass", deal=[WHIST_DEAL[0], None, *WHIST_DEAL[2:]])),
        whist(hand("6-6 pass", deal=[WHIST_DEAL[0], None, *WHIST_DEAL[2:]])),
        0,
        1,
    ),
    case(
        "cannot-draw",
        block({"leader": 0, "moves": [*block_hand("6-6")["moves"], {"seat": 1, "type": "draw", "count": 1}]}),
        block(block_hand("6-6 pass")),
        0,
        1,
    ),
    case(
        "wrong-pass", whist(hand("6-5 pass 6-4w 4-0w pass 5-3e")), whist(hand("6-5 pass 6-4w 4-0w pass 3-0w")), 0, 1, 5
    ),
    case(
        "no-possible-deal",
        whist(hand("6-6 pass pass pass pass")),
        whist(hand("6-6 pass pass pass 6-5e")),
        0,
        4,
    ),
    case("wrong-pass", *left(OUT, OUT_LEFT, [[], ["4-4"], ["4-3", "2-2"], ["0-0", "6-6"]]), 0, 19),
    case("wrong-pass", *left(OUT, OUT_LEFT, [[], ["4-4"], ["0-0", "6-6"], ["2-2", "4-3"]]), 0, 22),
    case("left-mismatch", *left(OUT, OUT_LEFT, [[], [], ["0-0", "2-2"], ["4-3", "6-6"]]), 0),
    case("left-mismatch", *left(OUT, OUT_LEFT, [["4-4"], [], ["0-0", "2-2"], ["4-3", "6-6"]]), 0),
    case("left-mismatch", *left(OUT, OUT_LEFT, [[], ["3-0"], ["0-0", "2-2"], ["4-3", "6-6"]]), 0),
    case("left-mismatch", *left(OUT, OUT_LEFT, [[], ["6-6"], ["0-0", "2-2"], ["4-3", "6-6"]]), 0),
    case("left-mismatch", *left(OUT, [0, 8, 4, 19], [0, 8, 4, 18]), 0),
    case("left-mismatch", *left(OUT, [0, 8, 4, 19], [1, 8, 4, 18]), 0),
    case(
        "left-mismatch",
        whist(hand(BLOCKED), hand("6-6", 1)),
        whist(hand(BLOCKED, left=BLOCKED_LEFT), hand("6-6", 1)),
        0,
    ),
    case("no-possible-deal", *left(OUT, [0, 8, 4, 19], [0, 8, 11, 12]), 0),
    case("hand-unfinished", whist(hand("6-6 6-5e"), hand("6-6", 1)), whist(hand("6-6 6-5e")), 0),
    case("hand-unfinished", whist(hand("6-6 6-5e", left=[1, 2, 3, 4])), whist(hand("6-6 6-5e")), 0),
    case(
        "result-mismatch",
        whist(FINAL, result={"totals": [30, 25, 30, 25], "winners": [1, 3]}),
        whist(FINAL, result={"totals": [30, 25, 30, 25], "winners": []}),
    ),
    case("result-mismatch", whist(FINAL, result={"totals": [25, 30, 25, 30], "winners": []}), whist(FINAL)),
]


@pytest.mark.parametrize(("code", "wrong", "right", "place"), TWINS)
def test_the_wrong_record_gives_the_code_and_its_twin_is_valid(
    code: str, wrong: dict[str, Any], right: dict[str, Any], place: tuple[Any, ...]
) -> None:
    assert first_error(right) is None
    hand_number, move, proof = place
    expected_proof = None if proof is None else {"hand": hand_number, "move": proof}
    assert first_error(wrong) == {"code": code, "hand": hand_number, "move": move, "proof": expected_proof}


def test_every_code_these_games_can_give_has_its_record() -> None:
    of_later_games = {*"not-your-roll roll-needed must-draw bad-contract contract-used bad-trump bad-discard suit-needed bad-suit".split(), *"revoke card-already-placed card-not-held cell-taken corner-first bad-roll bad-claim tricks-mismatch".split()}
    assert {twin.values[0] for twin in TWINS} | {"malformed"} | of_later_games == set(map(str, Code))


def test_the_first_error_in_a_move_is_the_one_that_is_named() -> None:
    """In the order of the format's page, each next record has all the faults but the first."""
    deal = [None, WHIST_DEAL[1], None, None]
    ended = hand(OUT + " 0:6-6n")
    assert first_error(whist(ended))["code"] == "hand-over"
    faults = ["2:6-6n", "1:6-6n", "1:6-5n", "1:5-5n", "1:5-5w"]
    codes = ["not-your-turn", "tile-already-laid", "tile-not-held", "no-such-end", "no-match"]
    assert [first_error(whist(hand(f"6-6 {fault}", deal=deal)))["code"] for fault in faults] == codes
    assert first_error(block(block_hand("5-4e")))["code"] == "must-lead-double"


def test_a_tile_laid_where_the_deal_says_another_has_it_is_named_before_the_wrong_lead() -> None:
    assert first_error(block(block_hand("5-4", deal=[BLOCK_DEAL[1], None])))["code"] == "tile-not-held"


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
