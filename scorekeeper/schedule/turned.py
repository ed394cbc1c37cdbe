"""One round searched, all others made of it by turning it: for sizes that no theory here knows.

Players are put on circles of q places, a few beside them; every next round moves everybody on by one place. How often
two meet in q rounds then depends on their distance alone, so that one round is searched instead of all: there are n
distances where there are n² pairs.
"""

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import NamedTuple

from scorekeeper.schedule.rounds import Round
from scorekeeper.schedule.search import MEETINGS, OPPONENTS, PARTNERS, Found, as_round, even, improved, neighbours
from scorekeeper.schedule.task import Task


class Turning(NamedTuple):
    """Circles of ``places`` each, the first players on the first; those who are left over stay where they are."""

    places: int
    circles: int
    staying: int

    @property
    def players(self) -> int:
        return self.places * self.circles + self.staying

    def moved(self, player: int, by: int) -> int:
        if player >= self.places * self.circles:
            return player
        return player - player % self.places + (player + by) % self.places

    def distance(self, one: int, other: int) -> tuple[int, int, int]:
        """What stays when both are moved on."""
        (a, x), (b, y) = divmod(min(one, other), self.places), divmod(max(one, other), self.places)
        if b == self.circles:
            return (a, b, y) if a < self.circles else (a, x, y)
        return a, b, min((y - x) % self.places, (x - y) % self.places) if a == b else (y - x) % self.places


def turning(players: int, rounds: int) -> Turning | None:
    """As many rounds as are wanted, or the fewest more, with two who stay at most; None where there are too many."""
    whole = (Turning(places, *divmod(players, places)) for places in range(max(3, rounds), players + 1))
    return next((each for each in whole if each.staying <= 2), None)


def turned(task: Task, *, rng: random.Random) -> Iterator[Found[tuple[Round, ...]]]:
    """Schedules for the task, ``improved``; ``least`` where none that is turned can be better. Everybody is there all
    the time; none where there is no such way to turn."""
    how = turning(task.players, task.rounds)
    if how is not None:
        yield from improved(_Base(task, how, rng), task.players, rng)


class _Base:
    """The round that is turned, and what all of them cost, divided by their number."""

    def __init__(self, task: Task, how: Turning, rng: random.Random) -> None:
        self.task, self.how, self.sizes = task, how, task.sizes[0]
        self.row = rng.sample(range(how.players), how.players)
        self.around = neighbours(task.format, self.sizes, how.players)
        pairs = list(combinations(range(how.players), 2))
        kinds = {distance: kind for kind, distance in enumerate(dict.fromkeys(how.distance(*pair) for pair in pairs))}
        self.kind = [[0] * how.players for _player in range(how.players)]
        for one, other in pairs:
            self.kind[one][other] = self.kind[other][one] = kinds[how.distance(one, other)]
        self.pairs = [times for _kind, times in sorted(Counter(self.kind[a][b] for a, b in pairs).items())]
        self.times = [[0] * len(kinds) for _role in range(2)]
        """By distance: how often two so far apart are partners, and opponents, in the round."""
        for place, others in enumerate(self.around):
            for other, role in others:
                if place < other:
                    self.times[role][self.kind[self.row[place]][self.row[other]]] += 1
        self.cost = sum(map(self._of_kind, range(len(kinds))))
        self.least = self._least(task)
        self.keep()

    def _of_kind(self, kind: int) -> int:
        """The pairs at this distance meet all equally often."""
        pairs, rounds = self.pairs[kind], self.how.places
        partners, opponents = (times[kind] * rounds for times in self.times)
        squares = PARTNERS * partners**2 + MEETINGS * (partners + opponents) ** 2 + OPPONENTS * opponents**2
        return squares // pairs

    def _least(self, task: Task) -> int:
        number, rounds = sum(self.pairs), self.how.places
        partners = 2 * len(self.sizes) * task.format.partners * rounds
        meetings = sum(size * (size - 1) // 2 for size in self.sizes) * rounds
        parts = (PARTNERS, partners), (MEETINGS, meetings), (OPPONENTS, meetings - partners)
        return sum(weight * even(total, number) for weight, total in parts)

    def try_swap(self, rng: random.Random, limit: int) -> int:
        """Two change places."""
        at, by = int(rng.random() * len(self.row)), int(rng.random() * len(self.row))
        if at == by or not (self.around[at] or self.around[by]):
            return self.cost
        changes = [*self._changes(at, by), *self._changes(by, at)]
        kinds = {kind for kind, _role, _change in changes}
        before = sum(map(self._of_kind, kinds))
        for kind, role, change in changes:
            self.times[role][kind] += change
        cost = self.cost - before + sum(map(self._of_kind, kinds))
        if cost <= max(self.cost, limit):
            self.row[at], self.row[by] = self.row[by], self.row[at]
            self.cost = cost
        else:
            for kind, role, change in changes:
                self.times[role][kind] -= change
        return self.cost

    def _changes(self, at: int, by: int) -> Iterator[tuple[int, int, int]]:
        """What is met less and more once the player from ``by`` is at ``at``: distance, role, change."""
        leaves, comes = self.kind[self.row[at]], self.kind[self.row[by]]
        for where, role in self.around[at]:
            if where != by:
                other = self.row[where]
                yield leaves[other], role, -1
                yield comes[other], role, 1

    def keep(self) -> None:
        self.kept = list(self.row)

    def best(self) -> tuple[Round, ...]:
        """As many rounds as are wanted, after all of them they begin again; nobody sits out twice more than another."""
        turns = (number % self.how.places for number in range(self.task.rounds))
        rows = [[self.how.moved(player, by) for player in self.kept] for by in turns]
        _even_out(rows, sum(self.sizes))
        return tuple(as_round(row, self.sizes) for row in rows)


def _even_out(rows: Sequence[list[int]], seats: int) -> None:
    """Who sits out most changes places with who does so least, as long as there are two between them."""
    byes = Counter(dict.fromkeys(rows[0], 0))
    byes.update(player for row in rows for player in row[seats:])
    while True:
        (most, times), (least, fewest) = byes.most_common(1)[0], min(byes.items(), key=lambda each: each[1])
        if times - fewest < 2:
            return
        row = next(row for row in rows if most in row[seats:] and least not in row[seats:])
        out, plays = row.index(most), row.index(least)
        row[out], row[plays] = least, most
        byes[most] -= 1
        byes[least] += 1
