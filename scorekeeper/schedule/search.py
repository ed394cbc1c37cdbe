"""Schedules nobody has a formula for: searched round by round and all at once, the best so far at any time.

Every round is a row of places: seats at tables, then byes. Two players of a round change places; whether that is kept
is up to late acceptance (Burke and Bykov): it must be no worse than the schedule was some steps ago. What a schedule
costs is, the first far before the next: who must not meet and does, uneven byes, partners, meetings, opponents; of each
the sum of squares, which is least where it is most even. Rounds that are done count and do not change.
"""

import random
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import combinations, cycle, islice
from math import lcm
from typing import Generic, NamedTuple, Protocol, TypeVar

from scorekeeper.schedule.rounds import Format, Round, sides
from scorekeeper.schedule.task import Task

MEETS_ALL_THE_SAME, BYES, PARTNERS, MEETINGS, OPPONENTS = 10**9, 10**6, 10**4, 100, 1
_CHANGED = 2 * MEETINGS
"""A table that is not as planned costs as much as two who meet once too often."""
_PATIENCE = 12
"""How many steps back a schedule is compared with, for each player."""
LOOK = 2_000
"""Steps after which the best so far is told."""


Kind = TypeVar("Kind")
Best = TypeVar("Best", covariant=True)


class Found(NamedTuple, Generic[Kind]):
    """The best so far, and whether none of its kind can be better."""

    best: Kind
    least: bool


class Changing(Protocol[Best]):
    """What changes by chance, and remembers how it was when it was best."""

    cost: int
    least: int
    """What none of its kind can cost less than."""

    def try_swap(self, rng: random.Random, limit: int) -> int:
        """Changes something, unless that costs more than now and than the limit. What it costs then."""
        ...

    def keep(self) -> None:
        """As it is now it is the best so far."""
        ...

    def best(self) -> Best: ...


def improved(state: Changing[Kind], players: int, rng: random.Random) -> Iterator[Found[Kind]]:
    """Better and better ones, or again the same one, until none can be better: whoever asks no further stops it."""
    best = state.cost
    found = Found(state.best(), best <= state.least)
    yield found
    past = [state.cost] * (_PATIENCE * players)
    steps = cycle(range(len(past)))
    while best > state.least:
        before = best
        for then in islice(steps, LOOK):
            cost = state.try_swap(rng, past[then])
            past[then] = min(past[then], cost)
            if cost < best:
                best = cost
                state.keep()
                if best <= state.least:
                    break
        if best < before:
            found = Found(state.best(), best <= state.least)
        yield found


def at_random(task: Task, rng: random.Random) -> list[Round]:
    """Byes in turn, everything else as it comes."""
    order = rng.sample(range(task.players), task.players)
    byes = [sum(player in each.byes for each in task.done) for player in range(task.players)]
    rounds = list(task.done)
    for there, tables in islice(zip(task.present, task.sizes, strict=True), len(task.done), None):
        last = sorted((each for each in order if each in there), key=lambda each: byes[each] - task.shares[each])
        out = last[: len(there) - sum(tables)]
        for player in out:
            byes[player] += 1
        rest = iter(rng.sample(sorted({*there} - {*out}), sum(tables)))
        rounds.append(Round(tuple(tuple(next(rest) for _seat in range(size)) for size in tables), tuple(sorted(out))))
    return rounds


def fitted(task: Task, known: Sequence[Round], rng: random.Random) -> "Draft":
    """Rounds that are ``known``, for who is there: every table to come that can stay stays; the gaps are filled with
    whoever is left. Then, round by round, who sat out too often takes the place of who is the best to sit out."""
    rounds = list(known[: task.rounds])
    rounds += at_random(task, rng)[len(rounds) :] if len(rounds) < task.rounds else []
    for number in range(len(task.done), min(task.rounds, len(known))):
        rounds[number] = _filled(known[number], task.present[number], task.sizes[number])
    draft = Draft(task, rounds)
    while draft.share_byes():
        draft.keep()
    return draft


def _filled(round: Round, there: Sequence[int], tables: Sequence[int]) -> Round:
    """Its tables of those who are all there, and others of whoever is left."""
    sizes, kept, left = list(tables), [], {*there}
    for table in round.tables:
        if left.issuperset(table) and len(table) in sizes:
            sizes.remove(len(table))
            kept.append(table)
            left -= {*table}
    rest = iter(sorted(left, key=lambda player: (player in round.byes, player)))
    kept += [tuple(next(rest) for _seat in range(size)) for size in sizes]
    by_size = {size: iter([table for table in kept if len(table) == size]) for size in {*tables}}
    return Round(tuple(next(by_size[size]) for size in tables), tuple(sorted(rest)))


