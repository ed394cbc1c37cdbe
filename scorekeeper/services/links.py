"""Links that work once: to make the first club, to set a password, to become a member."""

import secrets
from datetime import datetime, timedelta
from typing import Any

from django.db.models import QuerySet

from scorekeeper.access import digest
from scorekeeper.models import OneTimeLink
from scorekeeper.services.changes import in_one_transaction


@in_one_transaction
def make(*, purpose: str, lives: timedelta, now: datetime, **about: Any) -> str:
    """The token of a new link. `about`: whom or what it is for, in the columns of `OneTimeLink`."""
    token = secrets.token_urlsafe(32)
    OneTimeLink.objects.create(sha256=digest(token), purpose=purpose, made_at=now, expires_at=now + lives, **about)
    return token


def end_all(*, purpose: str, now: datetime, **about: Any) -> None:
    """Ends the links for this that are still valid."""
    OneTimeLink.objects.filter(purpose=purpose, used_at=None, **about).update(expires_at=now)


def valid(*, purpose: str, token: str, now: datetime) -> QuerySet[OneTimeLink]:
    """The link, if it was neither used nor has expired."""
    return OneTimeLink.objects.filter(sha256=digest(token), purpose=purpose, used_at=None, expires_at__gt=now)


def use(*, purpose: str, token: str, now: datetime) -> OneTimeLink | None:
    """Uses the link up, in the transaction of its effect; None if it is not valid."""
    link = valid(purpose=purpose, token=token, now=now).select_for_update().first()
    if link:
        link.used_at = now
        link.save(update_fields=["used_at"])
    return link
