"""A table as JSON: as the session keeps it, and as a file that the visitor can take away.

The format is ``scorekeeper-practice/1``; docs/practice.md describes it.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from games import GAMES, read
from games.errors import Malformed, marked
from games.nestor import LEVELS
from scorekeeper.practice.contest import Contest, Setting
from scorekeeper.practice.table import (
    KEPT,
    NAME,
    PEEKS,
    STEPS,
    STEPS_BACK,
    Before,
    Comfort,
    PracticeTable,
    Preserved,
    Tally,
)
from scorekeeper.practice.themes import ORIGINAL, Theme, Themes, read_theme

FORMAT = "scorekeeper-practice/1"
MARKS = ("undo", "peek")
Write = Callable[[Contest], Any]
Read = Callable[[Any], Contest]


def table_json(table: PracticeTable, write: Write = Contest.as_json) -> dict[str, Any]:
    """The table as JSON values. ``write`` says how it has its matches."""
    return {
        "format": FORMAT,
        "step": table.step,
        "begun": table.begun,
        "setting": None
        if table.setting is None
        else {**table.setting._asdict(), "options": dict(table.setting.options)},
        "comfort": table.comfort._asdict(),
        "contest": None if table.contest is None else write(table.contest),
        "tally": table.tally._asdict(),
        "before": _before_json(table.before, write),
        "preserved": [
            {"name": each.name, "contest": write(each.contest), "tally": each.tally._asdict()}
            for each in table.preserved
        ],
        "marks": {str(number): sorted(marks) for number, marks in table.marks.items()},
        "shown": sorted(table.shown),
        "themes": [dict(theme) for theme in table.themes.themes],
        "used": table.themes.used,
    }


def _before_json(before: Before | None, write: Write) -> dict[str, Any] | None:
    if before is None:
        return None
    return {
        "step": before.step,
        "contest": None if before.contest is None else write(before.contest),
        "tally": before.tally._asdict(),
        "before": _before_json(before.before, write),
    }


KEYS = tuple(table_json(PracticeTable()))


def read_table(value: Any, read_contest: Read = Contest.read) -> PracticeTable:
    """The table. GameError if it cannot be read; its ``field`` says where."""
    given = read.keyed(value, required=KEYS)
    if given["format"] != FORMAT:
        raise Malformed(marked("This is no file of the practice table."))
    return PracticeTable(
        step=_whole(given, "step"),
        setting=_setting(given["setting"]),
        comfort=_comfort(given["comfort"]),
        contest=_contest(given, read_contest),
        begun=_whole(given, "begun"),
        tally=_tally(given),
        before=_before(given["before"], read_contest, STEPS_BACK),
        preserved=_preserved(given["preserved"], read_contest),
        marks=_marks(given["marks"]),
        shown=frozenset(read.one_of(each, PEEKS) for each in read.listed(given["shown"])),
        themes=Themes(_themes(given["themes"]), _used(given["used"])),
    )


def _themes(value: Any) -> tuple[Theme, ...]:
    themes = []
    with read.field("themes"):
        for number, theme in enumerate(read.listed(value, len(ORIGINAL)), 1):
            with read.field(str(number)):
                themes.append(read_theme(theme))
    return tuple(themes)


def imported(value: Any, step: int) -> PracticeTable:
    """The table of a file that a visitor brings, as the change after ``step``. Whoever has the file may have read the
    tiles in it, so its unfinished games count as looked at."""
    table = read_table(value)
    marks = dict(table.marks)
    for contest in table.contests():
        if not contest.over:
            marks[contest.number] = marks.get(contest.number, frozenset()) | {"peek"}
    return replace(table, step=step + 1, marks=marks, shown=frozenset())


# --- parts -------------------------------------------------------------------------------------------------
def _whole(given: Mapping[str, Any], name: str) -> int:
    with read.field(name):
        return read.whole(given[name])


def _used(value: Any) -> int | None:
    if value is None:
        return None
    with read.field("used"):
        if (number := read.whole(value)) >= len(ORIGINAL):
            raise Malformed(marked("There are three themes."))
        return number


def _setting(value: Any) -> Setting | None:
    if value is None:
        return None
    with read.field("setting"):
        given = read.keyed(value, required=Setting._fields)
        game = GAMES[read.one_of(given["game"], tuple(GAMES))]
        options, level = read.mapping(given["options"]), read.one_of(given["level"], tuple(LEVELS))
        return Setting(game.slug, game.read_options(options), read.whole(given["seats"]), level).check()


def _comfort(value: Any) -> Comfort:
    with read.field("comfort"):
        given = read.keyed(value, required=Comfort._fields)
        return Comfort(*(read.flag(given[name]) for name in Comfort._fields))


def _tally(given: Mapping[str, Any]) -> Tally:
    with read.field("tally"):
        found = read.keyed(given["tally"], required=Tally._fields)
        tally = Tally(*(read.whole(found[name]) for name in Tally._fields))
        if tally.marked > tally.games:
            raise Malformed(marked("More games are marked than were played."))
        return tally


def _contest(given: Mapping[str, Any], read_contest: Read) -> Contest | None:
    with read.field("contest"):
        return None if given["contest"] is None else read_contest(given["contest"])


def _before(value: Any, read_contest: Read, steps: int) -> Before | None:
    if value is None:
        return None
    with read.field("before"):
        given = read.keyed(value, required=("step", "contest", "tally", "before"))
        if not steps:
            raise Malformed(marked("There are more steps to undo than are kept."))
        step = read.one_of(given["step"], STEPS)
        earlier = _before(given["before"], read_contest, steps - 1)
        return Before(step, _contest(given, read_contest), _tally(given), earlier)


def _preserved(value: Any, read_contest: Read) -> tuple[Preserved, ...]:
    with read.field("preserved"):
        found = []
        for each in read.listed(value):
            given = read.keyed(each, required=Preserved._fields)
            found.append(Preserved(read.text(given["name"]), read_contest(given["contest"]), _tally(given)))
        names = {each.name for each in found}
        if len(found) > KEPT or len(names) < len(found) or not all(0 < len(name) <= NAME for name in names):
            raise Malformed(
                marked("These preserved games cannot be kept: {most} at most, each with its own name."), most=KEPT
            )
        return tuple(found)


def _marks(value: Any) -> Mapping[int, frozenset[str]]:
    with read.field("marks"):
        marks = {}
        for number, found in read.mapping(value).items():
            if not (number.isascii() and number.isdigit() and len(number) < 10):
                raise Malformed(marked("{value} is not a number."), value=read.shown(number))
            marks[int(number)] = frozenset(read.one_of(mark, MARKS) for mark in read.listed(found))
        return marks
