"""The pages of a ladder: its rungs, one entrant, a challenge, the desk, the list of the club's ladders."""

import secrets
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games import GAMES
from games.base import Game
from scorekeeper import live
from scorekeeper.access import Actor, seats_to_speak_for
from scorekeeper.events.ladder import CLIMBS, WAITING, Challenge, Ladder, Rungs, State
from scorekeeper.events.league import Team
from scorekeeper.events.program import Entry
from scorekeeper.forms.ladders import LadderForm, sizes_of
from scorekeeper.models import Club, Event, Match, Table
from scorekeeper.pages import context
from scorekeeper.pages.event import snapshot, version
from scorekeeper.pages.icalendar import Appointment, calendar, uid
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
    claims: Sequence["Claim"]


@dataclass(frozen=True, slots=True)
class Claim:
    """A result that a side typed, and nobody has confirmed."""

    side: int
    name: str
    totals: str


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
    has_moves: bool
    """Whether there is an arrow."""
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
    unknown: bool
    """Whether the visitor has no rung, and could do something if they signed in or claimed their name."""


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
    held_back: str
    """Why there are no targets, as `Rungs.held_back`."""
    may_act: bool
    unknown: bool
    """As on the page of the ladder: this may be the visitor."""
    host: bool
    refusal: str
    key: str


@dataclass(frozen=True, kw_only=True)
class ChallengePage:
    ladder: Event
    club: Club
    line: ChallengeLine
    can_answer: bool
    can_accept: bool
    can_confirm: Sequence[Claim]
    can_respond: bool
    """Whether this visitor may say that what was recorded at the table is correct."""
    can_dispute: bool
    can_take_back: bool
    can_play: bool
    can_type: bool
    can_decide: bool
    can_move: bool
    """Which steps this visitor may make, and are not refused at once."""
    without_match: Sequence[str]
    """What happens if it is not answered, declined or not played, as long as it can be."""
    lower_wins: bool
    """Whether the side with the fewest points wins."""
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
    undo: str
    """The step that can be undone, in words; "" if there is none."""
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
    """Queries as `rungs_at`."""
    at = timezone.now()
    rungs = rungs_at(now, at)
    lines, shown = challenge_lines(now, rungs), rung_lines(now, rungs, at)
    return LadderShown(
        ladder=now.event,
        rungs=shown,
        open=[each for each in lines if each.settled is None],
        results=_newest([each for each in lines if each.settled])[:RESULTS_AT_ONCE],
        leaders=[Leader(entrant_name(now, entrant), since) for since, entrant in reversed(rungs.leaders)],
        has_moves=any(each.up for each in shown),
        days_of_moves=MOVED_WITHIN.days,
        version=f"{version(now)}:{at.astimezone(ZoneInfo(now.event.club.time_zone)):%F}",
    )


def ladder_page(now: EventNow, players: Sequence[int], *, host: bool) -> LadderPage:
    """For a visitor who is these players of the club. Queries as `rungs_at`."""
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
        unknown=not host and _unknown(state, players),
    )


def _unknown(state: Ladder, players: Sequence[int]) -> bool:
    """Whether a visitor who is these players is not on the ladder, and could do something if they were."""
    return bool(state.setup["by_players"]) and not state.closed and state.numbers.keys().isdisjoint(players)


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
    claims = [Claim(side, entrant_name(now, side), totals_text(typed["totals"])) for side, typed in each.claims.items()]
    return ChallengeLine(
        each.number,
        challenger,
        challenged,
        last_day(each, zone),
        each.state,
        _says(each.state, claims, match),
        each.settled,
        each.climbed,
        totals_text(home_and_away(match)) if match and not in_play(match) else "",
        match,
        claims,
    )


