"""The pages of a ladder: its rungs, one entrant, a challenge, the desk, the list of the club's ladders."""

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.translation import gettext as _

from games import GAMES
from games.base import Game
from scorekeeper import live
from scorekeeper.events.ladder import WAITING, Challenge, Rungs, State
from scorekeeper.forms.ladders import LadderForm, sizes_of
from scorekeeper.models import Club, Event, Match, Table
from scorekeeper.pages import context
from scorekeeper.pages.event import snapshot, version
from scorekeeper.selectors.events import EventNow, in_play
from scorekeeper.selectors.ladders import entrant_name, ladder_of, last_day, rungs_at
from scorekeeper.selectors.leagues import home_and_away
from scorekeeper.selectors.steps import totals_text

MOVED_WITHIN = timedelta(days=30)
RESULTS_AT_ONCE = 20

Typed = Mapping[str, Mapping[str, str]]
"""By a step that was refused: what was typed for it, by the names of its fields."""


@dataclass(frozen=True, slots=True)
class ChallengeLine:
    number: int
    challenger: str
    challenged: str
    last_day: date
    state: str
    says: str
    """What became of it, in words."""
    settled: datetime | None
    climbed: bool
    result: str
    match: Match | None


@dataclass(frozen=True, slots=True)
class Rung:
    number: int
    entrant: int
    name: str
    up: int
    """How many rungs they went up within MOVED_WITHIN; below 0: down."""
    is_new: bool
    away: bool
    may_challenge: Sequence[str]

    @property
    def down(self) -> int:
        return -self.up


@dataclass(frozen=True, slots=True)
class Leader:
    name: str
    since: datetime


@dataclass(frozen=True, kw_only=True)
class LadderShown:
    """The live part."""

    ladder: Event
    rungs: Sequence[Rung]
    open: Sequence[ChallengeLine]
    results: Sequence[ChallengeLine]
    leaders: Sequence[Leader]
    days_of_moves: int
    version: str


@dataclass(frozen=True, kw_only=True)
class LadderPage(LadderShown):
    club: Club
    game: str
    host: bool
    mine: Sequence[Rung]
    """Those of the visitor."""
    to_do: Sequence[ChallengeLine]
    """The visitor's open challenges."""
    rules: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Target:
    entrant: int
    name: str


@dataclass(frozen=True, kw_only=True)
class LadderEntrantPage:
    ladder: Event
    club: Club
    entrant: int
    name: str
    rung: Rung | None
    """None: they have left."""
    last: int
    """The number of the lowest rung."""
    challenges: Sequence[ChallengeLine]
    targets: Sequence[Target]
    may_act: bool
    host: bool
    refusal: str
    key: str


@dataclass(frozen=True, kw_only=True)
class ChallengePage:
    ladder: Event
    club: Club
    line: ChallengeLine
    can_answer: bool
    accepted: bool
    can_take_back: bool
    can_play: bool
    can_type: bool
    can_decide: bool
    can_move: bool
    """Which steps this visitor may make, and are not refused at once."""
    host: bool
    open_tables: Sequence[Table]
    refusal: str
    typed: Typed
    key: str


@dataclass(frozen=True, kw_only=True)
class LadderDesk:
    ladder: Event
    club: Club
    size: int
    rungs: Sequence[Rung]
    open: Sequence[ChallengeLine]
    results: Sequence[ChallengeLine]
    can_undo: bool
    refusal: str
    typed: Typed
    key: str


@dataclass(frozen=True, kw_only=True)
class LadderSetup:
    club: Club
    ladder: Event | None
    """None: a new one."""
    game: Game[Any]
    form: LadderForm
    refusal: str
    key: str


@dataclass(frozen=True, kw_only=True)
class LaddersPage:
    club: Club
    host: bool
    ladders: Sequence[Event]
    games: Sequence[Game[Any]]
    """Those that a ladder can be played in; only for hosts."""


def ladders_page(club: Club, ladders: Sequence[Event], *, host: bool) -> LaddersPage:
    found = [game for game in GAMES.values() if sizes_of(game)] if host else []
    return LaddersPage(club=club, host=host, ladders=ladders, games=found)


def ladder_shown(now: EventNow) -> LadderShown:
    """No query."""
    at = timezone.now()
    rungs = rungs_at(now, at)
    lines = challenge_lines(now, rungs)
    return LadderShown(
        ladder=now.event,
        rungs=rung_lines(now, rungs, at),
        open=[each for each in lines if each.settled is None],
        results=_newest([each for each in lines if each.settled])[:RESULTS_AT_ONCE],
        leaders=[Leader(entrant_name(now, entrant), since) for since, entrant in reversed(rungs.leaders)],
        days_of_moves=MOVED_WITHIN.days,
        version=f"{version(now)}:{at.astimezone(ZoneInfo(now.event.club.time_zone)):%F}",
    )


def ladder_page(now: EventNow, players: Sequence[int], *, host: bool) -> LadderPage:
    """For a visitor who is these players of the club. No query."""
    state, shown = ladder_of(now), ladder_shown(now)
    game = GAMES[state.setup["game"]]
    mine = {state.numbers[player] for player in players if player in state.numbers}
    theirs = {number for number, sides in state.sides_of.items() if not mine.isdisjoint(sides)}
    return LadderPage(
        **context(shown),
        club=now.event.club,
        game=_(game.name),
        host=host,
        mine=[each for each in shown.rungs if each.entrant in mine],
        to_do=[each for each in shown.open if each.number in theirs],
        rules=state.setup,
    )


