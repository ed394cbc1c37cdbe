"""Pictures to share, 1200 by 630 as chats show them: a ranking, a player, the end of a match.

They stand alone, so their colours are fixed and written at each element: no stylesheet reaches them. A name may be in
any script and of any length: what does not fit becomes smaller, and only then ends in “…”.
"""

from collections.abc import Sequence
from typing import NamedTuple
from xml.sax.saxutils import escape, quoteattr

from scorekeeper.drawing.rating_line import Plot, Point, curves, plot_of
from scorekeeper.drawing.text import clean, in_lines, shortened, width_of
from scorekeeper.drawing.tile import half_pips

WIDTH, HEIGHT = 1200, 630
BEST = 8  # rows of a ranking
EDGE = 56  # the margin left and right
TOP, BOTTOM = 150, 594  # of what lies below the title
NAMES = 670  # the room for the names of a side
SMALLEST = 60  # per cent of its size to which a text shrinks before it is cut
FONT = "DejaVu Sans"
FELT, SHADE, PALE = "#1d4a39", "#153629", "#c3d6c5"
IVORY, DULL, IVORY_EDGE, INK, SOFT = "#fbf4e1", "#e2dac2", "#cdbf98", "#241d18", "#6a5f52"
ROSE, FELL, BAND, GRID = "#1f6b45", "#a03a26", "#efe5c8", "#ddd2b3"


class Place(NamedTuple):
    """A row of a ranking. `places` are those won; None for somebody who is new. `club` is "" if the name is enough."""

    place: int
    name: str
    rating: int
    uncertainty: int
    places: int | None
    club: str = ""


class SideEnd(NamedTuple):
    """A side at the end of a match. `points` is "" if there are none, `mark` tells that they won or tied, else ""."""

    names: str
    points: str
    mark: str


class Record(NamedTuple):
    """What somebody did in a game, in words."""

    game: str
    won: str


class Line(NamedTuple):
    """The course of a rating, the oldest point first, with the words for its ends."""

    points: Sequence[Point]
    begin: str
    end: str


