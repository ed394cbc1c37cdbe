"""The 28 tiles of a double-six set.

A tile is an int 0 to 27, a set of tiles an int used as a mask (bit t is tile t). Text appears only
where people or files are: ``name`` writes a tile high half first, ``parse`` reads exactly that.
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
    """The tile with these halves, higher first."""
    assert 0 <= low <= high <= 6, (high, low)
    return high * (high + 1) // 2 + low


def name(tile: int) -> str:
    """A tile as it is written: ``"6-4"``."""
    return NAMES[tile]


def parse(text: str) -> int:
    """The tile that is written so; KeyError for anything else, ``"4-6"`` too."""
    return _BY_NAME[text]


def high(tile: int) -> int:
    return HIGH[tile]


def low(tile: int) -> int:
    return LOW[tile]


def is_double(tile: int) -> bool:
    return HIGH[tile] == LOW[tile]


SUIT: tuple[int, ...] = tuple(sum(1 << t for t in range(COUNT) if v in (HIGH[t], LOW[t])) for v in HALVES)
"""For each number of pips 0 to 6, the mask of the seven tiles that show it."""

DOUBLES = sum(1 << tile(v, v) for v in HALVES)


def mask(tiles: Iterable[int]) -> int:
    result = 0
    for each in tiles:
        result |= 1 << each
    return result


def union(masks: Iterable[int]) -> int:
    """The mask of what is in any of these."""
    result = 0
    for each in masks:
        result |= each
    return result


def members(tiles: int) -> Iterator[int]:
    """The tiles of a mask, lowest number first."""
    while tiles:
        bit = tiles & -tiles
        yield bit.bit_length() - 1
        tiles ^= bit


def names(tiles: int) -> list[str]:
    """The tiles of a mask as they are written, heaviest half first."""
    return [NAMES[t] for t in reversed(list(members(tiles)))]


def heavier_doubles(double: int) -> int:
    """The mask of the doubles heavier than this one."""
    return DOUBLES & -(1 << (double + 1))


def drawn_order(tiles: Sequence[int]) -> list[int]:
    """Positions of the drawn tiles, highest first: more pips, then the higher single half."""
    return sorted(range(len(tiles)), key=lambda i: (PIPS[tiles[i]], HIGH[tiles[i]]), reverse=True)
