"""The figures of the games on a square of cards."""

from collections.abc import Iterator

from games import cards
from games.moves import PlaceCard
from scorekeeper.figures.counts import Count
from scorekeeper.figures.seen import Seen, compared


def square(seen: Seen) -> Iterator[Count]:
    """Of a game: who was better, the first card, and the lines and bonuses with their points."""
    hand = seen.hand
    yield Count("ends", "stopped" if hand.outcome is None else f"played-{compared(seen.own, [seen.others])}")
    if not seen.recorded:
        return
    first = hand.state.moves[0]
    if isinstance(first, PlaceCard) and first.seat == seen.seat:
        yield Count("hands", "opened")
        yield Count("openings", cards.NAMES[first.card])
    yield Count("moves", "placed", len(seen.moves))
    for score in hand.state.scores:
        if seen.seat in score.seats and score.points:
            yield Count("lines", score.reason)
            yield Count("line-points", score.reason, score.points)
            for term in score.terms:
                if not term.label.isdigit():
                    yield Count("bonuses", term.label)
                    yield Count("bonus-points", term.label, term.value)
