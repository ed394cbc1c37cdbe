"""Which matches count, and how much."""

from typing import NamedTuple

from scorekeeper.ratings.contest import FULL


class Rules(NamedTuple):
    """`nights`, `tournaments` and `agreed`: the weight of matches at club nights, in tournaments, and by agreement at a
    table, in per cent; 0: they do not count. `shortest`: the least number of hands. `unverified`: whether a result
    counts of which nobody knows how it came about."""

    nights: int = FULL
    tournaments: int = FULL
    agreed: int = FULL
    shortest: int = 1
    unverified: bool = True

    def weight(self, kind: str | None, *, hands: int, unverified: bool) -> int:
        """Of a match in an event of this kind, or in none. A match without counted hands is as long as it says."""
        if not (self.unverified if unverified else hands >= self.shortest):
            return 0
        return self.nights if kind == "night" else self.tournaments if kind == "tournament" else self.agreed


DEFAULT = Rules()
"""Of a club that has not chosen, and of the whole server."""
