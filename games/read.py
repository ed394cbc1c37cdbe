"""Reading values that come from outside. Each function gives the value or raises Malformed."""

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from games import cards, tiles
from games.errors import Malformed, marked

REASON = 200
"""Characters of a reason at most."""
LARGEST = 10**12
"""No number of points, pips or seats is as large. Python writes numbers of up to 4,300 digits, and sums grow."""


def text(value: Any) -> str:
    """A string that can be stored and written: no lone surrogates, no NUL."""
    if not isinstance(value, str):
        raise Malformed(marked("Expected text, not {value}."), value=shown(value))
    if "\0" in value or any("\ud800" <= char <= "\udfff" for char in value):
        raise Malformed(marked("This text has characters that cannot be written."))
    return value


def why(content: Mapping[str, Any]) -> str:
    """The reason that may stand with an entry; "" where none is given."""
    reason = text(content.get("why", "")).strip()
    if len(reason) > REASON:
        raise Malformed(marked("A reason can have up to {longest} characters."), longest=REASON)
    return reason


def mapping(value: Any) -> Mapping[str, Any]:
    """An object, whatever its keys."""
    if not isinstance(value, dict):
        raise Malformed(marked("Expected an object, not {value}."), value=shown(value))
    result: Mapping[str, Any] = value
    return result


def keyed(value: Any, *, required: Sequence[str] = (), optional: Sequence[str] = ()) -> Mapping[str, Any]:
    """An object with all the required keys and no others than these."""
    result, missing = mapping(value), len(required)
    for key in result:
        if key in required:
            missing -= 1
        elif key not in optional:
            raise Malformed(marked("Unexpected key: {key}."), key=shown(key))
    if missing:
        raise Malformed(marked("{key} is missing."), key=next(key for key in required if key not in result))
    return result


def listed(value: Any, length: int | None = None) -> Sequence[Any]:
    """A list, of this length if one is given."""
    if not isinstance(value, list):
        raise Malformed(marked("Expected a list, not {value}."), value=shown(value))
    if length is not None and len(value) != length:
        raise Malformed(marked("Expected a list of {length}, not of {given}."), length=length, given=len(value))
    return value


def whole(value: Any) -> int:
    """A whole number from 0 on, below ``LARGEST``."""
    if type(value) is not int or not 0 <= value < LARGEST:
        raise Malformed(marked("Expected a whole number, not {value}."), value=shown(value))
    return value


def number(value: Any) -> int:
    """A whole number of any sign, closer to 0 than ``LARGEST``."""
    if type(value) is not int or not -LARGEST < value < LARGEST:
        raise Malformed(marked("Expected a whole number, not {value}."), value=shown(value))
    return value


def whole_numbers(value: Any, length: int) -> tuple[int, ...]:
    return tuple(whole(each) for each in listed(value, length))


def seat(value: Any, seats: int) -> int:
    """A seat that exists."""
    seat = whole(value)
    if seat >= seats:
        raise Malformed(marked("There is no seat {seat}."), seat=seat)
    return seat


def seat_or_none(value: Any, seats: int) -> int | None:
    return None if value is None else seat(value, seats)


def one_of(value: Any, choices: Sequence[str]) -> str:
    if not isinstance(value, str) or value not in choices:
        raise Malformed(marked("{value} is not one of: {choices}."), value=shown(value), choices=", ".join(choices))
    return value


def tile(value: Any) -> int:
    """A tile as it is written, high half first."""
    try:
        return tiles.parse(value)
    except (KeyError, TypeError) as reason:
        raise Malformed(marked("There is no tile {tile} (tiles are written like 6-4)."), tile=shown(value)) from reason


def tile_list(value: Any) -> tuple[int, ...]:
    return tuple(tile(each) for each in listed(value))


def left(value: Any, seats: int) -> tuple[int | tuple[int, ...], ...]:
    """What is left in each seat's hand: pips or tiles."""
    return tuple(tile_list(each) if isinstance(each, list) else whole(each) for each in listed(value, seats))


def card(value: Any) -> int:
    """A card as it is written, rank and suit."""
    try:
        return cards.parse(value)
    except (KeyError, TypeError) as reason:
        raise Malformed(
            marked("There is no card {card} (cards are written like AS or TH)."), card=shown(value)
        ) from reason


def deal(value: Any, seats: int, dealt: int, piece: Callable[[Any], int] = tile) -> tuple[int | None, ...]:
    """What each seat was dealt, tiles or cards, as masks; None where it is not known."""
    hands: list[int | None] = []
    taken = 0
    for each in listed(value, seats):
        if each is None:
            hands.append(None)
            continue
        hand = tiles.mask(piece(text) for text in listed(each, dealt))
        if hand.bit_count() != dealt or hand & taken:
            raise Malformed(marked("A tile or card is dealt twice."))
        taken |= hand
        hands.append(hand)
    return tuple(hands)


def shown(value: Any) -> str:
    """A value from outside, short and safe enough for a sentence."""
    if isinstance(value, str):
        result = value[:99].encode("utf-8", "replace").decode().replace("\0", "?")
    elif isinstance(value, bool) or value is None:
        result = {True: "true", False: "false", None: "null"}[value]
    elif isinstance(value, int):
        result = str(value) if abs(value) < LARGEST else "…"
    else:
        result = "[…]" if isinstance(value, list) else "{…}" if isinstance(value, dict) else type(value).__name__
    return result if len(result) <= 40 else result[:39] + "…"


def json_value(source: str | bytes) -> Any:
    """The value of a JSON text: UTF-8, no NaN, no key twice in an object."""
    try:
        return _JSON.decode(source if isinstance(source, str) else source.decode("utf-8"))
    except (ValueError, RecursionError) as reason:
        raise Malformed(marked("This is not valid JSON.")) from reason


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    result = dict(pairs)
    if len(result) != len(pairs):
        raise Malformed(marked("Duplicate key in an object."))
    return result


def _no_constant(name: str) -> Any:
    raise Malformed(marked("{value} is not a number."), value=name)


_JSON = json.JSONDecoder(object_pairs_hook=_object, parse_constant=_no_constant)
"""Made once, for that takes as long as reading a short record."""
