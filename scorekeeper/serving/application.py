"""Django's ASGI handler, but each request stays in one thread from start to end."""

from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from typing import Any

from asgiref.sync import sync_to_async
from django.core.handlers.asgi import ASGIHandler
from django.db import close_old_connections
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.urls import reverse

from scorekeeper.live.precedence import answering

READERS = 2  # pages at a time: threads share one processor, so more would slow them all down
SAFE = ("GET", "HEAD", "OPTIONS")


class Application(ASGIHandler):
    """Runs middleware and view of a request in one of a few threads that live as long as the server.

    Django's own handler switches between the event loop and a new thread for each request, which has to connect to the
    database: together that takes longer than recording a play. Requests that can change something run one at a time, in
    order of arrival: SQLite allows one writer, and makes the others sleep longer than they need to. Checking records
    changes nothing and can take long, so it has a thread of its own and delays only other checks.
    """

    def __init__(self) -> None:
        super().__init__()
        self._readers = ThreadPoolExecutor(READERS, thread_name_prefix="reader")
        self._writer = ThreadPoolExecutor(1, thread_name_prefix="writer")
        self._checker = ThreadPoolExecutor(1, thread_name_prefix="checker")

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        # Django makes a thread for each request here; a stream would hold it for as long as somebody follows.
        await self.handle(scope, receive, send)

    async def get_response_async(self, request: HttpRequest) -> HttpResponseBase:
        checks = request.path == reverse("api-verify")
        threads = self._checker if checks else self._readers if request.method in SAFE else self._writer
        with nullcontext() if checks else answering():
            return await sync_to_async(self._answer, thread_sensitive=False, executor=threads)(request)

    def load_middleware(self, is_async: bool = False) -> None:
        super().load_middleware(is_async=False)

    def _answer(self, request: HttpRequest) -> HttpResponseBase:
        try:
            return self.get_response(request)
        finally:
            close_old_connections()
