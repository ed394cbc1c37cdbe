"""The penalties of a tournament, for everybody."""

from dataclasses import dataclass
from fractions import Fraction

from scorekeeper.selectors.events import EventNow
from scorekeeper.selectors.tournaments import entrant_name, tournament_of
from scorekeeper.words import number


@dataclass(frozen=True, slots=True)
class PenaltyShown:
    number: int
    """From 0."""
    name: str
    round: int
    points: str
    """As people write them: 1½."""
    reason: str
    cancelled: bool
    cancelled_because: str


def penalties(snapshot: EventNow) -> list[PenaltyShown]:
    """In the order in which they were given. No query."""
    state = tournament_of(snapshot)
    return [
        PenaltyShown(
            place,
            entrant_name(snapshot, each.entrant),
            each.round,
            number(Fraction(each.points)),
            each.reason,
            each.cancelled,
            each.cancelled_because,
        )
        for place, each in enumerate(state.penalties)
    ]
