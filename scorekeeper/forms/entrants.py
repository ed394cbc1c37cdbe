"""Entrants as people type them, or as another program exports them."""

import csv
import re
from collections.abc import Sequence
from io import StringIO

from django.utils.translation import gettext as _

from scorekeeper.events.records import About
from scorekeeper.services.archive import BYTE_ORDER_MARK, typed
from scorekeeper.services.entrants import Named, checked
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
    "valoración": "rating",
}
COLUMNS = ["players", "club", "rating"]
"""Of a table without headings."""
SEPARATORS = ",;\t"
QUOTED = re.compile(r'"[^"]*"')


def named(line: str) -> Named:
    """An entrant on one line: ``Ana``, ``Ana + Bo`` or ``Rovers: Ana + Bo``."""
    name, colon, players = line.rpartition(":")
    return Named(_players(players), About(name.strip() if colon else ""))


def named_in_table(text: str) -> list[Named]:
    """The entrants of a table with commas, semicolons or tabs between its columns: the players (several joined by
    ``+``), their club, their rating. Other columns and another order need headings. Next to a column ``players``, a
    ``name`` is that of the entrant: so the exported standings can be read, too.

    Refused "empty-table", "too-many", "bad-table", and "bad-row", which names the line.
    """
    rows = _rows(text.removeprefix(BYTE_ORDER_MARK))
    if not rows:
        raise Refused("empty-table", _("This table is empty."))
    if len(rows) > MOST_ROWS:
        raise Refused("too-many", _("A table can have up to {most} lines.").format(most=MOST_ROWS))
    first = [cell.strip().casefold() for cell in rows[0][1]]
    known = {**HEADINGS, "name": "name"} if "players" in first else HEADINGS
    headings = [known.get(cell, "") for cell in first]
    if any(headings):
        rows = rows[1:]
    else:
        headings = COLUMNS
    return [_row(number, headings, cells) for number, cells in rows]


def _rows(text: str) -> list[tuple[int, list[str]]]:
    """The rows that are not empty, each with the number of its line."""
    between = _between(text)
    reader = csv.reader(StringIO(text, newline=""), delimiter=between)
    try:
        return [(reader.line_num, cells) for cells in reader if any(map(str.strip, cells))]
    except csv.Error as error:
        raise Refused("bad-table", _("This table cannot be read. Check its quotation marks.")) from error


def _between(text: str) -> str:
    """What is between the columns: what the first line with several columns has most often. Refused "bad-row" for a
    line that is divided by something else: its club would become part of a name."""
    bare = QUOTED.sub(lambda quoted: "\n" * quoted[0].count("\n"), text)
    lines = [(number, {*line} & {*SEPARATORS}, line) for number, line in enumerate(StringIO(bare, newline=""), 1)]
    between = next((max(SEPARATORS, key=line.count) for _number, found, line in lines if found), SEPARATORS[0])
    for number, found, _line in lines:
        if found and (between not in found or "\t" in found - {between}):
            reason = _(
                "Its columns are divided in another way than those above. Use commas, semicolons or tabs in all."
            )
            raise Refused("bad-row", _("Line {number}: {reason}").format(number=number, reason=reason))
    return between


def typed_about(name: str, club: str, rating: str) -> About:
    """Refused "bad-rating" if that is no number or too large, "bad-name"."""
    return checked(About(name.strip(), club.strip(), _rating(rating)))


def _row(number: int, headings: Sequence[str], row: Sequence[str]) -> Named:
    cells = {heading: typed(cell) for heading, cell in zip(headings, row, strict=False) if heading}
    players = _players(" + ".join([cells.get("players", ""), cells.get("partner", "")]))
    try:
        if any(cell.strip() for cell in row[len(headings) :]):
            raise Refused("bad-row", _("It has more columns than there are headings for. Name all columns on line 1."))
        if not players:
            raise Refused("bad-row", _("The name is missing."))
        name = "" if cells.get("name") == " + ".join(players) else cells.get("name", "")
        return Named(players, typed_about(name, cells.get("club", ""), cells.get("rating", "")))
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
