"""Django as it is served here: a request goes its whole way in one thread."""

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

READERS = 2  # pages at a time: they take turns on one processor, so more would only make all of them slower
SAFE = ("GET", "HEAD", "OPTIONS")


class Application(ASGIHandler):
    """Django's, with a request's whole way through middleware and view in one of a few threads that stay.

    Django's own goes back and forth between the event loop and a thread made for the request, which then has to connect
    to the database: together that took longer than recording a play. What may change something goes one by one, as it
    came: SQLite has one writer at a time, and lets others sleep for longer than they need to wait. Checking records
    changes nothing and may take long: it holds nobody up but others who check.
    """

    def __init__(self) -> None:
        super().__init__()
        self._readers = ThreadPoolExecutor(READERS, thread_name_prefix="reader")
        self._writer = ThreadPoolExecutor(1, thread_name_prefix="writer")
        self._checker = ThreadPoolExecutor(1, thread_name_prefix="checker")

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        # Without a thread of the request's own, which a stream would keep for as long as somebody follows.
        await self.handle(scope, receive, send)

    async def get_response_async(self, request: HttpRequest) -> HttpResponseBase:
        checks = request.path == reverse("api-verify")
        threads = self._checker if checks else self._readers if request.method in SAFE else self._writer
        with nullcontext() if checks else answering():
            return await sync_to_async(self._answered, thread_sensitive=False, executor=threads)(request)

    def load_middleware(self, is_async: bool = False) -> None:
        super().load_middleware(is_async=False)

    def _answered(self, request: HttpRequest) -> HttpResponseBase:
        try:
            return self.get_response(request)
        finally:
            close_old_connections()
