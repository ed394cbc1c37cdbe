"""Readers get any input at all: their answer can always be written, and they read on after it."""

import codecs
import json
import random
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import games
from games import notation
from games.errors import Malformed
from tests.conftest import Phone

ROOT = Path(__file__).parents[2]
KEPT = {
    record["game"]: record
    for record in (json.loads(path.read_text())["record"] for path in (ROOT / "tests/data/records").glob("*.json"))
}
EMPTY = {"format": "scorekeeper-record/1", "game": "block", "players": ["Ana", "Bo"], "hands": []}
GOOD = json.dumps(EMPTY).encode()
FINAL = {"leader": 0, "final": {"table": [0, 0], "left": [[], ["1-0"]], "out": 0}}


def with_number(number: str) -> bytes:
    return json.dumps({**EMPTY, "options": {"hands": "N"}}).replace('"N"', number).encode()


def code(verdict: Any) -> str | None:
    """The code of a verdict. Checks that the verdict can be written."""
    json.dumps(verdict).encode("ascii")
    assert {"valid", "finished", "errors", "hands", "totals", "winners"} <= verdict.keys()
    assert verdict["valid"] == (not verdict["errors"])
    for error in verdict["errors"]:
        assert error["code"] in set(games.Code)
        assert error["message"]
        assert len(verdict["errors"]) == 1
        return str(error["code"])
    return None


# --- a line that is no record ------------------------------------------------------------------------------
DEEP = 100_000
NO_RECORDS = {
    "nothing": b"",
    "blanks": b" \t ",
    "a byte that is no UTF-8": b'{"format": "\xff"}',
    "UTF-16": GOOD.decode().encode("utf-16"),
    "UTF-32": GOOD.decode().encode("utf-32-le"),
    "a byte order mark before a record": codecs.BOM_UTF8 + GOOD,
    "only a byte order mark": codecs.BOM_UTF8,
    "NUL": b"\0",
    "NUL in a name": json.dumps({**EMPTY, "players": ["\0", "Bo"]}).encode(),
    "NUL after a record": GOOD + b"\0",
    "a raw surrogate": b'{"format": "\xed\xa0\x80"}',
    "an escaped lone surrogate": json.dumps({**EMPTY, "players": ["\ud800", "Bo"]}).encode(),
    "surrogates in the wrong order": json.dumps({**EMPTY, "meta": {"x": "\udc00\ud800"}}).encode(),
    "a lone surrogate as a key": json.dumps({**EMPTY, "\ud800": 1}).encode(),
    "a lone surrogate as a key of meta": json.dumps({**EMPTY, "meta": {"\ud800": "x"}}).encode(),
    "an overlong NUL": b'"\xc0\x80"',
    "deep lists": b"[" * DEEP,
    "deep lists that are closed": b"[" * DEEP + b"]" * DEEP,
    "deep objects": b'{"a":' * DEEP,
    "deep objects that are closed": b'{"a":' * DEEP + b"1" + b"}" * DEEP,
    "deep lists in a record": GOOD.replace(b"[]", b"[" * DEEP + b"]" * DEEP),
    "lists as deep as can be read": b"[" * 900 + b"]" * 900,
    "a number of 5,000 digits": with_number("9" * 5_000),
    "a number of 10,000 digits": with_number("-" + "9" * 10_000),
    "only a number of ten million digits": b"9" * 10_000_000,
    "NaN": b"NaN",
    "NaN in a record": with_number("NaN"),
    "Infinity": with_number("Infinity"),
    "minus Infinity": with_number("-Infinity"),
    "a number beyond floats": b"1e400",
    "half a record": GOOD[:-1],
    "two records on a line": GOOD + b" " + GOOD,
    "a comment": GOOD + b" // yes",
    "a comma too much": GOOD.replace(b"[]", b"[],"),
    "quotes that are none": GOOD.replace(b'"', b"'"),
    "a key twice": GOOD.replace(b'"hands"', b'"game": "block", "hands"'),
    "a key twice deep inside": json.dumps({**EMPTY, "meta": {"k": "x"}}).replace('"k"', '"k": "y", "k"').encode(),
    "ten megabytes of one letter": b"x" * 10_000_000,
    "ten megabytes of quotes": b'"' * 10_000_000,
    "ten megabytes of backslashes": b'"' + b"\\" * 10_000_000,
    "ten megabytes of zeros": b"0" * 10_000_000,
    "ten megabytes of anything": random.Random("anything").randbytes(10_000_000).replace(b"\n", b""),
    **{
        f"only {value}": value.encode() for value in ("null", "true", "0", "-1", "1.5", '""', '"x"', "[]", "[{}]", "{}")
    },
}
SHORTER = [name for name, line in NO_RECORDS.items() if len(line) < 1_000_000]


