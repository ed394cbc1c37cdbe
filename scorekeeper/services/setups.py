"""What the setup of a tournament may be. A form always gives that; a file that somebody edited may not."""

from collections.abc import Callable, Mapping
from datetime import date, time
from functools import partial
from itertools import pairwise
from typing import Any

from django.utils.translation import gettext as _

from games import GAMES, read
from games.errors import Malformed, marked
from scorekeeper.events.setup import (
    BRACKETS,
    FORMAT_NAMES,
    LONGEST_PAUSE,
    MOST_PRIZES,
    MOST_ROUNDS,
    MOST_SEATS,
    SYSTEMS,
    USUAL,
    fits,
)
from scorekeeper.services import storable
from scorekeeper.services.errors import Refused
from scorekeeper.services.matches import LONGEST
from scorekeeper.standings.prize_money import SHARING
from scorekeeper.standings.reading import FORMAT, best_of, final_best_of, read_value
from scorekeeper.standings.reading import Refused as BadFile
from scorekeeper.standings.tournament import First, Pairing
from scorekeeper.words import in_words

LONGEST_UNIT = 20
LARGEST_AMOUNT = 10**11 - 1  # nine digits and cents


class BadSetup(Refused):
    """The value under the name `at` of a setup is wrong; "": the setup as a whole."""

    def __init__(self, message: str, at: str) -> None:
        super().__init__("bad-setup", message)
        self.at = at


def checked(setup: Mapping[str, Any]) -> dict[str, Any]:
    """The setup with all options of the game, without names that no setup has. BadSetup; GameError for an option that
    the game does not allow."""
    if missing := [name for name in NAMES if name not in setup and name not in USUAL]:
        raise BadSetup(in_words(read.missing(missing)), "")
    kept = {name: _read(setup, name) for name in NAMES if name in setup}
    game = GAMES[kept["game"]]
    if not fits(game, kept["format"], kept["size"]):
        raise BadSetup(_("This game cannot be played like that. Choose another way."), "format")
    try:
        must_fit(kept.get("fund"), kept.get("prizes", USUAL["prizes"]))
    except Malformed as error:
        raise BadSetup(in_words(error), "fund") from error
    stage = {"name": "1", "system": kept.get("system", USUAL["system"]), **{name: kept[name] for name in STANDINGS}}
    try:
        read_value({"format": FORMAT, "entrants": [{"id": 1, "name": "1"}], "stages": [stage]})
    except BadFile as error:
        at = error.at.removeprefix("stages[0].")
        raise BadSetup(_(error.template).format(**error.facts), at) from error
    return {**kept, "options": dict(game.read_options(kept["options"]))}


def _read(setup: Mapping[str, Any], name: str) -> Any:
    try:
        return READERS[name](setup[name]) if name in READERS else setup[name]
    except Malformed as error:
        raise BadSetup(in_words(error), name) from error


def must_fit(fund: Mapping[str, Any] | None, places: int) -> None:
    """Malformed if the fund has more amounts than there are places with a prize."""
    amounts = len(fund["amounts"]) if fund else 0
    if amounts > places:
        text = marked("Amounts: {amounts}. Places with a prize: {places}. Type fewer amounts, or more places.")
        raise Malformed(text, amounts=amounts, places=places)


# --- values ------------------------------------------------------------------------------------------------
def _game(value: Any) -> str:
    if not isinstance(value, str) or value not in GAMES:
        raise Malformed(marked("This game does not exist."))
    return value


def whole(value: Any, *, least: int, most: int) -> int:
    if type(value) is not int or not least <= value <= most:
        raise Malformed(marked("Enter a whole number from {least} to {most}."), least=least, most=most)
    return value


def or_none(value: Any, *, reader: Callable[[Any], Any]) -> Any:
    return None if value is None else reader(value)


def day(value: Any) -> str:
    """A day as in 2026-05-09."""
    if value == "":
        raise Malformed(marked("The date is missing. Choose one."))
    try:
        return date.fromisoformat(read.text(value)).isoformat()
    except ValueError as error:
        raise Malformed(marked("Expected a date like 2026-05-09, not {value}."), value=read.shown(value)) from error


def fund(value: Any) -> dict[str, Any]:
    """The prize money. Malformed also if a place would get more than the one before it."""
    content = read.keyed(value, required=("amounts", "cents", "unit", "sharing"))
    amounts = [_amount(each) for each in read.listed(content["amounts"])]
    if not amounts:
        raise Malformed(marked("Expected at least one amount."))
    for place, (better, worse) in enumerate(pairwise(amounts), 2):
        if worse > better:
            text = marked("Place {place} would get more than the place before it. Type the greatest amount first.")
            raise Malformed(text, place=place)
    return {
        "amounts": amounts,
        "cents": read.flag(content["cents"]),
        "unit": " ".join(storable.text(content["unit"], longest=LONGEST_UNIT).split()),
        "sharing": read.one_of(content["sharing"], SHARING),
    }


def _amount(value: Any) -> int:
    """In the smallest unit."""
    if not 0 < read.whole(value) <= LARGEST_AMOUNT:
        raise Malformed(marked("An amount is more than 0, and has at most nine digits before the point."))
    return int(value)


def _until(value: Any) -> dict[str, Any]:
    """The time in which the rounds must fit."""
    content = read.keyed(value, required=("start", "end", "pause"))
    return {
        "start": clock(content["start"]),
        "end": clock(content["end"]),
        "pause": whole(content["pause"], least=0, most=LONGEST_PAUSE),
    }


def clock(value: Any) -> str:
    """A time as in 19:30."""
    try:
        return f"{time.fromisoformat(read.text(value)):%H:%M}"
    except ValueError as error:
        raise Malformed(marked("Expected a time like 19:30, not {value}."), value=read.shown(value)) from error


STANDINGS = ("worth", "order", "minimum_played", "lots")
"""What a setup has as the tournament file has it, whose reader checks it."""
READERS: Mapping[str, Callable[[Any], Any]] = {
    "game": _game,
    "options": read.mapping,
    "minutes": partial(or_none, reader=partial(whole, least=1, most=LONGEST)),
    "format": partial(read.one_of, choices=FORMAT_NAMES),
    "size": partial(whole, least=1, most=MOST_SEATS),
    "system": partial(read.one_of, choices=SYSTEMS),
    "pairing": partial(read.one_of, choices=tuple(Pairing)),
    "first": partial(read.one_of, choices=tuple(First)),
    "apart": partial(whole, least=0, most=MOST_ROUNDS),
    "first_by_lots": read.flag,
    "bracket": partial(read.one_of, choices=BRACKETS),
    "best_of": best_of,
    "final_best_of": final_best_of,
    "teams": read.flag,
    "in_groups": read.flag,
    "rounds": partial(or_none, reader=partial(whole, least=1, most=MOST_ROUNDS)),
    "double": read.flag,
    "until": partial(or_none, reader=_until),
    "lots": storable.text,
    "confirm": partial(whole, least=0, most=MOST_SEATS),
    "prizes": partial(whole, least=1, most=MOST_PRIZES),
    "fund": partial(or_none, reader=fund),
    "date": partial(or_none, reader=day),
    "public": read.flag,
    "self_entry": read.flag,
    "clock_waits": read.flag,
    "outlook": read.flag,
}
"""By name: reads the value, or raises Malformed."""
NAMES = tuple(dict.fromkeys((*READERS, *STANDINGS)))
