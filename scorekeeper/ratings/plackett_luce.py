"""The rating by Plackett and Luce, as openskill calculates it, on a scale that players know.

Weng and Lin, A Bayesian Approximation Method for Online Ranking, Journal of Machine Learning Research 12 (2011),
algorithm 4. Partners are a side: their values are added. Several sides are compared by their places, which they may
share.
"""

from collections.abc import Sequence
from math import exp, sqrt

from openskill.models import PlackettLuce
from openskill.models import PlackettLuceRating as Belief

MU, SIGMA = 25.0, 25 / 3
"""Of somebody who has not played."""
BETA = 25 / 6
"""How much luck one contest has: the spread of a player's results."""
TAU = 25 / 300
"""What a contest adds to the spread, so that a rating never stands still."""
GROWTH = 0.04
"""What each day without a contest adds to the square of sigma."""
MIDDLE, POINT = 1500, 30
"""What 25 is shown as, and how many points are shown for 1."""

__all__ = ["Belief", "expected", "later", "rated", "shown", "uncertainty", "unknown"]

_model = PlackettLuce(mu=MU, sigma=SIGMA, beta=BETA, tau=TAU)


def unknown() -> Belief:
    """What is known of the strength of somebody who has not played: an estimate `mu` and its standard deviation."""
    return Belief(MU, SIGMA)


def shown(belief: Belief) -> int:
    return MIDDLE + round(POINT * (belief.mu - MU))


def uncertainty(belief: Belief) -> int:
    """Two of three players are really within what is shown ± this."""
    return round(POINT * belief.sigma)


def later(belief: Belief, days: int) -> Belief:
    """After days without a contest. Nobody becomes less known than somebody who has not played."""
    if belief.sigma >= SIGMA:
        return belief
    return Belief(belief.mu, min(SIGMA, sqrt(belief.sigma**2 + GROWTH * days)))


def rated(sides: Sequence[Sequence[Belief]], places: Sequence[int]) -> list[list[Belief]]:
    """What is known of the players of each side after a contest. The best place is 1; sides may share one."""
    return _model.rate([list(side) for side in sides], ranks=[float(place) for place in places])


def expected(sides: Sequence[Sequence[Belief]]) -> list[float]:
    """The part of its comparisons with each other side that a side should win, from 0 to 1, by the formula that moves the
    ratings."""
    strengths, square = [], 0.0
    for side in sides:
        strengths.append(sum(belief.mu for belief in side))
        square += BETA**2 + sum(belief.sigma**2 for belief in side)
    spread, others = sqrt(square), len(sides) - 1
    return [
        (sum(1 / (1 + exp((other - own) / spread)) for other in strengths) - 0.5) / others for own in strengths
    ]
