"""What the options of `manage.py simulate` mean together. One that cannot be, or that can do nothing, is wrong use."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.core.management.base import CommandError

from scorekeeper.events.encounters import MOST_BOARDS
from scorekeeper.management.given_file import WRONG_USE
from scorekeeper.rehearsal.finals import Rule, must_find_entrants
from scorekeeper.rehearsal.lengths import MINUTE
from scorekeeper.rehearsal.phases import Plan
from scorekeeper.standings.reading import Refused
from scorekeeper.standings.tournament import System

RANGES = {
    "tables": (1, 1000),
    "pause": (0, 24 * 60),
    "limit": (1, 24 * 60),
    "runs": (1, 10_000),
    "late": (0, 1000),
    "no_shows": (0, 1000),
    "wrong": (0, 1000),
    "disputed": (0, 1000),
    "first": (1, 1000),
    "best": (0, 1000),
}
OF_FINALS = ("best", "finals", "consolation", "best_of")
"""What only says how finals are played."""
A_DAY = 24 * 60 * MINUTE


def must_be_in_range(options: Mapping[str, Any]) -> None:
    for name, (least, most) in RANGES.items():
        value = options[name]
        if value is not None and not least <= value <= most:
            raise _wrong(f"--{name.replace('_', '-')} {value}: choose from {least} to {most}.")
    boards, tables = options["boards"] or [], options["tables"]
    if not all(0 < each <= MOST_BOARDS for each in boards):
        raise _wrong(f"--boards {' '.join(map(str, boards))}: choose from 1 to {MOST_BOARDS}.")
    if tables is not None and tables < max(boards, default=0):
        raise _wrong(f"--tables {tables}: a meeting needs {max(boards)} tables. Choose as many, or more.")


def span(options: Mapping[str, Any]) -> tuple[int, int | None]:
    """The start, in seconds after midnight, and how long after it the day should be over."""
    start, end, next_day = _time("start", options["start"]), options["until"], options["next_day"]
    if end is None:
        if next_day:
            raise _wrong("--next-day: it says which day --until is on. Add --until, or leave --next-day out.")
        return start, None
    until = _time("until", end) + (A_DAY if next_day else 0)
    if until <= start:
        text = f"--until {end} is not after --start {options['start']}: correct a time, or add --next-day."
        raise _wrong(text)
    return start, until - start


def rule(options: Mapping[str, Any]) -> Rule | None:
    """Who goes on to finals, and how they are played; None: there are none."""
    first, best_of = options["first"], options["best_of"]
    if not first:
        given = next((name for name in OF_FINALS if options[name] is not None), None)
        if given:
            option = given.replace("_", "-")
            raise _wrong(f"--{option}: no finals are rehearsed. Add --first, how many of each group go on to one.")
        return None
    finals, consolation = options["finals"] or System.KNOCK_OUT, options["consolation"]
    others = None if consolation is None else System(finals if consolation is True else consolation)
    if best_of is not None and System.KNOCK_OUT not in (finals, others):
        raise _wrong(f"--best-of {best_of}: no final is a knock-out. Leave it out, or make one a knock-out.")
    return Rule(first, options["best"] or 0, System(finals), others, best_of or 1)


def must_suit(played: Plan, options: Mapping[str, Any]) -> None:
    """Nobody can be late who does not come, nor can more than all; and each final needs entrants."""
    groups = [each.stage for each in played.stages]
    sizes = [len(each.entrants) for each in groups]
    if (missing := options["late"] + options["no_shows"]) > sum(sizes):
        raise _wrong(f"--late and --no-shows: {missing} is more than the entrants, {sum(sizes)}. Choose fewer.")
    if played.rule:
        try:
            must_find_entrants(played.rule, groups[0].play, sizes)
        except Refused as error:
            value = getattr(played.rule, error.at)
            raise _wrong(f"--{error.at} {value}: {error.message}") from error


def _time(option: str, given: str) -> int:
    """In seconds after midnight."""
    try:
        found = datetime.strptime(given, "%H:%M")
    except ValueError as error:
        raise _wrong(f"--{option} {given}: write a time like 14:00.") from error
    return (found.hour * 60 + found.minute) * MINUTE


def _wrong(text: str) -> CommandError:
    return CommandError(text, returncode=WRONG_USE)
