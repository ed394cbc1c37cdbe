"""Points taken off an entrant."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from scorekeeper.events.rounds import Impossible


@dataclass(frozen=True, slots=True)
class Penalty:
    """Points taken off from a round on. `points` is a whole number, or a fraction as text."""

    entrant: int
    round: int
    points: int | str
    reason: str
    cancelled: bool = False
    cancelled_because: str = ""

    def as_json(self) -> dict[str, Any]:
        """As in the tournament file."""
        return {
            "entrant": self.entrant,
            "round": self.round,
            "points": self.points,
            "reason": self.reason,
            "cancelled": self.cancelled,
            **({"cancelled_because": self.cancelled_because} if self.cancelled_because else {}),
        }


def cancelled(penalties: Sequence[Penalty], entry: Mapping[str, Any]) -> tuple[Penalty, ...]:
    """Without the one with this ``number``, from 0. Impossible "no-such-penalty"."""
    number, found = entry["number"], list(penalties)
    if not 0 <= number < len(found):
        raise Impossible("no-such-penalty")
    found[number] = replace(found[number], cancelled=True, cancelled_because=entry.get("reason", ""))
    return tuple(found)
