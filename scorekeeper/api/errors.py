"""One place that turns what was refused into an answer: always `code` and `message`, and what belongs to it."""

from typing import Any

from django.core.exceptions import PermissionDenied, RequestDataTooBig
from django.http import Http404
from django.utils.translation import gettext as _
from rest_framework import exceptions
from rest_framework.response import Response

from games.errors import GameError
from scorekeeper.access import Refusal
from scorekeeper.services.errors import Refused, Stale, in_words


class EntryRefused(Exception):
    """A refused entry with the ways on."""

    def __init__(self, error: GameError, ways: list[dict[str, Any]]) -> None:
        super().__init__(str(error.code))
        self.error, self.ways = error, ways


def answer(error: Exception, context: dict[str, Any]) -> Response | None:
    """The answer for `error`; None if it is our own fault."""
    match error:
        case EntryRefused():
            return Response(_said(error.error) | {"ways": error.ways}, status=422)
        case GameError():
            return Response(_said(error), status=422)
        case Stale():
            newer = {"length": error.length, "sheet": error.sheet, "offers": error.offers}
            return Response({"code": error.code, "message": error.message} | newer, status=409)
        case Refused():
            return Response({"code": error.code, "message": error.message}, status=422)
        case Refusal():
            return Response({"code": error.code, "message": error.message}, status=403)
        case PermissionDenied():
            return Response({"code": "not-allowed", "message": _("You may not do this.")}, status=403)
        case Http404():
            message = str(error) or _("There is nothing here. Look at the address again.")
            return Response({"code": "not-found", "message": message}, status=404)
        case RequestDataTooBig():
            message = _("This is too much at once. Send it in smaller parts.")
            return Response({"code": "too-large", "message": message}, status=413)
        case exceptions.APIException():
            return Response(
                {"code": error.default_code.replace("_", "-"), "message": str(error.detail)},
                status=error.status_code,
                headers={"Allow": ", ".join(context["view"].allowed_methods)} if error.status_code == 405 else None,
            )
    return None


def _said(error: GameError) -> dict[str, Any]:
    return {"proof": None} | error.as_json() | {"message": in_words(error)}
