"""Entries of a match's log, read from the fields of a page.

Most buttons carry their whole entry as JSON. What is left at a hand's end, and a hand told by its final state, is
typed: these forms put the entry together and hand it to the engine as it is, which says what is wrong with it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.http import QueryDict

import games
from games import Malformed, read
from games.errors import marked


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


def sent(data: QueryDict, state: games.Match) -> Sent:
    """The post as an entry; Malformed if it cannot even be put together."""
    seen = data.get("seen", "")
    if not (seen.isascii() and seen.isdigit() and len(seen) < 10):
        raise Malformed(marked("This page is too old to send from. Load it again."))
    then = _object(data["then"]) if data.get("then") else None
    return Sent(int(seen), data.get("key", ""), _entry(data, state), then, "preview" in data)


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


def _entry(data: QueryDict, state: games.Match) -> dict[str, Any]:
    if data.get("entry"):
        return _object(data["entry"])
    match data.get("form"):
        case "left":
            return {"kind": "left", "left": _left(data, state, out=None)}
        case "final":
            return _final_entry(data, state)
        case "substitute":
            seat, hand = _whole(data.get("seat", "")), _whole(data.get("from", ""))
            return {"kind": "substitute", "seat": seat, "player": data.get("player", ""), "from": hand}
    raise Malformed(marked("Nothing was entered."))


def _object(text: str) -> dict[str, Any]:
    value = read.json_value(text)
    if not isinstance(value, dict):
        raise Malformed(marked("Nothing was entered."))
    return value


def _final_entry(data: QueryDict, state: games.Match) -> dict[str, Any]:
    final = _final(data, state)
    if state.hand is not None:
        return {"kind": "final", "final": final}
    return {"kind": "hand", "opener": _whole(data.get("opener", "")), "final": final}


def _final(data: QueryDict, state: games.Match) -> dict[str, Any]:
    form = state.game.final(state.options)
    seats = range(len(state.players))
    # Points on the table belong to the record of every game in which a hand may end by them, be they 0.
    table = {"table": [_whole(data.get(f"table-{seat}") or "0") for seat in seats]} if form.reached else {}
    ended = data.get("out", "")
    if ended.startswith("reached-"):
        return table | {"reached": _whole(ended.removeprefix("reached-"))}
    if not ended:
        raise Malformed(marked("Say who went out, or that the hand was blocked."))
    out = None if ended == "blocked" else _whole(ended)
    bad = [data.get(f"bad-{side}", "").strip() for side in range(len(state.sides))]
    if form.bad and any(bad):
        return {"bad": [_whole(text) for text in bad], "out": out}
    final = table | {"left": _left(data, state, out=out), "out": out}
    if form.last and out is None and data.get("last"):
        final["last"] = _whole(data["last"])
    return final


def _left(data: QueryDict, state: games.Match, *, out: object) -> list[Any]:
    left: list[Any] = []
    for row in left_rows(data, state):
        if row.known is not None or row.seat == out:
            left.append(row.known or [])
        elif row.chosen:
            left.append(sorted(row.chosen, reverse=True))
        elif row.typed.strip():
            left.append(_whole(row.typed))
        else:
            raise Malformed(marked("Say what {player} has left."), player=row.name)
    return left


def _whole(text: str) -> Any:
    """A number, or the text as it is for the engine to refuse."""
    text = text.strip()
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else text


def names_from(text: str) -> Sequence[str]:
    """Names written one a line."""
    return [line.strip() for line in text.splitlines() if line.strip()]
