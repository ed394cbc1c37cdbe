"""Opens and closes tables, and makes and revokes the tokens in their QR codes."""

import secrets
from datetime import datetime, timedelta

from scorekeeper.access import digest
from scorekeeper.models import AuditEntry, DeviceToken, Pad, Table, User
from scorekeeper.services.audit import note_at
from scorekeeper.services.changes import announce, in_one_transaction

# Long enough for a long evening, but expired before the next one.
TOKEN_LIVES = timedelta(hours=18)
ADDRESS = 200


@in_one_transaction
def fresh_token(*, table: Table, now: datetime, address: str = "", by: User | None = None) -> str:
    """A new token for the table. Only its digest is stored, so nobody can show it again. `address` is the one at which
    its holder reaches this server."""
    token = secrets.token_urlsafe(32)
    DeviceToken.objects.create(
        table=table, sha256=digest(token), made_at=now, expires_at=now + TOKEN_LIVES, by=by, address=address[:ADDRESS]
    )
    note_at(table=table, kind=AuditEntry.Kind.CODE_MADE, by=by, now=now)
    return token


@in_one_transaction
def revoke_token(*, device: DeviceToken, now: datetime, by: User | None = None) -> None:
    """Revokes one token. Its phones are out at once. Nothing happens if it is revoked already."""
    table = _locked(device.table_id)
    if table.devices.filter(pk=device.pk, revoked_at=None).update(revoked_at=now):
        _revoked(table, AuditEntry.Kind.CODE_REVOKED, by, now)


@in_one_transaction
def revoke_tokens(*, table: Table, now: datetime, by: User | None = None) -> int:
    """Revokes all tokens of the table; returns how many were not revoked before. Its phones are out at once."""
    number = _revoke_all(_locked(table.pk), now)
    if number:
        _revoked(table, AuditEntry.Kind.CODES_REVOKED, by, now)
    return number


@in_one_transaction
def revoke_phone(*, pad: Pad, now: datetime, by: User | None = None) -> None:
    """Revokes one phone: it is out at once, and only a token made after this lets it in again."""
    table = _locked(pad.table_id)
    table.pads.filter(pk=pad.pk).update(revoked_at=now, held=False)
    _revoked(table, AuditEntry.Kind.PHONE_REVOKED, by, now, pad.name)


@in_one_transaction
def table_set_open(*, table: Table, is_open: bool, now: datetime, by: User | None = None) -> Table:
    """Opens or closes the table. Closing revokes its tokens: after it has been opened again, phones need a new code."""
    locked = _locked(table.pk)
    locked.open = is_open
    locked.save(update_fields=["open"])
    if not is_open:
        _revoke_all(locked, now)
    kind = AuditEntry.Kind.TABLE_OPENED if is_open else AuditEntry.Kind.TABLE_CLOSED
    note_at(table=locked, kind=kind, by=by, now=now)
    announce(kind="table", club_id=locked.club_id, table_id=locked.pk, now=now)
    return locked


def _locked(table_id: int) -> Table:
    return Table.objects.select_for_update(no_key=True).get(pk=table_id)


def _revoke_all(table: Table, now: datetime) -> int:
    """Also those that have expired: they would be valid again if the clock was set back."""
    return table.devices.filter(revoked_at=None).update(revoked_at=now)


def _revoked(table: Table, kind: AuditEntry.Kind, by: User | None, now: datetime, what: str = "") -> None:
    note_at(table=table, kind=kind, by=by, now=now, what=what)
    # Phones that follow the pad are asked whether they still may.
    announce(kind="pad", club_id=table.club_id, table_id=table.pk, now=now)
