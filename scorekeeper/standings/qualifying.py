"""Who goes on to a stage from others."""

from dataclasses import replace

from games.errors import marked
from scorekeeper.standings.ranking import standings
from scorekeeper.standings.reading import Refused
from scorekeeper.standings.results import Results
from scorekeeper.standings.tournament import Stage, Tournament


def qualified(tournament: Tournament, stage: Stage) -> list[list[int]]:
    """Those who go on to this stage, from each of the stages before, the best first. Raises Refused for somebody who
    goes on from two of them."""
    if stage.qualified is None:
        return []
    by_name = {each.name: each for each in tournament.stages}
    before = [Results.of(tournament, entered(tournament, by_name[name])) for name in stage.qualified.stages]
    groups = [[row.entrant for row in standings(each)[: stage.qualified.first]] for each in before]
    seen: set[int] = set()
    for entrant in (entrant for group in groups for entrant in group):
        if entrant in seen:
            at = f"stages[{tournament.stages.index(stage)}].from"
            raise Refused("twice", marked("Entrant {number} is there twice."), at, number=entrant)
        seen.add(entrant)
    return groups


def entered(tournament: Tournament, stage: Stage) -> Stage:
    """The stage with all its entrants: as named, or those who go on to it. Whoever has played in it is one of them,
    also if a result that was corrected later lets somebody else go on."""
    if stage.qualified is None:
        return stage
    tables = [table for each in stage.rounds for table in each.tables]
    here = [each for group in qualified(tournament, stage) for each in group]
    here += [each for table in tables for side in table.sides for each in side]
    here += [each for round_ in stage.rounds for each in round_.unplayed]
    return replace(stage, entrants=tuple(dict.fromkeys(here)))
