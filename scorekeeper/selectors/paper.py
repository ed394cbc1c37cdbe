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
    """The match that was opened for it, without entries, or with none left."""

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
    current = event_matches(night).filter(table=table, status=Match.Status.PLAYING).first()
    return current if current and current.blank else None


def waiting_in(night: Event | None) -> list[Match]:
    """The matches of the night without entries, or with none left, by table. At most three queries."""
    if night is None:
        return []
    empty = [match for match in event_matches(night) if in_play(match) and match.blank and match.table]
    return sorted(empty, key=lambda match: match.table.number if match.table else 0)
