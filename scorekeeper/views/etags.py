"""Answers "not modified" without drawing, if the visitor already has the current version of a public page.

The tag of a page covers the newest change of its topic and everything else that the page depends on: its language, the
visitor's cookies, the address of the server, the version of the program, and the number of clocks that have run out.
Visitors with a session (hosts, phones at a table) see personal pages, which have no tag.
"""

from collections.abc import Callable
from datetime import datetime
from functools import cache
from hashlib import sha256
from pathlib import Path

from django.conf import settings
from django.db.models import Max, QuerySet
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.cache import get_conditional_response

from scorekeeper.live.topics import Topic
from scorekeeper.models import Change, Event, Match
from scorekeeper.selectors.clubs import clubs
from scorekeeper.selectors.ending import until
from scorekeeper.selectors.events import open_nights


def home(request: HttpRequest) -> str | None:
    """The page has no topic, because all clubs would share it: the tag covers what it shows. Two queries."""
    listed = [(club.pk, club.name, club.matches_playing) for club in clubs()]
    nights = list(open_nights().values_list("pk", "club"))
    return _tag(request, 0, listed, nights)


def not_modified_or(
    request: HttpRequest, newest: int | None, draw: Callable[[], HttpResponse], *more: object
) -> HttpResponse:
    """Draws the page only if the visitor does not have its current version. `more`: what it shows besides its topic."""
    tag = _tag(request, newest, *more)
    answer = get_conditional_response(request, etag=tag) or draw()
    if tag:
        answer.headers["ETag"] = tag
    return answer


def night(request: HttpRequest, pk: int, **_address: object) -> str | None:
    """Two queries. Browsers keep a tag for each address."""
    found = Event.objects.filter(pk=pk).only("kind", "club").first()
    return _tag(request, newest_of(found)) if found else None


def newest_of(event: Event) -> int | None:
    """The newest change of an event or its club: pages of events show the current names of the club's players. One
    query."""
    return _newest(Topic.of_event(event), Topic("club", event.club_id))


def match(request: HttpRequest, pk: int) -> str | None:
    """Two queries."""
    return _tag(request, _newest(Topic("match", pk)), _over(Match.objects.filter(pk=pk), timezone.now()))


def table(request: HttpRequest, pk: int) -> str | None:
    """Two queries."""
    return _tag(request, _newest(Topic("table", pk)), _over(Match.objects.filter(table=pk), timezone.now()))


def _newest(*topics: Topic) -> int | None:
    """The id of the newest change of the topics; None before the first. One query."""
    newest: int | None = Change.objects.filter(topic__in=map(str, topics)).aggregate(newest=Max("pk"))["newest"]
    return newest


def _over(matches: QuerySet[Match], now: datetime) -> int:
    """How many of these matches are in play and out of time. One query."""
    clocks = matches.filter(status=Match.Status.PLAYING, minutes__isnull=False)
    clocks = clocks.only("created_at", "minutes", "stood", "paused_at")
    return sum(now >= at for match in clocks if (at := until(match)))


def _tag(request: HttpRequest, newest: int | None, *more: object) -> str | None:
    if newest is None or settings.SESSION_COOKIE_NAME in request.COOKIES:
        return None
    of = request.LANGUAGE_CODE, request.headers.get("Cookie", ""), request.get_host(), newest, more, _program()
    return f'"{sha256(repr(of).encode()).hexdigest()[:32]}"'


@cache
def _program() -> int:
    """When the newest file of the program was written. A new version may draw pages differently."""
    folders = Path(__file__).parent.parent, settings.BASE_DIR / "templates"
    files = (file for folder in folders for file in folder.rglob("*") if "__pycache__" not in file.parts)
    return max(file.stat().st_mtime_ns for file in files)
