"""The stream that pages and programs follow."""

import functools
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import aclosing

from django.contrib.auth.decorators import login_not_required
from django.http import Http404, HttpRequest, StreamingHttpResponse
from django.views.decorators.http import require_GET

from scorekeeper.access import (
    Actor,
    Refusal,
    actor_of,
    club_numbered,
    ladder_for,
    league_for,
    match_for,
    night_for,
    onlooker_at,
    onlooker_of,
    table_for,
    tournament_for,
    without_pad_for,
)
from scorekeeper.live import Topic, parts
from scorekeeper.live.hub import hub
from scorekeeper.models import Event
from scorekeeper.place import reader, visiting

HEADERS = {
    "Cache-Control": "no-cache",
    "X-Accel-Buffering": "no",
}  # a proxy must pass on each message at once


@login_not_required
@require_GET
def live(request: HttpRequest) -> StreamingHttpResponse:
    """Server-sent events of `?topic=`, drawn as `?part=` or as JSON.

    404 if the topic does not exist or has no such part, 403 for what only phones of the table or members may see.
    """
    part = request.GET.get("part", "")
    try:
        topic = Topic.parse(request.GET.get("topic", ""))
    except ValueError as error:
        raise Http404("No such topic.") from error
    if not parts.has(part, topic.kind):
        raise Http404("No such topic.")
    _must_follow(request, topic, part)
    language, zone = reader()
    may = functools.partial(_still_follows, request, topic, part, zone)
    stream = _stream(topic, part, language, zone, _last(request), may)
    return StreamingHttpResponse(stream, content_type="text/event-stream", headers=HEADERS)


SEEN: Mapping[str, Callable[[Actor, int], object]] = {
    "match": match_for,
    "table": table_for,
    "club": club_numbered,
    Event.Kind.NIGHT: night_for,
    Event.Kind.TOURNAMENT: tournament_for,
    Event.Kind.LEAGUE: league_for,
    Event.Kind.LADDER: ladder_for,
    "outlook": onlooker_of,
}
"""By the kind of a topic, how `access` decides who may see it."""


def _must_follow(request: HttpRequest, topic: Topic, part: str) -> None:
    """Http404 if the topic does not exist. Refusal if this visitor may not see it, or not this part."""
    actor = actor_of(request)
    match part:
        case "pad":
            table_for(actor, topic.id, need="record")
        case "elsewhere":
            without_pad_for(actor, topic.id)
        case "outlook":
            onlooker_at(actor, topic.id)
        case _ if topic.kind == "outlook" and not parts.has(part, onlooker_of(actor, topic.id).kind):
            raise Http404("No such topic.")
        case _:
            SEEN[topic.kind](actor, topic.id)


def _still_follows(request: HttpRequest, topic: Topic, part: str, zone: str) -> bool:
    """Whether the visitor may still follow, and reads times in this zone."""
    try:
        with visiting(request):
            _must_follow(request, topic, part)
            return reader()[1] == zone
    except (Refusal, Http404):
        return False


def _last(request: HttpRequest) -> int | None:
    last = request.headers.get("Last-Event-ID", "")
    return int(last) if last.isascii() and last.isdigit() else None


async def _stream(
    topic: Topic, part: str, language: str, zone: str, last: int | None, may: Callable[[], bool]
) -> AsyncIterator[bytes]:
    async with aclosing(hub.subscribe(topic, part, language, zone, last, may)) as messages:
        async for message in messages:
            yield message
