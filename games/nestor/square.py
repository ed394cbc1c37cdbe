"""Nestor's thoughts in DOM.

He imagines hands of the other player, places each of his cards on each cell, and lets both go on for a few cards, each
time with the card that scores most. A move is worth what it brings on average.
"""

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import chain, combinations
from math import comb
from random import Random
from typing import Any

from games.base import Game
from games.dom import LINES, PACK, SEATS, SIDE, DomState, value
from games.moves import Move, PlaceCard
from games.nestor.laying import FEW, Thought
from games.nestor.trials import Trials
from games.tiles import mask, members

CELLS = SIDE * SIDE
LINES_AT = tuple(tuple(at for at, (_, cells) in enumerate(LINES) if cell in cells) for cell in range(CELLS))
"""For each cell, the positions of its lines in ``LINES``."""
AHEAD = 3
"""How many cards after his own he thinks of. He guesses that each is the one that scores most at once, and the further
ahead, the worse that guess is."""


@lru_cache(maxsize=1 << 17)
def points(line: int) -> int:
    """The points of a line with these cards (a mask)."""
    return sum(score for _, score in value(list(members(line))))


class Open:
    """A game with open hands, which changes with every card."""

    __slots__ = ("free", "gain", "hands", "lines", "turn")

    def __init__(self, state: DomState, hands: Sequence[Sequence[int]]) -> None:
        """``hands``: the cards of each seat, each as a mask."""
        assert state.turn is not None
        self.turn = state.turn
        self.hands = [[*hand] for hand in hands]
        self.lines = [mask(card for cell in cells if (card := state.square[cell]) is not None) for _, cells in LINES]
        """For each of ``LINES``, its cards as a mask."""
        self.free = [cell for cell, card in enumerate(state.square) if card is None]
        self.gain = [0] * SEATS
        """The points of each seat from now on."""

    def copy(self, hands: Sequence[Sequence[int]]) -> "Open":
        """The same square with other hands."""
        new = object.__new__(Open)
        new.turn, new.lines, new.free, new.gain = self.turn, [*self.lines], [*self.free], [*self.gain]
        new.hands = [[*hand] for hand in hands]
        return new

    def place(self, card: int, cell: int) -> None:
        """The seat on turn places this card, a mask."""
        for at in LINES_AT[cell]:
            self.lines[at] |= card
            self.gain[self.turn] += points(self.lines[at])
        self.free.remove(cell)
        self.hands[self.turn].remove(card)
        self.turn = 1 - self.turn

    def greedy(self) -> tuple[int, int]:
        """The card and the cell that score most at once."""
        most, found, hand = -1, (0, 0), self.hands[self.turn]
        for cell in self.free:
            through = [self.lines[at] for at in LINES_AT[cell]]
            for card in hand:
                score = 0
                for line in through:
                    score += points(line | card)
                if score > most:
                    most, found = score, (card, cell)
        return found

    def go_on(self, cards: int) -> None:
        """Lets both place so many cards, if there are as many, each time the one that scores most at once."""
        for _ in range(min(cards, len(self.free))):
            self.place(*self.greedy())


def at_once(state: DomState, rng: Random) -> Thought:
    """The card and the cell that score most at once, by chance if several do."""
    return Thought.best_of([(move, Fraction(_points(state, move))) for move in state.legal()], 0, rng)


def think(
    game: Game[Any],
    state: DomState,
    *,
    rng: Random,
    clock: Callable[[], float],
    ms: int,
    only: Sequence[Move] = (),
) -> Thought:
    """A move for the seat on turn, whose own cards must be known. Looks at nothing that this seat does not know.
    ``only``: see ``Trials``."""
    trials = Trials(rng, clock, ms, only)
    seat = state.turn
    assert seat is not None
    moves = [*only] or state.legal()
    own = [1 << card for card in members(state.playable(seat))]
    now = Open(state, ([], []))
    placings = [(1 << move.card, move.cell) for move in moves if isinstance(move, PlaceCard)]

    def played(other: Sequence[int], at: int, cards: int) -> Open:
        play = now.copy((own, other) if seat == 0 else (other, own))
        play.place(*placings[at])
        play.go_on(cards)
        return play

    def brings(other: Sequence[int], at: int) -> int:
        gain = played(other, at, AHEAD).gain
        return gain[seat] - gain[1 - seat]

    unseen = [1 << card for card in members(PACK & ~state.placed() & ~sum(own))]
    number = comb(len(unseen), state.held()[1 - seat])
    hands = _hands(unseen, state.held()[1 - seat], rng)
    first = next(hands)
    thought = trials.best(moves, chain([first], hands), brings, 1)
    forced = len(now.free) <= SEATS
    line = _line(played(first, moves.index(thought.move), 0), thought.move, AHEAD)
    return thought._replace(line=line, exact=forced and thought.deals == number)


def _points(state: DomState, move: Move) -> int:
    """The points that a card scores at once."""
    return sum(score.points for score in state.play(move).scores[len(state.scores) :])


def _hands(unseen: Sequence[int], number: int, rng: Random) -> Iterator[Sequence[int]]:
    """Hands of so many of these cards: each once in random order if they are few, else random ones without end."""
    if comb(len(unseen), number) <= FEW:
        yield from rng.sample(few := [*combinations(unseen, number)], len(few))
        return
    while True:
        yield rng.sample(unseen, number)


def _line(play: Open, move: Move, cards: int) -> tuple[Move, ...]:
    """The move, and so many cards after it, each the one that scores most at once."""
    line = [move]
    for _ in range(min(cards, len(play.free))):
        card, cell = play.greedy()
        line.append(PlaceCard(play.turn, card.bit_length() - 1, cell))
        play.place(card, cell)
    return tuple(line)
