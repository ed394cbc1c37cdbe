"""The pad of a table: which phones that scanned its code may record."""

from datetime import datetime, timedelta

from scorekeeper.access import PASS_LIVES
from scorekeeper.models import LogEntry, Pad, Table
from scorekeeper.selectors.tables import names_at
from scorekeeper.services import storable
from scorekeeper.services.changes import announce, in_one_transaction

# How long after an entry of a phone it still uses the pad.
IN_USE = timedelta(minutes=5)


@in_one_transaction
def scan(*, table: Table, phone: str, now: datetime) -> Pad:
    """A phone that scans the table's code takes the pad, unless it holds it already. While another phone uses the pad,
    it only gets the right to take it: its page says who has the pad, and asks."""
    _lock(table)
    pad = table.pads.filter(phone=phone, held=True, since__gt=now - PASS_LIVES).first()
    if pad:
        return pad
    return _keep(table, phone, now, held=False) if _in_use(table, now) else take(table=table, phone=phone, now=now)


@in_one_transaction
def take(*, table: Table, phone: str, now: datetime) -> Pad:
    """Gives the pad to this phone alone."""
    _lock(table)
    table.pads.exclude(phone=phone).update(held=False)
    return _keep(table, phone, now, held=True)


@in_one_transaction
def join(*, table: Table, phone: str, now: datetime) -> Pad:
    """Gives the pad to this phone too, together with those that hold it already."""
    _lock(table)
    return _keep(table, phone, now, held=True)


@in_one_transaction
def name(*, table: Table, phone: str, name: str, now: datetime) -> None:
    """Saves the name of the phone's owner. Malformed if it is not a name, Pad.DoesNotExist if the phone never scanned
    the code."""
    pad = table.pads.select_for_update(no_key=True).get(phone=phone)
    pad.name = storable.name(name)
    pad.save(update_fields=["name"])
    _announce(table, now)


def _keep(table: Table, phone: str, now: datetime, *, held: bool) -> Pad:
    pad, _made = table.pads.update_or_create(phone=phone, defaults={"held": held, "since": now})
    _announce(table, now)
    return pad


def _in_use(table: Table, now: datetime) -> bool:
    """Whether a phone has the pad, and a phone of the table has just made an entry in a match in play. The phone of
    somebody who does not sit at the table any more does not use its pad."""
    entries = LogEntry.objects.filter(match__table=table, match__finished_at=None, device__isnull=False)
    owners = table.pads.filter(held=True, name__in=["", *names_at(table)])
    return entries.filter(at__gt=now - IN_USE).exists() and owners.exists()


def _lock(table: Table) -> None:
    """Locks the table, so that of two phones that scan at the same time, one waits for the other."""
    Table.objects.select_for_update(no_key=True).get(pk=table.pk)


def _announce(table: Table, now: datetime) -> None:
    announce(kind="pad", club_id=table.club_id, table_id=table.pk, now=now)
