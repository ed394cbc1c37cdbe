"""Reading leagues: what became of each fixture, the file, and the tables that follow from it."""

import json
import random
import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, replace
from datetime import date, datetime, time, timedelta
from enum import StrEnum
from functools import lru_cache
from itertools import groupby, islice
from operator import attrgetter, itemgetter
from typing import Any
from zoneinfo import ZoneInfo

from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _

import games
from games import GAMES
from scorekeeper.events import League
from scorekeeper.events.encounters import leads
from scorekeeper.events.league import ANNUL, HALF, Fixture, Meeting, days, meetings
from scorekeeper.events.setup import KNOCK_OUT, SWISS
from scorekeeper.models import Club, Event, EventEntry, Match
from scorekeeper.pairing import reachable
from scorekeeper.pairing.field import Field
from scorekeeper.pairing.pairing import paired
from scorekeeper.pairing.rounds import Drawn, NextRound, next_round
from scorekeeper.pairing.writing import as_json
from scorekeeper.selectors.encounters import EncounterNow, boards_of
from scorekeeper.selectors.events import EventNow, in_play, state_of
from scorekeeper.selectors.tournaments import plays_on, with_places
from scorekeeper.standings.calculation import Calculated, calculate
from scorekeeper.standings.comparison import Moved, moved
from scorekeeper.standings.possible import Chance, Prospect, prospects, something_open
from scorekeeper.standings.ranking import Standing
from scorekeeper.standings.reading import FORMAT, read_value
from scorekeeper.standings.results import Results
from scorekeeper.standings.tournament import By, System

EFFORT = 100_000  # to find out what is decided, over all divisions: about 50 ms
GRACE = timedelta(hours=12)
"""How long after its time a fixture may begin before it is overdue: days of teams play several rounds."""


class State(StrEnum):
    """What became of a fixture."""

    PLANNED = "planned"
    POSTPONED = "postponed"
    PLAYING = "playing"
    PLAYED = "played"
    GIVEN_UP = "given-up"
    ANNULLED = "annulled"


class Fate(StrEnum):
    """What the table of a division says about who goes up and down."""

    FIRST = "first"
    """However everything ends, they are first in the first division."""
    UP = "up"
    DOWN = "down"
    STAYS = "stays"
    """However everything ends, they do not go down."""
    UP_NOW = "up-now"
    """If the season ended now."""
    DOWN_NOW = "down-now"
    EQUAL = "equal"
    """No criterion separates them from others, and they do not all move the same way."""


@dataclass(frozen=True, slots=True)
class FixtureNow:
    """A fixture with its matches."""

    fixture: Fixture
    state: State
    absent: frozenset[int]
    """The sides that gave it up: 0 is home, 1 is away."""
    totals: tuple[int, int] | None
    """Of home and away; None until it is played."""
    match: Match | None
    """The newest of its matches."""
    encounter: EncounterNow | None = None
    """Of teams, whether its line-ups are open or not."""

    @property
    def open(self) -> bool:
        """Whether it is still to be played, or in play."""
        return self.state in (State.PLANNED, State.POSTPONED, State.PLAYING)

    def overdue(self, now: datetime) -> bool:
        """Whether its time has passed long ago and nobody has begun to play."""
        waits = self.open and self.state != State.PLAYING
        return waits and self.fixture.at is not None and self.fixture.at + GRACE < now


def league_of(snapshot: EventNow) -> League:
    assert isinstance(snapshot.state, League), "only a league has fixtures"
    return snapshot.state


def league_in(event: Event) -> League:
    """The state of a league. One query."""
    state = state_of(event)
    assert isinstance(state, League), "only a league has fixtures"
    return state


def leagues_in(events: Collection[Event]) -> dict[int, League]:
    """The states of several leagues, by id. One query; none without leagues."""
    if not events:
        return {}
    steps = EventEntry.objects.filter(event__in=events).order_by("event", "seq").values_list("event", "payload")
    logs = groupby(steps, key=itemgetter(0))
    return {event: League.of(payload for _event, payload in log) for event, log in logs}


