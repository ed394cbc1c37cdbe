"""How many entrants can reach what they need at open tables, however these end.

The search takes one table after the other. Of those before it remembers only what each entrant still needs at the
tables ahead, and how many have fallen short: all ways to come to the same needs are one state. So it is exact without
trying all endings, and quick if few entrants at a time have some of their tables behind them and some ahead.
"""

from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache, cached_property
from typing import NamedTuple

Ending = tuple[int, ...]
"""What a table is worth to each of its entrants, by seat."""
TABLE, ENDING = 60, 3  # to prepare a table takes as long as to look at so many endings, and so many for each of its own


class Endings:
    """The ways in which a table can end. Tables of one kind share them, and what follows from them."""

    def __init__(self, ways: Sequence[Ending]) -> None:
        self.ways = tuple(ways)
        seats = list(zip(*self.ways, strict=True))
        self.least = tuple(map(min, seats))
        self.most = tuple(map(max, seats))
        self.of = cache(self._of)
        self.for_one = cache(self._for_one)
        self.without_least = cache(self._without_least)

    def _of(self, seats: tuple[int, ...]) -> "Endings":
        """For those in some of the seats, without ways that are worth less to one and more to none of them."""
        return Endings(best_of(tuple([way[seat] for seat in seats]) for way in self.ways))

    def _for_one(self, seat: int) -> dict[int, "Endings"]:
        """By what somebody in this seat can get: how it ends for the others then. Without ways that leave nobody
        further ahead of them than another one, neither here nor elsewhere."""
        by_worth: dict[int, list[Ending]] = defaultdict(list)
        for ahead in best_of(
            tuple([(0 if other == seat else worth) - way[seat] for other, worth in enumerate(way)]) for way in self.ways
        ):
            worth = -ahead[seat]
            by_worth[worth].append(tuple([lead + worth for other, lead in enumerate(ahead) if other != seat]))
        return {worth: Endings(ways) for worth, ways in by_worth.items()}

    def _without_least(self, seat: int) -> "Endings | None":
        """The ways that give more than the least to somebody in this seat; None if there are none."""
        more = [way for way in self.ways if way[seat] > self.least[seat]]
        return Endings(more) if more else None


class OpenTable(NamedTuple):
    entrants: tuple[int, ...]
    endings: Endings

    def of(self, entrants: Collection[int]) -> "OpenTable":
        """The same for some of its entrants, without endings that are worth less to one and more to none of them."""
        seats = tuple([seat for seat, entrant in enumerate(self.entrants) if entrant in entrants])
        return OpenTable(tuple([self.entrants[seat] for seat in seats]), self.endings.of(seats))


def best_of(endings: Iterable[Ending]) -> tuple[Ending, ...]:
    """Those that are different, without those that are worth less to one and more to none than another."""
    best: list[Ending] = []
    for ending in sorted(dict.fromkeys(endings), key=sum, reverse=True):
        if not any(_covers(other, ending) for other in best):
            best.append(ending)
    return tuple(best)


def _covers(one: Sequence[int], other: Sequence[int]) -> bool:
    return all(a >= b for a, b in zip(one, other, strict=True))


class Short(NamedTuple):
    """The least number of entrants who fall short of what they need. If not `exact`, it is not too great."""

    number: int
    exact: bool


def together(counts: Iterable[Short]) -> Short:
    """Of entrants who do not depend on each other."""
    listed = list(counts)
    return Short(sum(each.number for each in listed), all(each.exact for each in listed))


class Group:
    """Entrants each of whom may reach what they need or not, and who share tables."""

    def __init__(self, needs: dict[int, int], tables: Sequence[OpenTable], limit: int) -> None:
        self.needs = needs
        self.tables = tables
        self._limit = limit

    @property
    def too_large(self) -> bool:
        """Whether the limit is reached before the first table."""
        return sum(TABLE + ENDING * len(table.endings.ways) for table in self.tables) > self._limit

    @cached_property
    def short(self) -> Short:
        if self.too_large:
            return Short(0, False)
        given = [table for table in self.tables if len(table.endings.ways) == 1]
        if not given:
            return _search(self.needs, _in_order(self.tables), self._limit)
        needs = dict(self.needs)
        for table in given:
            for entrant, worth in zip(table.entrants, table.endings.ways[0], strict=True):
                needs[entrant] -= worth
        return fewest_short(needs, [table for table in self.tables if len(table.endings.ways) > 1], self._limit)


class Split(NamedTuple):
    never: frozenset[int]
    """Who falls short in any case."""
    groups: list[Group]
    """All who may reach what they need or not, in groups that do not depend on each other."""


def split(needs: Mapping[int, int], tables: Sequence[OpenTable], limit: int) -> Split:
    """`needs`: what each entrant needs at the tables together. `limit`: how many endings a search may look at,
    at one table after the other."""
    least, most = dict.fromkeys(needs, 0), dict.fromkeys(needs, 0)
    for table in tables:
        for entrant, low, high in zip(table.entrants, table.endings.least, table.endings.most, strict=True):
            if entrant in needs:
                least[entrant] += low
                most[entrant] += high
    never = frozenset(entrant for entrant, need in needs.items() if need > most[entrant])
    open_still = {entrant: need for entrant, need in needs.items() if least[entrant] < need <= most[entrant]}
    seated = [shared for table in tables if (shared := table.of(open_still)).entrants]
    return Split(never, [Group({each: open_still[each] for each in who}, at, limit) for who, at in _connected(seated)])


