"""`manage.py pair`: who plays whom in the next round of a tournament's file."""

import random
import time
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import CommandError

from scorekeeper.management import pair_text
from scorekeeper.management.given_file import WRONG_USE
from scorekeeper.management.tournament_command import Answer, TournamentCommand, names
from scorekeeper.pairing.pairing import paired
from scorekeeper.pairing.writing import as_json
from scorekeeper.standings.tournament import Stage, Tournament

A_DAY = 86_400


class Command(TournamentCommand):
    help = "Draws the next round of a tournament from its file. Format of the file: docs/tournament.md."

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("--seed", type=int, default=0, help="draws between equally good rounds (default: 0)")
        parser.add_argument("--seconds", type=float, default=10.0, help="how long to search (default: 10)")

    def answer(self, tournament: Tournament, stage: Stage | None, options: dict[str, Any]) -> Answer:
        seconds = options["seconds"]
        if not 0 <= seconds <= A_DAY:
            raise CommandError(f"--seconds {seconds}: choose from 0 to {A_DAY}.", returncode=WRONG_USE)
        if stage is None and len(tournament.stages) > 1:
            raise CommandError(f"Say of which stage with --stage: {names(tournament)}.", returncode=WRONG_USE)
        stage = stage or tournament.stages[0]
        end = time.monotonic() + seconds
        for found in paired(tournament, stage, random.Random(options["seed"])):
            drawn = found.best
            if time.monotonic() >= end:
                break
        return Answer(as_json(tournament, stage, drawn), pair_text.paired(tournament, stage, drawn))
