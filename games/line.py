"""The line of play: tiles joined end to end, with two, three or four open ends.

A ``Line`` is a value: ``lay`` returns the next one. Ends are named ``w e n s``. Which of them open, when, and what
the first tile counts is the only thing in which the kinds differ:

- plain: ``w`` and ``e``;
- spinner: the first double laid is the spinner, ``n`` and ``s`` open once both its broad sides are played off;
- star: the first tile is a double and takes all four sides from the start.
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


# Names of their own, for looking a member up on its class takes longer than laying a tile.
PLAIN, SPINNER, STAR = Kind

ENDS = ("w", "e", "n", "s")
WEST, EAST, NORTH, SOUTH = range(4)
AT: Mapping[str, int] = {name: at for at, name in enumerate(ENDS)}
"""The place of each end in ``ENDS``."""


class Laid(NamedTuple):
    """One play: the tile and the index in ``ENDS`` it went to; None for the first tile."""

    tile: int
    at: int | None

    @property
    def end(self) -> str | None:
        return None if self.at is None else ENDS[self.at]


class Placed(NamedTuple):
    """A tile in an arm: the half that joins inwards and the half that lies outwards."""

    tile: int
    inner: int
    outer: int


_LAID = tuple(tuple(Laid(tile, at) for at in range(len(ENDS))) for tile in range(COUNT))

Shown = tuple[int | None, int | None, int | None, int | None]
"""Pips showing at w, e, n, s; None where nothing may be laid."""


class Ends:
    """What a line shows to whoever is on turn. There are few of these; each is made once and remembers what a play
    makes of it."""

    __slots__ = ("after", "begun", "fitting", "kind", "shown", "sides", "spinner", "takes", "taking")

    def __init__(
        self, kind: Kind, shown: Shown, spinner: int | None = None, sides: tuple[bool, bool] = (False, False)
    ) -> None:
        self.kind = kind
        self.shown = shown
        self.spinner = spinner
        self.begun = shown != _NOTHING
        """Whether a tile was laid."""
        self.sides = sides
        """Whether ``w`` / ``e`` still is the spinner's own broad side."""
        self.takes = tuple(0 if value is None else SUIT[value] for value in shown)
        """For each end the mask of tiles it takes."""
        self.taking = tuple((at, tiles) for at, tiles in enumerate(self.takes) if tiles)
        """The same of the open ends alone, each with its place in ``ENDS``."""
        self.fitting = union(self.takes)
        """The mask of tiles that some end takes."""
        self.after = _After(self)
        """What shows once a tile, which fits, is laid: by the tile times four plus the place of its end in ``ENDS``
        (a first tile: 0)."""

    @classmethod
    def of(cls, kind: Kind) -> "Ends":
        """Before the first tile."""
        return _START[kind]

    def laid(self, tile: int, at: int) -> "Ends":
        """What shows once this tile, which fits, is laid to the end at this place in ``ENDS``."""
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
                # A spinner laid later is joined on its inner side already.
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
    """What shows after each play, made when it is first asked for."""

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
    """What was laid, in its order, and what shows now. A value; in plain slots, for one is made every play."""

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
        """A line nothing has been laid to."""
        return cls(Ends.of(kind))

    @property
    def kind(self) -> Kind:
        return self.ends.kind

    @property
    def first(self) -> int | None:
        return self.laid[0].tile if self.laid else None

    @property
    def open(self) -> dict[str, int]:
        """The open ends by name, with the pips they show."""
        return {name: value for name, value in zip(ENDS, self.ends.shown, strict=True) if value is not None}

    def fits(self, tile: int) -> tuple[str, ...]:
        """The names of the open ends that take this tile."""
        high, low = HIGH[tile], LOW[tile]
        return tuple([n for n, v in zip(ENDS, self.ends.shown, strict=True) if v is not None and v in (high, low)])

    def lay(self, tile: int, end: str | None = None) -> "Line":
        """The line with one tile more, at ``end`` or at the one end that takes it; the caller has seen that it fits."""
        if not self.laid:
            return Line(self.ends.after[tile * 4], (Laid(tile, None),))
        at = AT[end or self.fits(tile)[0]]
        return Line(self.ends.after[tile * 4 + at], (*self.laid, _LAID[tile][at]))

    def counts(self) -> dict[str, tuple[int, int]]:
        """What each end adds to the total: the tile that shows there and the pips it counts.

        A lone first tile counts both halves, then each arm its outer half, a double that ends an arm both halves and
        an empty ``n`` or ``s`` nothing. In a star the first double counts once for each short side not played off,
        whatever the broad sides.
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

    def arms(self) -> dict[str, tuple[Placed, ...]]:
        """Each arm from the first tile outwards; n and s branch at the spinner."""
        result: dict[str, list[Placed]] = {name: [] for name in ENDS}
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
            result[end].append(Placed(tile, inner, outer))
        return {name: tuple(arm) for name, arm in result.items()}
