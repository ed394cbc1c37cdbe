"""`manage.py schedule`: makes a schedule, or says how good one is."""

import json
import random
import sys
import time
from argparse import ArgumentParser
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from scorekeeper.schedule import reading, verify
from scorekeeper.schedule.known import Known, known
from scorekeeper.schedule.round_robin import Proposal, propose
from scorekeeper.schedule.rounds import FORMATS, Schedule
from scorekeeper.schedule.task import Impossible

IMPOSSIBLE = {
    "too-few-players": "With {players} players no table is full: it takes {needed} at least.",
    "too-many-players": "{players} players are more than this draws for: {most} at most.",
    "double-needs-heads": "--double is for heads: at a table of {format} everybody sits with others.",
    "rounds": "{rounds} rounds cannot be: 1 to {most} for so many players.",
}
UNREADABLE = {
    "empty": "There is nothing in it.",
    "no-json": "This is no JSON: {why}.",
    "no-format": "The format is missing or unknown: one of {formats}.",
    "no-rounds": "There must be a number of players n, and a list of rounds.",
    "no-byes": "There must be as many lists of byes as rounds.",
    "bad-round": "Round {round} is no list of tables, each a list of numbers.",
    "bad-line": "“{line}” in round {round} is no table: write it like 7-2-1-8.",
    "table-sizes": "There are tables of {sizes}: a schedule has tables of 2, of 3, of 4, or of 3 and 4.",
}
FAULTS = {
    "table-size": "a table of another size than the format has",
    "player-missing": "player {player} neither sits at a table nor out",
    "player-twice": "player {player} is there twice",
    "no-such-player": "there is no player {player}",
    "not-there": "player {player} is not there then",
    "met-too-early": "player {player} meets somebody he must not meet yet",
    "wrong-table": "player {player} sits at another table than his",
    "released-changed": "it was released already, and is another one",
}


SPREADS = {"byes": "sits out", "meet": "two meet", "partner": "two are partners", "oppose": "two are opponents"}
NUMBERS = {
    "seats": "seats of a player differ by",
    "lead": "leads away from a player's share",
    "breaks": "first, or second, twice in a row",
    "longest": "longest run of that",
    "in_a_row": "pairs in two rounds running",
    "out_of_turn": "byes away from a player's share",
}


class Command(BaseCommand):
    help = "Makes the best schedule for so many players and rounds; with --verify says how good one is."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("format", nargs="?", choices=[*FORMATS], help="how many sit at a table")
        parser.add_argument("players", nargs="?", type=int)
        parser.add_argument("--rounds", type=int, help="a whole cycle if not said")
        parser.add_argument("--double", action="store_true", help="heads: everybody meets everybody twice")
        parser.add_argument("--seed", type=int, default=0)
        parser.add_argument("--seconds", type=int, default=10, help="how long it may search (10)")
        parser.add_argument("--json", action="store_true")
        parser.add_argument("--verify", metavar="FILE", help="a schedule as JSON or as text, - for what is piped in")
        parser.add_argument("--partners", action="store_true", help="tables of four in a text are partners crosswise")

    def handle(self, *args: Any, **options: Any) -> None:
        if options["verify"]:
            schedule = self._read(options["verify"], options["partners"])
        else:
            schedule = self._made(options).schedule
        faults = verify.faults(schedule)
        measures, bounds = verify.measure(schedule), verify.bounds(schedule)
        if options["json"]:
            told = reading.as_json(schedule) | {"measures": verify.as_json(measures), "bounds": verify.as_json(bounds)}
            told["distance"] = verify.distance(measures, bounds)._asdict()
            told["attainable"] = known(schedule.format, schedule.players, len(schedule.rounds)).exists
            if options["verify"]:
                told["errors"] = [fault._asdict() for fault in faults]
            self.stdout.write(json.dumps(told))
        else:
            if not options["verify"]:
                self.stdout.write(_in_lines(schedule))
            self.stdout.write(_told(schedule, measures, bounds))
        if faults:
            raise CommandError("\n".join(["This is no schedule:", *map(_fault_words, faults)]))

    def _read(self, name: str, partners: bool) -> Schedule:
        try:
            text = sys.stdin.read() if name == "-" else Path(name).read_text()
            return reading.read(text, partners=partners)
        except (OSError, UnicodeDecodeError) as error:
            raise CommandError(f"{name} cannot be read: {error}.") from error
        except reading.Unreadable as error:
            raise CommandError(UNREADABLE[error.code].format(**error.facts)) from error

    def _made(self, options: dict[str, Any]) -> Proposal:
        if options["format"] is None or options["players"] is None:
            raise CommandError("Say a format and a number of players, as in: schedule partners 16.")
        wished = {key: options[key] for key in ("players", "rounds", "double", "seconds")}
        proposals = propose(
            FORMATS[options["format"]],
            rng=random.Random(options["seed"]),  # noqa: S311 (a schedule is no secret)
            clock=time.monotonic,
            **wished,
        )
        try:
            return self._last(proposals)
        except Impossible as error:
            raise CommandError(IMPOSSIBLE[error.code].format(**error.facts)) from error

    def _last(self, proposals: Iterator[Proposal]) -> Proposal:
        """The best that comes, told on the way; Ctrl-C keeps what there is."""
        best = next(proposals)
        watched = self.stderr.isatty()
        with suppress(KeyboardInterrupt):
            for better in proposals:
                best = better
                if watched:
                    self.stderr.write(f"\r{best.share // 10:3} % of the time", ending="")
        if watched:
            self.stderr.write("\r", ending="")
        return best


def _in_lines(schedule: Schedule) -> str:
    """Players from 1."""
    rounds = []
    for number, each in enumerate(schedule.rounds, 1):
        tables = "   ".join("-".join(str(player + 1) for player in table) for table in each.tables)
        out = f"   out: {', '.join(str(player + 1) for player in each.byes)}" if each.byes else ""
        rounds.append(f"Round {number:2}   {tables}{out}")
    return "\n".join(rounds) + "\n"


def _told(schedule: Schedule, measures: verify.Measures, bounds: verify.Measures) -> str:
    """The grade, then every measure beside the best that counting allows."""
    grade = verify.grade(schedule.format, measures, bounds)
    lines = [f"{grade[0].upper()}{grade[1:]}.", "", f"{'':32}{'here':>8}{'best':>8}{'squares':>9}{'best':>8}"]
    for name, words in SPREADS.items():
        here, best = getattr(measures, name), getattr(bounds, name)
        spreads = "".join(f"{f'{each.least} to {each.most}':>8}" for each in (here, best))
        lines.append(f"{words:32}{spreads}{here.squares:9}{best.squares:8}")
    for name, words in NUMBERS.items():
        lines.append(f"{words:32}{getattr(measures, name):8}{getattr(bounds, name):8}")
    if any(verify.distance(measures, bounds)):
        lines += ["", _known_words(known(schedule.format, schedule.players, len(schedule.rounds)))]
    return "\n".join(lines)


def _known_words(known: Known) -> str:
    """Whether what counting allows can be."""
    if known.exists is None:
        return "Counting allows better; whether there is such a schedule is not known here."
    sentence = f"{known.why[0].upper()}{known.why[1:]}"
    if known.exists:
        return f"{sentence}: a better one than this exists. More --seconds may come nearer."
    return f"{sentence}: none is as even as counting alone would allow."


def _fault_words(fault: verify.Fault) -> str:
    where = "" if fault.round is None else f"Round {fault.round + 1}: "
    return where + FAULTS[fault.code].format(player="" if fault.player is None else fault.player + 1)
