"""Reading who is signed in where, with which programs, and for how long wrong passwords lock a name."""

from datetime import datetime

from axes.models import AccessAttempt
from django.conf import settings
from django.contrib.sessions.models import Session
from django.utils import timezone

from scorekeeper.models import ProgramToken, SignIn, User


def locked_until(*, name: str, network: str) -> datetime | None:
    """When the lock of the name (without capitals) for the network ends; None without enough wrong passwords for a
    lock. One query."""
    attempts = AccessAttempt.objects.filter(username=name, ip_address=network).order_by("-attempt_time")
    wrong = 0
    for failures, last in attempts.values_list("failures_since_start", "attempt_time"):
        wrong += failures
        if wrong >= settings.AXES_FAILURE_LIMIT:
            return last + settings.AXES_COOLOFF_TIME
    return None


def sign_ins_of(user: User) -> list[SignIn]:
    """The browsers on which the user is signed in now, the newest first. One query."""
    alive = Session.objects.filter(expire_date__gt=timezone.now()).values("session_key")
    return list(SignIn.objects.filter(user=user, session__in=alive).order_by("-at", "-pk"))


def programs_of(user: User) -> list[ProgramToken]:
    """The user's tokens that are valid now, with their clubs, the newest first. One query."""
    valid = ProgramToken.objects.filter(user=user, revoked_at=None, expires_at__gt=timezone.now())
    return list(valid.select_related("club").order_by("-made_at", "-pk"))
