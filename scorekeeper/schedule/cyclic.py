"""Cyclic designs by search: one base round, and all others by rotating it. For sizes without a known design.

The players sit on circles of q seats, and up to two do not move. Each next round moves every other player on by one
seat. How often two players meet in q rounds depends only on their distance, so the search changes one round instead of
all: there are about n distances, but n² pairs.
"""

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import NamedTuple

from scorekeeper.schedule.candidate import (
    MEETINGS,
    MEMORY,
    OPPONENTS,
    PARTNERS,
    as_seating,
    least_pairs_price,
    neighbours,
)
from scorekeeper.schedule.late_acceptance import Found, improve
from scorekeeper.schedule.problem import Problem
from scorekeeper.schedule.seating import Seating


class Rotation(NamedTuple):
    """Circles of ``period`` players each, the first players first. The last ``fixed`` players do not move."""

    period: int
    circles: int
    fixed: int

    @property
    def players(self) -> int:
        return self.period * self.circles + self.fixed

    def moved(self, player: int, by: int) -> int:
        if player >= self.period * self.circles:
            return player
        return player - player % self.period + (player + by) % self.period

    def distance(self, one: int, other: int) -> tuple[int, int, int]:
        """The same for every two players that a rotation can bring to the seats of these two."""
        (a, x), (b, y) = divmod(min(one, other), self.period), divmod(max(one, other), self.period)
        if b == self.circles:
            return (a, b, y) if a < self.circles else (a, x, y)
        return a, b, min((y - x) % self.period, (x - y) % self.period) if a == b else (y - x) % self.period


def rotation_for(players: int, rounds: int) -> Rotation | None:
    """The rotation with the fewest rounds, but at least ``rounds``, and at most two fixed players. None if there is
    none."""
    rotations = (Rotation(period, *divmod(players, period)) for period in range(max(3, rounds), players + 1))
    return next((rotation for rotation in rotations if rotation.fixed <= 2), None)


def cyclic_rounds(problem: Problem, *, rng: random.Random) -> Iterator[Found[tuple[Seating, ...]]]:
    """Searches cyclic schedules and yields better and better ones; ``optimal``: no cyclic schedule can be better.

    Everybody plays all rounds. Yields nothing if no rotation has enough rounds.
    """
    rotation = rotation_for(problem.players, problem.rounds)
    if rotation is not None:
        yield from improve(_BaseRound(problem, rotation, rng), MEMORY * problem.players, rng)


class _BaseRound:
    """The round that rotates, and the cost of all rounds together divided by their number."""

    def __init__(self, problem: Problem, rotation: Rotation, rng: random.Random) -> None:
        self.problem, self.rotation, self.sizes = problem, rotation, problem.sizes[0]
        players = rotation.players
        self.row = rng.sample(range(players), players)
        self.around = neighbours(problem.format, self.sizes, players)
        pairs = list(combinations(range(players), 2))
        kinds = {kind: at for at, kind in enumerate(dict.fromkeys(rotation.distance(*pair) for pair in pairs))}
        self.kind = [[0] * players for _player in range(players)]
        """The kind of distance between each two players."""
        for one, other in pairs:
            self.kind[one][other] = self.kind[other][one] = kinds[rotation.distance(one, other)]
        self.pairs = [times for _kind, times in sorted(Counter(self.kind[a][b] for a, b in pairs).items())]
        """How many pairs have each distance."""
        self.times = [[0] * len(kinds) for _role in range(2)]
        """How often partners (0) and opponents (1) in the base round have each distance."""
        for place, others in enumerate(self.around):
            for other, role in others:
                if place < other:
                    self.times[role][self.kind[self.row[place]][self.row[other]]] += 1
        self.cost = sum(map(self._price, range(len(kinds))))
        self.least = self._lower_bound()
        self.keep()

    def _price(self, kind: int) -> int:
        """All pairs at this distance meet equally often."""
        pairs, rounds = self.pairs[kind], self.rotation.period
        partners, opponents = (times[kind] * rounds for times in self.times)
        squares = PARTNERS * partners**2 + MEETINGS * (partners + opponents) ** 2 + OPPONENTS * opponents**2
        return squares // pairs

    def _lower_bound(self) -> int:
        rounds = self.rotation.period
        partnerships = 2 * len(self.sizes) * self.problem.format.partners * rounds
        meetings = sum(size * (size - 1) // 2 for size in self.sizes) * rounds
        return least_pairs_price(partnerships, meetings, sum(self.pairs))

    def try_change(self, rng: random.Random, limit: int) -> int:
        """Two players swap seats."""
        at, by = int(rng.random() * len(self.row)), int(rng.random() * len(self.row))
        if at == by or not (self.around[at] or self.around[by]):
            return self.cost
        changes = [*self._changes(at, by), *self._changes(by, at)]
        kinds = {kind for kind, _role, _change in changes}
        before = sum(map(self._price, kinds))
        for kind, role, change in changes:
            self.times[role][kind] += change
        cost = self.cost - before + sum(map(self._price, kinds))
        if cost <= max(self.cost, limit):
            self.row[at], self.row[by] = self.row[by], self.row[at]
            self.cost = cost
        else:
            for kind, role, change in changes:
                self.times[role][kind] -= change
        return self.cost

    def _changes(self, at: int, by: int) -> Iterator[tuple[int, int, int]]:
        """Distance, role and change of each meeting, when the player from ``by`` comes to ``at``."""
        leaves, comes = self.kind[self.row[at]], self.kind[self.row[by]]
        for where, role in self.around[at]:
            if where != by:
                other = self.row[where]
                yield leaves[other], role, -1
                yield comes[other], role, 1

    def keep(self) -> None:
        self.kept = list(self.row)

    def best(self) -> tuple[Seating, ...]:
        """The wanted number of rounds, from the first again after a whole rotation. Byes differ by at most one."""
        numbers = (number % self.rotation.period for number in range(self.problem.rounds))
        rows = [[self.rotation.moved(player, number) for player in self.kept] for number in numbers]
        _even_out_byes(rows, sum(self.sizes))
        return tuple(as_seating(row, self.sizes) for row in rows)


def _even_out_byes(rows: Sequence[list[int]], seats: int) -> None:
    """The player with most byes changes places with the one with fewest, until they differ by at most one."""
    byes = Counter(dict.fromkeys(rows[0], 0))
    byes.update(player for row in rows for player in row[seats:])
    while True:
        (most, times), (least, fewest) = byes.most_common(1)[0], min(byes.items(), key=lambda item: item[1])
        if times - fewest < 2:
            return
        row = next(row for row in rows if most in row[seats:] and least not in row[seats:])
        out, plays = row.index(most), row.index(least)
        row[out], row[plays] = least, most
        byes[most] -= 1
        byes[least] += 1
