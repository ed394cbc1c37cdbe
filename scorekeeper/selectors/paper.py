"""Reading the matches that wait for a paper sheet."""

from dataclasses import dataclass
from datetime import datetime

from scorekeeper.models import Event, Match, Table
from scorekeeper.selectors.events import event_matches, in_play


@dataclass(frozen=True, slots=True)
class Origin:
    """The event, table and match of a paper sheet, as far as they are known."""

    event: Event | None = None
    table: Table | None = None
    drawn: Match | None = None
    """The match that was opened for it, without entries."""

    def at(self, time: datetime) -> "Origin":
        """The origin of a sheet played at this time. One from before the event belongs to the club, but not to the
        event."""
        if self.event is None:
            return self
        began = min(self.event.started_at, self.drawn.created_at if self.drawn else self.event.started_at)
        # The time on a sheet has no seconds.
        return self if time >= began.replace(second=0, microsecond=0) else Origin(table=self.table)


def drawn_for(night: Event | None, table: Table | None) -> Match | None:
    """The match at the table that waits for its sheet. At most one query."""
    if night is None or table is None:
        return None
    return event_matches(night).filter(table=table, length=0, status=Match.Status.PLAYING).first()


def waiting_in(night: Event | None) -> list[Match]:
    """The matches of the night without entries, by table. At most three queries."""
    if night is None:
        return []
    empty = [match for match in event_matches(night) if in_play(match) and not match.length and match.table]
    return sorted(empty, key=lambda match: match.table.number if match.table else 0)
