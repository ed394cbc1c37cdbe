"""The line of play: tiles joined end to end, with two, three or four open ends.

A ``Line`` is a value: ``lay`` returns the next one. Ends are named ``w e n s``. Which of them open, and
when, is the only thing in which the kinds differ:

- plain: ``w`` and ``e``;
- spinner: the first double laid is the spinner, ``n`` and ``s`` open once both its broad sides are played off;
- star: the first tile is a double and takes all four sides from the start.
"""

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import NamedTuple

from games.tiles import HIGH, LOW, SUIT


class Kind(StrEnum):
    PLAIN = "plain"
    SPINNER = "spinner"
    STAR = "star"


ENDS = ("w", "e", "n", "s")
WEST, EAST, NORTH, SOUTH = range(4)


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


@dataclass(frozen=True, slots=True)
class Line:
    kind: Kind = Kind.PLAIN
    laid: tuple[Laid, ...] = ()
    open: tuple[int | None, int | None, int | None, int | None] = (None, None, None, None)
    """Pips showing at w, e, n, s; None where nothing may be laid."""
    spinner: int | None = None
    broad: int = 0
    """How many broad sides of the spinner are joined; two open ``n`` and ``s``."""
    sides: tuple[bool, bool] = (False, False)
    """Whether ``w`` / ``e`` still is the spinner's own broad side."""
    doubled: tuple[bool, bool, bool, bool] = (False, False, False, False)
    """Which arms end in a double (both its halves count)."""
    grown: tuple[bool, bool, bool, bool] = (False, False, False, False)
    """Which arms have been played to."""

    @property
    def first(self) -> int | None:
        return self.laid[0].tile if self.laid else None

    def ends(self) -> dict[str, int]:
        """The open ends by name, with the pips they show."""
        return {name: value for name, value in zip(ENDS, self.open, strict=True) if value is not None}

    def fitting(self) -> int:
        """The mask of tiles that some open end takes; only for a line that has begun."""
        result = 0
        for value in self.open:
            if value is not None:
                result |= SUIT[value]
        return result

    def fits(self, tile: int) -> tuple[str, ...]:
        """The names of the open ends that take this tile."""
        high, low = HIGH[tile], LOW[tile]
        return tuple(n for n, v in zip(ENDS, self.open, strict=True) if v is not None and v in (high, low))

    def lay(self, tile: int, end: str | None = None) -> "Line":
        """The line with one tile more, at ``end`` or at the one end that takes it; the caller has seen that it fits."""
        if not self.laid:
            return self._begin(tile)
        fits = self.fits(tile)
        assert end in fits or (end is None and len(fits) == 1), (end, self)
        at = ENDS.index(end or fits[0])
        value = self.open[at]
        double = HIGH[tile] == LOW[tile]
        outer = HIGH[tile] if LOW[tile] == value else LOW[tile]
        ends, doubled, grown = list(self.open), list(self.doubled), list(self.grown)
        ends[at], doubled[at], grown[at] = outer, double, True
        spinner, broad, sides = self.spinner, self.broad, self.sides
        if at in (WEST, EAST) and sides[at]:
            broad += 1
            sides = (False, sides[1]) if at == WEST else (sides[0], False)
        elif self.kind is Kind.SPINNER and spinner is None and double:
            # A spinner laid later is joined on its inner side already.
            spinner, broad, sides = tile, 1, (at == WEST, at == EAST)
        if self.kind is Kind.SPINNER and spinner is not None and broad == 2:
            for branch in (NORTH, SOUTH):
                if not grown[branch]:
                    ends[branch] = HIGH[spinner]
        w, e, n, s = ends
        return Line(
            self.kind,
            (*self.laid, Laid(tile, at)),
            (w, e, n, s),
            spinner,
            broad,
            sides,
            (doubled[0], doubled[1], doubled[2], doubled[3]),
            (grown[0], grown[1], grown[2], grown[3]),
        )

    def _begin(self, tile: int) -> "Line":
        high, low = HIGH[tile], LOW[tile]
        begun = replace(self, laid=(Laid(tile, None),), open=(high, low, None, None))
        if high != low or self.kind is Kind.PLAIN:
            assert self.kind is not Kind.STAR, "a star begins with a double"
            return begun
        begun = replace(begun, spinner=tile, sides=(True, True))
        return begun if self.kind is Kind.SPINNER else replace(begun, open=(high, high, high, high))

    def table_count(self) -> int:
        """Pips at the open ends: all of a lone tile, both halves of a double that ends an arm, no empty n or s."""
        if not self.laid:
            return 0
        first = self.laid[0].tile
        if len(self.laid) == 1:
            return HIGH[first] + LOW[first]
        total = 0
        for at, value in enumerate(self.open):
            if self.grown[at] and value is not None:
                total += 2 * value if self.doubled[at] else value
            elif at in (WEST, EAST) and value is not None:
                # Nothing joined on this side yet: the first tile's own outer half, twice if it lies across.
                total += 2 * value if HIGH[first] == LOW[first] else value
        return total

    def arms(self) -> dict[str, tuple[Placed, ...]]:
        """Each arm from the first tile outwards; n and s branch at the spinner."""
        result: dict[str, list[Placed]] = {name: [] for name in ENDS}
        if not self.laid:
            return dict.fromkeys(ENDS, ())
        first = self.laid[0].tile
        shows = {"w": HIGH[first], "e": LOW[first]}
        branch = HIGH[self.spinner] if self.spinner is not None else None
        for tile, at in self.laid[1:]:
            assert at is not None
            end = ENDS[at]
            inner = shows.get(end, branch)
            assert inner is not None, (end, self)
            outer = HIGH[tile] + LOW[tile] - inner
            shows[end] = outer
            result[end].append(Placed(tile, inner, outer))
        return {name: tuple(arm) for name, arm in result.items()}
