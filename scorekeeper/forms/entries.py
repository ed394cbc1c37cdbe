"""Entries of a match's log, read from the fields of a page.

Most buttons carry a complete entry as JSON. Other entries are typed: the tiles left, the cards, a final state, a
substitute. The forms here put such an entry together; the engine says what is wrong with it.
"""

from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Any

from django.http import QueryDict

import games
from games import Malformed, read
from games.errors import marked
from scorekeeper.forms.final import final_of, left_of
from scorekeeper.forms.typed import cards_of, whole


@dataclass(frozen=True, slots=True)
class Sent:
    """What a page posts: an entry, the number of entries it has seen, and a key. `then` is a second entry to follow."""

    seen: int
    key: str
    entry: dict[str, Any]
    then: dict[str, Any] | None
    preview: bool

    def followed(self, length: int) -> "Sent":
        """The second entry, after `length` entries, with a key made from the first."""
        assert self.then is not None
        return Sent(length, f"{self.key[:60]}+", self.then, None, preview=False)


def sent(data: QueryDict, state: games.Match, rng: Random | None = None) -> Sent:
    """The entry in a post; Malformed if there is none. `rng` rolls the dice if the phone is asked to."""
    return _sent(data, lambda: _entry(data, state, rng))


def carried(data: QueryDict) -> Sent:
    """The post of a button that carries a complete entry; Malformed if it does not."""
    return _sent(data, lambda: _carried(data))


def _sent(data: QueryDict, entry: Callable[[], dict[str, Any]]) -> Sent:
    seen = data.get("seen", "")
    if not (seen.isascii() and seen.isdigit() and len(seen) < 10):
        raise Malformed(marked("This page is too old. Reload it and try again."))
    then = data.get("then")
    return Sent(int(seen), data.get("key", ""), entry(), _object(then) if then else None, "preview" in data)


def _entry(data: QueryDict, state: games.Match, rng: Random | None) -> dict[str, Any]:
    if data.get("entry"):
        return _carried(data)
    if rng and (dice := data.get("roll")):
        return _rolled(dice, state, rng)
    seats = range(len(state.players))
    match data.get("form"):
        case "cards":
            return {"kind": "cards", "cards": [cards_of(data.get(f"cards-{seat}", "")) or None for seat in seats]}
        case "left":
            return {"kind": "left", "left": left_of(data, state)}
        case "final":
            return _final_entry(data, state)
        case "substitute":
            seat, hand = whole(data.get("seat", "")), whole(data.get("from", ""))
            return {"kind": "substitute", "seat": seat, "player": data.get("player", ""), "from": hand}
    raise Malformed(marked("Nothing was entered."))


def _carried(data: QueryDict) -> dict[str, Any]:
    """The entry of a button, with the reason that was typed."""
    why = data.get("why", "").strip()
    return _object(data.get("entry", "")) | ({"why": why} if why else {})


def _rolled(number: str, state: games.Match, rng: Random) -> dict[str, Any]:
    """The player on turn rolls this number of dice on the phone."""
    dice = [rng.randint(1, 6) for _die in range(int(number) if number in ("2", "4") else 0)]
    return {"kind": "move", "move": {"seat": state.offers().get("seat"), "type": "roll", "dice": dice}}


def _object(text: str) -> dict[str, Any]:
    value = read.json_value(text)
    if not isinstance(value, dict):
        raise Malformed(marked("Nothing was entered."))
    return value


def _final_entry(data: QueryDict, state: games.Match) -> dict[str, Any]:
    final = final_of(data, state)
    if state.hand is not None:
        return {"kind": "final", "final": final}
    return {"kind": "hand", "opener": whole(data.get("opener", "")), "final": final}
