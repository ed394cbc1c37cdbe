"""The pages of a league: its tables and fixtures, those of one entrant, the desk, the archive and the calendar."""

import secrets
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from fractions import Fraction
from itertools import groupby
from operator import attrgetter
from typing import Any
from zoneinfo import ZoneInfo

from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games import GAMES
from games.base import Game
from scorekeeper import live
from scorekeeper.events import League
from scorekeeper.events.league import Meeting
from scorekeeper.events.program import Entry
from scorekeeper.events.setup import KNOCK_OUT
from scorekeeper.forms.leagues import LeagueForm, NewLeagueForm
from scorekeeper.models import Club, Event, Match, Table
from scorekeeper.pages import context
from scorekeeper.pages.bracket import BracketShown, brackets_of_league
from scorekeeper.pages.criteria import NAMES, WITHOUT_COLUMN, figure
from scorekeeper.pages.event import snapshot, version
from scorekeeper.pages.icalendar import Appointment, calendar, uid
from scorekeeper.pages.league_round import effect_of_swap, round_to_change
from scorekeeper.pages.penalties import PenaltyShown, penalties
from scorekeeper.pages.prospects import reach
from scorekeeper.pages.tournament_schedule import Effect, RoundPlanned
from scorekeeper.pages.tournament_standings import shown_rows
from scorekeeper.selectors.encounters import boards_to_start
from scorekeeper.selectors.events import EventNow
from scorekeeper.selectors.leagues import (
    Fate,
    FixtureNow,
    State,
    champions,
    fates,
    fixtures_now,
    is_annulled,
    is_to_come,
    league_of,
    meetings_dated,
    moved_since_the_end,
    moved_text,
    prospects_now,
    round_drawn,
    round_to_play,
    series_of,
    tables_now,
    team_name,
)
from scorekeeper.selectors.steps import totals_text
from scorekeeper.standings.criteria import Value
from scorekeeper.words import listed
from scorekeeper.words import number as number_words

MOVES: Mapping[Fate | None, str] = {
    None: "",
    **dict.fromkeys(Fate, ""),
    Fate.UP: "up",
    Fate.UP_NOW: "up",
    Fate.DOWN: "down",
    Fate.DOWN_NOW: "down",
}
FATES = {
    None: "",
    Fate.FIRST: gettext_lazy("sure of place 1"),
    Fate.UP: gettext_lazy("▲ goes up"),
    Fate.DOWN: gettext_lazy("▼ goes down"),
    Fate.STAYS: gettext_lazy("cannot go down any more"),
    Fate.UP_NOW: gettext_lazy("▲ would go up now"),
    Fate.DOWN_NOW: gettext_lazy("▼ would go down now"),
    Fate.EQUAL: gettext_lazy("▲▼ equal with others: who moves is open"),
}
OF_TOTALS = ("difference", "scored", "conceded", "best-table")  # criteria
FEW = 3  # fixtures of one's own
USUAL_LENGTH = timedelta(hours=2)  # of a fixture without a time limit, in calendars


Typed = Mapping[str, Mapping[str, str | Sequence[str]]]
"""By a step that was refused: what was typed for it, by the names of its fields."""


@dataclass(frozen=True, slots=True)
class Row:
    place: int
    """0 before the first result."""
    entrant: int
    name: str
    played: int
    figures: tuple[tuple[str, str], ...]
    """The name and the value of each criterion with a column."""
    moves: str
    """"up" or "down" for the places that are promoted or relegated, or would be now, else ""."""
    fate: str
    """Whether that is certain, in words."""
    left: bool


@dataclass(frozen=True, slots=True)
class Division:
    """The table of a division."""

    number: int
    """From 1."""
    name: str
    rows: Sequence[Row]
    annulled: Sequence[str]
    """The names of those who left, and whose results do not count."""
    bracket: BracketShown
    """Empty unless it is a knock-out."""


