"""Who leads at which table: everybody leads their share, at the tables of each size and at all tables together.

Leads flow between players. A player with too many passes one on to somebody at the same table, who passes another one
on, until it reaches a player who may keep it.
"""

from collections import Counter, defaultdict, deque
from collections.abc import Iterator, Sequence
from itertools import product

from scorekeeper.schedule.seating import Table

Sized = tuple[int, int]
"""A player, and a table size."""


def leads_in_turn(tables: Sequence[Table]) -> list[int]:
    """The leader of each table: the player who has led least so far, for the number of tables of that size."""
    owed: Counter[Sized] = Counter()
    leaders = []
    for table in tables:
        size = len(table)
        owed.update((player, size) for player in table)
        leaders.append(max(table, key=lambda player: (owed[player, size], -player)))
        owed[leaders[-1], size] -= size
    return leaders


def shared(tables: Sequence[Table], leaders: Sequence[int], may_lead: Sequence[Sequence[int]]) -> list[int]:
    """The ``leaders``, changed at some tables so that all have their share, as far as ``may_lead`` (the players who may
    lead at each table) allows. First at the tables of each size, then at all tables."""
    result = list(leaders)
    by_size = [[at for at, table in enumerate(tables) if len(table) == size] for size in {*map(len, tables)}]
    for numbers in (*by_size, range(len(tables))) if len(by_size) > 1 else by_size:
        leads = _Leads([tables[at] for at in numbers], [result[at] for at in numbers], [may_lead[at] for at in numbers])
        for at, leader in zip(numbers, leads.share_out(), strict=True):
            result[at] = leader
    return result


class _Leads:
    def __init__(self, tables: Sequence[Table], leaders: Sequence[int], may_lead: Sequence[Sequence[int]]) -> None:
        self.table_sizes = [len(table) for table in tables]
        self.sizes = sorted({*self.table_sizes})
        self.leaders, self.may_lead = list(leaders), may_lead
        self.games: Counter[Sized] = Counter((player, len(table)) for table in tables for player in table)
        self.leads: Counter[Sized] = Counter(zip(leaders, self.table_sizes, strict=True))
        self.shares: Counter[int] = Counter()
        """In twelfths: the share of a table of three is a third."""
        for (player, size), times in self.games.items():
            self.shares[player] += times * 12 // size
        self.totals = Counter(leaders)
        self.open: defaultdict[Sized, list[int]] = defaultdict(list)
        """The tables at which a player may lead."""
        for table, players in enumerate(may_lead):
            for player in players:
                self.open[player, self.table_sizes[table]].append(table)

    def share_out(self) -> list[int]:
        """Passes leads on until all have their share, or nobody can pass one on."""
        for player, sign in product(sorted(self.shares), (1, -1)):
            while self._is_off(player, sign):
                steps = self._steps(player, sign, evenly=True) or self._steps(player, sign, evenly=False)
                if not steps:
                    break
                for table, leader in steps:
                    self._set_leader(table, leader)
        return self.leaders

    def _is_off(self, player: int, sign: int) -> bool:
        """Whether the player leads too often (1), or too seldom (-1)."""
        return not _fits(self.totals[player], self.shares[player], 12, sign)

    def _set_leader(self, table: int, player: int) -> None:
        before, size = self.leaders[table], self.table_sizes[table]
        self.leaders[table] = player
        self.leads.subtract([(before, size)])
        self.leads.update([(player, size)])
        self.totals.subtract([before])
        self.totals.update([player])

    def _steps(self, player: int, sign: int, *, evenly: bool) -> list[tuple[int, int]]:
        """The shortest list of tables and new leaders after which the player leads once less (1) or more (-1), and
        nobody else leaves their share. Empty if there is none. ``evenly``: the last player then leads nearer to half of
        the tables at which they may."""
        ways: dict[Sized, list[tuple[int, int]]] = {giver: [] for giver in self._givers(player, sign)}
        reached = deque(ways)
        while reached:
            giver = reached.popleft()
            for table, other in self._takers(giver, sign):
                size = giver[1]
                way = [*ways[giver], (table, other if sign > 0 else giver[0])]
                following = [(other, size)]
                if _fits(self.leads[other, size] + sign, self.games[other, size], size, sign):
                    if self._may_end(other, size, sign, evenly=evenly):
                        return way
                    following += self._givers(other, sign)
                for sized in following:
                    if sized not in ways:
                        ways[sized] = way
                        reached.append(sized)
        return []

    def _may_end(self, player: int, size: int, sign: int, *, evenly: bool) -> bool:
        """Whether the player may keep one more lead (1) or one fewer (-1)."""
        above_half = 2 * self.leads[player, size] - len(self.open[player, size])
        fits = _fits(self.totals[player] + sign, self.shares[player], 12, sign)
        return fits and (not evenly or sign * above_half < 0)

    def _givers(self, player: int, sign: int) -> list[Sized]:
        """The table sizes at which the player can lead once less (1), or more (-1)."""
        return [
            (player, size)
            for size in self.sizes
            if _fits(self.leads[player, size] - sign, self.games[player, size], size, -sign)
        ]

    def _takers(self, giver: Sized, sign: int) -> Iterator[tuple[int, int]]:
        """The players to whom the giver can pass a lead (1), or from whom they can take one (-1), each with a table."""
        player, others = giver[0], {giver[0]}
        for table in self.open[giver]:
            leader = self.leaders[table]
            if (leader == player) is (sign > 0):
                for other in self.may_lead[table] if sign > 0 else (leader,):
                    if other not in others:
                        others.add(other)
                        yield table, other


def _fits(leads: int, games: int, size: int, sign: int) -> bool:
    """Whether the leads are not too many (1), or not too few (-1), for this many games."""
    return leads <= -(-games // size) if sign > 0 else leads >= games // size
