"""What each entrant can still reach: the best and the worst place by points, whatever happens at open tables, and
whether that decides about a prize."""

from collections.abc import Collection
from enum import StrEnum
from typing import NamedTuple

from scorekeeper.standings.open_tables import EFFORT, OpenTables
from scorekeeper.standings.results import Results


class Possible(NamedTuple):
    """1 + the least and the greatest number of entrants who can have more points in the end. If not `exact`, the best
    place is never too great, and the worst never too small."""

    best: int
    worst: int
    exact: bool


class Chance(StrEnum):
    """Of one of the first places, by points. True also where the places are bounds."""

    SURE = "sure"
    """However everything ends, at most so many have as many points."""
    OUT = "out"
    """However everything ends, so many others have more points."""
    NEEDS_WIN = "needs a win"
    """Not out, but they are if they do not get the most that their next table can give them."""


class Prospect(NamedTuple):
    possible: Possible
    chance: Chance | None
    by_points: bool = True
    """Whether places count by points only, as in `Possible`; in a knock-out, they are those of the standings."""


def possible_places(results: Results, effort: int = EFFORT) -> dict[int, Possible]:
    """By entrant. Not for a knock-out, and not if rounds are worth their scores."""
    tables = OpenTables(results, effort)
    return {entrant: _possible(tables, entrant) for entrant in results.entrants}


def prospects(results: Results, first: int, effort: int = EFFORT, gone: Collection[int] = ()) -> dict[int, Prospect]:
    """The same with everybody's chance of one of the `first` places, if those who are `gone` do not come back. Nothing
    is certain of it where points do not decide first, or where entrants can be placed last for too few tables."""
    tables = OpenTables(results, effort, gone)
    stage = results.stage
    decide = stage.order[:1] == ("points",) and not stage.minimum_played and first < len(results.entrants)
    found = {}
    for entrant in results.entrants:
        possible = _possible(tables, entrant)
        found[entrant] = Prospect(possible, _chance(tables, entrant, possible, first) if decide else None)
    return found


def something_open(results: Results) -> bool:
    """Whether a table can still be worth something, or rounds are to come."""
    more_rounds = (results.stage.rounds_planned or 0) > results.after
    return more_rounds or any(contest.open for contests in results.contests for contest in contests)


def _possible(tables: OpenTables, entrant: int) -> Possible:
    fewest, most = tables.fewest_ahead(entrant), tables.most_ahead(entrant)
    return Possible(1 + fewest.number, 1 + most.number, fewest.exact and most.exact)


def _chance(tables: OpenTables, entrant: int, possible: Possible, first: int) -> Chance | None:
    if possible.best > first:
        return Chance.OUT
    if possible.worst <= first and 1 + tables.most_ahead(entrant, or_equal=True).number <= first:
        return Chance.SURE
    if possible.worst > first and 1 + tables.fewest_ahead(entrant, without_win=True).number > first:
        return Chance.NEEDS_WIN
    return None
