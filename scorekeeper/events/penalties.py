"""Points taken off an entrant."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from scorekeeper.events.rounds import Impossible
from scorekeeper.standings.reading import AVERAGE


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


def most_points(worth: Mapping[str, Any], rounds: int) -> Fraction | None:
    """The most points that anybody can have after so many rounds, which no penalty takes more than; None by score."""
    if worth["by"] == "score":
        return None
    places = (value for values in worth.get("places", {}).values() for value in values)
    values = (value for name, value in worth.items() if name not in ("by", "places"))
    return rounds * max(Fraction(value) for value in (*values, *places) if value != AVERAGE)


def cancelled(penalties: Sequence[Penalty], entry: Mapping[str, Any]) -> tuple[Penalty, ...]:
    """Without the one with this ``number``, from 0. Impossible "no-such-penalty"."""
    number, found = entry["number"], list(penalties)
    if not 0 <= number < len(found):
        raise Impossible("no-such-penalty")
    found[number] = replace(found[number], cancelled=True, cancelled_because=entry.get("reason", ""))
    return tuple(found)