@dataclass(frozen=True, slots=True)
class FixtureLine:
    number: int
    division: str
    round: int
    home: str
    away: str
    home_number: int
    away_number: int
    at: datetime | None
    where: str
    state: str
    overdue: bool
    note: str
    """Why it is postponed, or why it was given up."""
    result: str
    match: Match | None
    teams: bool
    """Whether teams meet at several boards, on a page of their own."""

    @property
    def to_play(self) -> bool:
        return self.state in (State.PLANNED, State.POSTPONED, State.PLAYING)

    @property
    def undated(self) -> bool:
        """Whether it is to be played, and nobody knows when."""
        return self.at is None and self.to_play

    @property
    def says(self) -> str:
        """What became of it, in words."""
        if self.overdue:
            return _("overdue")
        return {
            State.PLANNED: "",
            State.POSTPONED: _("postponed"),
            State.PLAYING: _("in play") if self.match else _("line-ups are open"),
            State.PLAYED: "",
            State.GIVEN_UP: _("walk-over"),
            State.ANNULLED: _("annulled"),
        }[State(self.state)]


@dataclass(frozen=True, slots=True)
class RoundLines:
    """Fixtures of a round that stand together."""

    number: int
    free: Sequence[str]
    """The names of those who have no fixture in it."""
    lines: Sequence[FixtureLine]


@dataclass(frozen=True, kw_only=True)
class LeagueShown:
    """The live part."""

    league: Event
    columns: Sequence[str]
    tables: Sequence[Division]
    to_come: Sequence[RoundLines]
    results: Sequence[RoundLines]
    penalties: Sequence[PenaltyShown]
    moved: str
    """Whose place is another one than when the season was closed."""
    version: str


@dataclass(frozen=True, kw_only=True)
class LeaguePage(LeagueShown):
    club: Club
    game: str
    host: bool
    seasons: Sequence[Event]
    champions: Sequence[str]
    own: Sequence[FixtureLine]
    """The next fixtures that the visitor may start and type as a player."""
    own_team: int
    """The start number of the team whose captain the visitor is signed in as; 0 for others."""


@dataclass(frozen=True, kw_only=True)
class LeagueEntrantPage:
    league: Event
    club: Club
    entrant: int
    name: str
    division: str
    fixtures: Sequence[FixtureLine]
    free: Sequence[int]
    """The rounds in which they have none."""
    may_act: bool
    """Whether the visitor may start these fixtures and type their results."""


@dataclass(frozen=True, slots=True)
class LeagueLine:
    league: Event
    champions: Sequence[str]


@dataclass(frozen=True, kw_only=True)
class LeaguesPage:
    club: Club
    leagues: Sequence[LeagueLine]
    new: NewLeagueForm | None
    """Only for hosts."""


@dataclass(frozen=True, slots=True)
class Leaver:
    """Somebody who may leave."""

    entrant: int
    name: str
    annulled: bool
    """What that does to their results."""


@dataclass(frozen=True, kw_only=True)
class LeagueDesk:
    league: Event
    club: Club
    divisions: Sequence[str]
    of_teams: bool
    """Whether entrants are teams."""
    on_one_day: bool
    teams: bool
    """Whether teams are entered, who have captains."""
    entrants: Sequence[tuple[int, str]]
    """By start number."""
    penalties: Sequence[PenaltyShown]
    removed: bool
    preview: Sequence[RoundLines]
    """The fixtures as they would be made, while there are none."""
    next_round: int
    """The number of the round that can be drawn now; 0 if there is none."""
    drawn: Sequence[FixtureLine]
    """Its fixtures as they would be."""
    drawn_byes: Sequence[str]
    """Who would have none in it."""
    can_open: bool
    """Whether line-ups of the round that is played next are a secret still."""
    can_start: bool
    """Whether boards of it can start."""
    under_way: bool
    """Whether some of their days are over already."""
    open: Sequence[RoundLines]
    over: Sequence[RoundLines]
    change: RoundPlanned | None
    """The newest round, as far as who plays whom in it can change."""
    effect: Effect | None
    """Of the last step, if it changed that."""
    leavers: Sequence[Leaver]
    undo: str
    """The step that can be undone, in words; "" if there is none."""
    refusal: str
    key: str


