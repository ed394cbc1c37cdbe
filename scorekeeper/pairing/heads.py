"""The best round of tables for two: one matching of least weight.

All numbers of a round are folded into one whole number for each possible table: each number gets as many bits as its
sum over all tables needs, so that the first difference decides.

Most pairs are in no best round. If there is a round without repeats whose squared differences of points add up to D, a
pair can only be in a better one if its own squared difference, and the least that the others can reach without it, are
not more than D together. The others reach least if neighbours in the order of points meet. Where points come before
all, D is the least of all rounds.
"""

import random
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from scorekeeper.pairing.field import Field, Player
from scorekeeper.pairing.matching import MOST_BITS, Edges, Mask, Matching, heaviest
from scorekeeper.pairing.measures import BYES, MOST_UNEVEN, measures
from scorekeeper.pairing.rounds import Drawn
from scorekeeper.standings.tournament import First, Pairing

Numbers = NDArray[np.int64]

LIMB = 60
"""The bits of a number that numpy can add up."""
LOTS = 8
"""The bits of the lot of each table, by which the seed decides between equally good rounds."""
NEAR = 12
"""With how many of the next places everybody is tried first."""


def draw(field: Field, chance: random.Random) -> Drawn:
    """The best round for those who are free. Of equally good ones, chance draws."""
    players = [field.players[each] for each in field.free]
    heads = _Heads(field, players, chance)
    found = heads.best()
    tables = [[[players[one].entrant], [players[other].entrant]] for one, other in found if other < len(players)]
    return Drawn(tables, [players[one].entrant for one, other in found if other == len(players)])


