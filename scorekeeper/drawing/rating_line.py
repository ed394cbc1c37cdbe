"""The course of a rating as one SVG: a line through its values, a band of how uncertain each is, and a link for each.

The line rises and falls only where the values do: between two of them it never leaves their range. Times are whole
seconds, ratings whole points; lengths are units of the picture, which is 640 by 380.
"""

from collections.abc import Sequence
from itertools import groupby, pairwise
from typing import NamedTuple
from xml.sax.saxutils import escape, quoteattr

WIDTH, HEIGHT = 640, 380
LEFT, RIGHT, TOP, BOTTOM = 68, 620, 76, 340  # of the plot: around it are the words
LEAST_SPAN = 80  # points from the lowest to the highest line of the grid, so that small moves look small
GRID = 4  # lines, about
DAY = 86_400
PAUSE = 5  # points by which the uncertainty must have grown for the band to show it
LETTER = 13  # the width of a letter below the plot on a phone, about


class Point(NamedTuple):
    """A rating, what led to it in two short lines, and the address where that can be read. `awaited`: how uncertain the
    rating before had become by then."""

    at: int
    shown: int
    uncertainty: int
    says: tuple[str, str]
    href: str
    awaited: int


def spans(times: Sequence[int], at_most: int) -> list[range]:
    """The times in order, as ranges of their indexes, of which each becomes one point: each time alone if all fit
    within a day, else those of the same day, of the same two, four, eight … days, until there are few enough."""
    if len(times) <= at_most and (not times or times[-1] - times[0] < DAY):
        return [range(at, at + 1) for at in range(len(times))]
    length = DAY
    while len(found := _together(times, length)) > at_most:
        length *= 2
    return found


