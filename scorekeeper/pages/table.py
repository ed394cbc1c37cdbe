"""A table's page: the pad, and what everybody watches."""

import secrets
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any
from urllib.parse import urlencode

from django.http import QueryDict
from django.template.loader import render_to_string
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

import games
from games import GAMES
from games.base import FinalForm, Game
from games.line import Line
from games.tiles import NAMES
from scorekeeper import live, words
from scorekeeper.access import Refusal, settled
from scorekeeper.forms.final import LeftRow, left_rows, made_so_far
from scorekeeper.forms.options import as_typed
from scorekeeper.live.parts import made_of
from scorekeeper.models import Call, Event, Match, Player, Table
from scorekeeper.pages import context
from scorekeeper.pages.boards import board_ahead, board_pad, board_shown
from scorekeeper.pages.boards.base import BoardPad, BoardShown
from scorekeeper.pages.boards.line import in_tray_order, line_shown
from scorekeeper.pages.calls import CallShown, CallsShown, calls_shown
from scorekeeper.pages.contracts import ContractChoice, calling
from scorekeeper.pages.match import MatchShown, match_shown
from scorekeeper.pages.outlook import OutlookShown, outlook_shown
from scorekeeper.selectors.decisions import undoes_decision
from scorekeeper.selectors.events import LASTING, event_now, in_play, open_night, waited_for
from scorekeeper.selectors.matches import match_with_seats
from scorekeeper.selectors.tables import TableNow, table_at
from scorekeeper.selectors.tournaments import is_of_the_last_round
from scorekeeper.templatetags.live import drawn_once


@dataclass(frozen=True, kw_only=True)
class Repeat:
    """The form that starts the same match again, and the query of the page that changes seats first."""

    fields: Mapping[str, Any]
    query: str
    length: list[str]


@dataclass(frozen=True, kw_only=True)
class StartPage:
    """A table before its first match."""

    table: Table
    games: list[Game[Any]]
    version: str
    call: Call | None
    reasons: Sequence[str]
    players: tuple[str, ...] = ()
    next: str = "start"
    recording: bool = True


@dataclass(frozen=True, kw_only=True)
class PadPage(MatchShown):
    """The pad: the current match and what can be entered next."""

    table: Table
    games: list[Game[Any]]
    call: Call | None
    reasons: Sequence[str]
    next: str
    key: str
    typed: Mapping[str, str]
    final_typed: Mapping[str, str]
    """What is in the form for the result: what the moves have decided, and what was typed."""
    board: BoardShown
    night: Event | None = None
    """The night in progress, once the match is over."""
    repeat: Repeat | None = None
    ahead: Mapping[str, Any] | None = None
    rows: list[LeftRow] = field(default_factory=list)
    unseen: list[str] = field(default_factory=list)
    by_draw: bool = False
    """Whether the draw of the seats or tables says who opens the first hand, which is still to come."""
    final_form: FinalForm | None = None
    scored_so_far: tuple[int, ...] = ()
    """By seat, in the hand in play, if the form for the result has fields for it."""
    calling: ContractChoice | None = None
    final_open: bool = False
    recording: bool = True
    decided: bool = False
    """Whether a host entered the last entry, so that no phone of the table takes it back."""
    comes_next: str = ""
    """What comes next in the night or tournament, once the match is over."""
    waits_for: str = ""
    """Who still plays in an earlier round, and where, while nothing is entered."""
    settled: str = ""
    """Why no phone of the table changes the match, which is over; "" if one may."""


def pad_page(
    table: Table, match: Match | None, call: CallShown, *, data: QueryDict | None = None, final: bool = False
) -> PadPage | StartPage:
    """`data`: what was typed and refused, or is not complete yet; `final`: open the form for the result."""
    typed, games = data or QueryDict(), list(GAMES.values())
    if match is None:
        return StartPage(table=table, games=games, version=f"table:{table.pk}:{table.open}", **context(call))
    shown = match_shown(match, recording=True)
    state, offers = shown.state, shown.offers
    decided = undoes_decision(match, state)
    drawn = match.round is not None and not state.game.double_leads_first
    by_draw = not state.hands and (state.game.draws_seats or drawn)
    typed_now = ({"opener": "0"} if by_draw else {}) | {name: str(value) for name, value in typed.items()}
    page = PadPage(
        **context(shown, call),
        table=table,
        games=games,
        decided=decided,
        next=offers["next"],
        key=secrets.token_hex(16),
        typed=typed_now,
        final_typed=made_so_far(state) | typed_now,
        board=board_pad(state, typed) if offers["next"] == "move" else _board(state, slim=True),
    )
    if page.next == "done":
        return _over(page, match)
    form, waits_for = state.game.final(state.options), words.some_of(waited_for(match))
    return replace(
        page,
        version=f"{page.version}:{waits_for}" if waits_for else page.version,
        waits_for=waits_for,
        ahead=board_ahead(state, page.board.ahead if isinstance(page.board, BoardPad) else None),
        rows=left_rows(data, state),
        unseen=list(in_tray_order(offers.get("unseen", NAMES))),
        by_draw=by_draw,
        final_form=form,
        scored_so_far=tuple(state.hand.points) if state.hand and form.table else (),
        calling=calling(state),
        final_open=final or typed.get("form") == "final",
    )


def _over(page: PadPage, match: Match) -> PadPage:
    night = match.event if match.event and match.event.closed_at is None else None
    refusal = settled(match)
    return replace(
        page,
        version=f"{page.version}:{refusal.code}" if refusal else page.version,
        night=night,
        comes_next=_next_round_words(match, night, refusal) if night else "",
        repeat=_repeat(match, page.players),
        settled=refusal.message if refusal else "",
    )