def _says(state: State, claims: Sequence[Claim], match: Match | None) -> str:
    if match and state in (State.RECORDED, State.PLAYED) and match.sheet.get("disputed"):
        return _("disputed")
    if claims and state in (State.TYPED, State.EXPIRED):
        text = _("typed by {name}: {totals}, not confirmed")
        return "; ".join(text.format(name=each.name, totals=each.totals) for each in claims)
    return {
        State.OPEN: _("not answered yet"),
        State.ACCEPTED: _("accepted"),
        State.PLAYING: _("in play"),
        State.RECORDED: _("recorded at a table, not confirmed"),
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
    now: EventNow, entrant: int, players: Sequence[int], *, may_act: bool, host: bool, refusal: str = ""
) -> LadderEntrantPage:
    """For a visitor who is these players of the club. Queries as `rungs_at`."""
    at = timezone.now()
    rungs, sides = rungs_at(now, at), ladder_of(now).sides_of
    lines = [each for each in challenge_lines(now, rungs) if entrant in sides[each.number]]
    may = rungs.may_challenge(entrant, at) if may_act and not ladder_of(now).closed else ()
    here = rungs.rung(entrant) is not None
    return LadderEntrantPage(
        ladder=now.event,
        club=now.event.club,
        entrant=entrant,
        name=entrant_name(now, entrant),
        rung=next((each for each in rung_lines(now, rungs, at) if each.entrant == entrant), None),
        last=len(rungs.order),
        challenges=[each for each in lines if not each.settled] + _newest([each for each in lines if each.settled]),
        targets=[Target(each, entrant_name(now, each)) for each in may],
        held_back=rungs.held_back(entrant) if here else "",
        may_act=may_act and not ladder_of(now).closed,
        unknown=here and not may_act and _unknown(ladder_of(now), players),
        host=host and not ladder_of(now).closed,
        refusal=refusal,
        key=secrets.token_hex(16),
    )


def challenge_page(
    now: EventNow, number: int, actor: Actor, allowed: Sequence[int], *, host: bool, refusal: str = "", typed: Typed
) -> ChallengePage:
    """For a visitor who may act for these sides. Queries as `rungs_at`; two more for
    what was recorded, and is not confirmed."""
    rungs = rungs_at(now, timezone.now())
    found = rungs.challenges[number]
    line = next(each for each in challenge_lines(now, rungs) if each.number == number)
    waiting, untyped = found.state in WAITING, found.state in (State.OPEN, State.ACCEPTED)
    accepted = found.state in (State.ACCEPTED, State.TYPED)
    recorded = line.match if found.state == State.RECORDED else None
    can_respond = recorded is not None and bool(seats_to_speak_for(actor, recorded))
    return ChallengePage(
        ladder=now.event,
        club=now.event.club,
        line=line,
        can_answer=untyped and found.challenged in allowed,
        can_accept=found.state == State.OPEN and found.challenged in allowed,
        can_confirm=[each for each in line.claims if waiting and (host or each.side not in allowed)],
        can_respond=can_respond,
        can_dispute=can_respond and not host,
        can_take_back=untyped and found.challenger in allowed,
        can_play=waiting if host else found.state == State.ACCEPTED,
        can_type=waiting or found.match is not None if host else accepted,
        can_decide=waiting and host,
        can_move=(waiting or found.state == State.EXPIRED) and host and not ladder_of(now).closed,
        without_match=_without_match(ladder_of(now).setup, found.state, line.challenger),
        lower_wins=GAMES[ladder_of(now).setup["game"]].lower_wins,
        host=host,
        open_tables=[table for table in now.tables if table.open and table.number in now.free_tables],
        refusal=refusal,
        typed=typed,
        key=secrets.token_hex(16),
    )


def _without_match(setup: Mapping[str, Any], state: State, challenger: str) -> list[str]:
    """By the rules of the ladder, for a challenge in this state."""
    words = {
        "unanswered": (
            _("If it is not answered by the last day, {name} takes the place."),
            _("If it is not answered by the last day, the order stays."),
        ),
        "declined": (_("If it is declined, {name} takes the place."), _("If it is declined, the order stays.")),
        "unplayed": (
            _("If it is not played by the last day, {name} takes the place."),
            _("If it is not played by the last day, the order stays."),
        ),
    }
    ahead = {State.OPEN: ("unanswered", "declined", "unplayed"), State.ACCEPTED: ("declined", "unplayed")}
    return [words[rule][setup[rule] != CLIMBS].format(name=challenger) for rule in ahead.get(state, ())]


