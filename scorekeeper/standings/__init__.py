"""Standings: pure functions on plain values.

*Of a tournament*: ``reading`` reads its file, ``results`` has what the rounds were worth, ``criteria`` by what entrants
are compared, ``ranking`` their order, ``calculation`` all of it. ``docs/tournament.md`` is the specification.
``prize_money`` says who gets how much; ``docs/tournament-day.md`` explains it.

*Of a night or a club*: tables of points and matches won.

*Of a season*: ``season`` has what its events were worth to everybody, and the table that follows. ``docs/seasons.md``
explains it.

A ``MatchResult`` is a finished match: its game and sides, who sat where from which hand on (``Sitting``), the points
and the winners. ``sitting_results`` gives the result of each sitting. ``sums_of`` and ``added`` add these up for each
person, and ``rows`` makes the table of a game from the sums, the best row first. ``docs/standings.md`` explains how
each column is counted.
"""

from scorekeeper.standings.sittings import MatchResult, Person, Sitting, SittingResult, sitting_results
from scorekeeper.standings.table import Row, Sum, Sums, added, rows, sums_of

__all__ = [
    "MatchResult",
    "Person",
    "Row",
    "Sitting",
    "SittingResult",
    "Sum",
    "Sums",
    "added",
    "rows",
    "sitting_results",
    "sums_of",
]
