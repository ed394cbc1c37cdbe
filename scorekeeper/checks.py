"""System checks: settings that cannot work together are reported before anything starts."""

from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.core.checks import CheckMessage, Error, register

LOCAL = ("localhost", "127.0.0.1", "::1")


@register
def settings_work_together(app_configs: Any = None, **_: Any) -> list[CheckMessage]:
    """Settings that contradict each other."""
    errors: list[CheckMessage] = []
    host = urlsplit(settings.PUBLIC_URL).hostname
    if "*" in settings.ALLOWED_HOSTS:
        errors.append(
            Error(
                "The server would answer to any host name.",
                hint="List the real names in SCOREKEEPER_ALLOWED_HOSTS, separated by commas.",
                id="scorekeeper.E001",
            )
        )
    if settings.DEBUG and host and host not in LOCAL:
        errors.append(
            Error(
                "SCOREKEEPER_DEBUG would show the inside of the server to everybody at SCOREKEEPER_PUBLIC_URL.",
                hint="Remove SCOREKEEPER_DEBUG or the public address.",
                id="scorekeeper.E002",
            )
        )
    if settings.PUBLIC_URL.startswith("https://") and not settings.SESSION_COOKIE_SECURE:
        errors.append(
            Error(
                "The public address is https, but browsers would also send session cookies over http.",
                hint="Do not change SESSION_COOKIE_SECURE: SCOREKEEPER_PUBLIC_URL sets it.",
                id="scorekeeper.E003",
            )
        )
    return errors
