"""What a tournament prints: schedule, pairings, standings, cross-table, prize list and certificates, each on A4."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Self

from django.template.loader import render_to_string
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language, gettext_lazy
from django.utils.translation import gettext as _

from games import GAMES
from scorekeeper import words
from scorekeeper.drawing.bracket_pieces import Room
from scorekeeper.events.rounds import Round
from scorekeeper.events.setup import MOST_PRIZES
from scorekeeper.live.parts import shared
from scorekeeper.live.topics import Topic
from scorekeeper.models import Club, Event
from scorekeeper.names import alphabetical
from scorekeeper.pages import context
from scorekeeper.pages.bracket import sheets_of
from scorekeeper.pages.sheets import PrintedSheet
from scorekeeper.pages.tournament_prizes import prize_words
from scorekeeper.pages.tournament_standings import StandingRow, StandingsShown, standings_shown
from scorekeeper.pages.tournament_tables import CrossTables, Grid, cross_tables
from scorekeeper.selectors.events import in_play
from scorekeeper.selectors.tournament_categories import Among, categories, clubs
from scorekeeper.selectors.tournament_results import TournamentResults

ACROSS = 16  # columns of a cross-table that fit on a page
SHEET = Room(columns=4, height=612)  # of a bracket on A4


@dataclass(frozen=True, slots=True)
class Wanted:
    """What to print; each paper reads what it needs."""

    after: int | None
    """The round after which standings are asked for; None for now."""
    round: int | None
    """None for the one that is played, or that comes next."""
    places: int
    """How many get a prize or a certificate."""
    of: Among | None
    """Whose standings; None: everybody's."""
    clubs: bool
    """Whether the best of each club get one, too."""
    host: bool
    """Whether drafts may be shown, and rounds to come as they are planned instead of as they were released."""


@dataclass(frozen=True, slots=True)
class Whereabouts:
    """Where an entrant is in a round."""

    name: str
    table: str
    """"" without a table."""
    seat: int
    """From 1; 0 without a table."""
    instead: str
    """Why they have no table."""


@dataclass(frozen=True, slots=True)
class PrintedTable:
    number: str
    sides: tuple[str, ...]
    """The names of each side."""


@dataclass(frozen=True, slots=True)
class PrintedRound:
    number: int
    tables: tuple[PrintedTable, ...]
    byes: tuple[str, ...]
    away: tuple[str, ...]
    """Who asked not to play in it."""
    note: str
    """Whether it is a draft or to come; "" once it is seated."""
    everybody: tuple[Whereabouts, ...]
    """By name."""


@dataclass(frozen=True, slots=True)
class Schedule:
    rounds: list[PrintedRound]
    first_named: str = ""
    """What the first named of a table does in the first hand; "" if the tiles decide."""


@dataclass(frozen=True, slots=True)
class PrintedBracket:
    pages: list[tuple[str, SafeString]]
    """Each with its heading: the name of its group or final, and which sheet of several it is; else ""."""


@dataclass(frozen=True, slots=True)
class Best:
    """The best of a category or a club: one row, or several who share the first place."""

    of: Among
    rows: list[StandingRow]


@dataclass(frozen=True, slots=True)
class Prizes:
    rows: list[StandingRow]
    best: list[Best]
    columns: list[str]
    of: int
    open_tables: int
    """How many results can still change without a director; until then, the places are provisional."""


@dataclass(frozen=True, slots=True)
class Printed:
    """A table of each group and final, already drawn."""

    tables: list[SafeString]

    @classmethod
    def of(cls, template: str, tables: Iterable[StandingsShown | CrossTables]) -> Self:
        return cls([mark_safe(render_to_string(template, context(each))) for each in tables])  # noqa: S308 (ours)


@dataclass(frozen=True, kw_only=True)
class PrintPage:
    """The list of everything that can be printed."""

    tournament: Event
    club: Club
    papers: list[tuple[str, str]]
    """Slug and title."""
    categories: list[Among]
    """They have standings of their own."""
    clubs: list[Among]
    rounds: list[int]
    """The rounds whose pairings can be printed, the newest first."""
    current: int
    """The one of them that is played, or that comes next."""
    entrants: int
    usual_places: int
    most_places: int
    host: bool


@dataclass(frozen=True, kw_only=True)
class PaperPage:
    tournament: Event
    club: Club
    title: str
    provisional: bool
    """Whether it shows standings that may still change."""
    shown: SafeString
    """The paper, already drawn."""


@dataclass(frozen=True, kw_only=True)
class SheetsPage:
    """Score sheets with names for the newest round, once a director has asked for them."""

    tournament: Event
    club: Club
    round: int
    waiting: int
    """How many tables of the round still play."""
    sheets: list[PrintedSheet]
    leads: bool = True
    """Whether the sheets say what the first one does in the first hand."""


