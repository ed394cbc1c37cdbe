"""Notes what hosts do, if no other log has it."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from django.conf import settings
from django.utils import timezone

from scorekeeper.models import AuditEntry, Club, Event, Match, Membership, Role, Table, User
from scorekeeper.names import folded
from scorekeeper.services.changes import in_one_transaction

WHAT = 200  # characters of it that an entry has
HOSTS = [role for role in Role if role.covers(Role.SCORER)]


def note(*, club: Club, kind: AuditEntry.Kind, by: User | None, now: datetime, what: str = "") -> None:
    """Notes an action in a club, in the transaction of the action."""
    AuditEntry.objects.create(club=club, kind=kind, user=by, at=now, what=what)


def note_in(
    *, event: Event, kind: AuditEntry.Kind, by: User | None, now: datetime, what: Sequence[str] = ("",)
) -> None:
    """Notes an action in an event, once for each name, in the transaction of the action."""
    AuditEntry.objects.bulk_create(
        AuditEntry(club_id=event.club_id, event=event, kind=kind, user=by, at=now, what=each[:WHAT]) for each in what
    )


def note_at(*, table: Table, kind: AuditEntry.Kind, by: User | None, now: datetime, what: str = "") -> None:
    """Notes an action at a table, in the transaction of the action."""
    AuditEntry.objects.create(club_id=table.club_id, table=table, kind=kind, user=by, at=now, what=what)


def note_of(*, match: Match, kind: AuditEntry.Kind, by: User | None, now: datetime, what: str = "") -> None:
    """Notes an action on a whole match, in the transaction of the action."""
    where = {"club_id": match.club_id, "table_id": match.table_id, "event_id": match.event_id, "match": match}
    AuditEntry.objects.create(**where, kind=kind, user=by, at=now, what=what)


def note_for(*, user: User, kind: AuditEntry.Kind, by: User | None, now: datetime) -> None:
    """Notes what happened to the account of a user, in every club where they are a host or scorer. `by`: who did it."""
    _note_in_clubs(user, kind, now, by=by, what=user.get_username())


def signed_in(*, user: User, **_signal: Any) -> None:
    """Notes that a user signed in, in every club where they are a host or scorer. Receives Django's signal."""
    _note_in_clubs(user, AuditEntry.Kind.SIGNED_IN, timezone.now(), by=user)


@in_one_transaction
def locked_out(*, username: str, ip_address: str, **_signal: Any) -> None:
    """Notes once for each lock that wrong passwords from a network locked the name of a host or scorer, in every club
    where they are one. Receives the signal for each password that is refused because of the lock."""
    user = User.objects.select_for_update(no_key=True).filter(folded=folded(username)).first()
    kind, lock_began = AuditEntry.Kind.LOCKED_OUT, timezone.now() - settings.AXES_COOLOFF_TIME
    noted = AuditEntry.objects.filter(kind=kind, user=user, what=ip_address, at__gt=lock_began)
    if user and not noted.exists():
        _note_in_clubs(user, kind, timezone.now(), by=user, what=ip_address)


def _note_in_clubs(user: User, kind: AuditEntry.Kind, now: datetime, *, by: User | None, what: str = "") -> None:
    clubs = Membership.objects.filter(user=user, role__in=HOSTS).values_list("club", flat=True)
    AuditEntry.objects.bulk_create(AuditEntry(club_id=club, kind=kind, user=by, at=now, what=what) for club in clubs)
