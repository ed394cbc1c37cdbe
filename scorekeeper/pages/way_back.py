"""The way back to the desk, in the header of every page."""

from dataclasses import dataclass
from functools import partial
from typing import Any

from django.http import HttpRequest
from django.urls import reverse
from django.utils.functional import SimpleLazyObject

from scorekeeper import place
from scorekeeper.models import Event, User
from scorekeeper.selectors.events import desks_of


@dataclass(frozen=True, slots=True)
class Desk:
    event: Event
    url: str
    elsewhere: bool
    """Whether the page is not about this event."""


def way_back(request: HttpRequest) -> dict[str, Any]:
    """For every template; looked for only where it is shown."""
    return {"way_back": SimpleLazyObject(partial(_desk, request))}


def _desk(request: HttpRequest) -> Desk | None:
    """The desk of the event that the page is about, else of an open one, first of the same club, first a night. None on
    the desk itself, and for who has none. One query for those who are signed in."""
    if not isinstance(request.user, User):
        return None
    visit = place.visit()
    event, club = (visit.event, visit.club and visit.club.pk) if visit else (None, None)

    def nearness(each: Event) -> tuple[bool, bool, bool, int]:
        return each.pk == event, each.club_id == club, each.kind == Event.Kind.NIGHT, each.pk

    nearest = max(desks_of(request.user, also=event), key=nearness, default=None)
    if nearest is None:
        return None
    url = reverse(f"{nearest.kind}_desk", args=[nearest.pk])
    return None if request.path == url else Desk(nearest, url, elsewhere=nearest.pk != event)