@pytest.mark.parametrize("line", NO_RECORDS.values(), ids=NO_RECORDS)
def test_a_line_that_is_no_record_is_malformed(line: bytes) -> None:
    assert code(games.verify_line(line)) == "malformed"
    assert code(games.verify_line(line.decode("utf-8", "surrogateescape"))) == "malformed"


@pytest.mark.parametrize("number", ["1e3", "1E400", "-1e400", "0.0", "-0.0", "9" * 4_000, "1" + "0" * 12, "-1"])
def test_a_fraction_or_too_large_number_is_refused_with_its_place(number: str) -> None:
    assert code(games.verify_line(with_number(number))) == "bad-option"


def test_one_bad_line_never_stops_the_next() -> None:
    """The same with the program itself, and everything in one input."""
    lines = [line for line in NO_RECORDS.values() if line.strip()]
    given = b"\n".join(part for line in lines for part in (line, GOOD))
    done = subprocess.run([sys.executable, "-m", "games", "verify"], input=given, capture_output=True, cwd=ROOT)
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert [code(answer) for answer in answers] == ["malformed", None] * len(lines)
    assert (done.returncode, done.stderr) == (1, b"")


@pytest.mark.parametrize("name", SHORTER)
def test_the_notation_answers_with_a_sentence_too(name: str) -> None:
    line = NO_RECORDS[name]
    for text in (line, b"[Game block] [Players Ana Bo] 1. leader Ana " + line):
        for found in notation.read_all(text):
            json.dumps(found.as_json() if isinstance(found, Malformed) else found).encode("ascii")
    # A match is read even after any broken text.
    *_, last = notation.read_all(line + b"\n[Game block] [Players Ana Bo]")
    assert last == EMPTY


@pytest.mark.parametrize("name", SHORTER)
def test_the_api_answers_it_with_the_same_verdict(name: str) -> None:
    _content_type, verdict = Phone().verdicts(NO_RECORDS[name])
    assert code(json.loads(verdict)) == "malformed"


# --- a record that is very long ----------------------------------------------------------------------------
MANY = 100_000
OPENING = {
    **dict.fromkeys(("draw", "block", "all-fives", "all-threes", "fives-and-threes", "dominards"), "leader"),
    "domino-whist": "opener",
    "domizerka": "dealer",
    "dom": "dealer",
}


def record_of(game: str, *hands: dict[str, Any], **more: Any) -> dict[str, Any]:
    players = ["Ana", "Bo", "Cleo", "Dan"][: games.GAMES[game].seats[0]]
    return {"format": "scorekeeper-record/1", "game": game, "players": players, "hands": list(hands), **more}


def any_move(game: str) -> dict[str, Any]:
    return {
        "dom": {"seat": 0, "type": "place", "card": "AS", "at": "r1c1"},
        "domizerka": {"seat": 0, "type": "discard", "count": 0},
        "dominards": {"seat": 0, "type": "roll", "dice": [1, 1]},
    }.get(game, {"seat": 0, "type": "pass"})


@pytest.mark.parametrize("game", games.GAMES)
def test_a_hand_of_many_moves_is_over_long_before_them(game: str) -> None:
    hand = KEPT[game]["hands"][0]
    late = [any_move(game)] * MANY
    (error,) = games.verify({**KEPT[game], "hands": [{**hand, "moves": hand["moves"] + late}]})["errors"]
    assert (error["code"], error["move"]) == ("hand-over", len(hand["moves"]))


def test_draws_passes_and_rolls_come_to_an_end() -> None:
    draws = [{"seat": 1, "type": "draw", "count": 1}] * MANY
    lead = {"seat": 0, "type": "play", "tile": "6-6"}
    (error,) = games.verify(record_of("draw", {"leader": 0, "moves": [lead, *draws]}))["errors"]
    assert (error["code"], error["move"]) == ("cannot-draw", 15)
    huge = {"seat": 1, "type": "draw", "count": 10**12 - 1}
    (error,) = games.verify(record_of("draw", {"leader": 0, "moves": [lead, huge]}))["errors"]
    assert (error["code"], error["move"]) == ("cannot-draw", 1)
    passes = [{"seat": seat % 2, "type": "pass"} for seat in range(1, MANY)]
    (error,) = games.verify(record_of("block", {"leader": 0, "moves": [lead, *passes]}))["errors"]
    assert (error["code"], error["move"]) == ("hand-over", 3)


