"""The line of play as one SVG, as it lies on the table."""

from collections.abc import Collection, Mapping
from xml.sax.saxutils import escape, quoteattr

from games.line import Line
from games.tiles import name
from scorekeeper.drawing.layout import Spot, lay_out
from scorekeeper.drawing.tile import tile_body

UNIT = 10  # a half-tile is 20 by 20
WIDTH = 34  # units: on a phone of 360 px a half-tile is then 20 px
MARGIN = 1
REACH = 14  # how far around a free place a finger still finds it


def board_svg(
    line: Line,
    *,
    width: int = WIDTH,
    lit: Collection[str] = (),
    last: int | None = None,
    label: str = "",
    letters: Mapping[str, str] | None = None,
    own: int = 0,
) -> str:
    """Draws the line to fit `width` units, with its open ends marked. Ends in `lit` can be tapped (`data-end`).

    `last` is the tile to highlight, `label` the text for screen readers, `letters` the letter for each open end. The
    spinner has a pin. ``own`` is the mask of tiles that the reader laid: they have the class `own`.
    """
    spots = lay_out(line, width)
    top = min(spot.y for spot in spots) - MARGIN
    bottom = max(spot.y + spot.height for spot in spots) + MARGIN
    west, across = -width // 2 - MARGIN, width + 2 * MARGIN
    box = " ".join(str(side * UNIT) for side in (west, top, across, bottom - top))
    spinner, letters = line.ends.spinner, letters or {}
    drawn = "".join(
        _free(spot, lit, letters.get(spot.arm or "", "")) if spot.tile is None else _tile(spot, last, spinner, own)
        for spot in spots
    )
    return f'<svg class="line" viewBox="{box}" role="group" aria-label={quoteattr(label)}>{drawn}</svg>'


def _tile(spot: Spot, last: int | None, spinner: int | None, own: int) -> str:
    halves = tuple((half.pips, half.x * UNIT, half.y * UNIT) for half in spot.halves)
    marks = tile_body(spot.x * UNIT, spot.y * UNIT, spot.along, halves)
    assert spot.tile is not None
    if spot.tile == spinner:
        marks += f'<circle class="pin" {_middle(spot)} r="3"/>'
    kind = "tile last" if spot.tile == last else "tile"
    if own >> spot.tile & 1:
        kind += " own"
    return f'<g class="{kind}" data-tile="{name(spot.tile)}">{marks}</g>'


def _free(spot: Spot, lit: Collection[str], letter: str) -> str:
    x, y, width, height = (side * UNIT for side in (spot.x, spot.y, spot.width, spot.height))
    outline = f'<rect class="free" {_box(x + 2, y + 2, width - 4, height - 4)} rx="3"/>'
    if spot.arm is None:
        return outline
    finger = _box(x - REACH, y - REACH, width + 2 * REACH, height + 2 * REACH)
    kind = "end lit" if spot.arm in lit else "end"
    if letter:
        outline += f'<text {_middle(spot, "")} dy=".35em">{escape(letter)}</text>'
    return f'<g class="{kind}" data-end="{spot.arm}"><rect class="finger" {finger}/>{outline}</g>'


def _middle(spot: Spot, of: str = "c") -> str:
    x, y = spot.x * UNIT + spot.width * UNIT // 2, spot.y * UNIT + spot.height * UNIT // 2
    return f'{of}x="{x}" {of}y="{y}"'


def _box(x: int, y: int, width: int, height: int) -> str:
    return f'x="{x}" y="{y}" width="{width}" height="{height}"'
