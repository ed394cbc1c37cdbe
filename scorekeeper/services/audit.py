"""Notes what hosts do, if no other log has it."""

from datetime import datetime
from typing import Any

from django.utils import timezone

from scorekeeper.models import AuditEntry, Membership, Role, Table, User

HOSTS = [role for role in Role if role.covers(Role.SCORER)]


def note_at(*, table: Table, kind: AuditEntry.Kind, by: User | None, now: datetime, what: str = "") -> None:
    """Notes an action at a table, in the transaction of the action."""
    AuditEntry.objects.create(club_id=table.club_id, table=table, kind=kind, user=by, at=now, what=what)


def signed_in(*, user: User, **_signal: Any) -> None:
    """Notes that a user signed in, in every club where they are a host or scorer. Receives Django's signal."""
    clubs = Membership.objects.filter(user=user, role__in=HOSTS).values_list("club", flat=True)
    now = timezone.now()
    AuditEntry.objects.bulk_create(
        AuditEntry(club_id=club, kind=AuditEntry.Kind.SIGNED_IN, user=user, at=now) for club in clubs
    )
