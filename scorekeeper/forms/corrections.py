"""A hand as somebody puts it right: its record, changed piece by piece, and the fields of one move and of its end.

Which fields a kind of move has follows from how the engine reads it; what is wrong with a hand, the engine says.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.http import QueryDict

import games
from games import moves, read
from games.base import Game
from games.errors import marked
from games.moves import CLAIMS, Reader
from games.record import hand_json
from scorekeeper.forms.entries import sent
from scorekeeper.forms.typed import Unsaid, contract_of, typed_contract, whole

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
"""What is said in a move beside who makes it, by how the engine reads it."""
ENDS = ("left", "tricks", "final")
DICE = 4


@dataclass(frozen=True)
class Draft:
    """A hand on its way to be put right: its record as JSON. `drop` is the later hand from which on all is taken
    back; `given_up`: nobody finished it."""

    number: int
    hand: dict[str, Any]
    drop: int | None = None
    given_up: bool = False

    @classmethod
    def of(cls, state: games.Match, number: int) -> "Draft":
        """The hand as it stands."""
        return cls(number, hand_json(state.hands[number].record, state.game))

    @classmethod
    def sent(cls, data: QueryDict, number: int) -> "Draft":
        """The hand as the page sends it back; Malformed if that is no hand at all."""
        hand = read.mapping(read.json_value(data.get("draft", "")))
        read.listed(hand.get("moves", []))
        drop = data.get("drop", "")
        back = int(drop) if drop.isascii() and drop.isdigit() and len(drop) < 6 else None
        return cls(number, dict(hand), back, given_up=bool(data.get("given-up")))

    @property
    def moves(self) -> list[Any]:
        return list(self.hand.get("moves", []))

    def with_moves(self, moves: Sequence[Any]) -> "Draft":
        return replace(self, hand=_in_order({**self.hand, "moves": list(moves)}))

    def changed(self, at: int, move: Mapping[str, Any]) -> "Draft":
        return self.with_moves([*self.moves[:at], move, *self.moves[at + 1 :]])

    def put_in(self, at: int, move: Mapping[str, Any]) -> "Draft":
        """The move comes before what is there now."""
        return self.with_moves([*self.moves[:at], move, *self.moves[at:]])

    def without(self, at: int) -> "Draft":
        return self.with_moves([*self.moves[:at], *self.moves[at + 1 :]])

    def opened_by(self, word: str, seat: Any) -> "Draft":
        return replace(self, hand={**self.hand, word: seat})

    def ended(self, end: Mapping[str, Any]) -> "Draft":
        """Its end told so, whatever was told of it before. Told by its final state for the first time, the hand is
        known by that alone."""
        hand = {key: value for key, value in self.hand.items() if key not in ENDS}
        if "final" in end and "final" not in self.hand:
            hand.pop("moves", None)
        return replace(self, hand={**hand, **end})

    def entries(self, why: str = "") -> list[dict[str, Any]]:
        """What is entered to put it right."""
        reason = {"why": why} if why else {}
        if self.given_up:
            return [{"kind": "abandon"} | reason]
        back = {"kind": "undo", "to": {"hand": self.drop, "move": None}}
        put_right = {"kind": "replace", "hand": self.number, "with": self.hand}
        return [*([back] if self.drop is not None else []), put_right | reason]

    def begun(self, state: games.Match, *, moves: bool = True) -> games.Match:
        """The match at the end of these moves, before anything is told of it or comes after it; `state`: the match as
        it stands. GameError if it cannot come so far."""
        hand = {key: value for key, value in self.hand.items() if key not in ENDS}
        then = replace(state, hands=state.hands[: self.number + 1], stopped=None)
        with_it = {**hand, "moves": self.moves if moves else []}
        return then.enter({"kind": "replace", "hand": self.number, "with": with_it})


def _in_order(hand: dict[str, Any]) -> dict[str, Any]:
    """As a record has it: what is told of the end stands last."""
    return {key: hand[key] for key in sorted(hand, key=ENDS.__contains__)}


# --- one move ----------------------------------------------------------------------------------------------
def kinds_of(game: Game[Any]) -> dict[str, str]:
    """Every field of the game's moves, each with the kinds of move that have it."""
    fields: dict[str, list[str]] = {}
    for kind, reader in game.moves.items():
        for field in FIELDS[reader]:
            fields.setdefault(field, []).append(kind)
    return {field: " ".join(kinds) for field, kinds in fields.items()}


