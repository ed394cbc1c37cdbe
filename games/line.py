"""The line of play: tiles joined end to end, with two, three or four open ends.

A ``Line`` is immutable: ``lay`` returns the next one. Ends are named ``w e n s``. The kinds of line differ only in
which ends are open, and in what the first tile counts:

- plain: ``w`` and ``e`` are open;
- spinner: the first double is the spinner; ``n`` and ``s`` open once both its broad sides are played off;
- star: the first tile is a double, and all four ends are open from the start.
"""

from collections.abc import Mapping
from enum import StrEnum
from functools import cache
from typing import NamedTuple

from games.tiles import COUNT, HIGH, LOW, PIPS, SUIT, union


class Kind(StrEnum):
    PLAIN = "plain"
    SPINNER = "spinner"
    STAR = "star"


# Looking up a member on its class takes longer than laying a tile, so the members have names here.
PLAIN, SPINNER, STAR = Kind

ENDS = ("w", "e", "n", "s")
WEST, EAST, NORTH, SOUTH = range(4)
AT: Mapping[str, int] = {name: at for at, name in enumerate(ENDS)}
"""The index of each end in ``ENDS``."""


class Laid(NamedTuple):
    """One play: the tile and the index of its end in ``ENDS``; None for the first tile."""

    tile: int
    at: int | None

    @property
    def end(self) -> str | None:
        return None if self.at is None else ENDS[self.at]


class ArmTile(NamedTuple):
    """A tile of an arm, with the pips of its inner and its outer half."""

    tile: int
    inner: int
    outer: int


_LAID = tuple(tuple(Laid(tile, at) for at in range(len(ENDS))) for tile in range(COUNT))

Shown = tuple[int | None, int | None, int | None, int | None]
"""The pips at w, e, n, s; None for an end that is not open."""


class Ends:
    """The ends of a line, which are all that matters for the next play. There are few different ones, so each is made
    once, and remembers the ends after each play."""

    __slots__ = ("after", "begun", "fitting", "kind", "shown", "sides", "spinner", "takes", "taking")

    def __init__(
        self, kind: Kind, shown: Shown, spinner: int | None = None, sides: tuple[bool, bool] = (False, False)
    ) -> None:
        self.kind = kind
        self.shown = shown
        self.spinner = spinner
        self.begun = shown != _NOTHING
        """Whether a tile has been laid."""
        self.sides = sides
        """Whether ``w``, and whether ``e``, still is a broad side of the spinner."""
        self.takes = tuple(0 if value is None else SUIT[value] for value in shown)
        """The mask of tiles that fit at each end."""
        self.taking = tuple((at, tiles) for at, tiles in enumerate(self.takes) if tiles)
        """The same for the open ends only, each with its index in ``ENDS``."""
        self.fitting = union(self.takes)
        """The mask of tiles that fit at some end."""
        self.after = _After(self)
        """The ends after laying a tile that fits. The key is 4 · tile + the index of the end (0 for a first tile)."""

    @classmethod
    def of(cls, kind: Kind) -> "Ends":
        """The ends before the first tile."""
        return _START[kind]

    def laid(self, tile: int, at: int) -> "Ends":
        """The ends after laying this tile at the end with this index. The tile must fit."""
        if not self.begun:
            return self._begun(tile)
        ends, inner, (west, east), spinner = [*self.shown], self.shown[at], self.sides, self.spinner
        assert inner is not None, (tile, at, self.shown)
        outer = PIPS[tile] - inner
        ends[at] = outer
        if self.kind is SPINNER:
            if spinner is not None:
                west, east = west and at != WEST, east and at != EAST
                if ends[NORTH] is None and not (west or east):
                    ends[NORTH] = ends[SOUTH] = HIGH[spinner]
            elif outer == inner:
                # A spinner that is not the first tile already has a neighbour on its inner side.
                spinner, west, east = tile, at == WEST, at == EAST
        w, e, n, s = ends
        return _ends(self.kind, (w, e, n, s), spinner, (west, east))

    def _begun(self, tile: int) -> "Ends":
        high, low = HIGH[tile], LOW[tile]
        if self.kind is STAR:
            assert high == low, "a star begins with a double"
            return _ends(self.kind, (high, high, high, high), tile, (False, False))
        spins = self.kind is SPINNER and high == low
        return _ends(self.kind, (high, low, None, None), tile if spins else None, (spins, spins))


