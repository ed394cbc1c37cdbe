"""`manage.py standings`: the standings of a tournament's file."""

import json
import sys
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from scorekeeper.management import standings_text
from scorekeeper.management.given_file import REFUSED, WRONG_USE, content
from scorekeeper.standings.calculation import calculate
from scorekeeper.standings.reading import Refused, read_text
from scorekeeper.standings.tournament import Tournament
from scorekeeper.standings.writing import as_json, refused_as_json


class Command(BaseCommand):
    help = "Prints the standings of a tournament from its file. Format of the file: docs/tournament.md."
    requires_system_checks = ()  # It needs nothing of the server, and should start quickly.

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", help="- reads standard input")
        parser.add_argument("--stage", metavar="NAME", help="only this stage")
        parser.add_argument("--after", type=int, metavar="N", help="as if only the first N rounds were in the file")
        parser.add_argument("--why", action="store_true", help="explain every value")
        parser.add_argument("--possible", action="store_true", help="the best and worst place still possible by points")
        parser.add_argument("--json", action="store_true")

    def handle(self, *args: Any, **options: Any) -> None:
        after = options["after"]
        if after is not None and after < 0:
            raise CommandError(f"--after {after}: choose a number of rounds from 0.", returncode=WRONG_USE)
        try:
            tournament = read_text(content(options["file"]))
            stage = self._stage(tournament, options["stage"])
            found = calculate(tournament, stage=stage, after=after, possible=options["possible"])
        except Refused as error:
            if not options["json"]:
                raise CommandError(standings_text.refused(error), returncode=REFUSED) from error
            self.stdout.write(json.dumps(refused_as_json(error)))
            sys.exit(REFUSED)
        if options["json"]:
            self.stdout.write(json.dumps(as_json(found, why=options["why"])))
        else:
            self.stdout.write(standings_text.calculated(found, why=options["why"]))

    @staticmethod
    def _stage(tournament: Tournament, name: str | None) -> str | None:
        if name is not None and all(each.name != name for each in tournament.stages):
            names = ", ".join(each.name for each in tournament.stages)
            raise CommandError(f"--stage {name}: the stages of this file are {names}.", returncode=WRONG_USE)
        return name