def _next_round_words(match: Match, event: Event, refusal: Refusal | None) -> str:
    if event.kind == Event.Kind.NIGHT:
        return _("The host draws the next round.")
    if event.kind in LASTING:
        return ""
    if refusal:
        return _("The next round is released.")
    if is_of_the_last_round(match, event):
        return _("This was the last round.")
    return _("The director releases the next round.")


def _board(state: games.Match, *, slim: bool = False) -> BoardShown:
    """The board of the match."""
    return board_shown(state.game, state.last.state if state.last else None, state.present, slim=slim)


def _repeat(match: Match, names: Sequence[str]) -> Repeat:
    fields = {"game": match.game} | as_typed(match.options, match.minutes)
    fields |= {f"player-{seat}": name for seat, name in enumerate(names)}
    length = words.length_words(GAMES[match.game], match.options, match.minutes)
    return Repeat(fields=fields, query=urlencode(fields), length=length)


@dataclass(frozen=True, kw_only=True)
class Kept(CallsShown):
    """The tables of the night in progress, for a scorer who keeps several."""

    night: Event
    matches: list[Match]
    next: Table | None
    """The next table with an unfinished match."""


def kept_tables(found: Table) -> Kept | None:
    """None without a night."""
    night = open_night(found.club_id)
    if night is None:
        return None
    kept = sorted(event_now(night).current.values(), key=_number)
    unfinished = [match.table for match in kept if in_play(match) and match.table and match.table_id != found.pk]
    after = [table for table in unfinished if table.number > found.number]
    calls = context(calls_shown(found.club))
    return Kept(**calls, night=night, matches=kept, next=next(iter(after + unfinished), None))


def _number(match: Match) -> int:
    return match.table.number if match.table else 0


@dataclass(frozen=True, kw_only=True)
class AroundPad:
    """What the page of a table shows around its pad."""

    host: bool
    people: Iterable[Player]
    """For the names that are typed."""
    kept: Kept | None
    tournament: Event | None
    nestor: Sequence[int]
    """His seats in the match in play, for whom somebody lays."""


@dataclass(frozen=True, kw_only=True)
class Bystander:
    """What the page of a table says to somebody who may not record there."""

    put_out: str
    """To a phone that recorded there before: why it may not now, and what to do; "" for everybody else."""
    onlooker: bool
    """Whether the page on which the table is watched says more: who stands better."""


def tournament_at(match: Match | None) -> Event | None:
    """The tournament of the match, if everybody may follow it. One query at most."""
    if match is None or match.event_id is None:
        return None
    event = match.event
    return event if event and event.kind == Event.Kind.TOURNAMENT and event.public and not event.removed else None


@dataclass(frozen=True, kw_only=True)
class IdleTable:
    """A table before its first match."""

    table: Table | None
    line: SafeString
    players: tuple[str, ...] = ()
    version: str = "none"
    part: str = "watch"


@dataclass(frozen=True, kw_only=True)
class WatchPage(MatchShown):
    """What everybody may see of the match."""

    table: Table | None
    board: BoardShown
    of_tournament: bool
    part: str = "watch"
    """The live part that the page follows."""
    outlook: OutlookShown | None = None
    """Who stands better, for spectators; None for others, and where it is not turned on."""


def watch_page(match: Match | None, table: Table | None, *, looks_on: bool = False) -> WatchPage | IdleTable:
    """`looks_on`: for a visitor for whom `access.looks_on_at` holds."""
    part = "outlook" if looks_on else "watch"
    if match is None:
        return IdleTable(table=table, line=line_shown(Line(), None), part=part)
    page = replace(match_page(match, table), part=part)
    shown = outlook_shown(match, page.sides) if looks_on else None
    return replace(page, outlook=shown, version=f"{page.version}:{shown.words}") if shown else page


def match_page(match: Match, table: Table | None) -> WatchPage:
    shown = match_shown(match, recording=False)
    event = match.event
    return WatchPage(
        **context(shown),
        table=table,
        board=_board(shown.state),
        of_tournament=event is not None and event.kind == Event.Kind.TOURNAMENT,
    )


def pad(kind: str, number: int) -> str:
    now = _at(number)
    page = pad_page(now.table, now.match, CallShown(now.call))
    drawing = render_to_string("scorekeeper/_pad.html", context(page))
    if now.call:  # seldom
        return drawing + render_to_string("scorekeeper/_call.html", context(page))
    return drawing + drawn_once("scorekeeper/_call.html", table=now.table, reasons=tuple(page.reasons), recording=True)


def watch(kind: str, number: int) -> str:
    if kind == "match":
        return render_to_string("scorekeeper/_watch.html", context(watch_page(match_with_seats(number), None)))
    now = _at(number)
    return render_to_string("scorekeeper/_watch.html", context(watch_page(now.match, now.table)))


def outlook(kind: str, number: int) -> str:
    """`watch`, for those who may see who stands better."""
    now = _at(number)
    return render_to_string("scorekeeper/_watch.html", context(watch_page(now.match, now.table, looks_on=True)))


def _at(number: int) -> TableNow:
    """No query if another part has just read it, or an entry was all that changed."""
    return table_at(number, made_of(live.Topic("table", number)))


live.register("table", pad=pad, outlook=outlook)
live.register("table", "match", watch=watch)
