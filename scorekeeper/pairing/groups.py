"""The best round of tables of three and four, also of partners: exact for few players, else a search.

What a table costs is one whole number, folded from the numbers that a round is judged by, so that the first difference
decides. Most of them are sums over each two at the table, which are calculated once.
"""

import random
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from itertools import combinations
from typing import NamedTuple

from scorekeeper.pairing.field import Field, Player
from scorekeeper.pairing.measures import BYES, OF_TABLE, Seated, measures
from scorekeeper.pairing.rounds import Drawn
from scorekeeper.schedule.late_acceptance import Progress, improve
from scorekeeper.standings.tournament import Play

EXACT = 12
"""Up to this number of players, every possible round is considered."""
MEMORY = 400
LOTS = 12
"""The bits by which the seed decides between equally good rounds."""
OF_TWO = ("club", "difference", "across", "within")
"""The numbers that are sums over each two at a table, whoever is whose partner."""
REMEMBERED = 1 << 17
"""The number of tables whose price is remembered."""

Group = tuple[int, ...]
"""Who sits together, by index, in the order of their places."""


class Shape(NamedTuple):
    """How many sit at the tables, and how many have a bye."""

    fours: int
    threes: int
    byes: int

    @classmethod
    def of(cls, play: Play, players: int) -> "Shape":
        """For this number of players: as few byes as possible, then as few threes as possible."""
        if play is Play.TRIPLES:
            return cls(0, players // 3, players % 3)
        if play is not Play.MIXED:
            return cls(players // 4, 0, players % 4)
        if players < 3:
            return cls(0, 0, players)
        byes = players == 5
        threes = -(players - byes) % 4
        return cls((players - byes - 3 * threes) // 4, threes, int(byes))

    @property
    def sizes(self) -> list[int]:
        return [4] * self.fours + [3] * self.threes


def draw(field: Field, chance: random.Random) -> Iterator[Progress[Drawn]]:
    """Better and better rounds for those who are free, without end if there are too many players to consider every
    round. The same report again: nothing better was found."""
    players = [field.players[each] for each in field.free]
    shape = Shape.of(field.play, len(players))
    prices = _Prices(field, players, chance)
    if len(players) <= EXACT:
        yield Progress(_drawn(prices, *_exact(prices, shape)), 1, 1)
        return
    state = _Arrangement(prices, shape)
    before = None
    for found in improve(state, MEMORY, chance):
        if found is not before:
            before, report = found, Progress(_drawn(prices, *found.best), 0, 1)
        yield report


def _drawn(prices: "_Prices", tables: Sequence[Group], byes: Group) -> Drawn:
    return Drawn([prices.arranged(table) for table in tables], [prices.players[each].entrant for each in byes])


# --- what a table costs --------------------------------------------------------------------------------------
Split = tuple[Group, ...]
"""The sides of a table."""


class _Prices:
    """What tables and byes cost. Less is better, and the seed makes all tables differ a little."""

    def __init__(self, field: Field, players: Sequence[Player], chance: random.Random) -> None:
        self.field = field
        self.players = players
        names = measures(field)
        # No number of a round needs more bits than this, but for the byes, which need one for each place in the queue.
        everybody = len(field.players)
        spread = max(each.points for each in players) - min(each.points for each in players)
        most = max(2 * spread, 2 * everybody, 4 * len(field.results.contests) + 4)
        width = (16 * everybody * most * most).bit_length()
        self._shift: dict[str, int] = {}
        shift = LOTS + everybody.bit_length() + 3
        for name in reversed(names):
            self._shift[name] = shift
            shift += everybody + 2 if name == BYES else width
        self._chance = chance
        self._uneven = [each.uneven for each in players]
        number = len(players)
        self._facing: list[list[int | None]] = [[None] * number for _player in players]
        self._beside: list[list[int | None]] = [[None] * number for _player in players]
        self.table = lru_cache(REMEMBERED)(self._partners if field.play is Play.PARTNERS else self._singles)

    def bye(self, player: int) -> int:
        """The greatest number in the queue decides, then the next: as their powers of two do."""
        return 1 << (self._shift[BYES] + self.players[player].queue)

    def arranged(self, group: Group) -> list[list[int]]:
        """The sides of the table, by start number."""
        sides: Split = tuple((each,) for each in group)
        if self.field.play is Play.PARTNERS:
            sides = min(_splits(group), key=self._split)
        return [[self.players[each].entrant for each in side] for side in sides]

    def _singles(self, group: Group) -> int:
        price = sum([self.facing(*two) for two in combinations(group, 2)])
        if len(group) == 3 and "small" in self._shift:
            price += sum(self.players[each].threes for each in group) << self._shift["small"]
        return price + self._leads(tuple((each,) for each in group))

    def _partners(self, group: Group) -> int:
        return min(map(self._split, _splits(group)))

    def _split(self, sides: Split) -> int:
        """What a table of partners costs."""
        one, other = sides
        price = self.beside(*one) + self.beside(*other) + sum([self.facing(a, b) for a in one for b in other])
        table = Seated(self.field, [[self.players[each] for each in side] for side in sides])
        for name in ("sides", "even"):
            price += OF_TABLE[name](table) << self._shift[name]
        return price + self._leads(sides)

    def facing(self, one: int, other: int) -> int:
        """What two add who sit at one table on different sides."""
        price = self._facing[one][other]
        if price is None:
            price = self._facing[one][other] = self._of_two([[one], [other]], "again")
            self._facing[other][one] = price
        return price

    def beside(self, one: int, other: int) -> int:
        """What two partners add."""
        price = self._beside[one][other]
        if price is None:
            price = self._beside[one][other] = self._of_two([[one, other]], "partners")
            self._beside[other][one] = price
        return price

    def _of_two(self, sides: list[list[int]], also: str) -> int:
        table = Seated(self.field, [[self.players[each] for each in side] for side in sides])
        price = sum(OF_TABLE[name](table) << self._shift[name] for name in (also, *OF_TWO))
        return price + self._chance.getrandbits(LOTS)

    def _leads(self, sides: Split) -> int:
        """The least sum of squares: whoever leads comes to be more uneven by one less than the number of sides."""
        after = [sum([(self._uneven[each] - 1) ** 2 for each in side]) for side in sides]
        if_led = [sum([(self._uneven[each] + len(sides) - 1) ** 2 for each in side]) for side in sides]
        total = sum(after)
        return min([total - rest + led for rest, led in zip(after, if_led, strict=True)]) << self._shift["leads"]


def _splits(group: Group) -> list[Split]:
    """The three ways in which four can be partners."""
    a, b, c, d = group
    return [((a, b), (c, d)), ((a, c), (b, d)), ((a, d), (b, c))]


# --- few players: every possible round -----------------------------------------------------------------------
def _exact(prices: _Prices, shape: Shape) -> tuple[list[Group], Group]:
    """The best round: whoever is the first without a place gets every possible table, or a bye."""

    @cache
    def best(left: Group, fours: int, threes: int, byes: int) -> tuple[int, tuple[Group, ...], Group]:
        if not left:
            return 0, (), ()
        first, *others = left
        found = []
        for size, number in ((4, fours), (3, threes)):
            for company in combinations(others, size - 1) if number else ():
                table = (first, *company)
                rest = tuple(each for each in others if each not in company)
                price, tables, without = best(rest, fours - (size == 4), threes - (size == 3), byes)
                found.append((price + prices.table(table), (table, *tables), without))
        if byes:
            price, tables, without = best(tuple(others), fours, threes, byes - 1)
            found.append((price + prices.bye(first), tables, (first, *without)))
        return min(found)

    _price, tables, byes = best(tuple(range(len(prices.players))), *shape)
    return list(tables), byes


# --- many players: a search ----------------------------------------------------------------------------------
class _Arrangement:
    """Who sits where; those who have a bye are a group of their own. A change swaps two players."""

    least = 0

    def __init__(self, prices: _Prices, shape: Shape) -> None:
        self.prices = prices
        due = sorted(range(len(prices.players)), key=lambda each: prices.players[each].queue)
        byes = due[: shape.byes]
        places = iter([each for each in range(len(prices.players)) if each not in byes])
        self.groups = [[next(places) for _seat in range(size)] for size in shape.sizes]
        self.tables = len(self.groups)
        if byes:
            self.groups.append(byes)
        self.seats = [(group, seat) for group, them in enumerate(self.groups) for seat in range(len(them))]
        self.costs = [self._cost(group, them) for group, them in enumerate(self.groups)]
        self.cost = sum(self.costs)
        self.keep()

    def _cost(self, group: int, them: Sequence[int]) -> int:
        if group == self.tables:
            return sum(map(self.prices.bye, them))
        return self.prices.table(tuple(sorted(them)))

    def try_change(self, rng: random.Random, limit: int) -> int:
        (one, a), (other, b) = rng.choice(self.seats), rng.choice(self.seats)
        if one == other:
            return self.cost
        mine, theirs = self.groups[one], self.groups[other]
        mine[a], theirs[b] = theirs[b], mine[a]
        new_mine, new_theirs = self._cost(one, mine), self._cost(other, theirs)
        cost = self.cost - self.costs[one] - self.costs[other] + new_mine + new_theirs
        if cost <= max(self.cost, limit):
            self.costs[one], self.costs[other], self.cost = new_mine, new_theirs, cost
        else:
            mine[a], theirs[b] = theirs[b], mine[a]
        return self.cost

    def keep(self) -> None:
        self._best = [tuple(sorted(them)) for them in self.groups]

    def best(self) -> tuple[Sequence[Group], Group]:
        tables, byes = self._best[: self.tables], self._best[self.tables :]
        return tables, byes[0] if byes else ()
