"""Reading what waits for a paper sheet."""

from dataclasses import dataclass
from datetime import datetime

from scorekeeper.models import Event, Match, Table
from scorekeeper.selectors.events import event_matches, in_play


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a paper sheet comes from, as far as it says."""

    event: Event | None = None
    table: Table | None = None
    drawn: Match | None = None
    """The match that waits for it: opened, with nothing entered yet."""

    def at(self, time: datetime) -> "Origin":
        """The same for a match of that time: a match from before the night belongs to the club alone."""
        if self.event is None:
            return self
        began = min(self.event.started_at, self.drawn.created_at if self.drawn else self.event.started_at)
        # The time on a sheet is known to the minute.
        return self if time >= began.replace(second=0, microsecond=0) else Origin(table=self.table)


def drawn_for(night: Event | None, table: Table | None) -> Match | None:
    """The match that was drawn for the table and waits for its sheet. One query at most."""
    if night is None or table is None:
        return None
    return event_matches(night).filter(table=table, length=0, status=Match.Status.PLAYING).first()


def waiting_in(night: Event | None) -> list[Match]:
    """The matches of the night with nothing entered yet, by table. Three queries at most."""
    if night is None:
        return []
    empty = [match for match in event_matches(night) if in_play(match) and not match.length and match.table]
    return sorted(empty, key=lambda match: match.table.number if match.table else 0)
