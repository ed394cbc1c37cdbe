"""Nestor's thoughts in Dominards.

He imagines the tiles and the cards of the others and the dice to come, makes each of his moves, and lets everybody go
on by a simple rule. A move is worth what it brings on average.
"""

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import chain
from random import Random
from typing import Any, NamedTuple

from games import cards
from games.base import Game, points_of
from games.dominards import DICE, FOR_A_CARD, FOR_A_TILE, PIPS, WORTH, DominardsState
from games.line import AT, ENDS
from games.moves import Claim, Draw, Move, Pass, Play, Roll
from games.nestor.laying import Thought
from games.nestor.redeals import Redeals, merged
from games.nestor.trials import Trials
from games.tiles import DOUBLES, HIGH, LOW, mask, members, union
from games.tiles import PIPS as WEIGHT

DECIDED = 50
"""The points that a match won or lost is worth to him."""
TILE = 2
"""The points that a tile still in the hand costs."""
MULTIPLE = Claim("multiple")


class Deal(NamedTuple):
    """What is hidden, and what chance will bring."""

    hands: tuple[int, ...]
    """The tiles of each seat, as masks."""
    boneyard: tuple[int, ...]
    """The tiles that can be drawn, the next one last."""
    cards: tuple[int, ...]
    """The cards of each seat, as masks."""
    rolls: tuple[tuple[int, ...], ...]
    """Four dice for each roll to come, the next one last; who rolls two takes the first ones."""


class Open:
    """A hand with everything open, which changes with every move."""

    __slots__ = (
        "boneyard",
        "cards",
        "counts",
        "dice",
        "ends",
        "gain",
        "hands",
        "moves",
        "over",
        "passes",
        "rolls",
        "seats",
        "total",
        "totals",
        "turn",
        "turns",
    )

    def __init__(self, state: DominardsState, deal: Deal) -> None:
        assert state.turn is not None
        line = state.line
        self.seats = len(deal.cards)
        self.ends = line.ends
        self.counts = [0] * len(ENDS)
        """What each end adds to the total."""
        for end, (_, pips) in line.counts().items():
            self.counts[AT[end]] = pips
        self.total = sum(self.counts)
        self.hands = [*deal.hands]
        self.boneyard = [*deal.boneyard]
        self.cards = [*deal.cards]
        self.rolls = [*deal.rolls]
        self.dice = state.dice
        self.turns = state.turns
        self.turn = state.turn
        self.passes = state.laying.passes
        self.over = False
        made = points_of(self.seats, state.scores)
        self.totals = [before + now for before, now in zip(state.opening.totals, made, strict=True)]
        """The points of each seat in the match so far."""
        self.gain = [0] * self.seats
        """The points of each seat from now on."""
        self.moves: list[Move] = []

    # --- moves ---------------------------------------------------------------------------------------------
    def play(self, move: Move) -> None:
        """One move. A roll throws the next dice of the deal, and a draw brings its next tile and all that follows in
        the same turn."""
        match move:
            case Roll(_, dice):
                self.roll(len(dice))
            case Play(_, tile, end, claim):
                self.lay(tile, AT[end] if end else 0, claim)
            case Draw():
                self.go_on(1)
            case _:
                self.skip()

    def roll(self, number: int) -> None:
        self.dice = self.rolls.pop()[:number]
        self.turns = self.seats + 1
        self.moves.append(Roll(self.turn, self.dice))

    def lay(self, tile: int, at: int, claim: Claim | None) -> None:
        seat, begun = self.turn, self.ends.begun
        self.moves.append(Play(seat, tile, ENDS[at] if begun else None, claim))
        self.total = self.after(tile, at)
        if begun:
            self.counts[at] = self.counted(tile, at)
        else:
            self.counts = [0, 0, HIGH[tile], HIGH[tile]]
        self.ends = self.ends.after[tile * 4 + at]
        self.hands[seat] &= ~(1 << tile)
        self.passes = 0
        if claim is not None:
            self.gain[seat] += self.total
            if claim.card is not None:
                self.cards[seat] &= ~(1 << claim.card)
        if not self.hands[seat]:
            self.gain[seat] += FOR_A_TILE * sum(hand.bit_count() for hand in self.hands)
            self.over = True
        if not self.cards[seat]:
            self.gain[seat] += FOR_A_CARD * sum(held.bit_count() for held in self.cards)
            self.over = True
        self._next()

    def skip(self) -> None:
        self.moves.append(Pass(self.turn))
        self.passes += 1
        self.over = self.passes == self.seats
        self._next()

    def _next(self) -> None:
        self.turns -= 1
        self.turn = (self.turn + 1) % self.seats

    def counted(self, tile: int, at: int) -> int:
        """What this tile counts at an end where it fits."""
        if HIGH[tile] == LOW[tile]:
            return WEIGHT[tile]
        return WEIGHT[tile] - (self.ends.shown[at] or 0)

    def after(self, tile: int, at: int) -> int:
        """The total after laying this tile there."""
        if not self.ends.begun:
            return WEIGHT[tile]
        return self.total - self.counts[at] + self.counted(tile, at)

    def worth(self, seat: int) -> int:
        """What this seat has won from now on, less what the others have on average, times the number of the others.
        Tiles cost something as long as the round goes on.

        Who is ahead when the match ends has won it: then all that counts is by how much that is better than now.
        """
        mine, gain = self.totals[seat], self.gain[seat]
        if all(self.cards):
            left = [0 if self.over else hand.bit_count() for hand in self.hands]
            have = [made - TILE * tiles for made, tiles in zip(self.gain, left, strict=True)]
            return self.seats * have[seat] - sum(have)
        result = 0
        for total, other in zip(self.totals, self.gain, strict=True):
            now = mine - total
            then = now + gain - other
            result += DECIDED * ((then > 0) - (then < 0)) - max(-DECIDED, min(DECIDED, now))
        return result

    # --- a simple rule -------------------------------------------------------------------------------------
    def claim(self, total: int) -> Claim | None:
        """How the player on turn claims this total: without a card if possible, and never with the last card if
        somebody else then wins."""
        number, dice = len(self.dice), sum(self.dice)
        if number == 2 and total % dice == 0:
            return MULTIPLE
        held = self.cards[self.turn]
        fitting = held & WORTH.get(total, 0)
        if not fitting and (number != 4 or total != dice):
            return None
        if held & (held - 1) == 0 and not self._wins(total):
            return None
        if fitting:
            return Claim("card", fitting.bit_length() - 1)
        return Claim("virtual", min(members(held), key=cards.rank))

    def _wins(self, total: int) -> bool:
        """Whether nobody is ahead of the player on turn who drops the last card with this total."""
        points = [before + now for before, now in zip(self.totals, self.gain, strict=True)]
        others = sum(held.bit_count() for held in self.cards) - 1
        return points[self.turn] + total + FOR_A_CARD * others >= max(points)

    def go_on(self, turns: int) -> None:
        """Lets all play on for so many turns by the rule: two dice, and the claim that scores most; without a claim
        the heaviest tile."""
        while turns and not self.over:
            turns -= 1
            if not self.turns:
                self.roll(min(DICE))
            self._take_turn()

    def _take_turn(self) -> None:
        seat, fitting, taking = self.turn, self.ends.fitting, self.ends.taking
        if not self.ends.begun:
            fitting = 1 << (self.hands[seat] & DOUBLES).bit_length() - 1
            taking = ((0, fitting),)
        fits = self.hands[seat] & fitting
        while not fits and self.boneyard:
            tile = self.boneyard.pop()
            self.hands[seat] |= 1 << tile
            fits = fitting & 1 << tile
            self.moves.append(Draw(seat, 1, (tile,)))
        if not fits:
            self.skip()
            return
        most, found = (-1, -1), None
        for at, takes in taking:
            for tile in members(fits & takes):
                total = self.after(tile, at)
                claim = self.claim(total)
                score = (-1 if claim is None else total, WEIGHT[tile])
                if score > most:
                    most, found = score, (tile, at, claim)
        assert found is not None
        self.lay(*found)


