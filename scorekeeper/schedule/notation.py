"""A schedule in writing: as JSON, as the command prints it, or as lines of tables like `7-2-1-8`."""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import count
from typing import Any, NamedTuple, TypeGuard

from scorekeeper.schedule import wish_notation
from scorekeeper.schedule.problem import NO_WISHES, Wishes
from scorekeeper.schedule.seating import (
    FORMATS,
    FOURS,
    HEADS,
    MIXED,
    PARTNERS,
    TRIPLES,
    Format,
    Schedule,
    Seating,
    Table,
)
from scorekeeper.schedule.wish_notation import Unreadable, are_numbers

MOST_PLAYERS = 1000
_BY_SIZES = {(2,): HEADS, (3,): TRIPLES, (4,): FOURS, (3, 4): MIXED}


class Written(NamedTuple):
    """A schedule and what it was made for: wishes, which apply to the rounds after the ``released`` ones."""

    schedule: Schedule
    wishes: Wishes = NO_WISHES
    released: int = 0


# --- write -------------------------------------------------------------------------------------------------
def as_json(written: Written) -> dict[str, Any]:
    """Players, rounds and tables count from 0. A table lists its seats in order; the first seat leads. Wishes and the
    number of released rounds appear only if there are any."""
    schedule, wishes, released = written
    value: dict[str, Any] = {
        "format": schedule.format.name,
        "n": schedule.players,
        "k": schedule.format.size,
        "partners": schedule.format.partners,
        "rounds": [[list(table) for table in seating.tables] for seating in schedule.rounds],
        "byes": [list(seating.byes) for seating in schedule.rounds],
    }
    if wishes != NO_WISHES:
        value["wishes"] = wish_notation.as_json(wishes, len(schedule.rounds))
    if released:
        value["released"] = released
    return value


def as_text(schedule: Schedule) -> str:
    """The format and the number of players, then one line for each round. Players count from 1."""
    lines = [f"{schedule.format.name}, {schedule.players} players"]
    for number, (tables, byes) in enumerate(schedule.rounds, 1):
        out = f"   out: {', '.join(str(player + 1) for player in byes)}" if byes else ""
        lines.append(f"Round {number:2}   {tables_as_text(tables)}{out}")
    return "\n".join(lines)


def tables_as_text(tables: Sequence[Table]) -> str:
    return "   ".join("-".join(str(player + 1) for player in table) for table in tables)


# --- read --------------------------------------------------------------------------------------------------
def read(text: str, *, partners: bool = False, rounds: int | None = None, players: int | None = None) -> Written:
    """Reads JSON; or what `as_text` writes, with anything around it; or one table a line, with an empty line between
    rounds. Unreadable otherwise.

    A text counts players from 1, unless it has a 0. Without byes in the text, players at no table have a bye.
    ``partners``: in tables of four, opposite seats are partners. ``rounds``: the number of rounds for wishes without an
    end. ``players``: the number of players if the text may not name them all.
    """
    text = text.removeprefix("\ufeff")  # the mark that some programs put at the start of a text
    written = _read_json(text, rounds) if text.lstrip().startswith("{") else Written(_read_text(text, players))
    if not partners:
        return written
    if written.schedule.format.sizes != PARTNERS.sizes:
        raise Unreadable("no-partners", format=written.schedule.format.name)
    return written._replace(schedule=replace(written.schedule, format=PARTNERS))


def _read_json(text: str, last: int | None) -> Written:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise Unreadable("no-json", why=str(error)) from error
    if not isinstance(value, Mapping) or value.get("format") not in [*FORMATS]:
        raise Unreadable("no-format", formats=", ".join(FORMATS))
    players, rounds = value.get("n"), value.get("rounds")
    if not _is_count(players) or not isinstance(rounds, list) or not rounds:
        raise Unreadable("no-rounds")
    seatings = _json_seatings(rounds, value.get("byes", [None] * len(rounds)), players)
    released = value.get("released", 0)
    if not are_numbers([released]) or not 0 <= released <= len(seatings):
        raise Unreadable("bad-released", rounds=len(seatings))
    wishes = wish_notation.read_json(value.get("wishes", {}), len(seatings) if last is None else last)
    return Written(Schedule(FORMATS[value["format"]], _checked(players), seatings), wishes, released)


