"""The top of a tournament's file, before its matches."""

from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from datetime import date

from scorekeeper.pages import context
from scorekeeper.pages.tournament import TournamentShown, tournament_shown
from scorekeeper.pages.tournament_standings import StandingsShown, standings_shown
from scorekeeper.pages.tournament_tables import Grid, cross_tables
from scorekeeper.selectors.events import EventNow
from scorekeeper.selectors.tournament_results import TournamentResults


@dataclass(frozen=True, kw_only=True)
class TournamentHead(TournamentShown):
    day: date
    final: StandingsShown
    grids: list[Grid]
    legend: list[str]
    with_sheet: AbstractSet[int]
    """The ids of the matches that follow in the file."""


def tournament_head(snapshot: EventNow, day: date, with_sheet: AbstractSet[int]) -> TournamentHead:
    """The rounds in their order, and no links."""
    results = TournamentResults(snapshot, snapshot.newest)
    final, shown, tables = standings_shown(results), tournament_shown(snapshot), cross_tables(results)
    return TournamentHead(
        **context(replace(shown, rounds=shown.rounds[::-1])),
        day=day,
        final=replace(final, rows=[replace(row, movement=None) for row in final.rows]),
        grids=tables.grids,
        legend=tables.legend,
        with_sheet=with_sheet,
    )
