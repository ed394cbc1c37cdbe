"""Tables of who won how much: pure functions on plain values.

A match that is over is a ``Result``: its game and sides, who sat where from which hand on (``Sitting``), points and who
won. ``table(results)`` makes of any number of them a table for each game, the game played most first:
``{game: [Row, …]}``, the best row first. ``docs/standings.md`` says how it is counted.
"""

from scorekeeper.standings.table import Result, Row, Sitting, table

__all__ = ["Result", "Row", "Sitting", "table"]
