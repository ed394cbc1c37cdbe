"""`manage.py schedule`: makes a schedule, or says how good one is."""

import json
import random
import sys
import time
from argparse import ArgumentParser
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import Any, TypedDict

from django.core.management.base import BaseCommand, CommandError

from scorekeeper.management import schedule_text
from scorekeeper.schedule import measures, notation, wish_notation
from scorekeeper.schedule.existence import existence_of
from scorekeeper.schedule.faults import Fault, faults
from scorekeeper.schedule.late_acceptance import STEPS_PER_REPORT, Progress
from scorekeeper.schedule.notation import Written
from scorekeeper.schedule.problem import NO_WISHES, Infeasible, Problem, Wishes
from scorekeeper.schedule.proposals import Proposal, number_of_rounds, propose
from scorekeeper.schedule.repair import as_played, changes, leavers, repair
from scorekeeper.schedule.seating import FORMATS, Schedule
from scorekeeper.schedule.wish_notation import Unreadable

_MAKING = dict.fromkeys(
    ("format", "players", "rounds", "double", "seed", "seconds", "steps"),
    "--verify checks a schedule as it is: leave out {option}.",
)
_WAS = {"was": "{option} is the older schedule to compare with: also name the newer one with --verify FILE."}
_PLAYED = {"played": "{option} says how the rounds of a schedule were played: also name it with --repair FILE."}
_IDLE = {
    "--was": _MAKING | _PLAYED,
    "--verify": _MAKING
    | _PLAYED
    | {"released": "{option} says how many rounds had to stay: also name the older schedule with --was FILE."},
    "--repair": _WAS
    | {"double": "--repair keeps as much as possible: leave out {option}, and set the number of rounds with --rounds."},
    "": _WAS
    | _PLAYED
    | {
        "released": "{option} says how many rounds of a file stay: also name it with --repair FILE.",
        "partners": "{option} says how to read a file with --verify or --repair. For a new schedule, use the format "
        "partners without dashes.",
    },
}
"""By mode, the options that would have no effect, and what to say about them."""
_POSITIONAL = {"format": "the format", "players": "the number of players"}
_A_DAY = 86_400


class _Search(TypedDict):
    rng: random.Random
    clock: Callable[[], float]
    seconds: float


