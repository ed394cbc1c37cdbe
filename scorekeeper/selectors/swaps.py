"""What it would mean for their matches that two entrants of a seated round change places."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from scorekeeper.events import Tournament
from scorekeeper.events.rounds import Pairing
from scorekeeper.events.setup import KNOCK_OUT
from scorekeeper.models import Match
from scorekeeper.selectors.events import EventNow
from scorekeeper.selectors.tournaments import parts, tournament_file
from scorekeeper.standings.calculation import Calculated, calculate
from scorekeeper.standings.reading import read_value


@dataclass(frozen=True)
class Swap:
    """Two entrants of a seated round who change places, and what that means for their matches."""

    round: int
    entrants: Sequence[int]
    """The two."""
    before: Tournament
    after: Tournament
    drawn: Mapping[int, Pairing]
    """By number of the table: who sits there then."""
    matches: Sequence[Match]
    how: str | None
    """What is true of tables with entries: `names`, `again` or `as-drawn`."""

    @property
    def in_tree(self) -> bool:
        """Whether they play a knock-out in this round."""
        return bool(self.before.stage_of(self.round).setup_with(self.entrants[0])["system"] == KNOCK_OUT)

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


def standings_after(snapshot: EventNow, swap: Swap) -> Calculated:
    """The standings with the swap. No query."""
    file, (one, other) = tournament_file(snapshot), swap.entrants
    others = {} if swap.how == "as-drawn" else {one: other, other: one}
    played = next(
        stage["rounds"][swap.round - 1 - part.snapshot.rounds_before]
        for part, stage in zip(parts(snapshot), file["stages"], strict=True)
        if part.has(swap.round, one)
    )
    again = {match.pk for match in swap.again}
    for table in played["tables"]:
        table["sides"] = [[others.get(each, each) for each in side] for side in table["sides"]]
        if table.get("match") in again:
            table |= {"totals": None, "abandoned": False}
    for each in played["unplayed"]:
        each["entrant"] = others.get(each["entrant"], each["entrant"])
    return calculate(read_value(file))
