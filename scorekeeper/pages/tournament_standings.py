"""The standings of a tournament: now, after any round, and at the end."""

from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Self

from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language, ngettext
from django.utils.translation import gettext as _

from scorekeeper.live.parts import shared
from scorekeeper.live.topics import Topic
from scorekeeper.models import Club, Event
from scorekeeper.pages import context
from scorekeeper.pages.criteria import NAMES, WITHOUT_COLUMN, figure, too_few_words
from scorekeeper.pages.prospects import Reach, notes, reach
from scorekeeper.pages.tournament_prizes import prize_words
from scorekeeper.selectors.tournament_categories import Among, categories, clubs
from scorekeeper.selectors.tournament_results import TournamentResults
from scorekeeper.selectors.tournaments import prospects_now, rounds_announced
from scorekeeper.standings.calculation import StageStandings
from scorekeeper.standings.comparison import among, decisions, movements, newcomers, those_there
from scorekeeper.standings.criteria import MANUAL, Value
from scorekeeper.standings.possible import Prospect
from scorekeeper.standings.ranking import Standing
from scorekeeper.standings.tournament import Kind


@dataclass(frozen=True, slots=True)
class Figure:
    criterion: str
    label: str
    """What it is, where there is no room for columns."""
    text: str
    decides: bool
    """Whether it puts the entrant ahead of the next row. The first criterion is not marked."""


@dataclass(frozen=True, slots=True)
class Movement:
    """Since the round before."""

    arrow: str
    """`up`, `down`, `same` or `new`."""
    places: int
    words: str


@dataclass(frozen=True, slots=True)
class StandingRow:
    place: int
    """0 before the first result."""
    entrant: int
    name: str
    movement: Movement | None
    """None after the first round, and for who was entered later."""
    left: bool
    out: bool
    """Whether they came to too few tables to be placed."""
    figures: tuple[Figure, ...]
    ahead_by: str
    """What decided against the next row, if not the first criterion."""
    ahead_in_column: bool
    """Whether a column of a wide table shows that too."""
    reach: Reach | None
    """None where nothing is open, and after earlier rounds."""
    prize: str = ""
    """What they get of the prize money, once that is known."""

    @classmethod
    def of_place(cls, row: Standing) -> Self:
        """With nothing but a name and a place."""
        return cls(row.place, row.entrant, row.name, None, False, row.out, (), "", False, None)


@dataclass(frozen=True, slots=True)
class PartLink:
    """A group or a final."""

    name: str
    query: str
    here: bool
    """Whether its standings are shown."""


@dataclass(frozen=True, slots=True)
class Overall:
    place: int
    name: str
    prize: str
    """"" until the tournament is over."""


@dataclass(frozen=True, kw_only=True)
class StandingsShown:
    """The table, and what it counts."""

    tournament: Event
    part: str
    """The group or the final whose standings these are; "" where there are none."""
    parts: list[PartLink]
    """All groups and finals; empty where there are none."""
    overall: list[Overall]
    """Everybody's place in the whole tournament; empty until there are finals."""
    of: Among | None
    """Whose standings these are, placed among themselves; None: everybody's."""
    categories: list[Among]
    clubs: list[Among]
    columns: list[str]
    rows: list[StandingRow]
    prizes: bool
    """Whether rows have prizes."""
    after: int
    """The number of the last round that counts in the whole tournament, as that of all rounds here; 0 before the
    first."""
    newest: bool
    """Whether every round that has been released counts."""
    rounds: range
    any_points: bool
    """Whether rounds were released, or points brought along."""
    open_play: bool
    """Whether rounds only order the tables, so that nobody speaks of them."""
    rounds_planned: int
    open_tables: int
    """How many tables of these rounds are in play: until they end, the standings are provisional."""
    fewest_first: bool
    too_few: str
    """What “too few tables” means, if somebody came to too few."""
    reach_notes: list[str]
    """What the words about what entrants can still reach mean; empty if there are none."""
    entrants_at: str
    """The address of an entrant's page without the start number."""
    query: str
    """What follows the start number."""
    keep: str
    """What names this part, category or club in an address; "" if there is nothing to name."""
    csv_query: str
    """The same for a spreadsheet, with the question mark."""