def _together(times: Sequence[int], length: int) -> list[range]:
    groups = (list(group) for _slot, group in groupby(range(len(times)), lambda at: times[at] // length))
    return [range(group[0], group[-1] + 1) for group in groups]


def grid(lowest: int, highest: int) -> range:
    """Round ratings for the lines of the grid. The first is not above the lowest value, the last not below the
    highest."""
    missing = max(0, LEAST_SPAN - (highest - lowest))
    lowest, highest = lowest - missing // 2, highest + missing // 2
    step = next(step for step in (20, 50, 100, 200, 500, 1000, 10**9) if highest - lowest <= step * GRID)
    first, last = lowest // step * step, -(-highest // step) * step
    return range(first, last + step, step)


def rating_line_svg(points: Sequence[Point], *, label: str, days: Sequence[tuple[int, str]]) -> str:
    """Draws the points, the oldest first; ValueError without any. `label` is the text for screen readers; `days` are
    the times below the plot, each with its text."""
    if not points:
        raise ValueError("a line needs a point")
    plot = plot_of(points, left=LEFT, right=RIGHT, top=TOP, bottom=BOTTOM)
    inner, band = curves(points, plot)
    # An SVG of its own cuts off the band where a smooth edge leaves the plot.
    size = f'x="{LEFT}" y="{TOP}" width="{RIGHT - LEFT}" height="{BOTTOM - TOP}"'
    box = f'{size} viewBox="{LEFT} {TOP} {RIGHT - LEFT} {BOTTOM - TOP}"'
    parts = [
        f'<svg class="rating-line" viewBox="0 0 {WIDTH} {HEIGHT}" role="group" aria-label={quoteattr(label)}>',
        *(_height(plot, value) for value in plot.grid),
        *(_day(plot, at, text) for at, text in days if points[0].at <= at <= points[-1].at),
        f'<svg {box} aria-hidden="true"><path class="band" d="{band}"/></svg>',
        f'<path class="course" d="{inner}" aria-hidden="true"/>',
        *(_spot(each, plot.x(each.at), plot.y(each.shown)) for each in points),
        "</svg>",
    ]
    return "".join(parts)


class Plot(NamedTuple):
    """Where times and ratings are in a box of the picture."""

    first: int
    last: int
    grid: range
    left: int
    right: int
    top: int
    bottom: int

    def x(self, at: int) -> float:
        """In the middle if there is only one time."""
        if self.first == self.last:
            return (self.left + self.right) / 2
        return self.left + (self.right - self.left) * (at - self.first) / (self.last - self.first)

    def y(self, shown: int) -> float:
        return self.bottom - (self.bottom - self.top) * (shown - self.grid[0]) / (self.grid[-1] - self.grid[0])


def plot_of(points: Sequence[Point], *, left: int, right: int, top: int, bottom: int) -> Plot:
    """The box with a grid for these points and what is uncertain of them. There is at least one, the oldest first."""
    edges = _edges(points)
    lines = grid(
        min(shown - spread for _at, shown, spread in edges), max(shown + spread for _at, shown, spread in edges)
    )
    return Plot(points[0].at, points[-1].at, lines, left, right, top, bottom)


def curves(points: Sequence[Point], plot: Plot) -> tuple[str, str]:
    """The course of the ratings and the band of their uncertainty, as data of paths."""
    course = [(plot.x(each.at), plot.y(each.shown)) for each in points]
    edges = _edges(points)
    upper = [(plot.x(at), plot.y(shown + spread)) for at, shown, spread in edges]
    lower = [(plot.x(at), plot.y(shown - spread)) for at, shown, spread in reversed(edges)]
    return _curve(course, "M"), f"{_curve(upper, 'M')}{_curve(lower, 'L')}Z"


def _edges(points: Sequence[Point]) -> list[tuple[int, int, int]]:
    """The time, rating and uncertainty of each corner of the band. It widens during a pause, until the match that ends
    it: that one draws it together again at the same time."""
    edges = [points[0][:3]]
    for before, each in pairwise(points):
        if each.awaited - before.uncertainty >= PAUSE:
            edges.append((each.at, each.shown, each.awaited))
        edges.append(each[:3])
    return edges


def _height(plot: Plot, value: int) -> str:
    y = _short(plot.y(value))
    line = f'<path class="grid" d="M{LEFT} {y}H{RIGHT}" aria-hidden="true"/>'
    return f'{line}<text class="height" x="{LEFT - 8}" y="{y}" dy=".35em" aria-hidden="true">{value}</text>'


def _day(plot: Plot, at: int, text: str) -> str:
    x = plot.x(at)
    line = f'<path class="grid" d="M{_short(x)} {BOTTOM}v6" aria-hidden="true"/>'
    # The last one stays within the picture.
    kind, x = ("day last", WIDTH) if x + len(text) * LETTER / 2 > WIDTH else ("day", x)
    return f'{line}<text class="{kind}" x="{_short(x)}" y="{BOTTOM + 28}" aria-hidden="true">{escape(text)}</text>'


def _spot(point: Point, x: float, y: float) -> str:
    """A dot with an area that a finger finds. Whoever points at it or reaches it by keyboard reads its words on top."""
    at = f'cx="{_short(x)}" cy="{_short(y)}"'
    first, second = map(escape, point.says)
    words = f'<tspan x="{LEFT}" y="24">{first}</tspan><tspan x="{LEFT}" dy="1.3em">{second}</tspan>'
    return (
        f"<a href={quoteattr(point.href)}><title>{first}{', ' if second else ''}{second}</title>"
        f'<circle class="finger" {at} r="14"/><circle class="dot" {at} r="5"/>'
        f'<text class="says" aria-hidden="true">{words}</text></a>'
    )


def _curve(points: Sequence[tuple[float, float]], begin: str) -> str:
    """A smooth path through the points, which rises only where they rise (Fritsch and Butland's slopes)."""
    slopes = [(y - before) / (x - left) if x != left else 0.0 for (left, before), (x, y) in pairwise(points)]
    inner = [0.0 if one * other <= 0 else 2 * one * other / (one + other) for one, other in pairwise(slopes)]
    tangents = [*slopes[:1], *inner, *slopes[-1:]] if slopes else []
    path = [f"{begin}{_at(*points[0])}"]
    for ((left, before), (x, y)), (leave, arrive) in zip(pairwise(points), pairwise(tangents), strict=True):
        third = (x - left) / 3
        path.append(f"C{_at(left + third, before + third * leave)} {_at(x - third, y - third * arrive)} {_at(x, y)}")
    return "".join(path)


def _at(x: float, y: float) -> str:
    return f"{_short(x)} {_short(y)}"


def _short(length: float) -> str:
    return f"{length:.1f}".removesuffix(".0")
