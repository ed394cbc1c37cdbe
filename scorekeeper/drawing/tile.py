"""One tile as SVG: an ivory body, a hairline in the middle, pips of ink."""

from functools import cache, lru_cache

from games.tiles import high, low, name

# the middle of each pip in a half of 20 by 20, for a tile that lies along; a standing one is turned
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
    """Path data for the pips of the half whose middle is (x, y): a dot each, drawn by round line ends."""
    spots = ((px - 10, py - 10) for px, py in _PIPS[pips])
    return "".join(f"M{x + dx:g} {y + dy:g}h0" for dx, dy in (s if along else s[::-1] for s in spots))


@lru_cache(4096)  # a line is drawn again with every tile, and those that lie stay where they are
def tile_body(x: float, y: float, along: bool, halves: tuple[tuple[int, float, float], ...]) -> str:
    """The marks of a tile whose west and north edges are (x, y); each half is its pips and its middle."""
    width, height = (40, 20) if along else (20, 40)
    hair = f"M{x + 20:g} {y + 3:g}v14" if along else f"M{x + 3:g} {y + 20:g}h14"
    dots = "".join(half_pips(*half, along) for half in halves)
    box = f'x="{x + 0.5:g}" y="{y + 0.5:g}" width="{width - 1}" height="{height - 1}" rx="3"'
    pips = f'<path class="pips" d="{dots}"/>' if dots else ""
    return f'<rect class="body" {box}/><path class="hair" d="{hair}"/>{pips}'


@cache
def tile_svg(tile: int, *, along: bool = True) -> str:
    """A tile by itself, 40 by 20 or standing 20 by 40; its name is for the words beside it to say."""
    if along:
        size, halves = "40 20", ((high(tile), 10, 10), (low(tile), 30, 10))
    else:
        size, halves = "20 40", ((high(tile), 10, 10), (low(tile), 10, 30))
    marks = tile_body(0, 0, along, halves)
    return f'<svg class="tile" viewBox="0 0 {size}" aria-hidden="true" data-tile="{name(tile)}">{marks}</svg>'


@cache
def half_svg(pips: int) -> str:
    """Half a tile, 20 by 20: a number as it stands on tiles."""
    dots = half_pips(pips, 10, 10, True)
    marks = f'<rect class="body" x="0.5" y="0.5" width="19" height="19" rx="3"/><path class="pips" d="{dots}"/>'
    return f'<svg class="tile half" viewBox="0 0 20 20" aria-hidden="true">{marks}</svg>'
