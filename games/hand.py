"""One hand of a match: its state and its outcome."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from games.base import Outcome, State, points_of
from games.line import Line
from games.moves import Contract, move_json
from games.record import HandRecord


@dataclass(frozen=True, slots=True)
class Hand:
    """A hand with its state, and with its outcome once it is counted."""

    deal: tuple[int | None, ...] | None
    state: State
    ending: Any = None
    """What was entered after the moves, by the game's ``ending_key``: ``left`` or ``tricks``."""
    final: Mapping[str, Any] | None = None
    outcome: Outcome | None = None

    @property
    def opener(self) -> int:
        return self.state.opening.opener

    @property
    def moves(self) -> tuple[dict[str, Any], ...]:
        """The moves as JSON, as in a record."""
        return tuple(move_json(move) for move in self.state.moves)

    @property
    def called(self) -> Contract | None:
        """The contract; None in a game without contracts, or if nobody has called one yet."""
        if self.outcome is not None:
            return self.outcome.called
        return next((move for move in self.state.moves if isinstance(move, Contract)), None)

    @property
    def line(self) -> Line | None:
        """The line of play; None in a game without one."""
        return self.state.line

    @property
    def record(self) -> HandRecord:
        only_final = self.final is not None and not self.state.moves
        return HandRecord(self.opener, self.deal, None if only_final else self.state.moves, self.ending, self.final)

    @property
    def points(self) -> tuple[int, ...]:
        """The points of each seat: of the outcome, or in play so far if the hand is not counted yet."""
        if self.outcome is not None:
            return self.outcome.points
        return points_of(len(self.state.opening.players), self.state.scores)

    def sheet(self) -> dict[str, Any]:
        """The hand on the score sheet: its points, and the terms they come from."""
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
