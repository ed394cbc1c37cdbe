"""Calling the host to a table, and what hosts say to it."""

from datetime import datetime

from django.db import transaction

from scorekeeper.access import Actor
from scorekeeper.models import Call, Match, Table
from scorekeeper.selectors.nights import open_night
from scorekeeper.services import plain
from scorekeeper.services.events import announce

WHY = 200


@transaction.atomic
def call(*, table: Table, match: Match | None, name: str, why: str, now: datetime) -> Call:
    """Calls the host to the table. A table that has called already has not called twice: what is new of the reason is
    kept. `name`: whose phone calls, where that is known. Malformed for a reason that cannot be kept.
    """
    why = " ".join(plain.readable(why, longest=WHY).split())
    # Two phones of the table that call at the same moment do so one after the other.
    Table.objects.select_for_update(no_key=True).get(pk=table.pk)
    found = table.calls.filter(settled_at=None).first()
    if found is None:
        found = Call.objects.create(club_id=table.club_id, table=table, match=match, name=name, why=why, asked_at=now)
    elif why and why != found.why:
        found.why, found.name, found.match = why, name or found.name, match or found.match
        found.save(update_fields=["why", "name", "match"])
    else:
        return found
    _tell(found, now)
    return found


@transaction.atomic
def see(*, call_id: int, by: Actor, now: datetime) -> None:
    """A host is on the way; who said so first stays. Call.DoesNotExist if there never was such a call."""
    found = _locked(call_id)
    if found.seen_at is None and found.settled_at is None:
        found.seen_at, found.seen_by = now, by.user
        found.save(update_fields=["seen_at", "seen_by"])
        _tell(found, now)


@transaction.atomic
def settle(*, call_id: int, now: datetime) -> None:
    """What the table wanted is done, or the table needs nobody any more. Call.DoesNotExist if there never was such a
    call."""
    found = _locked(call_id)
    if found.settled_at is None:
        found.settled_at = now
        found.save(update_fields=["settled_at"])
        _tell(found, now)


def _locked(call_id: int) -> Call:
    """The call, for this writer alone until the end of the transaction."""
    return Call.objects.select_for_update(no_key=True).get(pk=call_id)


def _tell(found: Call, now: datetime) -> None:
    """To who follows the table, the club, or the night that goes on there."""
    night = open_night(found.club_id)
    announce(kind="call", club_id=found.club_id, table_id=found.table_id, night_id=night and night.pk, now=now)
