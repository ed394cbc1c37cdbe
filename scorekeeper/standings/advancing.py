"""Who goes on from groups to the finals: the first ones of each group, and the best of those who come next."""

from collections.abc import Collection, Sequence
from typing import NamedTuple

from scorekeeper.standings.calculation import StageStandings
from scorekeeper.standings.overall import per_table
from scorekeeper.standings.ranking import Standing


class Candidate(NamedTuple):
    row: Standing
    through: bool
    """Whether the rule lets them go on."""
    equal: bool
    """Whether nothing separates them from somebody on the other side of the line: lots, a match or the director have to
    decide, and until then it is the smaller start number that goes on."""


def advancing(groups: Sequence[StageStandings], first: int, best: int, left: Collection[int]) -> list[list[Candidate]]:
    """The entrants of each group in order, but for those who have `left`. The `first` ones of each group go on, and the
    `best` of those who come next: those with more points for each table, as §3 of docs/tournament.md orders the stages
    of one list."""
    rows = [[row for row in group.rows if row.entrant not in left] for group in groups]
    equal = {row.entrant for here in rows for row in _across(here, first, [row.place for row in here])}
    through = {row.entrant for here in rows for row in here[:first]}
    nexts = (
        [
            (per_table(group.results, row.entrant), row)
            for group, here in zip(groups, rows, strict=True)
            for row in here[first : first + 1]
        ]
        if best
        else []
    )
    nexts.sort(key=lambda each: (each[0], each[1].entrant))
    equal |= {row.entrant for row in _across([row for _key, row in nexts], best, [key for key, _row in nexts])}
    through |= {row.entrant for _key, row in nexts[:best]}
    return [[Candidate(row, row.entrant in through, row.entrant in equal) for row in here] for here in rows]


def _across(rows: Sequence[Standing], line: int, keys: Sequence[object]) -> list[Standing]:
    """Those who are equal by their keys, and of whom some are among the first `line` and some are not."""
    if not 0 < line < len(rows) or keys[line - 1] != keys[line]:
        return []
    return [row for row, key in zip(rows, keys, strict=True) if key == keys[line]]
