"""Reading who goes on from the groups of a tournament to its finals."""

from collections.abc import Mapping, Sequence

from scorekeeper.pairing.knock_out import rows_apart
from scorekeeper.selectors.events import EventNow
from scorekeeper.selectors.tournaments import parts, standings_now, tournament_of
from scorekeeper.standings.advancing import Advancing, Quota, Tie, advancing
from scorekeeper.standings.calculation import StageStandings
from scorekeeper.standings.exact import Number


def candidates(snapshot: EventNow, quota: Quota) -> Advancing:
    """By group of the stage that is played now. No query."""
    state = tournament_of(snapshot)
    decided = {equal: advance.entrants for equal, advance in state.decided.items()}
    return advancing(_groups(snapshot), quota, state.withdrawn, decided)


def undecided(snapshot: EventNow, quota: Quota) -> list[Tie]:
    """Those that lots or a match must decide. No query."""
    return [tie for tie in candidates(snapshot, quota).ties if not tie.decided]


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
