"""The moves of all games, and how records write them."""

from collections.abc import Callable
from typing import Any, NamedTuple

from games import cards, read, tiles
from games.errors import Malformed, marked
from games.line import ENDS


class Claim(NamedTuple):
    """How a player claims the total: ``by`` a ``card`` of that value, as a ``multiple`` of the sum of two dice, or with
    the ``virtual`` card of four dice. ``card`` is the card dropped; None if no card is dropped."""

    by: str
    card: int | None = None


class Play(NamedTuple):
    """A tile laid to the line. ``end`` is None if the player did not name it."""

    seat: int
    tile: int
    end: str | None = None
    claim: Claim | None = None


class Draw(NamedTuple):
    """Tiles drawn from the boneyard, in order. ``tiles`` is None if they are hidden."""

    seat: int
    number: int
    tiles: tuple[int, ...] | None = None


class Pass(NamedTuple):
    seat: int


class Roll(NamedTuple):
    seat: int
    dice: tuple[int, ...]


class Contract(NamedTuple):
    """A contract called, with its trump number (None for a contract without trumps)."""

    seat: int
    contract: str
    trump: int | None = None


class Discard(NamedTuple):
    """Tiles put out of play, and as many drawn for them; None if they are hidden."""

    seat: int
    number: int
    tiles: tuple[int, ...] | None = None
    drawn: tuple[int, ...] | None = None


class Follow(NamedTuple):
    """A tile played to a trick. ``suit`` is the number that the leader named; None if nobody named one."""

    seat: int
    tile: int
    suit: int | None = None


class PlaceCard(NamedTuple):
    """A card placed on the square. ``cell`` is a number from 0, row by row."""

    seat: int
    card: int
    cell: int


Move = Play | Draw | Pass | Roll | Contract | Discard | Follow | PlaceCard
Reader = Callable[[Any, int], Move]
"""Reads a move from the value in a record and the number of seats. Malformed if it is not such a move."""


def unseen(move: Move) -> Move:
    """The move without the hidden tiles that were drawn or put out of play."""
    if isinstance(move, Draw):
        return move._replace(tiles=None)
    if isinstance(move, Discard):
        return move._replace(tiles=None, drawn=None)
    return move


CELLS = tuple(f"r{row}c{column}" for row in range(1, 5) for column in range(1, 5))
CLAIMS = {"card": "card", "multiple": None, "virtual": "drop"}
"""The ways to claim, each with the key for the card dropped."""


# --- reading -----------------------------------------------------------------------------------------------
def read_play(value: Any, seats: int) -> Play:
    move = read.keyed(value, required=("seat", "type", "tile"), optional=("end",))
    end = read.one_of(move["end"], ENDS) if "end" in move else None
    return Play(read.seat(move["seat"], seats), read.tile(move["tile"]), end)


def read_claiming_play(value: Any, seats: int) -> Play:
    """A play that may carry a claim."""
    move = dict(read.keyed(value, required=("seat", "type", "tile"), optional=("end", "claim")))
    claim = _read_claim(move.pop("claim")) if "claim" in move else None
    return read_play(move, seats)._replace(claim=claim)


def _read_claim(value: Any) -> Claim:
    by = read.one_of(read.mapping(value).get("by"), tuple(CLAIMS))
    key = CLAIMS[by]
    claim = read.keyed(value, required=("by", key) if key else ("by",))
    return Claim(by, read.card(claim[key]) if key else None)


def read_draw(value: Any, seats: int) -> Draw:
    move = read.keyed(value, required=("seat", "type", "count"), optional=("tiles",))
    number = read.whole(move["count"])
    if not number:
        raise Malformed(marked("Expected a whole number, not {value}."), value=0)
    return Draw(read.seat(move["seat"], seats), number, _read_seen(move, "tiles", number))


