"""One hand of a match: how it stands, and how it was counted."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from games.base import Outcome, State, points_of
from games.line import Line
from games.moves import Contract, move_json
from games.record import HandRecord


@dataclass(frozen=True)
class Hand:
    """A hand with its state, and its outcome once it is counted."""

    deal: tuple[int | None, ...] | None
    state: State
    told: Any = None
    """What was said of its end after the moves (``left`` or ``tricks``)."""
    final: Mapping[str, Any] | None = None
    outcome: Outcome | None = None

    @property
    def opener(self) -> int:
        return self.state.opening.opener

    @property
    def moves(self) -> tuple[dict[str, Any], ...]:
        """The moves as they are written in a record."""
        return tuple(move_json(move) for move in self.state.moves)

    @property
    def called(self) -> Contract | None:
        """What the hand is played for; None where nothing is called, or not yet."""
        if self.outcome is not None:
            return self.outcome.called
        return next((move for move in self.state.moves if isinstance(move, Contract)), None)

    @property
    def line(self) -> Line | None:
        """The line of play; None in a game that has none."""
        return self.state.line

    @property
    def record(self) -> HandRecord:
        moves = self.state.moves
        return HandRecord(self.opener, self.deal, moves if moves or self.final is None else None, self.told, self.final)

    @property
    def points(self) -> tuple[int, ...]:
        """Points of each seat, so far if the hand is not counted yet."""
        if self.outcome is not None:
            return self.outcome.points
        return points_of(len(self.state.opening.players), self.state.scores)

    def sheet(self) -> dict[str, Any]:
        """The hand's part of the score sheet: its points with the sums they come from."""
        state, outcome = self.state, self.outcome
        end = outcome.end if outcome else state.end
        scores = outcome.scores if outcome else state.scores
        return {
            "opener": self.opener,
            "points": list(self.points),
            "state": "counted" if outcome else "left" if state.end else "open",
            "end": end._asdict() if end else None,
            "scores": [
                {
                    "seats": list(score.seats),
                    "points": score.points,
                    "reason": score.reason,
                    "terms": [term._asdict() for term in score.terms],
                }
                for score in scores
            ],
            **({"called": self.called._asdict()} if self.called else {}),
        }
