"""The choices of a match that is over, each as its player knew it.

What a seat held at a move follows from its deal and from what it laid, drew and had left, or played later. Where a
record does not say it, that choice is left out. So is a contract of Domizerka: no record says which three tiles its
caller had seen.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from games.base import Game
from games.dom import DEALT as CARDS_PLACED
from games.dom import DomState
from games.dominards import CARDS, DominardsState
from games.domizerka import DEALT, DomizerkaState
from games.errors import Malformed, marked
from games.hand import Hand
from games.laying import LayingState
from games.match import Match
from games.moves import Contract, Discard, Draw, Follow, Move, Pass, PlaceCard, Play, Roll, unseen
from games.tiles import mask, members, union


def check_over(match: Match) -> None:
    """Malformed if a match is not over: nobody gets help in a match in play."""
    if not match.finished:
        raise Malformed(marked("A match can be reviewed when it is over."))


class Position(NamedTuple):
    """A choice, and the moment before it."""

    hand: int
    at: int
    """The number of moves before it."""
    move: Move
    known: Any
    """The hand (``games.base.State``) as its seat knew it."""
    opened: tuple[LayingState, tuple[int, ...]] | None = None
    """With all hands, and the tiles that can be drawn in their order; None if they are not known, and in games that are
    not solved."""


def is_choice(move: Move) -> bool:
    """Whether this is a move that can be reviewed, if it is known what its seat held."""
    return not isinstance(move, Draw | Pass | Contract)


def same(one: Move, other: Move) -> bool:
    """Whether two moves of a seat are the same. An end or a suit need not be named if there is only one, and what dice
    show is no choice."""
    match one, other:
        case Play(_, tile, end, claim), Play(_, other_tile, other_end, other_claim):
            return (tile, claim) == (other_tile, other_claim) and (end == other_end or None in (end, other_end))
        case Follow(_, tile, suit), Follow(_, other_tile, other_suit):
            return tile == other_tile and (suit == other_suit or None in (suit, other_suit))
        case Roll(_, dice), Roll(_, other_dice):
            return len(dice) == len(other_dice)
        case Discard(_, _, tiles), Discard(_, _, other_tiles):
            return {*(tiles or ())} == {*(other_tiles or ())}
    return one == other


def positions(match: Match) -> list[Position]:
    """The choices of a match of which it is known what the seat held. Malformed if the match is not over."""
    check_over(match)
    return [each for number in range(len(match.hands)) for each in positions_in(match, number)]


def positions_in(match: Match, number: int) -> Iterator[Position]:
    """Those of a hand."""
    hand = match.hands[number]
    yield from sorted(FINDERS[type(hand.state)](match, number, hand), key=lambda position: position.at)


def known_before(match: Match, hand: int, at: int) -> Any:
    """The hand at a choice, as the player who chose knew it; None if the record does not say that. ``at`` counts the
    moves before the choice."""
    return next((position.known for position in positions_in(match, hand) if position.at == at), None)


def _only(seat: int, hands: Sequence[int | None], hand: int | None) -> tuple[int | None, ...]:
    """What a seat knows of what was dealt: its own."""
    return tuple(hand if each == seat else None for each in range(len(hands)))


# --- two sides that lay tiles ------------------------------------------------------------------------------
def _laying(match: Match, number: int, hand: Hand) -> Iterator[Position]:
    opening, moves = hand.state.opening, hand.state.moves
    drawn = [_drawn(hand, at) for at in range(len(moves))]
    held = _held(hand, drawn)
    state: Any = match.game.begin(opening._replace(deal=(None,) * len(opening.players)))
    for at, move in enumerate(moves):
        mine = held[at][move.seat]
        if isinstance(move, Play) and mine is not None:
            known = state.knowing(move.seat, mine)
            if known.holdings.possible() and _allowed(known, move):
                yield Position(number, at, move, known, _opened(state, held[at], drawn[at:]))
        state = state.play(unseen(move))


def _allowed(known: Any, played: Move) -> bool:
    """Whether the rules allowed this move; an irregularity may have been noted."""
    return any(same(move, played) for move in known.legal())


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


# --- Domizerka ---------------------------------------------------------------------------------------------
def _tricks(match: Match, number: int, hand: Hand) -> Iterator[Position]:
    for seat in range(len(match.players)):
        yield from _tricks_of(match.game, number, hand, seat)


def _tricks_of(game: Game[Any], number: int, hand: Hand, seat: int) -> Iterator[Position]:
    """The exchange of a seat, if its tiles are named, and its plays. A hand that was played to its end is known by its
    plays alone, also if nobody knows what was exchanged for it."""
    opening, moves = hand.state.opening, hand.state.moves
    dealt, exchange = opening.deal[seat], next((m for m in moves if isinstance(m, Discard) and m.seat == seat), None)
    named = exchange is None or not exchange.number or None not in (exchange.tiles, exchange.drawn)
    own = dealt if named else None
    state: Any = game.begin(opening._replace(deal=_only(seat, opening.deal, own)))
    plays = [move.tile for move in moves if isinstance(move, Follow) and move.seat == seat]
    for at, move in enumerate(moves):
        if move.seat == seat and isinstance(move, Discard) and own is not None and state.boneyard:
            waiting = state
            while waiting.turn != seat:  # others were skipped, and so exchanged nothing
                waiting = waiting.play(Discard(waiting.turn, 0, (), ()))
            yield Position(number, at, move, waiting)
        elif move.seat == seat and isinstance(move, Follow):
            known = state._replace(waiting=())
            if own is None and len(plays) == DEALT:
                later = mask(plays[DEALT - state.held()[seat] :])
                known = known._replace(holdings=known.holdings.knowing(seat, later))
            if known.holdings.knows(seat) and known.holdings.possible() and _allowed(known, move):
                yield Position(number, at, move, known)
        state = state.play(move if move.seat == seat and own is not None else unseen(move))


# --- DOM ---------------------------------------------------------------------------------------------------
def _square(match: Match, number: int, hand: Hand) -> Iterator[Position]:
    for seat in range(len(match.players)):
        opening, moves = hand.state.opening, hand.state.moves
        placed = [move.card for move in moves if isinstance(move, PlaceCard) and move.seat == seat]
        own = opening.deal[seat] or (mask(placed) if len(placed) == CARDS_PLACED else None)
        state = match.game.begin(opening._replace(deal=_only(seat, opening.deal, own)))
        for at, move in enumerate(moves):
            if move.seat == seat and own is not None:
                yield Position(number, at, move, state)
            state = state.play(move)


# --- Dominards ---------------------------------------------------------------------------------------------
def _star(match: Match, number: int, hand: Hand) -> Iterator[Position]:
    opening, moves, packs = hand.state.opening, hand.state.moves, _packs(match)
    held = _held(hand, [_drawn(hand, at) for at in range(len(moves))])
    for seat, own in enumerate(packs):
        hidden = opening._replace(deal=_only(seat, opening.deal, None), cards=_only(seat, packs, own))
        state: Any = match.game.begin(hidden)
        for at, move in enumerate(moves):
            mine = held[at][seat]
            if move.seat == seat and isinstance(move, Play | Roll) and None not in (own, mine):
                known = replace(state, laying=state.laying.knowing(seat, mine))
                if known.holdings.possible() and (isinstance(move, Roll) or _allowed(known, move)):
                    yield Position(number, at, move, known)
            state = state.play(unseen(move))


def _packs(match: Match) -> list[int | None]:
    """The cards with which each seat began, as masks: as entered, or all that it dropped; None if not known."""
    last, state = match.hands[-1].outcome, match.hands[-1].state
    assert isinstance(state, DominardsState)
    dropped = state.dropped if last is None else last.carried
    entered = match.cards or (None,) * len(match.players)
    return [
        own if own is not None else gone if gone.bit_count() == CARDS else None
        for own, gone in zip(entered, dropped, strict=True)
    ]


Finder = Callable[[Match, int, Hand], Iterator[Position]]
FINDERS: Mapping[type[Any], Finder] = {
    LayingState: _laying,
    DomizerkaState: _tricks,
    DomState: _square,
    DominardsState: _star,
}
"""By the kind of state: who finds the choices of a hand."""
