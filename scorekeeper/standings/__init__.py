"""Tables of points and matches won: pure functions on plain values.

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
