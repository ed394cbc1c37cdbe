"""What must be true of tiles nobody has seen.

The unseen tiles lie with *holders*: the seats and, where there is one, the boneyard. A holder has a
number of tiles (its room), tiles it cannot have, and sometimes a known sum of pips. A record is
possible if and only if the unseen tiles can be shared out so that all of this holds.
"""

from collections.abc import Iterator, Sequence
from functools import reduce
from operator import and_, or_
from typing import NamedTuple

from games.tiles import PIPS, members


def possible(unseen: int, room: Sequence[int], cannot: Sequence[int]) -> bool:
    """Whether every unseen tile can go to a holder, each holder getting exactly its room.

    The rooms together must be the number of unseen tiles. By Hall's theorem it fails only if some group of
    holders has less room than there are tiles that can go to nobody else.
    """
    assert sum(room) == unseen.bit_count(), (room, unseen)
    holders = range(len(room))
    for group in range(1 << len(room)):
        space = 0
        only = unseen
        for holder in holders:
            if group >> holder & 1:
                space += room[holder]
            else:
                only &= cannot[holder]
        if only.bit_count() > space:
            return False
    return True


def possible_with(tile: int, holder: int, unseen: int, room: Sequence[int], cannot: Sequence[int]) -> bool:
    """Whether the unseen tiles can be shared out with this tile at this holder."""
    if cannot[holder] >> tile & 1 or not room[holder]:
        return False
    less = [*room]
    less[holder] -= 1
    return possible(unseen & ~(1 << tile), less, cannot)


def deals(unseen: int, room: Sequence[int], cannot: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """Every way to share the unseen tiles out, a mask a holder. None is begun that leads nowhere, so that the first
    few come at once however many there are."""
    if not unseen:
        yield (0,) * len(room)
        return
    tile = next(members(unseen))
    for holder in range(len(room)):
        if possible_with(tile, holder, unseen, room, cannot):
            less = (*room[:holder], room[holder] - 1, *room[holder + 1 :])
            for deal in deals(unseen & ~(1 << tile), less, cannot):
                yield _added(deal, holder, 1 << tile)


def whereabouts(unseen: int, room: Sequence[int], cannot: Sequence[int]) -> tuple[int, ...]:
    """For each holder the mask of unseen tiles it has in at least one deal that fits."""
    return tuple(
        sum(1 << t for t in members(unseen) if possible_with(t, h, unseen, room, cannot)) for h in range(len(room))
    )


class Holding(NamedTuple):
    """A holder's tiles: ``room`` of them, none of ``cannot``; between ``least`` and ``most`` are left at the end of
    the hand and counted in a ``Sum``, the others are laid before, or nobody looks at them."""

    cannot: int
    room: int
    least: int = 0
    most: int = 0


class Sum(NamedTuple):
    """What some holders have left together is between ``least`` and ``most`` pips."""

    holders: tuple[int, ...]
    least: int
    most: int


def shareable(unseen: int, holdings: Sequence[Holding], sums: Sequence[Sum]) -> bool:
    """Whether the unseen tiles can be shared out among these holders so that the pips left are as said.

    Searches tile by tile, heaviest first: it is left with a holder, or goes to those of which only ``room`` and
    ``cannot`` matter. The same need is never met twice, and a branch ends when what is said lies outside what the
    tiles still to come can give.
    """
    assert sum(h.room for h in holdings) == unseen.bit_count(), (unseen, holdings)
    tiles = sorted(members(unseen), key=lambda t: PIPS[t], reverse=True)
    every = Sum(tuple(h for each in sums for h in each.holders), sum(s.least for s in sums), sum(s.most for s in sums))
    reaches = [_reaches(tiles, [holdings[h].cannot for h in each.holders]) for each in (*sums, every)]
    cannot = [h.cannot for h in holdings]
    choosy = reduce(or_, cannot, 0)
    failed: set[tuple[int, tuple[int, ...], tuple[int, ...], int]] = set()

    def share(at: int, counts: tuple[int, ...], paid: tuple[int, ...], others: int) -> bool:
        if not can_be(at, counts, paid):
            return False
        if at == len(tiles):
            return possible(others, [h.room - n for h, n in zip(holdings, counts, strict=True)], cannot)
        need = (at, counts, paid, others & choosy)
        if need in failed:
            return False
        tile = tiles[at]
        for number in sorted(range(len(sums)), key=lambda s: paid[s] - sums[s].most):
            for holder in sums[number].holders:
                if counts[holder] < holdings[holder].most and not cannot[holder] >> tile & 1:
                    more = _added(counts, holder, 1), _added(paid, number, PIPS[tile])
                    if share(at + 1, *more, others):
                        return True
        if share(at + 1, counts, paid, others | 1 << tile):
            return True
        failed.add(need)
        return False

    def can_be(at: int, counts: tuple[int, ...], paid: tuple[int, ...]) -> bool:
        for each, reach, sofar in zip((*sums, every), reaches, (*paid, sum(paid)), strict=True):
            least = sum(max(holdings[h].least - counts[h], 0) for h in each.holders)
            most = sum(holdings[h].most - counts[h] for h in each.holders)
            if not reach[at].can_give(least, most, each.least - sofar, each.most - sofar):
                return False
        return True

    return possible(unseen, [h.room for h in holdings], cannot) and share(0, (0,) * len(holdings), (0,) * len(sums), 0)


class _Reach(NamedTuple):
    """What some holders can be given by the tiles from some place on."""

    lightest: tuple[int, ...]
    """Pips of the k lightest of these tiles."""
    heaviest: tuple[int, ...]
    """Pips of the k heaviest."""
    sums: int
    """Bit n is set if some of these tiles have n pips together."""

    def can_give(self, least: int, most: int, least_pips: int, most_pips: int) -> bool:
        """Whether between ``least`` and ``most`` tiles may have pips between these."""
        available = len(self.lightest) - 1
        if least > available or most_pips < 0:
            return False
        low = max(least_pips, self.lightest[least])
        high = min(most_pips, self.heaviest[min(most, available)])
        return low <= high and bool(self.sums >> low & (1 << (high - low + 1)) - 1)


def _reaches(tiles: Sequence[int], cannot: Sequence[int]) -> list[_Reach]:
    """What holders with these ``cannot`` can be given by the tiles from each place on (heaviest first)."""
    nobody = reduce(and_, cannot, -1)
    reaches = [_Reach((0,), (0,), 1)]
    for tile in reversed(tiles):
        lightest, heaviest, sums = reaches[-1]
        if not nobody >> tile & 1:
            pips = PIPS[tile]
            lightest = (*lightest, lightest[-1] + pips)
            heaviest = (0, *(pips + others for others in heaviest))
            sums |= sums << pips
        reaches.append(_Reach(lightest, heaviest, sums))
    return reaches[::-1]


def _added(values: tuple[int, ...], at: int, more: int) -> tuple[int, ...]:
    return (*values[:at], values[at] + more, *values[at + 1 :])
