"""Tokens with which programs act for those who sign in."""

import secrets
from datetime import datetime, timedelta

from django.db.models import Q

from scorekeeper.access import PROGRAM, digest
from scorekeeper.models import AuditEntry, Club, ProgramToken, User
from scorekeeper.services import storable
from scorekeeper.services.audit import note
from scorekeeper.services.changes import in_one_transaction

USE_NOTED = timedelta(minutes=5)  # at most so often, so that not every request writes


@in_one_transaction
def add(*, user: User, club: Club, name: str, lives: timedelta, now: datetime) -> str:
    """A new token for a program, which directs this club for the user. Raises games.Malformed for a name."""
    token = PROGRAM + secrets.token_urlsafe(32)
    made = ProgramToken.objects.create(
        user=user, club=club, name=storable.name(name), sha256=digest(token), made_at=now, expires_at=now + lives
    )
    note(club=club, kind=AuditEntry.Kind.PROGRAM_ADDED, by=user, now=now, what=made.name)
    return token


@in_one_transaction
def revoke(*, user: User, pk: int, now: datetime) -> None:
    """Ends a token of the user. Nothing happens if they have none with this number that is valid."""
    found = ProgramToken.objects.select_for_update(of=("self",)).filter(user=user, pk=pk, revoked_at=None)
    if program := found.select_related("club").first():
        program.revoked_at = now
        program.save(update_fields=["revoked_at"])
        note(club=program.club, kind=AuditEntry.Kind.PROGRAM_REVOKED, by=user, now=now, what=program.name)


def note_use(*, program: ProgramToken, now: datetime) -> None:
    """Notes that a program calls. One query, and none if that was noted some minutes ago."""
    if program.used_at is None or program.used_at < now - USE_NOTED:
        long_ago = Q(used_at=None) | Q(used_at__lt=now - USE_NOTED)
        ProgramToken.objects.filter(long_ago, pk=program.pk).update(used_at=now)
