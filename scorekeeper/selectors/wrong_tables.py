"""Tables of a knock-out at which the wrong people sit, because a result before their round was corrected."""

from typing import NamedTuple

from scorekeeper.pairing import knock_out
from scorekeeper.selectors.events import EventNow
from scorekeeper.selectors.tournaments import parts, tournament_of
from scorekeeper.standings.calculation import Calculated


class WrongTable(NamedTuple):
    round: int
    """Of the whole tournament."""
    table: int
    sat: tuple[int, ...]
    due: tuple[int, ...]
    """Who should sit there by the results; nobody while that is not known yet."""
    begun: bool
    """Whether these have met at a table before, which did not decide."""

    @property
    def swap(self) -> tuple[int, int] | None:
        """Who has to leave the table, and who takes the place."""
        leaves = [each for each in self.sat if each not in self.due]
        comes = [each for each in self.due if each not in self.sat]
        return (leaves[0], comes[0]) if comes else None


def wrong_tables(snapshot: EventNow, calculated: Calculated) -> list[WrongTable]:
    """Those of this stage by these standings, which are of the same rounds. No query."""
    found = []
    for part, stage in zip(parts(snapshot), calculated.stages, strict=True):
        state = tournament_of(part.snapshot)
        if part.now and state.knock_out:
            for each in knock_out.wrong_tables(stage.results):
                table = state.rounds[each.round - 1].pairings[each.at].table
                number = each.round + part.snapshot.rounds_before
                found.append(WrongTable(number, table, tuple(each.sat), tuple(each.due), each.begun))
    return found
