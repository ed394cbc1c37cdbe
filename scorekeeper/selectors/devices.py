"""Reading the passes of a table: its codes, and the phones that scanned one."""

from dataclasses import dataclass
from datetime import datetime

from django.db.models import OuterRef, Subquery

from scorekeeper.models import DeviceToken, LogEntry, Pad, Table

SHOWN = 50


@dataclass(frozen=True, slots=True)
class Code:
    """A token of the table, and when an entry last came with it."""

    device: DeviceToken
    used_at: datetime | None


def codes_of(table: Table) -> list[Code]:
    """The table's valid codes, the newest first. One query: the log has the last use, so a play writes no more for
    it."""
    last = LogEntry.objects.filter(device=OuterRef("pk")).order_by("-id").values("at")[:1]
    valid = table.devices.filter(revoked_at=None).select_related("by").order_by("-id")
    return [Code(device, device.used_at) for device in valid.annotate(used_at=Subquery(last))[:SHOWN]]


def phones_of(table: Table) -> list[Pad]:
    """The phones that scanned a code of the table, those with the pad first, then the newest. One query."""
    return list(table.pads.order_by("-held", "-since", "-pk")[:SHOWN])
