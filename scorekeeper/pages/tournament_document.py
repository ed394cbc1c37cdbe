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
    finals: list[StandingsShown]
    """Of each group and final."""
    grids: list[Grid]
    legend: list[str]
    with_sheet: AbstractSet[int]
    """The ids of the matches that follow in the file."""


def tournament_head(snapshot: EventNow, day: date, with_sheet: AbstractSet[int]) -> TournamentHead:
    """The rounds in their order, and no links."""
    results = TournamentResults(snapshot, snapshot.newest)
    shown, found = tournament_shown(snapshot), results.parts
    tables = [cross_tables(part) for part in found]
    return TournamentHead(
        **context(replace(shown, rounds=shown.rounds[::-1])),
        day=day,
        finals=[_without_movement(standings_shown(part)) for part in results.newest_first],
        grids=[grid for each in tables for grid in each.grids],
        legend=tables[-1].legend,
        with_sheet=with_sheet,
    )


def _without_movement(shown: StandingsShown) -> StandingsShown:
    return replace(shown, rows=[replace(row, movement=None) for row in shown.rows])