class _Heads:
    """Those who are free, in the order of their places, and what each two of them add to the numbers of a round."""

    def __init__(self, field: Field, players: Sequence[Player], chance: random.Random) -> None:
        self.field = field
        self.players = players
        self.chance = chance
        self.points = _differing(each.points for each in players)
        self.place = self._column(each.place for each in players)
        self.again = np.zeros((len(players), len(players)), np.int64)
        index = {player.entrant: number for number, player in enumerate(players)}
        for (one, other), times in field.met.items():
            if one in index and other in index:
                self.again[index[one], index[other]] = self.again[index[other], index[one]] = times

    @staticmethod
    def _column(values: Iterable[int]) -> Numbers:
        return np.fromiter(values, np.int64)

    def best(self) -> Matching:
        if self.field.stage.first is First.NEW and (found := self._without_repeats()):
            return found
        everybody = len(self.players)
        possible = np.ones((everybody, everybody), bool)
        if self.field.stage.first is First.POINTS:
            least = _least_with(self.points)
            possible = least == least.min()
        edges = Edges.of(possible)
        if everybody % 2:
            byes = np.flatnonzero(possible.diagonal())
            edges = Edges(np.append(edges.one, byes), np.append(edges.other, np.full(len(byes), everybody)))
        return self._matching(edges, measures(self.field))

    # --- without repeats ---------------------------------------------------------------------------------------
    def _without_repeats(self) -> Matching:
        """The best round in which nobody meets again; empty if there is none."""
        fresh = (self.again == 0) & ~np.eye(len(self.players), dtype=bool)
        names = measures(self.field)
        for mask, bye in self._after_bye(fresh):
            apart = mask & ~self._one_club if self.field.clubs_apart else mask
            if least := self._least_difference(apart):
                spread = sum(int(self.points[one] - self.points[other]) ** 2 for one, other in least)
                return [*bye, *self._matching(Edges.of(apart & self._can_reach(apart, spread)), names)]
            return [*bye, *self._matching(Edges.of(mask), names)]
        return []

    def _after_bye(self, fresh: Mask) -> Iterator[tuple[Mask, Matching]]:
        """Who may meet after the first in the queue for a bye has one who leaves a round without repeats to the others;
        nothing if there is no such round."""
        everybody = len(self.players)
        if everybody % 2 == 0:
            if self._perfect(fresh):
                yield fresh, []
            return
        for bye in sorted(range(everybody), key=lambda each: self.players[each].queue):
            left = fresh.copy()
            left[bye] = left[:, bye] = False
            if self._perfect(left):
                yield left, [(bye, everybody)]
                return

    def _perfect(self, mask: Mask) -> bool:
        """Whether everybody but who has a bye can meet somebody."""
        wanted = len(self.players) // 2
        return any(
            len(heaviest(Edges.of(part), [1] * int(np.triu(part).sum()))) == wanted for part in self._nearer(mask)
        )

    def _nearer(self, mask: Mask) -> Iterator[Mask]:
        """First the pairs of near places, then more and more of them, at last all."""
        distance, near = np.abs(self.place[:, None] - self.place), NEAR
        while near < len(self.players):
            yield mask & (distance <= near)
            near *= 4
        yield mask

    def _least_difference(self, mask: Mask) -> Matching:
        """A round in which points differ little, or an empty one if there is none."""
        wanted = len(self.players) // 2
        for part in self._nearer(mask):
            edges = Edges.of(part)
            found = self._matching(edges, ["difference"])
            if len(found) == wanted:
                return found
        return []

    def _can_reach(self, mask: Mask, spread: int) -> Mask:
        """Which two can be in a round whose squared differences add up to no more than this."""
        there = np.flatnonzero(mask.any(axis=0))
        reach = np.zeros_like(mask)
        reach[np.ix_(there, there)] = _least_with(self.points[there]) <= spread
        return reach

    @cached_property
    def _one_club(self) -> Mask:
        clubs = {each.club for each in self.players if each.club is not None}
        number = {club: place for place, club in enumerate(sorted(clubs), 1)}
        club = self._column(0 if each.club is None else number[each.club] for each in self.players)
        same: Mask = (club[:, None] == club) & (club > 0)
        return same

    # --- the numbers of each possible table --------------------------------------------------------------------
    def _matching(self, edges: Edges, names: Sequence[str]) -> Matching:
        """The best round of these tables, of equally good ones a random one."""
        if not edges.players:
            return []
        columns = self._numbers(edges, names)
        lots = self._column(self.chance.getrandbits(LOTS) for _table in edges.one)
        # Where the best tables are enough for everybody, as in a first round, no others are needed.
        best = np.logical_and.reduce([column == column.min() for column in columns])
        found = self._lightest(Edges(edges.one[best], edges.other[best]), [lots[best]])
        return found if len(found) == edges.players // 2 else self._lightest(edges, [*columns, lots])

    def _lightest(self, edges: Edges, columns: Sequence[Numbers]) -> Matching:
        """The matching with most tables, and of these the one in which the columns add up to least: the first that
        differs decides.

        A column needs room for its greatest sum. Where there is not enough for all, the first ones go ahead: then each
        of them needs room for its least sum only, because whatever has more is worse anyway.
        """
        tables = (len(self.players) + 1) // 2
        most = [int(column.max(initial=0)) for column in columns]
        rooms = [(each * tables).bit_length() for each in most]
        ahead = 0
        while True:
            ahead = max(ahead + 1, _fitting(most, rooms))
            costs = _folded(columns[:ahead], most, rooms)
            greatest = max(costs, default=0)
            found = heaviest(edges, [greatest - cost for cost in costs])
            if ahead == len(columns):
                return found
            index = {
                two: number for number, two in enumerate(zip(edges.one.tolist(), edges.other.tolist(), strict=True))
            }
            chosen = [index[two] for two in found]
            rooms[:ahead] = [int(column[chosen].sum()).bit_length() for column in columns[:ahead]]

    def _numbers(self, edges: Edges, names: Sequence[str]) -> list[Numbers]:
        """What each of the tables adds, number by number."""
        met = edges.other < len(self.players)
        one, other = edges.one, np.where(met, edges.other, 0)
        found = dict.fromkeys(names, np.zeros(len(one), np.int64))
        found["again"] = self.again[one, other]
        if self.field.clubs_apart:
            found["club"] = self._one_club[one, other].astype(np.int64)
        ahead = self.points[one] - self.points[other]
        found["difference"] = ahead**2
        found["thrice"], found["leads"] = self._leading(one, other)
        up = self._column(each.float for each in self.players)
        floats = [(up[one] == -np.sign(ahead)), (up[other] == np.sign(ahead))]
        found["floats"] = (ahead != 0) * sum(each.astype(np.int64) for each in floats)
        if self.field.stage.pairing is not Pairing.RANDOM:
            distance = np.abs(self.place[one] - self.place[other])
            half = self._column(each.half for each in self.players)[one]
            fold = self.field.stage.pairing is Pairing.FOLD
            found["across"] = np.where(ahead != 0, distance**2, 0)
            found["within"] = np.where(ahead == 0, (distance - (half if fold else 0)) ** 2, 0)
        found = {name: np.where(met, values, 0) for name, values in found.items()}
        queue = self._column(each.queue for each in self.players)
        found[BYES] = np.where(met, 0, queue[one])
        return [found[name] for name in names]

    def _leading(self, one: NDArray[np.intp], other: NDArray[np.intp]) -> tuple[Numbers, Numbers]:
        """`thrice` and `leads`, where who leads who makes the least of them."""
        uneven = self._column(each.uneven for each in self.players)
        twice = [self._column(each.led[-2:] == (led, led) for each in self.players) for led in (False, True)]

        def led_by(first: NDArray[np.intp], second: NDArray[np.intp]) -> tuple[Numbers, Numbers]:
            after = uneven[first] + 1, uneven[second] - 1
            run = twice[True][first], twice[False][second]
            thrice = sum(
                ((each > 0) | (np.abs(value) > MOST_UNEVEN)).astype(np.int64)
                for each, value in zip(run, after, strict=True)
            )
            return np.asarray(thrice), after[0] ** 2 + after[1] ** 2

        (thrice, leads), (otherwise, leads_otherwise) = led_by(one, other), led_by(other, one)
        swap = (otherwise < thrice) | ((otherwise == thrice) & (leads_otherwise < leads))
        return np.where(swap, otherwise, thrice), np.where(swap, leads_otherwise, leads)


