"""A plain Elo rating in whole numbers, which anybody can check with pencil and paper.

Elo, The Rating of Chessplayers, Past and Present (1978). Like the International Chess Federation, we round what is
expected to whole per cent, and let the first contests count twice.
"""

from collections.abc import Sequence
from functools import lru_cache

START = 1500
NEW, SETTLED = 40, 20
"""The most that a contest can give or take: during the first contests, and later."""
FIRST = 30
"""The number of contests during which somebody is new."""


def most(contests: int) -> int:
    """The most that the next contest can give or take, after this number of contests."""
    return NEW if contests < FIRST else SETTLED


@lru_cache(maxsize=1 << 14)
def expected(ahead: int, by: int = 1) -> int:
    """The per cent of wins to expect of a side that is `ahead / by` points ahead of another one."""
    return round(100 / (1 + 10 ** (-ahead / (by * 400))))


def expectations(sides: Sequence[Sequence[int]]) -> list[int]:
    """The per cents that each side should win against each other side, added up. A side is as strong as the mean of its
    players."""
    strengths = [(sum(side), len(side)) for side in sides]
    found = []
    for own, players in strengths:
        per_cents = -50  # of the side against itself
        for other, others in strengths:
            per_cents += expected(own * others - other * players, players * others)
        found.append(per_cents)
    return found


def change(k: int, won: int, expectation: int, others: int, weight: int = 100) -> int:
    """The points for `won` halves of wins against `others` sides, where `expectation` and `weight` are in per cent.
    Rounded to whole points, a half away from 0."""
    exact, per = k * weight * (50 * won - expectation), 100 * 100 * others
    points = (2 * abs(exact) + per) // (2 * per)
    return points if exact > 0 else -points
