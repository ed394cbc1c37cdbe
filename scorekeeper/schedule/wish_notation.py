"""Wishes as people type them, and as JSON. Typed wishes count players, rounds and tables from 1, JSON from 0."""

import re
from collections import Counter
from collections.abc import Sequence
from typing import Any, TypeGuard

from scorekeeper.schedule.problem import Apart, Wishes


class Unreadable(Exception):
    """A text that is no schedule or no wish. ``code`` says why; ``facts`` say where."""

    def __init__(self, code: str, **facts: int | str) -> None:
        super().__init__(code)
        self.code, self.facts = code, facts


def read_typed(apart: Sequence[str], fixed: Sequence[str], present: Sequence[str], rounds: int) -> Wishes:
    """Reads typed wishes for a schedule of this many rounds. Unreadable if one is not a wish.

    ``apart``: `3,8,12` or, for the first two rounds, `3,8:2`. ``fixed``: `7=1` for player 7 at table 1. ``present``:
    `9=3-`, `9=-6` or `9=3-6` for the first and last round that player 9 plays.
    """
    for option, wishes in (("--fixed", map(_fixed, fixed)), ("--present", map(_present, present))):
        for player, times in Counter(wish[0] for wish in wishes).items():
            if times > 1:
                raise Unreadable("wished-twice", wish=option, player=player + 1)
    return Wishes(
        tuple(Apart(players, until or rounds) for players, until in map(_apart, apart)),
        dict(map(_fixed, fixed)),
        {player: (first, end or rounds) for player, first, end in map(_present, present)},
    )


def as_typed(wishes: Wishes) -> str:
    """The players apart and the fixed tables, as `read_typed` reads them."""
    apart = [f"--apart {','.join(str(player + 1) for player in group.players)}" for group in wishes.apart]
    return " ".join([*apart, *(f"--fixed {player + 1}={table + 1}" for player, table in wishes.fixed.items())])


def as_json(wishes: Wishes, rounds: int) -> dict[str, Any]:
    """A wish for all ``rounds`` has no end in JSON, so that it also holds for rounds added later."""

    def until(key: str, end: int) -> dict[str, int]:
        return {key: end} if end < rounds else {}

    return {
        "apart": [{"players": list(group.players)} | until("rounds", group.rounds) for group in wishes.apart],
        "fixed": [{"player": player, "table": table} for player, table in wishes.fixed.items()],
        "present": [
            {"player": player, "first": first} | until("end", end) for player, (first, end) in wishes.present.items()
        ],
    }


def read_json(value: Any, rounds: int) -> Wishes:
    """Reads what `as_json` writes. Unreadable otherwise."""
    try:
        apart = [(*group["players"], group.get("rounds", rounds)) for group in value.get("apart", [])]
        fixed = [(wish["player"], wish["table"]) for wish in value.get("fixed", [])]
        present = [(wish["player"], wish["first"], wish.get("end", rounds)) for wish in value.get("present", [])]
    except (AttributeError, KeyError, TypeError) as error:
        raise Unreadable("bad-wishes") from error
    if not all(are_numbers([*wish]) for wish in (*apart, *fixed, *present)):
        raise Unreadable("bad-wishes")
    return Wishes(
        tuple(Apart(tuple(players), until) for *players, until in apart),
        dict(fixed),
        {player: (first, min(end, rounds)) for player, first, end in present},
    )


def are_numbers(value: object) -> TypeGuard[list[int]]:
    """Whether it is a list of whole numbers."""
    return isinstance(value, list) and all(isinstance(item, int) and not isinstance(item, bool) for item in value)


def _apart(text: str) -> tuple[tuple[int, ...], int]:
    """The players, and the number of rounds; 0: all."""
    match = re.fullmatch(r"(\d{1,4}(?:,\d{1,4})+)(?::([1-9]\d{0,3}))?", text.replace(" ", ""))
    if not match:
        raise Unreadable("no-wish", text=text, like="3,8,12 or 3,8,12:2")
    return tuple(int(player) - 1 for player in match[1].split(",")), int(match[2] or 0)


def _fixed(text: str) -> tuple[int, int]:
    match = re.fullmatch(r"(\d{1,4})=(\d{1,4})", text.replace(" ", ""))
    if not match:
        raise Unreadable("no-wish", text=text, like="7=1")
    return int(match[1]) - 1, int(match[2]) - 1


def _present(text: str) -> tuple[int, int, int]:
    """The player, the first round they play, and the first round they no longer play; 0: they stay to the end."""
    match = re.fullmatch(r"(\d{1,4})=([1-9]\d{0,3}|)-([1-9]\d{0,3}|)", text.replace(" ", ""))
    if not match or not (match[2] or match[3]):
        raise Unreadable("no-wish", text=text, like="9=3-, 9=-6 or 9=3-6")
    return int(match[1]) - 1, int(match[2] or 1) - 1, int(match[3] or 0)
