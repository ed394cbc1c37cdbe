"""What a round of mixing costs: the price of each slot for each person.

People are known by their index in a random order, so that chance decides between equals.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain, combinations

from scorekeeper.schedule.meetings import Meetings, pair
from scorekeeper.schedule.seating import Shape, Sides


@dataclass(frozen=True, slots=True)
class Prices:
    """What a slot costs a person, by index."""

    play: Sequence[int]
    """The price of playing, for people who are due a bye; 0 for others."""
    sit_out: Sequence[int]
    """The price of a bye, for people who are due to play; 0 for others. Some people may have 0 in both."""
    partner: Sequence[Sequence[int]]
    opponent: Sequence[Sequence[int]]

    @classmethod
    def of(cls, people: Sequence[int], shapes: Sequence[Shape], meetings: Meetings) -> "Prices":
        order = [meetings.bye_order(player) for player in people]
        byes = len(people) - sum(shape.seats for shape in shapes)
        out, playing = sorted(order)[:byes], sorted(order)[byes:]
        pairs = [[pair(one, other) for other in people] for one in people]
        partners = [[meetings.partners[two] for two in row] for row in pairs]
        opponents = [[meetings.opponents[two] for two in row] for row in pairs]
        met = [[sum(times) for times in zip(*rows, strict=True)] for rows in zip(partners, opponents, strict=True)]
        # More than all meetings at the tables can cost, so that one step outweighs everything below it.
        step = 1 + sum(shape.seats * (shape.seats - 1) for shape in shapes) * max(map(max, met), default=0)
        return cls(
            [step**3 * (bool(playing) and turn < playing[0]) for turn in order],
            [step**3 * (bool(out) and turn > out[-1]) for turn in order],
            _weighted(step**2, partners, met),
            _weighted(step, opponents, met),
        )

    def of_table(self, sides: Sides) -> int:
        """What a table costs with these sides."""
        together = chain.from_iterable(combinations(side, 2) for side in sides)
        against = ((one, other) for a, b in combinations(sides, 2) for one in a for other in b)
        return (
            sum(self.play[person] for side in sides for person in side)
            + sum(self.partner[one][other] for one, other in together)
            + sum(self.opponent[one][other] for one, other in against)
        )


def _weighted(
    weight: int, times: Sequence[Sequence[int]], more: Sequence[Sequence[int]]
) -> tuple[tuple[int, ...], ...]:
    return tuple(
        tuple(weight * often + met for often, met in zip(*rows, strict=True)) for rows in zip(times, more, strict=True)
    )
