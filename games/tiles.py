"""The 28 tiles of a double-six set.

A tile is an int from 0 to 27, a set of tiles an int used as a mask (bit t is tile t). Names such as ``"6-4"`` are only
for people and files.
"""

from collections.abc import Iterable, Iterator, Sequence

HALVES = range(7)
HIGH: tuple[int, ...] = tuple(h for h in HALVES for _ in range(h + 1))
LOW: tuple[int, ...] = tuple(low for h in HALVES for low in range(h + 1))
PIPS: tuple[int, ...] = tuple(h + low for h, low in zip(HIGH, LOW, strict=True))
NAMES: tuple[str, ...] = tuple(f"{h}-{low}" for h, low in zip(HIGH, LOW, strict=True))
COUNT = len(NAMES)
ALL = (1 << COUNT) - 1

_BY_NAME = {text: number for number, text in enumerate(NAMES)}


def tile(high: int, low: int) -> int:
    """The tile with these halves, the higher one first."""
    assert 0 <= low <= high <= 6, (high, low)
    return high * (high + 1) // 2 + low


def name(tile: int) -> str:
    """The name of a tile, with the higher half first: ``"6-4"``."""
    return NAMES[tile]


def parse(text: str) -> int:
    """The tile with this name. KeyError for anything else, even ``"4-6"``."""
    return _BY_NAME[text]


def high(tile: int) -> int:
    return HIGH[tile]


def low(tile: int) -> int:
    return LOW[tile]


def is_double(tile: int) -> bool:
    return HIGH[tile] == LOW[tile]


SUIT: tuple[int, ...] = tuple(sum(1 << t for t in range(COUNT) if v in (HIGH[t], LOW[t])) for v in HALVES)
"""For each number from 0 to 6, the mask of the seven tiles that have it."""

DOUBLES = sum(1 << tile(v, v) for v in HALVES)


def mask(tiles: Iterable[int]) -> int:
    result = 0
    for each in tiles:
        result |= 1 << each
    return result


def union(masks: Iterable[int]) -> int:
    """The mask of everything in any of these masks."""
    result = 0
    for each in masks:
        result |= each
    return result


def members(tiles: int) -> Iterator[int]:
    """The tiles of a mask, the lowest number first."""
    while tiles:
        bit = tiles & -tiles
        yield bit.bit_length() - 1
        tiles ^= bit


def names(tiles: int) -> list[str]:
    """The names of the tiles of a mask, the one with the highest half first."""
    return [NAMES[t] for t in reversed(list(members(tiles)))]


def heavier_doubles(double: int) -> int:
    """The mask of the doubles that are heavier than this one."""
    return DOUBLES & -(1 << (double + 1))


def drawn_order(tiles: Sequence[int]) -> list[int]:
    """The positions of drawn tiles, the highest first: by pips, then by the higher half."""
    return sorted(range(len(tiles)), key=lambda i: (PIPS[tiles[i]], HIGH[tiles[i]]), reverse=True)
