"""How often everybody meets everybody, pair by pair, and how many pairs that is."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import Any

from scorekeeper.schedule.seating import Schedule

Pair = tuple[int, int]
"""Two players, the lower number first."""


@dataclass(frozen=True)
class Frequencies:
    """By how often it happens: to how many pairs, or to how many players."""

    meet: Mapping[int, int]
    partner: Mapping[int, int]
    """Empty without partners; so is `oppose`."""
    oppose: Mapping[int, int]
    byes: Mapping[int, int]

    def as_json(self) -> dict[str, list[list[int]]]:
        return {name: sorted(map(list, getattr(self, name).items())) for name in self.__dataclass_fields__}

    @classmethod
    def of(cls, value: Mapping[str, Any]) -> "Frequencies":
        return cls(**{name: dict(value[name]) for name in cls.__dataclass_fields__})


@dataclass(frozen=True)
class Tally:
    """How often each pair meets, and each player has a bye. What never happens is not there."""

    players: int
    partners: bool
    meet: Counter[Pair]
    partner: Counter[Pair]
    byes: Counter[int]

    @cached_property
    def oppose(self) -> Counter[Pair]:
        return self.meet - self.partner

    @cached_property
    def frequencies(self) -> Frequencies:
        pairs = self.players * (self.players - 1) // 2
        return Frequencies(
            _frequency(self.meet, pairs),
            _frequency(self.partner, pairs) if self.partners else {},
            _frequency(self.oppose, pairs) if self.partners else {},
            _frequency(self.byes, self.players),
        )


def tally(schedule: Schedule) -> Tally:
    """Counts a schedule. Its seats need not be settled, only who sits opposite whom."""
    meet: Counter[Pair] = Counter()
    partner: Counter[Pair] = Counter()
    byes: Counter[int] = Counter()
    for seating in schedule.rounds:
        byes.update(seating.byes)
        for table in seating.tables:
            meet.update(combinations(sorted(table), 2))
            if schedule.format.partners:
                partner.update(tuple(sorted(side)) for side in (table[0::2], table[1::2]))  # type: ignore[misc]
    return Tally(schedule.players, schedule.format.partners, meet, partner, byes)


def _frequency(times: Mapping[Any, int], of: int) -> Mapping[int, int]:
    """How often each number of times occurs among this many, most of which may have none."""
    found = Counter(times.values())
    never = of - sum(found.values())
    return {**({0: never} if never else {}), **dict(sorted(found.items()))}
