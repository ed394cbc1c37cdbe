"""The final state of a hand: its fields, and what they give.

The game decides which fields there are; the engine decides whether their values are right.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.http import QueryDict

import games
from games import cards
from games.errors import marked
from games.moves import CLAIMS, Play
from scorekeeper import words
from scorekeeper.forms.typed import Incomplete, cards_of, contract_of, typed_contract, whole


@dataclass(frozen=True, slots=True)
class LeftRow:
    """The fields for what one seat has left."""

    seat: int
    name: str
    held: int | None
    known: tuple[str, ...] | None
    typed: str
    chosen: frozenset[str]
    first: bool
    """Whether it is the first row with something to fill in."""


def left_rows(data: QueryDict | None, state: games.Match) -> list[LeftRow]:
    """One row for each seat, with what was typed before."""
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
            None if tiles is None else tuple(tiles),
            data.get(f"left-{seat}", ""),
            frozenset(data.getlist(f"tiles-{seat}")),
            seat == first,
        )
        for seat, (name, tiles) in enumerate(zip(state.present, known, strict=True))
    ]


def left_of(data: QueryDict, state: games.Match, *, out: object = None) -> list[Any]:
    """What each seat has left, tiles or pips; nothing for the seat that went `out`. Incomplete if a seat is missing."""
    left: list[Any] = []
    for row in left_rows(data, state):
        if row.known is not None or row.seat == out:
            left.append(list(row.known or ()))
        elif row.chosen:
            left.append(sorted(row.chosen, reverse=True))
        elif row.typed.strip():
            left.append(whole(row.typed))
        else:
            raise Incomplete(marked("Enter what {player} has left."), player=row.name)
    return left


def final_of(data: QueryDict, state: games.Match) -> dict[str, Any]:
    """The final state of a hand, with the parts its game needs. Incomplete if a part is missing."""
    form, names = state.game.final(state.options), state.present
    final: dict[str, Any] = {}
    if form.contracts:
        final |= contract_of(data.get("contract", ""))
    if form.points:
        final["points"] = _numbers(data, "points", names)
    if form.tricks:
        final["tricks"] = _numbers(data, "tricks", names)
    if form.dropped:
        final["dropped"] = [cards_of(data.get(f"dropped-{seat}", "")) for seat in range(len(names))]
    if form.reached:
        final["table"] = _table_points(data, state)
    return final | _end(data, state) if form.out else final


def made_so_far(state: games.Match) -> dict[str, str]:
    """The fields of the final state that the moves of the hand in play have decided already."""
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
    return {f"points-{seat}": str(claimed) for seat, claimed in enumerate(points)} | {
        f"dropped-{seat}": " ".join(names) for seat, names in enumerate(dropped)
    }


def typed_final(final: Mapping[str, Any]) -> dict[str, list[str]]:
    """The fields that give this final state of a record."""
    typed = typed_left(final.get("left", []))
    for key in ("bad", "table", "points", "tricks", "tiles"):
        typed |= typed_numbers(key, final.get(key, []))
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
    return typed


def typed_left(left: Sequence[Any]) -> dict[str, list[str]]:
    """The fields for what the seats have left, tiles or pips."""
    return {
        f"{'tiles' if isinstance(held, list) else 'left'}-{seat}": held if isinstance(held, list) else [str(held)]
        for seat, held in enumerate(left)
    }


def typed_numbers(key: str, numbers: Sequence[Any]) -> dict[str, list[str]]:
    """One field for each number."""
    return {f"{key}-{number}": [str(value)] for number, value in enumerate(numbers)}


def _table_points(data: QueryDict, state: games.Match) -> list[Any]:
    """Points made in play. Every game in which they can end a hand needs them, even if they are 0. An empty field means
    the points of the moves so far."""
    made = state.hand.points if state.hand else (0,) * len(state.present)
    typed = (data.get(f"table-{seat}", "").strip() for seat in range(len(made)))
    return [whole(text or str(points)) for text, points in zip(typed, made, strict=True)]


def _end(data: QueryDict, state: games.Match) -> dict[str, Any]:
    """Who went out, and what the others have left."""
    form = state.game.final(state.options)
    ended = data.get("out", "")
    if ended.startswith("reached-"):
        return {"reached": whole(ended.removeprefix("reached-"))}
    if not ended:
        raise Incomplete(marked("Choose who went out, or that the hand was blocked."))
    out = None if ended == "blocked" else whole(ended)
    if form.tiles:
        return {"tiles": _numbers(data, "tiles", state.present, out=out), "out": out}
    asks_left = any(f"left-{seat}" in data for seat in range(len(state.players)))
    if form.bad and (not asks_left or any(data.get(f"bad-{side}", "").strip() for side in range(len(state.sides)))):
        sides = [words.together([state.present[seat] for seat in side]) for side in state.sides]
        return {"bad": _numbers(data, "bad", sides), "out": out}
    final = {"left": left_of(data, state, out=out), "out": out}
    if form.last and out is None and (last := data.get("last")):
        final["last"] = whole(last)
    return final


def _numbers(data: QueryDict, key: str, names: Sequence[str], *, out: object = None) -> list[Any]:
    """A number for each name; 0 for the one that went `out`. Incomplete if one is missing."""
    numbers: list[Any] = []
    for number, name in enumerate(names):
        text = "0" if number == out else data.get(f"{key}-{number}", "").strip()
        if not text:
            raise Incomplete(marked("Enter the number for {player}."), player=name)
        numbers.append(whole(text))
    return numbers
