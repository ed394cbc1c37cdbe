"""Entries of a match's log, read from the fields of a page.

Most buttons carry their whole entry as JSON. What is left at a hand's end, and a hand told by its final state, is
typed: these forms put the entry together and hand it to the engine as it is, which says what is wrong with it.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from django.http import QueryDict

import games
from games import Malformed, cards, read
from games.errors import marked
from games.moves import CLAIMS, Play
from scorekeeper import words
from scorekeeper.forms.typed import Unsaid, contract_of, whole


@dataclass(frozen=True, slots=True)
class Sent:
    """What a page posts: the entry, how many entries it knew of, and its key. `then` is to follow the entry."""

    seen: int
    key: str
    entry: dict[str, Any]
    then: dict[str, Any] | None
    preview: bool


@dataclass(frozen=True, slots=True)
class LeftRow:
    """The fields in which one seat says what it has left."""

    seat: int
    name: str
    held: int | None
    known: list[str] | None
    typed: str
    chosen: frozenset[str]
    first: bool
    """Whether it is the first that has anything to say."""


def sent(data: QueryDict, state: games.Match, rng: Random | None = None) -> Sent:
    """The post as an entry; Malformed if it cannot even be put together. `rng` rolls where the phone is to roll."""
    return _sent(data, lambda: _entry(data, state, rng))


def carried(data: QueryDict) -> Sent:
    """The post of a button that carries its whole entry; Malformed if it has none."""
    return _sent(data, lambda: _carried(data))


def _sent(data: QueryDict, entry: Callable[[], dict[str, Any]]) -> Sent:
    seen = data.get("seen", "")
    if not (seen.isascii() and seen.isdigit() and len(seen) < 10):
        raise Malformed(marked("This page is too old to send from. Load it again."))
    then = _object(data["then"]) if data.get("then") else None
    return Sent(int(seen), data.get("key", ""), entry(), then, "preview" in data)


def left_rows(data: QueryDict | None, state: games.Match) -> list[LeftRow]:
    """A row a seat, with what was typed before."""
    offers = state.offers()
    at_end = offers["next"] == "left"
    known = offers["known"] if at_end else [None] * len(state.players)
    held = offers["held"] if at_end else None
    if held:
        known = [[] if count == 0 else tiles for count, tiles in zip(held, known, strict=True)]
    first = next((seat for seat, tiles in enumerate(known) if tiles is None), None)
    data = data or QueryDict()
    return [
        LeftRow(
            seat,
            name,
            held[seat] if held else None,
            known[seat],
            data.get(f"left-{seat}", ""),
            frozenset(data.getlist(f"tiles-{seat}")),
            seat == first,
        )
        for seat, name in enumerate(state.present)
    ]


def _entry(data: QueryDict, state: games.Match, rng: Random | None) -> dict[str, Any]:
    if data.get("entry"):
        return _carried(data)
    if rng and data.get("roll"):
        return _rolled(data["roll"], state, rng)
    seats = range(len(state.players))
    match data.get("form"):
        case "cards":
            return {"kind": "cards", "cards": [_cards(data.get(f"cards-{seat}", "")) or None for seat in seats]}
        case "left":
            return {"kind": "left", "left": _left(data, state, out=None)}
        case "final":
            return _final_entry(data, state)
        case "substitute":
            seat, hand = whole(data.get("seat", "")), whole(data.get("from", ""))
            return {"kind": "substitute", "seat": seat, "player": data.get("player", ""), "from": hand}
    raise Malformed(marked("Nothing was entered."))


def _carried(data: QueryDict) -> dict[str, Any]:
    """The entry a button carries, with the reason typed beside it."""
    why = data.get("why", "").strip()
    return _object(data.get("entry", "")) | ({"why": why} if why else {})


def _rolled(number: str, state: games.Match, rng: Random) -> dict[str, Any]:
    """A roll of so many dice by whoever is on turn, as the phone rolls it."""
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


def by_moves(state: games.Match) -> dict[str, str]:
    """What the moves of the hand in play say of its final state already, as the fields of that form hold it."""
    form, hand = state.game.final(state.options), state.hand
    if hand is None or not form.dropped:
        return {}
    points = [0] * len(state.players)
    dropped: list[list[str]] = [[] for _player in state.players]
    for score in hand.state.scores:
        if score.reason in CLAIMS:
            for seat in score.seats:
                points[seat] += score.points
    for move in hand.state.moves:
        if isinstance(move, Play) and move.claim and move.claim.card is not None:
            dropped[move.seat].append(cards.NAMES[move.claim.card])
    told = {f"points-{seat}": str(claimed) for seat, claimed in enumerate(points)}
    return told | {f"dropped-{seat}": " ".join(names) for seat, names in enumerate(dropped)}


def final_of(data: QueryDict, state: games.Match) -> dict[str, Any]:
    """The final state of a hand, whatever its game asks for. Unsaid if something of it is not said."""
    form, names = state.game.final(state.options), state.present
    final: dict[str, Any] = {}
    if form.contracts:
        final |= contract_of(data.get("contract", ""))
    if form.points:
        final["points"] = _numbers(data, "points", names)
    if form.tricks:
        final["tricks"] = _numbers(data, "tricks", names)
    if form.dropped:
        final["dropped"] = [_cards(data.get(f"dropped-{seat}", "")) for seat in range(len(names))]
    if form.reached:
        # Points on the table belong to the record of every game in which a hand may end by them, be they 0.
        # Left empty they are those of the moves so far.
        made = state.hand.points if state.hand else (0,) * len(names)
        typed = (data.get(f"table-{seat}", "").strip() for seat in range(len(names)))
        final["table"] = [whole(text or str(points)) for text, points in zip(typed, made, strict=True)]
    return final | _end(data, state) if form.out else final


def _end(data: QueryDict, state: games.Match) -> dict[str, Any]:
    """Who went out, and what the others have left."""
    form = state.game.final(state.options)
    ended = data.get("out", "")
    if ended.startswith("reached-"):
        return {"reached": whole(ended.removeprefix("reached-"))}
    if not ended:
        raise Unsaid(marked("Say who went out, or that the hand was blocked."))
    out = None if ended == "blocked" else whole(ended)
    if form.tiles:
        return {"tiles": _numbers(data, "tiles", state.present, out=out), "out": out}
    asks_left = any(f"left-{seat}" in data for seat in range(len(state.players)))
    if form.bad and (not asks_left or any(data.get(f"bad-{side}", "").strip() for side in range(len(state.sides)))):
        sides = [words.together([state.present[seat] for seat in side]) for side in state.sides]
        return {"bad": _numbers(data, "bad", sides), "out": out}
    final = {"left": _left(data, state, out=out), "out": out}
    if form.last and out is None and data.get("last"):
        final["last"] = whole(data["last"])
    return final


def _numbers(data: QueryDict, key: str, names: Sequence[str], *, out: object = None) -> list[Any]:
    """A number for each of the names, 0 for who is `out`."""
    numbers = []
    for number, name in enumerate(names):
        text = "0" if number == out else data.get(f"{key}-{number}", "").strip()
        if not text:
            raise Unsaid(marked("Say the number for {player}."), player=name)
        numbers.append(whole(text))
    return numbers


def _cards(text: str) -> list[str]:
    """Cards as people type them: KD, 10H or 10♥."""
    text = text.upper().replace("10", "T").replace(",", " ")
    for letter, sign in words.SUITS.items():
        text = text.replace(sign, letter)
    return text.split()


def _left(data: QueryDict, state: games.Match, *, out: object) -> list[Any]:
    left: list[Any] = []
    for row in left_rows(data, state):
        if row.known is not None or row.seat == out:
            left.append(row.known or [])
        elif row.chosen:
            left.append(sorted(row.chosen, reverse=True))
        elif row.typed.strip():
            left.append(whole(row.typed))
        else:
            raise Unsaid(marked("Say what {player} has left."), player=row.name)
    return left


def names_from(text: str) -> Sequence[str]:
    """Names written one a line."""
    return [line.strip() for line in text.splitlines() if line.strip()]
