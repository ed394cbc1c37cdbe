"""Who leads at which table, so that everybody leads his share of tables, at those of each size and at all of them.

Leads are a flow from tables to players: whoever has a lead too many hands one on to somebody at the same table, he
another one to a third, until it comes to one for whom it is no more than his share.
"""

from collections import Counter, defaultdict, deque
from collections.abc import Iterator, Sequence
from itertools import product

from scorekeeper.schedule.rounds import Table

Sized = tuple[int, int]
"""A player, and the size of the tables it is about."""


def in_turn(tables: Sequence[Table]) -> list[int]:
    """Who leads, by table: whoever did so most seldom before, for so many tables of that size."""
    owed: Counter[Sized] = Counter()
    leaders = []
    for table in tables:
        size = len(table)
        owed.update((player, size) for player in table)
        leaders.append(max(table, key=lambda player: (owed[player, size], -player)))
        owed[leaders[-1], size] -= size
    return leaders


def shared(tables: Sequence[Table], leaders: Sequence[int], may_lead: Sequence[Sequence[int]]) -> list[int]:
    """Who leads, by table: the same ``leaders`` but for those who change so that all have their share, at tables of
    each size and then at all of them, as far as that can be with who may lead at each table."""
    found = list(leaders)
    by_size = [[at for at, table in enumerate(tables) if len(table) == size] for size in {*map(len, tables)}]
    for those in (*by_size, range(len(tables))) if len(by_size) > 1 else by_size:
        sharing = _Leads([tables[at] for at in those], [found[at] for at in those], [may_lead[at] for at in those])
        for at, leader in zip(those, sharing.out(), strict=True):
            found[at] = leader
    return found


class _Leads:
    def __init__(self, tables: Sequence[Table], leaders: Sequence[int], may_lead: Sequence[Sequence[int]]) -> None:
        self.sizes = [len(table) for table in tables]
        self.all_sizes = sorted({*self.sizes})
        self.leaders, self.may_lead = list(leaders), may_lead
        self.games: Counter[Sized] = Counter((player, len(table)) for table in tables for player in table)
        self.leads: Counter[Sized] = Counter(zip(leaders, self.sizes, strict=True))
        self.shares: Counter[int] = Counter()
        """In twelfths: a share of a table of three is a third."""
        for (player, size), times in self.games.items():
            self.shares[player] += times * 12 // size
        self.in_all = Counter(leaders)
        self.open: defaultdict[Sized, list[int]] = defaultdict(list)
        """Tables at which somebody may lead."""
        for table, those in enumerate(may_lead):
            for player in those:
                self.open[player, self.sizes[table]].append(table)

    def out(self) -> list[int]:
        """Leads handed on until all have their share, or nobody can hand on any more."""
        for player, sign in product(sorted(self.shares), (1, -1)):
            while self.off(player, sign):
                steps = self.steps(player, sign, evenly=True) or self.steps(player, sign, evenly=False)
                if not steps:
                    break
                for table, leader in steps:
                    self.lead(table, leader)
        return self.leaders

    def off(self, player: int, sign: int) -> bool:
        """Whether he leads too often (1), or not often enough (-1)."""
        return not self._fits(self.in_all[player], self.shares[player], 12, sign)

    def lead(self, table: int, player: int) -> None:
        """From now on he leads there."""
        before, size = self.leaders[table], self.sizes[table]
        self.leaders[table] = player
        self.leads.subtract([(before, size)])
        self.leads.update([(player, size)])
        self.in_all.subtract([before])
        self.in_all.update([player])

    def steps(self, player: int, sign: int, *, evenly: bool) -> list[tuple[int, int]]:
        """The fewest tables with another leader each, after which he leads once less (1) or more (-1), and nobody else
        has more or less than his share who had not before; none where there is no way. ``evenly``: to somebody who then
        leads nearer to half of the tables at which he may."""
        ways: dict[Sized, list[tuple[int, int]]] = {each: [] for each in self._giving(player, sign)}
        reached = deque(ways)
        while reached:
            giver = reached.popleft()
            for table, other in self._taking(giver, sign):
                size = giver[1]
                way = [*ways[giver], (table, other if sign > 0 else giver[0])]
                following = [(other, size)]
                if self._fits(self.leads[other, size] + sign, self.games[other, size], size, sign):
                    half = 2 * self.leads[other, size] - len(self.open[other, size])
                    fits = self._fits(self.in_all[other] + sign, self.shares[other], 12, sign)
                    if fits and (not evenly or sign * half < 0):
                        return way
                    following += self._giving(other, sign)
                for each in following:
                    if each not in ways:
                        ways[each] = way
                        reached.append(each)
        return []

    def _giving(self, player: int, sign: int) -> list[Sized]:
        """Of which sizes he can lead at one table less, or more."""
        all_sizes = ((player, size) for size in self.all_sizes)
        return [each for each in all_sizes if self._fits(self.leads[each] - sign, self.games[each], each[1], -sign)]

    def _taking(self, giver: Sized, sign: int) -> Iterator[tuple[int, int]]:
        """Whom he can give a lead to, or take one from, each with a table at which he can."""
        player, others = giver[0], {giver[0]}
        for table in self.open[giver]:
            leader = self.leaders[table]
            if (leader == player) is (sign > 0):
                for other in self.may_lead[table] if sign > 0 else (leader,):
                    if other not in others:
                        others.add(other)
                        yield table, other

    @staticmethod
    def _fits(leads: int, games: int, size: int, sign: int) -> bool:
        """Whether they are not too many (1), or not too few (-1)."""
        return leads <= -(-games // size) if sign > 0 else leads >= games // size
