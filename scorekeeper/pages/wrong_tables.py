"""What pages say of tables of a knock-out at which the wrong people sit, after a correction or before it."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import partial

from django.utils.translation import gettext as _

from scorekeeper import words
from scorekeeper.selectors.events import EventNow
from scorekeeper.selectors.series import series_at
from scorekeeper.selectors.tournaments import entrant_name, standings_now, tournament_of
from scorekeeper.selectors.wrong_tables import WrongTable, wrong_tables
from scorekeeper.standings.calculation import Calculated


@dataclass(frozen=True, slots=True)
class WrongTableShown:
    text: str
    """Who sits there, and who should."""
    round: int
    table: int
    one: int
    """Who has to leave the table; 0 while nobody knows who should sit there."""
    other: int
    """Who takes their place."""
    button: str


def wrong_tables_now(snapshot: EventNow) -> list[WrongTableShown]:
    """No query."""
    return _shown(snapshot, wrong_tables(snapshot, standings_now(snapshot)))


def wrong_tables_then(snapshot: EventNow, then: Calculated) -> list[WrongTableShown]:
    """Those that there would be with these standings, and are not there now. No query."""
    now = wrong_tables(snapshot, standings_now(snapshot))
    return _shown(snapshot, (each for each in wrong_tables(snapshot, then) if each not in now))


def _shown(snapshot: EventNow, found: Iterable[WrongTable]) -> list[WrongTableShown]:
    name = partial(entrant_name, snapshot)
    shown = []
    for each in found:
        place = _("Round {round}, table {table}").format(round=each.round, table=each.table)
        text = _("{place}: {sat} sit there, but by the results it is {due}.")
        number = _next_match(snapshot, each)
        if number:
            text = _("{place}: {sat} sit there, but the series of {due} is not decided: they play match {n}.")
        if not each.due:
            text = _("{place}: {sat} sit there, but who should is not known before another table is over. Abandon it.")
        one, other = each.swap or (0, 0)
        button = _("{other} in place of {one}").format(one=name(one), other=name(other)) if one else ""
        sat, due = (words.listed([*map(name, group)]) if group else "" for group in (each.sat, each.due))
        shown.append(
            WrongTableShown(
                text.format(place=place, sat=sat, due=due, n=number), each.round, each.table, one, other, button
            )
        )
    return shown


def _next_match(snapshot: EventNow, wrong: WrongTable) -> int:
    """The number of the match with which those who should sit there go on; 0 if they do not go on with a series."""
    state = tournament_of(snapshot)
    players = [player for entrant in wrong.due for player in state.entrants[entrant][: state.setup["size"]]]
    for earlier, pairing in state.met_before(wrong.round, players) if wrong.begun else ():
        series = series_at(snapshot, state, earlier, pairing)
        return series.number_of_next if series else 0
    return 0
