"""The answers of ``verify``, sentence by sentence; and it never fails, whatever it gets."""

import json
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import games
from tests.games.records import block, block_hand, first_error, hand, whist
from tests.games.test_codes import BLOCKED, BLOCKED_LEFT, OUT, OUT_LEFT

ROOT = Path(__file__).parents[2]
FINAL: dict[str, Any] = {"opener": 0, "final": {"bad": [30, 25], "out": 0}}
KEYS = {"valid", "finished", "errors", "hands", "totals", "winners"}


def test_an_answer_has_just_the_keys_of_the_format() -> None:
    assert set(games.verify(whist())) == KEYS
    assert set(games.verify([])) == KEYS
    assert games.verify(whist(FINAL)) == {
        "valid": True,
        "finished": False,
        "errors": [],
        "hands": [[30, 25, 30, 25]],
        "totals": [30, 25, 30, 25],
        "winners": [],
    }


def test_an_error_has_a_code_a_place_and_a_sentence_that_names_the_player() -> None:
    (error,) = games.verify(whist(hand("6-5 pass 6-4w 4-0w pass 5-3e")))["errors"]
    assert set(error) == {"hand", "move", "code", "message", "proof"}
    assert error["proof"] == {"hand": 0, "move": 5}
    assert "Bo" in error["message"]
    assert "5-3" in error["message"]


# --- unfinished --------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("record", "hands"),
    [
        (whist(), []),
        (whist(FINAL), [[30, 25, 30, 25]]),
        (whist(hand("")), [[0, 0, 0, 0]]),
        (whist(hand("6-6 6-5e")), [[0, 0, 0, 0]]),
        (whist(FINAL, hand("6-6 6-5e", 1)), [[30, 25, 30, 25], [0, 0, 0, 0]]),
        (whist(hand(BLOCKED)), [[0, 0, 0, 0]]),
        (block(block_hand("5-5"), options={"fives": True}), [[10, 0]]),
    ],
)
def test_too_few_hands_an_open_one_and_one_that_waits_for_what_is_left_are_valid(
    record: dict[str, Any], hands: list[list[int]]
) -> None:
    verdict = games.verify(record)
    assert (verdict["valid"], verdict["finished"], verdict["winners"]) == (True, False, [])
    assert verdict["hands"] == hands
    assert verdict["totals"] == [sum(column) for column in zip(*hands, strict=True)] or not hands


def test_another_hand_that_stops_early_is_unfinished_and_one_that_only_lacks_what_is_left_a_mismatch() -> None:
    later = hand("6-6", 1)
    assert first_error(whist(hand(BLOCKED, left=BLOCKED_LEFT), later)) is None
    assert first_error(whist(hand(BLOCKED), later))["code"] == "left-mismatch"
    assert first_error(whist(hand("6-6 6-5e"), later))["code"] == "hand-unfinished"
    assert first_error(whist(hand(""), later))["code"] == "hand-unfinished"


def test_the_result_of_an_unfinished_match_is_its_totals_so_far_and_no_winners() -> None:
    for record, totals in ((whist(FINAL), [30, 25, 30, 25]), (whist(FINAL, hand("6-6", 1)), [30, 25, 30, 25])):
        assert games.verify({**record, "result": {"totals": totals, "winners": []}})["errors"] == []
        assert first_error({**record, "result": {"totals": totals, "winners": [1, 3]}})["code"] == "result-mismatch"


def test_an_error_ends_the_record_and_leaves_the_hands_before_it() -> None:
    verdict = games.verify(whist(FINAL, hand("6-6 5-4e", 1), {**FINAL, "opener": 2}, {**FINAL, "opener": 2}))
    assert len(verdict["errors"]) == 1
    assert (verdict["valid"], verdict["finished"], verdict["winners"]) == (False, False, [])
    assert (verdict["hands"], verdict["totals"]) == ([[30, 25, 30, 25]], [30, 25, 30, 25])


def test_an_error_in_the_last_hand_of_a_match_leaves_it_unfinished() -> None:
    hands = [{**FINAL, "opener": at % 4} for at in range(5)]
    verdict = games.verify(whist(*hands, stopped="time"))
    assert (verdict["errors"][0]["code"], verdict["finished"], verdict["winners"]) == ("match-over", False, [])
    assert len(verdict["hands"]) == 4


