"""Blank score sheets to print: for the tables as they are drawn, for every table, or for nobody in particular."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_http_methods

from games import GAMES
from games.base import Game
from scorekeeper import words
from scorekeeper.access import actor_of, club_for, night_for
from scorekeeper.forms.paper import Column, columns, in_groups, sheet_number
from scorekeeper.forms.sheets import SheetsForm
from scorekeeper.models import Club, Match, Role, Table
from scorekeeper.schedule.night import Setting
from scorekeeper.selectors.nights import Evening, evening_of, going_on, settings_of
from scorekeeper.views.tables import Card, qr_cards

HANDS = 12  # rows of a sheet whose match has no fixed number of hands; so many fit on half a page
MOST_HANDS = 32  # rows that fit on a whole page


@dataclass(frozen=True, slots=True)
class Sheet:
    """What is printed on one of them."""

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
    card: Card | None = None

    @property
    def half(self) -> bool:
        """Whether two of them fit on a page."""
        return len(self.hands) <= HANDS


@login_not_required
@require_http_methods(["GET", "POST"])
def night_sheets(request: HttpRequest, pk: int) -> HttpResponse:
    """Sheets for the tables of the round that was drawn last, for all open tables, or for none. Made by a post: each QR
    code on them is a new pass."""
    night = night_for(actor_of(request), pk, need="host")
    evening = evening_of(night)
    do = request.POST.get("do", "")
    form = _form(request, night.club)
    sheets: list[Sheet] = []
    if do == "drawn":
        sheets = _drawn(request, evening)
    elif form.is_valid():
        game = GAMES[form.cleaned_data["game"]]
        setting = settings_of(evening)[game.slug]
        numbers = [sheet_number(night, number) for number in form.numbers()]
        if do == "tables":
            cards = qr_cards(request, [table for table in evening.tables if table.open])
            # As many as there are tables, whatever was said.
            numbers = [sheet_number(night, form.cleaned_data["first"] + at) for at in range(len(cards))]
            sheets = [
                _sheet(number, game, setting, night.started_at, card)
                for number, card in zip(numbers, cards, strict=True)
            ]
        else:
            sheets = [_sheet(number, game, setting, night.started_at) for number in numbers]
    context = {"night": night, "club": night.club, "rounds": len(evening.state.rounds), "tables": len(evening.tables)}
    context["waiting"] = _waiting(evening)
    return _answer(request, form, sheets, context)


@login_not_required
@require_http_methods(["GET", "POST"])
def club_sheets(request: HttpRequest, slug: str) -> HttpResponse:
    """Sheets without names for a club that plays without a night here."""
    club = club_for(actor_of(request), slug, need=Role.DIRECTOR)
    form = _form(request, club)
    sheets: list[Sheet] = []
    if form.is_valid():
        game = GAMES[form.cleaned_data["game"]]
        sheets = [_sheet(str(number), game, _usual(club, game)) for number in form.numbers()]
    return _answer(request, form, sheets, {"club": club})


def _form(request: HttpRequest, club: Club) -> SheetsForm:
    """What is asked for; at first of the game that the club played last."""
    asked = request.POST.get("do") in ("blank", "tables")
    last = club.matches.order_by("-id").values_list("game", flat=True).first()
    return SheetsForm(list(GAMES.values()), request.POST if asked else None, initial={"game": last})


def _answer(request: HttpRequest, form: SheetsForm, sheets: list[Sheet], context: dict[str, Any]) -> HttpResponse:
    context |= {"form": form, "sheets": sheets}
    return render(request, "scorekeeper/sheets.html", context, status=422 if form.errors else 200)


def _waiting(evening: Evening) -> list[Match]:
    """The matches of the round that was drawn last that are not over."""
    return [match for match in evening.matches if match.round == len(evening.state.rounds) and going_on(match)]


def _drawn(request: HttpRequest, evening: Evening) -> list[Sheet]:
    """A sheet for each table at which the round that was drawn last goes on, with the names."""
    rounds, night = evening.state.rounds, evening.night
    numbers = {match.table.number for match in _waiting(evening) if match.table}
    pairings = {pairing.table: pairing for pairing in rounds[-1].pairings if pairing.table in numbers} if rounds else {}
    cards = qr_cards(request, [table for table in evening.tables if table.number in pairings])
    return [
        _sheet(
            sheet_number(night, len(rounds), card.table.number),
            GAMES[pairing.game],
            Setting(pairing.options, pairing.minutes),
            night.started_at,
            card,
            [evening.name(player) for player in pairing.players],
        )
        for card in cards
        for pairing in [pairings[card.table.number]]
    ]


def _sheet(
    number: str,
    game: Game[Any],
    setting: Setting,
    date: datetime | None = None,
    card: Card | None = None,
    players: list[str] | None = None,
) -> Sheet:
    names = players or [""] * max(game.seats)
    return Sheet(
        number,
        game,
        words.length_words(game, setting.options, setting.minutes),
        names,
        in_groups(columns(game, setting.options, len(names))),
        game.sides(len(names)),
        range(1, min(setting.options["hands"] or HANDS, MOST_HANDS) + 1),
        date,
        card.table if card else None,
        card,
    )


def _usual(club: Club, game: Game[Any]) -> Setting:
    """How the club played the game last, else by its defaults."""
    last = club.matches.filter(game=game.slug).order_by("-id").first()
    return Setting(last.options, last.minutes) if last else Setting(game.read_options({}), None)
