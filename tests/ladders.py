"""Ladders for tests, made and played by the same services as real ones."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

from django.test import Client

from scorekeeper.events.ladder import Rungs
from scorekeeper.forms.entrants import named
from scorekeeper.models import Club, Event, User
from scorekeeper.selectors.events import results_now
from scorekeeper.selectors.ladders import entrant_name, rungs_at
from scorekeeper.services import ladders
from scorekeeper.services.events import Step
from tests.conftest import NOW
from tests.nights import first

DAY = timedelta(days=1)


def setup_of(**other: Any) -> dict[str, Any]:
    own = {"game": "block", "options": {"hands": 1}, "minutes": None, "size": 1}
    return {**own, **ladders.USUAL, **other}


def ladder_with(club: Club, names: Sequence[str], **other: Any) -> Event:
    """A ladder with these entrants, the first one at the top."""
    event = ladders.start(club=club, name="Club ladder", setup=setup_of(**other), step=first(f"ladder {club.slug}"))
    ladders.join(event_id=event.pk, entrants=[named(each) for each in names], step=on(event, 0))
    return event


def on(event: Event, day: float) -> Step:
    """The next step, on this `day` after the beginning."""
    length = Event.objects.get(pk=event.pk).length
    return Step(first("").by, f"step {length}", length, NOW + day * DAY)


def rungs_of(event: Event, at: datetime = NOW) -> Rungs:
    return rungs_at(results_now(Event.objects.select_related("club").get(pk=event.pk)), at)


def order_of(event: Event, day: float) -> str:
    """The names from the top, that many days after the beginning."""
    now = results_now(Event.objects.select_related("club").get(pk=event.pk))
    return " ".join(entrant_name(now, each) for each in rungs_at(now, NOW + day * DAY).order)


def account(club: Club, name: str) -> Client:
    """A browser that is signed in with a new account which has claimed this name."""
    user = User.objects.create_user(name)
    club.players.filter(name=name).update(user=user)
    browser = Client()
    browser.force_login(user)
    return browser
