"""The bracket of a knock-out: its drawing, and its matches round by round for phones and screen readers."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

from scorekeeper.drawing import bracket_file, bracket_svg
from scorekeeper.drawing.bracket_layout import Bracket, Line, Match, Section
from scorekeeper.drawing.bracket_pieces import pieces, sheets
from scorekeeper.pairing import chart as charts
from scorekeeper.pairing.chart import Chart, ChartMatch, ChartSide, Forfeit, Part, PartKind, State
from scorekeeper.selectors.events import EventNow
from scorekeeper.selectors.series import series_at
from scorekeeper.selectors.tournaments import tournament_file, tournament_of
from scorekeeper.standings.reading import read_value
from scorekeeper.standings.tournament import Tournament
from scorekeeper.words import number

SCORES = 3  # of a match that was played again and again: the last ones
Table = tuple[int, frozenset[int]]
"""A table: its round, and the two who sit there."""


class MatchInList(NamedTuple):
    match: Match
    part: str
    """Where in the bracket it is; "" in the main tree."""
    note: str
    """Whether others should play by the results, it is in play, or perhaps not needed; else "". """


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
    bracket_rounds: list[RoundInList]


NO_BRACKET = BracketShown(bracket=SafeString(""), bracket_rounds=[])


def bracket_shown(chart: Chart) -> BracketShown:
    """For the template `_bracket.html`. No query."""
    if not chart.parts:
        return NO_BRACKET
    bracket, label = in_words(chart), _("Bracket: {name}").format(name=chart.stage.name)
    svg = mark_safe(bracket_svg(bracket, label=label))  # noqa: S308 (escaped there)
    return BracketShown(bracket=svg, bracket_rounds=_rounds(chart, bracket))


def bracket_of(snapshot: EventNow) -> BracketShown:
    """Of a tournament that is a knock-out; an empty one of any other. No query."""
    chart = _chart_of(snapshot)
    return bracket_shown(chart) if chart else NO_BRACKET


def open_pieces(snapshot: EventNow, most: int) -> list[SafeString]:
    """The drawing in pieces for a wall, in each of which at most this number of matches begin: those with a match to
    play, else the last one. Empty for a tournament that is no knock-out. No query."""
    chart = _chart_of(snapshot)
    if chart is None:
        return []
    found = pieces(in_words(chart), most)
    waiting = [each for each in found if any(match.state != State.OVER for match in each.sections[0].matches)]
    return _drawn(snapshot, waiting or found[-1:])


def sheets_of(snapshot: EventNow, most: int, across: int, *, scale: int) -> list[SafeString]:
    """The drawing as `drawing.bracket_pieces.sheets`, `scale` times as large as on a page. Empty for a tournament that
    is no knock-out. No query."""
    chart = _chart_of(snapshot)
    return _drawn(snapshot, sheets(in_words(chart), most, across), scale) if chart else []


def _drawn(snapshot: EventNow, found: Sequence[Bracket], scale: int = 1) -> list[SafeString]:
    label = _("Bracket: {name}").format(name=snapshot.part or snapshot.event.name)
    return [mark_safe(bracket_svg(each, label=label, scale=scale)) for each in found]  # noqa: S308 (escaped there)


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
    if not state.stage.has_series:
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
            listed.setdefault(each.round, []).append(MatchInList(match, section.title, _note(part, each)))
            if each.state is not State.OVER:
                to_play.add(each.round)
    now = min(to_play, default=max(listed))
    return [RoundInList(each, bracket.headings[each - 1], listed[each], each == now) for each in sorted(listed)]


def _note(part: Part, match: ChartMatch) -> str:
    notes = (
        _("by the results, others should play") if part.kind is PartKind.OTHERS else "",
        {State.OPEN: _("in play"), State.IF_NEEDED: _("if needed")}.get(match.state, ""),
    )
    return " · ".join(filter(None, notes))


def in_words(chart: Chart) -> Bracket:
    """The chart as it is drawn."""
    beneath = (PartKind.LOWER, PartKind.OTHERS)
    sections = [Section(_title(part), [*_matches(chart, part)], part.kind in beneath) for part in chart.parts]
    return Bracket(sections, _headings(chart.parts))


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
            return _("Not in the bracket")
        case PartKind.PLACES:
            first, last = part.places[0], part.places[-1]
            if last == first + 1:
                text = _("Third place") if first == 3 else _("Places {first} and {last}")
            else:
                text = _("Places {first} to {last}")
            return text.format(first=first, last=last)


def _matches(chart: Chart, part: Part) -> Iterator[Match]:
    seeds = {entrant: str(seed) for seed, entrant in enumerate(chart.stage.entrants, 1)}
    for each in part.matches:
        lines = [_line(chart.tournament, seeds, side) for side in each.sides]
        sides = (" ".join(filter(None, ("✓" if line.won else "", line.text, line.score))) for line in lines)
        yield Match(each.number, each.round, lines, f"{each.number}: {', '.join(sides)}", each.state)


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
    text = _("Winner of {n}") if side.source.won else _("Loser of {n}")
    return text.format(n=side.source.match)


def _score(score: int | Forfeit) -> str:
    """A plus for who came alone, a minus for who did not come."""
    return "+" if score is Forfeit.WON else "–" if score is Forfeit.LOST else number(score)
