"""Why a tile is a good one to lay, as far as a player can see it."""

from typing import NamedTuple

from games.laying import LayingState
from games.moves import Move, Play
from games.tiles import SUIT
from scorekeeper.practice.contest import YOU, Contest


class Reason(NamedTuple):
    """``scores``: so many points at once. ``keeps``: an end stays open for which the visitor holds so many more tiles.
    ``lacks``: the next player, an opponent, has no tile for an end."""

    kind: str
    number: int
    """The points, or how many tiles."""
    pips: int = 0
    """The number at the end."""


def reasons(contest: Contest, move: Move) -> list[Reason]:
    """What speaks for this move of the visitor, from what they know."""
    view = contest.view
    assert view.hand is not None
    state = view.hand.state
    assert isinstance(state, LayingState)
    after = state.play(move)
    found = []
    if points := sum(score.points for score in after.scores[len(state.scores) :]):
        found.append(Reason("scores", points))
    if not isinstance(move, Play) or after.turn is None:
        return found
    ends = sorted(set(after.line.open.values()))
    held = [((after.holdings.known[YOU] & SUIT[pips]).bit_count(), pips) for pips in ends]
    if (most := max(held))[0]:
        found.append(Reason("keeps", *most))
    if not any(YOU in side and after.turn in side for side in view.sides):
        lacks = [pips for pips in ends if not after.holdings.may_have(after.turn) & SUIT[pips]]
        found += [Reason("lacks", 0, pips) for pips in lacks]
    return found
