"""System checks: settings that cannot work together, said before anything starts."""

from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.core.checks import CheckMessage, Error, register

LOCAL = ("localhost", "127.0.0.1", "::1")


@register
def settings_work_together(app_configs: Any = None, **_: Any) -> list[CheckMessage]:
    """What is wrong with the settings as a whole."""
    found: list[CheckMessage] = []
    host = urlsplit(settings.PUBLIC_URL).hostname
    if "*" in settings.ALLOWED_HOSTS:
        found.append(
            Error(
                "The server would answer to any host name.",
                hint="Name the real ones in SCOREKEEPER_ALLOWED_HOSTS, separated by commas.",
                id="scorekeeper.E001",
            )
        )
    if settings.DEBUG and host and host not in LOCAL:
        found.append(
            Error(
                "SCOREKEEPER_DEBUG shows the server's inside to everybody at SCOREKEEPER_PUBLIC_URL.",
                hint="Leave SCOREKEEPER_DEBUG out, or the public address.",
                id="scorekeeper.E002",
            )
        )
    if settings.PUBLIC_URL.startswith("https://") and not settings.SESSION_COOKIE_SECURE:
        found.append(
            Error(
                "The public address is https, yet session cookies would travel without it.",
                hint="Leave SESSION_COOKIE_SECURE as SCOREKEEPER_PUBLIC_URL sets it.",
                id="scorekeeper.E003",
            )
        )
    return found
