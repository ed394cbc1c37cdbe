"""Warnings about a tournament's file that can be used: the commands print them next to their answer."""

from collections.abc import Iterable, Iterator

from scorekeeper.pairing.knock_out import WrongTable, seeded, stray_tables
from scorekeeper.standings.results import Results
from scorekeeper.standings.tournament import Stage, System, Tournament
from scorekeeper.words import listed


def notices(tournament: Tournament, stages: Iterable[Stage]) -> Iterator[str]:
    """Those about these stages. Raises Refused if somebody goes on to a stage from two others."""
    for stage in stages:
        yield from _small(tournament, stage)
        yield from _still_open(tournament, stage)
        yield from _strays(tournament, stage)


def _small(tournament: Tournament, stage: Stage) -> Iterator[str]:
    """That fewer go on to this stage than its file asks for: a stage before has not so many."""
    if asked := stage.qualified:
        before = [each for each in tournament.stages if each.name in asked.stages]
        if found := [f"{each.name} ({len(each.entrants)})" for each in before if len(each.entrants) < asked.first]:
            yield f"{stage.name}: {asked.first} of each should go on, and there are fewer in {listed(found)}. All do."


def _still_open(tournament: Tournament, stage: Stage) -> Iterator[str]:
    """That the stages from which people go on to this one are certainly not over."""
    before = stage.qualified.stages if stage.qualified else ()
    found = [each.name for each in tournament.stages if each.name in before and _is_open(tournament, each)]
    if found:
        yield f"{stage.name}: who goes on can still change: in {listed(found)}, not all tables are over."


def _is_open(tournament: Tournament, stage: Stage) -> bool:
    """Whether a table is in play, or rounds are missing. Without `rounds_planned`, one round may be all."""
    contests = (each for contests in Results.of(tournament, stage).contests for each in contests)
    return len(stage.rounds) < (stage.rounds_planned or 1) or any(each.open for each in contests)


def _strays(tournament: Tournament, stage: Stage) -> Iterator[str]:
    """The tables of a knock-out at which nobody had a match of it to play. Nothing of one without any table for two,
    which has no bracket."""
    if stage.system is System.KNOCK_OUT and _for_two(stage):
        found = stray_tables(Results.of(tournament, seeded(tournament, stage)))
        if found:
            at = f"stages[{[each.name for each in tournament.stages].index(stage.name)}]"
            yield "\n".join(_lines(tournament, stage, at, found))


def _for_two(stage: Stage) -> bool:
    return any([*map(len, table.sides)] == [1, 1] for each in stage.rounds for table in each.tables)


def _lines(tournament: Tournament, stage: Stage, at: str, found: Iterable[WrongTable]) -> Iterator[str]:
    def names(entrants: Iterable[int]) -> str:
        return " – ".join(f"{each}. {tournament.entrants[each].name}" for each in entrants)

    yield f"{stage.name}: nobody had a match of the bracket to play at these tables:"
    for wrong in found:
        should = f"; by the results before, {names(wrong.due)} should play there" if wrong.due else ""
        yield f"  {at}.rounds[{wrong.round - 1}].tables[{wrong.at}]: {names(wrong.sat)}{should}"
    yield "The bracket goes on without them. Correct who sat there or an earlier result, or list the entrants by seed."
