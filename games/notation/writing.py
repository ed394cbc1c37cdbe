"""Writes records in the notation."""

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from games.errors import Malformed, marked
from games.notation.reading import HEADERS, read_all
from games.notation.spelling import (
    AFTER,
    BEFORE,
    CONSTANTS,
    FINAL,
    FINAL_SEATS,
    MOVES,
    NOTED,
    next_seat,
    opener_key,
    spelled,
)

WIDTH = 80
"""The columns of a line; longer only if it cannot be broken."""
INDENT = "\n   "
"""How a header or a hand continues on the next line."""
LONGEST = 20
"""The most characters of a name that is repeated in the hands. For a longer name, hands use the number of the seat."""


def write(record: Mapping[str, Any]) -> str:
    """The text of a record, which is given as its JSON value. ``read`` returns the same value.

    Malformed if the record has something that the notation cannot express.
    """
    names = _names(record["players"])
    marks = _marks(record)
    hands = (_hand(hand, number, names, marks) for number, hand in enumerate(record["hands"]))
    text = "\n".join([*_headers(record, names, marks), *(f"\n{hand}" for hand in hands), ""])
    if list(read_all(text)) != [record]:
        raise Malformed(marked("This record has something that the notation cannot write."))
    return text


def _headers(record: Mapping[str, Any], names: Sequence[str], marks: set[tuple[int, int]]) -> Iterator[str]:
    yield _header("Game", [_quoted(record["game"])])
    if record.get("meta") == {}:
        yield _header("Meta", [])
    for key, text in record.get("meta", {}).items():
        yield _header(_quoted(key) if key.lower() in HEADERS else _word(key), [_quoted(text)])
    yield _header("Players", map(_quoted, record["players"]))
    if "options" in record:
        *options, last = [f"{_word(key)} {_option(value)}" for key, value in record["options"].items()] or [""]
        yield _header("Options", [*(f"{option}," for option in options), last])
    if "cards" in record:
        yield _header("Cards", map(spelled, record["cards"]))
    if "stopped" in record:
        yield _header("Stopped", [_quoted(record["stopped"])])
    if "noted" in record and not marks:
        yield _header("Noted", (f"{at['hand'] + 1}.{at['move'] + 1} {_quoted(at['code'])}" for at in record["noted"]))
    if "result" in record:
        won = [names[seat] for seat in record["result"]["winners"]]
        yield _header("Result", [*map(str, record["result"]["totals"]), *(["won", *won] if won else [])])


def _hand(hand: Mapping[str, Any], number: int, names: Sequence[str], marks: set[tuple[int, int]]) -> str:
    moves: list[str] = []
    last = None
    for at, move in enumerate(hand.get("moves", ())):
        seat = "" if move["seat"] == next_seat(hand, last, len(names)) else f"{names[move['seat']]}: "
        moves.append(seat + MOVES[move["type"]].write(move) + "?" * ((number, at) in marks))
        last = move
    parts = [
        [f"{number + 1}. {opener_key(hand)} {names[hand[opener_key(hand)]]}"],
        *([key, *map(spelled, hand[key])] for key in BEFORE if key in hand),
        moves or ["-"] * (hand.keys() >= {"moves", "final"}),
        *([key, *map(spelled, hand[key])] for key in AFTER if key in hand),
        [*_final(hand["final"], names)] if "final" in hand else [],
    ]
    return INDENT.join(_wrapped(part) for part in parts if part)


def _final(final: Mapping[str, Any], names: Sequence[str]) -> Iterator[str]:
    yield "final"
    if "contract" in final:
        yield MOVES["contract"].write(final)
    for key in FINAL:
        if key in final:
            yield from (key, *map(spelled, final[key]))
    for key in FINAL_SEATS:
        if key in final:
            yield f"{key} {'-' if final[key] is None else names[final[key]]}"


def _marks(record: Mapping[str, Any]) -> set[tuple[int, int]]:
    """The noted moves (hand and move) if a ``?`` after each says exactly what the record says; else none."""
    noted = record.get("noted", [])
    entries = {(each["hand"], each["move"]) for each in noted}
    by_marks = [
        {"hand": number, "move": at, "code": NOTED.get(move["type"])}
        for number, hand in enumerate(record["hands"])
        for at, move in enumerate(hand.get("moves", ()))
        if (number, at) in entries
    ]
    return entries if by_marks == noted else set()


def _names(players: Sequence[str]) -> list[str]:
    """How hands name each player: by name if it is short and unique, else by the number of the seat."""
    times = Counter(players)
    return [
        _word(name) if times[name] == 1 and len(name) <= LONGEST else f"#{number}"
        for number, name in enumerate(players, 1)
    ]


def _option(value: Any) -> str:
    if isinstance(value, str):
        return _quoted(value) if value in CONSTANTS else _word(value)
    return json.dumps(value)


def _word(text: str) -> str:
    """The text itself if it is a word, else in quotes."""
    return text if text.isidentifier() else _quoted(text)


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _header(name: str, words: Iterable[str]) -> str:
    return f"[{_wrapped([name, *words])}]"


def _wrapped(words: Iterable[str]) -> str:
    """The words, broken into lines of ``WIDTH`` columns."""
    lines: list[str] = []
    for word in words:
        if lines and len(lines[-1]) + len(word) < WIDTH - len(INDENT):
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return INDENT.join(lines)