def print_page(results: TournamentResults, *, host: bool) -> PrintPage:
    rounds = _rounds(results, host=host)
    without = WITH_FIELDS | (frozenset() if results.state.knock_out else {"bracket"})
    return PrintPage(
        tournament=results.event,
        club=results.event.club,
        papers=[(slug, str(title)) for slug, (title, *_rest) in PAPERS.items() if slug not in without],
        categories=categories(results.state),
        clubs=clubs(results.state),
        rounds=[each.number for each in reversed(rounds) if each.tables],
        current=_current(results, rounds),
        entrants=len(results.state.entrants),
        usual_places=results.state.setup["prizes"],
        most_places=MOST_PRIZES,
        host=host,
    )


def paper_page(results: TournamentResults, slug: str, wanted: Wanted) -> PaperPage:
    """The paper with this slug of PAPERS. Draws it only if nobody has asked for it since the last change."""
    title, template, make, of_standings = PAPERS[slug]
    event = results.event

    def draw(_before: SafeString | None) -> SafeString:
        head = {"title": title, "tournament": event, "club": event.club}
        text = render_to_string(template, head | context(make(results, wanted)))
        return mark_safe(text)  # noqa: S308 (drawn by our own template)

    kept = shared(Topic.of_event(event), "paper", slug, repr(wanted), get_language() or "")
    return PaperPage(
        tournament=event,
        club=event.club,
        title=str(title),
        provisional=of_standings and event.closed_at is None,
        shown=kept.of(results.version, draw),
    )


# --- the papers --------------------------------------------------------------------------------------------
def _schedule(results: TournamentResults, wanted: Wanted) -> Schedule:
    return Schedule(_rounds(results, host=wanted.host))


def _pairings(results: TournamentResults, wanted: Wanted) -> Schedule:
    """One round; none if nobody may see it yet."""
    rounds = _rounds(results, host=wanted.host)
    number = wanted.round or _current(results, rounds)
    first = words.first_seat(GAMES[results.state.setup["game"]])
    return Schedule([each for each in rounds if each.number == number], first)


def _standings(results: TournamentResults, wanted: Wanted) -> Printed:
    """Those after an earlier round, or of some, only where there are no groups."""
    shown = (
        [standings_shown(results, wanted.after, wanted.of)]
        if len(results.parts) == 1
        else [standings_shown(part) for part in results.newest_first]
    )
    return Printed.of("scorekeeper/_print_standings_of.html", shown)


def _cross_table(results: TournamentResults, wanted: Wanted) -> Printed:
    """Wide tables are continued below each other."""
    return Printed.of("scorekeeper/_print_cross_table_of.html", (_narrow(cross_tables(each)) for each in results.parts))


def _narrow(tables: CrossTables) -> CrossTables:
    grids = [part for grid in tables.grids for part in _parts(grid)]
    return replace(tables, grids=grids, entrants_at="")


def _bracket(results: TournamentResults, wanted: Wanted) -> PrintedBracket:
    """The sheets of the newest finals first."""
    found = [(part.name, sheets_of(part.snapshot, SHEET)) for part in results.newest_first]
    return PrintedBracket([each for name, sheets in found for each in _headed(name, sheets)])


def _headed(name: str, sheets: Sequence[SafeString]) -> Iterator[tuple[str, SafeString]]:
    for number, sheet in enumerate(sheets, 1):
        of = _("Sheet {n} of {all}").format(n=number, all=len(sheets)) if len(sheets) > 1 else ""
        yield " · ".join(filter(None, (name, of))), sheet


def _parts(grid: Grid) -> Iterable[Grid]:
    for start in range(0, len(grid.columns), ACROSS):
        here = slice(start, start + ACROSS)
        lines = tuple(replace(line, cells=line.cells[here]) for line in grid.lines)
        yield Grid(grid.title, grid.columns[here], lines)


def _prizes(results: TournamentResults, wanted: Wanted) -> Prizes:
    """Those with one of the first places, and who shares their prize money, the best first; then the best of each
    category."""
    shown, paid = _of_all(results), prize_words(results)
    shares = paid if wanted.places >= results.state.setup["prizes"] else {}
    rows = [
        replace(row, prize=paid.get(row.entrant, ""))
        for row in shown.rows
        if not row.out and (0 < row.place <= wanted.places or row.entrant in shares)
    ]
    groups = [*categories(results.state), *(clubs(results.state) if wanted.clubs else [])]
    best = [Best(each, _first_of(each, shown.rows)) for each in groups]
    if not results.rounds:
        rows, best = [], []
    return Prizes(rows, [each for each in best if each.rows], shown.columns, len(shown.rows), shown.open_tables)