@pytest.mark.parametrize("game", ["dom", "domizerka"])
def test_a_match_of_many_hands_is_over_long_before_them(game: str) -> None:
    hands = KEPT[game]["hands"]
    late = [{OPENING[game]: 0, "moves": []}] * MANY
    (error,) = games.verify({**KEPT[game], "hands": hands + late})["errors"]
    assert (error["code"], error["hand"]) == ("match-over", len(hands))


def test_a_match_may_have_thousands_of_hands() -> None:
    record = record_of("block", *[FINAL] * 5_000, options={"points_to_win": 10**9})
    verdict = games.verify(record)
    assert (verdict["valid"], verdict["totals"], len(verdict["hands"])) == (True, [5_000, 0], 5_000)


@pytest.mark.parametrize(
    ("record", "answer"),
    [
        (record_of("block", players=["Ana"] * MANY), "wrong-seat-count"),
        (record_of("block", players=["x" * 1_000_000, "Bo"]), None),
        (record_of("block", meta={"note": "x" * 10_000_000}), None),
        (record_of("block", meta={"note": "\u674e" * 1_000_000}), None),
        (record_of("block", meta={str(n): "x" for n in range(MANY)}), None),
        (record_of("block", meta={"x" * 1_000_000: "x"}), None),
        (record_of("block", options={"x" * 1_000_000: 1}), "bad-option"),
        (record_of("block", options={str(n): 1 for n in range(MANY)}), "bad-option"),
        (record_of("block", **{"x" * 1_000_000: 1}), "malformed"),
        (record_of("block", result={"totals": [0, 0], "winners": [0] * MANY}), "malformed"),
        (record_of("block", {**FINAL, "deal": [["6-6"] * MANY, None]}), "malformed"),
        (record_of("block", {"leader": 0, "final": {**FINAL["final"], "left": [[], ["6-6"] * MANY]}}), "left-mismatch"),
        (record_of("block", {"leader": 0, "final": {**FINAL["final"], "left": [[], 10**11]}}), "left-mismatch"),
        (record_of("domino-whist", {"opener": 0, "final": {"bad": [0, 10**11], "out": 0}}), "left-mismatch"),
        (record_of("dominards", {"leader": 0, "moves": [{"seat": 0, "type": "roll", "dice": [1] * MANY}]}), "bad-roll"),
    ],
)
def test_what_is_huge_is_answered_like_anything_else(record: dict[str, Any], answer: str | None) -> None:
    assert code(games.verify(record)) == answer


def test_what_is_huge_is_not_repeated_in_the_answer() -> None:
    huge = "x" * 1_000_000
    for record in (
        record_of("block", {"leader": 0, "moves": [{"seat": 0, "type": "play", "tile": huge}]}),
        record_of("block", {"leader": 0, "moves": [{"seat": 0, "type": huge}]}),
        record_of("block", {huge: 0}),
        record_of("block", options={huge: 1}),
        record_of("block", options={"leader": huge}),
        {**record_of("block"), "game": huge},
        {**record_of("block"), huge: huge},
        {**record_of("block"), "stopped": huge},
        record_of("domizerka", {"dealer": 2, "moves": [{"seat": 0, "type": "contract", "contract": huge}]}),
    ):
        assert len(json.dumps(games.verify(record))) < 1_000


def test_many_notes_are_read_and_given_back() -> None:
    lead, passed = {"seat": 0, "type": "play", "tile": "6-6"}, {"seat": 1, "type": "pass"}
    note = {"hand": 0, "move": 1, "code": "wrong-pass"}
    noted = record_of("block", {"leader": 0, "moves": [lead, passed]}, noted=[note] * MANY)
    assert games.verify(noted)["irregularities"] == [note]
    notes = [{**note, "move": at} for at in range(1, 20_000)]
    late = record_of("block", {"leader": 0, "moves": [lead, *[passed] * 20_000]}, noted=notes)
    assert code(games.verify(late)) == "not-your-turn"
    assert code(games.verify({**late, "noted": [{**note, "move": 10**11}] * MANY})) == "malformed"


def test_long_records_through_the_program_itself() -> None:
    meta = {"meta": {"note": "x" * 10_000_000}}
    hand = KEPT["draw"]["hands"][0]
    late = {**KEPT["draw"], "hands": [{**hand, "moves": hand["moves"] * 5_000}]}
    given = b"\n".join(json.dumps(record).encode() for record in ({**EMPTY, **meta}, late, EMPTY))
    done = subprocess.run([sys.executable, "-m", "games", "verify"], input=given, capture_output=True, cwd=ROOT)
    assert [code(json.loads(line)) for line in done.stdout.splitlines()] == [None, "hand-over", None]
    assert (done.returncode, done.stderr) == (1, b"")


