"""Entrants as people type them, or as another program exports them."""

import csv
from io import StringIO

from django.utils.translation import gettext as _

from scorekeeper.events.tournament import About
from scorekeeper.services.entrants import Named
from scorekeeper.services.errors import Refused

MOST_ROWS = 1000
# What the first line of a table may call its columns, in the languages of this program and some more.
HEADINGS = {
    "name": "players",
    "names": "players",
    "player": "players",
    "players": "players",
    "nombre": "players",
    "jugador": "players",
    "jugadores": "players",
    "partner": "partner",
    "pareja": "partner",
    "compañero": "partner",
    "team": "name",
    "pair": "name",
    "equipo": "name",
    "club": "club",
    "rating": "rating",
    "elo": "rating",
    "puntuación": "rating",
}
COLUMNS = ["players", "club", "rating"]
"""Of a table without headings."""


def named(line: str) -> Named:
    """An entrant on one line: ``Ana``, ``Ana + Bo`` or ``Rovers: Ana + Bo``."""
    name, colon, players = line.rpartition(":")
    return Named(_players(players), About(name.strip() if colon else ""))


def named_in_table(text: str) -> list[Named]:
    """The entrants of a table with commas, semicolons or tabs between its columns: the players (several joined by
    ``+``), their club, their rating. Other columns and another order need headings.

    Refused "bad-row" names the line.
    """
    lines = [line for line in text.splitlines() if line.strip()]
    if not lines:
        raise Refused("empty-table", _("This table is empty."))
    if len(lines) > MOST_ROWS:
        raise Refused("too-many", _("A table can have up to {most} lines.").format(most=MOST_ROWS))
    between = max(",;\t", key=lines[0].count)
    rows = list(csv.reader(StringIO("\n".join(lines)), delimiter=between))
    headings = [HEADINGS.get(cell.strip().casefold(), "") for cell in rows[0]]
    if not any(headings):
        return [_row(number, dict(zip(COLUMNS, cells, strict=False))) for number, cells in enumerate(rows, 1)]
    return [
        _row(number, {heading: cell for heading, cell in zip(headings, cells, strict=False) if heading})
        for number, cells in enumerate(rows[1:], 2)
    ]


def typed_about(name: str, club: str, rating: str) -> About:
    """Refused "bad-rating" if that is no number."""
    return About(name.strip(), club.strip(), _rating(rating))


def _row(number: int, cells: dict[str, str]) -> Named:
    players = _players(" + ".join([cells.get("players", ""), cells.get("partner", "")]))
    try:
        if not players:
            raise Refused("bad-row", _("The name is missing."))
        return Named(players, typed_about(cells.get("name", ""), cells.get("club", ""), cells.get("rating", "")))
    except Refused as error:
        text = _("Line {number}: {reason}").format(number=number, reason=error.message)
        raise Refused("bad-row", text) from error


def _players(text: str) -> tuple[str, ...]:
    return tuple(name.strip() for name in text.split("+") if name.strip())


def _rating(text: str) -> int | None:
    text = text.strip()
    if text and not (text.isascii() and text.isdigit() and len(text) < 10):
        raise Refused("bad-rating", _("The rating “{text}” is not a whole number from 0 up.").format(text=text[:40]))
    return int(text) if text else None
