"""Reading what the schedule of a tournament depends on."""

from scorekeeper.selectors.events import EventNow
from scorekeeper.selectors.tournaments import tournament_of


def hall(snapshot: EventNow) -> tuple[int, ...]:
    """The numbers of the tables for a new schedule: those of wishes, those of the present one, other open tables with
    no match of somebody else, then enough new ones. A round that is drawn by itself has the first free ones. No
    query."""
    state = tournament_of(snapshot)
    wished = sorted(wish.table for wish in state.wishes if wish.what == "table")
    there = [table.number for table in snapshot.tables if table.open and table.pk not in snapshot.taken]
    after = max((table.number for table in snapshot.tables), default=0) + 1
    enough = range(after, after + len(state.here))
    planned = () if state.by_results else state.tables
    return tuple(dict.fromkeys((*wished, *planned, *there, *enough)))
