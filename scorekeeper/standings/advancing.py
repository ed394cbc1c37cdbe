"""Who goes on from groups to the finals: the first ones of each group, and the best of those who come next."""

from collections.abc import Collection, Sequence
from typing import NamedTuple

from scorekeeper.standings.calculation import StageStandings
from scorekeeper.standings.exact import Number, mean
from scorekeeper.standings.ranking import Standing
from scorekeeper.standings.results import Results


class Candidate(NamedTuple):
    row: Standing
    through: bool
    """Whether the rule lets them go on."""
    equal: bool
    """Whether nothing separates them from somebody on the other side of the line: lots, a match or the director have to
    decide, and until then it is the smaller start number that goes on."""


def advancing(groups: Sequence[StageStandings], first: int, best: int, left: Collection[int]) -> list[list[Candidate]]:
    """The entrants of each group in order, but for those who have `left`. The `first` ones of each group go on, and the
    `best` of those who come next: those to whom their tables were worth most on average, so that neither a bye nor a
    larger group counts."""
    rows = [[row for row in group.rows if row.entrant not in left] for group in groups]
    equal = {row.entrant for here in rows for row in _across(here, first, [row.place for row in here])}
    through = {row.entrant for here in rows for row in here[:first]}
    nexts = [
        (_worth_of_a_table(group.results, here[first].entrant), here[first], here)
        for group, here in zip(groups, rows, strict=True)
        if len(here) > first
    ]
    nexts.sort(key=lambda each: (each[0], each[1].entrant))
    if best:
        equal |= {row.entrant for row in _across([row for _key, row, _here in nexts], best, [key for key, *_ in nexts])}
    for _key, row, here in nexts[:best]:
        through.add(row.entrant)
        equal |= {row.entrant for row in _across(here, first + 1, [row.place for row in here])}
    return [[Candidate(row, row.entrant in through, row.entrant in equal) for row in here] for here in rows]


def _worth_of_a_table(results: Results, entrant: int) -> Number:
    """The mean of what the tables were worth to which they came, as a key: less is better."""
    rounds = zip(results.turns[entrant], results.own[entrant], strict=True)
    worth = [own for turn, own in rounds if turn.came and not turn.open]
    found = mean(worth) if worth else 0
    return found if results.fewest_first else -found


def _across(rows: Sequence[Standing], line: int, keys: Sequence[object]) -> list[Standing]:
    """Those who are equal by their keys, and of whom some are among the first `line` and some are not."""
    if not 0 < line < len(rows) or keys[line - 1] != keys[line]:
        return []
    return [row for row, key in zip(rows, keys, strict=True) if key == keys[line]]