def _differing(points: Iterable[int]) -> Numbers:
    """Points, less the worst of them; as Python's whole numbers where numpy's are too small for their squares."""
    listed = [*points]
    worst = min(listed)
    ahead = [each - worst for each in listed]
    enough = (max(ahead) ** 2 * len(ahead)).bit_length() <= LIMB
    return np.array(ahead, np.int64 if enough else object)


def _least_with(points: Numbers) -> Numbers:
    """For each two, how little the squared differences of a round can add up to in which they meet; for each alone, in
    which they have a bye. No round with them has less. Points fall from the first to the last.

    A table costs no less than the squares of the steps between neighbours that it spans. Where an odd number is on one
    side of a step, some table spans it. If all meet, these are the first step, the third, …; from whoever has a bye on,
    and between two who meet, it is the other way round.
    """
    steps = np.diff(points) ** 2
    flips = steps.copy()
    flips[0::2] *= -1
    # What is added where all steps up to each of them are flipped.
    added = np.append(np.zeros(1, points.dtype), np.cumsum(flips))
    one, other = added[:, None], added[None, :]
    if len(points) % 2 == 0:
        alone = np.full(len(points), steps[0::2].sum())
        together = alone + other - one
    else:
        last = steps[1::2].sum()
        alone = last - added
        most_before, most_after = np.maximum.accumulate(added), np.maximum.accumulate(added[::-1])[::-1]
        later = np.triu(np.ones((len(points), len(points)), bool))
        least_between = np.minimum.accumulate(np.where(later, other, added.max()), axis=1)
        together = last + np.minimum(
            np.minimum(one - other - most_before[:, None], other - one - most_after[None, :]),
            least_between - one - other,
        )
    least: Numbers = np.triu((points[:, None] - points) ** 2 + together, 1)
    least_with: Numbers = least + least.T + np.diag(alone)
    return least_with


def _fitting(most: Sequence[int], rooms: Sequence[int]) -> int:
    """How many columns with these greatest numbers fit into one number that rustworkx can add up."""
    greatest = 0
    for number, (each, room) in enumerate(zip(most, rooms, strict=True)):
        greatest = (greatest << room) + each
        if greatest.bit_length() > MOST_BITS:
            return number
    return len(most)


def _folded(columns: Sequence[Numbers], most: Sequence[int], rooms: Sequence[int]) -> list[int]:
    """One whole number for each possible table, from its number in each column, which is `most` at most, and the bits
    that each column needs."""
    parts: list[tuple[Numbers, int, int]] = []
    for column, greatest, room in zip(columns, most, rooms, strict=False):
        if parts and ((parts[-1][1] << room) + greatest).bit_length() <= LIMB:
            values, so_far, bits = parts[-1]
            parts[-1] = (values << room) + column, (so_far << room) + greatest, bits + room
        else:
            parts.append((column, greatest, room))
    weights: list[int] = parts[0][0].tolist()
    for values, _greatest, bits in parts[1:]:
        weights = [(weight << bits) + value for weight, value in zip(weights, values.tolist(), strict=True)]
    return weights
