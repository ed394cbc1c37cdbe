"""Answers that do not come from a page: the server cannot do now what was asked, or made a mistake."""

import logging
from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.core.exceptions import DisallowedHost, RequestDataTooBig
from django.db import OperationalError
from django.http import HttpResponse, JsonResponse
from django.template.loader import render_to_string
from django.utils.translation import gettext_lazy as _

from scorekeeper.failures import disk_full
from scorekeeper.serving import logs

if TYPE_CHECKING:  # only the stubs have it
    from django.utils.functional import _StrPromise


CODE = "X-Trouble"
FOR_PROGRAMS = ("/api/", "/live/")


@dataclass(frozen=True, slots=True)
class Trouble:
    """A status, a code for programs, and for people what has happened and what to do next."""

    status: int
    code: str
    title: "_StrPromise"
    message: "_StrPromise"
    retry_after: int | None = None
    """In how many seconds it may work."""


class InTrouble(Exception):
    """Ends a request with the answer to a trouble."""

    def __init__(self, trouble: Trouble) -> None:
        super().__init__(trouble.code)
        self.trouble = trouble


MISTAKE = Trouble(
    500,
    "server-mistake",
    _("Something went wrong on the server."),
    _("This is not your fault. Your entry was saved completely or not at all. Go back and check."),
)
UNREADABLE = Trouble(
    400,
    "unreadable",
    _("This request cannot be read."),
    _("Your entry was not saved. Go back, reload the page and try again."),
)
NO_PAGE = Trouble(
    405,
    "method-not-allowed",
    _("There is no page here."),
    _("This address only takes what a button sends. Go back, or start from the first page."),
)
UNKNOWN_ADDRESS = Trouble(
    400,
    "unknown-address",
    _("The server does not know that it has this address."),
    _("Ask the host to start the server again, or to name the address in SCOREKEEPER_ALLOWED_HOSTS."),
)
TOO_LARGE = Trouble(
    413,
    "too-large",
    _("This is too large."),
    _("Nothing changed. Go back, then choose a smaller file or send less at once."),
)
TOO_OFTEN = Trouble(
    429,
    "too-often",
    _("Too many requests at once."),
    _("Too many requests came from this phone or from its network. Nothing is lost."),
)
FULL_HOUSE = Trouble(
    503,
    "full-house",
    _("Too many people follow at this moment."),
    _("Plays go on. This page will follow again when there is room."),
    retry_after=60,
)
DATA_AWAY = Trouble(
    503,
    "data-away",
    _("The server cannot reach its data."),
    _("Your change may not be saved. A phone sends its entries again, and each counts once."),
    retry_after=3,
)


DISK_FULL = Trouble(
    507,
    "disk-full",
    _("The server's disk is full."),
    _("This was not saved. Nothing is lost: a phone keeps its entries and sends them later. A host must free space."),
    retry_after=30,
)


def trouble_of(error: BaseException | None) -> Trouble:
    """The trouble behind an error that nobody has handled."""
    match error:
        case InTrouble():
            return error.trouble
        case RequestDataTooBig():
            return TOO_LARGE
        case DisallowedHost():
            return UNKNOWN_ADDRESS
        case Exception() if disk_full(error):
            return DISK_FULL
        case OperationalError():
            return DATA_AWAY
    return MISTAKE


def answer(trouble: Trouble, path: str) -> HttpResponse:
    """JSON for programs, else a page that needs neither a session nor the database."""
    if path.startswith(FOR_PROGRAMS):
        response: HttpResponse = JsonResponse({"code": trouble.code, "message": str(trouble.message)})
    else:
        page = {"trouble": trouble, "request_id": logs.request_id.get() if trouble is MISTAKE else ""}
        response = HttpResponse(render_to_string("trouble.html", page))
    response.status_code, response[CODE] = trouble.status, trouble.code
    response["Content-Length"] = str(len(response.content))
    if trouble.retry_after is not None:
        response["Retry-After"] = str(trouble.retry_after)
    return response


def without_traces(record: logging.LogRecord) -> bool:
    """A filter for logs: for what strangers can cause, and while the database is away, a line for each request is
    enough."""
    if record.exc_info and isinstance(record.exc_info[1], OperationalError | DisallowedHost):
        line, reason = record.getMessage(), " ".join(str(record.exc_info[1]).split())
        record.msg, record.args = "%s", (line if reason in line else f"{line}: {reason}",)
        record.exc_info = None
    return True