@dataclass(frozen=True, kw_only=True)
class FixturePage:
    """Where a fixture is started, typed, moved or given up."""

    league: Event
    club: Club
    line: FixtureLine
    lower_wins: bool
    """Whether the side with the fewest points wins."""
    can_play: bool
    can_type: bool
    to_come: bool
    """Whether its day has not come yet, and nobody plays."""
    can_move: bool
    can_give_up: bool
    """Which steps are not refused at once."""
    host: bool
    open_tables: Sequence[Table]
    closed: bool
    """Whether the season is over: a result may change its final table."""
    refusal: str
    typed: Typed
    key: str


@dataclass(frozen=True, kw_only=True)
class LeagueSetup:
    club: Club
    league: Event | None
    """None: a new one."""
    game: Game[Any]
    form: LeagueForm
    begun: bool
    refusal: str
    key: str


@dataclass(frozen=True, kw_only=True)
class DivisionsPage:
    """The divisions and entrants as they can be typed; for the next season also its name and first day."""

    league: Event
    club: Club
    size: int
    squad: int
    """How many players a squad has at least; 0 if entrants are no teams."""
    divisions: Sequence[tuple[str, str]]
    """Each name, and the entrants by line."""
    undecided: Sequence[str]
    """Names of equals who do not all move the same way."""
    following: bool
    name: str
    first: str
    refusal: str
    key: str


def league_shown(now: EventNow) -> LeagueShown:
    """No query."""
    state = league_of(now)
    lines = fixture_lines(now, fixtures_now(now).values())
    results = [each for each in reversed(lines) if each.state in (State.PLAYED, State.GIVEN_UP)]
    return LeagueShown(
        league=now.event,
        columns=[_("Can reach")] if prospects_now(now) else [str(NAMES[name]) for name in _columns(state)],
        tables=_tables(now),
        to_come=by_round(now, [each for each in lines if each.to_play]),
        results=by_round(now, results),
        penalties=penalties(now),
        moved=moved_text(moved_since_the_end(now)),
        version=version(now),
    )


def league_page(now: EventNow, *, host: bool, player: int | None) -> LeaguePage:
    """`player`: the id of whoever looks at it, if they are signed in as a player of the club. Two queries."""
    state = league_of(now)
    game = GAMES[state.setup["game"]]
    return LeaguePage(
        **context(league_shown(now)),
        club=now.event.club,
        game=_(game.name),
        host=host,
        seasons=list(series_of(now.event, state, host=host).exclude(pk=now.event.pk)),
        champions=champions(now),
        own=_own(now, player),
        own_team=_own_team(state, player),
    )


def _own(now: EventNow, player: int | None) -> list[FixtureLine]:
    state = league_of(now)
    if player is None or player not in state.numbers or not state.setup["by_players"] or state.form or state.closed:
        return []
    theirs = [each for each in fixtures_now(now).values() if state.numbers[player] in each.fixture.sides and each.open]
    return fixture_lines(now, theirs)[:FEW]


def _own_team(state: League, player: int | None) -> int:
    return next((each for each in state.entrants if state.form and state.captain_of(each) == player), 0)


def _tables(now: EventNow) -> list[Division]:
    state = league_of(now)
    if not state.divisions:
        return []
    shown = _columns(state)
    open_to = {entrant: ((_("Can reach"), reach(each).places),) for entrant, each in prospects_now(now).items()}
    tables, known = [], fates(now)
    brackets = brackets_of_league(now)
    for at, (division, stage) in enumerate(zip(state.divisions, tables_now(now).stages, strict=True)):
        rows, _decided = shown_rows(stage)
        over = [each.fixture for each in fixtures_now(now).values() if each.state in (State.PLAYED, State.GIVEN_UP)]
        tables.append(
            Division(
                at + 1,
                division.name or _("Standings"),
                [
                    Row(
                        row.place,
                        row.entrant,
                        row.name,
                        sum(row.entrant in fixture.sides for fixture in over),
                        open_to.get(row.entrant)
                        or tuple((str(NAMES[name]), _figure(state, name, row.values[name])) for name in shown),
                        MOVES[known.get(row.entrant)],
                        str(FATES[known.get(row.entrant)]),
                        row.entrant in state.withdrawn,
                    )
                    for row in rows
                ],
                [team_name(now, each) for each in division.entrants if each in state.annulled],
                brackets[at],
            )
        )
    return tables