def leagues_of(club: Club, *, host: bool) -> QuerySet[Event]:
    """The seasons of the club's leagues, the newest first: those that everybody may see, for a host all. One query."""
    found = club.events.filter(kind=Event.Kind.LEAGUE).order_by("-id")
    return found if host else found.filter(public=True)


def series_of(event: Event, state: League, *, host: bool) -> QuerySet[Event]:
    """All seasons of the same league, the newest first. One query."""
    first = state.setup["series"] or event.pk
    later = EventEntry.objects.filter(event__club=event.club_id, seq=0, payload__series=first).values("event")
    return leagues_of(event.club, host=host).filter(Q(pk=first) | Q(pk__in=later))


def season_after(event: Event, state: League) -> Event | None:
    """The next season of the same league, if it is made. One query."""
    return series_of(event, state, host=True).filter(pk__gt=event.pk, removed=False).last()


def name_after(name: str) -> str:
    """The name of a season with the next number or year: Autumn 2027 after Autumn 2026, 2027/28 after 2026/27."""
    found = re.search(r"[0-9]+(/[0-9]+)?$", name)
    if found is None:
        return f"{name} 2"
    numbers = re.sub("[0-9]+", lambda each: str(int(each[0]) + 1).zfill(len(each[0])), found[0])
    return name[: found.start()] + numbers


def last_day(state: League, zone: ZoneInfo) -> date | None:
    """The day of the last fixture; None without fixtures."""
    times = [fixture.at or fixture.planned for fixture in state.fixtures.values()]
    return max(times).astimezone(zone).date() if times else None


def fixtures_now(snapshot: EventNow) -> dict[int, FixtureNow]:
    """By number. No query."""
    state = league_of(snapshot)
    matches = {match.pk: match for match in snapshot.matches}
    return {number: _now(state, fixture, matches) for number, fixture in state.fixtures.items()}


def round_to_play(fixtures: Mapping[int, FixtureNow]) -> list[FixtureNow]:
    """Those of the first round that is not over, as far as they are open; none without one."""
    waiting = [each for each in fixtures.values() if each.open]
    first = min((each.fixture.round for each in waiting), default=0)
    return [each for each in waiting if each.fixture.round == first]


def _now(state: League, fixture: Fixture, known: Mapping[int, Match]) -> FixtureNow:
    boards = {
        board: match
        for board, pk in sorted(fixture.matches.items())
        if (match := known.get(pk)) and match.sheet["stopped"] != "abandoned"
    }
    met = EncounterNow(state.encounter(fixture.number), boards) if state.form else None
    newest = max(boards.values(), key=attrgetter("pk"), default=None)
    absent, totals = state.absent_at(fixture), met.totals if met else _totals(newest)
    if not state.annulled.isdisjoint(fixture.sides):
        became = State.ANNULLED
    elif absent:
        became = State.GIVEN_UP
    elif totals:
        became = State.PLAYED
    elif boards or (met and met.encounter.open):
        became = State.PLAYING
    else:
        became = State.POSTPONED if fixture.postponed else State.PLANNED
    return FixtureNow(fixture, became, absent, None if absent else totals, newest, met)


def _totals(match: Match | None) -> tuple[int, int] | None:
    """The totals of home and away; None until the match is over."""
    return None if match is None or in_play(match) else home_and_away(match)


def turned(state: League, board: int, totals: Sequence[int]) -> Sequence[int]:
    """The totals of home and away in the order in which the sides of a board sit; or back."""
    return tuple(reversed(totals)) if state.form and leads(board) else totals


def home_and_away(match: Match) -> tuple[int, int]:
    """The totals of a match by side: the one at home sits first."""
    totals = match.sheet["totals"]
    home, away = (totals[side[0]] for side in GAMES[match.game].sides(len(totals)))
    return home, away


def team_name(snapshot: EventNow, number: int) -> str:
    """The name of a pair or team, else of its players."""
    return league_of(snapshot).named(number, snapshot.name)


