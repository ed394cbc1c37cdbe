"""What the setup of a league may be: as that of a tournament, and what only a league has."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import date
from functools import partial
from typing import Any

from django.utils.translation import gettext as _

from games import GAMES, read
from games.errors import Malformed, marked
from scorekeeper.events.encounters import MOST_BOARDS, Form
from scorekeeper.events.league import LEAVING, LEGS, SYSTEMS, TOO_LATE, USUAL
from scorekeeper.events.rounds import Impossible
from scorekeeper.events.setup import BRACKETS, MOST_ROUNDS
from scorekeeper.services import setups
from scorekeeper.words import in_words

MOST_MOVING = 20
MOST_DAYS = 366
MOST_WITHOUT = 200
AS_A_TOURNAMENT = ("game", "options", "minutes", "size", "worth", "order", "minimum_played", "lots", "public")


def checked(setup: Mapping[str, Any]) -> dict[str, Any]:
    """The setup with all options of the game. setups.BadSetup; GameError for an option that the game does not allow."""
    setup = {**USUAL, **setup}
    given = {name: setup[name] for name in AS_A_TOURNAMENT if name in setup}
    whole = setups.checked({"format": "heads", "rounds": None, "double": False, **given})
    found = {**{name: whole[name] for name in AS_A_TOURNAMENT}, **{name: _read(setup, name) for name in READERS}}
    if found["first"] in found["without"] and not found["every"]:
        raise setups.BadSetup(_("All rounds are on a day without play. Choose another day."), "first")
    form = _form(setup.get("form"))
    return {**found, "form": form and form.as_json()}


def _form(value: Mapping[str, Any] | None) -> Form | None:
    """What teams play, with all options of the games; None if entrants are no teams."""
    if value is None:
        return None
    try:
        form = Form.of(value)
    except Impossible as error:
        raise setups.BadSetup(form_words(error), "form") from error
    boards = tuple(
        replace(board, setting=replace(board.setting, options=GAMES[board.game].read_options(board.setting.options)))
        for board in form.boards
    )
    return replace(form, boards=boards)


def form_words(error: Impossible) -> str:
    """Why a form cannot be played."""
    return {
        "no-boards": _("Choose what is played: an encounter has at least one board."),
        "too-many-boards": _("An encounter can have up to {most} boards.").format(most=MOST_BOARDS),
        "no-times": _("Let everybody play at least once."),
        "game-of-other-size": _("Choose a game for two for singles, and a game for two pairs for doubles."),
        "no-such-part": _("Number the parts of the evening from 1."),
        "worth-upside-down": _("A win must be worth more than a loss, and a draw must lie between them."),
    }[error.code]


def _read(setup: Mapping[str, Any], name: str) -> Any:
    try:
        if name not in setup:
            raise Malformed(marked("{key} is missing."), key=name)
        return READERS[name](setup[name])
    except Malformed as error:
        raise setups.BadSetup(in_words(error), name) from error


def _days(value: Any) -> list[str]:
    days = sorted({setups.day(each) for each in read.listed(value)})
    if len(days) > MOST_WITHOUT:
        raise Malformed(marked("Enter up to {most} days without play."), most=MOST_WITHOUT)
    return days


def _first(value: Any) -> str:
    day = setups.day(value)
    if date.fromisoformat(day) >= TOO_LATE:
        raise setups.BadSetup(_("Choose a first day before the year {year}.").format(year=TOO_LATE.year), "first")
    return day


def _legs(value: Any) -> int:
    if value not in LEGS:
        raise setups.BadSetup(_("Entrants meet once or twice."), "legs")
    return int(value)


READERS: Mapping[str, Callable[[Any], Any]] = {
    "system": partial(read.one_of, choices=SYSTEMS),
    "rounds": partial(setups.or_none, reader=partial(setups.whole, least=1, most=MOST_ROUNDS)),
    "bracket": partial(read.one_of, choices=BRACKETS),
    "legs": _legs,
    "first": _first,
    "every": partial(setups.whole, least=0, most=MOST_DAYS),
    "time": setups.clock,
    "without": _days,
    "up": partial(setups.whole, least=0, most=MOST_MOVING),
    "down": partial(setups.whole, least=0, most=MOST_MOVING),
    "leaving": partial(read.one_of, choices=LEAVING),
    "by_players": read.flag,
    "series": partial(setups.or_none, reader=read.whole),
}
"""By name: reads the value, or raises Malformed."""