def _figure(state: League, criterion: str, value: Value) -> str:
    """Of teams, the file has game points times what makes them whole."""
    if state.form is None or criterion not in OF_TOTALS or not isinstance(value.value, int | Fraction):
        return figure(criterion, value)
    return number_words(Fraction(value.value) / state.form.scale)


def _columns(state: League) -> list[str]:
    """The criteria with a column. A knock-out has none."""
    knock_out = state.setup["system"] == KNOCK_OUT
    return [name for name in state.setup["order"] if name not in WITHOUT_COLUMN and not knock_out]


def fixture_lines(now: EventNow, fixtures: Iterable[FixtureNow]) -> list[FixtureLine]:
    """By date; those without one come last."""
    state, at = league_of(now), timezone.now()
    lines = [_line(now, state, each, at) for each in fixtures]
    return sorted(lines, key=lambda each: (each.at is None, each.at or at, each.number))


def by_round(now: EventNow, lines: Sequence[FixtureLine]) -> list[RoundLines]:
    """The lines in their order, each with its neighbours of the same round. A round that comes again later says only
    the first time who is free."""
    found: list[RoundLines] = []
    for number, those in groupby(lines, key=attrgetter("round")):
        told = any(each.number == number for each in found)
        free = [] if told else [team_name(now, each) for each in league_of(now).free_in(number)]
        found.append(RoundLines(number, free, list(those)))
    return found


def _line(now: EventNow, state: League, each: FixtureNow, at: datetime) -> FixtureLine:
    fixture = each.fixture
    home, away = (team_name(now, entrant) for entrant in fixture.sides)
    lost = " + ".join((home, away)[side] for side in sorted(each.absent))
    given_up = _("given up by {name}").format(name=lost) if each.absent else ""
    return FixtureLine(
        fixture.number,
        state.divisions[fixture.division].name,
        fixture.round,
        home,
        away,
        *fixture.sides,
        fixture.at,
        fixture.where,
        each.state,
        each.overdue(at),
        ": ".join(filter(None, (given_up, fixture.why_absent))) if each.absent else fixture.postponed,
        _result(each),
        each.match,
        each.encounter is not None,
    )


def _result(each: FixtureNow) -> str:
    """The totals, of teams their game points: 5½ : 3½."""
    if not each.totals:
        return ""
    if each.encounter is None:
        return totals_text(each.totals)
    return " : ".join(map(number_words, each.encounter.score.game_points))


def may_act_for(state: League, entrant: int, *, host: bool, player: int | None) -> bool:
    """Whether a host, or who is signed in as this player, may start and type the fixtures of an entrant."""
    by_players = state.setup["by_players"] and state.form is None and not state.closed
    return host or bool(by_players and player in state.entrants[entrant].players)


def league_entrant_page(now: EventNow, entrant: int, *, host: bool, player: int | None) -> LeagueEntrantPage:
    """`player` as of `league_page`. No query."""
    state, fixtures = league_of(now), fixtures_now(now)
    theirs = [fixtures[each.number] for each in state.fixtures_of(entrant)]
    return LeagueEntrantPage(
        league=now.event,
        club=now.event.club,
        entrant=entrant,
        name=team_name(now, entrant),
        division=state.divisions[state.division_of(entrant)].name,
        fixtures=fixture_lines(now, theirs),
        free=state.free_rounds(entrant),
        may_act=may_act_for(state, entrant, host=host, player=player),
    )


