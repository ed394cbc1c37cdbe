"""The page for typing in a paper sheet, with its result so far."""

import secrets
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.utils.timezone import localtime
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games import GAMES
from games.base import Game
from scorekeeper import words
from scorekeeper.events.rounds import Setting
from scorekeeper.forms.paper import AT, Cell, PaperForm
from scorekeeper.forms.sheets import sheet_number
from scorekeeper.forms.tally import Tally, TypedRow
from scorekeeper.models import Club, Event, Match, Player
from scorekeeper.pages.match import MatchLine, match_line
from scorekeeper.selectors.clubs import players_named, players_of
from scorekeeper.selectors.events import event_now, settings_of
from scorekeeper.selectors.paper import Origin, waiting_in


@dataclass(frozen=True, kw_only=True)
class WhichPage:
    """The choice of a game, and the matches of the night that wait for their sheet."""

    club: Club
    night: Event | None
    games: Iterable[Game[Any]]
    waiting: list[MatchLine]


def which_page(club: Club, night: Event | None) -> WhichPage:
    waiting = [match_line(match) for match in waiting_in(night)]
    return WhichPage(club=club, night=night, games=GAMES.values(), waiting=waiting)


@dataclass(frozen=True, kw_only=True)
class Sums:
    """The result of the sheet so far. The page's script fetches it again while somebody types."""

    club: Club
    origin: Origin
    of_night: Event | None
    """The night it belongs to by its date."""
    game: Game[Any]
    names: list[str]
    sides: Sequence[tuple[int, ...]]
    rows: Sequence[TypedRow]
    trouble: str
    totals: list[int]
    """Empty before anything is typed."""
    finished: bool
    won: str
    unverified: bool
    strangers: list[str]
    """Names on the sheet that nobody in the club has."""


def sums(club: Club, origin: Origin, form: PaperForm, tally: Tally) -> Sums:
    state = tally.state
    return Sums(
        club=club,
        origin=origin,
        of_night=_meant(origin, form).event,
        game=form.game,
        names=form.shown(),
        sides=form.sides,
        rows=tally.rows,
        trouble=tally.trouble,
        totals=[state.totals[side[0]] for side in form.sides] if tally.entries else [],
        finished=state.finished and bool(tally.entries),
        won=words.won(state),
        unverified=state.result is not None,
        strangers=new_guests(club, form),
    )


@dataclass(frozen=True, slots=True)
class Again:
    """How to save a sheet all the same, and the match that was saved before."""

    do: str
    match: int


@dataclass(frozen=True, kw_only=True)
class Typed:
    """The fields of the sheet."""

    form: PaperForm
    lines: list[tuple[TypedRow, list[Cell]]]
    people: Iterable[Player]
    """For the names that are typed."""
    key: str
    refusal: str
    again: Again | None
    """If the refusal is a question."""


def typed(club: Club, form: PaperForm, tally: Tally, *, key: str, refusal: str, again: Again | None) -> Typed:
    return Typed(
        form=form,
        lines=[(row, form.cells(row)) for row in tally.rows],
        people=players_of(club),
        key=key or secrets.token_hex(16),
        refusal=refusal,
        again=again,
    )


def known_before(origin: Origin, game: Game[Any], now: datetime) -> dict[str, Any]:
    """The values of fields before anybody types: the draw and its time, else how the event plays the game."""
    drawn = origin.drawn if origin.drawn and origin.drawn.game == game.slug else None
    at = drawn.created_at if drawn else origin.event.started_at if origin.event else now
    initial: dict[str, Any] = {"at": localtime(at).strftime(AT)}
    if drawn and drawn.event and drawn.round and drawn.table:
        initial["sheet"] = sheet_number(drawn.event, drawn.round, drawn.table.number)
    if drawn:
        initial |= {f"player-{seat.number}": seat.name for seat in drawn.seats.all()}
    if setting := _setting(origin, drawn, game):
        initial["minutes"] = setting.minutes
        initial |= {f"option-{name}": value for name, value in setting.options.items()}
    return initial


def _setting(origin: Origin, drawn: Match | None, game: Game[Any]) -> Setting | None:
    """How the match is played: as it was drawn, else as its event plays the game."""
    if drawn:
        return Setting(drawn.options, drawn.minutes)
    return settings_of(event_now(origin.event))[game.slug] if origin.event else None


def refusal_of(form: PaperForm, tally: Tally) -> str:
    """Why the sheet cannot be saved; "" if it can."""
    form.is_valid()
    for name, errors in form.errors.items():
        return f"{form[name].label}: {errors[0]}" if name in form.fields else str(errors[0])
    if not tally.trouble and not tally.entries:
        return _("Nothing is entered yet. Enter a row for each hand, or the result.")
    return tally.trouble


def saved_words(tally: Tally) -> str:
    names, score = words.contest(tally.state)
    return _("Saved: {players}, {score}.").format(players=names, score=score)


def guests_words(names: Sequence[str]) -> str:
    """The new guests in words; "" without any."""
    if not names:
        return ""
    text = ngettext("{names} is now a guest of the club.", "{names} are now guests of the club.", len(names))
    return text.format(names=", ".join(names))


def _meant(origin: Origin, form: PaperForm) -> Origin:
    """The origin of the sheet, adjusted to its date if the date is valid."""
    return origin.at(form.cleaned_data["at"]) if form.is_bound and "at" not in form.errors else origin


def new_guests(club: Club, form: PaperForm) -> list[str]:
    """The guests that saving the sheet will add to the club. Two queries."""
    names = [name for name in form.names() if name]
    known = players_named(club.pk, names)
    return [name for name in dict.fromkeys(names) if name not in known]
