"""Opening and closing tables, and the tokens their QR codes carry."""

import secrets
from datetime import datetime, timedelta

from django.db import transaction

from scorekeeper.access import digest
from scorekeeper.models import DeviceToken, Table
from scorekeeper.services.events import announce

# Long enough for a long evening, over before the next one.
TOKEN_LIVES = timedelta(hours=18)
ADDRESS = 200


def fresh_token(*, table: Table, now: datetime, address: str = "") -> str:
    """A new token for the table, in plain: only its digest is kept, so it cannot be shown again. `address`: under which
    this server is reached by whoever gets it."""
    token = secrets.token_urlsafe(32)
    DeviceToken.objects.create(
        table=table, sha256=digest(token), made_at=now, expires_at=now + TOKEN_LIVES, address=address[:ADDRESS]
    )
    return token


def revoke_tokens(*, table: Table, now: datetime) -> int:
    """Ends every token of the table at once; how many were good until now."""
    return table.devices.filter(revoked_at=None, expires_at__gt=now).update(revoked_at=now)


@transaction.atomic
def table_set_open(*, table: Table, is_open: bool, now: datetime) -> Table:
    """Opens or closes the table: while it is closed no phone writes at it by its token."""
    locked = Table.objects.select_for_update(no_key=True).get(pk=table.pk)
    locked.open = is_open
    locked.save(update_fields=["open"])
    announce(kind="table", club_id=locked.club_id, table_id=locked.pk, now=now)
    return locked
