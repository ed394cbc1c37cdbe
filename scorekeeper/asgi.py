"""What an ASGI server starts: `uvicorn scorekeeper.asgi:application`."""

import os
import warnings
from concurrent.futures import ThreadPoolExecutor

import django
from asgiref.sync import sync_to_async
from django.core.handlers.asgi import ASGIHandler
from django.db import close_old_connections
from django.http import HttpRequest
from django.http.response import HttpResponseBase

THREADS = 4  # requests at a time: they take turns on one processor, so more would only make all of them slower


class Application(ASGIHandler):
    """Django's, with a request's whole way through middleware and view in one of a few threads that stay.

    Django's own goes back and forth between the event loop and a thread made for the request, which then has to connect
    to the database: together that took longer than recording a play.
    """

    def __init__(self) -> None:
        super().__init__()
        threads = ThreadPoolExecutor(THREADS, thread_name_prefix="request")
        self.get_response_async = sync_to_async(self._answered, thread_sensitive=False, executor=threads)

    def load_middleware(self, is_async: bool = False) -> None:
        super().load_middleware(is_async=False)

    def _answered(self, request: HttpRequest) -> HttpResponseBase:
        try:
            return self.get_response(request)
        finally:
            close_old_connections()


os.environ.setdefault("DJANGO_SETTINGS_MODULE", "scorekeeper.settings")
# WhiteNoise hands small files out in one piece; the advice to stream them otherwise would only worry a host.
warnings.filterwarnings("ignore", message="StreamingHttpResponse must consume synchronous iterators")
django.setup(set_prefix=False)
application = Application()
