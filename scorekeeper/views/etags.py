"""Answers "not modified" without drawing, if the visitor already has the current version of a public page.

The tag of a page covers the newest change of its topic and everything else that the page depends on: its language and
time zone, the visitor's cookies, the address of the server, the version of the program, and the number of clocks that
have run out. Visitors with a session (hosts, phones at a table) see personal pages, which have no tag.
"""

from collections.abc import Callable
from datetime import datetime
from functools import cache
from hashlib import sha256
from pathlib import Path

from django.conf import settings
from django.db.models import CharField, Max, QuerySet, Value
from django.db.models.functions import Cast, Concat
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.cache import get_conditional_response

from scorekeeper.live.topics import Topic
from scorekeeper.models import Change, Club, Event, Match, Player
from scorekeeper.place import reader
from scorekeeper.selectors.ending import until


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
    found = Event.objects.select_related("club").filter(pk=pk, public=True).first()
    return _open_tag(request, found.club, newest_of(found)) if found else None


def newest_of(event: Event, *more: Topic) -> int | None:
    """The newest change of an event, its club or `more`: pages of events show the current names of the club's players.
    One query."""
    return _newest(Topic.of_event(event), Topic("club", event.club_id), *more)


def newest_of_players(*players: Player) -> int | None:
    """The newest change of the clubs in which these people from `access.player_for` play. No query, one if somebody is
    linked."""
    found = [player.club.newest_change for player in players]
    if persons := [player.person_id for player in players if player.person_id is not None]:
        club = Concat(Value("club:"), Cast("club", CharField()))
        topics = Player.objects.filter(person__in=persons).values_list(club)
        found.append(Change.objects.filter(topic__in=topics).aggregate(newest=Max("pk"))["newest"])
    return max(filter(None, found), default=None)


def newest_of_match(match: Match) -> int | None:
    """The newest change of a match or its club. One query."""
    return _newest(Topic("match", match.pk), Topic("club", match.club_id))


def match(request: HttpRequest, pk: int) -> str | None:
    """Three queries."""
    club, over = Club.objects.filter(matches=pk).first(), _over(Match.objects.filter(pk=pk), timezone.now())
    return _open_tag(request, club, _newest(Topic("match", pk)), over)


def table(request: HttpRequest, pk: int) -> str | None:
    """Three queries."""
    club, over = Club.objects.filter(tables=pk).first(), _over(Match.objects.filter(table=pk), timezone.now())
    return _open_tag(request, club, _newest(Topic("table", pk)), over)


def _newest(*topics: Topic) -> int | None:
    """The id of the newest change of the topics; None before the first. One query."""
    newest: int | None = Change.objects.filter(topic__in=map(str, topics)).aggregate(newest=Max("pk"))["newest"]
    return newest


def _over(matches: QuerySet[Match], now: datetime) -> int:
    """How many of these matches are in play and out of time. One query."""
    clocks = matches.filter(status=Match.Status.PLAYING, minutes__isnull=False)
    clocks = clocks.only("created_at", "minutes", "stood", "paused_at")
    return sum(now >= at for match in clocks if (at := until(match)))


def _open_tag(request: HttpRequest, club: Club | None, newest: int | None, *more: object) -> str | None:
    """The tag of a page before `access` is asked, so only what everybody may see has one."""
    return _tag(request, newest, club.language, club.time_zone, *more) if club and club.public else None


def _tag(request: HttpRequest, newest: int | None, *more: object) -> str | None:
    if newest is None or settings.SESSION_COOKIE_NAME in request.COOKIES:
        return None
    of = reader(), request.headers.get("Cookie", ""), request.get_host(), newest, more, _program()
    return f'"{sha256(repr(of).encode()).hexdigest()[:32]}"'


@cache
def _program() -> int:
    """When the newest file of the program was written. A new version may draw pages differently."""
    folders = Path(__file__).parent.parent, settings.BASE_DIR / "templates"
    files = (file for folder in folders for file in folder.rglob("*") if "__pycache__" not in file.parts)
    return max(file.stat().st_mtime_ns for file in files)
