"""The figures of the games in which tiles are laid to a line or a star."""

from collections.abc import Iterator

from games.base import points_of
from games.dominards import DominardsState
from games.laying import LayingState
from games.moves import CLAIMS, Draw, Pass, Play, Roll
from games.tiles import DOUBLES, NAMES, is_double, mask
from scorekeeper.figures.counts import Count
from scorekeeper.figures.seen import Seen, compared

BLOCKED = ("blocked", "bad-points", "not-debited")
"""The reasons of the scores that say how the sides stand in a blocked hand."""


def line(seen: Seen) -> Iterator[Count]:
    """Of a hand with a line: how it ended, what was laid, and the points scored by laying."""
    yield from _laid(seen)
    yield Count("ends", _ending(seen, pays_blocks=True))
    scores = [score for score in seen.hand.state.scores if seen.seat in score.seats and score.reason == "table"]
    if seen.recorded:
        yield Count("table", "plays", len(scores))
        yield Count("table", "points", sum(score.points for score in scores))


def star(seen: Seen) -> Iterator[Count]:
    """Of a hand with a star: how it ended, what was laid, the claims and the rolls."""
    yield from _laid(seen)
    yield Count("ends", _ending(seen, pays_blocks=False))
    for move in seen.moves:
        if isinstance(move, Play) and move.claim is not None:
            yield Count("claims", move.claim.by)
        if isinstance(move, Roll):
            yield Count("rolls", str(len(move.dice)))
    if seen.recorded:
        for score in seen.hand.state.scores:
            if seen.seat in score.seats and score.reason in CLAIMS:
                yield Count("claimed", score.reason, score.points)


def _laid(seen: Seen) -> Iterator[Count]:
    lead = next((move for move in seen.hand.state.moves if isinstance(move, Play)), None)
    if seen.recorded and lead is not None and lead.seat == seen.seat:
        yield Count("hands", "opened")
        yield Count("openings", NAMES[lead.tile])
    for move in seen.moves:
        match move:
            case Play(_, tile):
                yield Count("moves", "laid")
                yield Count("doubles", "laid", int(is_double(tile)))
            case Draw(_, number):
                yield Count("moves", "draws")
                yield Count("moves", "drawn", number)
            case Pass():
                yield Count("moves", "passes")
    left = _left(seen)
    if left is not None:
        yield Count("hands", "left")
        yield Count("doubles", "left", (left & DOUBLES).bit_count())


def _left(seen: Seen) -> int | None:
    """The mask of the tiles that they had left at the end of the hand; None if that is not known."""
    hand, seat = seen.hand, seen.seat
    if hand.outcome is None:
        return None
    left = hand.final.get("left") if hand.final is not None else hand.ending
    if left is not None and not isinstance(left[seat], int):
        return mask(left[seat])
    if (hand.final or {}).get("out") == seat or (hand.outcome.end.by, hand.outcome.end.seat) == ("out", seat):
        return 0
    assert isinstance(hand.state, LayingState | DominardsState)
    holdings = hand.state.holdings
    return holdings.known[seat] if hand.final is None and holdings.knows(seat) else None


def _ending(seen: Seen, *, pays_blocks: bool) -> str:
    """How the hand ended for this seat: what ended it, and who did, or who was better in a blocked hand that pays."""
    outcome = seen.hand.outcome
    if outcome is None:
        return "stopped"
    by, seat = outcome.end
    if by != "blocked":
        return by if seat == seen.seat else f"{by}-partner" if seat in seen.side else f"{by}-other"
    if not pays_blocks:
        return by
    points = points_of(len(seen.hand.points), [score for score in outcome.scores if score.reason in BLOCKED])
    others = [points[side[0]] for side in seen.sides if side != seen.side]
    return f"{by}-{compared(points[seen.seat], others, lower_wins=seen.game.lower_wins)}"
