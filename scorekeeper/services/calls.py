"""Calls from tables to the host, and the hosts' answers."""

from datetime import datetime

from scorekeeper.access import Actor
from scorekeeper.models import Call, Event, Match, Table
from scorekeeper.selectors.events import open_night
from scorekeeper.services import storable
from scorekeeper.services.changes import announce, in_one_transaction

WHY = 200


@in_one_transaction
def call(*, table: Table, match: Match | None, name: str, why: str, now: datetime) -> Call:
    """Calls the host to the table. A table has one open call: a second one only updates its reason. `name` is the owner
    of the phone, if known. Malformed if the reason cannot be stored.
    """
    why = " ".join(storable.text(why, longest=WHY).split())
    # Two phones may call at the same time: the lock makes one wait for the other.
    Table.objects.select_for_update(no_key=True).get(pk=table.pk)
    found = table.calls.filter(settled_at=None).first()
    if found is None:
        found = Call.objects.create(club_id=table.club_id, table=table, match=match, name=name, why=why, asked_at=now)
    elif why and why != found.why:
        found.why, found.name, found.match = why, name or found.name, match or found.match
        found.save(update_fields=["why", "name", "match"])
    else:
        return found
    _announce(found, now)
    return found


@in_one_transaction
def see(*, call_id: int, by: Actor, now: datetime) -> None:
    """A host is on the way; the first to say so stays. Call.DoesNotExist if there is no such call."""
    found = _locked(call_id)
    if found.seen_at is None and found.settled_at is None:
        found.seen_at, found.seen_by = now, by.user
        found.save(update_fields=["seen_at", "seen_by"])
        _announce(found, now)


@in_one_transaction
def settle(*, call_id: int, now: datetime, by: Actor | None = None) -> None:
    """The call is settled `by` a host, which the table sees, or the table no longer needs it. Call.DoesNotExist if
    there is no such call."""
    found = _locked(call_id)
    if found.settled_at is None:
        found.settled_at, found.settled_by = now, by.user if by else None
        found.save(update_fields=["settled_at", "settled_by"])
        _announce(found, now)


@in_one_transaction
def settle_at(*, event: Event, now: datetime, by: Actor) -> None:
    """Settles the calls of all tables of the event, which is over."""
    tables = event.matches.filter(table__isnull=False).values("table")
    for number in Call.objects.filter(table__in=tables, settled_at=None).order_by("pk").values_list("pk", flat=True):
        settle(call_id=number, now=now, by=by)


def _locked(call_id: int) -> Call:
    """The call, locked until the end of the transaction."""
    return Call.objects.select_for_update(no_key=True).get(pk=call_id)


def _announce(found: Call, now: datetime) -> None:
    """Announces the call to everybody who follows the table, the club or its open night."""
    night = open_night(found.club_id)
    announce(kind="call", club_id=found.club_id, table_id=found.table_id, event=night, now=now)
