"""Opens and closes tables, and makes the tokens in their QR codes."""

import secrets
from datetime import datetime, timedelta

from django.db import transaction

from scorekeeper.access import digest
from scorekeeper.models import DeviceToken, Table
from scorekeeper.services.changes import announce

# Long enough for a long evening, but expired before the next one.
TOKEN_LIVES = timedelta(hours=18)
ADDRESS = 200


def fresh_token(*, table: Table, now: datetime, address: str = "") -> str:
    """A new token for the table. Only its digest is stored, so nobody can show it again. `address` is the one at which
    its holder reaches this server."""
    token = secrets.token_urlsafe(32)
    DeviceToken.objects.create(
        table=table, sha256=digest(token), made_at=now, expires_at=now + TOKEN_LIVES, address=address[:ADDRESS]
    )
    return token


def revoke_tokens(*, table: Table, now: datetime) -> int:
    """Revokes all tokens of the table; returns how many were valid."""
    return table.devices.filter(revoked_at=None, expires_at__gt=now).update(revoked_at=now)


@transaction.atomic
def table_set_open(*, table: Table, is_open: bool, now: datetime) -> Table:
    """Opens or closes the table. No phone can record at a closed table with its token."""
    locked = Table.objects.select_for_update(no_key=True).get(pk=table.pk)
    locked.open = is_open
    locked.save(update_fields=["open"])
    announce(kind="table", club_id=locked.club_id, table_id=locked.pk, now=now)
    return locked