def league_file(snapshot: EventNow) -> dict[str, Any]:
    """The league as a tournament file (docs/tournament.md): each division is a stage. No query."""
    state = league_of(snapshot)
    setup, now = state.setup, fixtures_now(snapshot)
    head = {
        "format": FORMAT,
        "name": snapshot.event.name,
        "game": setup["game"],
        "options": setup["options"],
        "lower_wins": not state.form and GAMES[setup["game"]].lower_wins,
        "entrants": [
            {"id": number, "name": team_name(snapshot, number), "players": list(map(snapshot.name, team.players))}
            for number, team in state.entrants.items()
        ],
    }
    stages = [_stage(state, at, now, snapshot.name) for at in range(len(state.divisions))]
    return {**head, "stages": [with_places(head, each) for each in stages]}


def _stage(state: League, at: int, now: Mapping[int, FixtureNow], name: Callable[[int], str]) -> dict[str, Any]:
    """`name` names a player."""
    setup, division = state.setup, state.divisions[at]
    there = [entrant for entrant in division.entrants if entrant not in state.annulled]
    penalties = [each.as_json() for each in state.penalties if each.entrant in there]
    counting = sorted(state.counting(at), key=attrgetter("round"))
    rounds = [(number, list(group)) for number, group in groupby(counting, key=attrgetter("round"))]
    planned = state.rounds_wanted if setup["system"] == SWISS else len(rounds)
    return {
        "name": division.name or _("Everybody"),
        "system": setup["system"],
        "entrants": there,
        **({"rounds_planned": max(planned, len(rounds))} if rounds else {}),
        "worth": setup["worth"],
        "order": setup["order"],
        "minimum_played": setup["minimum_played"],
        "lots": setup["lots"],
        **({"penalties": penalties} if penalties else {}),
        **(plays_on(setup["bracket"]) if setup["system"] == KNOCK_OUT else {}),
        "rounds": [
            _round(there, [now[fixture.number] for fixture in fixtures], state.byes.get(number), name)
            for number, fixtures in rounds
        ],
    }


def _round(
    there: Sequence[int], fixtures: Sequence[FixtureNow], drawn: frozenset[int] | None, name: Callable[[int], str]
) -> dict[str, Any]:
    """Who has no fixture in a round of the schedule has a bye, once the round has begun. `drawn`: those to whom the
    draw gave it."""
    seated = {entrant for each in fixtures for entrant in each.fixture.sides}
    begun = any(not each.open for each in fixtures)
    byes = drawn if drawn is not None else frozenset(there if begun else ())
    return {
        "tables": [_table(each, name) for each in fixtures],
        "unplayed": [
            {"entrant": each, "kind": "bye" if each in byes else "absent"} for each in there if each not in seated
        ],
    }


def _table(now: FixtureNow, name: Callable[[int], str]) -> dict[str, Any]:
    fixture = now.fixture
    return {
        "table": fixture.number,
        "sides": [[fixture.home], [fixture.away]],
        "totals": list(now.totals) if now.totals else None,
        **({"absent": sorted(now.absent)} if now.absent else {}),
        **({"match": now.match.pk} if now.match else {}),
        **({"boards": boards_of(now.encounter, name)} if now.encounter and now.encounter.encounter.open else {}),
        **({"played_at": fixture.at.isoformat()} if fixture.at else {}),
    }


def tables_now(snapshot: EventNow) -> Calculated:
    """The tables of all divisions, in their order, calculated once for the same results. No query."""
    return _calculated(json.dumps(league_file(snapshot)))


@lru_cache(maxsize=8)
def _calculated(file: str) -> Calculated:
    return calculate(read_value(json.loads(file)))


def prospects_now(snapshot: EventNow) -> Mapping[int, Prospect]:
    """Which places each entrant of a knock-out can still get, calculated once for the same results; empty before its
    first round, at its end, and in other leagues. No query."""
    state = league_of(snapshot)
    if state.setup["system"] != KNOCK_OUT or state.closed or not state.fixtures:
        return {}
    return _prospects(json.dumps(league_file(snapshot)), frozenset(state.withdrawn))


