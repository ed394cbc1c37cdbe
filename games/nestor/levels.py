"""How strong Nestor plays: about how many of his moves he thinks, and how long.

Source: "Electrum Dominoes", the section on the settings menu.
"""

from fractions import Fraction
from typing import NamedTuple

from games.errors import marked


class Level(NamedTuple):
    name: str
    thinks: Fraction
    """The part of his moves about which he thinks. With the others he takes what scores most at once."""
    ms: int
    """How long he may think, in milliseconds."""


LEVELS = {
    "beginner": Level(marked("Beginner"), Fraction(0), 50),
    "easy": Level(marked("Easy"), Fraction(3, 10), 50),
    "not-so-easy": Level(marked("Not so easy"), Fraction(3, 5), 50),
    "tough": Level(marked("Tough"), Fraction(4, 5), 300),
    "brutal": Level(marked("Brutal"), Fraction(1), 1000),
}
STRONGEST = "brutal"
