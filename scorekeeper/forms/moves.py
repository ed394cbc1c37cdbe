"""The fields of one move. They follow from the function with which the engine reads this kind of move."""

from collections.abc import Mapping
from typing import Any

from django.http import QueryDict

from games import moves
from games.base import Game
from games.errors import marked
from games.moves import CLAIMS, Reader
from scorekeeper.forms.typed import Incomplete, contract_of, typed_contract, typed_data, whole

FIELDS: Mapping[Reader, tuple[str, ...]] = {
    moves.read_play: ("tile", "end"),
    moves.read_claiming_play: ("tile", "end", "claim"),
    moves.read_draw: ("count", "tiles"),
    moves.read_pass: (),
    moves.read_roll: ("dice",),
    moves.read_contract: ("contract",),
    moves.read_discard: ("count", "tiles", "drawn"),
    moves.read_follow: ("tile", "suit"),
    moves.read_place: ("card", "at"),
}
"""The fields of a move besides its seat, by the function that reads it."""
NEEDED: Mapping[str, str] = {
    "tile": marked("Choose the tile."),
    "card": marked("Choose the card."),
    "at": marked("Choose where."),
    "count": marked("Enter how many tiles."),
}
"""What to ask for if the field is empty."""
AS_TYPED = ("seat", "type", "tile", "end", "count", "suit", "card", "at")
DICE = 4


def kinds_of(game: Game[Any]) -> dict[str, str]:
    """Every field of the game's moves, with the kinds of move that have it."""
    fields: dict[str, list[str]] = {}
    for kind, reader in game.moves.items():
        for field in FIELDS[reader]:
            fields.setdefault(field, []).append(kind)
    return {field: " ".join(kinds) for field, kinds in fields.items()}


def typed_move(move: Mapping[str, Any]) -> QueryDict:
    """The fields that give this move of a record."""
    claim = move.get("claim", {})
    typed = {
        **{key: str(move[key]) for key in AS_TYPED if key in move},
        **{key: " ".join(move[key]) for key in ("tiles", "drawn") if key in move},
        **{f"die-{number}": str(die) for number, die in enumerate(move.get("dice", []))},
        **({"claim": claim["by"]} if claim else {}),
        **({"claimed": claim[key]} if (key := CLAIMS.get(claim.get("by", ""))) else {}),
    }
    if "contract" in move:
        typed["contract"] = typed_contract(move["contract"], move.get("trump"))
    return typed_data({key: [value] for key, value in typed.items()})


def move_of(data: QueryDict, game: Game[Any]) -> dict[str, Any]:
    """The fields as a move of a record. Incomplete if a needed field is empty."""
    kind, seat = data.get("type", ""), data.get("seat")
    if kind not in game.moves:
        raise Incomplete(marked("Choose what was done."))
    if not seat:
        raise Incomplete(marked("Choose who did it."))
    move = {"seat": whole(seat), "type": kind}
    for field in FIELDS[game.moves[kind]]:
        move |= _value(field, data)
    return move


def _value(field: str, data: QueryDict) -> dict[str, Any]:
    """One field of a move; nothing if it is empty and may be."""
    text = data.get(field, "").strip()
    if field in NEEDED and not text:
        raise Incomplete(NEEDED[field])
    if field == "dice":
        dice = (data.get(f"die-{number}", "").strip() for number in range(DICE))
        return {field: [whole(die) for die in dice if die]}
    if field == "contract":
        return contract_of(text)
    if not text:
        return {}
    match field:
        case "count" | "suit":
            return {field: whole(text)}
        case "tiles" | "drawn":
            return {field: text.split()}
        case "claim":
            return {field: _claim(text, data.get("claimed", ""))}
    return {field: text}


def _claim(by: str, card: str) -> dict[str, str]:
    key = CLAIMS.get(by)
    if key and not card:
        raise Incomplete(marked("Choose the card."))
    return {"by": by} | ({key: card} if key else {})
