"""Nestor, the computer player of "Electrum Dominoes", for games in which two sides lay tiles."""

from games.nestor.laying import Thought, think
from games.nestor.levels import LEVELS, Level

__all__ = ["LEVELS", "Level", "Thought", "think"]
