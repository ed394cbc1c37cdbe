"""Who stands better in a match in play: found out by a worker after each entry, and shown to spectators only.

Nothing here has to happen: without a worker in time, nothing is shown. So there is no job in the ledger, only a
message that expires soon, and a row for each match.
"""

import logging
from collections.abc import Callable
from datetime import datetime, timedelta
from functools import partial
from random import Random
from time import monotonic

from celery import current_app
from django.db import transaction
from django.db.models import F, Q, QuerySet
from django.utils import timezone
from kombu.exceptions import OperationalError as BrokerError

from games.nestor.outlook import outlook
from scorekeeper.live.errands import Errands
from scorekeeper.models import Event, Match, Outlook
from scorekeeper.models.change import OUTLOOK
from scorekeeper.selectors.matches import position
from scorekeeper.services.changes import announce, in_one_transaction

THINK = "scorekeeper.outlook"  # the name of the task: services do not import tasks
MS = 400  # for a position
LEASE = timedelta(seconds=10)  # after which a worker that has said nothing counts as dead
EXPIRES = 10  # seconds for which a message waits for a worker

logger = logging.getLogger(__name__)
_errands = Errands("outlook-sender", most=100)


def follow(match: Match, *, now: datetime, minor: bool) -> None:
    """After an entry, in its transaction: what big screens show is of an older position, and a worker is asked about
    this one. `minor`: if nothing else tells the screens. Nothing happens where the host has not turned it on."""
    if match.event is None or not match.event.outlook:
        return
    if minor:
        announce_to_screens(match.event, now=now)
    if match.status == Match.Status.PLAYING:
        _ask(match.pk)


def turned(event: Event, *, now: datetime) -> None:
    """After the host turned it on or off: the pages of spectators show it, or not any more."""
    Outlook.objects.filter(match__event=event).delete()
    for match in event.matches.filter(status=Match.Status.PLAYING).order_by("pk"):
        announce(kind=OUTLOOK, club_id=event.club_id, table_id=match.table_id, minor=True, now=now)
        if event.outlook:
            _ask(match.pk)


def announce_to_screens(event: Event, *, now: datetime) -> None:
    announce(kind=OUTLOOK, club_id=event.club_id, screens=event, minor=True, now=now)


def think(match_id: int, *, clock: Callable[[], datetime] = timezone.now) -> None:
    """Finds out who stands better in the newest position of a match, as long as entries come in meanwhile. Does nothing
    while a worker thinks: that one goes on to the newest position, and then to the next match that waits."""
    thought = False
    while began := _taken(match_id, clock()):
        thought = True
        match = Match.objects.get(pk=match_id)
        # Seeded by the position: the same record gives the same deals.
        rng = Random(f"{match.pk} {match.length}")
        found = outlook(position(match), rng=rng, clock=monotonic, ms=MS)
        if _kept(match, found and found._asdict(), began, clock()):
            break
    if thought:
        _go_on()


def _go_on() -> None:
    """Asks for the match that has waited longest."""
    longest = F("outlook__began_at").asc(nulls_first=True)
    if waiting := _due().order_by(longest, "pk").first():
        _send(waiting.pk)


def _due() -> QuerySet[Match]:
    """The matches in play whose newest position nobody has thought about."""
    known = Q(outlook__length=F("length"))
    return Match.objects.filter(status=Match.Status.PLAYING, event__outlook=True).exclude(known)


@transaction.atomic
def _taken(match_id: int, now: datetime) -> datetime | None:
    """Takes the match for one worker. None if its newest position is known, or while a worker thinks about any match:
    the other thread of the worker stays free for draws."""
    busy = Outlook.objects.filter(busy=True, began_at__gt=now - LEASE)
    if busy.exists() or not _due().filter(pk=match_id).exists():
        return None
    Outlook.objects.get_or_create(match_id=match_id)
    free = Outlook.objects.filter(match=match_id).exclude(pk__in=busy.values("pk"))
    return now if free.update(busy=True, began_at=now) else None


@in_one_transaction
def _kept(seen: Match, found: dict[str, object] | None, began: datetime, now: datetime) -> bool:
    """Saves what was found, and gives the match back. False if it is of an old position by now: then nothing is kept
    of it."""
    match = Match.objects.select_for_update(no_key=True, of=("self",)).select_related("event").get(pk=seen.pk)
    # Another worker has it if this one was silent for too long.
    mine = Outlook.objects.filter(match=match, busy=True, began_at=began)
    if match.length != seen.length:
        mine.update(busy=False)
        return False
    if mine.update(busy=False, length=match.length, found=found) and found and match.event:
        announce(kind=OUTLOOK, club_id=match.club_id, table_id=match.table_id, screens=match.event, minor=True, now=now)
    return True


def _ask(match_id: int) -> None:
    transaction.on_commit(partial(_errands.run, partial(_send, match_id)))


def _send(match_id: int) -> None:
    """Nobody waits for the broker. Without it nothing is shown."""
    try:
        current_app.send_task(THINK, args=[match_id], expires=EXPIRES, retry=False)
    except BrokerError as error:
        logger.warning("Cannot send match %s to the broker: %s", match_id, error)
