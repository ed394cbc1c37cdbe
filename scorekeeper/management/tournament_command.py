"""What the commands about a tournament's file share."""

import json
import sys
from abc import abstractmethod
from argparse import ArgumentParser
from typing import Any, NamedTuple

from django.core.management.base import BaseCommand, CommandError

from scorekeeper.management.given_file import REFUSED, WRONG_USE, content
from scorekeeper.management.notices import notices
from scorekeeper.standings.reading import Refused, read_text
from scorekeeper.standings.tournament import Stage, Tournament
from scorekeeper.standings.writing import refused_as_json


class Answer(NamedTuple):
    value: Any
    """For programs."""
    text: str
    """For people."""


class TournamentCommand(BaseCommand):
    """Reads the file, and prints the answer or why the file is refused, as JSON or as text. Warnings about a file
    that can be used go to standard error."""

    requires_system_checks = ()  # It needs nothing of the server, and should start quickly.

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", help="- reads standard input")
        parser.add_argument("--stage", metavar="NAME", help="only this stage")
        parser.add_argument("--json", action="store_true")

    @abstractmethod
    def answer(self, tournament: Tournament, stage: Stage | None, options: dict[str, Any]) -> Answer:
        """`stage`: the one that was asked for; among the `options`, the `source` has what is in the file. Raises
        Refused, or CommandError for wrong use."""

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            source = content(options["file"])
            tournament = read_text(source)
            stage = _named(tournament, options["stage"])
            found = self.answer(tournament, stage, options | {"source": source})
            warnings = list(notices(tournament, [stage] if stage else tournament.stages))
        except Refused as error:
            if not options["json"]:
                raise CommandError(refused(error), returncode=REFUSED) from error
            self.stdout.write(json.dumps(refused_as_json(error)))
            sys.exit(REFUSED)
        self.stdout.write(json.dumps(found.value) if options["json"] else found.text)
        for each in warnings:
            self.stderr.write(each)


def refused(error: Refused) -> str:
    return f"{error.at}: {error.message}" if error.at else error.message


def _named(tournament: Tournament, name: str | None) -> Stage | None:
    """The stage with this name. CommandError if there is none."""
    if name is None:
        return None
    for stage in tournament.stages:
        if stage.name == name:
            return stage
    raise CommandError(f"--stage {name}: the stages of this file are {names(tournament)}.", returncode=WRONG_USE)


def names(tournament: Tournament) -> str:
    return ", ".join(each.name for each in tournament.stages)
