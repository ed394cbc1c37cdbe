"""What each entrant can still reach: the best and the worst place by points, whatever happens at open tables."""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import combinations, product
from math import prod
from typing import NamedTuple

from scorekeeper.standings.exact import Number, mean
from scorekeeper.standings.results import Contest, Results
from scorekeeper.standings.tournament import By

MOST_ENDINGS = 10_000

Ending = tuple[Number, ...]
"""What a table is worth to each of its entrants."""


class Possible(NamedTuple):
    """1 + the least and the greatest number of entrants who can have more points in the end. If not `exact`, the best
    place is never too great, and the worst never too small."""

    best: int
    worst: int
    exact: bool


class OpenTable(NamedTuple):
    entrants: tuple[int, ...]
    endings: tuple[Ending, ...]
    """All that are different."""


def possible_places(results: Results) -> dict[int, Possible]:
    """By entrant. Not for a knock-out, and not if rounds are worth their scores."""
    by_round = [[contest for contest in each if contest.open] for each in results.contests]
    tables = [_open(results, contest) for each in by_round for contest in each]
    rounds = sum(map(bool, by_round))
    to_come = max((results.stage.rounds_planned or 0) - results.after, 0)
    if not to_come and rounds <= 1:
        return _one_round(results, tables)
    if not to_come and prod(len(table.endings) for table in tables) <= MOST_ENDINGS:
        return _all_endings(results, tables)
    return _bounds(results, tables, to_come)


def _open(results: Results, contest: Contest) -> OpenTable:
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
    return OpenTable(entrants, tuple(dict.fromkeys(map(of_all, endings))))


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


def _one_round(results: Results, tables: Sequence[OpenTable]) -> dict[int, Possible]:
    """Everybody sits at one open table at most. So for each ending of their own table, each other table can end in the
    best or the worst way for them, whatever the rest do."""
    points = results.points
    fixed = _fixed(results, tables)
    own = {entrant: number for number, table in enumerate(tables) for entrant in table.entrants}

    @cache
    def above(number: int, mine: Number) -> tuple[int, int]:
        """The least and the most entrants of this table who can have more points than `mine`."""
        table = tables[number]
        counts = [_above(_final(points, table, ending), mine) for ending in table.endings]
        return min(counts), max(counts)

    @cache
    def at_others(mine: Number) -> tuple[int, int]:
        """The same for all tables together."""
        pairs = [above(number, mine) for number in range(len(tables))]
        return sum(least for least, _most in pairs), sum(most for _least, most in pairs)

    def places(entrant: int) -> Possible:
        number = own.get(entrant)
        if number is None:
            mine = points[entrant]
            least, most = at_others(mine)
            more = _more(fixed, mine)
            return Possible(1 + more + least, 1 + more + most, True)
        table, found = tables[number], []
        for ending in table.endings:
            final = _final(points, table, ending)
            mine = final[table.entrants.index(entrant)]
            least, most = at_others(mine)
            own_least, own_most = above(number, mine)
            more = _more(fixed, mine) + _above(final, mine)
            found.append((1 + more + least - own_least, 1 + more + most - own_most))
        return Possible(min(best for best, _worst in found), max(worst for _best, worst in found), True)

    return {entrant: places(entrant) for entrant in results.entrants}


def _all_endings(results: Results, tables: Sequence[OpenTable]) -> dict[int, Possible]:
    """Tries every way in which the open tables can end together."""
    fixed = _fixed(results, tables)
    moving = sorted({entrant for table in tables for entrant in table.entrants})
    levels = set(fixed)
    by_level: dict[Number, list[int]] = {level: [] for level in levels}
    by_entrant: dict[int, list[int]] = {entrant: [] for entrant in moving}
    for endings in product(*(table.endings for table in tables)):
        final = {entrant: results.points[entrant] for entrant in moving}
        for table, ending in zip(tables, endings, strict=True):
            for entrant, worth in zip(table.entrants, ending, strict=True):
                final[entrant] += worth
        order = sorted(final.values())
        for level in levels:
            by_level[level].append(_more(order, level))
        for entrant, mine in final.items():
            by_entrant[entrant].append(_more(order, mine) + _more(fixed, mine))

    def places(entrant: int) -> Possible:
        if entrant in by_entrant:
            counts = by_entrant[entrant]
        else:
            mine = results.points[entrant]
            counts = [_more(fixed, mine) + more for more in by_level[mine]]
        return Possible(1 + min(counts), 1 + max(counts), True)

    return {entrant: places(entrant) for entrant in results.entrants}


def _bounds(results: Results, tables: Sequence[OpenTable], to_come: int) -> dict[int, Possible]:
    """As if everybody could end alone as they like."""
    worth = results.stage.worth
    once = [value for value in worth.values.values() if value is not None]
    once += [value for places in worth.places.values() for value in places]
    least = {entrant: points + to_come * min(once) for entrant, points in results.points.items()}
    most = {entrant: points + to_come * max(once) for entrant, points in results.points.items()}
    for table in tables:
        for entrant, values in zip(table.entrants, zip(*table.endings, strict=True), strict=True):
            least[entrant] += min(values)
            most[entrant] += max(values)
    lowest, highest = sorted(least.values()), sorted(most.values())
    return {
        entrant: Possible(
            1 + _more(lowest, most[entrant]),
            # Not the entrant, who is above their own least points if anything is open.
            1 + _more(highest, least[entrant]) - (most[entrant] > least[entrant]),
            False,
        )
        for entrant in results.entrants
    }


def _fixed(results: Results, tables: Sequence[OpenTable]) -> list[Number]:
    """The points of those who sit at no open table, in order."""
    moving = {entrant for table in tables for entrant in table.entrants}
    return sorted(points for entrant, points in results.points.items() if entrant not in moving)


def _final(points: dict[int, Number], table: OpenTable, ending: Ending) -> list[Number]:
    return [points[entrant] + worth for entrant, worth in zip(table.entrants, ending, strict=True)]


def _more(order: Sequence[Number], than: Number) -> int:
    return len(order) - bisect_right(order, than)


def _above(values: Sequence[Number], than: Number) -> int:
    return sum(value > than for value in values)
