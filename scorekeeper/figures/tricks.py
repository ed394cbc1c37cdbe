"""The figures of the games with contracts and tricks."""

from collections.abc import Iterator

from games.domizerka import DomizerkaState
from games.moves import Discard, Follow
from games.tiles import NAMES
from scorekeeper.figures.counts import Count
from scorekeeper.figures.seen import Seen


def tricks(seen: Seen) -> Iterator[Count]:
    """Of a deal: the contract of who called it, the tricks against the quota, what was led first and exchanged."""
    hand, seat = seen.hand, seen.seat
    yield Count("ends", "stopped" if hand.outcome is None else _against_quota(seen.own))
    if hand.outcome is not None:
        yield Count("hands", "counted")
        yield Count("tricks", "won", _won(seen))
        called = hand.outcome.called
        if called is not None and called.seat == seat:
            yield Count("hands", "called")
            yield Count("called", called.contract)
            yield Count("made", called.contract, int(seen.own >= 0))
            yield Count("contract-points", called.contract, seen.own)
    lead = next((move for move in hand.state.moves if isinstance(move, Follow)), None)
    if seen.recorded and lead is not None and lead.seat == seat:
        yield Count("hands", "opened")
        yield Count("openings", NAMES[lead.tile])
    for move in seen.moves:
        if isinstance(move, Discard):
            yield Count("moves", "exchanges", int(move.number > 0))
            yield Count("moves", "exchanged", move.number)


def _won(seen: Seen) -> int:
    """The tricks that they won in a counted deal."""
    hand = seen.hand
    assert isinstance(hand.state, DomizerkaState)
    by_seat: tuple[int, ...] = hand.state.tricks if hand.final is None else hand.final["tricks"]
    return by_seat[seen.seat]


def _against_quota(points: int) -> str:
    return "quota" if points == 0 else "above" if points > 0 else "below"
