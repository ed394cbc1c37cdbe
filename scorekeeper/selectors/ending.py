"""When a match ends before its own rule ends it: the host has called the last hand, or its minutes are over."""

from dataclasses import dataclass
from datetime import datetime, timedelta

import games
from scorekeeper.models import Match


@dataclass(frozen=True, slots=True)
class Ending:
    """How far a match is from its end at a moment; in one that has ended nothing is `up`, `last` or `over`."""

    at: datetime | None
    """When its minutes are over; None without a clock."""
    up: bool
    """Whether they are."""
    last: bool
    """Whether the hand in play is the last; where none is, the one that comes."""
    over: bool
    """Whether no hand begins any more. A match of which nothing is counted always has one hand more."""
    played: bool
    """Whether that is so because the last hand that was called is counted."""


def ending(match: Match, state: games.Match, now: datetime) -> Ending:
    """How the match ends, with `state` the match as it stands. A pure rule: no query."""
    return _ending(match, state.finished, len(state.hands), counted_hands(state), now)


def ending_in_lists(match: Match, now: datetime) -> Ending:
    """The same by what is cached with the match. No query."""
    counted = [hand["state"] == "counted" for hand in match.sheet["hands"]]
    return _ending(match, match.sheet["finished"], len(counted), sum(counted), now)


def until(match: Match) -> datetime | None:
    """When the minutes of the match are over; None where it may take as long as it takes."""
    return match.created_at + timedelta(minutes=match.minutes) if match.minutes else None


def _ending(match: Match, finished: bool, hands: int, counted: int, now: datetime) -> Ending:
    at = until(match)
    if finished:
        return Ending(at, up=False, last=False, over=False, played=False)
    up = at is not None and now >= at
    between = 0 < counted == hands
    played = between and match.last_hand is not None and counted >= match.last_hand
    called = match.last_hand is not None and counted + 1 >= match.last_hand
    over = played or (between and up)
    return Ending(at, up, not over and (up or called), over, played)


def counted_hands(state: games.Match) -> int:
    return sum(hand.outcome is not None for hand in state.hands)
