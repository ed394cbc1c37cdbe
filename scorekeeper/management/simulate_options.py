"""What the options of `manage.py simulate` mean together. One that cannot be, or that can do nothing, is wrong use."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from itertools import count
from typing import Any

from django.core.management.base import CommandError

from scorekeeper.events.encounters import MOST_BOARDS
from scorekeeper.management.given_file import WRONG_USE
from scorekeeper.rehearsal.finals import Rule, fewest
from scorekeeper.rehearsal.lengths import MINUTE
from scorekeeper.rehearsal.phases import Plan
from scorekeeper.standings.tournament import Stage, System

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
        _must_find_entrants(played.rule, groups[0], sizes)


def _must_find_entrants(rule: Rule, group: Stage, sizes: list[int]) -> None:
    """`sizes`: how many entrants each group has; `group`: one of them."""
    first, most, everybody = rule.first, max(sizes), sum(sizes)
    if first > most:
        raise _wrong(f"--first {first}: the largest group has {most} entrants. Choose {most} or fewer.")
    if rule.best > (nexts := sum(size > first for size in sizes)):
        text = f"after the first {first}, only one of each group comes next, {nexts} in all."
        raise _wrong(f"--best {rule.best}: {text} Choose {nexts} or fewer.")
    # With fewer entrants than one table needs, no --first is enough: the rehearsal says so.
    going_on, needed = rule.going_on(sizes), min(fewest(group, rule.system), everybody)
    if going_on < needed:
        enough = next(each for each in count(first) if replace(rule, first=each).going_on(sizes) >= needed)
        who = "one goes" if going_on == 1 else f"{going_on} go"
        raise _wrong(f"--first {first}: only {who} on to the final. Choose {enough} or more.")
    left = everybody - going_on
    if rule.consolation and left < (needed := fewest(group, rule.consolation)):
        text = f"--consolation: {left} of {everybody} do not go on, and a table needs {needed}."
        raise _wrong(f"{text} Let fewer go on, or leave --consolation out.")


def _time(option: str, given: str) -> int:
    """In seconds after midnight."""
    try:
        found = datetime.strptime(given, "%H:%M")
    except ValueError as error:
        raise _wrong(f"--{option} {given}: write a time like 14:00.") from error
    return (found.hour * 60 + found.minute) * MINUTE


def _wrong(text: str) -> CommandError:
    return CommandError(text, returncode=WRONG_USE)
