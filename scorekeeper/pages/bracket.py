"""The bracket of a knock-out: its drawing, and its matches round by round for phones and screen readers."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

from scorekeeper.drawing import bracket_file, bracket_svg, sheet_svgs
from scorekeeper.drawing.bracket_layout import Bracket, Line, Match, Section
from scorekeeper.drawing.bracket_pieces import Room, Sheets, from_round, sheets, sheets_in_play
from scorekeeper.events.groups import has_series
from scorekeeper.events.setup import KNOCK_OUT
from scorekeeper.pairing import chart as charts
from scorekeeper.pairing.chart import Chart, ChartMatch, ChartSide, Forfeit, Part, PartKind, State
from scorekeeper.selectors.events import EventNow
from scorekeeper.selectors.leagues import FixtureNow, fixtures_now, league_file, league_of
from scorekeeper.selectors.leagues import State as FixtureState
from scorekeeper.selectors.series import series_at
from scorekeeper.selectors.tournaments import tournament_file, tournament_of
from scorekeeper.standings.reading import read_value
from scorekeeper.standings.tournament import Tournament
from scorekeeper.words import number, some_of

SCREEN = Room(columns=2, height=328)  # letters as large as in the lists beside it
SCORES = 3  # of a match that was played again and again: the last ones
Table = tuple[int, frozenset[int]]
"""A table: its round, and the two who sit there."""
Where = Mapping[frozenset[int], str]
"""Where or when two entrants play, like “Table 4”."""


class MatchInList(NamedTuple):
    match: Match
    part: str
    """Where in the bracket it is; "" in the main tree."""
    note: str
    """Who should play there by the results, where it is played, or that it is perhaps not needed; else "". """


class RoundInList(NamedTuple):
    number: int
    heading: str
    matches: list[MatchInList]
    now: bool
    """Whether it is the first with a match to play."""


@dataclass(frozen=True, kw_only=True, slots=True)
class BracketShown:
    """Both are empty if there are no matches."""

    bracket: SafeString
    """The drawing."""
    bracket_now: SafeString
    """The same for phones, from the rounds on that are played now; "" if that is all of it."""
    bracket_rounds: list[RoundInList]


NO_BRACKET = BracketShown(bracket=SafeString(""), bracket_now=SafeString(""), bracket_rounds=[])


def bracket_shown(chart: Chart, where: Where | None = None) -> BracketShown:
    """For the template `_bracket.html`. No query."""
    if not chart.parts:
        return NO_BRACKET
    bracket, label = in_words(chart, where), _("Bracket: {name}").format(name=chart.stage.name)
    rounds = _rounds(chart, bracket)
    now = next(each.number for each in rounds if each.now)
    later = from_round(bracket, now)
    return BracketShown(
        bracket=_safe(bracket_svg(bracket, label=label)),
        bracket_now=_safe(bracket_svg(later, label=label) if later != bracket else ""),
        bracket_rounds=rounds,
    )


def _safe(svg: str) -> SafeString:
    return mark_safe(svg)  # noqa: S308 (escaped where it is drawn)


def bracket_of(snapshot: EventNow) -> BracketShown:
    """Of a tournament that is a knock-out; an empty one of any other. No query."""
    chart = _chart_of(snapshot)
    return bracket_shown(chart, _tables(snapshot)) if chart else NO_BRACKET


def brackets_of_league(now: EventNow) -> list[BracketShown]:
    """Of each division of a league that is a knock-out; empty ones of any other. No query."""
    where = _fixtures(now)
    return [bracket_shown(chart, where) if chart else NO_BRACKET for chart in _charts_of_league(now)]


def _charts_of_league(now: EventNow) -> list[Chart | None]:
    """Of each division; None if the league is no knock-out."""
    state = league_of(now)
    if state.setup["system"] != KNOCK_OUT or not state.divisions:
        return [None] * len(state.divisions)
    tournament = read_value(league_file(now))
    return [charts.chart(tournament, stage) for stage in tournament.stages]


def _fixtures(now: EventNow) -> Where:
    return {frozenset(each.fixture.sides): _when(each) for each in fixtures_now(now).values()}


def _when(each: FixtureNow) -> str:
    """Where a fixture is played, or when."""
    if each.match and each.state is FixtureState.PLAYING and each.match.table:
        return _("Table {n}").format(n=each.match.table.number)
    at = each.fixture.at
    return date_format(timezone.localtime(at), "D j M") if at else _("without a date")


def _tables(snapshot: EventNow) -> Where:
    """The tables of the newest round."""
    state = tournament_of(snapshot)
    return {
        frozenset(state.numbers[player] for player in pairing.players): _("Table {n}").format(n=pairing.table)
        for drawn in state.rounds[-1:]
        for pairing in drawn.pairings
    }


class BracketOnScreen(NamedTuple):
    """A leaf of the bracket of a knock-out on a big screen."""

    name: str
    """Of the final or the division; "" where there is only one."""
    leaf: int
    leaves: int
    drawing: SafeString


def sheets_of(snapshot: EventNow, room: Room) -> list[SafeString]:
    """The drawing on sheets of paper that can be read. Empty for a tournament that is no knock-out. No query."""
    chart = _chart_of(snapshot)
    if chart is None:
        return []
    return _drawn(sheets(in_words(chart, _tables(snapshot)), room), snapshot.part or snapshot.event.name)


def on_screen(snapshot: EventNow) -> list[BracketOnScreen]:
    """What is played now of a tournament, or how it ended; nothing of one that is no knock-out. No query."""
    chart = _chart_of(snapshot)
    return [*_leaves(chart, _tables(snapshot), snapshot.part)] if chart else []


def titles_of(snapshot: EventNow) -> dict[frozenset[int], str]:
    """What each two who sit at a table now play for, like the final; nothing of a tournament that is no knock-out. No
    query."""
    chart, newest = _chart_of(snapshot), len(tournament_of(snapshot).rounds)
    if chart is None:
        return {}
    bracket, found = in_words(chart), {}
    for part, section in zip(chart.parts, bracket.sections, strict=True):
        for each in part.matches:
            if each.rounds and each.rounds[-1] == newest:
                decides = section.decides if each is part.matches[-1] else ""
                two = frozenset(entrant for side in each.sides for entrant in side.entrants)
                found[two] = decides or section.title or bracket.headings[each.round - 1]
    return found


def league_on_screen(now: EventNow) -> list[BracketOnScreen]:
    """The same of each division of a league. No query."""
    where = _fixtures(now)
    found = zip(league_of(now).divisions, _charts_of_league(now), strict=True)
    return [leaf for division, chart in found if chart for leaf in _leaves(chart, where, division.name)]


def _leaves(chart: Chart, where: Where, name: str) -> Iterator[BracketOnScreen]:
    found = _drawn(sheets_in_play(in_words(chart, where), SCREEN), name or chart.tournament.name)
    for leaf, drawing in enumerate(found, 1):
        yield BracketOnScreen(name, leaf, len(found), drawing)


def _drawn(found: Sheets, name: str) -> list[SafeString]:
    return [_safe(each) for each in sheet_svgs(found, label=_("Bracket: {name}").format(name=name))]


def _chart_of(snapshot: EventNow) -> Chart | None:
    """None of a tournament that is no knock-out, or has too few entrants."""
    state = tournament_of(snapshot)
    if not state.knock_out or len(state.seeds) < state.fewest:
        return None
    tournament = read_value(tournament_file(snapshot))
    return _with_wins(charts.chart(tournament, tournament.stages[0]), snapshot)


def _with_wins(chart: Chart, snapshot: EventNow) -> Chart:
    """Where several matches decide, with the matches that each side of a table has won, also while it is open: the file
    has them once it is decided, and where the smaller total is better, those lost."""
    state = tournament_of(snapshot)
    if not has_series(state.setup):
        return chart
    wins: dict[Table, dict[int, int]] = {}
    for round_, drawn in enumerate(state.rounds, 1):
        for pairing in drawn.pairings:
            series = series_at(snapshot, state, round_, pairing)
            if series:
                entrants = [side[0] for side in state.sides_of(pairing.game, pairing.players)]
                wins[round_, frozenset(entrants)] = dict(zip(entrants, series.wins, strict=True))
    lost = chart.tournament.lower_wins
    parts = [part._replace(matches=[_won(each, wins, lost) for each in part.matches]) for part in chart.parts]
    return chart._replace(parts=parts)


def _won(match: ChartMatch, wins: Mapping[Table, Mapping[int, int]], lost: bool) -> ChartMatch:
    """Only its last table has wins: an earlier one was not decided, so its matches count there too."""
    two = frozenset(each for side in match.sides for each in side.entrants)
    here = wins.get((match.rounds[-1], two)) if match.rounds else None
    if here is None or any(isinstance(score, Forfeit) for side in match.sides for score in side.scores):
        return match
    scores = [side.scores for side in (match.sides[::-1] if lost else match.sides)]
    if match.state is State.OPEN:
        scores = [(*side.scores, here[side.entrants[0]]) for side in match.sides]
    changed = tuple(replace(side, scores=each) for side, each in zip(match.sides, scores, strict=True))
    return replace(match, sides=changed)


def bracket_picture(chart: Chart) -> str:
    """The drawing as a file of its own. There must be a match."""
    bracket = in_words(chart)
    title = " · ".join(filter(None, (chart.tournament.name, chart.stage.name)))
    lines = [line for each in _rounds(chart, bracket) for line in _as_text(each)]
    return bracket_file(bracket, title=title, description=lines)


def _as_text(each: RoundInList) -> Iterator[str]:
    yield each.heading
    for match, part, note in each.matches:
        yield " · ".join(filter(None, (match.says, part, note)))


def _rounds(chart: Chart, bracket: Bracket) -> list[RoundInList]:
    """All matches by round, those of the better places first."""
    listed: dict[int, list[MatchInList]] = {}
    to_play = set()
    for part, section in zip(chart.parts, bracket.sections, strict=True):
        for each, match in zip(part.matches, section.matches, strict=True):
            last = section.decides and each is part.matches[-1]
            title = section.decides if last else section.title
            listed.setdefault(each.round, []).append(MatchInList(match, title, _note(chart.tournament, each, match)))
            if each.state is not State.OVER:
                to_play.add(each.round)
    now = min(to_play, default=max(listed))
    return [RoundInList(each, bracket.headings[each - 1], listed[each], each == now) for each in sorted(listed)]


def _note(tournament: Tournament, each: ChartMatch, match: Match) -> str:
    due = some_of([tournament.entrants[entrant].name for entrant in each.due])
    notes = (
        _("by the results, {names} should play here").format(names=due) if due else "",
        {State.OPEN: match.tag or _("in play"), State.IF_NEEDED: _("if needed")}.get(each.state, ""),
    )
    return " · ".join(filter(None, notes))


def in_words(chart: Chart, where: Where | None = None) -> Bracket:
    """The chart as it is drawn; `where`: of the matches in play."""
    return Bracket([_section(chart, part, where or {}) for part in chart.parts], _headings(chart.parts))


def _section(chart: Chart, part: Part, where: Where) -> Section:
    matches = [*_matches(chart, part, where)]
    for_places = part.kind is PartKind.PLACES
    return Section(
        _title(part),
        matches,
        beneath=part.kind in (PartKind.LOWER, PartKind.OTHERS),
        decides=_places(part.places[:2]) if for_places and len(matches) > 1 else "",
        for_places=for_places,
    )


def _headings(parts: Sequence[Part]) -> list[str]:
    """Of the rounds, from the first to the last one in which there is a match."""
    last = max((each.round for part in parts for each in part.matches), default=0)
    named: dict[int, str] = {}
    for part in parts:
        if part.kind is PartKind.MAIN:
            final = max(each.round for each in part.matches)
            named = {final - 2: _("Quarter-finals"), final - 1: _("Semi-finals"), final: _("Final")}
        elif part.kind is PartKind.FINAL:
            final = min(each.round for each in part.matches)
            waits = part.matches[-1].state is State.IF_NEEDED
            named = {final: _("Final"), final + 1: _("Second final, if needed") if waits else _("Second final")}
    return [named.get(each) or _("Round {n}").format(n=each) for each in range(1, last + 1)]


def _title(part: Part) -> str:
    match part.kind:
        case PartKind.MAIN | PartKind.FINAL:
            return ""
        case PartKind.UPPER:
            return _("Upper bracket")
        case PartKind.LOWER:
            return _("Lower bracket")
        case PartKind.OTHERS:
            return _("Other matches")
        case PartKind.PLACES:
            return _places(part.places)


def _places(places: range) -> str:
    first, last = places[0], places[-1]
    if last > first + 1:
        text = _("Places {first} to {last}")
    else:
        text = _("Third place") if first == 3 else _("Places {first} and {last}")
    return text.format(first=first, last=last)


def _matches(chart: Chart, part: Part, where: Where) -> Iterator[Match]:
    seeds = {entrant: str(seed) for seed, entrant in enumerate(chart.stage.entrants, 1)}
    for each in part.matches:
        lines = [_line(chart.tournament, seeds, side) for side in each.sides]
        sides = (" ".join(filter(None, ("✓" if line.won else "", line.text, line.score))) for line in lines)
        says = _("Match {n}: {sides}").format(n=each.number, sides=", ".join(sides))
        entrants = frozenset(entrant for side in each.sides for entrant in side.entrants)
        tag = where.get(entrants, "") if each.state is State.OPEN else ""
        yield Match(each.number, each.round, lines, says, each.state, tag)


def _line(tournament: Tournament, seeds: Mapping[int, str], side: ChartSide) -> Line:
    return Line(
        " + ".join(tournament.entrants[each].name for each in side.entrants) or _who_comes(side),
        seeds.get(side.entrants[0], "") if len(side.entrants) == 1 else "",
        "  ".join(map(_score, side.scores[-SCORES:])),
        known=bool(side.entrants),
        won=side.won,
        source=side.source.match if side.source and side.source.won else None,
    )


def _who_comes(side: ChartSide) -> str:
    if side.nobody or side.source is None:
        return _("nobody")
    text = _("Winner of match {n}") if side.source.won else _("Loser of match {n}")
    return text.format(n=side.source.match)


def _score(score: int | Forfeit) -> str:
    """A plus for who came alone, a minus for who did not come."""
    return "+" if score is Forfeit.WON else "–" if score is Forfeit.LOST else number(score)