def test_only_a_wrong_result_leaves_hands_and_totals_complete() -> None:
    record = whist(FINAL, {**FINAL, "opener": 1}, result={"totals": [1, 2, 3, 4], "winners": []})
    verdict = games.verify(record)
    assert [error["code"] for error in verdict["errors"]] == ["result-mismatch"]
    assert (verdict["hands"], verdict["totals"]) == ([[30, 25, 30, 25]] * 2, [60, 50, 60, 50])


def test_a_finished_match_with_its_result() -> None:
    hands = [{**FINAL, "opener": at % 4} for at in range(4)]
    right = {"totals": [120, 100, 120, 100], "winners": [1, 3]}
    verdict = games.verify(whist(*hands, result=right))
    assert (verdict["valid"], verdict["finished"], verdict["winners"]) == (True, True, [1, 3])
    assert games.verify(whist(*hands, result={**right, "winners": [3, 1]}))["valid"]
    for wrong in ({**right, "winners": [1]}, {**right, "winners": []}, {**right, "totals": [120, 100, 120, 101]}):
        assert first_error(whist(*hands, result=wrong)) == {
            "code": "result-mismatch",
            "hand": None,
            "move": None,
            "proof": None,
        }


# --- result alone, stopped, noted, hands -------------------------------------------------------------------
@pytest.mark.parametrize(
    ("result", "more", "finished"),
    [
        ({"totals": [105, 60, 105, 60], "winners": [1, 3]}, {}, True),
        ({"totals": [10, 20, 10, 20], "winners": []}, {}, False),
        ({"totals": [10, 20, 10, 20], "winners": [0, 2]}, {"stopped": "time"}, True),
        ({"totals": [10, 20, 10, 20], "winners": []}, {"stopped": "abandoned"}, True),
    ],
)
def test_a_result_without_hands_is_accepted_unchecked(
    result: dict[str, Any], more: dict[str, Any], finished: bool
) -> None:
    verdict = games.verify(whist(result=result, **more))
    assert verdict == {
        "valid": True,
        "finished": finished,
        "errors": [],
        "hands": [],
        "totals": result["totals"],
        "winners": result["winners"],
        "unverified": True,
    }


def test_a_result_that_was_checked_is_not_called_unverified() -> None:
    checked = whist(FINAL, result={"totals": [30, 25, 30, 25], "winners": []})
    assert "unverified" not in games.verify(checked)
    assert "unverified" not in games.verify(whist())


@pytest.mark.parametrize(("stopped", "winners"), [("time", [1, 3]), ("hands", [1, 3]), ("abandoned", [])])
def test_a_stopped_match_is_finished_and_an_abandoned_one_has_no_winners(stopped: str, winners: list[int]) -> None:
    verdict = games.verify(whist(FINAL, stopped=stopped))
    assert (verdict["valid"], verdict["finished"], verdict["winners"]) == (True, True, winners)
    assert verdict["totals"] == [30, 25, 30, 25]


def test_a_match_ends_after_its_number_of_hands() -> None:
    hands = [{**FINAL, "opener": at % 4} for at in range(2)]
    verdict = games.verify(whist(*hands, options={"hands": 2}))
    assert (verdict["finished"], verdict["winners"]) == (True, [1, 3])
    assert not games.verify(whist(*hands, options={"hands": 3}))["finished"]
    assert not games.verify(whist(*hands, options={"hands": None}))["finished"]
    assert games.verify(whist(*hands, options={"hands": 20, "target": 60}))["finished"]


def test_a_noted_pass_is_an_irregularity_and_proves_nothing() -> None:
    played = hand("6-5 pass 6-4w 4-0w pass 5-3e")
    noted = [{"hand": 0, "move": 1, "code": "wrong-pass"}]
    assert "irregularities" not in games.verify(whist(played))
    verdict = games.verify(whist(played, noted=noted))
    assert (verdict["valid"], verdict["irregularities"]) == (True, noted)


