"""What must be true of tiles nobody has seen.

The unseen tiles lie with *holders*: the seats and, where there is one, the boneyard. A holder has a
number of tiles (its room), tiles it cannot have, and sometimes a known sum of pips. A record is
possible if and only if the unseen tiles can be shared out so that all of this holds.
"""

from collections.abc import Sequence
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


def whereabouts(unseen: int, room: Sequence[int], cannot: Sequence[int]) -> tuple[int, ...]:
    """For each holder the mask of unseen tiles it has in at least one deal that fits."""
    return tuple(
        sum(1 << t for t in members(unseen) if possible_with(t, h, unseen, room, cannot)) for h in range(len(room))
    )


class Holding(NamedTuple):
    """What is said of one holder's tiles: between ``least`` and ``most`` of them, none of ``cannot``,
    together ``pips`` (None: not said)."""

    cannot: int
    least: int
    most: int
    pips: int | None = None


def shareable(unseen: int, holdings: Sequence[Holding]) -> bool:
    """Whether the unseen tiles, all of them, can be shared out among these holders.

    Searches tile by tile, heaviest first, and never meets the same need twice. A branch ends when a
    holder's need lies outside what the tiles still to come can give.
    """
    tiles = sorted(members(unseen), key=lambda t: PIPS[t], reverse=True)
    if not (sum(h.least for h in holdings) <= len(tiles) <= sum(h.most for h in holdings)):
        return False
    bounds = [_bounds(tiles, holding) for holding in holdings]
    failed: set[tuple[int, tuple[int, ...], tuple[int, ...]]] = set()

    def share(at: int, held: tuple[int, ...], owed: tuple[int, ...]) -> bool:
        if at == len(tiles):
            return True
        if (at, held, owed) in failed:
            return False
        tile = tiles[at]
        order = sorted(range(len(holdings)), key=lambda h: -owed[h])
        for h in order:
            holding = holdings[h]
            if held[h] == holding.most or holding.cannot >> tile & 1:
                continue
            now_held = (*held[:h], held[h] + 1, *held[h + 1 :])
            now_owed = owed
            if holding.pips is not None:
                now_owed = (*owed[:h], owed[h] - PIPS[tile], *owed[h + 1 :])
            if _within(at + 1, now_held, now_owed) and share(at + 1, now_held, now_owed):
                return True
        failed.add((at, held, owed))
        return False

    def _within(at: int, held: tuple[int, ...], owed: tuple[int, ...]) -> bool:
        return all(
            _can_give(bounds[h][at], holding.least - held[h], holding.most - held[h], owed[h], holding.pips)
            for h, holding in enumerate(holdings)
        )

    start = tuple(0 for _ in holdings), tuple(h.pips or 0 for h in holdings)
    return _within(0, *start) and share(0, *start)


class _Reach(NamedTuple):
    """From some tile on: how many tiles a holder may take, and the sums of its k lightest and k heaviest."""

    lightest: tuple[int, ...]
    heaviest: tuple[int, ...]


def _bounds(tiles: Sequence[int], holding: Holding) -> list[_Reach]:
    result = []
    for at in range(len(tiles) + 1):
        weights = [PIPS[t] for t in tiles[at:] if not holding.cannot >> t & 1]
        heaviest, lightest = [0], [0]
        for weight in weights:
            heaviest.append(heaviest[-1] + weight)
        for weight in reversed(weights):
            lightest.append(lightest[-1] + weight)
        result.append(_Reach(tuple(lightest), tuple(heaviest)))
    return result


def _can_give(reach: _Reach, least: int, most: int, owed: int, pips: int | None) -> bool:
    available = len(reach.lightest) - 1
    if least > available:
        return False
    if pips is None:
        return True
    most = min(most, available)
    return most >= 0 and reach.lightest[max(least, 0)] <= owed <= reach.heaviest[most]
