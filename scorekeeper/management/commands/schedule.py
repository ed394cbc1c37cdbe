"""`manage.py schedule`: makes a schedule, or says how good one is."""

import json
import random
import sys
import time
from argparse import ArgumentParser
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from scorekeeper.schedule import reading, verify
from scorekeeper.schedule.known import Known, known
from scorekeeper.schedule.reading import Written
from scorekeeper.schedule.repair import Change, as_played, changes, gone, repair
from scorekeeper.schedule.round_robin import Proposal, check, propose
from scorekeeper.schedule.rounds import FORMATS, Schedule
from scorekeeper.schedule.search import LOOK
from scorekeeper.schedule.task import NOTHING, Impossible, Task, Wishes

IMPOSSIBLE = {
    "too-few-players": "With {players} players no table is full: it takes {needed} at least.",
    "too-many-players": "{players} players are more than this draws for: {most} at most.",
    "double-needs-heads": "--double is for heads: at a table of {format} everybody sits with others.",
    "rounds": "{rounds} rounds cannot be: 1 to {most} for so many players.",
    "too-few-there": "--present: in round {round} only {players} are there; a table takes {needed}.",
    "no-such-player": "There is no player {player}: they are numbered from 1 to {players}.",
    "never-there": "--present: player {player} must leave after he came, and there are {rounds} rounds.",
    "no-such-table": "--fixed: there is no table {table} for player {player} in every round: {tables} at least.",
    "table-taken": "--fixed: table {table} is wished for by two players, who would always meet there.",
    "no-group": "--apart {players}: it takes two or more players, none of them twice.",
    "contradiction": "These cannot all be granted in round {round}: {wishes}.",
    "not-all-at-once": "No schedule was found that grants all wishes at once: {wish}. More --seconds may find one.",
    "group-too-large": "--apart {players}: round {round} has {places} places for them, tables and byes.",
}
_MAKING = dict.fromkeys(
    ("format", "players", "rounds", "double", "seed", "seconds", "steps"),
    "--verify looks at a schedule as it is: leave out {option}.",
)
_WAS = {"was": "{option} is what a schedule is held against: name that by --verify FILE."}
_PLAYED = {"played": "{option} is how rounds were played whose schedule is drawn anew: name that by --repair FILE."}
IDLE = {
    "--was": _MAKING | _PLAYED,
    "--verify": _MAKING
    | _PLAYED
    | {"released": "{option} is how many rounds had to stay: name the older schedule by --was FILE."},
    "--repair": _WAS
    | {"double": "--repair keeps what can stay: leave out {option}, and say by --rounds how many there are to be."},
    "": _WAS
    | _PLAYED
    | {
        "released": "{option} is how many rounds of a file stay: name it by --repair FILE.",
        "partners": "{option} is how a file is read, with --verify or --repair; the format is said without strokes.",
    },
}
"""What has no effect beside another option, or alone."""
A_DAY = 86_400
POSITIONAL = {"format": "the format", "players": "the number of players"}
UNREADABLE = {
    "empty": "There is nothing in it.",
    "no-json": "This is no JSON: {why}.",
    "no-format": "The format is missing or unknown: one of {formats}.",
    "no-rounds": "There must be a number of players n, and a list of rounds.",
    "no-byes": "There must be as many lists of byes as rounds.",
    "bad-round": "Round {round} is no list of tables, each a list of numbers.",
    "bad-line": "“{line}” in round {round} is no table: write it like 7-2-1-8.",
    "table-sizes": "There are tables of {sizes}: a schedule has tables of 2, of 3, of 4, or of 3 and 4.",
    "no-partners": "--partners: nobody has a partner in {format}, only at tables of four.",
    "bad-wishes": "The wishes in it are not written as --json writes them.",
    "bad-released": "released must be a number from 0 to {rounds}, that of its rounds.",
    "no-wish": "“{text}” is no wish: write it like {like}.",
    "wished-twice": "{wish}: player {player} is named twice.",
    "too-many-players": "{players} players are more than can be looked at: {most} at most.",
    "never-named": "Nobody is player {player}: they are numbered from {first} on, and nobody is left out.",
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
    requires_system_checks = ()  # It needs nothing of the server, and its time is counted.

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("format", nargs="?", choices=[*FORMATS], help="how many sit at a table")
        parser.add_argument("players", nargs="?", type=int)
        parser.add_argument("--rounds", type=int, help="a whole cycle if not said")
        parser.add_argument(
            "--double", action="store_true", default=None, help="heads: everybody meets everybody twice"
        )
        parser.add_argument("--seed", type=int, help="another schedule as good (0)")
        how_long = parser.add_mutually_exclusive_group()
        how_long.add_argument("--seconds", type=float, help="how long it may search (10)")
        how_long.add_argument("--steps", type=int, help="instead: how many thousand steps; the same on every machine")
        parser.add_argument("--json", action="store_true")
        file = parser.add_mutually_exclusive_group()
        file.add_argument("--verify", metavar="FILE", help="a schedule as JSON or as text, - for what is piped in")
        file.add_argument("--repair", metavar="FILE", help="a schedule of which only rounds to come are drawn anew")
        parser.add_argument("--was", metavar="FILE", help="with --verify: the schedule as it was before that")
        parser.add_argument("--played", metavar="FILE", help="with --repair: its first rounds, as they were played")
        parser.add_argument("--released", type=int, metavar="K", help="so many rounds of it stay, or had to stay")
        parser.add_argument(
            "--partners", action="store_true", default=None, help="tables of four in it are partners crosswise"
        )
        wishes = parser.add_argument_group(
            "wishes", "players, rounds and tables are counted from 1; each may come again"
        )
        wishes.add_argument("--apart", action="append", default=[], metavar="3,8[:2]", help="not to meet, in 2 rounds")
        wishes.add_argument("--fixed", action="append", default=[], metavar="7=1", help="player 7 stays at table 1")
        wishes.add_argument("--present", action="append", default=[], metavar="9=3-6", help="there from 3 to 6; 3-, -6")

    def handle(self, *args: Any, **options: Any) -> None:
        _check_options(options)
        older = next((option for option in ("repair", "was") if options[option]), None)
        before = self._read(older, options) if older else None
        try:
            made = self._looked_at(options) if options["verify"] else self._made(options, before)
        except Impossible as error:
            raise CommandError(_impossible_words(error)) from error
        schedule, wishes, released = made
        was = before and before.schedule
        # What was drawn anew keeps its past, as it was played if not as it was drawn.
        older_rounds = was.rounds if was and options["verify"] else schedule.rounds
        faults = verify.faults(schedule, wishes, older_rounds[:released])
        if faults and not options["verify"]:
            raise CommandError(IMPOSSIBLE["not-all-at-once"].format(wish=_fault_words(faults[0])))
        if faults:
            # What breaks the rules has no measures.
            if options["json"]:
                self.stdout.write(json.dumps(reading.as_json(made) | {"errors": [each._asdict() for each in faults]}))
            raise CommandError("\n".join(["This is no schedule:", *map(_fault_words, faults)]))
        measures, bounds = verify.measure(schedule), verify.bounds(schedule)
        changed = changes(was, schedule) if was else []
        if options["json"]:
            told = reading.as_json(made) | {"measures": verify.as_json(measures), "bounds": verify.as_json(bounds)}
            told["distance"] = verify.distance(measures, bounds)._asdict()
            free = wishes == NOTHING and not released
            told["attainable"] = known(schedule.format, schedule.players, len(schedule.rounds)).exists if free else None
            if options["verify"]:
                told["errors"] = []
            if was:
                told |= {"changes": [each._asdict() for each in changed], "before": verify.as_json(verify.measure(was))}
            self.stdout.write(json.dumps(told))
        else:
            if not options["verify"]:
                self.stdout.write(reading.as_text(schedule))
            if was:
                self.stdout.write(_changes_words(was, schedule, changed, released))
            self.stdout.write(_told(made, measures, bounds, was and verify.measure(was)))

    def _read(self, option: str, options: dict[str, Any], players: int | None = None) -> Written:
        name = options[option]
        try:
            text = sys.stdin.read() if name == "-" else Path(name).read_text()
            return reading.read(text, partners=options["partners"], rounds=options["rounds"], players=players)
        except (OSError, UnicodeDecodeError) as error:
            raise CommandError(f"{name} cannot be read: {error}.") from error
        except reading.Unreadable as error:
            raise CommandError(UNREADABLE[error.code].format(**error.facts)) from error

    def _wishes(self, options: dict[str, Any], rounds: int) -> Wishes:
        try:
            return reading.read_wishes(options["apart"], options["fixed"], options["present"], rounds)
        except reading.Unreadable as error:
            raise CommandError(UNREADABLE[error.code].format(**error.facts)) from error

    def _looked_at(self, options: dict[str, Any]) -> Written:
        schedule, wishes, released = self._read("verify", options)
        if options["released"] is not None:
            released, most = options["released"], len(schedule.rounds)
            if not 0 <= released <= most:
                raise CommandError(f"--released {released}: it has {most} rounds.")
        wishes |= self._wishes(options, len(schedule.rounds))
        Task(schedule.format, schedule.players, len(schedule.rounds), wishes).check_players()
        return Written(schedule, wishes, released)

    def _made(self, options: dict[str, Any], before: Written | None) -> Written:
        """A new schedule, or that of ``before`` with its rounds to come drawn anew."""
        clock, seconds = time.monotonic, 10 if options["seconds"] is None else options["seconds"]
        if options["steps"] is not None:
            clock, seconds = count(step=LOOK).__next__, 1000 * options["steps"]
        ways = {"rng": random.Random(options["seed"] or 0), "clock": clock, "seconds": seconds}  # noqa: S311 (a schedule is no secret)
        if before:
            return self._repaired(before, options, ways)
        if options["format"] is None or options["players"] is None:
            raise CommandError("Say a format and a number of players, as in: schedule partners 16.")
        format, double = FORMATS[options["format"]], bool(options["double"])
        rounds = check(format, options["players"], options["rounds"], double)
        wishes = self._wishes(options, rounds)
        found = propose(format, options["players"], rounds, double=double, wishes=wishes, **ways)
        return Written(self._last(found).schedule, wishes)

    def _repaired(self, before: Written, options: dict[str, Any], ways: dict[str, Any]) -> Written:
        """Wishes given now come after those it was made with, and after who left."""
        was, released = before.schedule, options["released"] or 0
        if options["played"]:
            played = self._read("played", options, was.players).schedule.rounds
            if options["released"] is None:
                released = len(played)
            if len(played) > released:
                raise CommandError(f"--released {released}: rounds that are played stay, {len(played)} of them.")
            was = as_played(was, played)
        players = was.players if options["players"] is None else options["players"]
        rounds = len(was.rounds) if options["rounds"] is None else options["rounds"]
        check(was.format, players, rounds, double=False)
        if options["format"] not in (None, was.format.name):
            raise CommandError(f"The schedule to repair is one of {was.format.name}.")
        if players < was.players:
            raise CommandError(f"It has {was.players} players; who leaves keeps his number: --present 9=-3.")
        most = min(len(was.rounds), rounds - 1)
        if not 0 <= released <= most:
            raise CommandError(f"--released {released}: 0 to {most} rounds can stay, so that one at least is to come.")
        past = replace(was, rounds=was.rounds[:released])
        if wrong := verify.faults(past, released=past.rounds):
            raise CommandError("\n".join(["Its past cannot be as it says:", *map(_fault_words, wrong)]))
        wishes = before.wishes | Wishes(present=gone(was, released)) | self._wishes(options, rounds)
        found = repair(was, released, wishes, rounds=rounds, players=players, **ways)
        return Written(self._last(found).schedule, wishes, released)

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


def _check_options(options: dict[str, Any]) -> None:
    """Refuses what would be passed over in silence."""
    mode = "--verify" if options["verify"] else "--repair" if options["repair"] else ""
    if options["verify"] and options["was"]:
        mode = "--was"
    for name, sentence in IDLE[mode].items():
        if options[name] is not None:
            raise CommandError(sentence.format(option=POSITIONAL.get(name, f"--{name}")))
    for name in ("seconds", "steps"):
        if options[name] is not None and not 0 <= options[name] <= A_DAY:
            raise CommandError(f"--{name} {options[name]}: it takes a number from 0 to {A_DAY}.")


def _told(made: Written, measures: verify.Measures, bounds: verify.Measures, before: verify.Measures | None) -> str:
    """The grade, then every measure beside the best that counting allows, and what it was ``before``."""
    schedule, wishes, released = made
    grade = verify.grade(schedule.format, measures, bounds)
    columns = [measures, bounds, *([before] if before else [])]
    heads = "".join(f"{head:>9}" for head in ("here", "best", "before")[: len(columns)])
    lines = [f"{grade[0].upper()}{grade[1:]}.", "", f"{'':32}{heads}   {'squares':>9}{heads[9:]}"]
    for name, words in SPREADS.items():
        if name == "partner" and not schedule.format.partners:
            continue
        spreads = [getattr(each, name) for each in columns]
        lines.append(
            f"{words:32}"
            + "".join(f"{f'{each.least} to {each.most}':>9}" for each in spreads)
            + "   "
            + "".join(f"{each.squares:9}" for each in spreads)
        )
    for name, words in NUMBERS.items():
        if name in ("breaks", "longest") and schedule.format.size != 2:
            continue
        lines.append(f"{words:32}" + "".join(f"{getattr(each, name):9}" for each in columns))
    if any(verify.distance(measures, bounds)) and wishes == NOTHING and not released:
        lines += ["", _known_words(known(schedule.format, schedule.players, len(schedule.rounds)))]
    return "\n".join(lines)


def _impossible_words(error: Impossible) -> str:
    code = "too-few-there" if error.code == "too-few-players" and "round" in error.facts else error.code
    facts = {name: reading.as_typed(fact) if isinstance(fact, Wishes) else fact for name, fact in error.facts.items()}
    return IMPOSSIBLE[code].format(**facts)


def _changes_words(before: Schedule, after: Schedule, changed: list[Change], released: int) -> str:
    """What is another table than before, for who has the old schedule in his hand."""
    to_come = [each for each in changed if each.round >= released]
    new, all_to_come = (sum(len(each.tables) for each in those) for those in (to_come, after.rounds[released:]))
    other = [
        number for number in range(min(released, len(before.rounds))) if before.rounds[number] != after.rounds[number]
    ]
    stay = f"Rounds 1 to {released} stay as they {'were played' if other else 'are'}. " if released else ""
    lines = [f"Round {number + 1} was played otherwise than drawn." for number in other]
    lines.append(f"{stay}Of {all_to_come} tables to come {new} are new:" if new else f"{stay}No table is another one.")
    for number, tables in to_come:
        lines.append(f"  round {number + 1:2}   {reading.tables_as_text(tables)}")
    return "\n".join(lines) + "\n"


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