def test_a_hand_with_a_noted_pass_is_scored_as_played() -> None:
    """Dan's pass is noted, so he may have tiles left that fitted then."""
    swapped = [[], ["4-4"], ["4-3", "2-2"], ["0-0", "6-6"]]
    assert first_error(whist(hand(OUT, left=swapped)))["code"] == "wrong-pass"
    noted = [{"hand": 0, "move": 19, "code": "wrong-pass"}]
    verdict = games.verify(whist(hand(OUT, left=swapped), noted=noted))
    assert (verdict["errors"], verdict["hands"]) == ([], [[11, 20, 11, 20]])


def test_a_noted_pass_with_a_known_playable_tile_is_no_error() -> None:
    deal = [None, ["6-6", "6-5", "6-4", "6-3", "6-2", "6-1", "6-0"], None, None]
    played = hand("5-4 pass", deal=deal)
    record = whist(played, noted=[{"hand": 0, "move": 1, "code": "wrong-pass"}])
    assert games.verify(record)["valid"]


def test_what_is_left_may_be_left_out_where_the_deal_and_the_moves_give_it() -> None:
    laid = [
        [move["tile"] for move in hand(OUT)["moves"] if move["seat"] == seat and "tile" in move] for seat in range(4)
    ]
    deal = [tiles + left for tiles, left in zip(laid, OUT_LEFT, strict=True)]
    one = {"options": {"hands": 1}}
    assert not games.verify(whist(hand(OUT), **one))["finished"]
    for known in (deal, [None, *deal[1:]], [None, None, *deal[2:]]):
        verdict = games.verify(whist(hand(OUT, deal=known), **one))
        assert (verdict["finished"], verdict["hands"]) == (True, [[4, 27, 4, 27]])
    assert first_error(whist(hand(OUT, deal=deal, left=OUT_LEFT))) is None
    assert first_error(whist(hand(OUT, deal=deal, left=[0, 8, 4, 18])))["code"] == "left-mismatch"


# --- the command -------------------------------------------------------------------------------------------
def run(*arguments: str, given: bytes = b"") -> tuple[int, list[dict[str, Any]], str]:
    done = subprocess.run(
        [sys.executable, "-m", "games", "verify", *arguments], input=given, capture_output=True, cwd=ROOT, timeout=60
    )
    return done.returncode, [json.loads(line) for line in done.stdout.splitlines()], done.stderr.decode()


GOOD = json.dumps(whist(FINAL)).encode()
BAD = json.dumps(whist(hand("6-6 5-4e"))).encode()


def test_the_command_answers_each_line_in_order_and_says_by_its_status_whether_all_are_valid(tmp_path: Path) -> None:
    good, bad = tmp_path / "good.ndjson", tmp_path / "bad.ndjson"
    good.write_bytes(GOOD + b"\n\n  \r\n" + GOOD)
    bad.write_bytes(GOOD + b"\nnonsense\n" + BAD + b"\n\xff\xfe\n\xef\xbb\xbf" + GOOD + b"\n" + GOOD + b"\n")
    status, answers, _ = run(str(good))
    assert (status, [answer["valid"] for answer in answers]) == (0, [True, True])
    status, answers, _ = run(str(bad), str(good))
    assert status == 1
    codes = [answer["errors"][0]["code"] if answer["errors"] else None for answer in answers]
    assert codes[:4] == [None, "malformed", "no-match", "malformed"]
    assert codes[5:] == [None, None, None]


def test_the_command_reads_standard_input_when_no_file_is_named() -> None:
    assert run(given=GOOD)[0] == 0
    assert run(given=b"")[:2] == (0, [])
    status, answers, _ = run(given=GOOD + b"\n" + BAD)
    assert (status, [answer["valid"] for answer in answers]) == (1, [True, False])


def test_a_file_that_cannot_be_opened_gives_status_two_and_the_others_are_read_all_the_same(tmp_path: Path) -> None:
    good, bad = tmp_path / "good.ndjson", tmp_path / "bad.ndjson"
    good.write_bytes(GOOD)
    bad.write_bytes(BAD)
    status, answers, complaint = run(str(tmp_path / "none"), str(good), str(bad))
    assert (status, [answer["valid"] for answer in answers]) == (2, [True, False])
    assert "none" in complaint
    assert "Traceback" not in complaint
    assert run(str(tmp_path))[0] == 2


