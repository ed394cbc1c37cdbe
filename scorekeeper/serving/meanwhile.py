"""The server while a restore replaces its data: it can only say how far that is, and let its owner cancel it."""

import secrets
import socket
import threading
from socketserver import ThreadingMixIn
from types import TracebackType
from typing import Any, Self
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer

from django.core.handlers.wsgi import WSGIHandler
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.http.response import HttpResponseBase
from django.template.loader import render_to_string
from django.utils import translation
from django.utils.translation import gettext_lazy as _
from whitenoise.middleware import WhiteNoiseMiddleware  # type: ignore[import-untyped]

from scorekeeper.serving import troubles
from scorekeeper.serving.troubles import Trouble

COOKIE = "restore"
"""Has the key of the restore, in the browser of the owner who asked for it."""
SILENT = 5.0  # seconds for a visitor to send a request
READ = 1 << 16  # bytes of a body, so that its sender gets to read the answer
LOOK = 0.05  # seconds between two looks whether it ends
RESTORING = Trouble(
    503,
    "restoring",
    _("The server restores a backup."),
    _("Your change was not saved. A phone sends its entries again, and each counts once."),
    retry_after=2,
)


class Meanwhile:
    """Answers every request at `listening` as long as the block runs. Uses no database."""

    def __init__(self, listening: socket.socket, key: str) -> None:
        self.cancelled = False
        """Whether somebody with the key wants the restore to stop."""
        self._key = key
        self._done, self._total = 0, 1
        self._server = _Server(listening, self.answer)
        self._thread = threading.Thread(target=self._server.serve_forever, args=[LOOK], name="meanwhile", daemon=True)

    def tell(self, done: int, total: int) -> None:
        """How far the restore is."""
        self._done, self._total = done, total

    def answer(self, request: HttpRequest) -> HttpResponseBase:
        request.META["wsgi.input"].read(min(READ, int(request.META.get("CONTENT_LENGTH") or 0)))
        if request.path.startswith(troubles.FOR_PROGRAMS):
            return troubles.answer(RESTORING, request.path)
        may_cancel = secrets.compare_digest(request.COOKIES.get(COOKIE, "").encode(), self._key.encode())
        if may_cancel and request.method == "POST":
            self.cancelled = True
            return HttpResponseRedirect(request.path)
        page = {
            "done": self._done * 100 // max(self._total, 1),
            "stopping": self.cancelled,
            "may_cancel": may_cancel,
        }
        with translation.override(translation.get_language_from_request(request)):
            shown = render_to_string("meanwhile.html", page)
        return HttpResponse(shown, status=RESTORING.status, headers={"Retry-After": RESTORING.retry_after})

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._server.shutdown()
        self._thread.join()


class _Handler(WSGIHandler):
    """Django without its middleware, which needs the database; but with the files of a page."""

    def __init__(self, answer: Any) -> None:
        super().__init__()
        self._answer = WhiteNoiseMiddleware(answer)

    def load_middleware(self, is_async: bool = False) -> None:
        """There is none."""

    def get_response(self, request: HttpRequest) -> HttpResponseBase:
        response: HttpResponseBase = self._answer(request)
        return response


class _Request(WSGIRequestHandler):
    timeout = SILENT

    def log_message(self, format: str, *args: Any) -> None:
        """Addresses of tables contain their tokens."""


class _Server(ThreadingMixIn, WSGIServer):
    daemon_threads = True
    block_on_close = False

    def __init__(self, listening: socket.socket, answer: Any) -> None:
        super().__init__(listening.getsockname()[:2], _Request, bind_and_activate=False)
        self.socket.close()
        self.socket = listening
        self.server_name, self.server_port = listening.getsockname()[:2]
        self.setup_environ()
        self.set_app(_Handler(answer))
