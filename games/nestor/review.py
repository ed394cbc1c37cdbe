"""Nestor's review of a match that is over: what each play was worth, by what the player knew then.

What a seat held at a move follows from its deal and from what it laid, drew and had left. Where a record does not say
it, that play is left out. Where it says what everybody held, the play is also looked at with open hands.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from fractions import Fraction
from itertools import groupby
from random import Random
from typing import Any, NamedTuple

from games.base import Game
from games.errors import Malformed, marked
from games.hand import Hand
from games.laying import LayingState
from games.match import Match
from games.moves import Draw, Move, Play, move_json, unseen
from games.nestor.laying import STEPS, OutOfTime, think
from games.nestor.redeals import Redeals
from games.solver import Solver
from games.tiles import mask, members, union

NOTICED, DOUBT = 2, 32
"""By a sample of deals, a play is a mistake if it costs this many points, and so many more divided by the number of
deals: chance alone can give less. With all deals, it is one if it costs anything."""
CLEAR, BIG = 5, 10
"""The points from which a mistake is a clear one, and a big one."""


class Choice(NamedTuple):
    """A possible play and what it is worth: the points by which the side of its seat will then win more than the other
    one, from now to the end of the hand."""

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
    made: int
    """The points that its side has made in the hand before it, above those of the other side."""
    deals: int
    """The number of deals on which this rests."""
    exact: bool
    """Whether these were all that fit what the player knew, each played to the end."""
    line: tuple[Move, ...]
    """With all hands known, and if another play would have been better: the best moves to the end of the hand."""

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
        if not self.loss or (not self.exact and self.loss < NOTICED + Fraction(DOUBT, self.deals)):
            return ""
        return "small" if self.loss < CLEAR else "clear" if self.loss < BIG else "big"


def reviews(game: Game[Any], seats: int) -> bool:
    """Whether Nestor can review this game, played by so many."""
    return len(game.sides(seats)) == 2 and game.board == "line"


def check_reviews(match: Match) -> None:
    """Malformed if Nestor cannot review this match, or it is not over: nobody gets help in a match in play."""
    if not match.finished:
        raise Malformed(marked("A match can be reviewed when it is over."))
    if not reviews(match.game, len(match.players)):
        raise Malformed(marked("Nestor cannot review {game} yet."), game=match.game.name)


# --- what was known ----------------------------------------------------------------------------------------
class Position(NamedTuple):
    """A play, and the moment before it."""

    hand: int
    at: int
    move: Play
    known: LayingState
    """As its seat knew it."""
    opened: tuple[LayingState, tuple[int, ...]] | None
    """With all hands, and the tiles that can be drawn in their order; None if they are not known."""


def positions(match: Match) -> list[Position]:
    """The plays of a match of which it is known what the seat held. Malformed if it cannot be reviewed."""
    check_reviews(match)
    return [each for number, hand in enumerate(match.hands) for each in _positions_in(match.game, number, hand)]


def _positions_in(game: Game[Any], number: int, hand: Hand) -> Iterator[Position]:
    opening, moves = hand.state.opening, hand.state.moves
    drawn = [_drawn(hand, at) for at in range(len(moves))]
    held = _held(hand, drawn)
    state: Any = game.begin(opening._replace(deal=(None,) * len(opening.players)))
    for at, move in enumerate(moves):
        mine = held[at][move.seat]
        if isinstance(move, Play) and mine is not None:
            known = state.knowing(move.seat, mine)
            if known.holdings.possible() and _index(known.legal(), move) is not None:
                yield Position(number, at, move, known, _opened(state, held[at], drawn[at:]))
        state = state.play(unseen(move))


def _index(moves: Sequence[Move], played: Play) -> int | None:
    """Which of these moves was played; it need not name its end if there is only one."""
    return next(
        (
            number
            for number, move in enumerate(moves)
            if isinstance(move, Play) and move.tile == played.tile and played.end in (None, move.end)
        ),
        None,
    )


_Drawn = tuple[int, ...] | None
"""The tiles that a move drew, in their order; None if nobody knows."""


def _held(hand: Hand, drawn: Sequence[_Drawn]) -> list[tuple[int | None, ...]]:
    """Before each move, and after the last one: the tiles of each seat, as masks; None where the record does not say
    it. Told forward from what was dealt, and back from what was left. ``drawn``: by move."""
    moves, deal = hand.state.moves, hand.state.opening.deal
    forward, back = [list(deal)], [_left(hand)]
    for move, tiles in zip(moves, drawn, strict=True):
        now = [*forward[-1]]
        now[move.seat] = _changed(now[move.seat], move, tiles)
        forward.append(now)
    for move, tiles in zip(reversed(moves), reversed(drawn), strict=True):
        before = [*back[-1]]
        before[move.seat] = _changed(before[move.seat], move, tiles)
        back.append(before)
    return [
        tuple(one if other is None else other for one, other in zip(*each, strict=True))
        for each in zip(back[::-1], forward, strict=True)
    ]


def _changed(tiles: int | None, move: Move, drawn: _Drawn) -> int | None:
    """A hand after a move of its seat, or before it: a tile goes or comes, and those drawn the other way."""
    if tiles is None or drawn is None:
        return None
    return tiles ^ mask(drawn) ^ (1 << move.tile if isinstance(move, Play) else 0)


def _drawn(hand: Hand, at: int) -> _Drawn:
    """What a move drew. One tile that was drawn alone and then laid is known."""
    moves = hand.state.moves
    move, following = moves[at], moves[at + 1] if at + 1 < len(moves) else None
    if not isinstance(move, Draw):
        return ()
    if move.tiles is not None:
        return move.tiles
    if isinstance(following, Play) and move.number == 1 and hand.state.opening.proves(at):
        return (following.tile,)
    return None


def _left(hand: Hand) -> list[int | None]:
    """What each seat has left after the last move, as masks; None if it is not known."""
    state: Any = hand.state
    if state.end is None:
        return [None] * len(state.opening.players)
    left = hand.ending if hand.final is None else hand.final.get("left")
    return [
        tiles if tiles.bit_count() == number else None
        for tiles, number in zip(state.whereabouts(left), state.held(), strict=False)
    ]


def _opened(
    state: LayingState, held: Sequence[int | None], drawn: Sequence[_Drawn]
) -> tuple[LayingState, tuple[int, ...]] | None:
    """The moment with all hands, and the order of the boneyard, if the record says them. ``drawn``: by each move from
    here on."""
    hands = [tiles for tiles in held if tiles is not None]
    if len(hands) < len(held):
        return None
    yard, order = state.holdings.unlaid & ~union(hands), list[int]()
    if state.rules.draws:
        for tiles in drawn:
            if tiles is None:
                return None
            order.extend(tiles)
        rest = [*members(yard & ~mask(order))]
        if len(rest) > 1:
            return None
        order += rest
    return state.settled([*hands, yard]), tuple(order)


# --- what it was worth -------------------------------------------------------------------------------------
def reviewed(match: Match, *, ms: int, opened_ms: int, rng: Random, clock: Callable[[], float]) -> Iterator[Reviewed]:
    """Each play of which it is known what its seat held, in order. Malformed if the match cannot be reviewed.

    Nestor thinks ``ms`` about each play by what its seat knew. ``opened_ms`` is for all plays of a hand with open
    hands; those at its beginning go without if that is too short. ``clock`` gives the time in seconds.
    """
    for _, group in groupby(positions(match), key=lambda position: position.hand):
        hand = list(group)
        opened = _worths_opened(match.game, hand, clock, opened_ms)
        for position in hand:
            yield _reviewed(match.game, position, opened.get(position.at), rng, clock, ms)


class _WorthsOpened(NamedTuple):
    worths: tuple[int, ...]
    """Of each possible play."""
    line: tuple[Move, ...]


def _reviewed(
    game: Game[Any],
    position: Position,
    opened: _WorthsOpened | None,
    rng: Random,
    clock: Callable[[], float],
    ms: int,
) -> Reviewed:
    state, seat = position.known, position.move.seat
    thought = think(game, state, rng=rng, clock=clock, ms=ms)
    played = _index([move for move, _ in thought.gains], position.move)
    assert played is not None, position
    choices = [
        (Choice(move, worth, None if opened is None else opened.worths[number]), number == played)
        for number, (move, worth) in enumerate(thought.gains)
    ]
    choices.sort(key=lambda each: (each[0].worth, each[1]), reverse=True)
    missed = opened is not None and opened.worths[played] < max(opened.worths)
    return Reviewed(
        position.hand,
        position.at,
        seat,
        tuple([choice for choice, _ in choices]),
        next(number for number, (_, was) in enumerate(choices) if was),
        points_made(game, state, seat),
        thought.deals,
        thought.exact,
        opened.line if opened is not None and missed else (),
    )


def points_made(game: Game[Any], state: LayingState, seat: int) -> int:
    """The points in play of the side of a seat above those of the other side."""
    own = next(side for side in game.sides(len(state.opening.players)) if seat in side)
    return sum(score.points if score.seats[0] in own else -score.points for score in state.scores)


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


def chances(state: LayingState) -> list[Chance]:
    """The chances of each unseen tile for the seat on turn, whose own tiles must be known, the heaviest first."""
    holdings = state.holdings
    if not state.ends.begun and state.rules.lead_double:
        [(_, holdings)] = holdings.leads(state.opening.opener)
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


def known_before(match: Match, hand: int, at: int) -> LayingState | None:
    """The moment before the play after so many moves of a hand, as its seat knew it; None if that is not known."""
    found = _positions_in(match.game, hand, match.hands[hand])
    return next((position.known for position in found if position.at == at), None)


# --- what is kept ------------------------------------------------------------------------------------------
def as_json(review: Reviewed) -> dict[str, Any]:
    """A review of a play as JSON values; moves as in a record, fractions as text."""
    return {
        **review._asdict(),
        "choices": [[move_json(move), str(worth), opened] for move, worth, opened in review.choices],
        "line": [move_json(move) for move in review.line],
    }


def from_json(value: dict[str, Any], game: Game[Any], seats: int) -> Reviewed:
    """What ``as_json`` has written."""

    def move(written: dict[str, Any]) -> Move:
        return game.moves[written["type"]](written, seats)

    choices = [Choice(move(written), Fraction(worth), opened) for written, worth, opened in value["choices"]]
    line = [move(written) for written in value["line"]]
    return Reviewed(**{**value, "choices": tuple(choices), "line": tuple(line)})