@lru_cache(maxsize=8)
def _prospects(file: str, gone: frozenset[int]) -> Mapping[int, Prospect]:
    tournament = read_value(json.loads(file))
    return {
        entrant: each
        for stage in tournament.stages
        for entrant, each in reachable.prospects(tournament, stage, len(stage.entrants), gone).items()
    }


def champions(snapshot: EventNow) -> list[str]:
    """The names of those who are first in the first division; none before the season is closed, or if a knock-out was
    closed with several left in it. No query."""
    state = league_of(snapshot)
    if not state.closed:
        return []
    first = [row.name for row in tables_now(snapshot).stages[0].rows if row.place == 1]
    return [] if state.setup["system"] == KNOCK_OUT and len(first) > 1 else first


def places(snapshot: EventNow) -> list[list[tuple[int, int]]]:
    """For each division its entrants with their places. No query."""
    return [[(row.entrant, row.place) for row in stage.rows] for stage in tables_now(snapshot).stages]


def moved_since_the_end(snapshot: EventNow) -> list[Moved]:
    """Whose place is another one than when the season was closed. No query."""
    state = league_of(snapshot)
    if not state.closed:
        return []
    both = zip(tables_now(snapshot).stages, state.final, strict=False)
    return [
        Moved(row.name, was, row.place)
        for stage, final in both
        for row in stage.rows
        if (was := final.get(row.entrant, row.place)) != row.place
    ]


def moved_by(snapshot: EventNow, match: Match, after: games.Match) -> list[Moved]:
    """Whose place would be another one if the match became `after`. No query."""
    changed = copy(match)
    changed.sheet = after.sheet()
    if not after.finished:
        changed.status, changed.finished_at = Match.Status.PLAYING, None
    matches = tuple(changed if each.pk == match.pk else each for each in snapshot.matches)
    both = zip(tables_now(replace(snapshot, matches=matches)).stages, tables_now(snapshot).stages, strict=True)
    return [each for then, now in both for each in moved(then.rows, now.rows)]


def moved_text(found: Sequence[Moved]) -> str:
    """Names with their old and new places."""
    return ", ".join(f"{each.name} ({each.before} → {each.after})" for each in found)


def promoted(snapshot: EventNow) -> list[list[int]]:
    """The entrants of each division of the next season, the best first: those who come down, those who stay, those who
    come up. Who has left is not there. No query."""
    state = league_of(snapshot)
    tables = [[row.entrant for row in _there(state, stage.rows)] for stage in tables_now(snapshot).stages]
    last, moves = len(tables) - 1, _moving(state, list(map(len, tables)))
    found = []
    for at, rows in enumerate(tables):
        up, down = moves[at]
        above = tables[at - 1][len(tables[at - 1]) - moves[at - 1][1] :] if at else []
        below = tables[at + 1][: moves[at + 1][0]] if at < last else []
        found.append([*above, *rows[up : len(rows) - down], *below])
    return found


def fates(snapshot: EventNow) -> dict[int, Fate]:
    """Who goes up or down, by entrant, as far as there is something to say. Nobody does before the first result of the
    division. No query."""
    state = league_of(snapshot)
    moving = _moving(state, [len(_there(state, stage.rows)) for stage in tables_now(snapshot).stages])
    return _fates(json.dumps(league_file(snapshot)), tuple(moving), state.withdrawn, over=state.closed)


