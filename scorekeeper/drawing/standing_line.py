"""How well a side of a hand stood as one SVG: a line through the moments before each play, a dot for each, and a link.
Above the middle it stands better than the others, below it worse.

Values are points; lengths are units of the picture, which is 640 by 280.
"""

from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple
from xml.sax.saxutils import escape, quoteattr

WIDTH, HEIGHT = 640, 280
LEFT, RIGHT, TOP, BOTTOM = 60, 626, 14, 266  # of the plot: to the left are the numbers
STEP = 5  # points; the plot ends at a multiple of it
SIZES = {"": 5, "small": 8, "clear": 11, "big": 15}
"""By the size of a mistake: the radius of its dot."""


class Moment(NamedTuple):
    """A moment of a hand: the number of moves before it, the points by which the upper side stands better, the same
    with open hands if that is known, the size of the mistake that follows, and what its link says and where it
    leads."""

    at: int
    value: Fraction
    opened: int | None
    mistake: str
    says: str
    href: str
    chosen: bool


def standing_line_svg(moments: Sequence[Moment], *, moves: int, result: Fraction | None, label: str) -> str:
    """Draws the moments of a hand of so many ``moves``, in order; ValueError without any. ``result`` is what the upper
    side won more than the other one in the end; None if the hand has none. ``label`` is for screen readers."""
    if not moments:
        raise ValueError("a line needs a moment")
    values = [abs(moment.value) for moment in moments] + [Fraction(abs(moment.opened or 0)) for moment in moments]
    most = max(1, -(-max(*values, abs(result or Fraction(0))) // STEP)) * STEP
    plot = _Plot(max(moves, 1), most)
    course = [(moment.at, moment.value) for moment in moments]
    opened = [(moment.at, Fraction(moment.opened)) for moment in moments if moment.opened is not None]
    if result is not None:
        end = (moves, result)
        course, opened = [*course, end], [*opened, end] if opened else []
    zero = _short(plot.y(Fraction(0)))
    first, last = _short(plot.x(course[0][0])), _short(plot.x(course[-1][0]))
    parts = [
        f'<svg class="standing-line" viewBox="0 0 {WIDTH} {HEIGHT}" role="group" aria-label={quoteattr(label)}>',
        *(_height(plot, value) for value in (most, 0, -most)),
        f'<path class="band" d="{plot.path(course)}L{last} {zero}L{first} {zero}Z" aria-hidden="true"/>',
        *(_chosen(plot, moment) for moment in moments if moment.chosen),
        f'<path class="opened" d="{plot.path(opened)}" aria-hidden="true"/>' if opened else "",
        f'<path class="course" d="{plot.path(course)}" aria-hidden="true"/>',
        "" if result is None else _end(plot, moves, result),
        *(_dot(plot, moment) for moment in moments),
        "</svg>",
    ]
    return "".join(parts)


class _Plot(NamedTuple):
    """Where moves and points are in the picture."""

    moves: int
    most: int

    def x(self, at: int) -> float:
        return LEFT + (RIGHT - LEFT) * at / self.moves

    def y(self, value: Fraction) -> float:
        return float((TOP + BOTTOM) / 2 - (BOTTOM - TOP) / 2 * float(value) / self.most)

    def path(self, points: Sequence[tuple[int, Fraction]]) -> str:
        return "M" + "L".join(f"{_short(self.x(at))} {_short(self.y(value))}" for at, value in points)


def _height(plot: _Plot, value: int) -> str:
    y, shown = _short(plot.y(Fraction(value))), str(abs(value))
    kind = "grid" if value else "grid zero"
    line = f'<path class="{kind}" d="M{LEFT} {y}H{RIGHT}" aria-hidden="true"/>'
    return f'{line}<text class="height" x="{LEFT - 10}" y="{y}" dy=".35em" aria-hidden="true">{shown}</text>'


def _chosen(plot: _Plot, moment: Moment) -> str:
    return f'<path class="chosen" d="M{_short(plot.x(moment.at))} {TOP}V{BOTTOM}" aria-hidden="true"/>'


def _end(plot: _Plot, moves: int, result: Fraction) -> str:
    x, y = plot.x(moves) - SIZES[""], plot.y(result) - SIZES[""]
    size = f'width="{2 * SIZES[""]}" height="{2 * SIZES[""]}"'
    return f'<rect class="end" x="{_short(x)}" y="{_short(y)}" {size} aria-hidden="true"/>'


def _dot(plot: _Plot, moment: Moment) -> str:
    """A dot, large for a large mistake, with an area that a finger finds."""
    x, y = _short(plot.x(moment.at)), _short(plot.y(moment.value))
    current = ' aria-current="true"' if moment.chosen else ""
    kind = "dot mistake" if moment.mistake else "dot"
    return (
        f"<a href={quoteattr(moment.href)}{current}><title>{escape(moment.says)}</title>"
        f'<rect class="finger" x="{_short(plot.x(moment.at) - 10)}" y="{TOP}" width="20" height="{BOTTOM - TOP}"/>'
        f'<circle class="{kind}" cx="{x}" cy="{y}" r="{SIZES[moment.mistake]}"/></a>'
    )


def _short(length: float) -> str:
    return f"{length:.1f}".removesuffix(".0")
