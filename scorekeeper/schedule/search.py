"""Schedules nobody has a formula for: searched round by round and all at once, the best so far at any time.

Every round is a row of places: seats at tables, then byes. Two players of a round change places; whether that is kept
is up to late acceptance (Burke and Bykov): it must be no worse than the schedule was some steps ago. What a schedule
costs is, the first far before the next: uneven byes, partners, meetings, opponents; of each the sum of squares, which
is least where it is most even.
"""

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, cycle, islice

from scorekeeper.schedule.rounds import Format, Round

BYES, PARTNERS, MEETINGS, OPPONENTS = 10**6, 10**4, 100, 1
_PATIENCE = 12
"""How many steps back a schedule is compared with, for each place of a round."""
_LOOK = 2_000
"""Steps between two looks at the clock."""


@dataclass(frozen=True, slots=True)
class Found:
    """The best so far; `share` is how much of the time is used, in thousandths, `least` whether nothing is better."""

    rounds: tuple[Round, ...]
    cost: int
    share: int
    least: bool


def search(
    format: Format,
    players: int,
    sizes: Sequence[Sequence[int]],
    *,
    start: Sequence[Round] = (),
    rng: random.Random,
    clock: Callable[[], float],
    seconds: float,
) -> Iterator[Found]:
    """Better and better schedules of tables of these sizes, one list a round, until none can be better or the time is
    used; whoever asks no further stops it. ``start`` is what it begins with, at random where there is none."""
    state = _State(format, players, sizes, start or _at_random(players, sizes, rng))
    least, began = state.least(), clock()
    best, kept = state.cost, state.rounds()
    yield Found(kept, best, 0, best <= least)
    past = [state.cost] * (_PATIENCE * players)
    steps = cycle(range(len(past)))
    while best > least:
        for then in islice(steps, _LOOK):
            cost = state.try_swap(rng, past[then])
            past[then] = min(past[then], cost)
            if cost < best:
                best, kept = cost, state.rounds()
                if best <= least:
                    break
        share = min(1000, int(1000 * (clock() - began) / seconds)) if seconds else 1000
        yield Found(kept, best, share, best <= least)
        if share >= 1000:
            return


def _at_random(players: int, sizes: Sequence[Sequence[int]], rng: random.Random) -> list[Round]:
    """Byes in turn, everything else as it comes."""
    rounds, order = [], rng.sample(range(players), players)
    out = 0
    for tables in sizes:
        number = players - sum(tables)
        byes = [order[(out + each) % players] for each in range(number)]
        out += number
        rest = iter(rng.sample([each for each in order if each not in byes], players - number))
        rounds.append(Round(tuple(tuple(next(rest) for _seat in range(size)) for size in tables), tuple(sorted(byes))))
    return rounds


def price(format: Format, players: int, rounds: Sequence[Round]) -> int:
    """What a schedule costs."""
    return _State(format, players, [[len(table) for table in each.tables] for each in rounds], rounds).cost


