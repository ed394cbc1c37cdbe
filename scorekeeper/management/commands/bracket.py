"""`manage.py bracket`: the drawing of a knock-out of a tournament's file."""

from typing import Any

from django.core.management.base import CommandError

from games.errors import marked
from scorekeeper.management.given_file import WRONG_USE
from scorekeeper.management.tournament_command import Answer, TournamentCommand
from scorekeeper.pages.bracket import bracket_picture
from scorekeeper.pairing.chart import chart
from scorekeeper.pairing.writing import chart_as_json
from scorekeeper.standings.reading import Refused
from scorekeeper.standings.tournament import Stage, System, Tournament


class Command(TournamentCommand):
    help = "Draws the bracket of a knock-out from a tournament's file, as SVG. Format of the file: docs/tournament.md."

    def answer(self, tournament: Tournament, stage: Stage | None, options: dict[str, Any]) -> Answer:
        stage = stage or _only_knock_out(tournament)
        drawn = chart(tournament, stage)
        if not drawn.parts:
            text = marked("The stage {name} has no matches: it needs two entrants.")
            raise Refused("too-few", text, f"stages[{tournament.stages.index(stage)}].entrants", name=stage.name)
        svg = bracket_picture(drawn)
        return Answer({"stage": stage.name, "parts": chart_as_json(drawn.parts), "svg": svg}, svg)


def _only_knock_out(tournament: Tournament) -> Stage:
    found = [each for each in tournament.stages if each.system is System.KNOCK_OUT]
    if not found:
        raise Refused("no-knock-out", marked("This file has no knock-out."), "stages")
    if len(found) > 1:
        names = ", ".join(each.name for each in found)
        raise CommandError(f"Say of which stage with --stage: {names}.", returncode=WRONG_USE)
    return found[0]
