"""Reads values that come from outside. Each function returns the value or raises Malformed."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from games import cards, tiles
from games.errors import GameError, Malformed, marked

REASON = 200
"""The most characters of a reason."""
LARGEST = 10**12
"""All numbers are below this. Without a limit, sums could exceed the 4,300 digits that Python converts to text."""


@contextmanager
def field(name: str) -> Iterator[None]:
    """What is refused here is in this field of the input; a field inside it is ``outer.inner``."""
    try:
        yield
    except GameError as error:
        error.field = f"{name}.{error.field}" if error.field else name
        raise


def text(value: Any) -> str:
    """A string that can be stored and written: without lone surrogates and NUL."""
    if not isinstance(value, str):
        raise Malformed(marked("Expected text, not {value}."), value=shown(value))
    if "\0" in value or any("\ud800" <= char <= "\udfff" for char in value):
        raise Malformed(marked("This text has characters that cannot be written."))
    return value


def why(content: Mapping[str, Any]) -> str:
    """The reason given with an entry; "" if there is none."""
    reason = text(content.get("why", "")).strip()
    if len(reason) > REASON:
        raise Malformed(marked("A reason can have up to {longest} characters."), longest=REASON)
    return reason


def mapping(value: Any) -> Mapping[str, Any]:
    """An object with any keys."""
    if not isinstance(value, dict):
        raise Malformed(marked("Expected an object, not {value}."), value=shown(value))
    result: Mapping[str, Any] = value
    return result


def keyed(value: Any, *, required: Sequence[str] = (), optional: Sequence[str] = ()) -> Mapping[str, Any]:
    """An object with all required keys, perhaps some optional ones, and no others."""
    result, there = mapping(value), 0
    for key in result:
        if key in required:
            there += 1
        elif key not in optional:
            raise Malformed(marked("Unexpected key: {key}."), key=shown(key))
    if there < len(required):
        raise missing([key for key in required if key not in result])
    return result


def missing(keys: Sequence[str]) -> Malformed:
    """The refusal of an object without these keys."""
    if len(keys) == 1:
        return Malformed(marked("{key} is missing."), key=keys[0])
    return Malformed(marked("These are missing: {keys}."), keys=", ".join(keys))


def listed(value: Any, length: int | None = None) -> Sequence[Any]:
    """A list; if ``length`` is given, of this length."""
    if not isinstance(value, list):
        raise Malformed(marked("Expected a list, not {value}."), value=shown(value))
    if length is not None and len(value) != length:
        raise Malformed(marked("Expected a list of {length}, not of {given}."), length=length, given=len(value))
    return value


def whole(value: Any) -> int:
    """A whole number from 0, below ``LARGEST``."""
    if type(value) is not int or value < 0:
        raise Malformed(marked("Expected a whole number from 0 up, not {value}."), value=_typed(value))
    return _not_too_large(value)


def number(value: Any) -> int:
    """A whole number, positive or negative, between -``LARGEST`` and ``LARGEST``."""
    if type(value) is not int:
        raise Malformed(marked("Expected a whole number, not {value}."), value=_typed(value))
    return _not_too_large(value)


def _not_too_large(value: int) -> int:
    if abs(value) >= LARGEST:
        raise Malformed(
            marked("This number is too large: it may have {digits} digits at most."), digits=len(str(LARGEST - 1))
        )
    return value


def _typed(value: Any) -> str:
    """As ``shown``, but a text in quotes: it may look like a number."""
    return f'"{shown(value)}"' if isinstance(value, str) and value else shown(value)


def whole_numbers(value: Any, length: int) -> tuple[int, ...]:
    return tuple(whole(each) for each in listed(value, length))


def flag(value: Any) -> bool:
    if not isinstance(value, bool):
        raise Malformed(marked("Expected true or false, not {value}."), value=shown(value))
    return value


def seat(value: Any, seats: int) -> int:
    """The number of a seat, from 0."""
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
    """A tile by its name, with the higher half first."""
    try:
        return tiles.parse(value)
    except (KeyError, TypeError) as reason:
        raise Malformed(marked("There is no tile {tile} (tiles are written like 6-4)."), tile=shown(value)) from reason


def tile_list(value: Any) -> tuple[int, ...]:
    return tuple(tile(each) for each in listed(value))


def left(value: Any, seats: int) -> tuple[int | tuple[int, ...], ...]:
    """What each seat has left: pips or tiles."""
    return tuple(tile_list(each) if isinstance(each, list) else whole(each) for each in listed(value, seats))


def card(value: Any) -> int:
    """A card by its name: rank and suit."""
    try:
        return cards.parse(value)
    except (KeyError, TypeError) as reason:
        raise Malformed(
            marked("There is no card {card} (cards are written like AS or TH)."), card=shown(value)
        ) from reason


def deal(value: Any, seats: int, dealt: int, piece: Callable[[Any], int] = tile) -> tuple[int | None, ...]:
    """What each seat was dealt, as masks of tiles or cards; None if not known. ``piece`` reads one of them."""
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
    """A value from outside as a short and safe text for an error message."""
    if isinstance(value, str):
        result = value[:99].encode("utf-8", "replace").decode().replace("\0", "?")
    elif isinstance(value, bool) or value is None:
        result = {True: "true", False: "false", None: "null"}[value]
    elif isinstance(value, int | float):
        result = str(value) if abs(value) < LARGEST else "…"
    else:
        result = "[…]" if isinstance(value, list) else "{…}" if isinstance(value, dict) else type(value).__name__
    return (result if len(result) <= 40 else result[:39] + "…") or '""'


def json_value(source: str | bytes) -> Any:
    """The value of a JSON text in UTF-8. Malformed also for NaN and for duplicate keys."""
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
"""Made only once, because that takes as long as reading a short record."""
