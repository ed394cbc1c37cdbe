"""Browsers on which somebody has signed in before. Strangers who guess a password cannot shut them out."""

from collections.abc import Mapping

from django.conf import settings
from django.core import signing
from django.http import HttpResponse

COOKIE = "known"
YEAR = 365 * 24 * 3600  # seconds


def remember(answer: HttpResponse, username: str) -> None:
    """Makes the browser known as one on which this user has signed in."""
    answer.set_cookie(
        COOKIE,
        # Cookies can have ASCII letters only, names any.
        _signer().sign_object(username),
        max_age=YEAR,
        httponly=True,
        samesite="Lax",
        secure=settings.SESSION_COOKIE_SECURE,
    )


def known_name(cookies: Mapping[str, str]) -> str:
    """The name of the user who has signed in on the browser with these cookies; "" if there is none."""
    try:
        name: str = _signer().unsign_object(cookies.get(COOKIE, ""), max_age=YEAR)
    except signing.BadSignature:
        return ""
    return name


def _signer() -> signing.TimestampSigner:
    return signing.TimestampSigner(salt="scorekeeper.known-browsers")
