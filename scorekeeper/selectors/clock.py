"""The clock of a match: how long the match may take, and how long the clock stood still."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any, Self

SECOND = timedelta(seconds=1)
MINUTE = timedelta(minutes=1)


@dataclass(frozen=True, slots=True)
class Clock:
    """A clock runs from the beginning of its match, except while it stands still: before somebody starts it, and in a
    pause. Every function returns the next clock, or the same one if there is nothing to change."""

    began: datetime
    minutes: int | None
    """The time limit; None without one."""
    stood: int = 0
    """The seconds for which it stood still in all, without the present pause."""
    paused_at: datetime | None = None
    """Since when it stands still; the beginning until somebody starts it."""

    @classmethod
    def waiting(cls, began: datetime, minutes: int | None) -> Self:
        """Stands still until somebody starts it. Without a limit there is nothing to start."""
        return cls(began, minutes, paused_at=began if minutes else None)

    @property
    def waits(self) -> bool:
        """Whether it has not started yet."""
        return self.paused_at == self.began

    @property
    def until(self) -> datetime | None:
        """When time is up; None without a limit, and while nobody knows because the clock is paused."""
        return None if self.minutes is None else self.after(timedelta(minutes=self.minutes))

    def after(self, time: timedelta) -> datetime | None:
        """When it will have run for this time; None while nobody knows because it stands still."""
        return None if self.paused_at else self.began + timedelta(seconds=self.stood) + time

    @property
    def left_in_pause(self) -> timedelta | None:
        """The time that is left; None unless the clock is paused."""
        if self.minutes is None or self.paused_at is None:
            return None
        return self.began + timedelta(minutes=self.minutes, seconds=self.stood) - self.paused_at

    def left(self, now: datetime) -> timedelta | None:
        """The time that is left at this moment, less than nothing after its end; None without a limit."""
        return self.until - now if self.until else self.left_in_pause

    def started(self, minutes: int, now: datetime) -> Self:
        """Runs from `now` on."""
        return replace(self, minutes=minutes, stood=_seconds(now - self.began), paused_at=None)

    def paused(self, now: datetime) -> Self:
        """Stands still if there is time left."""
        return replace(self, paused_at=now) if self.until and now < self.until else self

    def resumed(self, now: datetime) -> Self:
        if self.paused_at is None:
            return self
        return replace(self, stood=self.stood + _seconds(now - self.paused_at), paused_at=None)

    def extended(self, minutes: int, now: datetime) -> Self:
        """Has more time. If time is up, or there was no limit: these minutes from `now` on."""
        if self.minutes is None:
            return self.started(minutes, now)
        late = max(now - self.until, timedelta(0)) if self.until else timedelta(0)
        return replace(self, minutes=self.minutes + minutes, stood=self.stood + _seconds(late))

    def as_json(self) -> dict[str, Any]:
        """Without the beginning, which belongs to the match."""
        paused_at = self.paused_at and self.paused_at.isoformat()
        return {"minutes": self.minutes, "stood": self.stood, "paused_at": paused_at}

    @classmethod
    def of(cls, began: datetime, value: Mapping[str, Any]) -> Self:
        paused_at = value["paused_at"] and datetime.fromisoformat(value["paused_at"])
        return cls(began, value["minutes"], value["stood"], paused_at)


def with_the_others(others: Iterable[Clock], now: datetime) -> Clock | None:
    """A clock that begins now and ends with the first of these that ends, up to a minute later. It stands still, not
    started, if that one stands still. None if no time is left on any."""
    ends = {left: clock for clock in others if (left := clock.left(now)) and left > timedelta(0)}
    if not ends:
        return None
    first = min(ends)
    return Clock(now, -(-first // MINUTE), paused_at=ends[first].paused_at and now)


def _seconds(time: timedelta) -> int:
    """Whole seconds, rounded down: no clock shows more time than it was given."""
    return time // SECOND
