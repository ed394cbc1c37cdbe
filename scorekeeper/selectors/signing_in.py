"""Reading for how long wrong passwords lock a name."""

from datetime import datetime

from axes.models import AccessAttempt
from django.conf import settings


def locked_until(*, name: str, network: str) -> datetime | None:
    """When the lock of the name for the network ends; None without enough wrong passwords for a lock. One query."""
    attempts = AccessAttempt.objects.filter(username=name, ip_address=network).order_by("-attempt_time")
    wrong = 0
    for failures, last in attempts.values_list("failures_since_start", "attempt_time"):
        wrong += failures
        if wrong >= settings.AXES_FAILURE_LIMIT:
            return last + settings.AXES_COOLOFF_TIME
    return None
