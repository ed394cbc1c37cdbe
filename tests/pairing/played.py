"""Real tournaments round by round: each round as it was played, and as we draw it from the same standings.

The files are tournament files with a few more keys:
- The start numbers follow the list `manual` of the stage, or they are the numbers of the entrants.
- A bye with `settled` was given before the draw.
- `paired_as` has the totals that the later rounds were drawn by, where the source has others.
"""

import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from scorekeeper.pairing.pairing import paired
from scorekeeper.pairing.rounds import NextRound
from scorekeeper.standings.reading import read_value

FOLDER = Path(__file__).parents[1] / "data" / "tournaments"
EVENTS = ("san-viator-2018", "womens-world-rapid-2024")

File = dict[str, Any]


class Compared(NamedTuple):
    """A round, twice."""

    before: File
    """The tournament before it, with what was settled then: who did not play, and why."""
    played: NextRound
    drawn: NextRound


def compared(event: str) -> Iterator[Compared]:
    """Each round of this tournament."""
    file = json.loads((FOLDER / f"{event}.json").read_text("utf-8"))
    [stage] = file["stages"]
    rounds = [{**each, "tables": [_as_known(table) for table in each["tables"]]} for each in stage["rounds"]]
    for number, played in enumerate(rounds):
        settled = [each for each in played.get("unplayed", []) if each["kind"] != "bye" or each.get("settled")]
        all_settled = {**played, "tables": [{"sides": table["sides"]} for table in played["tables"]]}

        def before(settled: File, number: int = number) -> File:
            order = ["points", "manual", "start"]
            changed = {"order": order, "rounds": rounds[:number], "rounds_planned": len(rounds), "next": settled}
            return {**file, "stages": [{**stage, **changed}]}

        open_round = before({"unplayed": settled})
        yield Compared(open_round, _next(before(all_settled)), _next(open_round))


def _as_known(table: File) -> File:
    return {**table, "totals": table.get("paired_as", table.get("totals"))}


def _next(file: File) -> NextRound:
    tournament = read_value(file)
    [stage] = tournament.stages
    drawn = next(paired(tournament, stage, random.Random(1))).best
    assert isinstance(drawn, NextRound)
    return drawn
