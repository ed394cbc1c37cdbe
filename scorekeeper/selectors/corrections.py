"""Reading corrections: what was corrected in a match, by whom, and how a correction would change an event's table."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Q

import games
from games.agreement import RESPONSES
from scorekeeper.models import Match
from scorekeeper.selectors.matches import beginning, entries_since
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
    """The corrections of the match, in order. An undo of the last entry does not count, and a confirmation only after
    a dispute or reopening. One query if there is nothing, else three."""
    corrections = Q(kind__in=KINDS) | Q(kind="undo", payload__has_key="to")
    rows = {row.seq: row for row in match.log.filter(corrections).select_related("user", "device__table")}
    if all(row.kind == "confirm" for row in rows.values()):
        return []
    entries, state = entries_since(match, 0), beginning(match)
    found: list[Correction] = []
    undone, objected = taken_back(entries), False
    for seq, entry in enumerate(entries[: max(rows) + 1]):
        after = state.enter(entry)
        objected = objected or entry["kind"] in ("dispute", "reopen")
        row = rows.get(seq)
        if row and (row.kind != "confirm" or objected):
            table = row.device.table.number if row.device else None
            found.append(Correction(row.at, str(row.user or ""), table, entry, state, after, seq not in undone))
        state = after
    return found


def taken_back(entries: Sequence[Mapping[str, Any]]) -> set[int]:
    """The numbers of the entries that were undone. A reopened match loses its responses, but these were not undone."""
    standing: list[int] = []
    gone: set[int] = set()
    for seq, entry in enumerate(entries):
        if entry["kind"] == "reopen":
            while standing and entries[standing[-1]]["kind"] in RESPONSES:
                standing.pop()
        elif entry["kind"] == "undo" and "to" not in entry:
            gone.add(standing.pop())
        else:
            standing.append(seq)
    return gone


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
