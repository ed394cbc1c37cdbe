"""Blank score sheets to print: for the tables of a round, for every table, or numbered without a table."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from games import GAMES
from games.base import Game
from scorekeeper import words
from scorekeeper.events.rounds import Setting
from scorekeeper.forms.columns import Column, columns, grouped
from scorekeeper.forms.sheets import SheetsForm, sheet_number
from scorekeeper.models import Club, Event, Match, Table
from scorekeeper.pages.codes import CodeCard
from scorekeeper.selectors.events import EventNow, in_play, settings_of

HANDS = 12  # rows of a sheet whose match has no fixed number of hands; half a page has room for them
MOST_HANDS = 32  # rows that fit on a whole page


@dataclass(frozen=True, slots=True)
class PrintedSheet:
    """What is printed on one sheet."""

    number: str
    game: Game[Any]
    length: list[str]
    """How long the match goes, in words."""
    players: list[str]
    """By seat; "" is a line to write a name on."""
    groups: list[tuple[str, list[Column]]]
    sides: tuple[tuple[int, ...], ...]
    hands: range
    date: datetime | None = None
    table: Table | None = None
    card: CodeCard | None = None

    @property
    def half(self) -> bool:
        """Whether two of them fit on a page."""
        return len(self.hands) <= HANDS


@dataclass(frozen=True, kw_only=True)
class SheetsPage:
    club: Club
    form: SheetsForm
    sheets: list[PrintedSheet]


@dataclass(frozen=True, kw_only=True)
class NightSheetsPage(SheetsPage):
    night: Event
    rounds: int
    tables: int
    waiting: list[Match]
    """The unfinished matches of the newest round."""


def night_sheets_page(snapshot: EventNow, form: SheetsForm, sheets: list[PrintedSheet]) -> NightSheetsPage:
    return NightSheetsPage(
        club=snapshot.event.club,
        form=form,
        sheets=sheets,
        night=snapshot.event,
        rounds=len(snapshot.state.rounds),
        tables=len(snapshot.tables),
        waiting=_waiting(snapshot),
    )


def drawn_tables(snapshot: EventNow) -> list[Table]:
    """The tables of the newest round whose match is still in play."""
    if not snapshot.state.rounds:
        return []
    drawn = {pairing.table for pairing in snapshot.state.rounds[-1].pairings}
    going = {match.table.number for match in _waiting(snapshot) if match.table}
    return [table for table in snapshot.tables if table.number in drawn & going]


def drawn_sheets(snapshot: EventNow, cards: Sequence[CodeCard]) -> list[PrintedSheet]:
    """A sheet with the names for each of the `drawn_tables`; `cards`: a QR code for each."""
    rounds, night = snapshot.state.rounds, snapshot.event
    pairings = {pairing.table: pairing for pairing in rounds[-1].pairings} if cards else {}
    return [
        _sheet(
            sheet_number(night, len(rounds), card.table.number),
            GAMES[pairing.game],
            Setting(pairing.options, pairing.minutes),
            night.started_at,
            card,
            [snapshot.name(player) for player in pairing.players],
        )
        for card in cards
        for pairing in [pairings[card.table.number]]
    ]


def table_sheets(snapshot: EventNow, form: SheetsForm, cards: Sequence[CodeCard]) -> list[PrintedSheet]:
    """A sheet without names for each card's table, numbered from the first number on."""
    night, game = snapshot.event, GAMES[form.cleaned_data["game"]]
    setting, first = settings_of(snapshot)[game.slug], form.cleaned_data["first"]
    return [
        _sheet(sheet_number(night, number), game, setting, night.started_at, card)
        for number, card in enumerate(cards, first)
    ]


def blank_sheets(snapshot: EventNow, form: SheetsForm) -> list[PrintedSheet]:
    """Sheets of the night without names or tables."""
    night, game = snapshot.event, GAMES[form.cleaned_data["game"]]
    setting = settings_of(snapshot)[game.slug]
    return [_sheet(sheet_number(night, number), game, setting, night.started_at) for number in form.numbers()]


def club_sheets(club: Club, form: SheetsForm) -> list[PrintedSheet]:
    """Sheets outside a night, with the options that the club last used for the game. One query."""
    game = GAMES[form.cleaned_data["game"]]
    last = club.matches.filter(game=game.slug).order_by("-id").first()
    setting = Setting(last.options, last.minutes) if last else Setting(game.read_options({}), None)
    return [_sheet(str(number), game, setting) for number in form.numbers()]


def _waiting(snapshot: EventNow) -> list[Match]:
    return [match for match in snapshot.matches if match.round == len(snapshot.state.rounds) and in_play(match)]


def _sheet(
    number: str,
    game: Game[Any],
    setting: Setting,
    date: datetime | None = None,
    card: CodeCard | None = None,
    players: list[str] | None = None,
) -> PrintedSheet:
    names = players or [""] * max(game.seats)
    return PrintedSheet(
        number,
        game,
        words.length_words(game, setting.options, setting.minutes),
        names,
        grouped(columns(game, setting.options, len(names))),
        game.sides(len(names)),
        range(1, min(setting.options["hands"] or HANDS, MOST_HANDS) + 1),
        date,
        card.table if card else None,
        card,
    )
