"""Random deals that fit everything that is known, each as likely as any other."""

from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import accumulate
from math import comb
from random import Random

from games.holdings import Holdings
from games.tiles import members, union

_Rooms = tuple[int, ...]


def merged(holdings: Holdings) -> Holdings:
    """The same holdings with one holder for all at a location that may have the same tiles. That changes the number of
    ways to share the tiles out, but all deals are as likely as before, and ``Redeals`` has less to count."""
    rooms: Counter[tuple[int, int]] = Counter()
    for owner, may, room in zip(holdings.owner, holdings.may, holdings.room, strict=True):
        rooms[owner, may] += room
    owners, masks = zip(*rooms, strict=True)
    return Holdings(
        holdings.unlaid, holdings.known, holdings.hidden, [*masks], [*rooms.values()], owners, (None,) * len(rooms)
    )


class Redeals:
    """The deals that fit some holdings. Tiles that may be with the same holders are of one kind, so it is enough to
    count how many of each kind a holder gets."""

    def __init__(self, holdings: Holdings) -> None:
        """There must be at least one deal."""
        self.holdings = holdings
        self.kinds: dict[tuple[int, ...], list[int]] = {}
        """By the holders that may have them: the tiles."""
        for tile in members(union(holdings.may)):
            holders = tuple([h for h, may in enumerate(holdings.may) if may >> tile & 1])
            self.kinds.setdefault(holders, []).append(tile)
        self._groups = [(holders, tuple([1 << tile for tile in tiles])) for holders, tiles in self.kinds.items()]
        self._number = cache(self._counted)
        self._shares = cache(self._shared)

    @property
    def number(self) -> int:
        """How many ways there are to share the hidden tiles out."""
        return self._number(0, tuple(self.holdings.room))

    def draw(self, rng: Random) -> tuple[int, ...]:
        """The unlaid tiles of each location in one of them, as masks."""
        holdings = self.holdings
        found, room = [*holdings.known], tuple(holdings.room)
        for group, (holders, tiles) in enumerate(self._groups):
            shares, up_to = self._shares(group, room)
            share = rng.choices(shares, cum_weights=up_to)[0] if len(shares) > 1 else shares[0]
            mixed, at = rng.sample(tiles, sum(share[:-1])), 0
            rest = sum(tiles)  # for the last holder
            for holder, number in zip(holders, share[:-1], strict=False):
                taken = sum(mixed[at : at + number])
                found[holdings.owner[holder]] |= taken
                rest ^= taken
                at += number
            found[holdings.owner[holders[-1]]] |= rest
            room = _less(room, holders, share)
        return tuple([tiles & holdings.unlaid for tiles in found])

    def _counted(self, group: int, room: _Rooms) -> int:
        """The ways to share out this group of tiles and those after it."""
        if group == len(self._groups):
            return int(not any(room))
        _, up_to = self._shares(group, room)
        return up_to[-1] if up_to else 0

    def _shared(self, group: int, room: _Rooms) -> tuple[list[_Rooms], list[int]]:
        """Each way to share out the number of tiles of a group, and how many deals follow from it and those before."""
        holders, tiles = self._groups[group]
        shares, numbers = [], []
        for share, ways in _splits(len(tiles), [room[h] for h in holders]):
            if after := self._number(group + 1, _less(room, holders, share)):
                shares.append(share)
                numbers.append(ways * after)
        return shares, [*accumulate(numbers)]


def _splits(tiles: int, rooms: list[int]) -> Iterator[tuple[tuple[int, ...], int]]:
    """Each way to give all these tiles to holders with so much room, with the number of choices of the tiles."""
    if not rooms:
        if not tiles:
            yield (), 1
        return
    for number in range(min(tiles, rooms[0]) + 1):
        for rest, ways in _splits(tiles - number, rooms[1:]):
            yield (number, *rest), ways * comb(tiles, number)


def _less(room: _Rooms, holders: tuple[int, ...], share: tuple[int, ...]) -> _Rooms:
    left = [*room]
    for holder, number in zip(holders, share, strict=True):
        left[holder] -= number
    return tuple(left)
