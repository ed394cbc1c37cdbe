"""Two players at a table: who is first at new tables, so that everybody takes turns at being first and second."""

import random
from collections import defaultdict
from collections.abc import Iterable, Sequence
from itertools import islice, pairwise

from scorekeeper.schedule.late_acceptance import STEPS_PER_REPORT, improve
from scorekeeper.schedule.seating import Seating

_UNEVEN, _BREAK = 4, 1
"""The price of being first once too often or too seldom, and of being first (or second) twice in a row."""
_STEPS_PER_TABLE = 100
_MOST_REPORTS = 50
"""The longest search, in reports of 2,000 steps."""
_MEMORY = 12
"""Late acceptance compares with this many steps ago, for each player."""


def alternated(rounds: Sequence[Seating], new: Sequence[tuple[int, int]], rng: random.Random) -> tuple[Seating, ...]:
    """The same rounds, with sides exchanged at some of the ``new`` tables (each a round and its index). Never less
    even than before."""
    if not new:
        return tuple(rounds)
    state = _Sides(rounds, new)
    reports = min(_MOST_REPORTS, 1 + len(new) * _STEPS_PER_TABLE // STEPS_PER_REPORT)
    *_earlier, found = islice(improve(state, _MEMORY * len(state.games), rng), 1 + reports)
    return found.best


class _Sides:
    """Who is first at each table."""

    least = 0

    def __init__(self, rounds: Sequence[Seating], new: Sequence[tuple[int, int]]) -> None:
        self.rounds = rounds
        self.games: defaultdict[int, list[int]] = defaultdict(list)
        """The matches of each player in order: 1 where they are first, -1 where they are second."""
        matches = {}
        for number, seating in enumerate(rounds):
            for index, table in enumerate(seating.tables):
                matches[number, index] = [(player, len(self.games[player])) for player in table]
                for player, side in zip(table, (1, -1), strict=True):
                    self.games[player].append(side)
        self.new = {at: matches[at] for at in new}
        self.open = [*self.new.values()]
        self.uneven = {player: sum(sides) for player, sides in self.games.items()}
        breaks = sum(one == other for sides in self.games.values() for one, other in pairwise(sides))
        self.cost = _BREAK * breaks + sum(map(_uneven_price, self.uneven.values()))
        self.keep()

    def try_change(self, rng: random.Random, limit: int) -> int:
        """The two players of a table change sides."""
        table = self.open[int(rng.random() * len(self.open))]
        cost = self.cost + self._exchange(table)
        if cost > self.cost and cost > limit:
            self._exchange(table)
        else:
            self.cost = cost
        return self.cost

    def _exchange(self, table: Iterable[tuple[int, int]]) -> int:
        change = 0
        for player, at in table:
            sides, before = self.games[player], self.uneven[player]
            around = (sides[at - 1] if at else 0) + (sides[at + 1] if at + 1 < len(sides) else 0)
            self.uneven[player] = before - 2 * sides[at]
            # A neighbouring match on the same side was a break; one on the other side becomes one.
            change += _uneven_price(self.uneven[player]) - _uneven_price(before) - _BREAK * sides[at] * around
            sides[at] = -sides[at]
        return change

    def keep(self) -> None:
        self.first = {at: self.games[player][game] > 0 for at, ((player, game), _other) in self.new.items()}

    def best(self) -> tuple[Seating, ...]:
        return tuple(
            Seating(
                tuple(
                    table if self.first.get((number, index), True) else table[::-1]
                    for index, table in enumerate(seating.tables)
                ),
                seating.byes,
            )
            for number, seating in enumerate(self.rounds)
        )


def _uneven_price(uneven: int) -> int:
    return _UNEVEN * (uneven**2 // 4)
