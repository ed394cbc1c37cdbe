"""The penalties of a tournament or a league, for everybody."""

from dataclasses import dataclass
from fractions import Fraction

from scorekeeper.events import League, Tournament
from scorekeeper.selectors.events import EventNow
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
    state = snapshot.state
    assert isinstance(state, Tournament | League), "no other event has penalties"
    return [
        PenaltyShown(
            place,
            state.named(each.entrant, snapshot.name),
            each.round,
            number(Fraction(each.points)),
            each.reason,
            each.cancelled,
            each.cancelled_because,
        )
        for place, each in enumerate(state.penalties)
    ]