def rung_lines(now: EventNow, rungs: Rungs, at: datetime) -> list[Rung]:
    earlier = rungs_at(now, at - MOVED_WITHIN)
    return [_rung(now, rungs, earlier, entrant, at) for entrant in rungs.order]


def _rung(now: EventNow, rungs: Rungs, earlier: Rungs, entrant: int, at: datetime) -> Rung:
    number, before = rungs.order.index(entrant) + 1, earlier.rung(entrant)
    closed = ladder_of(now).closed
    may = () if closed else rungs.may_challenge(entrant, at)
    return Rung(
        number,
        entrant,
        entrant_name(now, entrant),
        before - number if before else 0,
        before is None and bool(earlier.order),
        entrant in rungs.away,
        [entrant_name(now, each) for each in may],
    )


def challenge_lines(now: EventNow, rungs: Rungs) -> list[ChallengeLine]:
    """By number."""
    matches, zone = {match.pk: match for match in now.matches}, ZoneInfo(now.event.club.time_zone)
    return [_line(now, each, matches, zone) for each in rungs.challenges.values()]


def _line(now: EventNow, each: Challenge, matches: Mapping[int, Match], zone: ZoneInfo) -> ChallengeLine:
    match = matches[each.match] if each.match else None
    challenger, challenged = (entrant_name(now, entrant) for entrant in each.sides)
    return ChallengeLine(
        each.number,
        challenger,
        challenged,
        last_day(each, zone),
        each.state,
        _says(each.state),
        each.settled,
        each.climbed,
        totals_text(home_and_away(match)) if match and not in_play(match) else "",
        match,
    )


def _says(state: State) -> str:
    return {
        State.OPEN: _("not answered yet"),
        State.ACCEPTED: _("accepted"),
        State.PLAYING: _("in play"),
        State.PLAYED: "",
        State.AWARDED: _("decided without a match"),
        State.DECLINED: _("declined"),
        State.EXPIRED: _("not played by its last day"),
        State.WITHDRAWN: _("taken back"),
        State.ENDED: _("ended without a match"),
    }[state]


def _newest(lines: Sequence[ChallengeLine]) -> list[ChallengeLine]:
    at = timezone.now()
    return sorted(lines, key=lambda each: (each.settled or at, each.number), reverse=True)


def ladder_entrant_page(
    now: EventNow, entrant: int, *, may_act: bool, host: bool, refusal: str = ""
) -> LadderEntrantPage:
    """No query."""
    at = timezone.now()
    rungs, sides = rungs_at(now, at), ladder_of(now).sides_of
    lines = [each for each in challenge_lines(now, rungs) if entrant in sides[each.number]]
    may = rungs.may_challenge(entrant, at) if may_act and not ladder_of(now).closed else ()
    return LadderEntrantPage(
        ladder=now.event,
        club=now.event.club,
        entrant=entrant,
        name=entrant_name(now, entrant),
        rung=next((each for each in rung_lines(now, rungs, at) if each.entrant == entrant), None),
        last=len(rungs.order),
        challenges=[each for each in lines if not each.settled] + _newest([each for each in lines if each.settled]),
        targets=[Target(each, entrant_name(now, each)) for each in may],
        may_act=may_act and not ladder_of(now).closed,
        host=host and not ladder_of(now).closed,
        refusal=refusal,
        key=secrets.token_hex(16),
    )


def challenge_page(
    now: EventNow, number: int, sides: Sequence[bool], *, host: bool, refusal: str = "", typed: Typed
) -> ChallengePage:
    """For a visitor who may act for these sides: the challenger, the challenged. No query."""
    rungs = rungs_at(now, timezone.now())
    found = rungs.challenges[number]
    line = next(each for each in challenge_lines(now, rungs) if each.number == number)
    waiting, theirs = found.state in WAITING, any(sides)
    return ChallengePage(
        ladder=now.event,
        club=now.event.club,
        line=line,
        can_answer=waiting and sides[1],
        accepted=found.state == State.ACCEPTED,
        can_take_back=waiting and sides[0],
        can_play=waiting and theirs,
        can_type=(waiting or found.match is not None) and theirs,
        can_decide=waiting and host,
        can_move=(waiting or found.state == State.EXPIRED) and host and not ladder_of(now).closed,
        host=host,
        open_tables=[table for table in now.tables if table.open and table.number in now.free_tables],
        refusal=refusal,
        typed=typed,
        key=secrets.token_hex(16),
    )


def ladder_desk_page(now: EventNow, *, refusal: str = "", typed: Typed) -> LadderDesk:
    """No query."""
    shown, state = ladder_shown(now), ladder_of(now)
    return LadderDesk(
        ladder=now.event,
        club=now.event.club,
        size=state.setup["size"],
        rungs=shown.rungs,
        open=shown.open,
        results=shown.results,
        can_undo=state.can_undo,
        refusal=refusal,
        typed=typed,
        key=secrets.token_hex(16),
    )


def ladder(kind: str, number: int) -> str:
    """The live part of the public page."""
    return render_to_string("scorekeeper/_ladder.html", context(ladder_shown(snapshot(number, kind))))


live.register(Event.Kind.LADDER, ladder=ladder)
