"""Answers that wait for a thought of Nestor."""

from collections.abc import AsyncIterator, Callable
from functools import partial
from typing import Any

from django.http import HttpRequest, StreamingHttpResponse
from django.utils.translation import gettext_noop

from scorekeeper.live.thread import DatabaseThread
from scorekeeper.serving.thinking import Busy, thinking

NO_ANSWER = gettext_noop("Nestor could not think about it now. Ask him again.")
_thread = DatabaseThread("nestor")


def when_found(
    request: HttpRequest, question: dict[str, Any], draw: Callable[[dict[str, Any] | None], str]
) -> StreamingHttpResponse:
    """Asks Nestor for the visitor; `draw` gets his move, or None, and draws the answer. It is a stream, so it holds no
    thread while he thinks."""
    return StreamingHttpResponse(_drawn(str(request.session.session_key), question, draw))


async def _drawn(
    visitor: str, question: dict[str, Any], draw: Callable[[dict[str, Any] | None], str]
) -> AsyncIterator[str]:
    try:
        move = (await thinking.ask(visitor, question))["move"]
    except Busy:
        move = None
    yield await _thread.ask(partial(draw, move))
