"""Reading who goes on from the groups of a tournament to its finals."""

from collections.abc import Mapping, Sequence

from scorekeeper.pairing.knock_out import rows_apart
from scorekeeper.selectors.events import EventNow
from scorekeeper.selectors.tournaments import parts, standings_now, tournament_of
from scorekeeper.standings.advancing import Candidate, advancing
from scorekeeper.standings.calculation import StageStandings
from scorekeeper.standings.exact import Number


def candidates(snapshot: EventNow, first: int, best: int) -> list[list[Candidate]]:
    """By group of the stage that is played now, as `advancing`. No query."""
    return advancing(_groups(snapshot), first, best, tournament_of(snapshot).withdrawn)


def seeded(snapshot: EventNow, entrants: Sequence[int]) -> tuple[int, ...]:
    """These entrants in the order of the seeds of a final: the winners of the groups, then the seconds, …; within a row
    so that those of one group meet late. No query."""
    asked = set(entrants)
    rows = [[row.entrant for row in group.rows if row.entrant in asked] for group in _groups(snapshot)]
    return tuple(rows_apart(rows))


def points_so_far(snapshot: EventNow) -> Mapping[int, Number]:
    """By start number: the points of this stage, with those that were brought along, less penalties. No query."""
    return {entrant: points for group in _groups(snapshot) for entrant, points in group.results.points.items()}


def _groups(snapshot: EventNow) -> list[StageStandings]:
    return [standings_now(part.snapshot).stages[0] for part in parts(snapshot) if part.now]
