"""A paper sheet counted by the engine, row by row, up to the first mistake."""

import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from django.http import QueryDict
from django.utils.translation import gettext as _

import games
from games import GameError, Malformed
from games.base import Game
from games.errors import marked
from scorekeeper import words
from scorekeeper.forms.columns import Column
from scorekeeper.forms.final import final_of
from scorekeeper.forms.typed import Incomplete
from scorekeeper.services.typed_results import entry_for
from scorekeeper.words import in_words


@dataclass
class TypedRow:
    """A hand as typed, and its points."""

    number: int
    typed: Mapping[str, str]
    """By the key of the column."""
    totals: tuple[int, ...] = ()
    """The totals of the sides after this hand; empty if it does not count yet."""
    points: tuple[int, ...] = ()
    message: str = ""
    """What is wrong or missing."""
    wrong: bool = False
    fault: str = ""
    """The key of the wrong column, if it is only one."""

    @property
    def blank(self) -> bool:
        return not any(self.typed.values())


@dataclass(frozen=True)
class TypedSheet:
    """A sheet as typed so far."""

    game: Game[Any]
    options: Mapping[str, Any]
    names: Sequence[str]
    """By seat."""
    columns: Sequence[Column]
    rows: list[TypedRow]
    totals: Sequence[str]
    """The result as typed, by side."""
    stopped: str
    """How the match ended before its own end; "" if it did not."""
    short: str | None
    """What ended it if only its result is typed, and that does not end it."""

    @property
    def sides(self) -> tuple[tuple[int, ...], ...]:
        return self.game.sides(len(self.names))


@dataclass
class Tally:
    """The sheet counted up to the first mistake. Fills in the points of its rows."""

    state: games.Match
    rows: list[TypedRow]
    entries: list[Mapping[str, Any]] = field(default_factory=list)
    message: str = ""
    """What is wrong outside the rows."""

    @property
    def trouble(self) -> str:
        """The first mistake with its row; "" if there is none."""
        row = next((row for row in self.rows if row.message), None)
        return _("Hand {number}: {what}").format(number=row.number + 1, what=row.message) if row else self.message

    def enter(self, entry: Mapping[str, Any]) -> None:
        after = self.state.enter(entry)
        after.check_typed(entry)
        self.state = after
        self.entries.append(entry)


def count(sheet: TypedSheet) -> Tally:
    """Enters the rows of the sheet, then its end."""
    tally = Tally(games.Match.new(sheet.game.slug, sheet.options, sheet.names), sheet.rows)
    keys = [column.key for column in sheet.columns]
    for row in sheet.rows:
        if row.blank:
            continue
        try:
            tally.enter(_hand(row, keys, tally.state))
        except GameError as error:
            # A missing part is not a mistake while somebody types.
            row.message, row.wrong = in_words(error), not isinstance(error, Incomplete)
            row.fault = _fault(row, sheet.columns, tally.state) if row.wrong else ""
            return tally
        row.points = tuple(tally.state.hands[-1].points[side[0]] for side in sheet.sides)
        row.totals = tuple(tally.state.totals[side[0]] for side in sheet.sides)
    try:
        _end(sheet, tally)
    except GameError as error:
        tally.message = in_words(error)
    return tally


def _hand(row: TypedRow, keys: Sequence[str], state: games.Match) -> dict[str, Any]:
    """The row as an entry. Incomplete if a part is missing."""
    data = QueryDict(mutable=True)
    data.update({key: row.typed.get(key, "") for key in keys})
    typed = row.typed.get("opener", "")
    opener = int(typed) if typed.isascii() and typed.isdigit() else state.offers().get("openers", [0])[0]
    return {"kind": "hand", "opener": opener, "final": final_of(data, state)}


def _fault(row: TypedRow, columns: Sequence[Column], state: games.Match) -> str:
    """The first column that makes the row right if it is empty, 0 or 1; "" if there is none."""
    keys = [column.key for column in columns]
    for column in columns:
        for value in ("",) if column.spare else ("0", "1") if column.digits else ():
            changed = TypedRow(row.number, {**row.typed, column.key: value})
            with suppress(GameError):
                state.enter(_hand(changed, keys, state))
                return column.key
    return ""


def _end(sheet: TypedSheet, tally: Tally) -> None:
    """Enters the result or the stop. Malformed if the result does not match the hands."""
    result = _result(sheet)
    if result and not tally.entries and sheet.stopped:
        tally.enter({"kind": "result", "totals": result, "stopped": sheet.stopped})
    elif result and not tally.entries:
        tally.enter(entry_for(tally.state, [result[side[0]] for side in sheet.sides], sheet.short))
    elif result and result != list(tally.state.totals):
        counted = words.totals(tally.state.totals[side[0]] for side in sheet.sides)
        raise Malformed(marked("The hands add up to {totals}, but the sheet has another result."), totals=counted)
    elif sheet.stopped and tally.entries and not tally.state.finished:
        tally.enter({"kind": "stop", "stopped": sheet.stopped})


def _result(sheet: TypedSheet) -> list[int]:
    """The typed result by seat; empty if none is typed. Malformed if only some sides have one."""
    if not any(sheet.totals):
        return []
    totals = [0] * len(sheet.names)
    for text, side in zip(sheet.totals, sheet.sides, strict=True):
        if not re.fullmatch(r"-?[0-9]{1,9}", text):
            names = words.together([sheet.names[seat] for seat in side])
            raise Malformed(marked("Enter the number for {player}."), player=names)
        for seat in side:
            totals[seat] = int(text)
    return totals
