"""`manage.py pair`: who plays whom in the next round of a tournament's file."""

import json
import random
import sys
import time
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from scorekeeper.management import pair_text, standings_text
from scorekeeper.management.given_file import REFUSED, WRONG_USE, content
from scorekeeper.pairing.pairing import paired
from scorekeeper.pairing.writing import as_json
from scorekeeper.standings.reading import Refused, read_text
from scorekeeper.standings.tournament import Stage, Tournament
from scorekeeper.standings.writing import refused_as_json

A_DAY = 86_400


class Command(BaseCommand):
    help = "Draws the next round of a tournament from its file. Format of the file: docs/tournament.md."
    requires_system_checks = ()  # It needs nothing of the server, and should start quickly.

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", help="- reads standard input")
        parser.add_argument("--stage", metavar="NAME", help="of this stage; needed if there are several")
        parser.add_argument("--seed", type=int, default=0, help="draws between equally good rounds (default: 0)")
        parser.add_argument("--seconds", type=float, default=10.0, help="how long to search (default: 10)")
        parser.add_argument("--json", action="store_true")

    def handle(self, *args: Any, **options: Any) -> None:
        seconds = options["seconds"]
        if not 0 <= seconds <= A_DAY:
            raise CommandError(f"--seconds {seconds}: choose from 0 to {A_DAY}.", returncode=WRONG_USE)
        end = time.monotonic() + seconds
        try:
            tournament = read_text(content(options["file"]))
            stage = self._stage(tournament, options["stage"])
            for found in paired(tournament, stage, random.Random(options["seed"])):
                drawn = found.best
                if time.monotonic() >= end:
                    break
        except Refused as error:
            if not options["json"]:
                raise CommandError(standings_text.refused(error), returncode=REFUSED) from error
            self.stdout.write(json.dumps(refused_as_json(error)))
            sys.exit(REFUSED)
        if options["json"]:
            self.stdout.write(json.dumps(as_json(tournament, stage, drawn)))
        else:
            self.stdout.write(pair_text.paired(tournament, stage, drawn))

    @staticmethod
    def _stage(tournament: Tournament, name: str | None) -> Stage:
        names = ", ".join(each.name for each in tournament.stages)
        if name is None and len(tournament.stages) > 1:
            raise CommandError(f"Say of which stage with --stage: {names}.", returncode=WRONG_USE)
        for stage in tournament.stages:
            if name in (None, stage.name):
                return stage
        raise CommandError(f"--stage {name}: the stages of this file are {names}.", returncode=WRONG_USE)
