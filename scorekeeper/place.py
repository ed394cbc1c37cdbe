"""Where a request or a job takes place: all its times are in the time zone of that club, and the club's language is
that of everybody who asks for no other. Visitors are the public, unless `access` finds that they may read whole names.
"""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from functools import cache

from django.conf import settings
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils import timezone, translation
from django.utils.translation.trans_real import get_supported_language_variant, parse_accept_lang_header

from scorekeeper.models import Club, shown


@dataclass(slots=True)
class Visit:
    """A request, and where `access` let it in."""

    asks: bool
    """Whether the browser asks for a language that we have."""
    club: Club | None = None
    """The last one."""
    event: int | None = None
    """The id of the event that it was let in to, if any."""
    trusted: Club | None = None
    """The club where whole names are shown to it, if any."""


_now: ContextVar[Visit | None] = ContextVar("visit", default=None)


def visits(answer: Callable[[HttpRequest], HttpResponseBase]) -> Callable[[HttpRequest], HttpResponseBase]:
    """The middleware: each request is a visit."""

    def within(request: HttpRequest) -> HttpResponseBase:
        with visiting(request):
            return answer(request)

    return within


@contextmanager
def visiting(request: HttpRequest) -> Iterator[None]:
    """Until the visitor `enter`s a club, times are in the time zone of the server."""
    token = _now.set(Visit(_asks_for_language(request)))
    try:
        with timezone.override(None), shown.showing(cache(_initials_of_all)):
            yield
    finally:
        _now.reset(token)


def visit() -> Visit | None:
    """The one that goes on; None outside of requests."""
    return _now.get()


def enter(club: Club, event: int | None = None) -> None:
    """From now on the visit takes place at this club, and at an event of it if it has the id of one."""
    now = _now.get()
    if now is None:
        return
    now.club, now.event = club, event or now.event
    timezone.activate(club.time_zone)
    if not now.asks:
        translation.activate(club.language)
    if now.trusted != club:
        shown.in_public(lambda: club.initials)


def trust(club: Club) -> None:
    """From now on the visit is shown whole names, as long as it takes place at this club."""
    if now := _now.get():
        now.trusted = club
        shown.whole()


def enter_all() -> None:
    """From now on the visit is shown what is in several clubs."""
    if _now.get():
        shown.in_public(cache(_initials_of_all))


def _initials_of_all() -> Mapping[str, str]:
    """By name, what the public of any club reads instead. One query."""
    clubs = Club.objects.exclude(initials={}).values_list("initials", flat=True)
    return {name: initials for each in clubs for name, initials in each.items()}


@contextmanager
def at(club: Club) -> Iterator[None]:
    """For what the server writes by itself."""
    with timezone.override(club.time_zone), translation.override(club.language):
        yield


def reader() -> tuple[str, str]:
    """For whom a page is drawn now: their language, and the time zone of its times. Equal readers see the same."""
    return translation.get_language() or settings.LANGUAGE_CODE, timezone.get_current_timezone_name()


def _asks_for_language(request: HttpRequest) -> bool:
    chosen = request.COOKIES.get(settings.LANGUAGE_COOKIE_NAME, "")
    accepted = [code for code, _weight in parse_accept_lang_header(request.headers.get("Accept-Language", ""))]
    return any(_have(code) for code in (chosen, *accepted))


def _have(code: str) -> bool:
    try:
        return bool(get_supported_language_variant(code))
    except LookupError:
        return False