class _After(dict[int, Ends]):
    """The ends after each play, made on the first request."""

    __slots__ = ("ends",)

    def __init__(self, ends: Ends) -> None:
        self.ends = ends

    def __missing__(self, play: int) -> Ends:
        self[play] = self.ends.laid(*divmod(play, 4))
        return self[play]


@cache
def _ends(kind: Kind, shown: Shown, spinner: int | None, sides: tuple[bool, bool]) -> Ends:
    return Ends(kind, shown, spinner, sides)


_NOTHING: Shown = (None, None, None, None)
_START = {kind: _ends(kind, _NOTHING, None, (False, False)) for kind in Kind}


class Line:
    """The tiles laid, in order, and the ends now. Immutable; a class with slots, because every play makes a new one."""

    __slots__ = ("ends", "laid")

    def __init__(self, ends: Ends = _START[PLAIN], laid: tuple[Laid, ...] = ()) -> None:
        self.ends = ends
        self.laid = laid

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Line) and (self.ends, self.laid) == (other.ends, other.laid)

    def __hash__(self) -> int:
        return hash(self.laid)

    @classmethod
    def of(cls, kind: Kind) -> "Line":
        """An empty line."""
        return cls(Ends.of(kind))

    @property
    def kind(self) -> Kind:
        return self.ends.kind

    @property
    def first(self) -> int | None:
        return self.laid[0].tile if self.laid else None

    @property
    def open(self) -> dict[str, int]:
        """The pips of each open end, by name."""
        return {name: value for name, value in zip(ENDS, self.ends.shown, strict=True) if value is not None}

    def fits(self, tile: int) -> tuple[str, ...]:
        """The names of the open ends at which this tile fits."""
        high, low = HIGH[tile], LOW[tile]
        return tuple([n for n, v in zip(ENDS, self.ends.shown, strict=True) if v is not None and v in (high, low)])

    def lay(self, tile: int, end: str | None = None) -> "Line":
        """The line with one more tile at ``end``, or at the first end where it fits. The tile must fit."""
        if not self.laid:
            return Line(self.ends.after[tile * 4], (Laid(tile, None),))
        at = AT[end or self.fits(tile)[0]]
        return Line(self.ends.after[tile * 4 + at], (*self.laid, _LAID[tile][at]))

    def counts(self) -> dict[str, tuple[int, int]]:
        """What each end adds to the total: the tile there, and the pips that it counts.

        A first tile alone counts both halves. Later, each arm counts the outer half of its last tile, or both halves of
        a double; an empty ``n`` or ``s`` counts nothing. In a star, the first double counts once for each of its short
        sides (``n`` and ``s``) that is not played off, and its broad sides do not count.
        """
        if not self.laid:
            return {}
        first = self.laid[0].tile
        outermost = {at: tile for tile, at in self.laid if at is not None}
        result: dict[str, tuple[int, int]] = {}
        for at, value in enumerate(self.ends.shown):
            if value is None:
                continue
            tile = outermost.get(at, first)
            doubled = HIGH[tile] == LOW[tile] and len(self.laid) > 1
            if at in outermost:
                result[ENDS[at]] = tile, 2 * value if doubled else value
            elif self.kind is STAR:
                if at in (NORTH, SOUTH):
                    result[ENDS[at]] = tile, value
            elif at in (WEST, EAST):
                result[ENDS[at]] = tile, 2 * value if doubled else value
        return result

    @property
    def total(self) -> int:
        """The table count (plain, spinner) or the showing total (star)."""
        return sum(pips for _, pips in self.counts().values())

    def arms(self) -> dict[str, tuple[ArmTile, ...]]:
        """The tiles of each arm from the first tile outwards; ``n`` and ``s`` start at the spinner."""
        result: dict[str, list[ArmTile]] = {name: [] for name in ENDS}
        if not self.laid:
            return dict.fromkeys(ENDS, ())
        first = self.laid[0].tile
        shows = {"w": HIGH[first], "e": LOW[first]}
        branch = HIGH[self.ends.spinner] if self.ends.spinner is not None else None
        for tile, at in self.laid[1:]:
            assert at is not None
            end = ENDS[at]
            inner = shows.get(end, branch)
            assert inner is not None, (end, self)
            outer = HIGH[tile] + LOW[tile] - inner
            shows[end] = outer
            result[end].append(ArmTile(tile, inner, outer))
        return {name: tuple(arm) for name, arm in result.items()}
