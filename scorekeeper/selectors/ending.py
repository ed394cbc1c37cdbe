"""When a match ends before its own rule ends it: the host has called the last hand, or its minutes are over."""

from dataclasses import dataclass
from datetime import datetime, timedelta

import games
from scorekeeper.models import Match


@dataclass(frozen=True, slots=True)
class Ending:
    """How far a match is from its end at a moment; in one that has ended nothing is `last` or `over`."""

    at: datetime | None
    """When its minutes are over; None without a clock."""
    last: bool
    """Whether the hand in play is the last; where none is, the one that comes."""
    over: bool
    """Whether no hand begins any more. A match of which nothing is counted always has one hand more."""
    played: bool
    """Whether that is so because the last hand that was called is counted."""


def ending(match: Match, state: games.Match, now: datetime) -> Ending:
    """How the match ends, with `state` the match as it stands. A pure rule: no query."""
    at = match.created_at + timedelta(minutes=match.minutes) if match.minutes else None
    if state.finished:
        return Ending(at, last=False, over=False, played=False)
    up = at is not None and now >= at
    counted = counted_hands(state)
    between = state.hand is None and counted > 0
    played = between and match.last_hand is not None and counted >= match.last_hand
    called = match.last_hand is not None and counted + 1 >= match.last_hand
    over = played or (between and up)
    return Ending(at, not over and (up or called), over, played)


def counted_hands(state: games.Match) -> int:
    return sum(hand.outcome is not None for hand in state.hands)