def ranking_picture(title: str, about: str, places: Sequence[Place], nobody: str) -> str:
    """The best of a ranking, at most `BEST`. `nobody` is what it says if there are none."""
    shown = places[:BEST]
    pitch = min(92, (BOTTOM - TOP) // max(len(shown), 1))
    rows = [_place(each, TOP + at * pitch, pitch - 8) for at, each in enumerate(shown)]
    return _picture(title, about, "".join(rows) if rows else _text(nobody, EDGE, 250, 34, IVORY, WIDTH - 2 * EDGE))


def _place(row: Place, y: int, height: int) -> str:
    size = min(height * 3 // 5, 40)
    base = y + height // 2 + size * 9 // 25
    return "".join(
        (
            _body(EDGE, y, WIDTH - 2 * EDGE, height),
            _text(str(row.place), EDGE + 76, base, size, SOFT, 70, "end"),
            _text(row.name, EDGE + 108, base, size, INK, 380 if row.club else 620),
            _text(row.club, EDGE + 508, base, size * 4 // 5, SOFT, 220) if row.club else "",
            _moved(row.places, 800, y + height // 2, size) if row.places else "",
            _text(str(row.rating), WIDTH - EDGE - 140, base, size, INK, 120, "end"),
            _text(f"± {row.uncertainty}", WIDTH - EDGE - 28, base, size * 3 // 5, SOFT, 100, "end"),
        )
    )


def _moved(places: int, x: int, middle: int, size: int) -> str:
    """A triangle that points up or down, and the number of places."""
    half = size // 3
    colour, up = (ROSE, 1) if places > 0 else (FELL, -1)
    corner = f"M{x} {middle + up * half}h{2 * half}l{-half} {-up * 2 * half}z"
    number = _text(str(abs(places)), x + 2 * half + 10, middle + size * 3 // 10, size * 4 // 5, colour, 80)
    return f'<path d="{corner}" fill="{colour}"/>{number}'


def player_picture(
    name: str, club: str, *, games: str, rating: str, uncertainty: str, record: Sequence[Record], line: Line | None
) -> str:
    """How strong somebody is in these games, and what they have played in up to three. `line` is None, `rating` and
    `uncertainty` are "" before the first match that is rated."""
    inner, width = EDGE + 40, 380 if line else WIDTH - 2 * EDGE - 80
    parts = [
        _body(EDGE, TOP, WIDTH - 2 * EDGE, BOTTOM - TOP),
        _text(games, inner, TOP + 62, 30, SOFT, width),
        _text(rating, inner, TOP + 180, 112, INK, width),
        _text(uncertainty, inner, TOP + 234, 34, SOFT, width),
        *(_record(each, inner, TOP + 308 + at * 46) for at, each in enumerate(record[:3])),
    ]
    return _picture(name, club, "".join(parts) + (_course(line) if line else ""))


def _record(record: Record, x: int, y: int) -> str:
    return _text(record.game, x, y, 22, SOFT, 180) + _text(record.won, x + 404, y, 22, INK, 216, "end")


def _course(line: Line) -> str:
    plot = plot_of(line.points, left=612, right=WIDTH - EDGE - 44, top=TOP + 44, bottom=BOTTOM - 78)
    course, band = curves(line.points, plot)
    end = plot.x(line.points[-1].at), plot.y(line.points[-1].shown)
    clip = f'x="{plot.left}" y="{plot.top}" width="{plot.right - plot.left}" height="{plot.bottom - plot.top}"'
    return "".join(
        (
            *(_height(plot, value) for value in plot.grid),
            f'<clipPath id="plot"><rect {clip}/></clipPath>',
            f'<path d="{band}" fill="{BAND}" clip-path="url(#plot)"/>',
            f'<path d="{course}" fill="none" stroke="{ROSE}" stroke-width="6" stroke-linejoin="round"/>',
            f'<circle cx="{end[0]:.1f}" cy="{end[1]:.1f}" r="11" fill="{ROSE}" stroke="{IVORY}" stroke-width="4"/>',
            _text(line.begin, plot.left, BOTTOM - 36, 22, SOFT, 220),
            _text(line.end, plot.right, BOTTOM - 36, 22, SOFT, 220, "end") if line.end != line.begin else "",
        )
    )


def _height(plot: Plot, value: int) -> str:
    y = round(plot.y(value))
    across = f'<path d="M{plot.left} {y}H{plot.right}" stroke="{GRID}" stroke-width="2"/>'
    return across + _text(str(value), plot.left - 14, y + 8, 22, SOFT, 90, "end")


def match_picture(title: str, club: str, sides: Sequence[SideEnd]) -> str:
    """How a match ended, in the order in which the sides are given."""
    pitch = min(196, (BOTTOM - TOP) // len(sides))
    size = min((pitch - 14) * 2 // 5, 54)
    names = [in_lines(side.names, NAMES * 1000 // size) for side in sides]
    if any(len(each) > 1 for each in names):
        size = min((pitch - 14) * 3 // 8, 54)
    size = min(_fitting(line, size, NAMES) for lines in names for line in lines)
    return _picture(
        title,
        club,
        "".join(
            _side(side, lines, TOP + at * pitch, pitch - 14, size)
            for at, (side, lines) in enumerate(zip(sides, names, strict=True))
        ),
    )


def _side(side: SideEnd, names: Sequence[str], y: int, height: int, size: int) -> str:
    middle, line = y + height // 2, size * 6 // 5
    base = middle + size * 9 // 25
    first = base - line * (len(names) - 1) // 2
    points = _text(side.points, WIDTH - EDGE - 36, middle + size // 2, size * 7 // 5, INK, 220, "end")
    mark = _text(side.mark, 930, base - size // 12, size * 2 // 3, ROSE, 160, "end") if side.mark else ""
    body = _body(EDGE, y, WIDTH - 2 * EDGE, height, IVORY if side.mark else DULL)
    written = (_text(each, EDGE + 36, first + at * line, size, INK, NAMES) for at, each in enumerate(names))
    return f"{body}{''.join(written)}{mark}{points}"


def _picture(title: str, about: str, inner: str) -> str:
    size = f'viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}"'
    label = quoteattr(clean(f"{title}, {about}"))
    return "".join(
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" {size} font-family="{FONT}, system-ui, sans-serif"'
            f' font-weight="700" font-stretch="condensed" role="img" aria-label={label}>',
            f'<rect width="{WIDTH}" height="{HEIGHT}" fill="{FELT}"/>',
            f'<path d="M0 {HEIGHT - 12}h{WIDTH}" stroke="{SHADE}" stroke-width="24"/>',
            _text(title, EDGE, 78, 52, IVORY, 930),
            _text(about, EDGE, 122, 28, PALE, 930),
            _sign(1072, 78),
            inner,
            "</svg>",
        )
    )


def _sign(x: int, y: int) -> str:
    """A tile, as in the icon of the program, around (x, y)."""
    pips = f'<path d="{half_pips(6, 10, 10, True)}{half_pips(5, 30, 10, True)}" stroke="{INK}" stroke-width="4.2"'
    return (
        f'<g transform="translate({x} {y}) rotate(-12) scale(3.4) translate(-20 -10)" stroke-linecap="round">'
        f'<rect y="1" width="40" height="20" rx="3" fill="{IVORY_EDGE}"/>'
        f'<rect width="40" height="20" rx="3" fill="{IVORY}"/>'
        f'<path d="M20 3v14" stroke="{INK}" stroke-opacity=".5"/>{pips}/></g>'
    )


def _body(x: int, y: int, width: int, height: int, colour: str = IVORY) -> str:
    """A blank tile that lies on the felt."""
    box = f'x="{x}" width="{width}" height="{height}" rx="12"'
    return f'<rect {box} y="{y + 4}" fill="{SHADE}"/><rect {box} y="{y}" fill="{colour}"/>'


# --- text ----------------------------------------------------------------------------------------------------
def _text(text: str, x: int, y: int, size: int, colour: str, width: int, anchor: str = "start") -> str:
    """A line of text from (x, y) on, or up to it with the anchor "end"."""
    size = _fitting(text, size, width)
    at = f'x="{x}" y="{y}" font-size="{size}" fill="{colour}" text-anchor="{anchor}"'
    return f"<text {at}>{escape(shortened(text, width * 1000 // size))}</text>"


def _fitting(text: str, size: int, width: int) -> int:
    """The size at which the text fits, if it must not become too small for that."""
    fits = width * 1000 // max(width_of(clean(text)), 1)
    return min(size, max(fits, size * SMALLEST // 100))
