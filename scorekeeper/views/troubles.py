"""What Django answers if a view fails, or cannot even begin."""

import sys
from collections.abc import Callable

from django.core.exceptions import BadRequest
from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed
from django.http.multipartparser import MultiPartParserError
from django.http.response import HttpResponseBase
from django.views import defaults

from scorekeeper.serving import troubles


def server_error(request: HttpRequest) -> HttpResponse:
    """After an error that nobody has handled."""
    return troubles.answer(troubles.trouble_of(sys.exc_info()[1]), request.path)


def with_page(answer: Callable[[HttpRequest], HttpResponseBase]) -> Callable[[HttpRequest], HttpResponseBase]:
    """The middleware that puts a page in place of the empty answer to somebody who opens where forms are sent."""

    def answered(request: HttpRequest) -> HttpResponseBase:
        found = answer(request)
        if not isinstance(found, HttpResponseNotAllowed) or found.content:
            return found
        page = troubles.answer(troubles.NO_PAGE, request.path)
        page["Allow"] = found["Allow"]
        return page

    return answered


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """The page for an unknown address. It asks for the form's token, so here an unreadable form shows up, too."""
    try:
        return defaults.page_not_found(request, exception)
    except (BadRequest, MultiPartParserError) as error:
        return bad_request(request, error)


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """After a request that cannot be read, or is too large."""
    found = troubles.trouble_of(exception)
    return troubles.answer(troubles.UNREADABLE if found is troubles.MISTAKE else found, request.path)
