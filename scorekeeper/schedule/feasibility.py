"""Whether one round can keep its wishes: seats players one by one, those with the fewest tables left first."""

from collections.abc import Iterator, Mapping, Sequence, Set

_MOST_WORK = 500_000
"""Players and tables looked at, before the trial gives up."""


class _TooMuchWork(Exception):
    """Trying everything takes too long."""


def can_be_seated(
    present: Sequence[int], sizes: Sequence[int], apart: Mapping[int, Set[int]], fixed: Mapping[int, int]
) -> bool | None:
    """Whether the players ``present`` fit at tables of these ``sizes``; players without a seat have a bye.

    ``apart``: the players each player must not meet. ``fixed``: the table of each player who cannot move. None if the
    trial finds no way, but cannot try all.
    """
    try:
        return _Trial(present, sizes, apart, fixed).can_go_on()
    except _TooMuchWork:
        return None


class _Trial:
    """Seats the players with wishes; the others fill what is left. A set of players or tables is a number, one bit for
    each."""

    def __init__(
        self, present: Sequence[int], sizes: Sequence[int], apart: Mapping[int, Set[int]], fixed: Mapping[int, int]
    ) -> None:
        self.apart = {player: apart.get(player, set()) & {*present} for player in present if player in {*apart, *fixed}}
        self.avoids = {player: sum(1 << other for other in others) for player, others in self.apart.items()}
        self.others = len(present) - len(self.apart)
        """How many players have no wishes."""
        self.left = sum(1 << player for player in self.apart)
        self.byes = len(present) - sum(sizes)
        self.free = list(sizes)
        """Free seats by table."""
        self.kept_off = [0] * len(sizes)
        """By table: players whom somebody at the table must not meet."""
        self.open = (1 << len(sizes)) - 1
        """Tables with a free seat."""
        self.owned = sum(1 << table for player, table in fixed.items() if player in self.apart)
        self.closed = {player: ~(1 << fixed[player]) if player in fixed else 0 for player in self.apart}
        """By player: tables where they may not sit."""
        self.work = 0

    def can_go_on(self) -> bool:
        """Whether all players left find a place."""
        left = [player for player in self.closed if self.left >> player & 1]
        if not left:
            return True
        self.work += len(left) + len(self.free)
        if self.work > _MOST_WORK:
            raise _TooMuchWork
        if any(self.others + self._spare(table) < 0 for table in range(len(self.free))):
            return False
        player = min(left, key=lambda player: (self.open & ~self.closed[player]).bit_count())
        self.left ^= 1 << player
        found = any(self._can_sit(player, table) for table in self._tables_for(player)) or self._can_have_bye()
        self.left ^= 1 << player
        return found

    def _tables_for(self, player: int) -> Iterator[int]:
        """Tables where the player may sit, those that are hardest to fill first. Of tables that are alike, only one."""
        seen = set()
        may = self.open & ~self.closed[player]
        for table in sorted((table for table in range(len(self.free)) if may >> table & 1), key=self._spare):
            kind = self.free[table], self.kept_off[table], table if self.owned >> table & 1 else None
            if kind not in seen:
                seen.add(kind)
                yield table

    def _spare(self, table: int) -> int:
        """How many more players with wishes could sit there than there are seats."""
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

    def _can_have_bye(self) -> bool:
        if not self.byes:
            return False
        self.byes -= 1
        found = self.can_go_on()
        self.byes += 1
        return found