def leagues_page(club: Club, seasons: Sequence[EventNow], *, host: bool, chosen: Mapping[str, str]) -> LeaguesPage:
    """`chosen`: what is chosen for a new league at first."""
    return LeaguesPage(
        club=club,
        leagues=[LeagueLine(each.event, champions(each)) for each in seasons],
        new=NewLeagueForm(initial={**chosen}) if host else None,
    )


def league_desk_page(now: EventNow, *, refusal: str = "") -> LeagueDesk:
    """No query."""
    state, fixtures = league_of(now), fixtures_now(now)
    lines = fixture_lines(now, fixtures.values())
    dated = meetings_dated(state, ZoneInfo(now.event.club.time_zone)) if _is_to_make(state) else []
    preview = _would_be(now, dated)
    meetings, byes, at = round_drawn(now) if _can_draw(now) else ([], [], None)
    met = [each.encounter for each in round_to_play(fixtures) if each.encounter]
    return LeagueDesk(
        league=now.event,
        club=now.event.club,
        divisions=[each.name for each in state.divisions],
        of_teams=state.form is not None,
        on_one_day=not state.setup["every"],
        teams=state.form is not None and bool(state.entrants),
        entrants=[(number, team_name(now, number)) for number in state.entrants],
        penalties=penalties(now),
        removed=state.removed,
        preview=by_round(now, preview),
        can_open=any(not each.encounter.open for each in met),
        can_start=any(map(boards_to_start, met)),
        next_round=state.rounds_made + 1 if meetings else 0,
        drawn=_would_be(now, [(each, at) for each in meetings]),
        drawn_byes=[team_name(now, each) for each in byes] if meetings else [],
        under_way=any(each.at and each.at < timezone.now() for each in preview),
        open=by_round(now, [each for each in lines if each.to_play]),
        over=by_round(now, [each for each in lines if not each.to_play]),
        change=round_to_change(now),
        effect=effect_of_swap(now),
        leavers=[
            Leaver(number, team_name(now, number), is_annulled(state, fixtures, number))
            for number in (state.entrants if state.fixtures and not state.closed else ())
            if number not in state.withdrawn
        ],
        undo=last_step(now) if state.can_undo else "",
        refusal=refusal,
        key=secrets.token_hex(16),
    )


def _is_to_make(state: League) -> bool:
    """Whether all its fixtures can be made."""
    return bool(state.divisions) and not state.fixtures and not state.by_results


def last_step(now: EventNow) -> str:
    """In words; "" before the first one. No query."""
    did = league_of(now).did
    if did is None:
        return ""
    what, who = str(STEPS[did["kind"]]), _whom(now, did)
    return f"{what} ({who})" if who else what


def saved(now: EventNow) -> str:
    """The message after a step. No query."""
    return _("Saved: {step}.").format(step=last_step(now))


def undone(now: EventNow) -> str:
    """The message after an undo of what is the last step still. No query."""
    return _("Undone: {step}.").format(step=last_step(now))


def _whom(now: EventNow, did: Entry) -> str:
    """Who is named in a step."""
    state = league_of(now)
    match did:
        case {"fixture": number}:
            return " – ".join(team_name(now, each) for each in state.fixtures[number].sides)
        case {"entrant": entrant}:
            return team_name(now, entrant)
        case {"entrants": entrants}:
            return listed([team_name(now, each) for each in entrants])
        case {"kind": "round", "round": number}:
            return str(number)
    return ""


STEPS = {
    "setup": gettext_lazy("setup changed"),
    "divisions": gettext_lazy("divisions entered"),
    "fixtures": gettext_lazy("fixtures made"),
    "round": gettext_lazy("round drawn"),
    "exchange": gettext_lazy("swap"),
    "date": gettext_lazy("date of a fixture"),
    "play": gettext_lazy("match started"),
    "part": gettext_lazy("boards started"),
    "score": gettext_lazy("result typed"),
    "absent": gettext_lazy("walk-over"),
    "withdraw": gettext_lazy("left the league"),
    "squad": gettext_lazy("squad changed"),
    "captain": gettext_lazy("captain changed"),
    "open": gettext_lazy("line-ups opened"),
    "substitute": gettext_lazy("substitute noted"),
    "penalty": gettext_lazy("penalty"),
    "cancel-penalty": gettext_lazy("penalty cancelled"),
    "close": gettext_lazy("season closed"),
    "remove": gettext_lazy("league removed"),
}
"""By kind of step, what was done."""


