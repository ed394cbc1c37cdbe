"""The page of an entrant: rounds, seats, opponents, results, and how each figure of the standings is made up."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games import GAMES
from scorekeeper import words
from scorekeeper.forms.criteria import EXPLAINED
from scorekeeper.models import Club, Event
from scorekeeper.pages.criteria import AMONG_EQUALS, NAMES, UNPLAYED, compared, figure, made_up, origin, parts
from scorekeeper.pages.tournament_standings import PartLink, asking, left_after, part_links
from scorekeeper.selectors.tournament_results import TournamentResults
from scorekeeper.standings.calculation import StageStandings
from scorekeeper.standings.comparison import decisions, those_there
from scorekeeper.standings.criteria import MANUAL, Summand, Value
from scorekeeper.standings.meetings import ending, seated
from scorekeeper.standings.ranking import Standing
from scorekeeper.standings.results import Contest, Turn
from scorekeeper.standings.tournament import Entrant
from scorekeeper.words import number


@dataclass(frozen=True, slots=True)
class Named:
    number: int
    name: str


@dataclass(frozen=True, slots=True)
class RoundLine:
    """What the entrant did in a round."""

    number: int
    table: int | None
    """None without a table."""
    seat: int
    """From 1."""
    partners: tuple[Named, ...]
    opponents: tuple[Named, ...]
    totals: str
    """The own total and those of the others; "" while there is none."""
    result: str
    worth: str
    """What the round was worth; "" while its table is in play."""
    match: int | None


@dataclass(frozen=True, slots=True)
class PartLine:
    value: str
    origin: str
    cut: bool


@dataclass(frozen=True, slots=True)
class SumLine:
    text: str
    """10½ = 4 + 3½ + 3"""
    parts: tuple[PartLine, ...]


@dataclass(frozen=True, slots=True)
class FigureLine:
    criterion: str
    name: str
    explained: str
    text: str
    """Empty if the sum says it."""
    sums: tuple[SumLine, ...]


@dataclass(frozen=True, kw_only=True)
class EntrantPage:
    tournament: Event
    club: Club
    entrant: Named
    about: list[str]
    """Club, rating and, for a team, its players."""
    place: int
    shared: bool
    """Whether others have the same place."""
    of: int
    """The number of entrants."""
    left: bool
    out: bool
    after: int
    newest: bool
    provisional: bool
    part: str
    """The group or the final; "" where there are none."""
    parts: list[PartLink]
    """Their groups and finals."""
    neighbours: list[str]
    """What decided against the one above and the one below."""
    lines: list[RoundLine]
    first_seat: str
    """What who has seat 1 does in the first hand; "" if the tiles decide."""
    figures: list[FigureLine]
    query: str


def entrant_page(results: TournamentResults, stage: StageStandings, entrant: int, after: int | None) -> EntrantPage:
    """The page of one of the entrants of `stage`. No query."""
    counted = stage.results.after
    rows = stage.rows if counted == results.rounds else those_there(stage.results, stage.rows)
    absent = next(replace(row, place=0) for row in stage.rows if row.entrant == entrant)
    row = next((row for row in rows if row.entrant == entrant), absent)
    return EntrantPage(
        tournament=results.event,
        club=results.event.club,
        entrant=Named(entrant, row.name),
        about=_about(stage.results.entrant(entrant)),
        place=row.place,
        shared=sum(other.place == row.place for other in rows) > 1,
        of=len(rows),
        left=entrant in left_after(results, counted),
        out=row.out,
        after=results.numbered(counted),
        newest=counted == results.rounds,
        provisional=not results.event.closed_at and any(each <= counted for each, _table in results.going),
        part=results.name,
        parts=[
            link for link in part_links(results) if entrant in (results.whole.part(link.name) or results).state.entrants
        ],
        neighbours=_neighbours(rows, row),
        lines=[_line(results, stage, entrant, turn) for turn in stage.results.turns[entrant]],
        first_seat=words.first_seat(GAMES[results.state.setup["game"]]),
        figures=[
            _figure(name, value, results, _naming(stage))
            for name, value in row.values.items()
            if name not in ("lots", MANUAL)
        ],
        query=asking("" if after is None else f"after={results.numbered(after)}", results.query),
    )


def _about(entrant: Entrant) -> list[str]:
    rating = [_("rating {n}").format(n=entrant.rating)] if entrant.rating is not None else []
    players = [] if entrant.name == words.together(entrant.players) else [words.listed(entrant.players)]
    return [*([entrant.club] if entrant.club else []), *rating, *players]


def _naming(stage: StageStandings) -> Callable[[int], str]:
    return lambda entrant: stage.results.entrant(entrant).name


def _neighbours(rows: Sequence[Standing], row: Standing) -> list[str]:
    decided = decisions(rows)
    sharing = [other.name for other in rows if other.place == row.place and other != row]
    found = [_("Shares place {n} with {name}.").format(n=row.place, name=words.listed(sharing))] if sharing else []
    for above, below in pairwise(rows):
        if row not in (above, below):
            continue
        if above.place != below.place and (criterion := decided.get(above.entrant)):
            text = _("Ahead of {name} by: {criterion}.") if row is above else _("Behind {name} by: {criterion}.")
            found.append(text.format(name=(below if row is above else above).name, criterion=NAMES[criterion]))
    return found


def _line(results: TournamentResults, stage: StageStandings, entrant: int, turn: Turn) -> RoundLine:
    own = number(stage.results.own[entrant][turn.round - 1])
    contest = turn.contest
    if not contest:
        return RoundLine(results.numbered(turn.round), None, 0, (), (), "", str(UNPLAYED[turn.instead]), own, None)
    index = next(at for at, each in enumerate(stage.results.contests[turn.round - 1]) if each is contest)
    sheet = results.tables(turn.round)[index]
    name = _naming(stage)
    return RoundLine(
        results.numbered(turn.round),
        sheet["table"],
        1 + dict(seated(contest))[entrant],
        tuple(Named(other, name(other)) for other in contest.sides[turn.side] if other != entrant),
        tuple(Named(other, name(other)) for other in turn.others),
        _totals(contest, turn.side),
        outcome(contest, turn.side),
        "" if turn.open else own,
        sheet.get("match"),
    )


def _totals(contest: Contest, side: int) -> str:
    if not contest.played:
        return ""
    others = [total for other, total in enumerate(contest.totals) if other != side]
    return words.totals([contest.totals[side], *others])


_ENDINGS = {
    "open": gettext_lazy("in play"),
    "abandoned": gettext_lazy("abandoned"),
    "did-not-come": gettext_lazy("did not come"),
    "forfeit": gettext_lazy("won by forfeit"),
    "won": gettext_lazy("won"),
    "drawn": gettext_lazy("drawn"),
    "lost": gettext_lazy("lost"),
}


def outcome(contest: Contest, side: int) -> str:
    """How a table ended for a side, in words."""
    if contest.played and contest.place[side] and len(contest.sides) > 2:
        return _("place {n}").format(n=contest.place[side])
    return str(_ENDINGS[ending(contest, side)])


def _figure(criterion: str, value: Value, results: TournamentResults, name: Callable[[int], str]) -> FigureLine:
    """With one sum, or for head to head one for each step."""

    def lines(summands: Sequence[Summand]) -> tuple[PartLine, ...]:
        return tuple(
            PartLine(number(part.value), origin(part, results.numbered(part.round), name), part.cut)
            for part in summands
        )

    text = figure(criterion, value)
    if made := made_up(text, value, _shown):
        text, sums = "", [SumLine(made, lines(parts(value)))]
    else:
        sums = [SumLine(compared(step, name, _shown, number), lines(step.summands)) for step in value.compared]
        if criterion == AMONG_EQUALS and not sums:
            text = _("Nobody else is equal so far.")
    return FigureLine(criterion, str(NAMES[criterion]), str(EXPLAINED[criterion]), text, tuple(sums))


def _shown(part: Summand) -> str:
    return number(part.value)