# --- anything at all ---------------------------------------------------------------------------------------
HUGE = "9" * 10_000
LINES = {
    "nothing": b"",
    "no UTF-8": b'{"format": "\xff"}',
    "UTF-16": GOOD.decode().encode("utf-16"),
    "NUL": b"\0",
    "NUL in a name": json.dumps({**whist(), "players": ["\0", "b", "c", "d"]}).encode(),
    "deep lists": b"[" * 100_000,
    "deep lists, closed": b"[" * 100_000 + b"]" * 100_000,
    "deep objects": b'{"a":' * 100_000,
    "a huge number": HUGE.encode(),
    "half a record": GOOD[:-1],
    "NaN": b"NaN",
    "Infinity": b'{"format": Infinity}',
    "a key twice": GOOD.replace(b'"hands"', b'"game": "block", "hands"'),
    "a lone surrogate": b'{"format": "\\ud800"}',
    "a lone surrogate as a key": b'{"\\ud800": 1}',
    "two values": GOOD + GOOD,
    "a number": b"1e400",
}


@pytest.mark.parametrize("line", LINES.values(), ids=LINES.keys())
def test_a_line_that_is_no_record_is_malformed(line: bytes) -> None:
    verdict = games.verify_line(line)
    assert [error["code"] for error in verdict["errors"]] == ["malformed"]
    json.dumps(verdict).encode("ascii")


@pytest.mark.parametrize("digits", [1, 300, 4000, 10_000])
@pytest.mark.parametrize("place", ["target", "bad", "left", "table", "result", "noted", "seat", "hands"])
def test_a_number_of_any_length_anywhere_gets_an_answer_that_can_be_written(place: str, digits: int) -> None:
    number = "9" * digits
    record = {
        "target": whist(options={"target": "N"}),
        "hands": whist(FINAL, options={"hands": "N"}),
        "bad": whist({"opener": 0, "final": {"bad": ["N", "N"], "out": 0}}),
        "left": whist(hand(OUT, left=["N", "N", 1, []])),
        "table": block(
            {"leader": 0, "final": {"table": ["N", "N"], "left": [[], 5], "out": 0}},
            {"leader": 0, "final": {"table": ["N", "N"], "reached": 1}},
            options={"fives": True, "points_to_win": "N"},
        ),
        "result": whist(result={"totals": ["N"] * 4, "winners": []}),
        "noted": whist(noted=[{"hand": "N", "move": "N", "code": "wrong-pass"}]),
        "seat": whist({"opener": "N", "moves": []}),
    }[place]
    verdict = games.verify_line(json.dumps(record).replace('"N"', number))
    json.dumps(verdict)
    assert digits < 10_000 or not verdict["valid"]


def test_table_points_add_up_however_long_they_are() -> None:
    """Numbers that can be written must not add up to a sum that cannot."""
    number = "6" + "0" * 4299
    hands = [{"leader": 0, "final": {"table": ["N", 0], "left": [[], 5], "out": 0}}] * 2
    record = block(*hands, options={"fives": True, "points_to_win": "T"})
    line = json.dumps(record).replace('"N"', number).replace('"T"', "9" * 4300)
    json.dumps(games.verify_line(line))


# --- readers -----------------------------------------------------------------------------------------------
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
    max_leaves=12,
)
WHOLE = whist(
    hand("6-6 6-5e pass 6-4w", deal=[["6-6", "3-0", "2-2", "2-1", "2-0", "1-1", "1-0"], None, None, None]),
    options={"target": 100},
    meta={"event": "Club night"},
    noted=[{"hand": 0, "move": 2, "code": "wrong-pass"}],
    stopped="time",
    result={"totals": [0, 0, 0, 0], "winners": [0, 1, 2, 3]},
)
WHOLE_BLOCK = block({"leader": 0, "final": {"table": [0, 0], "left": [[], ["5-2"]], "out": 0, "last": 0}})


