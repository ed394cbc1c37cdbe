"""The rating by Plackett and Luce, as openskill calculates it, on a scale that players know.

Weng and Lin, A Bayesian Approximation Method for Online Ranking, Journal of Machine Learning Research 12 (2011),
algorithm 4. Partners are a side: their values are added. Several sides are compared by their places, which they may
share.
"""

from collections.abc import Sequence
from functools import lru_cache
from itertools import chain
from math import exp, sqrt
from threading import get_ident
from typing import NamedTuple, Self

from openskill.models import PlackettLuce, PlackettLuceRating

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

BETA_SQUARE, TAU_SQUARE = BETA**2, TAU**2

_model = PlackettLuce(mu=MU, sigma=SIGMA, beta=BETA, tau=TAU)


class Belief(NamedTuple):
    """What is known of a player's strength: an estimate and its standard deviation."""

    mu: float = MU
    sigma: float = SIGMA

    @property
    def shown(self) -> int:
        return MIDDLE + round(POINT * (self.mu - MU))

    @property
    def uncertainty(self) -> int:
        """Two of three players are really within what is shown ± this."""
        return round(POINT * self.sigma)

    def later(self, days: int) -> "Belief":
        """After days without a contest. Nobody becomes less known than somebody who has not played."""
        if self.sigma >= SIGMA:
            return self
        return Belief(self.mu, min(SIGMA, sqrt(self.sigma**2 + GROWTH * days)))

    def towards(self, other: "Belief", part: float) -> "Belief":
        """With this part of the step to the other one: mu moves by the part of the difference, sigma by the power."""
        return Belief(self.mu + part * (other.mu - self.mu), self.sigma * (other.sigma / self.sigma) ** part)


def rated(sides: Sequence[Sequence[Belief]], places: Sequence[int], weight: int = 100) -> list[Belief]:
    """What is known of the players, by side, after a contest that counts `weight` per cent. The best place is 1; sides
    may share one."""
    teams = _teams(tuple(map(len, sides)), get_ident())
    for side, team in zip(sides, teams, strict=True):
        for belief, player in zip(side, team, strict=True):
            player.mu, player.sigma = belief
    _model.rate(teams, ranks=[*places])
    full = [Belief(player.mu, player.sigma) for team in teams for player in team]
    if weight == 100:
        return full
    return [before.towards(after, weight / 100) for before, after in zip(chain(*sides), full, strict=True)]


class _Own(list[list[PlackettLuceRating]]):
    """Teams for one contest at a time. The model copies what it is given, which takes most of its time."""

    def __deepcopy__(self, _memo: object) -> Self:
        return self


@lru_cache(maxsize=64)
def _teams(sizes: tuple[int, ...], _thread: int) -> _Own:
    """Teams of these sizes for the contests of one thread. Each new player gets a random id, which takes long."""
    return _Own([PlackettLuceRating(MU, SIGMA) for _ in range(size)] for size in sizes)


def expected(sides: Sequence[Sequence[Belief]]) -> list[float]:
    """The part of its comparisons with the other sides that each should win, from 0 to 1, by the formula that moves the
    ratings."""
    strengths, square = [], 0.0
    for side in sides:
        strength, own = 0.0, BETA_SQUARE
        for mu, sigma in side:
            strength += mu
            own += sigma**2 + TAU_SQUARE
        strengths.append(strength)
        square += own
    spread, others = sqrt(square), len(sides) - 1
    found = []
    for strength in strengths:
        chance = 0.0
        for other in strengths:
            chance += 1 / (1 + exp((other - strength) / spread))
        found.append((chance - 0.5) / others)  # without the side against itself
    return found
