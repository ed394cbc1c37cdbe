"""What Django answers if a view fails, or cannot even begin."""

import sys

from django.core.exceptions import BadRequest
from django.http import HttpRequest, HttpResponse
from django.http.multipartparser import MultiPartParserError
from django.views import defaults

from scorekeeper.serving import troubles


def server_error(request: HttpRequest) -> HttpResponse:
    """After an error that nobody has handled."""
    return troubles.answer(troubles.trouble_of(sys.exc_info()[1]), request.path)


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
