"""How far a correction reaches in its tournament: places, prizes, rounds."""

from dataclasses import dataclass

import games
from scorekeeper.models import Event, Match
from scorekeeper.pages.wrong_tables import WrongTableShown, wrong_tables_then
from scorekeeper.selectors.events import EventNow, results_now
from scorekeeper.selectors.standings import Seated
from scorekeeper.selectors.tournaments import standings_if, standings_now, tournament_of
from scorekeeper.standings.calculation import Calculated
from scorekeeper.standings.comparison import Moved, moved
from scorekeeper.standings.ranking import Standing


@dataclass(frozen=True, slots=True)
class Reach:
    moved: list[Moved]
    """By their new place."""
    prize_places: int
    prizes: list[Moved]
    """Those of them who get one of these places, and had none of them."""
    without: list[Moved]
    """Those who had one, and get none."""
    finals: bool
    """Whether finals have begun from the standings before."""
    redraw: int
    """The number of a round to come that was drawn from the results; 0 if there is none."""
    wrong_tables: list[WrongTableShown]
    """Where the wrong people would sit then, in a knock-out."""


def reach_of(match: Match, after: games.Match, seats: Seated | None = None) -> Reach | None:
    """If the match became `after`; None for a match of no tournament. `seats` as in `standings_if`. Five queries."""
    event = match.event
    if event is None or event.kind != Event.Kind.TOURNAMENT:
        return None
    snapshot = results_now(event)
    return reach(snapshot, standings_if(snapshot, match, after.sheet(), seats), match.round or 0)


def reach(snapshot: EventNow, then: Calculated, round_number: int) -> Reach:
    """From the standings now to those `then`, by a change in this round. Prizes are for places in the whole tournament.
    No query."""
    before = standings_now(snapshot)
    changed = [
        each for one, other in zip(then.stages, before.stages, strict=True) for each in moved(one.rows, other.rows)
    ]
    state = tournament_of(snapshot)
    prizes = state.setup["prizes"]
    in_all = moved(*([Standing(*row) for row in each.overall] for each in (then, before)))
    gets, without = ([each for each in in_all if test(each, prizes)] for test in (Moved.reaches, Moved.loses))
    finals = round_number <= state.rounds_before
    redraw = state.next_to_draw if state.plan and not finals else 0
    return Reach(changed, prizes, gets, without, finals, redraw, wrong_tables_then(snapshot, then))