def typed_move(move: Mapping[str, Any]) -> QueryDict:
    """A move of a record as the fields that say it."""
    claim = move.get("claim", {})
    typed = {
        **{
            key: str(move[key]) for key in ("seat", "type", "tile", "end", "count", "suit", "card", "at") if key in move
        },
        **{key: " ".join(move[key]) for key in ("tiles", "drawn") if key in move},
        **{f"die-{number}": str(die) for number, die in enumerate(move.get("dice", []))},
        **({"claim": claim["by"]} if claim else {}),
        **({"claimed": claim[key]} if (key := CLAIMS.get(claim.get("by", ""))) else {}),
    }
    if "contract" in move:
        typed["contract"] = typed_contract(move["contract"], move.get("trump"))
    return _data({key: [value] for key, value in typed.items()})


def move_of(data: QueryDict, game: Game[Any]) -> dict[str, Any]:
    """The fields as a move of a record. Unsaid if something that belongs to it is not said."""
    kind = data.get("type", "")
    if kind not in game.moves:
        raise Unsaid(marked("Say what was done."))
    if not data.get("seat"):
        raise Unsaid(marked("Say who did it."))
    move = {"seat": whole(data["seat"]), "type": kind}
    for field in FIELDS[game.moves[kind]]:
        move |= _said(field, data)
    return move


def _said(field: str, data: QueryDict) -> dict[str, Any]:
    """One field of a move; nothing where it may be left out and is."""
    text = data.get(field, "").strip()
    match field:
        case "tile" | "card" | "at":
            if not text:
                raise Unsaid({"tile": marked("Say which tile."), "card": marked("Say which card.")}.get(field, PLACE))
            return {field: text}
        case "count":
            if not text:
                raise Unsaid(marked("Say how many tiles."))
            return {field: whole(text)}
        case "dice":
            dice = (data.get(f"die-{number}", "").strip() for number in range(DICE))
            return {field: [whole(die) for die in dice if die]}
        case "contract":
            return contract_of(text)
        case "tiles" | "drawn":
            return {field: text.split()} if text else {}
        case "claim":
            return {field: _claim(text, data.get("claimed", ""))} if text else {}
        case "suit":
            return {field: whole(text)} if text else {}
        case _:
            return {field: text} if text else {}


PLACE = marked("Say where.")


def _claim(by: str, card: str) -> dict[str, str]:
    key = CLAIMS.get(by)
    if key and not card:
        raise Unsaid(marked("Say which card."))
    return {"by": by} | ({key: card} if key else {})


# --- the end -----------------------------------------------------------------------------------------------
def typed_end(hand: Mapping[str, Any]) -> QueryDict:
    """What a record tells of the end of a hand, as the fields that say it."""
    told, final = hand, hand.get("final", {})
    typed: dict[str, list[str]] = {}
    for number, left in enumerate(final.get("left", told.get("left", []))):
        if isinstance(left, list):
            typed[f"tiles-{number}"] = left
        else:
            typed[f"left-{number}"] = [str(left)]
    for key in ("bad", "table", "points", "tricks", "tiles"):
        for number, value in enumerate(final.get(key, told.get(key, []) if key == "tricks" else [])):
            typed[f"{key}-{number}"] = [str(value)]
    for number, dropped in enumerate(final.get("dropped", [])):
        typed[f"dropped-{number}"] = [" ".join(dropped).replace("T", "10")]
    if "contract" in final:
        typed["contract"] = [typed_contract(final["contract"], final.get("trump"))]
    if "reached" in final:
        typed["out"] = [f"reached-{final['reached']}"]
    elif "out" in final:
        typed["out"] = ["blocked" if final["out"] is None else str(final["out"])]
    if "last" in final:
        typed["last"] = [str(final["last"])]
    return _data(typed)


def end_of(data: QueryDict, state: games.Match) -> dict[str, Any]:
    """The fields as what a record tells of the end of the hand in play. Unsaid if something is not said."""
    if data.get("form") == "tricks":
        return {"tricks": [whole(data.get(f"tricks-{seat}", "")) for seat in range(len(state.players))]}
    entry = sent(data, state).entry
    return {key: value for key, value in entry.items() if key in ENDS}


def _data(typed: Mapping[str, Sequence[str]]) -> QueryDict:
    data = QueryDict(mutable=True)
    for key, values in typed.items():
        data.setlist(key, list(values))
    return data
