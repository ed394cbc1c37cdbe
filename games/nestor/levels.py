"""How strong Nestor plays: how far he looks ahead, how many deals he imagines, and how long he may think.

Source: "Electrum Dominoes", the section on the settings menu.
"""

from typing import NamedTuple

from games.errors import marked
from games.solver import FAR


class Level(NamedTuple):
    name: str
    ahead: int | None
    """The number of plays after his own that he thinks of; None if he only counts the points of the play."""
    deals: int
    """The number of deals that he imagines at most."""
    ms: int
    """How long he may think, in milliseconds."""


LEVELS = {
    "beginner": Level(marked("Beginner"), None, 0, 50),
    "easy": Level(marked("Easy"), 0, 1, 50),
    "not-so-easy": Level(marked("Not so easy"), 1, 8, 50),
    "tough": Level(marked("Tough"), 3, 64, 300),
    "brutal": Level(marked("Brutal"), FAR, FAR, 1000),
}
