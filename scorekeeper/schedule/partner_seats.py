"""Seats of partners: which pair of a table sits in seats 0 and 2, so that everybody sits there half of the time."""

import random
from collections import Counter
from collections.abc import Sequence
from itertools import islice

from scorekeeper.schedule.euler import Pair
from scorekeeper.schedule.late_acceptance import STEPS_PER_REPORT, improve

TwoPairs = tuple[Pair, Pair]
"""The pair in seats 0 and 2, then the pair in seats 1 and 3."""

_REPORTS = 20
"""The length of the search, in reports of 2,000 steps; shorter with fewer tables."""
_STEPS_PER_TABLE = 4
"""The length of the search if this makes it longer."""
_MEMORY = 96
"""Late acceptance compares with this many steps ago. More do not help: it succeeds early, or by luck."""


def balanced(tables: Sequence[TwoPairs], rng: random.Random) -> Sequence[TwoPairs]:
    """The same tables. At some the pairs change seats, so that everybody is in the first pair half of the time, or as
    nearly as the search found."""
    reports = max(min(len(tables), _REPORTS), _STEPS_PER_TABLE * len(tables) // STEPS_PER_REPORT)
    *_earlier, found = islice(improve(_Pairs(tables), _MEMORY, rng), reports)
    return found.best


class _Pairs:
    """How much more often each player is in the first pair than in the second. The cost: squares of the excess."""

    least = 0

    def __init__(self, tables: Sequence[TwoPairs]) -> None:
        self.tables = list(tables)
        games = Counter(player for first, second in tables for player in (*first, *second))
        self.more = Counter(player for first, _second in tables for player in first)
        self.more.subtract(player for _first, second in tables for player in second)
        # Seats may differ by one. So with 4m games the difference must be 0, with 4m + 2 games it may be 2.
        self.allowed = {player: (0, 1, 2, 1)[times % 4] for player, times in games.items()}
        self.cost = sum(self._price(player, more) for player, more in self.more.items())
        self._kept = list(tables)
        self._changed: set[int] = set()

    def _price(self, player: int, more: int) -> int:
        return max(0, abs(more) - self.allowed[player]) ** 2

    def try_change(self, rng: random.Random, limit: int) -> int:
        """The two pairs of a table change seats."""
        number = int(rng.random() * len(self.tables))
        first, second = self.tables[number]
        more, change = self.more, 0
        for player in first:
            change += self._price(player, more[player] - 2) - self._price(player, more[player])
        for player in second:
            change += self._price(player, more[player] + 2) - self._price(player, more[player])
        if change <= 0 or self.cost + change <= limit:
            for player in first:
                more[player] -= 2
            for player in second:
                more[player] += 2
            self.tables[number] = second, first
            self.cost += change
            self._changed.add(number)
        return self.cost

    def keep(self) -> None:
        for number in self._changed:
            self._kept[number] = self.tables[number]
        self._changed.clear()

    def best(self) -> Sequence[TwoPairs]:
        return self._kept
