"""The pad of a table: which phones that scanned its code may record."""

from datetime import datetime

from scorekeeper.models import Pad, Table
from scorekeeper.services import storable
from scorekeeper.services.changes import announce, in_one_transaction


@in_one_transaction
def scan(*, table: Table, phone: str, now: datetime) -> Pad:
    """A phone that scans the table's code takes the pad, unless it holds it already."""
    _lock(table)
    pad = table.pads.filter(phone=phone, held=True).first()
    return pad or take(table=table, phone=phone, now=now)


@in_one_transaction
def take(*, table: Table, phone: str, now: datetime) -> Pad:
    """Gives the pad to this phone alone."""
    _lock(table)
    table.pads.exclude(phone=phone).update(held=False)
    return _hold(table, phone, now)


@in_one_transaction
def join(*, table: Table, phone: str, now: datetime) -> Pad:
    """Gives the pad to this phone too, together with those that hold it already."""
    _lock(table)
    return _hold(table, phone, now)


@in_one_transaction
def name(*, table: Table, phone: str, name: str, now: datetime) -> None:
    """Saves the name of the phone's owner. Malformed if it is not a name, Pad.DoesNotExist if the phone never scanned
    the code."""
    pad = table.pads.select_for_update(no_key=True).get(phone=phone)
    pad.name = storable.name(name)
    pad.save(update_fields=["name"])
    _announce(table, now)


def _hold(table: Table, phone: str, now: datetime) -> Pad:
    pad, _made = table.pads.update_or_create(phone=phone, defaults={"held": True, "since": now})
    _announce(table, now)
    return pad


def _lock(table: Table) -> None:
    """Locks the table, so that of two phones that scan at the same time, one waits for the other."""
    Table.objects.select_for_update(no_key=True).get(pk=table.pk)


def _announce(table: Table, now: datetime) -> None:
    announce(kind="pad", club_id=table.club_id, table_id=table.pk, now=now)
