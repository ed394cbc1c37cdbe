"""Who leads at which table, so that everybody leads his share of tables, at those of each size and at all of them.

Leads are a flow from tables to players: whoever has a lead too many hands one on to somebody at the same table, he
another one to a third, until it comes to one for whom it is no more than his share.
"""

from collections import Counter, defaultdict, deque
from collections.abc import Iterator, Sequence

from scorekeeper.schedule.rounds import Table

Sized = tuple[int, int]
"""A player, and the size of the tables it is about."""


def shared(tables: Sequence[Table], leaders: Sequence[int], may_lead: Sequence[Sequence[int]]) -> list[int]:
    """Who leads, by table: the same ``leaders`` but for those who change so that all have their share, as far as that
    can be with who may lead at each table. At those of each size everybody who had his share keeps it."""
    sharing = _Leads(tables, leaders, may_lead)
    for player in sorted(sharing.shares):
        for sign in (1, -1):
            while sharing.off(player, sign):
                steps = sharing.steps(player, sign, evenly=True) or sharing.steps(player, sign, evenly=False)
                if not steps:
                    break
                for table, leader in steps:
                    sharing.lead(table, leader)
    return sharing.leaders


class _Leads:
    def __init__(self, tables: Sequence[Table], leaders: Sequence[int], may_lead: Sequence[Sequence[int]]) -> None:
        self.sizes = [len(table) for table in tables]
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

    def off(self, player: int, sign: int) -> bool:
        """Whether he leads too often (1), or not often enough (-1)."""
        return not self._fits(self.in_all[player], self.shares[player], 12, sign)

    def lead(self, table: int, player: int) -> None:
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
        sizes = [each for each in self.games if each[0] == player]
        return [each for each in sizes if self._fits(self.leads[each] - sign, self.games[each], each[1], -sign)]

    def _taking(self, giver: Sized, sign: int) -> Iterator[tuple[int, int]]:
        """Tables at which he gives a lead to somebody, or takes one."""
        player = giver[0]
        for table in self.open[giver]:
            leader = self.leaders[table]
            if sign > 0 and leader == player:
                yield from ((table, other) for other in self.may_lead[table] if other != player)
            elif sign < 0 and leader != player:
                yield table, leader

    @staticmethod
    def _fits(leads: int, games: int, size: int, sign: int) -> bool:
        """Whether they are not too many (1), or not too few (-1)."""
        return leads <= -(-games // size) if sign > 0 else leads >= games // size
