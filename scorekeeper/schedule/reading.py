"""A schedule as it is written down: as JSON, as the command prints it, or a line a table like `7-2-1-8`."""

import json
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import count
from typing import Any, NamedTuple, TypeGuard

from scorekeeper.schedule.rounds import FORMATS, FOURS, HEADS, MIXED, PARTNERS, TRIPLES, Format, Round, Schedule, Table
from scorekeeper.schedule.task import NOTHING, Apart, Wishes

MOST_PLAYERS = 1000
_BY_SIZES = {(2,): HEADS, (3,): TRIPLES, (4,): FOURS, (3, 4): MIXED}


class Unreadable(Exception):
    """This is no schedule: a code, and where it went wrong."""

    def __init__(self, code: str, **facts: int | str) -> None:
        super().__init__(code)
        self.code, self.facts = code, facts


class Written(NamedTuple):
    """A schedule with what it was made for: wishes, which are about the rounds after those that are ``released``."""

    schedule: Schedule
    wishes: Wishes = NOTHING
    released: int = 0


def as_json(written: Written) -> dict[str, Any]:
    """Players, rounds and tables from 0; a table lists its seats in order, who sits first leads. Wishes, and how many
    rounds are released, where there are any."""
    schedule, wishes, released = written
    found: dict[str, Any] = {
        "format": schedule.format.name,
        "n": schedule.players,
        "k": schedule.format.size,
        "partners": schedule.format.partners,
        "rounds": [[list(table) for table in round.tables] for round in schedule.rounds],
        "byes": [list(round.byes) for round in schedule.rounds],
    }
    if wishes != NOTHING:
        found["wishes"] = _wishes_as_json(wishes, len(schedule.rounds))
    if released:
        found["released"] = released
    return found


def _wishes_as_json(wishes: Wishes, rounds: int) -> dict[str, Any]:
    """What lasts for all ``rounds`` has no end, so that it lasts for more of them as well."""

    def until(key: str, end: int) -> dict[str, int]:
        return {key: end} if end < rounds else {}

    return {
        "apart": [{"players": list(each.players)} | until("rounds", each.rounds) for each in wishes.apart],
        "fixed": [{"player": player, "table": table} for player, table in wishes.fixed.items()],
        "present": [
            {"player": player, "first": first} | until("end", end) for player, (first, end) in wishes.present.items()
        ],
    }


def as_text(schedule: Schedule) -> str:
    """What it is, then a line a round, players from 1."""
    lines = [f"{schedule.format.name}, {schedule.players} players"]
    for number, (tables, byes) in enumerate(schedule.rounds, 1):
        out = f"   out: {', '.join(str(player + 1) for player in byes)}" if byes else ""
        lines.append(f"Round {number:2}   {tables_as_text(tables)}{out}")
    return "\n".join(lines)


def tables_as_text(tables: Sequence[Table]) -> str:
    return "   ".join("-".join(str(player + 1) for player in table) for table in tables)


def read(text: str, *, partners: bool = False, rounds: int | None = None, players: int | None = None) -> Written:
    """JSON; or what `as_text` writes, whatever is printed around it; or a line a table and an empty line between
    rounds, where who is at no table of a round sits out. Texts number their players from 1, unless there is a 0.
    ``partners``: four at a table are partners crosswise. ``rounds``: how many there are to be, for wishes without an
    end. ``players``: how many there are, where a text may not name them all. Unreadable otherwise."""
    text = text.removeprefix("\ufeff")  # what some programs put ahead of every text
    found = _read_json(text, rounds) if text.lstrip().startswith("{") else Written(_read_text(text, players))
    if not partners:
        return found
    if found.schedule.format.sizes != PARTNERS.sizes:
        raise Unreadable("no-partners", format=found.schedule.format.name)
    return found._replace(schedule=replace(found.schedule, format=PARTNERS))


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


def as_typed(wishes: Wishes) -> str:
    """Who sits apart and at which table, as `read_wishes` takes it."""
    apart = [f"--apart {','.join(str(player + 1) for player in each.players)}" for each in wishes.apart]
    return " ".join([*apart, *(f"--fixed {player + 1}={table + 1}" for player, table in wishes.fixed.items())])


def _apart(text: str) -> tuple[tuple[int, ...], int]:
    found = re.fullmatch(r"(\d{1,4}(?:,\d{1,4})+)(?::([1-9]\d{0,3}))?", text.replace(" ", ""))
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
    found = re.fullmatch(r"(\d{1,4})=([1-9]\d{0,3}|)-([1-9]\d{0,3}|)", text.replace(" ", ""))
    if not found or not (found[2] or found[3]):
        raise Unreadable("no-wish", text=text, like="9=3-, 9=-6 or 9=3-6")
    return int(found[1]) - 1, int(found[2] or 1) - 1, int(found[3] or 0)