# --- the deals that fit ------------------------------------------------------------------------------------
def _deals(state: DominardsState, rng: Random, turns: int) -> Iterator[Deal]:
    """Random deals that fit, without end, with rolls for so many turns."""
    seat, opening, laying = state.turn, state.opening, state.laying
    assert seat is not None
    holdings, own = laying.holdings, opening.cards[seat]
    assert own is not None
    if not laying.ends.begun:
        [(_, holdings)] = holdings.leads(opening.opener)
    redeals, gone = Redeals(merged(holdings)), union(state.dropped)
    unseen = [card for card in range(cards.COUNT) if not (own | gone) >> card & 1]
    held = state.cards_left()
    rolls = 2 + turns // len(held)
    while True:
        *hands, yard = redeals.draw(rng)
        boneyard = [*members(yard)]
        mixed = iter(rng.sample(unseen, sum(held) - held[seat]))
        yield Deal(
            tuple(hands),
            tuple(rng.sample(boneyard, len(boneyard))),
            tuple(
                own & ~gone if each == seat else mask(next(mixed) for _ in range(number))
                for each, number in enumerate(held)
            ),
            tuple(thrown(rng, 4) for _ in range(rolls)),
        )


def thrown(rng: Random, number: int) -> tuple[int, ...]:
    """So many dice, thrown by chance."""
    return tuple(rng.choices(PIPS, k=number))


# --- the thinker -------------------------------------------------------------------------------------------
def at_once(state: DominardsState, rng: Random) -> Thought:
    """The move that scores most at once, by chance if several do."""
    return Thought.best_of([(move, Fraction(_points(state, move))) for move in _moves(state, rng)], 0, rng)


def think(
    game: Game[Any],
    state: DominardsState,
    *,
    rng: Random,
    clock: Callable[[], float],
    ms: int,
    only: Sequence[Move] = (),
) -> Thought:
    """A move for the seat on turn, whose own tiles and cards must be known. Looks at nothing that this seat does not
    know.

    He chooses how many dice to roll, and what they show is chance: what they are worth does not depend on it. ``only``:
    see ``Trials``.
    """
    trials = Trials(rng, clock, ms, only)
    seat = state.turn
    assert seat is not None
    moves = only or _moves(state, rng)
    seats = len(state.opening.players)
    # Until the others have had two turns each: what chance brings later says little about a play.
    turns = 2 * seats - 1

    def played(deal: Deal, move: Move) -> Open:
        play = Open(state, deal)
        play.play(move)
        play.go_on(turns)
        return play

    def brings(deal: Deal, at: int) -> int:
        return played(deal, moves[at]).worth(seat)

    deals = _deals(state, rng, turns)
    first = next(deals)
    thought = trials.best(moves, chain([first], deals), brings, seats - 1)
    if isinstance(thought.move, Roll):
        first = first._replace(rolls=(*first.rolls[:-1], thought.move.dice))
    return thought._replace(line=(thought.move, *played(first, thought.move).moves[1:]))


def _moves(state: DominardsState, rng: Random) -> Sequence[Move]:
    """The moves to choose from; before the first turn, rolls of so many dice."""
    seat = state.turn
    assert seat is not None
    return state.legal() if state.turns else [Roll(seat, (*sorted(thrown(rng, number)),)) for number in DICE]


def _points(state: DominardsState, move: Move) -> int:
    """The points that a move scores at once."""
    return sum(score.points for score in state.play(move).scores[len(state.scores) :])
