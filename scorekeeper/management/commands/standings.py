"""`manage.py standings`: the standings of a tournament's file."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import CommandError

from scorekeeper.management import standings_text
from scorekeeper.management.given_file import WRONG_USE
from scorekeeper.management.tournament_command import Answer, TournamentCommand
from scorekeeper.standings.calculation import calculate
from scorekeeper.standings.tournament import Stage, Tournament
from scorekeeper.standings.writing import as_json


class Command(TournamentCommand):
    help = "Prints the standings of a tournament from its file. Format of the file: docs/tournament.md."

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("--after", type=int, metavar="N", help="as if only the first N rounds were in the file")
        parser.add_argument("--why", action="store_true", help="explain every value")
        parser.add_argument("--possible", action="store_true", help="the best and worst place still possible by points")

    def answer(self, tournament: Tournament, stage: Stage | None, options: dict[str, Any]) -> Answer:
        after, why = options["after"], options["why"]
        if after is not None and after < 0:
            raise CommandError(f"--after {after}: choose a number of rounds from 0.", returncode=WRONG_USE)
        name = stage.name if stage else None
        found = calculate(tournament, stage=name, after=after, possible=options["possible"])
        return Answer(as_json(found, why=why), standings_text.calculated(found, why=why))