def _of_all(results: TournamentResults) -> StandingsShown:
    """Everybody: where there are finals, with nothing but their places."""
    if len(results.parts) == 1:
        return standings_shown(results)
    shown = standings_shown(results.newest_first[0])
    rows = [StandingRow.of_place(row) for row in results.places] if results.begun else []
    return replace(shown, rows=rows, columns=[], open_tables=len(results.going))


def _first_of(of: Among, rows: Iterable[StandingRow]) -> list[StandingRow]:
    """Those of them who have the best place, if anybody has one."""
    placed = [row for row in rows if row.entrant in of.entrants and row.place and not row.out]
    return [row for row in placed if row.place == placed[0].place]


Make = Callable[[TournamentResults, Wanted], Any]
PAPERS: Mapping[str, tuple[Any, str, Make, bool]] = {
    "schedule": (gettext_lazy("Schedule"), "scorekeeper/_print_schedule.html", _schedule, False),
    "pairings": (gettext_lazy("Pairings"), "scorekeeper/_print_pairings.html", _pairings, False),
    "standings": (gettext_lazy("Standings"), "scorekeeper/_print_standings.html", _standings, True),
    "cross-table": (gettext_lazy("Who met whom"), "scorekeeper/_print_cross_table.html", _cross_table, True),
    "bracket": (gettext_lazy("Bracket"), "scorekeeper/_print_bracket.html", _bracket, False),
    "prizes": (gettext_lazy("Prize list"), "scorekeeper/_print_prizes.html", _prizes, True),
    "certificates": (gettext_lazy("Certificates"), "scorekeeper/_print_certificates.html", _prizes, True),
}
"""By the last part of their address: title, template, what makes the values, and whether they show standings."""
WITH_FIELDS = frozenset({"pairings", "prizes", "certificates"})
"""They have a form on the list of papers."""


# --- rounds ------------------------------------------------------------------------------------------------
def _current(results: TournamentResults, rounds: Sequence[PrintedRound]) -> int:
    """The newest round that is seated while it is played, then the next one, if that is among these."""
    newest = results.rounds
    going = any(in_play(match) for (number, _table), match in results.snapshot.at_tables.items() if number == newest)
    return newest if going else min(newest + 1, max(len(rounds), 1))


def _rounds(results: TournamentResults, *, host: bool) -> list[PrintedRound]:
    """The rounds that are seated, and those to come: for hosts with the draft, for others as they were released."""
    state = results.state
    found = [_seated(results, number) for number in range(1, results.rounds + 1)]
    if host and state.draft:
        found.append(_drawn(results, len(found) + 1, state.draft, _("draft")))
    for number in range(len(found) + 1, state.rounds_in_all(public=not host) + 1):
        found.append(_drawn(results, number, state.round_to_come(number, public=not host), _("to come")))
    return found


def _drawn(results: TournamentResults, number: int, drawn: Round, note: str) -> PrintedRound:
    state = results.state
    tables = [(str(each.table), state.sides_of(each.game, each.players)) for each in drawn.pairings]
    byes = dict.fromkeys(state.numbers[player] for player in drawn.byes)
    return _printed(results, number, tables, byes, note)


def _seated(results: TournamentResults, number: int) -> PrintedRound:
    seated = [(str(sheet["table"]), sheet["sides"]) for sheet in results.tables(number)]
    return _printed(results, number, seated, [each["entrant"] for each in results.unplayed(number)], "")


def _printed(
    results: TournamentResults,
    number: int,
    tables: Sequence[tuple[str, Sequence[Sequence[int]]]],
    byes: Iterable[int],
    note: str,
) -> PrintedRound:
    names = results.names
    seated = [
        Whereabouts(names[entrant], table, position * len(sides) + side + 1, "")
        for table, sides in tables
        for side, entrants in enumerate(sides)
        for position, entrant in enumerate(entrants)
    ]
    sitting_out = [names[each] for each in byes]
    # A wish may be younger than a round that was released.
    here = {*sitting_out, *(each.name for each in seated)}
    away = [name for name in map(names.__getitem__, results.state.away(number)) if name not in here]
    everybody = [
        *seated,
        *(Whereabouts(name, "", 0, _("bye")) for name in sitting_out),
        *(Whereabouts(name, "", 0, _("does not play")) for name in away),
    ]
    return PrintedRound(
        number,
        tuple(
            PrintedTable(table, tuple(" + ".join(names[each] for each in side) for side in sides))
            for table, sides in tables
        ),
        tuple(sitting_out),
        tuple(away),
        note,
        tuple(sorted(everybody, key=lambda each: alphabetical(each.name))),
    )
