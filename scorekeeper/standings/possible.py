"""What each entrant can still reach: the best and the worst place by points, whatever happens at open tables, and
whether that decides about a prize."""

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


def possible_places(results: Results, effort: int = EFFORT) -> dict[int, Possible]:
    """By entrant. Not for a knock-out, and not if rounds are worth their scores."""
    tables = OpenTables(results, effort)
    return {entrant: _possible(tables, entrant) for entrant in results.entrants}


def prospects(results: Results, first: int, effort: int = EFFORT) -> dict[int, Prospect]:
    """The same with everybody's chance of one of the `first` places. Where points do not decide first, or entrants can
    be placed last for too few tables, nobody has a chance that is certain."""
    tables = OpenTables(results, effort)
    decide = results.stage.order[:1] == ("points",) and not results.stage.minimum_played
    found = {}
    for entrant in results.entrants:
        possible = _possible(tables, entrant)
        found[entrant] = Prospect(possible, _chance(tables, entrant, possible, first) if decide else None)
    return found


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