@dataclass(frozen=True, kw_only=True)
class StandingsPage:
    tournament: Event
    club: Club
    shown: SafeString
    """The table, already drawn."""
    host: bool
    decides: bool
    """Whether directors decide between entrants who are equal."""


def standings_page(
    results: TournamentResults, *, after: int | None, of: Among | None = None, host: bool
) -> StandingsPage:
    """Draws the table only if nobody has asked for it since the last change."""
    language = get_language() or ""

    def draw(_before: SafeString | None) -> SafeString:
        values = standings_shown(results, after, of)
        text = render_to_string("scorekeeper/_standings.html", context(values))
        return mark_safe(text)  # noqa: S308 (drawn by our own template)

    event, order = results.event, results.state.setup["order"]
    whose = [of.kind, of.name] if of else []
    kept = shared(Topic.of_event(event), "standings", results.name, str(after), language, *whose)
    shown = kept.of(results.whole.version, draw)
    return StandingsPage(tournament=event, club=event.club, shown=shown, host=host, decides=MANUAL in order)


def standings_shown(results: TournamentResults, after: int | None = None, of: Among | None = None) -> StandingsShown:
    """`after` is at most the number of rounds that have been released. Everybody's final standings have the prizes. No
    query."""
    counted = results.rounds if after is None else after
    order: list[str] = results.state.setup["order"]
    columns = [name for name in order if name not in WITHOUT_COLUMN]
    stage = results.standings(counted)
    rows = standing_rows(results, counted, columns, of)
    newest = counted == results.rounds
    paid = prize_words(results.whole) if results.event.closed_at and newest and not of else {}
    keep = of.query if of else results.query
    return StandingsShown(
        tournament=results.event,
        part=results.name,
        parts=part_links(results),
        overall=_overall(results.whole, paid),
        of=of,
        categories=categories(results.state),
        clubs=clubs(results.state),
        columns=[str(NAMES[name]) for name in columns],
        rows=[replace(row, prize=paid.get(row.entrant, "")) for row in rows] if paid else rows,
        prizes=bool(paid),
        after=results.numbered(counted),
        newest=newest,
        rounds=range(results.numbered(1), results.numbered(1) + results.rounds),
        any_points=bool(results.rounds or results.state.carried),
        open_play=results.state.free_play,
        rounds_planned=results.numbered(rounds_announced(results.snapshot)),
        open_tables=sum(number <= counted for number, _table in results.going),
        fewest_first=bool(stage and stage.results.fewest_first),
        too_few=too_few_words(stage.rows if stage else (), results.state.setup["minimum_played"]),
        reach_notes=notes([row.reach for row in rows if row.reach]),
        entrants_at=reverse("tournament_entrant", args=[results.event.pk, 0]).removesuffix("0/"),
        query="/" + asking("" if after is None else f"after={results.numbered(after)}", results.query),
        keep=keep,
        csv_query=asking("" if newest else f"after={results.numbered(counted)}", results.query),
    )


def asking(*wanted: str) -> str:
    """The end of an address that asks for these; "" for nothing."""
    asked = "&".join(filter(None, wanted))
    return f"?{asked}" if asked else ""


def part_links(results: TournamentResults) -> list[PartLink]:
    found = results.whole.parts
    return [PartLink(each.name, each.query, each.name == results.name) for each in found] if results.name else []


def _overall(whole: TournamentResults, paid: Mapping[int, str]) -> list[Overall]:
    if not (whole.state.earlier and whole.begun):
        return []
    return [Overall(row.place, row.name, paid.get(row.entrant, "")) for row in whole.places]


def standing_rows(
    results: TournamentResults, counted: int, columns: list[str], of: Among | None = None
) -> list[StandingRow]:
    stage = results.standings(counted)
    if not stage:
        return []
    rows, decided = shown_rows(stage, newest=counted == results.rounds, carried=results.state.carried)
    if of:
        rows, decided = _among(of, stage, rows)
    moved = _movements(results, counted, of)
    left = left_after(results, counted)
    # Places of a category are others.
    ahead = prospects_now(results.snapshot) if counted == results.rounds and not of else {}
    return [_row(row, columns, decided, moved.get(row.entrant), left, ahead.get(row.entrant)) for row in rows]