def places(value: Any, way: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The path to each value inside a value."""
    inside = list(value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ())
    return [way, *(place for key, each in inside for place in places(each, (*way, key)))]


def with_value(record: Any, way: tuple[Any, ...], value: Any) -> Any:
    if not way:
        return value
    copied = dict(record) if isinstance(record, dict) else list(record)
    copied[way[0]] = with_value(record[way[0]], way[1:], value)
    return copied


def is_verdict(verdict: Any) -> bool:
    json.dumps(verdict).encode("ascii")
    return set(verdict) >= KEYS and verdict["valid"] == (not verdict["errors"])


@settings(max_examples=150, deadline=None)
@given(JSON)
def test_any_value_gets_a_verdict(value: Any) -> None:
    assert is_verdict(games.verify(value))


@settings(max_examples=150, deadline=None)
@given(st.text() | st.binary())
def test_any_text_and_any_bytes_get_a_verdict(line: str | bytes) -> None:
    assert is_verdict(games.verify_line(line))


@settings(max_examples=300, deadline=None)
@given(st.sampled_from([WHOLE, WHOLE_BLOCK]), st.data(), JSON)
def test_a_record_with_any_value_anywhere_gets_a_verdict_and_its_text_the_same(
    record: dict[str, Any], data: st.DataObject, value: Any
) -> None:
    damaged = with_value(record, data.draw(st.sampled_from(places(record))), value)
    verdict = games.verify(damaged)
    assert is_verdict(verdict)
    assert games.verify_line(json.dumps(damaged)) == verdict


@settings(max_examples=150, deadline=None)
@given(JSON, st.sampled_from(["hand", "move", "left", "final", "undo", "replace", "stop", "note", "?"]), JSON)
def test_any_entry_is_accepted_or_refused_with_a_code(value: Any, kind: str, inside: Any) -> None:
    match = games.Match.new("domino-whist", {}, list("ABCD")).enter({"kind": "hand", **hand("6-6 6-5e")})
    keys = {"hand": "opener", "replace": "with", "stop": "stopped", "undo": "to"}
    for entry in (value, {"kind": kind}, {"kind": kind, keys.get(kind, kind): inside}, {"kind": inside}):
        answer = refusal(match, entry)
        json.dumps(answer).encode("ascii")
        assert answer is None or answer["code"] in set(games.Code)


def refusal(match: games.Match, entry: Any) -> dict[str, Any] | None:
    try:
        match.enter(entry)
    except games.GameError as error:
        return {**error.as_json(), "ways": games.remedies(match, entry if isinstance(entry, dict) else {}, error)}
    return None


def test_bytes_of_a_good_record_changed_here_and_there_get_a_verdict() -> None:
    rng = random.Random("bytes")
    line = json.dumps(WHOLE).encode()
    for _ in range(1500):
        changed = bytearray(line)
        for _ in range(rng.randint(1, 3)):
            changed[rng.randrange(len(changed))] = rng.randrange(256)
        assert is_verdict(games.verify_line(bytes(changed)))


def test_a_match_stopped_before_a_hand_was_counted_is_a_draw_of_nothing() -> None:
    assert games.verify(whist(stopped="time"))["winners"] == [0, 1, 2, 3]
    assert games.verify(whist(hand("6-6"), stopped="hands"))["winners"] == [0, 1, 2, 3]
    assert games.verify(whist(stopped="abandoned"))["winners"] == []


def test_what_is_noted_twice_is_given_back_once() -> None:
    note = {"hand": 0, "move": 2, "code": "wrong-pass"}
    assert games.verify(whist(hand("6-6 6-5e pass"), noted=[note, note]))["irregularities"] == [note]


@pytest.mark.parametrize("record", [whist(hand("6-6")), block(block_hand("6-6"))], ids=["whist", "block"])
def test_nothing_can_be_drawn_where_there_is_nothing_to_draw(record: dict[str, Any]) -> None:
    record["hands"][0]["moves"].append({"seat": 1, "type": "draw", "count": 1})
    assert first_error(record) == {"hand": 0, "move": 1, "code": "cannot-draw", "proof": None}
