"""The stream that pages and programs follow."""

import functools
from collections.abc import AsyncIterator, Callable
from contextlib import aclosing

from django.contrib.auth.decorators import login_not_required
from django.http import Http404, HttpRequest, StreamingHttpResponse
from django.views.decorators.http import require_GET

from scorekeeper.access import Refusal, actor_of, pad_for, table_for, tournament_for
from scorekeeper.live import Topic, parts
from scorekeeper.live.hub import hub
from scorekeeper.models import Event

HEADERS = {
    "Cache-Control": "no-cache",
    "X-Accel-Buffering": "no",
}  # a proxy must pass on each message at once


@login_not_required
@require_GET
def live(request: HttpRequest) -> StreamingHttpResponse:
    """Server-sent events of `?topic=`, drawn as `?part=` or as JSON.

    404 if the topic does not exist or has no such part, 403 for what only phones of the table may see.
    """
    part = request.GET.get("part", "")
    try:
        topic = Topic.parse(request.GET.get("topic", ""))
    except ValueError as error:
        raise Http404("No such topic.") from error
    if not parts.has(part, topic.kind) or not _may_follow(request, topic, part):
        raise Http404("No such topic.")
    may = functools.partial(_still_follows, request, topic, part) if part in parts.OF_PHONES else None
    stream = _stream(topic, part, request.LANGUAGE_CODE, _last(request), may)
    return StreamingHttpResponse(stream, content_type="text/event-stream", headers=HEADERS)


def _may_follow(request: HttpRequest, topic: Topic, part: str) -> bool:
    """False if the topic does not exist. Refusal if only phones of the table may see it, and this is none."""
    match part:
        case "pad":
            return bool(table_for(actor_of(request), topic.id, need="record"))
        case "elsewhere":
            return bool(pad_for(actor_of(request), topic.id))
    if topic.kind == Event.Kind.TOURNAMENT:
        return bool(tournament_for(actor_of(request), topic.id))
    return topic.exists()


def _still_follows(request: HttpRequest, topic: Topic, part: str) -> bool:
    try:
        return _may_follow(request, topic, part)
    except Refusal:
        return False


def _last(request: HttpRequest) -> int | None:
    last = request.headers.get("Last-Event-ID", "")
    return int(last) if last.isascii() and last.isdigit() else None


async def _stream(
    topic: Topic, part: str, language: str, last: int | None, may: Callable[[], bool] | None
) -> AsyncIterator[bytes]:
    async with aclosing(hub.subscribe(topic, part, language, last, may)) as messages:
        async for message in messages:
            yield message
