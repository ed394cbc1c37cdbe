"""What somebody did in recorded hands: pure functions on plain values.

``figures_of`` reads a match for one seat, ``added`` adds up many of these. All figures are whole numbers, and only what
was recorded counts: ``hands`` says over how many hands each of the others is. ``docs/figures.md`` explains them.
"""

from scorekeeper.figures.counts import Counts, added
from scorekeeper.figures.reading import figures_of

__all__ = ["Counts", "added", "figures_of"]
