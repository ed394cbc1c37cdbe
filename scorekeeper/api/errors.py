"""Turns refusals into answers. All of them have a `code` and a `message`."""

from typing import Any

from django.core.exceptions import PermissionDenied, RequestDataTooBig
from django.http import Http404
from django.utils.translation import gettext as _
from rest_framework import exceptions
from rest_framework.response import Response

from games.errors import GameError
from scorekeeper.access import Refusal
from scorekeeper.services.errors import Behind, Refused, Stale, TooMany
from scorekeeper.services.setups import BadSetup
from scorekeeper.words import in_words


class EntryRefused(Exception):
    """A refused entry, with what the caller can do next."""

    def __init__(self, error: GameError, ways: list[dict[str, Any]]) -> None:
        super().__init__(str(error.code))
        self.error, self.ways = error, ways


def answer(error: Exception, context: dict[str, Any]) -> Response | None:
    """The answer for `error`; None if it is a bug of the server."""
    match error:
        case EntryRefused():
            return Response(_refused(error.error) | {"ways": error.ways}, status=422)
        case GameError():
            return Response(_refused(error), status=422)
        case Stale():
            newer = {"length": error.length, "sheet": error.sheet, "offers": error.offers}
            return Response({"code": error.code, "message": error.message} | newer, status=409)
        case Behind():
            return Response({"code": error.code, "message": error.message}, status=409)
        case TooMany():
            wait = {"Retry-After": str(error.seconds)}
            return Response({"code": error.code, "message": error.message}, status=429, headers=wait)
        case Refused():
            return Response({"code": error.code, "message": _in_its_place(error)}, status=422)
        case Refusal():
            return Response({"code": error.code, "message": error.message}, status=403)
        case PermissionDenied():
            return Response({"code": "not-allowed", "message": _("You are not allowed to do this.")}, status=403)
        case Http404():
            message = str(error) or _("There is nothing here. Check the address.")
            return Response({"code": "not-found", "message": message}, status=404)
        case RequestDataTooBig():
            message = _("This is too large. Send it in smaller parts.")
            return Response({"code": "too-large", "message": message}, status=413)
        case exceptions.APIException():
            return Response(
                {"code": error.default_code.replace("_", "-"), "message": str(error.detail)},
                status=error.status_code,
                headers={"Allow": ", ".join(context["view"].allowed_methods)} if error.status_code == 405 else None,
            )
    return None


def _refused(error: GameError) -> dict[str, Any]:
    message = f"{error.field}: {in_words(error)}" if error.field else in_words(error)
    return {"proof": None} | error.as_json() | {"message": message}


def _in_its_place(error: Refused) -> str:
    """The message, with the field that is wrong if it is in a setup."""
    if not isinstance(error, BadSetup):
        return error.message
    return f"setup.{error.at}: {error.message}" if error.at else f"setup: {error.message}"