def _read_seen(move: Any, key: str, number: int) -> tuple[int, ...] | None:
    """The tiles, if the move names them. Malformed if their number differs from the count, or one appears twice."""
    if key not in move:
        return None
    seen = read.tile_list(read.listed(move[key], number))
    if len(set(seen)) < number:
        raise Malformed(marked("A tile appears twice."))
    return seen


def read_pass(value: Any, seats: int) -> Pass:
    return Pass(read.seat(read.keyed(value, required=("seat", "type"))["seat"], seats))


def read_roll(value: Any, seats: int) -> Roll:
    move = read.keyed(value, required=("seat", "type", "dice"))
    return Roll(read.seat(move["seat"], seats), tuple(read.number(die) for die in read.listed(move["dice"])))


def read_contract(value: Any, seats: int) -> Contract:
    move = read.keyed(value, required=("seat", "type", "contract"), optional=("trump",))
    trump = read.number(move["trump"]) if "trump" in move else None
    return Contract(read.seat(move["seat"], seats), read.text(move["contract"]), trump)


def read_discard(value: Any, seats: int) -> Discard:
    move = read.keyed(value, required=("seat", "type", "count"), optional=("tiles", "drawn"))
    seat, number = read.seat(move["seat"], seats), read.whole(move["count"])
    return Discard(seat, number, _read_seen(move, "tiles", number), _read_seen(move, "drawn", number))


def read_follow(value: Any, seats: int) -> Follow:
    move = read.keyed(value, required=("seat", "type", "tile"), optional=("suit",))
    suit = read.number(move["suit"]) if "suit" in move else None
    return Follow(read.seat(move["seat"], seats), read.tile(move["tile"]), suit)


def read_place(value: Any, seats: int) -> PlaceCard:
    move = read.keyed(value, required=("seat", "type", "card", "at"))
    at = read.one_of(move["at"], CELLS)
    return PlaceCard(read.seat(move["seat"], seats), read.card(move["card"]), CELLS.index(at))


# --- writing -----------------------------------------------------------------------------------------------
def move_type(move: Move) -> str:
    """The type of this move in records."""
    return _TYPES[type(move)]


def move_json(move: Move) -> dict[str, Any]:
    """The move as a record writes it, without what is not known."""
    return {"seat": move.seat, "type": move_type(move), **_content(move)}


def move_entry(move: Move) -> dict[str, Any]:
    """The log entry for this move."""
    return {"kind": "move", "move": move_json(move)}


_TYPES: dict[type, str] = {
    Play: "play",
    Draw: "draw",
    Pass: "pass",
    Roll: "roll",
    Contract: "contract",
    Discard: "discard",
    Follow: "play",
    PlaceCard: "place",
}


def _content(move: Move) -> dict[str, Any]:
    match move:
        case Play(_, tile, end, claim):
            return {"tile": tiles.NAMES[tile], **_said(end=end, claim=None if claim is None else _claim_json(claim))}
        case Draw(_, number, seen):
            return {"count": number, **_said(tiles=_names(seen))}
        case Roll(_, dice):
            return {"dice": list(dice)}
        case Contract(_, contract, trump):
            return {"contract": contract, **_said(trump=trump)}
        case Discard(_, number, seen, drawn):
            return {"count": number, **_said(tiles=_names(seen), drawn=_names(drawn))}
        case Follow(_, tile, suit):
            return {"tile": tiles.NAMES[tile], **_said(suit=suit)}
        case PlaceCard(_, card, cell):
            return {"card": cards.NAMES[card], "at": CELLS[cell]}
        case _:
            return {}


def _claim_json(claim: Claim) -> dict[str, str]:
    key = CLAIMS[claim.by]
    return {"by": claim.by} | ({} if key is None or claim.card is None else {key: cards.NAMES[claim.card]})


def _said(**values: Any) -> dict[str, Any]:
    return {key: value for key, value in values.items() if value is not None}


def _names(seen: tuple[int, ...] | None) -> list[str] | None:
    return None if seen is None else [tiles.NAMES[tile] for tile in seen]