def left_after(results: TournamentResults, counted: int) -> frozenset[int]:
    """The entrants who had left by the end of this round: they are in no later one."""
    stage = results.standings()
    turns = stage.results.turns if stage else {}
    last = {
        entrant: max((turn.round for turn in turns[entrant] if turn.kind is not Kind.ABSENT), default=0)
        for entrant in results.state.withdrawn & turns.keys()
    }
    return frozenset(entrant for entrant, number in last.items() if number <= counted)


def shown_rows(
    stage: StageStandings, *, newest: bool = True, carried: Mapping[int, int | str] | None = None
) -> tuple[Sequence[Standing], Mapping[int, str]]:
    """The rows, and what decided against the next one, by entrant. Before the first result without places, by start
    number; where points were `carried` along from the stage before, by these. After earlier rounds without those who
    were not there yet."""
    if stage.results.begun:
        rows = stage.rows if newest else those_there(stage.results, stage.rows)
        return rows, decisions(rows)
    rows = [replace(row, place=0) for row in sorted(stage.rows, key=lambda row: row.entrant)]
    return (_by_carried(rows, carried, stage.results.fewest_first) if carried else rows), {}


def _by_carried(rows: Sequence[Standing], carried: Mapping[int, int | str], fewest_first: bool) -> Sequence[Standing]:
    """The rows with the points that were brought along and nothing else, and places by them."""
    points = {row.entrant: Fraction(carried.get(row.entrant, 0)) for row in rows}
    order = sorted(rows, key=lambda row: points[row.entrant], reverse=not fewest_first)
    places = [points[row.entrant] for row in order]
    return [
        replace(
            row,
            place=1 + places.index(points[row.entrant]),
            values={
                name: Value(points[row.entrant]) if name == "points" else each for name, each in row.values.items()
            },
        )
        for row in order
    ]


def decision_words(criterion: str) -> str:
    """What decided against the next row, in a sentence; "" if nothing did."""
    if criterion == "lots":
        return _("decided by lots")
    if criterion == MANUAL:
        return _("decided by the director")
    if criterion == "start":
        return _("decided by the start number")
    return _("ahead by: {criterion}").format(criterion=NAMES[criterion]) if criterion else ""


def _row(
    row: Standing,
    columns: Sequence[str],
    decisive: Mapping[int, str],
    movement: Movement | None,
    left: Container[int],
    prospect: Prospect | None,
) -> StandingRow:
    decided = decisive.get(row.entrant, "")
    first = next(iter(row.values), "")
    return StandingRow(
        row.place,
        row.entrant,
        row.name,
        movement,
        row.entrant in left,
        row.out,
        tuple(
            Figure(name, str(NAMES[name]), figure(name, row.values[name]), name == decided != first) for name in columns
        ),
        "" if decided == first else decision_words(decided),
        decided in columns,
        reach(prospect) if prospect else None,
    )


def _among(of: Among, stage: StageStandings, rows: Sequence[Standing]) -> tuple[list[Standing], Mapping[int, str]]:
    """As `shown_rows`, of these entrants."""
    if stage.results.begun:
        there = among(rows, of.entrants)
        return there, decisions(there)
    return [row for row in rows if row.entrant in of.entrants], {}


def _movements(results: TournamentResults, counted: int, of: Among | None) -> dict[int, Movement]:
    """Nothing after the first round: before it all were equal."""
    now = results.standings(counted)
    before = results.standings(counted - 1) if counted > 1 else None
    if not now or not before:
        return {}
    rows, _decided = shown_rows(now, newest=counted == results.rounds)
    earlier = those_there(before.results, before.rows)
    if of:
        rows, earlier = among(rows, of.entrants), among(earlier, of.entrants)
    up = movements(rows, earlier)
    return {entrant: movement(places) for entrant, places in up.items()} | {
        entrant: movement(None) for entrant in newcomers(now.results)
    }


def movement(places: int | None) -> Movement:
    """How many places somebody went up, negative for down; None for somebody new."""
    if places is None:
        return Movement("new", 0, _("for the first time"))
    if not places:
        return Movement("same", 0, _("same place"))
    count = abs(places)
    if places > 0:
        return Movement("up", count, ngettext("up {n} place", "up {n} places", count).format(n=count))
    return Movement("down", count, ngettext("down {n} place", "down {n} places", count).format(n=count))
