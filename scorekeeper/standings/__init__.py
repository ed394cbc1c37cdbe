"""Tables of who won how much: pure functions on plain values.

A match that has ended is a ``Result``: its game and sides, who sat where from which hand on (``Sitting``), points and
who won. ``outcomes(result)`` is what it came to for each sitting; ``sums_of`` and ``added`` add outcomes up for each
person, and ``rows`` makes the table of a game from the sums, the best row first. ``docs/standings.md`` says how it is
counted.
"""

from scorekeeper.standings.sittings import Outcome, Person, Result, Sitting, outcomes
from scorekeeper.standings.table import Row, Sum, Sums, added, rows, sums_of, table

__all__ = [
    "Outcome",
    "Person",
    "Result",
    "Row",
    "Sitting",
    "Sum",
    "Sums",
    "added",
    "outcomes",
    "rows",
    "sums_of",
    "table",
]
