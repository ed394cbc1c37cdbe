"""Who met whom: the cross-table for two sides, matrices of meetings, partners and seats for more, and the rounds of
everybody where a table of all pairs would be too large to read."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from scorekeeper.live.parts import shared
from scorekeeper.live.topics import Topic
from scorekeeper.models import Club, Event
from scorekeeper.pages import context
from scorekeeper.pages.tournament_entrant import outcome
from scorekeeper.pages.tournament_standings import PartLink, part_links
from scorekeeper.selectors.tournament_results import TournamentResults
from scorekeeper.standings.calculation import StageStandings
from scorekeeper.standings.meetings import Encounter, encounters, meetings
from scorekeeper.standings.results import Turn
from scorekeeper.words import number

MOST = 60  # entrants in a table of all pairs


@dataclass(frozen=True, slots=True)
class Mark:
    """A result, or how often."""

    text: str
    words: str = ""
    match: int | None = None


@dataclass(frozen=True, slots=True)
class Cell:
    marks: tuple[Mark, ...]
    itself: bool = False
    """Whether row and column are the same entrant."""


@dataclass(frozen=True, slots=True)
class Line:
    place: int
    entrant: int
    name: str
    cells: tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class Grid:
    title: str
    columns: tuple[str, ...]
    lines: tuple[Line, ...]


@dataclass(frozen=True, kw_only=True)
class CrossTables:
    tournament: Event
    parts: list[PartLink]
    part: str
    """The group or the final; "" where there are none."""
    grids: list[Grid]
    legend: list[str]
    """What the signs in them mean."""
    after: int
    provisional: bool
    entrants_at: str


@dataclass(frozen=True, kw_only=True)
class CrossTablePage:
    tournament: Event
    club: Club
    shown: SafeString


def cross_table_page(results: TournamentResults) -> CrossTablePage:
    """Draws the tables only if nobody has asked for them since the last change."""

    def draw(_before: SafeString | None) -> SafeString:
        values = cross_tables(results)
        return mark_safe(render_to_string("scorekeeper/_cross_table.html", context(values)))  # noqa: S308 (our template)

    event = results.event
    kept = shared(Topic.of_event(event), "cross-table", results.name, get_language() or "")
    return CrossTablePage(tournament=event, club=event.club, shown=kept.of(results.whole.version, draw))


def cross_tables(results: TournamentResults) -> CrossTables:
    """No query."""
    stage = results.standings()
    begun = stage if results.rounds else None
    return CrossTables(
        tournament=results.event,
        parts=part_links(results),
        part=results.name,
        grids=_grids(results, begun) if begun else [],
        legend=_legend(begun, closed=results.event.closed_at is not None) if begun else [],
        after=results.numbered(results.rounds),
        provisional=bool(results.going),
        entrants_at=reverse("tournament_entrant", args=[results.event.pk, 0]).removesuffix("0/"),
    )


def _legend(stage: StageStandings, *, closed: bool) -> list[str]:
    few, heads = len(stage.rows) <= MOST, _heads(stage)
    return [
        *([_("Numbers on top are start numbers.")] if few else []),
        *([_("f: by forfeit.")] if few and heads else []),
        *([] if few and not heads else [_("×: abandoned.")] if closed else [_("×: abandoned."), _("…: in play.")]),
        *([_("Points include byes and penalties.")] if few and heads else []),
    ]


def _alone(stage: StageStandings) -> bool:
    """Whether nobody has a partner."""
    return all(len(side) == 1 for each in _sides(stage) for side in each)


def _heads(stage: StageStandings) -> bool:
    """Whether two single entrants meet at every table."""
    return _alone(stage) and all(len(each) == 2 for each in _sides(stage))


def _grids(results: TournamentResults, stage: StageStandings) -> list[Grid]:
    few = len(stage.rows) <= MOST
    if few and _heads(stage):
        return [_cross_table(results, stage)]
    counts = meetings(stage.results)
    grids = [_matrix(_("How often they were opponents"), stage, counts.opponents)] if few else []
    if few and not _alone(stage):
        grids.append(_matrix(_("How often they were partners"), stage, counts.partners))
    if not few:
        grids.append(_by_round(results, stage))
    columns = [_("Leads"), *(_("Seat {n}").format(n=seat) for seat in range(2, counts.most_seats + 1))]
    lines = _lines(
        stage, lambda entrant: [Cell((_count(counts.seats[entrant][seat]),)) for seat in range(counts.most_seats)]
    )
    return [*grids, Grid(_("How often in each seat"), tuple(columns), lines)]


def _sides(stage: StageStandings) -> list[tuple[tuple[int, ...], ...]]:
    return [contest.sides for contests in stage.results.contests for contest in contests]


def _cross_table(results: TournamentResults, stage: StageStandings) -> Grid:
    found = encounters(stage.results)
    order = [row.entrant for row in stage.rows]

    def cells(entrant: int) -> list[Cell]:
        met = [
            Cell(tuple(_result(results, each) for each in found.get((entrant, other), ())), entrant == other)
            for other in order
        ]
        return [*met, Cell((Mark(number(stage.results.points[entrant])),))]

    return Grid(_("Cross-table"), (*map(str, order), _("Points")), _lines(stage, cells))


def _result(results: TournamentResults, each: Encounter) -> Mark:
    match = results.tables(each.round)[each.table].get("match")
    if each.abandoned:
        return Mark("×", _("round {n}, abandoned").format(n=each.round), match)
    if each.worth is None:
        return Mark("…", _("round {n}, in play").format(n=each.round), match)
    if each.forfeit:
        return Mark(f"{number(each.worth)}f", _("round {n}, by forfeit").format(n=each.round), match)
    return Mark(number(each.worth), _("round {n}").format(n=each.round), match)


def _matrix(title: str, stage: StageStandings, counts: Mapping[tuple[int, int], int]) -> Grid:
    order = [row.entrant for row in stage.rows]

    def cells(entrant: int) -> list[Cell]:
        return [
            Cell((_count(counts.get((min(entrant, other), max(entrant, other)), 0)),), entrant == other)
            for other in order
        ]

    return Grid(title, tuple(map(str, order)), _lines(stage, cells))


def _count(times: int) -> Mark:
    return Mark(str(times) if times else "")


def _by_round(results: TournamentResults, stage: StageStandings) -> Grid:
    """For each round: the start numbers of the opponents, and what it was worth."""

    def cells(entrant: int) -> list[Cell]:
        turns = zip(stage.results.turns[entrant], stage.results.own[entrant], strict=True)
        return [Cell((Mark(_in_short(turn, number(own)), _outcome(turn)),)) for turn, own in turns]

    rounds = tuple(str(results.numbered(each)) for each in range(1, stage.results.after + 1))
    return Grid(_("Opponents and points, round by round"), rounds, _lines(stage, cells))


def _in_short(turn: Turn, own: str) -> str:
    others = "·".join(map(str, turn.others))
    if turn.open:
        return f"{others}: {'×' if turn.contest and turn.contest.abandoned else '…'}"
    return f"{others}: {own}" if others else own


def _outcome(turn: Turn) -> str:
    return outcome(turn.contest, turn.side) if turn.contest else ""


def _lines(stage: StageStandings, cells: Callable[[int], list[Cell]]) -> tuple[Line, ...]:
    return tuple(Line(row.place, row.entrant, row.name, tuple(cells(row.entrant))) for row in stage.rows)