class _State:
    """A schedule that changes place by place, and what it costs."""

    def __init__(self, format: Format, players: int, sizes: Sequence[Sequence[int]], rounds: Sequence[Round]) -> None:
        self.format, self.players = format, players
        self.rows = [[player for table in round.tables for player in table] + list(round.byes) for round in rounds]
        self.kinds = [_neighbours(format, tables, players) for tables in sizes]
        self.sizes = sizes
        self.times: list[list[list[int]]] = [[[0] * players for _each in range(players)] for _kind in range(2)]
        """How often each two are partners, and opponents."""
        self.byes = [0] * players
        for row, kinds in zip(self.rows, self.kinds, strict=True):
            for place, player in enumerate(row):
                if not kinds[place]:
                    self.byes[player] += 1
                for other, kind in kinds[place]:
                    self.times[kind][player][row[other]] += 1
        self.cost = self._whole()

    def _whole(self) -> int:
        pairs = list(combinations(range(self.players), 2))
        partners, opponents = self.times
        cost = BYES * sum(times * times for times in self.byes)
        for one, other in pairs:
            together, against = partners[one][other], opponents[one][other]
            cost += _price(together, against)
        return cost

    def least(self) -> int:
        """What no schedule with tables of these sizes can cost less than."""
        pairs = self.players * (self.players - 1) // 2
        out = sum(self.players - sum(tables) for tables in self.sizes)
        all_pairs = sum(size * (size - 1) // 2 for tables in self.sizes for size in tables)
        together = 2 * sum(len(tables) for tables in self.sizes) if self.format.partners else 0
        parts = (BYES, out, self.players), (PARTNERS, together, pairs), (MEETINGS, all_pairs, pairs)
        return sum(weight * _even(total, over) for weight, total, over in parts) + OPPONENTS * _even(
            all_pairs - together, pairs
        )

    def rounds(self) -> tuple[Round, ...]:
        return tuple(_round(row, tables) for row, tables in zip(self.rows, self.sizes, strict=True))

    def try_swap(self, rng: random.Random, limit: int) -> int:
        """Two players of a round change places, unless that costs more than now and than the limit. What it costs."""
        number = int(rng.random() * len(self.rows))
        row, kinds = self.rows[number], self.kinds[number]
        at, by = int(rng.random() * self.players), int(rng.random() * self.players)
        if at == by or (not kinds[at] and not kinds[by]):
            return self.cost
        cost = self.cost + self._move(row, kinds, at, by)
        if cost > self.cost and cost > limit:
            self._move(row, kinds, at, by)
        else:
            self.cost = cost
        return self.cost

    def _move(self, row: list[int], kinds: Sequence[Sequence[tuple[int, int]]], at: int, by: int) -> int:
        """Two change places; gives what that adds to the cost."""
        change = self._take(row, kinds, at, -1) + self._take(row, kinds, by, -1, but=at)
        row[at], row[by] = row[by], row[at]
        return change + self._take(row, kinds, at, 1) + self._take(row, kinds, by, 1, but=at)

    def _take(
        self, row: list[int], kinds: Sequence[Sequence[tuple[int, int]]], place: int, sign: int, but: int = -1
    ) -> int:
        player, (partners, opponents) = row[place], self.times
        if not kinds[place]:
            before = self.byes[player]
            self.byes[player] = before + sign
            return BYES * sign * (2 * before + sign)
        change = 0
        for where, kind in kinds[place]:
            if where == but:
                continue
            other = row[where]
            together, against = partners[player][other], opponents[player][other]
            times = self.times[kind]
            times[player][other] += sign
            times[other][player] += sign
            meets = MEETINGS * sign * (2 * (together + against) + sign)
            if kind:
                change += meets + OPPONENTS * sign * (2 * against + sign)
            else:
                change += meets + PARTNERS * sign * (2 * together + sign)
        return change


def _price(together: int, against: int) -> int:
    return PARTNERS * together**2 + MEETINGS * (together + against) ** 2 + OPPONENTS * against**2


def _even(total: int, number: int) -> int:
    """The least sum of squares of a total over so many."""
    low, more = divmod(total, number)
    return (number - more) * low**2 + more * (low + 1) ** 2


def _neighbours(format: Format, tables: Sequence[int], players: int) -> list[list[tuple[int, int]]]:
    """For each place of a round the others of its table, 0 beside the partner and 1 beside an opponent."""
    found: list[list[tuple[int, int]]] = []
    for size in tables:
        first = len(found)
        for seat in range(size):
            others = [other for other in range(size) if other != seat]
            found.append([(first + o, int(not (format.partners and (o - seat) % 2 == 0))) for o in others])
    return found + [[] for _bye in range(players - len(found))]


def _round(row: Sequence[int], tables: Sequence[int]) -> Round:
    at, found = 0, []
    for size in tables:
        found.append(tuple(row[at : at + size]))
        at += size
    return Round(tuple(found), tuple(sorted(row[at:])))
