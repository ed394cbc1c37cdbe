"""What it would mean for their matches that two entrants of a seated round change places."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from scorekeeper.events import Tournament
from scorekeeper.events.rounds import Pairing
from scorekeeper.models import Match


@dataclass(frozen=True)
class Swap:
    """Two entrants of a seated round who change places, and what that means for their matches."""

    before: Tournament
    after: Tournament
    drawn: Mapping[int, Pairing]
    """By number of the table: who sits there then."""
    matches: Sequence[Match]
    how: str | None
    """What is true of tables with entries: `names`, `again` or `as-drawn`."""

    @property
    def begun(self) -> list[Match]:
        """Those with entries."""
        return [match for match in self.matches if not match.blank or match.status != Match.Status.PLAYING]

    @property
    def again(self) -> list[Match]:
        """Those that are set aside, and played again."""
        return self.begun if self.how in ("again", "as-drawn") else []

    @property
    def named(self) -> list[Match]:
        """Those whose people change."""
        return [] if self.how == "as-drawn" else [match for match in self.matches if match not in self.again]
