"""Ratings: pure functions on plain values.

``contest`` has what is rated, and reads it from text; ``rules`` says what of it counts; ``plackett_luce`` and ``elo``
are the two ratings; ``ladder`` is the fold of many contests, the oldest first; ``working`` has every step of one.
``docs/ratings.md`` explains the arithmetic and its parameters.

The values of Plackett and Luce are floats, because the method is one of estimates. What people see and what decides an
order, ``shown`` and ``elo``, are whole numbers.
"""

from scorekeeper.ratings.contest import Contest, Refused, read_lines
from scorekeeper.ratings.ladder import Change, Ladder, Rating
from scorekeeper.ratings.rules import DEFAULT, Rules

__all__ = ["DEFAULT", "Change", "Contest", "Ladder", "Rating", "Refused", "Rules", "read_lines"]
