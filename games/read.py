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
        raise Malformed(marked("Text is expected, not {value}."), value=shown(value))
    if "\0" in value or any("\ud800" <= char <= "\udfff" for char in value):
        raise Malformed(marked("This text has characters that cannot be written."))
    return value


def why(content: Mapping[str, Any]) -> str:
    """The reason that may stand with an entry; "" where none is given."""
    reason = text(content.get("why", "")).strip()
    if len(reason) > REASON:
        raise Malformed(marked("A reason has {longest} characters at most."), longest=REASON)
    return reason


def mapping(value: Any) -> Mapping[str, Any]:
    """An object, whatever its keys."""
    if not isinstance(value, dict):
        raise Malformed(marked("An object is expected, not {value}."), value=shown(value))
    result: Mapping[str, Any] = value
    return result


def keyed(value: Any, *, required: Sequence[str] = (), optional: Sequence[str] = ()) -> Mapping[str, Any]:
    """An object with all the required keys and no others than these."""
    result = mapping(value)
    for key in required:
        if key not in result:
            raise Malformed(marked("{key} is missing."), key=key)
    for key in result:
        if key not in required and key not in optional:
            raise Malformed(marked("{key} has no place here."), key=shown(key))
    return result


def listed(value: Any, length: int | None = None) -> Sequence[Any]:
    """A list, of this length if one is given."""
    if not isinstance(value, list):
        raise Malformed(marked("A list is expected, not {value}."), value=shown(value))
    if length is not None and len(value) != length:
        raise Malformed(marked("A list of {length} is expected, not of {given}."), length=length, given=len(value))
    return value


def whole(value: Any) -> int:
    """A whole number from 0 on, below ``LARGEST``."""
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value < LARGEST:
        raise Malformed(marked("A whole number is expected, not {value}."), value=shown(value))
    return value


def number(value: Any) -> int:
    """A whole number of any sign, closer to 0 than ``LARGEST``."""
    if not isinstance(value, int) or isinstance(value, bool) or not -LARGEST < value < LARGEST:
        raise Malformed(marked("A whole number is expected, not {value}."), value=shown(value))
    return value


def whole_numbers(value: Any, length: int) -> tuple[int, ...]:
    return tuple(whole(each) for each in listed(value, length))


def seat(value: Any, seats: int) -> int:
    """A seat that exists."""
    if whole(value) >= seats:
        raise Malformed(marked("There is no seat {seat}."), seat=shown(value))
    return int(value)


def seat_or_none(value: Any, seats: int) -> int | None:
    return None if value is None else seat(value, seats)


def one_of(value: Any, choices: Sequence[str]) -> str:
    if not isinstance(value, str) or value not in choices:
        raise Malformed(marked("{value} is none of: {choices}."), value=shown(value), choices=", ".join(choices))
    return value


def tile(value: Any) -> int:
    """A tile as it is written, high half first."""
    if not isinstance(value, str) or value not in tiles.NAMES:
        raise Malformed(marked("There is no tile {tile} (tiles are written like 6-4)."), tile=shown(value))
    return tiles.parse(value)


def tile_list(value: Any) -> tuple[int, ...]:
    return tuple(tile(each) for each in listed(value))


def left(value: Any, seats: int) -> tuple[int | tuple[int, ...], ...]:
    """What is left in each seat's hand: pips or tiles."""
    return tuple(tile_list(each) if isinstance(each, list) else whole(each) for each in listed(value, seats))


def card(value: Any) -> int:
    """A card as it is written, rank and suit."""
    if not isinstance(value, str) or value not in cards.NAMES:
        raise Malformed(marked("There is no card {card} (cards are written like AS or TH)."), card=shown(value))
    return cards.parse(value)


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
        return json.loads(
            source if isinstance(source, str) else source.decode("utf-8"),
            object_pairs_hook=_object,
            parse_constant=_no_constant,
        )
    except (ValueError, RecursionError) as reason:
        raise Malformed(marked("This is not readable as JSON.")) from reason


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    result = dict(pairs)
    if len(result) != len(pairs):
        raise Malformed(marked("A key stands twice in one object."))
    return result


def _no_constant(name: str) -> Any:
    raise Malformed(marked("{value} is no number."), value=name)
