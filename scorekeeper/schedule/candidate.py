"""A whole schedule under search: two players of a round swap seats at a time, and what the schedule then costs.

A round is a row of slots: the seats table by table, then the byes. What counts, each point far before all later ones:
players who must not meet, uneven byes, partners, meetings, opponents. Each is a sum of squares, which is lowest when
the numbers are most even. Rounds done count too, but do not change.
"""

import random
from collections.abc import Iterable, Sequence
from functools import cache
from itertools import combinations
from math import lcm

from scorekeeper.schedule.problem import Problem
from scorekeeper.schedule.seating import Format, Seating, sides

APART, BYES, PARTNERS, MEETINGS, OPPONENTS = 10**9, 10**6, 10**4, 100, 1
_NEW_TABLE = MEETINGS // 5
"""A table that was not planned. A meeting too many costs two meetings, so ten new tables are worth one that goes to a
pair that never met."""
MEMORY = 12
"""Late acceptance compares with this many steps ago, for each player."""


class Candidate:
    """A schedule that changes slot by slot, as a `late_acceptance.SearchState`."""

    def __init__(self, problem: Problem, rounds: Sequence[Seating]) -> None:
        players = problem.players
        self.problem = problem
        self.rows = [[player for table in round.tables for player in table] + list(round.byes) for round in rounds]
        self.neighbours = [
            neighbours(problem.format, sizes, len(row)) for sizes, row in zip(problem.sizes, self.rows, strict=True)
        ]
        self.open = [number for number in range(len(problem.done), len(rounds)) if len(self.rows[number]) > 1]
        """Rounds that may change."""
        self.times: list[list[list[int]]] = [[[0] * players for _player in range(players)] for _role in range(2)]
        """How often each two players are partners (0) and opponents (1)."""
        self.planned = [{sides(problem.format, table) for table in round.tables} for round in problem.planned]
        self.spans = [_spans(sizes, len(row)) for sizes, row in zip(problem.sizes, self.rows, strict=True)]
        self.byes = [0] * players
        # Shares of byes are fractions. Everything counts in their common parts, to stay whole.
        self.parts = lcm(*(share.denominator for share in problem.bye_shares))
        self.bye_shares = [int(2 * share * self.parts) for share in problem.bye_shares]
        self.apart_price = APART * self.parts
        for row, around in zip(self.rows, self.neighbours, strict=True):
            for slot, player in enumerate(row):
                if not around[slot]:
                    self.byes[player] += 1
                for other, role in around[slot]:
                    self.times[role][player][row[other]] += 1
        self.cost, self.least = self._whole_cost(), self._lower_bound()
        self._kept = [list(row) for row in self.rows]
        self._changed: set[int] = set()

    def _whole_cost(self) -> int:
        partners, opponents = self.times
        pairs = combinations(range(self.problem.players), 2)
        cost = BYES * sum(map(self._byes_price, self.byes, self.bye_shares))
        cost += sum(pair_price(partners[one][other], opponents[one][other]) for one, other in pairs)
        cost += sum(self._new_tables_price(number, range(len(self.rows[number]))) for number in self.open)
        return cost + self.apart_price * sum(map(self._early_meetings, range(len(self.rows))))

    def _byes_price(self, byes: int, share: int) -> int:
        return self.parts * byes * byes - share * byes

    def _bye_change(self, player: int, sign: int) -> int:
        """What one more bye (1), or one fewer (-1), adds to the cost."""
        return sign * (self.parts * (2 * self.byes[player] + sign) - self.bye_shares[player])

    def _new_tables_price(self, number: int, slots: Iterable[int]) -> int:
        """What the tables at these slots cost because they were not planned."""
        if number >= len(self.planned):
            return 0
        row, planned = self.rows[number], self.planned[number]
        spans = {self.spans[number][slot] for slot in slots}
        tables = (tuple(row[first:end]) for first, end in spans if first < end)
        return _NEW_TABLE * sum(sides(self.problem.format, table) not in planned for table in tables)

    def _early_meetings(self, number: int) -> int:
        row, around = self.rows[number], self.neighbours[number]
        return sum(
            self._too_early(number, row[slot], row[other])
            for slot in range(len(row))
            for other, _role in around[slot]
            if slot < other
        )

    def _too_early(self, number: int, one: int, other: int) -> bool:
        return number < self.problem.apart.get((one, other) if one < other else (other, one), 0)

    def _lower_bound(self) -> int:
        problem = self.problem
        pairs = problem.players * (problem.players - 1) // 2
        meetings = sum(size * (size - 1) // 2 for sizes in problem.sizes for size in sizes)
        partnerships = 2 * sum(len(sizes) for sizes in problem.sizes) if problem.format.partners else 0
        return BYES * self._least_byes_price() + least_pairs_price(partnerships, meetings, pairs)

    def _least_byes_price(self) -> int:
        """Everybody has their share, rounded down, or up for those who lose most by rounding down."""
        shares = self.problem.bye_shares
        total = sum(
            len(present) - sum(sizes) for present, sizes in zip(self.problem.present, self.problem.sizes, strict=True)
        )
        byes = [int(share) for share in shares]
        most_lost = sorted(range(len(byes)), key=lambda player: byes[player] - shares[player])
        for player in most_lost[: total - sum(byes)]:
            byes[player] += 1
        return sum(map(self._byes_price, byes, self.bye_shares))

    @property
    def excess(self) -> int:
        """The cost above the lower bound."""
        return self.cost - self.least

    def keep(self) -> None:
        for number in self._changed:
            self._kept[number] = list(self.rows[number])
        self._changed.clear()

    def best(self) -> tuple[Seating, ...]:
        return tuple(as_seating(row, sizes) for row, sizes in zip(self._kept, self.problem.sizes, strict=True))

    def share_byes(self) -> bool:
        """In every round to come, gives each bye to a player for whom the cost falls most. Whether the cost fell."""
        before = self.cost
        for number in self.open:
            row, around = self.rows[number], self.neighbours[number]
            playing = [slot for slot in range(len(row)) if around[slot]]
            for out in range(len(playing), len(row)):
                gain = -self._bye_change(row[out], -1)
                others = [slot for slot in playing if self._bye_change(row[slot], 1) < gain]
                change, slot = min(((self._trial_change(number, out, slot), slot) for slot in others), default=(0, out))
                if change < 0:
                    self.cost += self._swap(number, out, slot)
                    self._changed.add(number)
        return self.cost < before

    def _trial_change(self, number: int, at: int, by: int) -> int:
        change = self._swap(number, at, by)
        self._swap(number, at, by)
        return change

    def try_change(self, rng: random.Random, limit: int) -> int:
        """Two players of a round swap seats."""
        number = self.open[int(rng.random() * len(self.open))]
        row, around = self.rows[number], self.neighbours[number]
        at, by = int(rng.random() * len(row)), int(rng.random() * len(row))
        if at == by or (not around[at] and not around[by]):
            return self.cost
        cost = self.cost + self._swap(number, at, by)
        if cost > self.cost and cost > limit:
            self._swap(number, at, by)
        else:
            self.cost = cost
            self._changed.add(number)
        return self.cost

    def _swap(self, number: int, at: int, by: int) -> int:
        """Two players swap seats. Returns the change of the cost."""
        row, slots = self.rows[number], (at, by)
        change = self._move(number, at, -1) + self._move(number, by, -1, but=at)
        change -= self._new_tables_price(number, slots)
        row[at], row[by] = row[by], row[at]
        change += self._move(number, at, 1) + self._move(number, by, 1, but=at)
        return change + self._new_tables_price(number, slots)

    def _move(self, number: int, slot: int, sign: int, but: int = -1) -> int:
        """The player at this slot sits down (1) or gets up (-1), not counting the player at slot ``but``."""
        row, around = self.rows[number], self.neighbours[number][slot]
        player, (partners, opponents), apart = row[slot], self.times, bool(self.problem.apart)
        if not around:
            change = BYES * self._bye_change(player, sign)
            self.byes[player] += sign
            return change
        change = 0
        for where, role in around:
            if where == but:
                continue
            other = row[where]
            together, against = partners[player][other], opponents[player][other]
            times = self.times[role]
            times[player][other] += sign
            times[other][player] += sign
            change += MEETINGS * sign * (2 * (together + against) + sign)
            if role:
                change += OPPONENTS * sign * (2 * against + sign)
            else:
                change += PARTNERS * sign * (2 * together + sign)
            if apart and self._too_early(number, player, other):
                change += self.apart_price * sign
        return change


def _spans(sizes: Sequence[int], players: int) -> list[tuple[int, int]]:
    """For each slot of a round, the first slot of its table and the slot after its last; the same for byes."""
    found: list[tuple[int, int]] = []
    for size in sizes:
        found += [(len(found), len(found) + size)] * size
    return found + [(players, players)] * (players - len(found))


def pair_price(partnered: int, opposed: int) -> int:
    """What a pair costs after it was partners and opponents this often."""
    return PARTNERS * partnered**2 + MEETINGS * (partnered + opposed) ** 2 + OPPONENTS * opposed**2


def least_pairs_price(partnerships: int, meetings: int, pairs: int) -> int:
    """The least that all pairs together can cost, with these totals."""
    return (
        PARTNERS * even_squares(partnerships, pairs)
        + MEETINGS * even_squares(meetings, pairs)
        + OPPONENTS * even_squares(meetings - partnerships, pairs)
    )


def even_squares(total: int, count: int) -> int:
    """The least sum of squares of ``count`` whole numbers with this total."""
    low, more = divmod(total, count)
    return (count - more) * low**2 + more * (low + 1) ** 2


@cache
def neighbours(format: Format, sizes: tuple[int, ...], players: int) -> list[list[tuple[int, int]]]:
    """For each slot of a round, the other slots of its table, with the role there: 0 partner, 1 opponent."""
    found: list[list[tuple[int, int]]] = []
    for size in sizes:
        first = len(found)
        for seat in range(size):
            others = [other for other in range(size) if other != seat]
            found.append([(first + other, int(not (format.partners and (other - seat) % 2 == 0))) for other in others])
    return found + [[] for _bye in range(players - len(found))]


def as_seating(row: Sequence[int], sizes: Sequence[int]) -> Seating:
    """A row of slots as tables and byes."""
    at, tables = 0, []
    for size in sizes:
        tables.append(tuple(row[at : at + size]))
        at += size
    return Seating(tuple(tables), tuple(sorted(row[at:])))