# --- a wrong value anywhere --------------------------------------------------------------------------------
VALUES = [None, True, -1, 1.5, 10**40, "x", [], {}]


def ways(value: Any, way: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The path to each value inside a value."""
    yield way
    for key, inside in (
        value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    ):
        yield from ways(inside, (*way, key))


def at(value: Any, way: tuple[Any, ...]) -> Any:
    for key in way:
        value = value[key]
    return value


def changed(value: Any, way: tuple[Any, ...], new: Any) -> Any:
    """The value with something else at this path."""
    if not way:
        return new
    copied = value.copy()
    copied[way[0]] = changed(value[way[0]], way[1:], new)
    return copied


def whole(game: str) -> dict[str, Any]:
    """A valid record that uses every key."""
    record = {**KEPT[game], "hands": KEPT[game]["hands"][:2], "stopped": "time", "meta": {"event": "Club night"}}
    verdict = games.verify({**record, "result": {"totals": [0] * len(record["players"]), "winners": []}})
    record["result"] = {"totals": verdict["totals"], "winners": games.verify(without(record, "result"))["winners"]}
    for at, move in enumerate(record["hands"][0]["moves"]):
        if move["type"] in ("pass", "draw") or (game == "domizerka" and move["type"] == "play"):
            note = {"pass": "wrong-pass", "draw": "cannot-draw", "play": "revoke"}[move["type"]]
            record["noted"] = [{"hand": 0, "move": at, "code": note}]
    assert games.verify(record)["errors"] == []
    return record


def without(record: dict[str, Any], key: str) -> dict[str, Any]:
    return {name: value for name, value in record.items() if name != key}


@pytest.mark.parametrize("game", games.GAMES)
def test_a_value_of_any_type_at_any_place_gets_a_verdict(game: str) -> None:
    record = whole(game)
    before = json.dumps(record)
    for way in ways(record):
        for value in VALUES:
            code(games.verify(changed(record, way, value)))
    assert json.dumps(record) == before


@pytest.mark.parametrize("game", games.GAMES)
def test_a_key_that_is_missing_or_has_no_place_gets_a_verdict(game: str) -> None:
    record = whole(game)
    optional = {
        "options",
        "stopped",
        "noted",
        "meta",
        "result",
        "cards",
        "deal",
        "left",
        "tricks",
        "end",
        "trump",
        "suit",
    }
    optional |= {"tiles", "drawn", "claim", "event", *KEPT[game]["options"]}
    for way in ways(record):
        inside = at(record, way)
        if not isinstance(inside, dict):
            continue
        for key in inside:
            answer = code(games.verify(changed(record, way, without(inside, key))))
            assert answer == "malformed" or key in optional, (way, key)
        answer = code(games.verify(changed(record, way, {**inside, "spare": "x"})))
        assert answer == {"options": "bad-option", "meta": None}.get(way[-1] if way else "", "malformed"), way


@pytest.mark.parametrize("game", games.GAMES)
def test_a_list_cut_doubled_or_turned_round_gets_a_verdict(game: str) -> None:
    record = whole(game)
    for way in ways(record):
        inside = at(record, way)
        if isinstance(inside, list):
            for other in (inside[:-1], inside[1:], inside * 2, inside[::-1], [*inside, None], [*inside, [inside]]):
                code(games.verify(changed(record, way, other)))


@pytest.mark.parametrize("game", games.GAMES)
def test_bytes_of_a_record_changed_here_and_there_get_a_verdict(game: str) -> None:
    rng = random.Random(game)
    line = json.dumps(whole(game)).encode()
    for _ in range(200):
        damaged = bytearray(line)
        for _ in range(rng.randint(1, 3)):
            place = rng.randrange(len(damaged))
            damaged[place : place + rng.randrange(3)] = rng.randbytes(rng.randrange(3))
        code(games.verify_line(bytes(damaged)))


@pytest.mark.parametrize("game", games.GAMES)
def test_values_of_a_record_in_each_others_places_get_a_verdict(game: str) -> None:
    rng = random.Random(game)
    record = whole(game)
    every = list(ways(record))
    for _ in range(200):
        damaged = record
        for _ in range(rng.randint(1, 3)):
            damaged = changed(record, rng.choice(every), at(record, rng.choice(every)))
        code(games.verify(damaged))
        code(games.verify_line(json.dumps(damaged)))
