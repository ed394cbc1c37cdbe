"""The order of a whole tournament, from its stages."""

from collections.abc import Mapping
from fractions import Fraction
from typing import NamedTuple

from scorekeeper.standings.exact import Number
from scorekeeper.standings.ranking import Standing
from scorekeeper.standings.results import Results
from scorekeeper.standings.tournament import Tournament


class Overall(NamedTuple):
    place: int
    entrant: int
    name: str


def overall(tournament: Tournament, stages: Mapping[str, tuple[Results, list[Standing]]]) -> list[Overall]:
    """Those placed in the stages of the first list come first, then those of the next who are not placed yet."""
    placed: dict[int, int] = {}
    for names in tournament.overall:
        keys: dict[int, tuple[int, Number]] = {}
        for name in names:
            results, rows = stages[name]
            for row in rows:
                if row.entrant not in placed and row.entrant not in keys:
                    tie_break = _per_table(results, row.entrant) if len(names) > 1 else 0
                    keys[row.entrant] = row.place, tie_break
        before = len(placed)
        order = sorted(keys.values())
        first = {key: place for place, key in reversed([*enumerate(order, 1)])}
        placed |= {entrant: before + first[key] for entrant, key in keys.items()}
    return sorted(Overall(place, entrant, tournament.entrants[entrant].name) for entrant, place in placed.items())


def _per_table(results: Results, entrant: int) -> Number:
    """The points for each table that is over and that they came to, as a key: less is better."""
    tables = results.tables_come_to[entrant]
    mean = Fraction(results.points[entrant], tables) if tables else 0
    return mean if results.fewest_first else -mean
