"""Who stands better in the hand in play, for somebody who sees nobody's tiles.

Nestor imagines deals that fit the public record: what was laid, drawn and passed, and nothing else. In each of them all
play with open hands to the end of the hand. The side that wins more on average stands better.
"""

from collections.abc import Callable, Iterable
from contextlib import suppress
from fractions import Fraction
from itertools import islice
from random import Random
from typing import Any, NamedTuple

from games.base import Game
from games.laying import LayingState
from games.match import Match
from games.nestor.evidence import Evidence
from games.nestor.laying import QUICKLY, Deal, Deals, OutOfTime, Search
from games.nestor.review import points_made
from games.solver import can_solve

FEWEST, MOST = 16, 256
"""Deals. Fewer say nothing, unless no others fit; more would hardly change the points."""
TO_THE_END = Fraction(3, 5)
"""The part of the time in which he looks for the best play to the end in each deal. If that is too short for ``FEWEST``
deals, he plays them out by habit in the rest."""
SURE = 2
"""Standard errors of the mean. If chance in the deals alone could give such a mean, neither side stands better."""


class Outlook(NamedTuple):
    """By how much a side stands better."""

    side: int | None
    """Its number among ``Game.sides``; None if neither stands better."""
    points: int
    """The points by which it will win the hand more than the other side, rounded; 0 for neither."""
    deals: int
    """The number of deals on which this rests."""
    exact: bool
    """Whether these were all that fit, each played as well as possible to the end."""


def outlook(match: Match, *, rng: Random, clock: Callable[[], float], ms: int) -> Outlook | None:
    """Who stands better in the hand in play. It follows from ``match.public()`` alone.

    None where there is nothing to say: in games that cannot be solved, between two hands, before the
    first tile, or if ``ms`` is too short for ``FEWEST`` deals. ``clock`` gives the time in seconds.
    """
    hand = match.public().hand
    if hand is None or hand.state.turn is None or not can_solve(match.game, len(match.players)):
        return None
    state: Any = hand.state
    return _of(match.game, state, rng, clock, ms / 1000) if state.ends.begun else None


def _of(game: Game[Any], state: LayingState, rng: Random, clock: Callable[[], float], seconds: float) -> Outlook | None:
    began, found = clock(), Deals(state, rng)
    deals = [*islice(found, MOST)]
    search = Search(game, state, (), deals[0], Evidence(state), clock)
    worths: list[int] = []
    if _worths(search, deals[:1], search.worth_solved, began + seconds * QUICKLY):
        worths = _worths(search, deals, search.worth_solved, began + seconds * TO_THE_END)
    exact = len(worths) == found.number
    if not exact and len(worths) < FEWEST:
        worths = _worths(search, deals, search.worth_played_out, began + seconds)
    whole = len(worths) == found.number
    return _told(game, state, worths, whole, exact=exact) if whole or len(worths) >= FEWEST else None


def _worths(search: Search, deals: Iterable[Deal], worth: Callable[[Deal], int], until: float) -> list[int]:
    """In each deal, as long as there is time: what the position is worth for the side on turn."""
    worths: list[int] = []
    search.until = until
    with suppress(OutOfTime):
        for deal in deals:
            search.check_time()
            worths.append(worth(deal))
    return worths


def _told(game: Game[Any], state: LayingState, worths: list[int], whole: bool, *, exact: bool) -> Outlook:
    """``worths``: in each deal, for the side on turn, from now on. ``whole``: whether these are all deals."""
    assert state.turn is not None
    number, total = len(worths), sum(worths)
    mean = Fraction(total, number) + points_made(game, state, state.turn)
    # The square of the standard error.
    doubt = Fraction(0) if whole else Fraction(number * sum(w * w for w in worths) - total**2, number**2 * (number - 1))
    points = round(abs(mean))
    if not points or mean**2 <= SURE**2 * doubt:
        return Outlook(None, 0, number, exact)
    sides = game.sides(len(state.opening.players))
    ahead = next(n for n, side in enumerate(sides) if (state.turn in side) == (mean > 0))
    return Outlook(ahead, points, number, exact)
