"""A hand under correction: its record, changed piece by piece. The engine says what is wrong with it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.http import QueryDict

import games
from games import read
from games.record import hand_json
from scorekeeper.forms.entries import sent
from scorekeeper.forms.final import typed_final, typed_left, typed_numbers
from scorekeeper.forms.typed import typed_data, whole

ENDS = ("left", "tricks", "final")


@dataclass(frozen=True)
class HandDraft:
    """A hand under correction, as JSON. The correction also cancels everything from the later hand `drop` on.
    `given_up` means that the hand was never finished."""

    number: int
    hand: dict[str, Any]
    drop: int | None = None
    given_up: bool = False

    @classmethod
    def of(cls, state: games.Match, number: int) -> "HandDraft":
        """The hand as recorded."""
        return cls(number, hand_json(state.hands[number].record, state.game))

    @classmethod
    def sent(cls, data: QueryDict, number: int) -> "HandDraft":
        """The hand as the page sends it back. Malformed if it is not a hand."""
        hand = read.mapping(read.json_value(data.get("draft", "")))
        read.listed(hand.get("moves", []))
        drop = data.get("drop", "")
        back = int(drop) if drop.isascii() and drop.isdigit() and len(drop) < 6 else None
        return cls(number, dict(hand), back, given_up=bool(data.get("given-up")))

    @property
    def moves(self) -> list[Any]:
        return list(self.hand.get("moves", []))

    def with_moves(self, moves: Sequence[Any]) -> "HandDraft":
        return replace(self, hand=_in_order({**self.hand, "moves": list(moves)}))

    def changed(self, at: int, move: Mapping[str, Any]) -> "HandDraft":
        return self.with_moves([*self.moves[:at], move, *self.moves[at + 1 :]])

    def put_in(self, at: int, move: Mapping[str, Any]) -> "HandDraft":
        """Inserts the move before the one at `at`."""
        return self.with_moves([*self.moves[:at], move, *self.moves[at:]])

    def without(self, at: int) -> "HandDraft":
        return self.with_moves([*self.moves[:at], *self.moves[at + 1 :]])

    def opened_by(self, word: str, seat: Any) -> "HandDraft":
        return replace(self, hand={**self.hand, word: seat})

    def ended(self, end: Mapping[str, Any]) -> "HandDraft":
        """Replaces the end of the hand. A hand that gets a final state for the first time loses its moves: from then
        on only its final state is known."""
        hand = {key: value for key, value in self.hand.items() if key not in ENDS}
        if "final" in end and "final" not in self.hand:
            hand.pop("moves", None)
        return replace(self, hand={**hand, **end})

    def entries(self, why: str = "") -> list[dict[str, Any]]:
        """The entries that make the correction."""
        reason = {"why": why} if why else {}
        if self.given_up:
            return [{"kind": "abandon"} | reason]
        undo = {"kind": "undo", "to": {"hand": self.drop, "move": None}}
        correction = {"kind": "replace", "hand": self.number, "with": self.hand}
        return [*([undo] if self.drop is not None else []), correction | reason]

    def begun(self, state: games.Match, *, moves: bool = True) -> games.Match:
        """The match `state` after the moves of this hand, without its end and without the later hands. GameError if a
        move is wrong."""
        hand = {key: value for key, value in self.hand.items() if key not in ENDS}
        before = replace(state, hands=state.hands[: self.number + 1], stopped=None)
        unfinished = {**hand, "moves": self.moves if moves else []}
        return before.enter({"kind": "replace", "hand": self.number, "with": unfinished})


def typed_end(hand: Mapping[str, Any]) -> QueryDict:
    """The fields that give the end of this hand of a record."""
    left, tricks = typed_left(hand.get("left", [])), typed_numbers("tricks", hand.get("tricks", []))
    return typed_data(left | tricks | typed_final(hand.get("final", {})))


def end_of(data: QueryDict, state: games.Match) -> dict[str, Any]:
    """The fields as the end of the hand in play, for a record. Incomplete if a part is missing."""
    if data.get("form") == "tricks":
        return {"tricks": [whole(data.get(f"tricks-{seat}", "")) for seat in range(len(state.players))]}
    entry = sent(data, state).entry
    return {key: value for key, value in entry.items() if key in ENDS}


def _in_order(hand: dict[str, Any]) -> dict[str, Any]:
    """The keys in the order of a record: the end comes last."""
    return {key: hand[key] for key in sorted(hand, key=ENDS.__contains__)}