def _json_seatings(rounds: Sequence[Any], byes: object, players: int) -> tuple[Seating, ...]:
    if not isinstance(byes, list) or len(byes) != len(rounds):
        raise Unreadable("no-byes")
    seatings = []
    for number, (tables, out) in enumerate(zip(rounds, byes, strict=True), 1):
        if not _are_tables(tables) or not (out is None or are_numbers(out)):
            raise Unreadable("bad-round", round=number)
        seatings.append(_seating(tuple(map(tuple, tables)), players, out))
    return tuple(seatings)


def _read_text(text: str, known: int | None) -> Schedule:
    if not text.strip():
        raise Unreadable("empty")
    printed = re.findall(r"^Round +\d+ +(.*)$", text, re.MULTILINE)
    blocks = re.split(r"\n\s*\n", text.strip())
    rounds = [*(map(_printed_round, count(1), printed) if printed else map(_block, count(1), blocks))]
    heading = re.search(rf"^({'|'.join(FORMATS)}), (\d{{1,4}}) players$", text, re.MULTILINE)
    if heading:
        format, players, first = FORMATS[heading[1]], _checked(int(heading[2])), 1
    else:
        format, players, first = _guessed(rounds, known)
    seatings = (
        _seating(tuple(_from(first, table) for table in tables), players, out and _from(first, out))
        for tables, out in rounds
    )
    return Schedule(format, players, tuple(seatings))


_Numbered = tuple[tuple[Table, ...], Table | None]
"""A round with the player numbers of its text, and its byes if the text has them."""


def _printed_round(number: int, line: str) -> _Numbered:
    tables, _out, byes = line.partition("out:")
    words = tables.split()
    if not words or not all(re.fullmatch(r"\d{1,4}(-\d{1,4})+", word) for word in words):
        raise Unreadable("bad-line", round=number, line=line)
    return tuple(map(_numbers_in, words)), _numbers_in(byes)


def _block(number: int, block: str) -> _Numbered:
    """A line is one table, or several like `1-4 2-3`, as books print them."""
    tables: list[Table] = []
    for line in block.splitlines():
        words = re.sub(r"\s*[-–]\s*", "-", line).split()
        if not re.fullmatch(r"\s*\d{1,4}(\s*[-–,;\s]\s*\d{1,4})+\s*", line):
            raise Unreadable("bad-line", round=number, line=line.strip())
        if len(words) > 1 and any("-" in word for word in words):
            if not all("-" in word for word in words):
                raise Unreadable("bad-line", round=number, line=line.strip())
            tables += map(_numbers_in, words)
        else:
            tables.append(_numbers_in(line))
    return tuple(tables), None


def _numbers_in(text: str) -> tuple[int, ...]:
    return tuple(map(int, re.findall(r"\d+", text)))


def _from(first: int, numbers: Sequence[int]) -> tuple[int, ...]:
    return tuple(number - first for number in numbers)


def _guessed(rounds: Sequence[_Numbered], known: int | None) -> tuple[Format, int, int]:
    """The format, the number of players, and the number of the first player."""
    named = {player for tables, out in rounds for seated in (*tables, out or ()) for player in seated}
    sizes = tuple(sorted({len(table) for tables, _out in rounds for table in tables}))
    first = 0 if 0 in named else 1
    if sizes not in _BY_SIZES:
        raise Unreadable("table-sizes", sizes=", ".join(map(str, sizes)))
    players = known or _checked(max(named) + 1 - first)
    if not known and (missing := {*range(first, max(named))} - named):
        raise Unreadable("never-named", player=min(missing), first=first)
    return _BY_SIZES[sizes], players, first


def _seating(tables: tuple[Table, ...], players: int, byes: Sequence[int] | None) -> Seating:
    seated = {player for table in tables for player in table}
    return Seating(tables, tuple(sorted({*range(players)} - seated if byes is None else byes)))


def _checked(players: int) -> int:
    if players > MOST_PLAYERS:
        raise Unreadable("too-many-players", players=players, most=MOST_PLAYERS)
    return players


def _is_count(value: object) -> TypeGuard[int]:
    return isinstance(value, int) and not isinstance(value, bool) and 0 < value < 10_000


def _are_tables(value: object) -> bool:
    return isinstance(value, list) and bool(value) and all(are_numbers(table) and table for table in value)