class Command(BaseCommand):
    help = "Makes the best schedule for a number of players and rounds. With --verify: says how good a schedule is."
    requires_system_checks = ()  # It needs nothing of the server, and should start quickly.

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("format", nargs="?", choices=[*FORMATS], help="how many sit at a table")
        parser.add_argument("players", nargs="?", type=int)
        parser.add_argument("--rounds", type=int, help="default: one cycle")
        parser.add_argument("--double", action="store_true", default=None, help="heads: everybody meets twice")
        parser.add_argument("--seed", type=int, help="another seed gives another schedule (default: 0)")
        how_long = parser.add_mutually_exclusive_group()
        how_long.add_argument("--seconds", type=float, help="how long to search (default: 10)")
        how_long.add_argument("--steps", type=int, help="instead: thousands of steps; the same on every machine")
        parser.add_argument("--json", action="store_true")
        file = parser.add_mutually_exclusive_group()
        file.add_argument("--verify", metavar="FILE", help="check a schedule, as JSON or text; - reads standard input")
        file.add_argument("--repair", metavar="FILE", help="redraw only the later rounds of a schedule")
        parser.add_argument("--was", metavar="FILE", help="with --verify: an older schedule to compare with")
        parser.add_argument("--played", metavar="FILE", help="with --repair: its first rounds, as they were played")
        parser.add_argument("--released", type=int, metavar="K", help="the first K rounds must stay as they are")
        parser.add_argument(
            "--partners", action="store_true", default=None, help="tables of four in the file have partners"
        )
        wishes = parser.add_argument_group("wishes", "players, rounds and tables count from 1; repeat as needed")
        wishes.add_argument(
            "--apart", action="append", default=[], metavar="3,8[:2]", help="do not meet [in the first 2 rounds]"
        )
        wishes.add_argument("--fixed", action="append", default=[], metavar="7=1", help="player 7 stays at table 1")
        wishes.add_argument(
            "--present", action="append", default=[], metavar="9=3-6", help="present in rounds 3 to 6; also 3- or -6"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        _check_options(options)
        older = next((option for option in ("repair", "was") if options[option]), None)
        before = _read(older, options) if older else None
        try:
            written = _verified(options) if options["verify"] else self._made(options, before)
        except Infeasible as error:
            raise CommandError(schedule_text.infeasible(error)) from error
        was = before and before.schedule
        self._check(written, was, options)
        if options["json"]:
            self.stdout.write(json.dumps(_as_json(written, was, errors=options["verify"])))
            return
        if not options["verify"]:
            self.stdout.write(notation.as_text(written.schedule))
        if was:
            changed = changes(was, written.schedule)
            self.stdout.write(schedule_text.changes(was, written.schedule, changed, written.released))
        self.stdout.write(schedule_text.measures(written, was))

    def _check(self, written: Written, was: Schedule | None, options: dict[str, Any]) -> None:
        """Refuses a schedule with faults. It has no measures."""
        schedule, wishes, released = written
        # A repaired schedule keeps its past as it was played, even if it was drawn otherwise.
        older_rounds = was.rounds if was and options["verify"] else schedule.rounds
        found = faults(schedule, wishes, older_rounds[:released])
        if not found:
            return
        if not options["verify"]:
            raise CommandError(schedule_text.not_all_wishes(found[0]))
        if options["json"]:
            value = notation.as_json(written) | {"errors": [fault._asdict() for fault in found]}
            self.stdout.write(json.dumps(value))
        raise CommandError(_list("This schedule is not valid:", found))

    def _made(self, options: dict[str, Any], before: Written | None) -> Written:
        """A new schedule, or the schedule ``before`` with its rounds to come redrawn."""
        clock, seconds = time.monotonic, 10 if options["seconds"] is None else options["seconds"]
        if options["steps"] is not None:
            clock, seconds = count(step=STEPS_PER_REPORT).__next__, 1000 * options["steps"]
        rng = random.Random(options["seed"] or 0)
        ways: _Search = {"rng": rng, "clock": clock, "seconds": seconds}
        if before:
            return self._repaired(before, options, ways)
        if options["format"] is None or options["players"] is None:
            raise CommandError("Give a format and a number of players, for example: schedule partners 16.")
        format, double = FORMATS[options["format"]], bool(options["double"])
        rounds = number_of_rounds(format, options["players"], options["rounds"], double)
        wishes = _wishes(options, rounds)
        reports = propose(format, options["players"], rounds, double=double, wishes=wishes, **ways)
        return Written(self._watched(reports).schedule, wishes)

    def _repaired(self, before: Written, options: dict[str, Any], ways: _Search) -> Written:
        """Later wishes replace earlier ones: those of the file, then players who left, then those typed now."""
        was, released = _past(before, options)
        players = was.players if options["players"] is None else options["players"]
        rounds = len(was.rounds) if options["rounds"] is None else options["rounds"]
        number_of_rounds(was.format, players, rounds, double=False)
        if options["format"] not in (None, was.format.name):
            raise CommandError(f"The schedule to repair has the format {was.format.name}.")
        if players < was.players:
            raise CommandError(f"It has {was.players} players. A player who leaves keeps their number: --present 9=-3.")
        most = min(len(was.rounds), rounds - 1)
        if not 0 <= released <= most:
            raise CommandError(f"--released {released}: 0 to {most} rounds can stay; at least one must be redrawn.")
        past = replace(was, rounds=was.rounds[:released])
        if found := faults(past, released=past.rounds):
            raise CommandError(_list("The rounds played are not valid:", found))
        wishes = before.wishes | Wishes(present=leavers(was, released)) | _wishes(options, rounds)
        reports = repair(was, released, wishes, rounds=rounds, players=players, **ways)
        return Written(self._watched(reports).schedule, wishes, released)

    def _watched(self, reports: Iterator[Progress[Proposal]]) -> Proposal:
        """Shows progress on a terminal and returns the best. Ctrl-C stops the search and keeps the best so far."""
        report = next(reports)
        terminal = self.stderr.isatty()
        with suppress(KeyboardInterrupt):
            for report in reports:
                if terminal:
                    self.stderr.write(f"\r{100 * report.done // report.total:3} % of the time", ending="")
        if terminal:
            self.stderr.write("\r", ending="")
        return report.best


def _check_options(options: dict[str, Any]) -> None:
    """Refuses options that would have no effect."""
    mode = "--verify" if options["verify"] else "--repair" if options["repair"] else ""
    if options["verify"] and options["was"]:
        mode = "--was"
    for name, sentence in _IDLE[mode].items():
        if options[name] is not None:
            raise CommandError(sentence.format(option=_POSITIONAL.get(name, f"--{name}")))
    for name in ("seconds", "steps"):
        if options[name] is not None and not 0 <= options[name] <= _A_DAY:
            raise CommandError(f"--{name} {options[name]}: choose a number from 0 to {_A_DAY}.")


def _read(option: str, options: dict[str, Any], players: int | None = None) -> Written:
    name = options[option]
    try:
        text = sys.stdin.read() if name == "-" else Path(name).read_text()
        return notation.read(text, partners=options["partners"], rounds=options["rounds"], players=players)
    except (OSError, UnicodeDecodeError) as error:
        raise CommandError(f"Cannot read {name}: {error}.") from error
    except Unreadable as error:
        raise CommandError(schedule_text.unreadable(error)) from error


def _wishes(options: dict[str, Any], rounds: int) -> Wishes:
    try:
        return wish_notation.read_typed(options["apart"], options["fixed"], options["present"], rounds)
    except Unreadable as error:
        raise CommandError(schedule_text.unreadable(error)) from error


def _verified(options: dict[str, Any]) -> Written:
    """The schedule to check, with the wishes of the file and those typed now."""
    schedule, wishes, released = _read("verify", options)
    rounds = len(schedule.rounds)
    if options["released"] is not None:
        released = options["released"]
        if not 0 <= released <= rounds:
            raise CommandError(f"--released {released}: the schedule has {rounds} rounds.")
    wishes |= _wishes(options, rounds)
    Problem(schedule.format, schedule.players, rounds, wishes).check_players()
    return Written(schedule, wishes, released)


def _past(before: Written, options: dict[str, Any]) -> tuple[Schedule, int]:
    """The schedule to repair with its first rounds as played, and how many rounds stay."""
    was, released = before.schedule, options["released"] or 0
    if not options["played"]:
        return was, released
    played = _read("played", options, was.players).schedule.rounds
    if options["released"] is None:
        released = len(played)
    if len(played) > released:
        raise CommandError(f"--released {released}: {len(played)} rounds were played, and they stay.")
    return as_played(was, played), released


def _as_json(written: Written, was: Schedule | None, *, errors: bool) -> dict[str, Any]:
    schedule, wishes, released = written
    actual, best = measures.measure(schedule), measures.bounds(schedule)
    free = wishes == NO_WISHES and not released
    value = notation.as_json(written) | {
        "measures": measures.as_json(actual),
        "bounds": measures.as_json(best),
        "distance": measures.distance(actual, best)._asdict(),
        "attainable": existence_of(schedule.format, schedule.players, len(schedule.rounds)).exists if free else None,
    }
    if errors:
        value["errors"] = []
    if was:
        value["changes"] = [change._asdict() for change in changes(was, schedule)]
        value["before"] = measures.as_json(measures.measure(was))
    return value


def _list(heading: str, found: list[Fault]) -> str:
    return "\n".join([heading, *map(schedule_text.fault, found)])
