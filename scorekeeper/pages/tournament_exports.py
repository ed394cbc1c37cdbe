"""The standings and the results of a tournament as rows of a table, for spreadsheets."""

from collections.abc import Iterator
from decimal import ROUND_HALF_EVEN, Decimal
from fractions import Fraction

from scorekeeper.models import Event
from scorekeeper.pages.tournament_prizes import prizes
from scorekeeper.selectors.events import results_now
from scorekeeper.selectors.tournament_categories import categories
from scorekeeper.selectors.tournament_results import Sheet, TournamentResults
from scorekeeper.standings.criteria import Value
from scorekeeper.standings.exact import Number
from scorekeeper.standings.meetings import ending
from scorekeeper.standings.results import Contest, Results

Row = list[str | int | Decimal]
RESULTS = [
    "round",
    "table",
    "side",
    "entrants",
    "names",
    "leads",
    "total",
    "place",
    "points",
    "result",
    "match",
]
PLACES = Decimal("0.0001")  # of numbers that have no end as decimals


def tables(event: Event) -> dict[str, Iterator[Row]]:
    """The standings at the end and all results, by the names of their files."""
    results = TournamentResults(results_now(event), 0)
    return {"standings.csv": all_standings_rows(results), "results.csv": results_rows(results)}


def all_standings_rows(results: TournamentResults) -> Iterator[Row]:
    """As `standings_rows`. Groups and finals come one after the other, with a column for their name and the columns of
    all of them."""
    if len(results.parts) == 1:
        yield from standings_rows(results, None)
        return
    found = [(part.name, [*standings_rows(part, None)]) for part in results.parts]
    columns = [*dict.fromkeys(column for _name, (head, *_rows) in found for column in head)]
    yield ["stage", *columns]
    for name, (head, *rows) in found:
        for row in rows:
            cells = dict(zip(head, row, strict=True))
            yield [name, *(cells.get(column, "") for column in columns)]


def standings_rows(results: TournamentResults, after: int | None) -> Iterator[Row]:
    """The names of the columns, then an entrant a row, by place; the final ones with the prizes, each in the last
    stage that its entrant reached."""
    order: list[str] = results.state.setup["order"]
    groups = categories(results.state)
    decided = results.whole.last_parts
    final = after is None and results.event.closed_at is not None
    paid = {each: money for each, money in prizes(results.whole).items() if final and decided[each] is results}
    more = [*(["categories"] if groups else []), *(["prize"] if paid else [])]
    yield ["place", "start number", "name", "players", "club", "rating", "left", "too few tables", *order, *more]
    stage = results.standings(after)
    if not stage:
        return
    for row in stage.rows:
        entrant = stage.results.entrant(row.entrant)
        yield [
            row.place,
            row.entrant,
            row.name,
            " + ".join(entrant.players),
            entrant.club or "",
            "" if entrant.rating is None else entrant.rating,
            _yes(row.entrant in results.state.withdrawn),
            _yes(row.out),
            *(_value(row.values[name]) for name in order),
            *([", ".join(each.name for each in groups if row.entrant in each.entrants)] if groups else []),
            *([paid.get(row.entrant, "")] if paid else []),
        ]


def results_rows(results: TournamentResults) -> Iterator[Row]:
    """The names of the columns, then a side of a table a row; after each round, who had no table. Groups and finals
    come one after the other, with a column for their name."""
    several = len(results.parts) > 1
    yield [*(["stage"] if several else []), *RESULTS]
    for part in results.parts:
        for row in _results_of(part):
            yield [*([part.name] if several else []), *row]


def _results_of(results: TournamentResults) -> Iterator[Row]:
    """Rounds have their numbers in the whole tournament."""
    stage, before = results.standings(), results.snapshot.rounds_before
    if not stage:
        return
    for number, contests in enumerate(stage.results.contests, 1):
        for contest, sheet in zip(contests, results.tables(number), strict=True):
            yield from _sides(stage.results, number, before, contest, sheet)
        for entrant, kind in stage.results.stage.rounds[number - 1].unplayed.items():
            who = [str(entrant), stage.results.entrant(entrant).name]
            own = decimal(stage.results.own[entrant][number - 1])
            yield [number + before, "", "", *who, "", "", "", own, str(kind), ""]


def _sides(results: Results, number: int, before: int, contest: Contest, sheet: Sheet) -> Iterator[Row]:
    for side, entrants in enumerate(contest.sides):
        total = contest.totals[side]
        yield [
            number + before,
            sheet["table"],
            side + 1,
            " + ".join(map(str, entrants)),
            " + ".join(results.entrant(each).name for each in entrants),
            _yes(side == 0),
            "" if total is None else total,
            contest.place[side] or "",
            decimal(results.own[entrants[0]][number - 1]) if contest.over else "",
            ending(contest, side),
            sheet.get("match", ""),
        ]


def _yes(value: bool) -> str:
    return "yes" if value else ""


def decimal(value: Number) -> Decimal | int:
    """For spreadsheets, which would read 3/2 as a date. Rounded only if it has no end."""
    if isinstance(value, int):
        return value
    exact = Decimal(value.numerator) / Decimal(value.denominator)
    return exact if Fraction(exact) == value else exact.quantize(PLACES, ROUND_HALF_EVEN)


def _value(value: Value) -> str | int | Decimal:
    found = value.value
    return "" if found is None else found if isinstance(found, str) else decimal(found)
