"""One tile as SVG: an ivory body, a hairline in the middle, pips of ink."""

from functools import cache, lru_cache

from games.tiles import high, low, name

# The centre of each pip in a half of 20 by 20, for a tile that lies along. In a standing tile, x and y are exchanged.
_PIPS: dict[int, tuple[tuple[int, int], ...]] = {
    0: (),
    1: ((10, 10),),
    2: ((5, 15), (15, 5)),
    3: ((5, 15), (10, 10), (15, 5)),
    4: ((5, 5), (5, 15), (15, 5), (15, 15)),
    5: ((5, 5), (5, 15), (10, 10), (15, 5), (15, 15)),
    6: ((5, 5), (5, 15), (10, 5), (10, 15), (15, 5), (15, 15)),
}


def half_pips(pips: int, x: float, y: float, along: bool) -> str:
    """The path data for the pips of the half with the centre (x, y). Each pip is a dot, drawn as a round line end."""
    spots = ((px - 10, py - 10) for px, py in _PIPS[pips])
    return "".join(f"M{x + dx:g} {y + dy:g}h0" for dx, dy in (s if along else s[::-1] for s in spots))


@lru_cache(4096)  # a line is drawn again with every new tile, while the others stay where they are
def tile_body(x: float, y: float, along: bool, halves: tuple[tuple[int, float, float], ...]) -> str:
    """The SVG elements of a tile with its north-west corner at (x, y). Each half has its pips and its centre."""
    width, height = (40, 20) if along else (20, 40)
    hair = f"M{x + 20:g} {y + 3:g}v14" if along else f"M{x + 3:g} {y + 20:g}h14"
    dots = "".join(half_pips(*half, along) for half in halves)
    box = f'x="{x + 0.5:g}" y="{y + 0.5:g}" width="{width - 1}" height="{height - 1}" rx="3"'
    pips = f'<path class="pips" d="{dots}"/>' if dots else ""
    return f'<rect class="body" {box}/><path class="hair" d="{hair}"/>{pips}'


@cache
def tile_svg(tile: int, *, along: bool = True) -> str:
    """A single tile, 40 by 20, or 20 by 40 if it stands. Hidden from screen readers: the text next to it must have its
    name."""
    if along:
        size, halves = "40 20", ((high(tile), 10, 10), (low(tile), 30, 10))
    else:
        size, halves = "20 40", ((high(tile), 10, 10), (low(tile), 10, 30))
    marks = tile_body(0, 0, along, halves)
    return f'<svg class="tile" viewBox="0 0 {size}" aria-hidden="true" data-tile="{name(tile)}">{marks}</svg>'


@cache
def half_svg(pips: int) -> str:
    """Half a tile, 20 by 20: a number as on tiles. Hidden from screen readers."""
    dots = half_pips(pips, 10, 10, True)
    marks = f'<rect class="body" x="0.5" y="0.5" width="19" height="19" rx="3"/><path class="pips" d="{dots}"/>'
    return f'<svg class="tile half" viewBox="0 0 20 20" aria-hidden="true">{marks}</svg>'
