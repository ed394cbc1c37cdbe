"""How far a correction reaches in its tournament: places, prizes, rounds."""

from dataclasses import dataclass

import games
from scorekeeper.models import Event, Match
from scorekeeper.selectors.events import EventNow, results_now
from scorekeeper.selectors.standings import Seated
from scorekeeper.selectors.tournaments import standings_if, standings_now, tournament_of
from scorekeeper.standings.calculation import Calculated
from scorekeeper.standings.comparison import Moved, moved


@dataclass(frozen=True, slots=True)
class Reach:
    moved: list[Moved]
    """By their new place."""
    prize_places: int
    prizes: list[Moved]
    """Those of them who get one of these places, and had none of them."""
    without: list[Moved]
    """Those who had one, and get none."""
    redraw: int
    """The number of a round to come that was drawn from the results; 0 if there is none."""


def reach_of(match: Match, after: games.Match, seats: Seated | None = None) -> Reach | None:
    """If the match became `after`; None for a match of no tournament. `seats` as in `standings_if`. Five queries."""
    event = match.event
    if event is None or event.kind != Event.Kind.TOURNAMENT:
        return None
    snapshot = results_now(event)
    return reach(snapshot, standings_if(snapshot, match, after.sheet(), seats))


def reach(snapshot: EventNow, then: Calculated) -> Reach:
    """From the standings now to those `then`. No query."""
    before = standings_now(snapshot)
    changed = [
        each for one, other in zip(then.stages, before.stages, strict=True) for each in moved(one.rows, other.rows)
    ]
    state = tournament_of(snapshot)
    prizes = state.setup["prizes"]
    gets = [each for each in changed if each.reaches(prizes)]
    redraw = state.next_to_draw if state.plan else 0
    return Reach(changed, prizes, gets, [each for each in changed if each.loses(prizes)], redraw)
