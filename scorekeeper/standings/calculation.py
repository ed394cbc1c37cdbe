"""The standings of a whole tournament."""

from typing import NamedTuple

from scorekeeper.standings.overall import Overall, overall
from scorekeeper.standings.possible import Possible, possible_places
from scorekeeper.standings.qualifying import entered
from scorekeeper.standings.ranking import Standing, standings
from scorekeeper.standings.results import Results
from scorekeeper.standings.tournament import By, System, Tournament


class StageStandings(NamedTuple):
    results: Results
    rows: list[Standing]
    possible: dict[int, Possible]
    """By entrant. Empty if nobody asked, and where points do not say who can still win."""


class Calculated(NamedTuple):
    stages: list[StageStandings]
    overall: list[Overall]
    """Empty if only one stage was asked for."""


def calculate(
    tournament: Tournament, *, stage: str | None = None, after: int | None = None, possible: bool = False
) -> Calculated:
    """The standings of every stage, or only of the one with this name, which must exist. `after`: as if each stage had
    no more rounds than these."""
    asked = [each for each in tournament.stages if stage in (None, each.name)]
    stages = [_of_stage(Results.of(tournament, entered(tournament, each), after), possible) for each in asked]
    if stage is not None:
        return Calculated(stages, [])
    by_name = {each.results.stage.name: (each.results, each.rows) for each in stages}
    return Calculated(stages, overall(tournament, by_name))


def _of_stage(results: Results, possible: bool) -> StageStandings:
    by_points = results.stage.system is not System.KNOCK_OUT and results.stage.worth.by is not By.SCORE
    return StageStandings(results, standings(results), possible_places(results) if possible and by_points else {})
