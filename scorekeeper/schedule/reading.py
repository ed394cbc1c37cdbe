"""A schedule as others write it: as JSON, or a line a table like `7-2-1-8` with an empty line between rounds."""

import json
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, TypeGuard

from scorekeeper.schedule.rounds import FORMATS, FOURS, HEADS, MIXED, PARTNERS, TRIPLES, Round, Schedule
from scorekeeper.schedule.task import Apart, Wishes

MOST_PLAYERS = 1000
_BY_SIZES = {(2,): HEADS, (3,): TRIPLES, (4,): FOURS, (3, 4): MIXED}


class Unreadable(Exception):
    """This is no schedule: a code, and where it went wrong."""

    def __init__(self, code: str, **facts: int | str) -> None:
        super().__init__(code)
        self.code, self.facts = code, facts


def as_json(schedule: Schedule) -> dict[str, Any]:
    """Players from 0; a table lists its seats in order, who sits first leads."""
    return {
        "format": schedule.format.name,
        "n": schedule.players,
        "k": schedule.format.size,
        "partners": schedule.format.partners,
        "rounds": [[list(table) for table in round.tables] for round in schedule.rounds],
        "byes": [list(round.byes) for round in schedule.rounds],
    }


def as_text(schedule: Schedule) -> str:
    """Players from 1, a line a table, an empty line between rounds."""
    lines = ([("-".join(str(player + 1) for player in table)) for table in each.tables] for each in schedule.rounds)
    return "\n\n".join("\n".join(tables) for tables in lines)


def read(text: str, *, partners: bool = False) -> Schedule:
    """Either of the two. A text numbers its players from 1, unless there is a 0; who is at no table of a round sits
    out. ``partners``: four at a table of a text are partners crosswise. Unreadable otherwise."""
    return _read_json(text) if text.lstrip().startswith("{") else _read_text(text, partners)


def read_wishes(apart: Sequence[str], fixed: Sequence[str], present: Sequence[str], rounds: int) -> Wishes:
    """Wishes as they are typed, all counted from 1: `3,8,12` or `3,8:2` for who must not meet, in the first two rounds;
    `7=1` for player 7 at table 1; `9=3-`, `9=-6`, `9=3-6` for from and until which round he is there. ``rounds``: how
    many there are. Unreadable otherwise."""
    for wish, those in (("--fixed", map(_fixed, fixed)), ("--present", map(_present, present))):
        for player, times in Counter(each[0] for each in those).items():
            if times > 1:
                raise Unreadable("wished-twice", wish=wish, player=player + 1)
    return Wishes(
        tuple(Apart(players, until or rounds) for players, until in map(_apart, apart)),
        dict(map(_fixed, fixed)),
        {player: (first, end or rounds) for player, first, end in map(_present, present)},
    )


def _apart(text: str) -> tuple[tuple[int, ...], int]:
    found = re.fullmatch(r"(\d{1,4}(?:,\d{1,4})+)(?::(\d{1,4}))?", text.replace(" ", ""))
    if not found:
        raise Unreadable("no-wish", text=text, like="3,8,12 or 3,8,12:2")
    return tuple(int(player) - 1 for player in found[1].split(",")), int(found[2] or 0)


def _fixed(text: str) -> tuple[int, int]:
    found = re.fullmatch(r"(\d{1,4})=(\d{1,4})", text.replace(" ", ""))
    if not found:
        raise Unreadable("no-wish", text=text, like="7=1")
    return int(found[1]) - 1, int(found[2]) - 1


def _present(text: str) -> tuple[int, int, int]:
    """The player, the first round he is there for, and the first one he is not; 0 where he stays to the end."""
    found = re.fullmatch(r"(\d{1,4})=(\d{0,4})-(\d{0,4})", text.replace(" ", ""))
    if not found or not (found[2] or found[3]):
        raise Unreadable("no-wish", text=text, like="9=3-, 9=-6 or 9=3-6")
    return int(found[1]) - 1, int(found[2] or 1) - 1, int(found[3] or 0)


def _read_json(text: str) -> Schedule:
    try:
        value = json.loads(text)
    except ValueError as error:
        raise Unreadable("no-json", why=str(error)) from error
    if not isinstance(value, Mapping) or value.get("format") not in [*FORMATS]:
        raise Unreadable("no-format", formats=", ".join(FORMATS))
    players, rounds = value.get("n"), value.get("rounds")
    if not _whole(players) or not isinstance(rounds, list):
        raise Unreadable("no-rounds")
    if players > MOST_PLAYERS:
        raise Unreadable("too-many-players", players=players, most=MOST_PLAYERS)
    byes = value.get("byes", [None] * len(rounds))
    if not isinstance(byes, list) or len(byes) != len(rounds):
        raise Unreadable("no-byes")
    found = []
    for number, (tables, out) in enumerate(zip(rounds, byes, strict=True), 1):
        if not _tables(tables) or not (out is None or _numbers(out)):
            raise Unreadable("bad-round", round=number)
        found.append(_round([tuple(table) for table in tables], players, out))
    return Schedule(FORMATS[value["format"]], players, tuple(found))


def _read_text(text: str, partners: bool) -> Schedule:
    if not text.strip():
        raise Unreadable("empty")
    rounds = []
    for number, block in enumerate(re.split(r"\n\s*\n", text.strip()), 1):
        tables = []
        for line in block.splitlines():
            if not re.fullmatch(r"\s*\d{1,4}(\s*[-–,;\s]\s*\d{1,4})+\s*", line):
                raise Unreadable("bad-line", round=number, line=line.strip())
            tables.append(tuple(map(int, re.findall(r"\d+", line))))
        rounds.append(tables)
    there = {player for tables in rounds for table in tables for player in table}
    first = 0 if 0 in there else 1
    sizes = tuple(sorted({len(table) for tables in rounds for table in tables}))
    if sizes not in _BY_SIZES:
        raise Unreadable("table-sizes", sizes=", ".join(map(str, sizes)))
    players = max(there) + 1 - first
    if players > MOST_PLAYERS:
        raise Unreadable("too-many-players", players=players, most=MOST_PLAYERS)
    if missing := {*range(first, max(there))} - there:
        raise Unreadable("never-named", player=min(missing), first=first)
    found = [_round([tuple(each - first for each in table) for table in tables], players) for tables in rounds]
    return Schedule(PARTNERS if partners and sizes == (4,) else _BY_SIZES[sizes], players, tuple(found))


def _round(tables: Sequence[tuple[int, ...]], players: int, byes: Sequence[int] | None = None) -> Round:
    seated = {player for table in tables for player in table}
    out = sorted(set(range(players)) - seated) if byes is None else sorted(byes)
    return Round(tuple(tables), tuple(out))


def _whole(value: object) -> TypeGuard[int]:
    return isinstance(value, int) and not isinstance(value, bool) and 0 < value < 10_000


def _numbers(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(each, int) and not isinstance(each, bool) for each in value)


def _tables(value: object) -> bool:
    return isinstance(value, list) and all(_numbers(table) and table for table in value)
