"""Nestor's review of a match that is over: what each choice was worth, by what the player knew then (``positions``).

Where two sides lay tiles and the record says what everybody held, a play is also looked at with open hands. In other
games he first looks for the best moves, and then tries these and the one that was made in other deals, each in the same
ones: the best of many estimates would seem better than it is.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from fractions import Fraction
from itertools import groupby
from random import Random
from typing import Any, NamedTuple

from games.base import Game, State, points_of
from games.dom import DomState
from games.dominards import DominardsState
from games.domizerka import DomizerkaState
from games.laying import LayingState
from games.match import Match
from games.moves import Discard, Move, Roll, move_json
from games.nestor import compare
from games.nestor.laying import STEPS, OutOfTime, Thought, think
from games.nestor.positions import Position, positions, same
from games.nestor.redeals import Redeals
from games.solver import Solver

NOTICED, DOUBT = 2, 32
"""By a sample of deals, a play is a mistake if it costs this many points, and so many more divided by the number of
deals: chance alone can give less. With all deals, it is one if it costs anything."""
CLEAR, BIG = 5, 10
"""The points from which a mistake is a clear one, and a big one."""


BEST = 4
"""In games in which he tries moves: how many of the best ones are compared with the one that was made."""
TRICK = Fraction(3, 10)
"""Mistakes in Domizerka are measured by it: a trick, which is worth 1½ here, is a clear mistake, and two are a big
one."""


class Choice(NamedTuple):
    """A possible move and what it is worth: the points by which the side of its seat will then win more than the others
    do on average, from now to the end of the hand or as far as Nestor looks (``nestor.think``)."""

    move: Move
    worth: Fraction
    opened: int | None
    """The same if everybody plays as well as possible and sees all hands; None if that is not known."""


class Reviewed(NamedTuple):
    """A play of a hand."""

    hand: int
    at: int
    """The number of moves before it."""
    seat: int
    choices: tuple[Choice, ...]
    """The best one first."""
    played: int
    """Which of them was played."""
    made: Fraction
    """The points that its side has made in the hand before it, above those of the others on average."""
    deals: int
    """The number of deals on which this rests."""
    exact: bool
    """Whether these were all that fit what the player knew, each played to the end."""
    line: tuple[Move, ...]
    """With all hands known, and if there was a choice: the best moves from there to the end of the hand."""
    unit: Fraction = Fraction(1)
    """What counts as a point when the size of a mistake is measured."""

    @property
    def loss(self) -> Fraction:
        """The points by which the best play is worth more than the one that was played."""
        return self.choices[0].worth - self.choices[self.played].worth

    @property
    def opened_loss(self) -> int | None:
        """The same with open hands; None if not all hands are known."""
        worths = [choice.opened for choice in self.choices if choice.opened is not None]
        played = self.choices[self.played].opened
        return None if played is None else max(worths) - played

    @property
    def size(self) -> str:
        """How large a mistake it was: ``small``, ``clear`` or ``big``; "" if it was none."""
        loss = self.loss / self.unit
        if not loss or (not self.exact and loss < NOTICED + Fraction(DOUBT, max(self.deals, 1))):
            return ""
        return "small" if loss < CLEAR else "clear" if loss < BIG else "big"


# --- what it was worth -------------------------------------------------------------------------------------
def reviewed(match: Match, *, ms: int, opened_ms: int, rng: Random, clock: Callable[[], float]) -> Iterator[Reviewed]:
    """Each choice of which it is known what its seat held, in order. Malformed if the match is not over.

    Nestor thinks ``ms`` about each by what its seat knew. ``opened_ms`` is for all plays of a hand with open hands;
    those at its beginning go without if that is too short. ``clock`` gives the time in seconds.
    """
    for _, group in groupby(positions(match), key=lambda position: position.hand):
        hand = list(group)
        opened = _worths_opened(match.game, hand, clock, opened_ms)
        for position in hand:
            thought = _thought(match.game, position, rng, clock, ms)
            yield _reviewed(match.game, position, opened.get(position.at), thought)


class _WorthsOpened(NamedTuple):
    worths: tuple[int, ...]
    """Of each possible play."""
    line: tuple[Move, ...]


def _thought(
    game: Game[Any],
    position: Position,
    rng: Random,
    clock: Callable[[], float],
    ms: int,
) -> Thought:
    """What Nestor thinks of the possible moves, or of the best ones and the one that was made."""
    state, made = position.known, position.move
    if isinstance(state, LayingState):
        return think(game, state, rng=rng, clock=clock, ms=ms)
    first = compare(game, state, (), rng=rng, clock=clock, ms=ms // 2)
    if len(first.gains) == 1:
        return first
    among = sorted(first.gains, key=lambda gain: (gain[0] == first.move, gain[1]), reverse=True)
    found = [move for move, _ in among[:BEST] if not same(move, made)]
    return compare(game, state, [_whole(state, made), *found], rng=rng, clock=clock, ms=ms // 2)


def _whole(state: State, move: Move) -> Move:
    """A move that was made, with all that Nestor needs of it: the end or the suit that it need not name, and no tiles
    if none were exchanged."""
    if isinstance(move, Discard):
        return Discard(move.seat, move.number, tuple(sorted(move.tiles or ())))
    return next(each for each in state.legal() if same(each, move)) if not isinstance(move, Roll) else move


def _reviewed(game: Game[Any], position: Position, opened: _WorthsOpened | None, thought: Thought) -> Reviewed:
    state, seat = position.known, position.move.seat
    played = next(number for number, (move, _) in enumerate(thought.gains) if same(move, position.move))
    choices = [
        (Choice(move, worth, None if opened is None else opened.worths[number]), number == played)
        for number, (move, worth) in enumerate(thought.gains)
    ]
    choices.sort(key=lambda each: (each[0].worth, each[1]), reverse=True)
    return Reviewed(
        position.hand,
        position.at,
        seat,
        tuple([choice for choice, _ in choices]),
        next(number for number, (_, was) in enumerate(choices) if was),
        points_made(game, state, seat),
        thought.deals,
        thought.exact,
        opened.line if opened is not None and len(choices) > 1 else (),
        TRICK if isinstance(state, DomizerkaState) else Fraction(1),
    )


def points_made(game: Game[Any], state: State, seat: int) -> Fraction:
    """The points in play of the side of a seat above those of the other sides on average."""
    sides = game.sides(len(state.opening.players))
    return above_others(sides, points_of(len(state.opening.players), state.scores), seat)


def above_others(sides: Sequence[Sequence[int]], points: Sequence[int], seat: int) -> Fraction:
    """How many points the side of a seat has above the other sides on average. ``points``: of each seat."""
    [own] = [points[side[0]] for side in sides if seat in side]
    others = [points[side[0]] for side in sides if seat not in side]
    return own - Fraction(sum(others), len(others))


def _worths_opened(
    game: Game[Any], hand: Sequence[Position], clock: Callable[[], float], ms: int
) -> dict[int, _WorthsOpened]:
    """What the possible plays of a hand are worth with open hands, by the number of moves before them, from the last
    one back as far as there is time."""
    known = [(position, *position.opened) for position in hand if position.opened is not None]
    found: dict[int, _WorthsOpened] = {}
    if not known:
        return found
    until = clock() + ms / 1000

    def go_on() -> int:
        if clock() > until:
            raise OutOfTime
        return STEPS

    _, state, boneyard = known[0]
    solver = Solver(game, state, boneyard)
    solver.steps, solver.go_on = STEPS, go_on
    with suppress(OutOfTime):
        for position, state, _ in reversed(known):
            worths = tuple([solver.gain(state, state.play(move)) for move in position.known.legal()])
            found[position.at] = _WorthsOpened(worths, tuple(solver.line(state)))
    return found


# --- chances -----------------------------------------------------------------------------------------------
class Chance(NamedTuple):
    """Where a tile that a seat does not see can be: by location, the part of all deals in which it is there. The deals
    fit everything that the seat knows, and each counts the same."""

    tile: int
    at: tuple[Fraction, ...]
    """The seats, then the boneyard."""


def chances(state: State) -> list[Chance]:
    """The chances of each unseen tile for the seat on turn, whose own tiles must be known, the heaviest first; none in
    DOM, where every card is as likely as any other."""
    if isinstance(state, DomState):
        return []
    assert isinstance(state, LayingState | DomizerkaState | DominardsState)
    holdings, laying = state.holdings, state.laying if isinstance(state, DominardsState) else state
    if isinstance(laying, LayingState) and not laying.ends.begun and laying.rules.lead_double:
        [(_, holdings)] = holdings.leads(laying.opening.opener)
    whole = Redeals(holdings)
    found: list[Chance] = []
    for tiles in whole.kinds.values():
        hidden = [tile for tile in tiles if holdings.unlaid >> tile & 1]
        if hidden:
            at = [
                Fraction(Redeals(there).number, whole.number) if there.possible() else Fraction(0)
                for there in (holdings.at(1 << hidden[0], location) for location in range(len(holdings.known)))
            ]
            found += [Chance(tile, tuple(at)) for tile in hidden]
    return sorted(found, reverse=True)


# --- what is kept ------------------------------------------------------------------------------------------
def as_json(review: Reviewed) -> dict[str, Any]:
    """A review of a play as JSON values; moves as in a record, fractions as text."""
    return {
        **review._asdict(),
        "made": str(review.made),
        "unit": str(review.unit),
        "choices": [[move_json(move), str(worth), opened] for move, worth, opened in review.choices],
        "line": [move_json(move) for move in review.line],
    }


def from_json(value: dict[str, Any], game: Game[Any], seats: int) -> Reviewed:
    """What ``as_json`` has written."""

    def move(written: dict[str, Any]) -> Move:
        return game.moves[written["type"]](written, seats)

    choices = [Choice(move(written), Fraction(worth), opened) for written, worth, opened in value["choices"]]
    line = [move(written) for written in value["line"]]
    made, unit = Fraction(value["made"]), Fraction(value.get("unit", 1))
    return Reviewed(**{**value, "choices": tuple(choices), "line": tuple(line), "made": made, "unit": unit})
