"""Reading corrections: what was corrected in a match, by whom, and how a correction would change an event's table."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Q

import games
from games.agreement import RESPONSES
from scorekeeper.models import LogEntry, Match
from scorekeeper.selectors.matches import beginning
from scorekeeper.selectors.standings import Seated, table_if
from scorekeeper.standings import Row

KINDS = ("replace", "note", "swap", "abandon", "dispute", "reopen", "confirm")


@dataclass(frozen=True, slots=True)
class Correction:
    """An entry that corrected earlier ones, with the match before and after it."""

    at: datetime
    user: str
    """Empty if nobody was signed in."""
    table: int | None
    """The number of the table whose phone sent it; None if it was no table's phone."""
    entry: Mapping[str, Any]
    before: games.Match
    after: games.Match
    stands: bool
    """False if it was undone."""


@dataclass(frozen=True, slots=True)
class RowChange:
    """Somebody's row in the table of an event, as it is and as it would be; None if they have no row."""

    name: str
    old: Row | None
    new: Row | None

    @property
    def place(self) -> int:
        """Their new place; people without a new row come last."""
        return self.new.place if self.new else 10**6

    @property
    def changed(self) -> bool:
        return self.old is None or self.new is None or _shown(self.old) != _shown(self.new)


def corrections_of(match: Match) -> list[Correction]:
    """The corrections of the match, in order, as `corrections_in`."""
    return corrections_in([match])[match.pk]


def corrections_in(matches: Sequence[Match]) -> dict[int, list[Correction]]:
    """By match: its corrections, in order. An undo of the last entry does not count, a confirmation only after a
    dispute or reopening, and an end or a result only if it was put in place of another. One query if there is nothing,
    else two, and one for the seats of each match that does not have them."""
    corrections = Q(kind__in=KINDS) | Q(kind="undo", payload__has_key="to")
    corrections |= Q(kind__in=("stop", "result"), payload__has_key="why")
    numbers = [match.pk for match in matches]
    of_matches = LogEntry.objects.filter(corrections, match__in=numbers).order_by("match", "seq")
    rows: dict[int, dict[int, LogEntry]] = defaultdict(dict)
    for row in of_matches.select_related("user", "device__table"):
        rows[row.match_id][row.seq] = row
    corrected = [number for number, found in rows.items() if any(row.kind != "confirm" for row in found.values())]
    logs: dict[int, list[Mapping[str, Any]]] = defaultdict(list)
    if corrected:
        entries = LogEntry.objects.filter(match__in=corrected).order_by("match", "seq")
        for number, payload in entries.values_list("match", "payload"):
            logs[number].append(payload)
    return {match.pk: [*_corrections(match, logs[match.pk], rows[match.pk])] for match in matches}


def _corrections(
    match: Match, entries: Sequence[Mapping[str, Any]], rows: Mapping[int, LogEntry]
) -> Iterator[Correction]:
    if not entries:
        return
    state = beginning(match)
    undone, objected = taken_back(entries), False
    for seq, entry in enumerate(entries[: max(rows) + 1]):
        after = state.enter(entry)
        objected = objected or entry["kind"] in ("dispute", "reopen")
        row = rows.get(seq)
        if row and (row.kind != "confirm" or objected):
            table = row.device.table.number if row.device else None
            yield Correction(row.at, str(row.user or ""), table, entry, state, after, seq not in undone)
        state = after


def taken_back(entries: Sequence[Mapping[str, Any]]) -> set[int]:
    """The numbers of the entries that were undone. A reopened match loses its responses, but these were not undone."""
    return _folded(entries)[1]


def standing(entries: Sequence[Mapping[str, Any]]) -> list[int]:
    """The numbers of the entries that an undo would take back, one after the other; the next one is the last."""
    return _folded(entries)[0]


def _folded(entries: Sequence[Mapping[str, Any]]) -> tuple[list[int], set[int]]:
    stand: list[int] = []
    gone: set[int] = set()
    for seq, entry in enumerate(entries):
        if entry["kind"] == "reopen":
            while stand and entries[stand[-1]]["kind"] in RESPONSES:
                stand.pop()
        elif entry["kind"] == "undo" and "to" not in entry:
            gone.add(stand.pop())
        else:
            stand.append(seq)
    return stand, gone


def event_table(match: Match, after: games.Match, seats: Seated | None = None) -> list[RowChange]:
    """The table of the match's game at its event: every row as it is, and as it would be if the match became `after`.
    Empty if no row changes. `seats` as in `table_if`. Two queries."""
    if match.event_id is None:
        return []
    old, new = table_if(match, None, None), table_if(match, after.sheet(), seats)
    if old == new:
        return []
    before, then = ({(row.player, row.player is None and row.name): row for row in rows} for rows in (old, new))
    moved = [RowChange(row.name, before.get(person), then.get(person)) for person, row in (then | before).items()]
    return sorted(moved, key=lambda each: each.place)


def _shown(row: Row) -> tuple[Any, ...]:
    return row.place, row.wins, row.points_for, row.played
