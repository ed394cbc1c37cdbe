"""Positions for the tiles of a line of play, which turns corners to fit a width. The height is not limited.

All lengths are whole units. A half-tile is 2 by 2 units, a tile 4 by 2. The centre of the first tile is (0, 0); x grows
to the east, y to the south. The east and west arms follow the row of the first tile, then fold back and forth, the east
arm downwards and the west arm upwards, so that they never meet. A tile stays where it was drawn first. If north and
south are open too, their arms fold in the two free quarters, and the tile in the middle is the one where they branch.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from games.line import ArmTile, Line
from games.tiles import high, low

PITCH = 6  # units between the centres of two rows: room for doubles, which lie across, and a gap
NARROWEST = 24


@dataclass(frozen=True, slots=True)
class Half:
    """One half of a tile: its pips and its centre."""

    pips: int
    x: int
    y: int


@dataclass(frozen=True, slots=True)
class Spot:
    """A tile at its position. `tile` is None for the free place at an open end, for the next tile."""

    tile: int | None
    arm: str | None  # None for the first tile
    x: int  # west edge
    y: int  # north edge
    width: int
    height: int
    halves: tuple[Half, Half]  # the inner half first; for the first tile, the western or northern half

    @property
    def along(self) -> bool:
        """Whether its long side runs from west to east."""
        return self.width > self.height

    def turned(self) -> "Spot":
        """The same spot, rotated by 180 degrees around the centre of the first tile."""
        inner, outer = (Half(half.pips, -half.x, -half.y) for half in self.halves)
        x, y = -self.x - self.width, -self.y - self.height
        return Spot(self.tile, self.arm, x, y, self.width, self.height, (inner, outer))


@dataclass(slots=True)
class _Walker:
    """Lays one arm tile after tile: along a row, down at its end, back along the next."""

    arm: str
    west: int  # the limits for all tiles
    east: int
    x: int  # the centre of the edge that the next tile touches
    y: int
    step: int  # the direction of this row, or of the next one on the way down: 1 for east, -1 for west
    down: bool
    row: int  # y of the centre of this row, or of the last one on the way down
    after_double: bool

    def lay(self, tile: int | None, inner: int, outer: int) -> Spot:
        double = tile is not None and inner == outer
        if not self.down and not self._fits(double):
            self._turn_down()
            if self.after_double:  # after a double, the next tile turns the corner, in front of its broad side
                return self._lay_down_in_front(tile, inner, outer)
        if self.down and not double and self.y + 1 - self.row >= PITCH:
            return self._lay_round_the_corner(tile, inner, outer)
        return self._lay_straight(tile, inner, outer, double)

    def _fits(self, double: bool) -> bool:
        """Whether the tile fits in this row and leaves room for a corner, even for one with a double."""
        edge = self.x + self.step * (2 + 3 if double else 4 + 1)
        return self.west <= edge <= self.east

    def _turn_down(self) -> None:
        self.down = True
        if not self.after_double:
            self.x, self.y = self.x - self.step, self.y + 1
            self.step = -self.step

    def _lay_down_in_front(self, tile: int | None, inner: int, outer: int) -> Spot:
        x, y = self.x + self.step, self.y
        self.x, self.y, self.step, self.after_double = x, y + 3, -self.step, False
        return Spot(tile, self.arm, x - 1, y - 1, 2, 4, (Half(inner, x, y), Half(outer, x, y + 2)))

    def _lay_round_the_corner(self, tile: int | None, inner: int, outer: int) -> Spot:
        x, y = self.x, self.y + 1
        far = x + 2 * self.step
        self.x, self.y, self.row, self.down, self.after_double = x + 3 * self.step, y, y, False, False
        return Spot(tile, self.arm, min(x, far) - 1, y - 1, 4, 2, (Half(inner, x, y), Half(outer, far, y)))

    def _lay_straight(self, tile: int | None, inner: int, outer: int, double: bool) -> Spot:
        dx, dy = (0, 1) if self.down else (self.step, 0)
        x, y, length = self.x, self.y, 2 if double else 4
        self.x, self.y, self.after_double = x + dx * length, y + dy * length, double
        if double:
            x, y = x + dx, y + dy
            halves = (Half(inner, x - dy, y - abs(dx)), Half(outer, x + dy, y + abs(dx)))
            across = (4, 2) if self.down else (2, 4)
        else:
            halves = (Half(inner, x + dx, y + dy), Half(outer, x + 3 * dx, y + 3 * dy))
            across = (2, 4) if self.down else (4, 2)
            x, y = x + 2 * dx, y + 2 * dy
        return Spot(tile, self.arm, x - across[0] // 2, y - across[1] // 2, *across, halves)


def lay_out(line: Line, width: int) -> tuple[Spot, ...]:
    """The spots of the first tile and of every arm, from the inside out, each open arm with its free place at the end.

    `width` is in units; ValueError below `NARROWEST`. An empty line has one free place, in the middle.
    """
    if width < NARROWEST:
        raise ValueError(f"a line of play needs {NARROWEST} units, not {width}")
    if line.first is None:
        return (Spot(None, None, -2, -1, 4, 2, (Half(0, -1, 0), Half(0, 1, 0))),)
    first, arms = line.first, line.arms()
    if line.ends.spinner is not None and line.ends.spinner != first:
        first, arms = line.ends.spinner, _seen_from(line.ends.spinner, first, arms)
    return _spots(first, arms, line.open, width)


def _seen_from(spinner: int, first: int, arms: Mapping[str, tuple[ArmTile, ...]]) -> dict[str, tuple[ArmTile, ...]]:
    """The arms, as they start from a spinner that is not the first tile."""
    here, there = ("w", "e") if any(placed.tile == spinner for placed in arms["w"]) else ("e", "w")
    at = next(i for i, placed in enumerate(arms[here]) if placed.tile == spinner)
    back = tuple(ArmTile(p.tile, p.outer, p.inner) for p in reversed(arms[here][:at]))
    halves = (high(first), low(first)) if here == "w" else (low(first), high(first))
    middle = ArmTile(first, *halves)
    return {**arms, here: arms[here][at + 1 :], there: (*back, middle, *arms[there])}


def _spots(first: int, arms: Mapping[str, tuple[ArmTile, ...]], ends: Iterable[str], width: int) -> tuple[Spot, ...]:
    across = high(first) == low(first)
    spots = [_first_spot(first, across)]
    open_ends = set(ends)
    star = any(arm in open_ends or arms.get(arm) for arm in "ns")
    for arm in ("w", "e", "n", "s"):
        walker = _walker(arm, across, star, width // 2)
        laid = [walker.lay(placed.tile, placed.inner, placed.outer) for placed in arms.get(arm, ())]
        if arm in open_ends:
            laid.append(walker.lay(None, 0, 0))
        # West and north are laid out like east and south, then rotated.
        spots += [spot.turned() for spot in laid] if arm in "wn" else laid
    return tuple(spots)


def _first_spot(first: int, across: bool) -> Spot:
    if across:
        return Spot(first, None, -1, -2, 2, 4, (Half(high(first), 0, -1), Half(low(first), 0, 1)))
    return Spot(first, None, -2, -1, 4, 2, (Half(high(first), -1, 0), Half(low(first), 1, 0)))


def _walker(arm: str, across: bool, star: bool, edge: int) -> _Walker:
    if arm in "we":
        start = 1 if across else 2
        # In a star, the south arm comes down in the middle, and needs two units to each side for doubles.
        return _Walker(arm, 3 if star else -edge, edge, start, 0, 1, False, 0, across)
    return _Walker(arm, -edge, 2, 0, 2, -1, True, 0, False)