def fewest_short(needs: Mapping[int, int], tables: Sequence[OpenTable], limit: int) -> Short:
    never, groups = split(needs, tables, limit)
    return together([Short(len(never), True), *(group.short for group in groups)])


def _connected(tables: Sequence[OpenTable]) -> Iterator[tuple[list[int], list[OpenTable]]]:
    """The entrants and tables of each group that shares no table with others."""
    at: dict[int, list[int]] = defaultdict(list)
    for number, table in enumerate(tables):
        for entrant in table.entrants:
            at[entrant].append(number)
    while at:
        entrants, found = [next(iter(at))], dict[int, None]()
        for entrant in entrants:
            for number in at.pop(entrant):
                if number not in found:
                    found[number] = None
                    entrants += [each for each in tables[number].entrants if each not in entrants]
        yield entrants, [tables[number] for number in found]


class _Seat(NamedTuple):
    """An entrant at a table, in a state: there a few bits say what they need. 0 is nothing any more, otherwise it is
    the sum with this index, in order, of those that can still be reached."""

    at: int
    """The first of the bits."""
    before: Sequence[int]
    """The sums that can be reached with this table and those after it."""
    after: Sequence[int]


class _Moves(dict[int, list[tuple[int, int]]]):
    """By what those at a table need: how each ending changes a state, and how many fall short by it. Without endings
    after which one needs more than after another ending, and nobody less."""

    def __init__(self, seats: Sequence[_Seat], endings: Sequence[Ending], ones: int) -> None:
        self._seats = seats
        self._endings = endings
        self._ones = ones
        self.mask = sum(ones << seat.at for seat in seats)

    def __missing__(self, state: int) -> list[tuple[int, int]]:
        needs = [state >> seat.at & self._ones for seat in self._seats]
        left = best_of(
            tuple([-_left(*each) for each in zip(self._seats, needs, ending, strict=True)]) for ending in self._endings
        )
        self[state] = [self._move(state, each) for each in left]
        return self[state]

    def _move(self, state: int, left: Sequence[int]) -> tuple[int, int]:
        after = missed = 0
        for seat, need in zip(self._seats, left, strict=True):
            if -need == len(seat.after):
                missed += 1
            else:
                after += -need << seat.at
        return after - state, missed


def _left(seat: _Seat, need: int, worth: int) -> int:
    """What they need after the table. As many as there are sums: none is enough."""
    return bisect_left(seat.after, seat.before[need] - worth) if need else 0


def _search(needs: Mapping[int, int], tables: Sequence[OpenTable], limit: int) -> Short:
    sums = _sums(tables)
    bits = max(map(len, sums.values())).bit_length()
    ones = (1 << bits) - 1
    at = {entrant: bits * number for number, entrant in enumerate(needs)}
    states = {sum(bisect_left(sums[entrant, 0], need) << at[entrant] for entrant, need in needs.items()): 0}
    behind: Counter[int] = Counter()
    exact, looked_at = True, 0
    for table in tables:
        looked_at += len(states) * len(table.endings.ways)
        if looked_at > limit:
            # As if all in between got what they need: then there is one state again.
            exact, looked_at = False, 0
            ahead = sum(ones << at[entrant] for entrant in needs if not behind[entrant])
            states = {next(iter(states)) & ahead: min(states.values())}
        seats = [_Seat(at[each], sums[each, behind[each]], sums[each, behind[each] + 1]) for each in table.entrants]
        states = _after(states, _Moves(seats, table.endings.ways, ones))
        behind.update(table.entrants)
    return Short(states[0], exact)


def _after(states: Mapping[int, int], moves: _Moves) -> dict[int, int]:
    """The states after one more table, each with the fewest who have fallen short on a way to it."""
    mask = moves.mask
    found: dict[int, int] = {}
    for state, short in states.items():
        for change, missed in moves[state & mask]:
            after, number = state + change, short + missed
            if found.get(after, number) >= number:
                found[after] = number
    return found


def _sums(tables: Sequence[OpenTable]) -> dict[tuple[int, int], list[int]]:
    """By entrant and how many of their tables are behind them: what the tables ahead can be worth together, in
    order."""
    worths: dict[int, list[set[int]]] = defaultdict(list)
    for table in tables:
        for entrant, each in zip(table.entrants, zip(*table.endings.ways, strict=True), strict=True):
            worths[entrant].append(set(each))
    found = {}
    for entrant, of_tables in worths.items():
        sums = {0}
        for behind in reversed(range(len(of_tables) + 1)):
            found[entrant, behind] = sorted(sums)
            sums = {one + worth for one in sums for worth in of_tables[behind - 1]}
    return found


def _in_order(tables: Sequence[OpenTable]) -> list[OpenTable]:
    """Next comes a table after which as few entrants as possible have tables behind them and ahead."""
    ahead: dict[int, set[int]] = defaultdict(set)
    for number, table in enumerate(tables):
        for entrant in table.entrants:
            ahead[entrant].add(number)
    begun: set[int] = set()

    def more(number: int) -> int:
        return sum((len(ahead[each]) > 1) - (each in begun) for each in tables[number].entrants)

    order = []
    while ahead:
        near = {number for entrant in begun or ahead for number in ahead[entrant]}
        number = min(sorted(near), key=more)
        order.append(tables[number])
        for entrant in tables[number].entrants:
            begun.add(entrant)
            ahead[entrant].remove(number)
            if not ahead[entrant]:
                begun.remove(entrant)
                del ahead[entrant]
    return order
