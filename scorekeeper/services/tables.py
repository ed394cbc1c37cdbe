"""Opens and closes tables, and makes, renews and revokes the tokens in their QR codes."""

from base64 import urlsafe_b64encode
from dataclasses import dataclass
from datetime import datetime

from django.utils.crypto import salted_hmac

from scorekeeper.access import digest
from scorekeeper.models import AuditEntry, DeviceToken, Pad, Table, User
from scorekeeper.services import short_codes
from scorekeeper.services.audit import note_at
from scorekeeper.services.changes import announce, in_one_transaction

ADDRESS = 200


@dataclass(frozen=True, slots=True)
class Code:
    """The two ways into a table: the token in its QR code, and what people type instead."""

    token: str
    short: str


@in_one_transaction
def code(*, table: Table, now: datetime, address: str = "", by: User | None = None) -> Code:
    """The table's code: the same each time, until it is revoked. `address` is the one at which its holder reaches this
    server. The first one is made here; so is another one if the server has a new secret key, and cannot show the old
    one, which still works."""
    valid = _locked(table.pk).devices.filter(revoked_at=None).exclude(short=None)
    newest = valid.order_by("-pk").first()
    token = newest and newest.short and _token(newest.short)
    if not (newest and newest.short and token and digest(token) == newest.sha256):
        return _new(table, now, address, by)
    if newest.address != address[:ADDRESS]:
        newest.address = address[:ADDRESS]
        newest.save(update_fields=["address"])
    return Code(token, newest.short)


@in_one_transaction
def renew(*, table: Table, now: datetime, address: str = "", by: User | None = None) -> Code:
    """A new code for the table. All earlier ones are revoked."""
    revoke_tokens(table=table, now=now, by=by)
    return _new(table, now, address, by)


@in_one_transaction
def fresh_token(*, table: Table, now: datetime, address: str = "", by: User | None = None) -> str:
    """The token of another code for the table, next to those that it has."""
    return _new(table, now, address, by).token


def _new(table: Table, now: datetime, address: str, by: User | None) -> Code:
    short = short_codes.fresh()
    while DeviceToken.objects.filter(short=short).exists():
        short = short_codes.fresh()
    token = _token(short)
    DeviceToken.objects.create(
        table=table, sha256=digest(token), short=short, made_at=now, by=by, address=address[:ADDRESS]
    )
    note_at(table=table, kind=AuditEntry.Kind.CODE_MADE, by=by, now=now)
    return Code(token, short)


def _token(short: str) -> str:
    """The token of the code with this short code. Only the secret key of the server can make it again, so it is not
    stored, and no backup has it."""
    return urlsafe_b64encode(salted_hmac("table code", short, algorithm="sha256").digest()).rstrip(b"=").decode()


@in_one_transaction
def revoke_token(*, device: DeviceToken, now: datetime, by: User | None = None) -> None:
    """Revokes one token. Its phones are out at once. Nothing happens if it is revoked already."""
    table = _locked(device.table_id)
    if table.devices.filter(pk=device.pk, revoked_at=None).update(revoked_at=now):
        _revoked(table, AuditEntry.Kind.CODE_REVOKED, by, now)


@in_one_transaction
def revoke_tokens(*, table: Table, now: datetime, by: User | None = None) -> int:
    """Revokes all tokens of the table; returns how many were not revoked before. Its phones are out at once."""
    locked = _locked(table.pk)
    number = locked.devices.filter(revoked_at=None).update(revoked_at=now)
    if number:
        _revoked(locked, AuditEntry.Kind.CODES_REVOKED, by, now)
    return number


@in_one_transaction
def revoke_phone(*, pad: Pad, now: datetime, by: User | None = None) -> None:
    """Revokes one phone: it is out at once, and only a token made after this lets it in again."""
    table = _locked(pad.table_id)
    table.pads.filter(pk=pad.pk).update(revoked_at=now, held=False)
    _revoked(table, AuditEntry.Kind.PHONE_REVOKED, by, now, pad.name)


@in_one_transaction
def table_set_open(*, table: Table, is_open: bool, now: datetime, by: User | None = None) -> Table:
    """Opens or closes the table. Nobody records at a closed one with its tokens; they are good again once it opens."""
    locked = _locked(table.pk)
    locked.open = is_open
    locked.save(update_fields=["open"])
    kind = AuditEntry.Kind.TABLE_OPENED if is_open else AuditEntry.Kind.TABLE_CLOSED
    note_at(table=locked, kind=kind, by=by, now=now)
    announce(kind="table", club_id=locked.club_id, table_id=locked.pk, now=now)
    return locked


def _locked(table_id: int) -> Table:
    return Table.objects.select_for_update(no_key=True).get(pk=table_id)


def _revoked(table: Table, kind: AuditEntry.Kind, by: User | None, now: datetime, what: str = "") -> None:
    note_at(table=table, kind=kind, by=by, now=now, what=what)
    # Phones that follow the pad are asked whether they still may.
    announce(kind="pad", club_id=table.club_id, table_id=table.pk, now=now)