def _can_draw(now: EventNow) -> bool:
    """Whether the next round can be drawn, if there is one: the fixtures of the round before are over."""
    state = league_of(now)
    waits = state.closed or not state.divisions or any(each.open for each in fixtures_now(now).values())
    return state.by_results and not waits


def _would_be(now: EventNow, dated: Iterable[tuple[Meeting, datetime | None]]) -> list[FixtureLine]:
    """Fixtures that are not made yet."""
    state = league_of(now)
    return [
        FixtureLine(
            number,
            state.divisions[meeting.division].name,
            meeting.round,
            team_name(now, meeting.home),
            team_name(now, meeting.away),
            meeting.home,
            meeting.away,
            at,
            "",
            State.PLANNED,
            False,
            "",
            "",
            None,
            state.form is not None,
        )
        for number, (meeting, at) in enumerate(dated, 1)
    ]


def fixture_page(now: EventNow, number: int, *, host: bool, refusal: str = "", typed: Typed) -> FixturePage:
    """No query."""
    state, each = league_of(now), fixtures_now(now)[number]
    (line,) = fixture_lines(now, [each])
    to_do = host and not state.closed
    return FixturePage(
        league=now.event,
        club=now.event.club,
        line=line,
        lower_wins=GAMES[state.setup["game"]].lower_wins,
        can_play=state.form is None and not state.closed and each.open and each.match is None,
        can_type=state.form is None and not each.absent,
        to_come=each.match is None and is_to_come(each.fixture, ZoneInfo(now.event.club.time_zone), timezone.now()),
        can_move=to_do and each.open and not each.fixture.begun,
        can_give_up=to_do and each.state not in (State.PLAYED, State.ANNULLED),
        host=host,
        open_tables=[table for table in now.tables if table.open and table.number in now.free_tables],
        closed=state.closed,
        refusal=refusal,
        typed=typed,
        key=secrets.token_hex(16),
    )


def calendar_of(now: EventNow, *, division: int | None = None, entrant: int | None = None) -> str:
    """The fixtures with dates: of a division (from 1) or an entrant, or all. No query."""
    state = league_of(now)
    wanted = [
        each
        for each in fixtures_now(now).values()
        if (division is None or each.fixture.division == division - 1)
        and (entrant is None or entrant in each.fixture.sides)
    ]
    name = now.event.name
    if division is not None:
        name = " · ".join(filter(None, (name, state.divisions[division - 1].name)))
    if entrant is not None:
        name = f"{name} · {team_name(now, entrant)}"
    minutes = state.setup["minutes"]
    lasts = timedelta(minutes=minutes) if minutes else USUAL_LENGTH
    given = {each.fixture.number: each for each in wanted}
    appointments = [
        Appointment(
            uid=uid(now.event.club.slug, now.event.started_at.isoformat(), line.number),
            changes=given[line.number].fixture.changes,
            at=line.at or given[line.number].fixture.planned,
            lasts=lasts,
            title=f"{line.home} – {line.away} · {now.event.name}",
            about=" · ".join(filter(None, (line.division, line.says, line.note, line.result))),
            where=line.where,
            status=_status(line),
        )
        for line in fixture_lines(now, wanted)
    ]
    return calendar(name, appointments, timezone.now())


def _status(line: FixtureLine) -> str:
    """Who postpones without a new date takes the appointment out of calendars until there is one."""
    gone = line.at is None or line.state in (State.GIVEN_UP, State.ANNULLED)
    return "CANCELLED" if gone else "CONFIRMED"


def league(kind: str, number: int) -> str:
    """The live part of the public page."""
    return render_to_string("scorekeeper/_league.html", context(league_shown(snapshot(number, kind))))


live.register(Event.Kind.LEAGUE, league=league)
