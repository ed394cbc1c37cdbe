"""When a match ends before the rules end it: the host has called the last hand, or time is up."""

from dataclasses import dataclass
from datetime import datetime, timedelta

import games
from scorekeeper.models import Match
from scorekeeper.selectors.clock import Clock


@dataclass(frozen=True, slots=True)
class Ending:
    """How a match ends, at one moment. `waits`, `up`, `last`, `over` and `played` are false once it has ended."""

    at: datetime | None
    """When time is up; None without a time limit, and while the clock is paused."""
    paused: timedelta | None
    """The time left on a clock that stands still; None unless it does."""
    waits: bool
    """Whether the clock has not started yet."""
    up: bool
    """Whether time is up."""
    last: bool
    """Whether the hand in play is the last one; between hands, the next hand."""
    over: bool
    """Whether no other hand may begin. A match without a counted hand always has another one."""
    played: bool
    """Whether `over` is true because the hand called as the last one is counted."""

    @property
    def stopped(self) -> str:
        """What ends the match if its score counts at this moment: `time`, `last-hand` or `early`."""
        return "time" if self.up else "last-hand" if self.played else "early"


def ending(match: Match, state: games.Match, now: datetime) -> Ending:
    """How the match ends, by its `state` now. No query."""
    return _ending(match, state.finished, len(state.hands), counted_hands(state), now)


def ending_in_lists(match: Match, now: datetime) -> Ending:
    """The same by the cached sheet of the match. No query."""
    counted = [hand["state"] == "counted" for hand in match.sheet["hands"]]
    return _ending(match, match.sheet["finished"], len(counted), sum(counted), now)


def clock_of(match: Match) -> Clock:
    return Clock(match.created_at, match.minutes, match.stood, match.paused_at)


def until(match: Match) -> datetime | None:
    """When time is up in the match; None without a time limit, and while its clock is paused."""
    return clock_of(match).until


def stopped_if_short(match: Match, *, early: bool, now: datetime) -> str | None:
    """What ended the match if its typed totals do not: time if it is up, else only what somebody says."""
    end = until(match)
    return "time" if end and now >= end else "early" if early else None


def _ending(match: Match, finished: bool, hands: int, counted: int, now: datetime) -> Ending:
    clock = clock_of(match)
    at = clock.until
    if finished:
        return Ending(at, None, waits=False, up=False, last=False, over=False, played=False)
    up = at is not None and now >= at
    between = 0 < counted == hands
    played = between and match.last_hand is not None and counted >= match.last_hand
    called = match.last_hand is not None and counted + 1 >= match.last_hand
    over = played or (between and up)
    return Ending(at, clock.left_in_pause, clock.waits, up, not over and (up or called), over, played)


def counted_hands(state: games.Match) -> int:
    return sum(hand.outcome is not None for hand in state.hands)
