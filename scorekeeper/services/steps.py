"""A step of a host at an event, and what steps do to its matches."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from scorekeeper.access import Actor
from scorekeeper.models import Event, Match
from scorekeeper.services import recording
from scorekeeper.services.people import Typist


@dataclass(frozen=True, slots=True)
class Step:
    """Who made a step and when, its key, and how many entries of the log they had seen; `typist` if they can be asked
    whom a name means that they typed.

    A step with a key that was used before is the same step again, and changes nothing.
    """

    by: Actor
    key: str
    seen: int
    now: datetime
    typist: Typist | None = None


def matches_in_play(event: Event, **which: Any) -> list[Match]:
    """The event's matches in play, locked by id, as every writer locks them."""
    playing = event.matches.select_for_update(no_key=True).filter(status=Match.Status.PLAYING, **which)
    return list(playing.order_by("pk"))


def record(match: Match, entry: Mapping[str, Any], key: str, step: Step) -> None:
    """Records an entry of the host in a match that is locked."""
    recording.record(match_id=match.pk, seen=match.length, key=key, entry=entry, by=step.by, now=step.now)
