"""What the setup of a league may be: as that of a tournament, and what only a league has."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from django.utils.translation import gettext as _

from games import read
from games.errors import Malformed, marked
from scorekeeper.events.league import LEAVING, LEGS
from scorekeeper.services import setups
from scorekeeper.words import in_words

MOST_BOARDS = 20
MOST_DAYS = 366
MOST_WITHOUT = 200
AS_A_TOURNAMENT = ("game", "options", "minutes", "size", "worth", "order", "minimum_played", "lots", "public")


def checked(setup: Mapping[str, Any]) -> dict[str, Any]:
    """The setup with all options of the game. setups.BadSetup; GameError for an option that the game does not allow."""
    given = {name: setup[name] for name in AS_A_TOURNAMENT if name in setup}
    whole = setups.checked({"format": "heads", "rounds": None, "double": False, **given})
    return {**{name: whole[name] for name in AS_A_TOURNAMENT}, **{name: _read(setup, name) for name in READERS}}


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


def _legs(value: Any) -> int:
    if value not in LEGS:
        raise setups.BadSetup(_("Entrants meet once or twice."), "legs")
    return int(value)


READERS: Mapping[str, Callable[[Any], Any]] = {
    "boards": partial(setups.whole, least=1, most=MOST_BOARDS),
    "legs": _legs,
    "first": setups.day,
    "every": partial(setups.whole, least=1, most=MOST_DAYS),
    "time": setups.clock,
    "without": _days,
    "up": partial(setups.whole, least=0, most=MOST_BOARDS),
    "down": partial(setups.whole, least=0, most=MOST_BOARDS),
    "leaving": partial(read.one_of, choices=LEAVING),
    "by_players": read.flag,
    "series": partial(setups.or_none, reader=read.whole),
}
"""By name: reads the value, or raises Malformed."""