def _read_json(text: str, last: int | None) -> Written:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise Unreadable("no-json", why=str(error)) from error
    if not isinstance(value, Mapping) or value.get("format") not in [*FORMATS]:
        raise Unreadable("no-format", formats=", ".join(FORMATS))
    players, rounds = value.get("n"), value.get("rounds")
    if not _whole(players) or not isinstance(rounds, list) or not rounds:
        raise Unreadable("no-rounds")
    byes = value.get("byes", [None] * len(rounds))
    if not isinstance(byes, list) or len(byes) != len(rounds):
        raise Unreadable("no-byes")
    found = []
    for number, (tables, out) in enumerate(zip(rounds, byes, strict=True), 1):
        if not _tables(tables) or not (out is None or _numbers(out)):
            raise Unreadable("bad-round", round=number)
        found.append(_round(tuple(map(tuple, tables)), players, out))
    released = value.get("released", 0)
    if not _numbers([released]) or not 0 <= released <= len(found):
        raise Unreadable("bad-released", rounds=len(found))
    wishes = _json_wishes(value.get("wishes", {}), len(found) if last is None else last)
    return Written(Schedule(FORMATS[value["format"]], _few(players), tuple(found)), wishes, released)


def _json_wishes(value: Any, rounds: int) -> Wishes:
    try:
        apart = [(*each["players"], each.get("rounds", rounds)) for each in value.get("apart", [])]
        fixed = [(each["player"], each["table"]) for each in value.get("fixed", [])]
        present = [(each["player"], each["first"], each.get("end", rounds)) for each in value.get("present", [])]
    except (AttributeError, KeyError, TypeError) as error:
        raise Unreadable("bad-wishes") from error
    if not all(_numbers([*each]) for each in (*apart, *fixed, *present)):
        raise Unreadable("bad-wishes")
    return Wishes(
        tuple(Apart(tuple(players), until) for *players, until in apart),
        dict(fixed),
        {player: (first, min(end, rounds)) for player, first, end in present},
    )


def _read_text(text: str, known: int | None) -> Schedule:
    if not text.strip():
        raise Unreadable("empty")
    printed = re.findall(r"^Round +\d+ +(.*)$", text, re.MULTILINE)
    blocks = re.split(r"\n\s*\n", text.strip())
    rounds = [*(map(_printed_round, count(1), printed) if printed else map(_block, count(1), blocks))]
    heading = re.search(rf"^({'|'.join(FORMATS)}), (\d{{1,4}}) players$", text, re.MULTILINE)
    if heading:
        format, players, first = FORMATS[heading[1]], _few(int(heading[2])), 1
    else:
        format, players, first = _guessed(rounds, known)
    found = (
        _round(tuple(_from(first, table) for table in tables), players, out and _from(first, out))
        for tables, out in rounds
    )
    return Schedule(format, players, tuple(found))


_Numbered = tuple[tuple[Table, ...], Table | None]
"""A round as its text numbers the players, and who sits out where that is said."""


def _printed_round(number: int, line: str) -> _Numbered:
    tables, _out, byes = line.partition("out:")
    words = tables.split()
    if not words or not all(re.fullmatch(r"\d{1,4}(-\d{1,4})+", word) for word in words):
        raise Unreadable("bad-line", round=number, line=line)
    return tuple(map(_numbers_in, words)), _numbers_in(byes)


def _block(number: int, block: str) -> _Numbered:
    """A line is a table, or several like `1-4 2-3`, as they are printed in books."""
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
    """The format, how many players there are, and the number of the first."""
    there = {player for tables, out in rounds for each in (*tables, out or ()) for player in each}
    sizes = tuple(sorted({len(table) for tables, _out in rounds for table in tables}))
    first = 0 if 0 in there else 1
    if sizes not in _BY_SIZES:
        raise Unreadable("table-sizes", sizes=", ".join(map(str, sizes)))
    players = known or _few(max(there) + 1 - first)
    if not known and (missing := {*range(first, max(there))} - there):
        raise Unreadable("never-named", player=min(missing), first=first)
    return _BY_SIZES[sizes], players, first


def _round(tables: tuple[Table, ...], players: int, byes: Sequence[int] | None) -> Round:
    seated = {player for table in tables for player in table}
    return Round(tables, tuple(sorted({*range(players)} - seated if byes is None else byes)))


def _few(players: int) -> int:
    if players > MOST_PLAYERS:
        raise Unreadable("too-many-players", players=players, most=MOST_PLAYERS)
    return players


def _whole(value: object) -> TypeGuard[int]:
    return isinstance(value, int) and not isinstance(value, bool) and 0 < value < 10_000


def _numbers(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(each, int) and not isinstance(each, bool) for each in value)


def _tables(value: object) -> bool:
    return isinstance(value, list) and bool(value) and all(_numbers(table) and table for table in value)