def ladder_desk_page(now: EventNow, *, refusal: str = "", typed: Typed) -> LadderDesk:
    """Queries as `rungs_at`."""
    shown, state = ladder_shown(now), ladder_of(now)
    return LadderDesk(
        ladder=now.event,
        club=now.event.club,
        size=state.setup["size"],
        rungs=shown.rungs,
        open=shown.open,
        results=shown.results,
        undo=undo_words(now),
        refusal=refusal,
        typed=typed,
        key=secrets.token_hex(16),
    )


def undo_words(now: EventNow) -> str:
    """The last step in words; "" if it cannot be undone. No query."""
    state, did = ladder_of(now), ladder_of(now).did
    if did is None or not state.can_undo:
        return ""
    what, who = str(STEPS[did["kind"]]), _whom(now, did)
    return f"{what} ({who})" if who else what


def _whom(now: EventNow, did: Entry) -> str:
    """Who is named in a step of a ladder."""
    state = ladder_of(now)
    match did:
        case {"entrants": came}:
            return ", ".join(Team(tuple(each["players"]), each["name"]).named(now.name) for each in came)
        case {"entrant": entrant}:
            return entrant_name(now, entrant)
        case {"challenger": one, "challenged": other}:
            return f"{entrant_name(now, one)} → {entrant_name(now, other)}"
        case {"challenge": number}:
            return " → ".join(entrant_name(now, each) for each in state.sides_of[number])
    return ""


STEPS = {
    "setup": gettext_lazy("setup changed"),
    "join": gettext_lazy("put on the ladder"),
    "rung": gettext_lazy("moved to another rung"),
    "leave": gettext_lazy("taken off the ladder"),
    "away": gettext_lazy("away or back"),
    "challenge": gettext_lazy("challenge"),
    "accept": gettext_lazy("challenge accepted"),
    "decline": gettext_lazy("challenge declined"),
    "take-back": gettext_lazy("challenge taken back"),
    "award": gettext_lazy("decision without a match"),
    "date": gettext_lazy("another last day"),
    "play": gettext_lazy("match started"),
    "score": gettext_lazy("result typed"),
    "claim": gettext_lazy("result typed, not confirmed"),
    "confirm": gettext_lazy("result confirmed"),
    "close": gettext_lazy("ladder closed"),
}
"""By kind of step, what an undo takes back."""


def calendar_of(now: EventNow, *, entrant: int | None = None) -> str:
    """The challenges of an entrant, or all, each on the last day to play it, or the day on which it was settled.
    Queries as `rungs_at`."""
    state, zone = ladder_of(now), ZoneInfo(now.event.club.time_zone)
    name = now.event.name if entrant is None else f"{now.event.name} · {entrant_name(now, entrant)}"
    changes = Counter(each.get("challenge") for each in state.steps)
    appointments = [
        Appointment(
            uid=uid(now.event.club.slug, now.event.started_at.isoformat(), line.number),
            changes=changes[line.number],
            at=line.settled.astimezone(zone).date() if line.settled else line.last_day,
            lasts=timedelta(days=1),
            title=f"{line.challenger} → {line.challenged}",
            about=" · ".join(filter(None, ("" if line.settled else _("last day"), line.says, line.result))),
            status=_status(line),
        )
        for line in challenge_lines(now, rungs_at(now, timezone.now()))
        if entrant is None or entrant in state.sides_of[line.number]
    ]
    return calendar(name, appointments, timezone.now())


def _status(line: ChallengeLine) -> str:
    """A challenge that was settled without a match leaves calendars."""
    if line.settled and line.state != State.PLAYED:
        return "CANCELLED"
    return "TENTATIVE" if line.state == State.OPEN else "CONFIRMED"


def ladder(kind: str, number: int) -> str:
    """The live part of the public page."""
    return render_to_string("scorekeeper/_ladder.html", context(ladder_shown(snapshot(number, kind))))


live.register(Event.Kind.LADDER, ladder=ladder)