class Draft:
    """A schedule that changes place by place, and what it costs."""

    def __init__(self, task: Task, rounds: Sequence[Round]) -> None:
        players = task.players
        self.task = task
        self.rows = [[player for table in round.tables for player in table] + list(round.byes) for round in rounds]
        self.kinds = [
            neighbours(task.format, tables, len(row)) for tables, row in zip(task.sizes, self.rows, strict=True)
        ]
        self.open = [number for number in range(len(task.done), len(rounds)) if len(self.rows[number]) > 1]
        self.times: list[list[list[int]]] = [[[0] * players for _each in range(players)] for _kind in range(2)]
        """How often each two are partners, and opponents."""
        self.planned = [{sides(task.format, table) for table in round.tables} for round in task.planned]
        self.spans = [_spans(tables, len(row)) for tables, row in zip(task.sizes, self.rows, strict=True)]
        self.byes = [0] * players
        # Byes are held against the share of each; all is counted in parts, so that it stays whole.
        self.parts = lcm(*(share.denominator for share in task.shares))
        self.shares = [int(2 * share * self.parts) for share in task.shares]
        self.never = MEETS_ALL_THE_SAME * self.parts
        for row, kinds in zip(self.rows, self.kinds, strict=True):
            for place, player in enumerate(row):
                if not kinds[place]:
                    self.byes[player] += 1
                for other, kind in kinds[place]:
                    self.times[kind][player][row[other]] += 1
        self.cost, self.least = self._whole(), self._least()
        self._kept = [list(row) for row in self.rows]
        self._changed: set[int] = set()

    def _whole(self) -> int:
        partners, opponents = self.times
        pairs = combinations(range(self.task.players), 2)
        cost = BYES * sum(self._of_byes(*each) for each in zip(self.byes, self.shares, strict=True))
        cost += sum(_price(partners[one][other], opponents[one][other]) for one, other in pairs)
        cost += sum(self._of_tables(number, range(len(self.rows[number]))) for number in self.open)
        return cost + self.never * sum(map(self._met_too_early, range(len(self.rows))))

    def _of_byes(self, byes: int, share: int) -> int:
        return self.parts * byes * byes - share * byes

    def _of_bye(self, player: int, sign: int) -> int:
        """What a bye more costs (1), or one less (-1)."""
        return sign * (self.parts * (2 * self.byes[player] + sign) - self.shares[player])

    def _of_tables(self, number: int, places: Iterable[int]) -> int:
        """What the tables of these places cost for not being as planned."""
        if number >= len(self.planned):
            return 0
        row, planned = self.rows[number], self.planned[number]
        spans = {self.spans[number][place] for place in places}
        tables = (tuple(row[first:end]) for first, end in spans if first < end)
        return _CHANGED * sum(sides(self.task.format, table) not in planned for table in tables)

    def _met_too_early(self, number: int) -> int:
        row, kinds = self.rows[number], self.kinds[number]
        return sum(
            self._too_early(number, row[place], row[other])
            for place in range(len(row))
            for other, _kind in kinds[place]
            if place < other
        )

    def _too_early(self, number: int, one: int, other: int) -> bool:
        return number < self.task.apart.get((one, other) if one < other else (other, one), 0)

    def _least(self) -> int:
        """What no schedule for this can cost less than."""
        task = self.task
        pairs = task.players * (task.players - 1) // 2
        all_pairs = sum(size * (size - 1) // 2 for tables in task.sizes for size in tables)
        together = 2 * sum(len(tables) for tables in task.sizes) if task.format.partners else 0
        parts = (PARTNERS, together), (MEETINGS, all_pairs), (OPPONENTS, all_pairs - together)
        return BYES * self._least_of_byes() + sum(weight * even(total, pairs) for weight, total in parts)

    def _least_of_byes(self) -> int:
        """Everybody his share, rounded down or up: up for those who miss most."""
        out = sum(len(there) - sum(tables) for there, tables in zip(self.task.present, self.task.sizes, strict=True))
        byes = [int(share) for share in self.task.shares]
        most = sorted(range(len(byes)), key=lambda player: byes[player] - self.task.shares[player])
        for player in most[: out - sum(byes)]:
            byes[player] += 1
        return sum(self._of_byes(*each) for each in zip(byes, self.shares, strict=True))

    @property
    def excess(self) -> int:
        """By how much it costs more than the least that counting allows."""
        return self.cost - self.least

    def keep(self) -> None:
        for number in self._changed:
            self._kept[number] = list(self.rows[number])
        self._changed.clear()

    def best(self) -> tuple[Round, ...]:
        return tuple(as_round(row, tables) for row, tables in zip(self._kept, self.task.sizes, strict=True))

    def share_byes(self) -> bool:
        """In every round to come, who sits out too often changes places with whom that is best, if it is any better.
        Whether it was in some."""
        before = self.cost
        for number in self.open:
            row, kinds = self.rows[number], self.kinds[number]
            playing = [place for place in range(len(row)) if kinds[place]]
            for out in range(len(playing), len(row)):
                gain = -self._of_bye(row[out], -1)
                others = [place for place in playing if self._of_bye(row[place], 1) < gain]
                change, place = min(((self._tried(number, out, place), place) for place in others), default=(0, out))
                if change < 0:
                    self.cost += self._move(number, out, place)
                    self._changed.add(number)
        return self.cost < before

    def _tried(self, number: int, at: int, by: int) -> int:
        change = self._move(number, at, by)
        self._move(number, at, by)
        return change

    def try_swap(self, rng: random.Random, limit: int) -> int:
        """Two players of a round change places."""
        number = self.open[int(rng.random() * len(self.open))]
        row, kinds = self.rows[number], self.kinds[number]
        at, by = int(rng.random() * len(row)), int(rng.random() * len(row))
        if at == by or (not kinds[at] and not kinds[by]):
            return self.cost
        cost = self.cost + self._move(number, at, by)
        if cost > self.cost and cost > limit:
            self._move(number, at, by)
        else:
            self.cost = cost
            self._changed.add(number)
        return self.cost

    def _move(self, number: int, at: int, by: int) -> int:
        """Two change places; gives what that adds to the cost."""
        row = self.rows[number]
        change = self._take(number, at, -1) + self._take(number, by, -1, but=at) - self._of_tables(number, (at, by))
        row[at], row[by] = row[by], row[at]
        return (
            change + self._take(number, at, 1) + self._take(number, by, 1, but=at) + self._of_tables(number, (at, by))
        )

    def _take(self, number: int, place: int, sign: int, but: int = -1) -> int:
        """Somebody comes to his place (1) or leaves it (-1), whoever is at the place ``but`` left out."""
        row, around = self.rows[number], self.kinds[number][place]
        player, (partners, opponents), apart = row[place], self.times, bool(self.task.apart)
        if not around:
            change = BYES * self._of_bye(player, sign)
            self.byes[player] += sign
            return change
        change = 0
        for where, kind in around:
            if where == but:
                continue
            other = row[where]
            together, against = partners[player][other], opponents[player][other]
            times = self.times[kind]
            times[player][other] += sign
            times[other][player] += sign
            change += MEETINGS * sign * (2 * (together + against) + sign)
            if kind:
                change += OPPONENTS * sign * (2 * against + sign)
            else:
                change += PARTNERS * sign * (2 * together + sign)
            if apart and self._too_early(number, player, other):
                change += self.never * sign
        return change


def _spans(tables: Sequence[int], players: int) -> list[tuple[int, int]]:
    """For each place of a round where its table begins and ends; nowhere for byes."""
    found: list[tuple[int, int]] = []
    for size in tables:
        found += [(len(found), len(found) + size)] * size
    return found + [(players, players)] * (players - len(found))


def _price(together: int, against: int) -> int:
    return PARTNERS * together**2 + MEETINGS * (together + against) ** 2 + OPPONENTS * against**2


def even(total: int, number: int) -> int:
    """The least sum of squares of a total over so many."""
    low, more = divmod(total, number)
    return (number - more) * low**2 + more * (low + 1) ** 2


@cache
def neighbours(format: Format, tables: tuple[int, ...], players: int) -> list[list[tuple[int, int]]]:
    """For each place of a round the others of its table, 0 beside the partner and 1 beside an opponent."""
    found: list[list[tuple[int, int]]] = []
    for size in tables:
        first = len(found)
        for seat in range(size):
            others = [other for other in range(size) if other != seat]
            found.append([(first + o, int(not (format.partners and (o - seat) % 2 == 0))) for o in others])
    return found + [[] for _bye in range(players - len(found))]


def as_round(row: Sequence[int], tables: Sequence[int]) -> Round:
    """A row of places as the round that it is."""
    at, found = 0, []
    for size in tables:
        found.append(tuple(row[at : at + size]))
        at += size
    return Round(tuple(found), tuple(sorted(row[at:])))