@lru_cache(maxsize=8)
def _fates(file: str, moving: Sequence[tuple[int, int]], withdrawn: frozenset[int], *, over: bool) -> dict[int, Fate]:
    """`moving` and `withdrawn` as they count; `over`: whether the season is."""
    found: dict[int, Fate] = {}
    stages = _calculated(file).stages
    for at, (stage, (up, down)) in enumerate(zip(stages, moving, strict=True)):
        if not stage.results.begun:
            continue
        rows = [row for row in stage.rows if row.entrant not in withdrawn]
        there = [row.entrant for row in rows]
        by_points = _by_points(stage.results)
        decided = over or (by_points and not something_open(stage.results))
        found |= dict.fromkeys(there[:up], Fate.UP if decided else Fate.UP_NOW)
        found |= dict.fromkeys(there[len(there) - down :], Fate.DOWN if decided else Fate.DOWN_NOW)
        for equal in _equal_at((up, len(rows) - down), rows):
            found |= dict.fromkeys(equal, Fate.EQUAL)
        if by_points and not decided and len(there) == len(stage.rows):
            found |= _sure(stage.results, at, up, down, EFFORT // len(stages))
    return found


def undecided(snapshot: EventNow) -> list[list[int]]:
    """The entrants whom no criterion separates, and who do not all go up, stay or go down together. No query."""
    state = league_of(snapshot)
    tables = [_there(state, stage.rows) for stage in tables_now(snapshot).stages]
    moves = _moving(state, list(map(len, tables)))
    both = zip(tables, moves, strict=True)
    return [equal for rows, (up, down) in both for equal in _equal_at((up, len(rows) - down), rows)]


def _equal_at(lines: Iterable[int], rows: Sequence[Standing]) -> list[list[int]]:
    """The entrants that share a place, for each place of which only some are among the first ones, as many as one of
    the lines says."""
    inside = (line for line in lines if 0 < line < len(rows))
    places = {rows[line].place for line in inside if rows[line - 1].place == rows[line].place}
    return [[row.entrant for row in rows if row.place == place] for place in sorted(places)]


def _by_points(results: Results) -> bool:
    """Whether possible places follow from the open fixtures: free rounds of a schedule must be worth nothing."""
    worth, system = results.stage.worth, results.stage.system
    free = system is not System.ROUND_ROBIN or worth.values["bye"] == worth.values["absent"]
    return system is not System.KNOCK_OUT and worth.by is not By.SCORE and free


def _sure(results: Results, division: int, up: int, down: int, effort: int) -> dict[int, Fate]:
    """Those whose fate is certain by points, however the open fixtures end."""
    count = len(results.entrants)
    found: dict[int, Fate] = {}
    if down:
        fates = {Chance.OUT: Fate.DOWN, Chance.SURE: Fate.STAYS}
        below = prospects(results, count - down, effort)
        found |= {each: fates[one.chance] for each, one in below.items() if one.chance in fates}
    for first, fate in ((1, Fate.FIRST),) if not division else ((up, Fate.UP),) if up else ():
        above = prospects(results, first, effort)
        found |= {each: fate for each, one in above.items() if one.chance is Chance.SURE}
    return found


def _moving(state: League, sizes: Sequence[int]) -> list[tuple[int, int]]:
    """How many go up and down from each division, by how many are there."""
    last = len(sizes) - 1
    return [
        (ups(state.setup["up"], size) if at else 0, ups(state.setup["down"], size) if at < last else 0)
        for at, size in enumerate(sizes)
    ]


def _there(state: League, rows: Sequence[Standing]) -> list[Standing]:
    return [row for row in rows if row.entrant not in state.withdrawn]


def ups(wanted: int, entrants: int) -> int:
    """How many move up, or down: never more than half of a division, so that nobody does both."""
    return min(wanted, entrants // 2)


def is_to_come(fixture: Fixture, zone: ZoneInfo, now: datetime) -> bool:
    """Whether its day has not come yet."""
    return fixture.at is not None and fixture.at.astimezone(zone).date() > now.astimezone(zone).date()


def is_annulled(state: League, now: Mapping[int, FixtureNow], entrant: int) -> bool:
    """Whether the results of an entrant who leaves do not count, by the rule of the league. What others were drawn by
    stays."""
    if state.by_results:
        return False
    theirs = state.fixtures_of(entrant)
    over = sum(not now[fixture.number].open for fixture in theirs)
    return state.setup["leaving"] == ANNUL or (state.setup["leaving"] == HALF and 2 * over < len(theirs))


def meetings_dated(state: League, zone: ZoneInfo) -> list[tuple[Meeting, datetime]]:
    """All fixtures of a round robin as they would be made, with their times."""
    found = meetings(state.divisions, state.setup["legs"])
    times = _times(state, max((each.round for each in found), default=0), zone)
    return [(each, times[each.round - 1]) for each in found]


def _times(state: League, rounds: int, zone: ZoneInfo) -> list[datetime]:
    """When the first rounds begin."""
    setup = state.setup
    playing = days(date.fromisoformat(setup["first"]), setup["every"], map(date.fromisoformat, setup["without"]))
    begin = time.fromisoformat(setup["time"])
    return [datetime.combine(day, begin, zone) for day in islice(playing, rounds)]


def rehearsal_file(snapshot: EventNow) -> dict[str, Any]:
    """The league as a file from which its day is rehearsed: it says how many rounds there will be. No query."""
    state, file = league_of(snapshot), league_file(snapshot)
    made = state.divisions and not state.by_results and not state.fixtures
    to_make = meetings(state.divisions, state.setup["legs"]) if made else []
    for at, stage in enumerate(file["stages"]):
        rounds = max((each.round for each in to_make if each.division == at), default=0)
        wanted = state.rounds_wanted if stage["system"] == SWISS else rounds
        file["stages"][at] = {**stage, **({"rounds_planned": wanted} if wanted else {})}
        _leave_out_who_has_left(file["stages"][at], state)
    return file


def _leave_out_who_has_left(stage: dict[str, Any], state: League) -> None:
    """In a Swiss system, who has left is not drawn."""
    if stage["system"] == SWISS:
        gone = [each for each in sorted(state.withdrawn) if each in stage["entrants"]]
        stage["next"] = {"tables": [], "unplayed": [{"entrant": each, "kind": "absent"} for each in gone]}


def drawn_worth(snapshot: EventNow, division: int) -> tuple[Field, NextRound]:
    """What the newest round of a division is worth by the results before it, with who plays in it. No query."""
    file = league_file(snapshot)
    stage = file["stages"][division]
    newest = stage["rounds"].pop()
    stage["next"] = {"tables": [{"sides": each["sides"]} for each in newest["tables"]], "unplayed": newest["unplayed"]}
    tournament = read_value(file)
    field = Field(tournament, tournament.stages[division])
    return field, next_round(field, Drawn((), ()))


def fixtures_by_hand(snapshot: EventNow) -> frozenset[frozenset[int]]:
    """Who meets in the newest round only because the hosts swapped places in it. No query."""
    state = league_of(snapshot)
    now = state.meetings_in(state.rounds_made)
    return now - state.swaps[-1].meetings_in(state.rounds_made) if state.swaps else frozenset()


def round_drawn(snapshot: EventNow) -> tuple[list[Meeting], list[int], datetime]:
    """The next round by the results: who meets whom in all divisions, who has a bye, and when it begins. Nobody meets
    once all rounds are played. The word for the lots decides between equally good rounds."""
    state, file = league_of(snapshot), league_file(snapshot)
    number, zone = state.rounds_made + 1, ZoneInfo(snapshot.event.club.time_zone)
    found: list[Meeting] = []
    byes: list[int] = []
    for stage in file["stages"]:
        _leave_out_who_has_left(stage, state)
    tournament = read_value(file)
    if state.setup["system"] == SWISS and number > state.rounds_wanted:
        return [], [], _times(state, number, zone)[-1]
    for at, division in enumerate(tournament.stages):
        *_worse, best = paired(tournament, division, random.Random(f"{state.setup['lots']}:{number}:{at}"))
        drawn = as_json(tournament, division, best.best)
        found += [Meeting(at, number, home, away) for (home,), (away,) in (each["sides"] for each in drawn["tables"])]
        byes += [each["entrant"] for each in drawn["unplayed"] if each["kind"] == "bye"]
    return found, byes, _times(state, number, zone)[-1]
