"""What the commands say of tables in a file at which nobody had a match of the knock-out to play."""

from collections.abc import Iterable, Iterator

from scorekeeper.pairing.knock_out import WrongTable, seeded, stray_tables
from scorekeeper.standings.results import Results
from scorekeeper.standings.tournament import Stage, System, Tournament


def notices(tournament: Tournament, stages: Iterable[Stage]) -> Iterator[str]:
    """One for each knock-out with such tables. Nothing of one without any table for two, which has no bracket. Raises
    Refused if somebody goes on to a stage from two others."""
    for stage in stages:
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
