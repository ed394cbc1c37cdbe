"""Two at a table: who is first at tables that are new, so that everybody is first and second in turn, as nearly as the
other tables leave it."""

import random
from collections import defaultdict
from collections.abc import Iterable, Sequence
from itertools import islice, pairwise

from scorekeeper.schedule.rounds import Round
from scorekeeper.schedule.search import LOOK, improved

_UNEVEN, _BREAK = 4, 1
"""What it costs to be first once too often, or too seldom, and to be first, or second, twice in a row."""
_TURNS = 100
"""How often each table may be turned."""
_MOST_LOOKS = 50


def alternated(rounds: Sequence[Round], new: Sequence[tuple[int, int]], rng: random.Random) -> tuple[Round, ...]:
    """The same rounds; of tables that are ``new``, by round and place, some are turned. No more uneven than before."""
    if not new:
        return tuple(rounds)
    state = _Sides(rounds, new)
    looks = min(_MOST_LOOKS, 1 + len(new) * _TURNS // LOOK)
    *_before, (found, _least) = islice(improved(state, len(state.games), rng), 1 + looks)
    return found


class _Sides:
    """Who is first, table by table."""

    least = 0

    def __init__(self, rounds: Sequence[Round], new: Sequence[tuple[int, int]]) -> None:
        self.rounds = rounds
        self.games: defaultdict[int, list[int]] = defaultdict(list)
        """Each player's matches one after the other: 1 where he is first, -1 where he is second."""
        which = {}
        for number, round in enumerate(rounds):
            for place, table in enumerate(round.tables):
                which[number, place] = [(player, len(self.games[player])) for player in table]
                for player, side in zip(table, (1, -1), strict=True):
                    self.games[player].append(side)
        self.new = {at: which[at] for at in new}
        self.open = [*self.new.values()]
        self.uneven = {player: sum(sides) for player, sides in self.games.items()}
        breaks = sum(one == other for sides in self.games.values() for one, other in pairwise(sides))
        self.cost = _BREAK * breaks + sum(map(_of_leads, self.uneven.values()))
        self.keep()

    def try_swap(self, rng: random.Random, limit: int) -> int:
        """The two at a table change sides."""
        table = self.open[int(rng.random() * len(self.open))]
        cost = self.cost + self._turn(table)
        if cost > self.cost and cost > limit:
            self._turn(table)
        else:
            self.cost = cost
        return self.cost

    def _turn(self, table: Iterable[tuple[int, int]]) -> int:
        change = 0
        for player, at in table:
            sides, before = self.games[player], self.uneven[player]
            around = (sides[at - 1] if at else 0) + (sides[at + 1] if at + 1 < len(sides) else 0)
            self.uneven[player] = before - 2 * sides[at]
            # Beside one like him there is no break any more, beside another there is one.
            change += _of_leads(self.uneven[player]) - _of_leads(before) - _BREAK * sides[at] * around
            sides[at] = -sides[at]
        return change

    def keep(self) -> None:
        self.first = {at: self.games[player][game] > 0 for at, ((player, game), _other) in self.new.items()}

    def best(self) -> tuple[Round, ...]:
        return tuple(
            Round(
                tuple(
                    table if self.first.get((number, place), True) else table[::-1]
                    for place, table in enumerate(round.tables)
                ),
                round.byes,
            )
            for number, round in enumerate(self.rounds)
        )


def _of_leads(uneven: int) -> int:
    return _UNEVEN * (uneven**2 // 4)
