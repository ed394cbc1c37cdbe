"""The spelling of moves and values in the notation, for both the reader and the writer."""

import re
from collections.abc import Mapping
from typing import Any

from games.errors import Code
from games.read import LARGEST
from games.tiles import NAMES

NUMBER = f"[0-9]{{1,{len(str(LARGEST)) - 1}}}"
_TILE = "|".join(NAMES)
_CARD = "[A2-9TJQK][CDHS]"
LIST = rf"\([\s,]*+(?:(?:{_TILE}|{_CARD}|{NUMBER})(?:[\s,]++|(?=\))))*+\)"
_PATTERNS = {
    **dict.fromkeys(("count", "suit", "trump"), NUMBER),
    **dict.fromkeys(("tiles", "drawn", "dice"), LIST),
    **dict.fromkeys(("card", "drop"), _CARD),
    "claim": rf"{_CARD}|multiple|virtual\({_CARD}\)",
    "contract": "evens|odds|zero|domizerka",
    "tile": _TILE,
    "end": "[wens]",
    "at": "r[1-4]c[1-4]",
}
"""The pattern for the value of each key."""


class _Spelling:
    """How a move or a claim is written: ``{key}`` is the value of a key, and parts in brackets may be missing."""

    def __init__(self, template: str) -> None:
        self.parts: list[tuple[str, str]] = []
        """The parts of the template. A part with a key is written only if the move has that key; "" for other parts."""
        pattern = ""
        for part, key in re.findall(r"(\[[^]]*\{(\w+)\}[^]]*\]|[^[]+)", template):
            text = part.strip("[]")
            self.parts.append((text, key))
            written = re.sub(r"\\\{(\w+)\\\}", lambda name: f"(?P<{name[1]}>{_PATTERNS[name[1]]})", re.escape(text))
            pattern += f"(?:{written})?" if key else written
        self.pattern = re.compile(pattern)

    def read(self, word: str) -> dict[str, Any] | None:
        """The keys with their values; None if the word has another spelling."""
        found = self.pattern.fullmatch(word)
        if found is None:
            return None
        return {
            key: _claim(text) if key == "claim" else value_of(text) for key, text in found.groupdict().items() if text
        }

    def write(self, entry: Mapping[str, Any]) -> str:
        words = {key: spelled(value) for key, value in entry.items()}
        return "".join(text.format_map(words) for text, key in self.parts if not key or key in entry)


MOVES = {
    "play": _Spelling("{tile}[{end}][={suit}][={claim}]"),
    "pass": _Spelling("pass"),
    "draw": _Spelling("+{count}[{tiles}]"),
    "roll": _Spelling("roll{dice}"),
    "contract": _Spelling("{contract}[={trump}]"),
    "discard": _Spelling("-{count}[{tiles}][+{drawn}]"),
    "place": _Spelling("{card}@{at}"),
}
_CLAIMS = {"card": _Spelling("{card}"), "multiple": _Spelling("multiple"), "virtual": _Spelling("virtual({drop})")}
NOTED = {"play": Code.REVOKE, "pass": Code.WRONG_PASS, "draw": Code.CANNOT_DRAW}
"""By type of move, the irregularity that a ``?`` after it notes."""

_SAME_SEAT = ("draw", "roll", "contract")
"""After these types of move, the same seat moves again."""
OPENERS = ("leader", "opener", "dealer")
BEFORE, AFTER = ("deal",), ("left", "tricks")
"""The keys of a hand with items by seat: before its moves, and after them."""
FINAL = ("table", "left", "bad", "tricks", "points", "dropped", "tiles")
FINAL_SEATS = ("out", "last", "reached")
CONSTANTS = {"true": True, "false": False, "null": None}


def value_of(text: str) -> Any:
    """The value of an item, or of an element of a list."""
    if text.startswith("("):
        return [value_of(each) for each in text[1:-1].replace(",", " ").split()]
    if text == "?":
        return None
    return int(text) if text.isdecimal() else text


def _claim(text: str) -> dict[str, Any]:
    return next({"by": by, **found} for by, way in _CLAIMS.items() if (found := way.read(text)) is not None)


def spelled(value: Any) -> str:
    if isinstance(value, Mapping):
        return _CLAIMS[value["by"]].write(value)
    if isinstance(value, list):
        return f"({' '.join(map(spelled, value))})"
    return "?" if value is None else str(value)


def next_seat(hand: Mapping[str, Any], last: Mapping[str, Any] | None, seats: int) -> int:
    """The seat that moves after the ``last`` move (None: first in this hand), unless the text names another one."""
    if last is None:
        key = opener_key(hand)
        return int(hand[key] + (key == "dealer")) % seats
    return int(last["seat"] + (last["type"] not in _SAME_SEAT)) % seats


def opener_key(hand: Mapping[str, Any]) -> str:
    """The key of a hand that names the seat which opens it."""
    return next(key for key in OPENERS if key in hand)
