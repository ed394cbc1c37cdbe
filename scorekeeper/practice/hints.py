"""Why a move is a good one, as far as a player can see it."""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from games.contracts import CONTRACT_RULES
from games.domizerka import dealt_first
from games.moves import Contract, Discard, Follow, Move, PlaceCard, Play
from games.tiles import SUIT, mask, members
from scorekeeper.practice.contest import YOU, Contest


class Reason(NamedTuple):
    """``scores``: so many points at once. ``keeps``: an end stays open for which the visitor holds so many more tiles.
    ``lacks``: the next player, an opponent, has no tile for an end. ``seen``: so many of the three tiles that the
    visitor has seen have the number that is called. ``trumps``: the exchange keeps all trumps, so many. ``takes``: the
    trick is taken. ``unbeaten``: nobody who plays after the visitor can have a better tile. ``ducks``: the trick, which
    nobody wants, goes to another player."""

    kind: str
    number: int = 0
    """The points, or how many tiles."""
    pips: int = 0
    """The number at the end."""


def reasons(contest: Contest, move: Move) -> list[Reason]:
    """What speaks for this move of the visitor, from what they know."""
    view = contest.view
    assert view.hand is not None
    state: Any = view.hand.state
    find = REASONS.get(type(move))
    return find(contest, state, move) if find else []


def _laid(contest: Contest, state: Any, move: Any) -> list[Reason]:
    after = state.play(move)
    found = _scores(contest, state, move)
    if after.turn is None:
        return found
    ends = sorted(set(after.line.open.values()))
    held = [((after.holdings.known[YOU] & SUIT[pips]).bit_count(), pips) for pips in ends]
    if (most := max(held))[0]:
        found.append(Reason("keeps", *most))
    if not any(YOU in side and after.turn in side for side in contest.match.sides):
        lacks = [pips for pips in ends if not after.holdings.may_have(after.turn) & SUIT[pips]]
        found += [Reason("lacks", 0, pips) for pips in lacks]
    return found


def _scores(contest: Contest, state: Any, move: Any) -> list[Reason]:
    points = sum(score.points for score in state.play(move).scores[len(state.scores) :])
    return [Reason("scores", points)] if points else []


def _called(contest: Contest, state: Any, move: Any) -> list[Reason]:
    trumps = CONTRACT_RULES[move.contract, move.trump].special
    if trumps is None:
        return []
    seen = (dealt_first(state.holdings.known[YOU]) & SUIT[trumps]).bit_count()
    return [Reason("seen", seen, trumps)] if seen else []


def _exchanged(contest: Contest, state: Any, move: Any) -> list[Reason]:
    trumps = 0 if state.rules.trump is None else state.rules.suits[state.rules.trump] & state.holdings.known[YOU]
    return [Reason("trumps", trumps.bit_count())] if trumps and not trumps & mask(move.tiles or ()) else []


def _followed(contest: Contest, state: Any, move: Any) -> list[Reason]:
    after, rules = state.play(move), state.rules
    if not after.trick:
        takes = after.taken.winner == YOU
        if rules.trick > 0:
            return [Reason("takes")] if takes else []
        return [] if takes else [Reason("ducks")]
    strength = rules.strength(move.tile, after.led)
    lies = max(rules.strength(play.tile, after.led) for play in after.trick)
    later = [
        (YOU + n) % len(contest.match.players) for n in range(1, len(contest.match.players) + 1 - len(after.trick))
    ]
    better = mask(tile for tile in members(after.holdings.unlaid) if rules.strength(tile, after.led) > strength)
    beaten = lies > strength or any(after.holdings.may_have(seat) & better for seat in later)
    if rules.trick > 0:
        return [] if beaten else [Reason("unbeaten")]
    return [Reason("ducks")] if lies > strength else []


REASONS: Mapping[type[Move], Callable[[Contest, Any, Any], list[Reason]]] = {
    Play: _laid,
    PlaceCard: _scores,
    Contract: _called,
    Discard: _exchanged,
    Follow: _followed,
}
"""By the kind of move: what can speak for it."""
