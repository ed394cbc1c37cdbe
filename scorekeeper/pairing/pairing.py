"""The next round of a stage of any system."""

import random
from collections.abc import Collection, Iterator

from games.errors import marked
from scorekeeper.pairing import groups, heads
from scorekeeper.pairing.field import Field
from scorekeeper.pairing.knock_out import NextGames, next_games, seeded
from scorekeeper.pairing.rounds import Drawn, NextRound, next_round
from scorekeeper.schedule.late_acceptance import Progress
from scorekeeper.schedule.seating import FORMATS
from scorekeeper.standings.reading import Refused
from scorekeeper.standings.tournament import Play, Stage, System, Tournament


def paired(tournament: Tournament, stage: Stage, chance: random.Random) -> Iterator[Progress[NextRound | NextGames]]:
    """Better and better next rounds; only one where it is the best. Raises Refused for a round robin, and "too-few"
    for a knock-out of one. Elsewhere whoever fills no table has a bye, by the rules."""
    at = f"stages[{[each.name for each in tournament.stages].index(stage.name)}]"
    if stage.system is System.ROUND_ROBIN:
        text = marked("The stage {name} is a round robin: its schedule says who plays whom.")
        raise Refused("has-a-schedule", text, f"{at}.system", name=stage.name)
    if stage.system is System.KNOCK_OUT:
        bracket = seeded(tournament, stage)
        must_fill_a_table(stage, bracket.entrants, at)
        yield Progress(next_games(Field(tournament, bracket)), 1, 1)
        return
    yield from drawn_from(Field(tournament, stage), chance)


def must_fill_a_table(stage: Stage, entrants: Collection[int], at: str) -> None:
    """Raises Refused "too-few" for a stage, at this place of its file, if the `entrants` who play it are too few for
    any table."""
    fewest = 2 if stage.system is System.KNOCK_OUT else FORMATS[stage.play].sizes[0]
    if len(entrants) < fewest:
        if stage.qualified:
            at, text = (
                f"{at}.from.first",
                marked("A table needs {n} entrants, and fewer go on to {name}. Let more go on."),
            )
        else:
            at = f"{at}.entrants"
            text = marked("A table needs {n} entrants, and the stage {name} has fewer. Enter more first.")
        raise Refused("too-few", text, at, n=fewest, name=stage.name)


def drawn_from(field: Field, chance: random.Random) -> Iterator[Progress[NextRound | NextGames]]:
    """Better and better rounds for the field of a stage that is neither a round robin nor a knock-out."""
    before = None
    for drawn in _drawn(field, chance):
        if drawn is not before:
            best: NextRound | NextGames = next_round(field, drawn.best)
            before, report = drawn, Progress(best, drawn.done, drawn.total)
        yield report


def _drawn(field: Field, chance: random.Random) -> Iterator[Progress[Drawn]]:
    if not field.free:
        yield Progress(Drawn([], []), 1, 1)
    elif field.play is Play.HEADS:
        yield Progress(heads.draw(field, chance), 1, 1)
    else:
        yield from groups.draw(field, chance)
