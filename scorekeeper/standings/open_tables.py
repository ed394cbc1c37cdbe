"""The open tables of a stage, and how many entrants can be ahead of one of them by points in the end."""

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import combinations, product
from math import lcm, prod
from typing import NamedTuple

from scorekeeper.standings.exact import Number, mean
from scorekeeper.standings.reaching import Endings, OpenTable, Short, Split, fewest_short, split, together
from scorekeeper.standings.results import Contest, Results
from scorekeeper.standings.tournament import By

EFFORT = 6_000_000  # endings of single tables

Ending = tuple[Number, ...]
"""What a table is worth to each of its entrants."""


class Ahead(NamedTuple):
    """A number of entrants. If not `exact`, the fewest are never too many, and the most never too few."""

    number: int
    exact: bool


class OpenTables:
    """Not of a knock-out, and not if rounds are worth their scores. Rounds that are not drawn yet can be worth anything
    to anybody, so then nothing is exact; only those who are `gone` are absent there. Neither is a search that looks at
    more endings than its share of the `effort`.
    """

    def __init__(self, results: Results, effort: int = EFFORT, gone: Collection[int] = ()) -> None:
        contests = [contest for each in results.contests for contest in each if contest.open]
        tables = [_open(results, contest) for contest in contests]
        to_come = max((results.stage.rounds_planned or 0) - results.after, 0)
        least, most = (to_come * worth for worth in _least_and_most(results))
        absent = results.stage.worth.values["absent"]
        going = {} if absent is None else dict.fromkeys(gone, (to_come * absent, to_come * absent))
        # What each entrant has from the rounds to come, at least and at most.
        free = {entrant: going.get(entrant, (least, most)) for entrant in results.entrants}
        self._exact = not to_come
        self._others = len(results.entrants) - 1
        # Tables that can end in 10,000 ways together are at most 13, and take at most 20,000 endings of a share.
        seated = {entrant for entrants, _endings in tables for entrant in entrants}
        self._limit = max(effort // max(len(seated), 1), 1)
        numbers = [*results.points.values(), *(worth for _who, ends in tables for end in ends for worth in end)]
        scale = lcm(*(each.denominator for each in (*numbers, *(worth for both in free.values() for worth in both))))
        self._least, self._most = (
            {entrant: int((points + free[entrant][end]) * scale) for entrant, points in results.points.items()}
            for end in (0, 1)
        )
        self._seated = [entrants for entrants, _endings in tables]
        self._endings = [
            tuple(tuple([int(worth * scale) for worth in ending]) for ending in endings) for _who, endings in tables
        ]

    def most_ahead(self, entrant: int, *, or_equal: bool = False) -> Ahead:
        """How many can have more points than the entrant in the end; `or_equal`: or as many."""
        short = (self._up_to_equal if or_equal else self._up).fewest_short(entrant)
        return Ahead(self._others - short.number, short.exact and self._exact)

    def fewest_ahead(self, entrant: int, *, without_win: bool = False) -> Ahead:
        """How many have more points than the entrant at least; `without_win`: if the entrant does not get the most
        that their next table can give."""
        short = self._down.fewest_short(entrant, without_least=without_win)
        return Ahead(short.number, short.exact and self._exact)

    @cached_property
    def _up(self) -> "_Race":
        return self._race(1, self._least, self._most, -1)

    @cached_property
    def _up_to_equal(self) -> "_Race":
        return self._race(1, self._least, self._most, 0)

    @cached_property
    def _down(self) -> "_Race":
        """Those who do not get ahead of the entrant are those who come as far with all points turned round."""
        return self._race(-1, self._most, self._least, 0)

    def _race(self, sign: int, own: Mapping[int, int], others: Mapping[int, int], start: int) -> "_Race":
        one, other = ({entrant: sign * each for entrant, each in points.items()} for points in (own, others))
        kinds = {
            endings: Endings([tuple([sign * worth for worth in ending]) for ending in endings])
            for endings in set(self._endings)
        }
        tables = [OpenTable(who, kinds[endings]) for who, endings in zip(self._seated, self._endings, strict=True)]
        return _Race(one, other, tables, start, self._limit)


def _least_and_most(results: Results) -> tuple[Number, Number]:
    """What a round can be worth."""
    worth = results.stage.worth
    once = [value for value in worth.values.values() if value is not None]
    once += [value for places in worth.places.values() for value in places]
    return min(once), max(once)


class _Race:
    """All against one entrant, who gets as little as possible. `own`: the points of each as this one, `points`: as one
    of the others, who have `start` besides."""

    def __init__(
        self, own: Mapping[int, int], points: Mapping[int, int], tables: Sequence[OpenTable], start: int, limit: int
    ) -> None:
        self._own = own
        self._points = points
        self._tables = tables
        self._start = start
        self._limit = limit
        self._at: dict[int, list[int]] = defaultdict(list)
        for number, table in enumerate(tables):
            for each in table.entrants:
                self._at[each].append(number)
        self._splits: dict[int, Split] = {}

    def fewest_short(self, entrant: int, *, without_least: bool = False) -> Short:
        """How many of the others do not come to the points of this entrant; `without_least`: if the entrant does not
        get the least at the next table that can give them more."""
        own = [self._tables[number] for number in self._at[entrant]]
        if without_least:
            own = _without_least(own, entrant)
        ways = [_for_one(table, entrant) for table in own]
        if prod(map(len, ways)) > self._limit:
            return Short(0, False)
        counts = [self._if_so(entrant, way) for way in product(*ways)]
        return min(counts, key=lambda count: (count.number, not count.exact))

    def _if_so(self, entrant: int, way: Sequence[tuple[int, OpenTable]]) -> Short:
        """The same if the entrant gets just this at their tables, and the others there one of these endings."""
        level = self._own[entrant] + sum(worth for worth, _table in way) - self._start
        never, groups = self._split(level)
        own = dict(zip(self._at[entrant], way, strict=True))
        together_with = {entrant, *(each for _worth, table in way for each in table.entrants)}
        near = [group for group in groups if not together_with.isdisjoint(group.needs)]
        rest = [group.short for group in groups if together_with.isdisjoint(group.needs)]
        if any(group.too_large for group in near):
            return together([Short(len(never - {entrant}), True), *rest, Short(0, False)])
        # Only the groups near by depend on how the entrant's tables end.
        needs = {each: level - self._points[each] for group in near for each in group.needs if each != entrant}
        numbers = dict.fromkeys(number for each in needs for number in self._at[each])
        tables = [own[number][1] if number in own else self._tables[number] for number in numbers]
        return together([Short(len(never - {entrant}), True), *rest, fewest_short(needs, tables, self._limit)])

    def _split(self, level: int) -> Split:
        """Everybody by whether they come to this number."""
        if level not in self._splits:
            needs = {entrant: level - points for entrant, points in self._points.items()}
            self._splits[level] = split(needs, self._tables, self._limit)
        return self._splits[level]


def _for_one(table: OpenTable, entrant: int) -> list[tuple[int, OpenTable]]:
    """What the entrant can get at their table, with the table for the others then."""
    seat = table.entrants.index(entrant)
    others = table.entrants[:seat] + table.entrants[seat + 1 :]
    return [(worth, OpenTable(others, endings)) for worth, endings in table.endings.for_one(seat).items()]


def _without_least(tables: Sequence[OpenTable], entrant: int) -> list[OpenTable]:
    """The tables of an entrant, in order; the next one that can give them more than the least does so."""
    changed = list(tables)
    for number, (entrants, endings) in enumerate(tables):
        more = endings.without_least(entrants.index(entrant))
        if more:
            changed[number] = OpenTable(entrants, more)
            break
    return changed


def _open(results: Results, contest: Contest) -> tuple[tuple[int, ...], tuple[Ending, ...]]:
    """The entrants of the table, and all ways to end that are different."""
    worth = results.stage.worth
    came = [side for side, here in enumerate(contest.came) if here]
    absent = worth.values["forfeit_loss"] or 0
    entrants = tuple(entrant for side in contest.sides for entrant in side)

    def of_all(values: Sequence[Number]) -> Ending:
        by_side = dict(zip(came, values, strict=True))
        return tuple(by_side.get(side, absent) for side, each in enumerate(contest.sides) for _entrant in each)

    if worth.by is By.PLACE:
        endings = _by_place(len(came), worth.places[len(contest.sides)])
    else:
        win, draw, loss = (worth.values[name] or 0 for name in ("win", "draw", "loss"))
        endings = _by_result(len(came), win, draw, loss)
    return entrants, tuple(dict.fromkeys(map(of_all, endings)))


def _by_result(sides: int, win: Number, draw: Number, loss: Number) -> Iterator[Ending]:
    for best in range(1, sides + 1):
        for winners in combinations(range(sides), best):
            yield tuple((win if best == 1 else draw) if side in winners else loss for side in range(sides))


def _by_place(sides: int, places: Sequence[Number]) -> Iterator[Ending]:
    """For each order of the sides, with equal ones."""
    for ranks in product(range(sides), repeat=sides):
        taken = sorted(ranks)
        if all(rank == taken.index(rank) for rank in ranks):
            yield tuple(mean(places[rank : rank + ranks.count(rank)]) for rank in ranks)
