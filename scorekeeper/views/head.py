"""HEAD, by which monitors, previews and link checkers ask whether a page is there."""

from collections.abc import Callable

from django.http import HttpRequest, StreamingHttpResponse
from django.http.response import HttpResponseBase


def as_get(answer: Callable[[HttpRequest], HttpResponseBase]) -> Callable[[HttpRequest], HttpResponseBase]:
    """The middleware that answers HEAD as GET (RFC 9110, 9.3.2). The server does not send the body."""

    def answered(request: HttpRequest) -> HttpResponseBase:
        if request.method != "HEAD":
            return answer(request)
        request.method = "GET"
        try:
            found = answer(request)
        finally:
            request.method = "HEAD"
        if isinstance(found, StreamingHttpResponse):
            found.streaming_content = ()  # the live stream would never end
        return found

    return answered
