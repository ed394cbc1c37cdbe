"""Whether one round can be seated as it is wished for: tried out, whoever has the fewest tables left first."""

from collections.abc import Iterator, Mapping, Sequence, Set

_MOST_LOOKS = 500_000
"""At a player, or a table."""


class _TooMany(Exception):
    """It takes too long to try everything."""


def can_be_seated(
    there: Sequence[int], tables: Sequence[int], apart: Mapping[int, Set[int]], fixed: Mapping[int, int]
) -> bool | None:
    """``there``: who plays, or sits out where that are more than all ``tables`` have seats, by the size of each;
    ``apart``: whom somebody may not meet; ``fixed``: the table of who cannot move. None where some trying finds
    neither a way nor that there is none."""
    try:
        return _Trial(there, tables, apart, fixed).can_go_on()
    except _TooMany:
        return None


class _Trial:
    """Those with wishes are seated one by one; all others fill what is left. Sets of players, and of tables, are
    numbers with a bit for each."""

    def __init__(
        self, there: Sequence[int], tables: Sequence[int], apart: Mapping[int, Set[int]], fixed: Mapping[int, int]
    ) -> None:
        self.apart = {player: apart.get(player, set()) & {*there} for player in there if player in {*apart, *fixed}}
        self.avoids = {player: sum(1 << other for other in others) for player, others in self.apart.items()}
        self.others = len(there) - len(self.apart)
        self.left = sum(1 << player for player in self.apart)
        self.byes = len(there) - sum(tables)
        self.free = list(tables)
        self.kept_off = [0] * len(tables)
        """Whom those at the table may not meet."""
        self.open = (1 << len(tables)) - 1
        """Tables with a free seat."""
        self.own = sum(1 << table for player, table in fixed.items() if player in self.apart)
        self.closed = {player: ~(1 << fixed[player]) if player in fixed else 0 for player in self.apart}
        """Tables at which somebody may not sit."""
        self.looks = 0

    def can_go_on(self) -> bool:
        """Whether all who are left find a place, too."""
        left = [player for player in self.closed if self.left >> player & 1]
        if not left:
            return True
        self.looks += len(left) + len(self.free)
        if self.looks > _MOST_LOOKS:
            raise _TooMany
        if any(self.others + self._spare(table) < 0 for table in range(len(self.free))):
            return False
        player = min(left, key=lambda each: (self.open & ~self.closed[each]).bit_count())
        self.left ^= 1 << player
        found = any(self._can_sit(player, table) for table in self._different(player)) or self._can_sit_out()
        self.left ^= 1 << player
        return found

    def _different(self, player: int) -> Iterator[int]:
        """Tables for him, first those that fewest others could fill; one of the empty ones of a size is as good as
        another, unless it is somebody's own."""
        seen = set()
        may = self.open & ~self.closed[player]
        for table in sorted((table for table in range(len(self.free)) if may >> table & 1), key=self._spare):
            kind = self.free[table], self.kept_off[table], table if self.own >> table & 1 else None
            if kind not in seen:
                seen.add(kind)
                yield table

    def _spare(self, table: int) -> int:
        """How many more could sit there than there are seats."""
        return (self.left & ~self.kept_off[table]).bit_count() - self.free[table]

    def _can_sit(self, player: int, table: int) -> bool:
        bit, was = 1 << table, (self.free[table], self.kept_off[table], self.open)
        closed = [other for other in self.apart[player] if other in self.closed and not self.closed[other] & bit]
        for other in closed:
            self.closed[other] |= bit
        self.free[table] -= 1
        self.kept_off[table] |= self.avoids[player]
        self.open &= ~bit if not self.free[table] else -1
        found = self.can_go_on()
        self.free[table], self.kept_off[table], self.open = was
        for other in closed:
            self.closed[other] &= ~bit
        return found

    def _can_sit_out(self) -> bool:
        if not self.byes:
            return False
        self.byes -= 1
        found = self.can_go_on()
        self.byes += 1
        return found
