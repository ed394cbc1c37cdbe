"""Two pairs of partners a table: which pair is the first, so that everybody is in the first half of the time."""

import random
from collections import Counter
from collections.abc import Sequence
from itertools import islice

from scorekeeper.schedule.search import LOOK, improved

Pair = tuple[int, int]
TwoPairs = tuple[Pair, Pair]

_LOOKS = 20
"""For most schedules, so many; fewer for fewer tables."""
_TURNS = 4
"""So often each table may be turned, where that takes more looks."""
_FEW = 8
"""The search compares with few steps back: whatever is left at the end, it found early, or by luck."""


def halved(tables: Sequence[TwoPairs], rng: random.Random) -> Sequence[TwoPairs]:
    """Pairs of a table changed about until everybody is in the first as often as the seats want it, or as nearly as
    was found."""
    looks = max(min(len(tables), _LOOKS), _TURNS * len(tables) // LOOK)
    state = _Halves(tables)
    *_before, (found, _least) = islice(improved(state, _FEW, rng), looks)
    return found


class _Halves:
    """By how much each player is in the first pair more often than in the second; squares of what is too much."""

    least = 0

    def __init__(self, tables: Sequence[TwoPairs]) -> None:
        self.tables = list(tables)
        games = Counter(player for first, second in tables for player in (*first, *second))
        self.more = Counter(player for first, _second in tables for player in first)
        self.more.subtract(player for _first, second in tables for player in second)
        # Seats differ by one at most: with 4m games nothing is too much, with 4m + 2 two are not.
        self.allowed = {player: (0, 1, 2, 1)[times % 4] for player, times in games.items()}
        self.cost = sum(self._of(*each) for each in self.more.items())
        self._kept = list(tables)
        self._changed: set[int] = set()

    def _of(self, player: int, more: int) -> int:
        return max(0, abs(more) - self.allowed[player]) ** 2

    def try_swap(self, rng: random.Random, limit: int) -> int:
        """The two pairs of a table change."""
        number = int(rng.random() * len(self.tables))
        first, second = self.tables[number]
        more, change = self.more, 0
        for player in first:
            change += self._of(player, more[player] - 2) - self._of(player, more[player])
        for player in second:
            change += self._of(player, more[player] + 2) - self._of(player, more[player])
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
