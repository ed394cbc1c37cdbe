"""One die as SVG: an ivory face with pips of ink."""

from functools import cache

from scorekeeper.drawing.tile import half_pips


@cache
def die_svg(pips: int) -> str:
    """A die with these pips, 24 by 24. Hidden from screen readers: the text next to it must have the number."""
    face = '<rect class="body" x="0.75" y="0.75" width="22.5" height="22.5" rx="5"/>'
    dots = f'<path class="pips" d="{half_pips(pips, 12, 12, along=True)}"/>'
    return f'<svg class="die" viewBox="0 0 24 24" aria-hidden="true" data-die="{pips}">{face}{dots}</svg>'
