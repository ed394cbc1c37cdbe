"""Nestor's thoughts in games in which two sides lay tiles.

He imagines deals that fit all that the seat on turn knows. In each of them he looks for the best play with open hands,
or, where that takes too long, plays it out simply. A move is worth what it brings on average.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from fractions import Fraction
from itertools import permutations
from math import factorial, inf
from random import Random
from typing import Any, NamedTuple

from games.base import Game
from games.holdings import Holdings
from games.laying import LayingState
from games.moves import Draw, Move
from games.nestor.redeals import Redeals
from games.solver import FAR, Solver
from games.tiles import members

QUICKLY = Fraction(1, 20)
"""The part of his time in which he must find the best play of the first deal, to look for it in the others too."""
FEW = 64
"""If no more deals than these fit, he imagines each once."""
FOR_MOVES = Fraction(9, 10)
"""The part of his time in which he looks for the move; the rest is for what may come after it."""
STEPS = 32
"""Positions between two looks at the clock."""


class Thought(NamedTuple):
    """A move, and why."""

    move: Move
    worth: Fraction
    """The points by which its side will then win more than the other one, from now to the end of the hand."""
    line: tuple[Move, ...]
    """The move, and how he thinks that it may go on: the best play in the first deal that he imagined."""
    deals: int
    """The number of deals that he imagined."""
    exact: bool
    """Whether these were all that fit, each played to the end."""
    gains: tuple[tuple[Move, Fraction], ...]
    """What each possible move is worth."""

    @classmethod
    def best_of(cls, gains: Iterable[tuple[Move, Fraction]], deals: int, rng: Random) -> "Thought":
        """The move that is worth most, by chance if several are."""
        gains = tuple(gains)
        worth = max(gain for _, gain in gains)
        move = rng.choice([move for move, gain in gains if gain == worth])
        return cls(move, worth, (move,), deals, False, gains)


def at_once(state: LayingState, rng: Random) -> Thought:
    """The move that scores most at once, by chance if several do."""
    return Thought.best_of([(move, Fraction(_points(state, move))) for move in state.legal()], 0, rng)


def think(game: Game[Any], state: LayingState, *, rng: Random, clock: Callable[[], float], ms: int) -> Thought:
    """A move for the seat on turn, whose own tiles must be known. Looks at nothing that this seat does not know.

    ``clock`` gives the time in seconds, and ``ms`` is how long he may think."""
    moves = state.legal()
    began, time = clock(), ms * FOR_MOVES / 1000
    search = Search(game, state, moves, clock)
    deals = Deals(state, rng)
    first = next(deals)
    ahead, sums, number = 0, search.gains(first, 0), 1
    search.until = began + time * QUICKLY
    with suppress(OutOfTime):
        sums = search.gains(first, FAR)
        ahead = FAR
    search.until = began + time
    with suppress(OutOfTime):
        for deal in deals:
            search.check_time()
            sums = [one + other for one, other in zip(sums, search.gains(deal, ahead), strict=True)]
            number += 1
    worths = [Fraction(total, number) for total in sums]
    thought = Thought.best_of(zip(moves, worths, strict=True), number, rng)
    search.until = began + ms / 1000
    return thought._replace(line=search.line(first, thought.move, ahead), exact=number == deals.number and ahead == FAR)


def _points(state: LayingState, move: Move) -> int:
    """The points that a move scores at once."""
    return sum(score.points for score in state.play(move).scores[len(state.scores) :])


# --- the deals that fit ------------------------------------------------------------------------------------
class Deal(NamedTuple):
    """The tiles of each location, as masks, and the tiles that can be drawn, in their order."""

    hands: tuple[int, ...]
    boneyard: tuple[int, ...]


class Deals:
    """All deals that fit, each once, in random order, if they are few; random ones without end if they are not."""

    def __init__(self, state: LayingState, rng: Random) -> None:
        holdings = state.holdings
        if not state.ends.begun and state.rules.lead_double:
            [(_, holdings)] = holdings.leads(state.opening.opener)
        self.rng = rng
        self.draws = state.rules.draws
        self.redeals = Redeals(holdings)
        orders = factorial(state.boneyard())
        few = holdings.whole and self.redeals.number * orders <= FEW
        self.number = self.redeals.number * orders if few else None
        """How many there are; None if they are many."""
        self._few = iter(self._all(holdings)) if few else None

    def __iter__(self) -> Iterator[Deal]:
        return self

    def __next__(self) -> Deal:
        if self._few is not None:
            return next(self._few)
        hands = self.redeals.draw(self.rng)
        boneyard = [*members(hands[-1])] if self.draws else []
        self.rng.shuffle(boneyard)
        return Deal(hands, tuple(boneyard))

    def _all(self, holdings: Holdings) -> list[Deal]:
        deals = [
            Deal(hands, order)
            for hands in holdings.hands()
            for order in permutations(members(hands[-1]) if self.draws else ())
        ]
        self.rng.shuffle(deals)
        return deals


# --- the search --------------------------------------------------------------------------------------------
class OutOfTime(Exception):
    """There is no time left to look at more positions."""


class Search:
    """What a position, and the possible moves of its seat, are worth when all hands are open."""

    def __init__(self, game: Game[Any], state: LayingState, moves: Sequence[Move], clock: Callable[[], float]) -> None:
        self.game = game
        self.state = state
        self.moves = moves
        self.clock = clock
        self.until = inf
        """When he must stop. Whatever happens, he plays one deal out with each move."""
        self.solver: Solver | None = None

    def gains(self, deal: Deal, ahead: int) -> list[int]:
        """What each move is worth in this deal, looking so many plays ahead. OutOfTime if that takes too long."""
        state, solver, gains = self.state.settled(deal.hands), self._dealt(deal), []
        for move in self.moves:
            solver.ahead = ahead
            gains.append(solver.gain(state, state.play(_drawn(move, deal))))
        return gains

    def worth(self, deal: Deal, ahead: int) -> int:
        """What the position is worth in this deal for the side on turn; as ``gains``."""
        solver = self._dealt(deal)
        solver.ahead = ahead
        return solver.worth(self.state.settled(deal.hands))

    def line(self, deal: Deal, move: Move, ahead: int) -> tuple[Move, ...]:
        """The move and the best play after it in this deal, to the end or as far as there is time."""
        line, solver = [_drawn(move, deal)], self._dealt(deal)
        after = self.state.settled(deal.hands).play(line[0])
        solver.ahead = ahead
        with suppress(OutOfTime):
            for following in solver.line(after):
                line.append(following)
        return tuple(line)

    def check_time(self) -> None:
        if self.clock() > self.until:
            raise OutOfTime

    def _dealt(self, deal: Deal) -> Solver:
        """The solver, for this deal."""
        if self.solver is None:
            self.solver = Solver(self.game, self.state.settled(deal.hands), deal.boneyard)
            self.solver.steps, self.solver.go_on = STEPS, self._go_on
        self.solver.redeal(deal.boneyard)
        return self.solver

    def _go_on(self) -> int:
        self.check_time()
        return STEPS


def _drawn(move: Move, deal: Deal) -> Move:
    """The move; if it is a draw, with the tile that it brings."""
    return move._replace(tiles=deal.boneyard[:1]) if isinstance(move, Draw) else move
