"""Moves compared by trying them in imagined deals, as long as there is time."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from math import inf
from random import Random
from typing import TypeVar

from games.moves import Move
from games.nestor.laying import FOR_MOVES, Thought

TRIES = 8
"""Tries between two looks at the clock."""
ALONE = 100
"""A move without a choice is tried in no more deals than these: only to find out what it is worth."""

D = TypeVar("D")


class Trials:
    """The time and the deals that he has for a move, from now on. ``clock`` gives the time in seconds. ``only``: the
    moves to compare, each in the same deals; all that are possible, if there are none."""

    def __init__(self, rng: Random, clock: Callable[[], float], ms: int, only: Sequence[Move] = ()) -> None:
        self.only = only
        self.rng = rng
        self.clock = clock
        self.began = clock()
        self.time = float(ms * FOR_MOVES / 1000)

    def best(self, moves: Sequence[Move], deals: Iterable[D], brings: Callable[[D, int], int], others: int) -> Thought:
        """The move with the best mean in these deals.

        ``brings(deal, n)``: what ``moves[n]`` brings in a deal, times the number of ``others``. All moves are tried in
        the same deals. From time to time the worse half is dropped, so that the last two share the last part of the
        time, unless only some moves are compared. If there is not even time to try all moves in one deal, only the
        first ones are considered.
        """
        sums, left = [0] * len(moves), list(range(len(moves)))
        times = [0] * len(moves)
        most = inf if len(moves) > 1 else ALONE
        parts, dropped = max((len(moves) - 1).bit_length(), 1), 0
        used, number, tries = self._used(), 0, 0
        for deal in deals:
            number += 1
            for at in left:
                sums[at] += brings(deal, at)
                times[at] += 1
                tries += 1
                if tries % TRIES == 0 and (used := self._used()) >= 1:
                    break
            used = max(used, number / most)
            if used >= 1:
                break
            while not self.only and len(left) > 2 and used * parts >= dropped + 1:
                left = sorted(left, key=sums.__getitem__, reverse=True)[: (len(left) + 1) // 2]
                dropped += 1
        tried = [at for at in range(len(moves)) if times[at]]
        worth = {at: Fraction(sums[at], times[at] * others) for at in tried}
        among = {moves[at]: worth[at] for at in left if at in worth}
        gains = tuple((moves[at], worth[at]) for at in tried)
        return self.chosen(among, number)._replace(gains=gains)

    def chosen(self, worth: Mapping[Move, Fraction], deals: int) -> Thought:
        """The best of these moves."""
        return Thought.best_of(worth.items(), deals, self.rng)

    def _used(self) -> float:
        """The part of the time that is over; 1 or more if all of it is."""
        return (self.clock() - self.began) / self.time if self.time else 1.0
