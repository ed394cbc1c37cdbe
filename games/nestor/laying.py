"""Nestor's thoughts in games in which two sides lay tiles.

He imagines deals that fit all that the seat on turn knows, those more often in which the others would have laid what
they laid. In each of them he looks for the best play with open hands, or, where that takes too long or tells too much,
lets everybody play by habit. A move is worth what it brings on average.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from fractions import Fraction
from itertools import islice, permutations
from math import factorial, inf
from random import Random
from typing import Any, NamedTuple

from games.base import Game
from games.holdings import Holdings
from games.laying import LayingState
from games.moves import Draw, Move, Play
from games.nestor.evidence import Evidence
from games.nestor.playouts import Playouts
from games.nestor.redeals import Redeals
from games.solver import Choice, Solver
from games.tiles import members, union

QUICKLY = Fraction(1, 100)
"""The part of his time in which he must find the best play of the first deal, to look for it in the others too."""
FEW = 64
"""If no more deals than these fit, he imagines each once."""
FOR_MOVES = Fraction(9, 10)
"""The part of his time in which he looks for the move; the rest is for what may come after it."""
DRAWN = 256
"""The deals that he draws at a time, to choose from them."""
KEPT = 64
"""How many of them he imagines. A likely one can be among them more than once."""
MOST_LIKELY = 1000
"""How often the most likely one of few deals counts. The others count less often, but at least once."""
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
    began, time = clock(), ms * FOR_MOVES / 1000
    evidence, deals = Evidence(state), Deals(state, rng)
    likely = _likely(deals, evidence, rng)
    first, counts = next(likely)
    moves = state.legal()
    search = Search(game, state, moves, first, evidence, clock)
    gains_in, gains = search.played_out, search.played_out(first)
    if deals.number is not None or not deals.too_open:
        search.until = began + time * QUICKLY
        with suppress(OutOfTime):
            gains = search.solved(first)
            gains_in = search.solved
    search.until = began + time
    found, sums, total = {first: gains}, [counts * gain for gain in gains], counts
    with suppress(OutOfTime):
        for deal, counts in likely:
            search.check_time()
            if deal not in found:
                found[deal] = gains_in(deal)
            sums = [one + counts * gain for one, gain in zip(sums, found[deal], strict=True)]
            total += counts
    worths = [Fraction(each, total) for each in sums]
    thought = Thought.best_of(zip(moves, worths, strict=True), len(found), rng)
    search.until = began + ms / 1000
    solved = gains_in == search.solved
    line = search.line(first, thought.move, solved=solved)
    return thought._replace(line=line, exact=solved and len(found) == deals.number)


def _likely(deals: "Deals", evidence: Evidence, rng: Random) -> Iterator[tuple["Deal", int]]:
    """Deals as likely as what was seen makes them, and how often each counts: few ones once, with their likelihood;
    of many, some of those that were drawn, without end."""
    if deals.number is not None:
        each = [*deals]
        likelihoods = [evidence.likelihood(deal.hands) for deal in each]
        most = max(likelihoods)
        yield from zip(each, (max(round(MOST_LIKELY * one / most), 1) for one in likelihoods), strict=True)
    elif not evidence.choices:
        yield from ((deal, 1) for deal in deals)
    else:
        while True:
            drawn = [*islice(deals, DRAWN)]
            weights = [evidence.likelihood(deal.hands) for deal in drawn]
            yield from ((deal, 1) for deal in rng.choices(drawn, weights, k=KEPT))


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
        asleep = bool(holdings.held[holdings.yard]) and not self.draws
        self.too_open = asleep or bool(state.rules.multiples)
        """Whether open hands would tell too much: everybody would know the tiles that nobody will get, or see coming
        what is scored in play."""
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
    """What a position, and the possible moves of its seat, are worth in imagined deals."""

    def __init__(
        self,
        game: Game[Any],
        state: LayingState,
        moves: Sequence[Move],
        deal: Deal,
        evidence: Evidence,
        clock: Callable[[], float],
    ) -> None:
        """``deal``: any one that fits."""
        self.state = state
        self.moves = moves
        self.clock = clock
        self.until = inf
        """When he must stop. Whatever happens, he plays one deal out with each move."""
        self.solver = Solver(game, state.settled(deal.hands), deal.boneyard)
        self.solver.steps, self.solver.go_on = STEPS, self._go_on
        self.playouts = Playouts(self.solver, state.settled(deal.hands), evidence)
        self._plays = self._found_plays(deal)

    # --- with open hands -----------------------------------------------------------------------------------
    def solved(self, deal: Deal) -> list[int]:
        """What each move is worth in this deal if all play as well as possible with open hands. OutOfTime if that
        takes too long."""
        self.solver.redeal(deal.boneyard)
        state = self.state.settled(deal.hands)
        return [self.solver.gain(state, state.play(_drawn(move, deal))) for move in self.moves]

    def worth_solved(self, deal: Deal) -> int:
        """The same of the position, for the side on turn."""
        self.solver.redeal(deal.boneyard)
        return self.solver.worth(self.state.settled(deal.hands))

    # --- by habit ------------------------------------------------------------------------------------------
    def played_out(self, deal: Deal) -> list[int]:
        """What each move is worth in this deal if everybody then plays by habit."""
        return [self.playouts.worth(self._held(deal), deal.boneyard, play) for play in self._plays]

    def worth_played_out(self, deal: Deal) -> int:
        """The same of the position, for the side on turn."""
        return self.playouts.worth(self._held(deal), deal.boneyard)

    def line(self, deal: Deal, move: Move, *, solved: bool) -> tuple[Move, ...]:
        """The move and the best play after it in this deal (or the habitual one), as far as there is time."""
        line, state = [_drawn(move, deal)], self.state.settled(deal.hands)
        if solved:
            self.solver.redeal(deal.boneyard)
            following = self.solver.line(state.play(line[0]))
        else:
            self.playouts.worth(self._held(deal), deal.boneyard, self._plays[self.moves.index(move)])
            following = islice(self.playouts.line(state, deal.boneyard), 1, None)
        with suppress(OutOfTime):
            for each in following:
                line.append(each)
        return tuple(line)

    def check_time(self) -> None:
        if self.clock() > self.until:
            raise OutOfTime

    def _found_plays(self, deal: Deal) -> list[Choice | None]:
        """By move: the play; None for one that lays no tile. Then there is no other move."""
        state, fronts = self.state.settled(deal.hands), self.solver.fronts
        plays = self.playouts.front.plays_of(union(deal.hands))
        afters = [(move.tile, fronts.of(state.play(move).line)) for move in self.moves if isinstance(move, Play)]
        return [next(p for p in plays if (p[0], p[2]) == (1 << tile, after)) for tile, after in afters] or [None]

    def _held(self, deal: Deal) -> tuple[int, ...]:
        return deal.hands[: len(self.solver.side)]

    def _go_on(self) -> int:
        self.check_time()
        return STEPS


def _drawn(move: Move, deal: Deal) -> Move:
    """The move; if it is a draw, with the tile that it brings."""
    return move._replace(tiles=deal.boneyard[:1]) if isinstance(move, Draw) else move
