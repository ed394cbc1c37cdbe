"""Checking records that come from anywhere; nothing is stored."""

import json

from django.http import HttpResponse, JsonResponse
from rest_framework.request import Request
from rest_framework.views import APIView

import games


class Verify(APIView):
    """POST /records/verify/: one record as JSON, or one a line (NDJSON); what `python -m games verify` prints.

    One record is answered by one object, lines by lines in their order.
    """

    def post(self, request: Request) -> HttpResponse:
        lines = [line for line in request.body.splitlines() if line.strip()]
        if request.content_type.startswith("application/x-ndjson") or (len(lines) > 1 and not _is_one(request.body)):
            answers = (json.dumps(games.verify_line(line), ensure_ascii=False) + "\n" for line in lines)
            return HttpResponse("".join(answers), content_type="application/x-ndjson")
        return JsonResponse(games.verify_line(request.body))


def _is_one(body: bytes) -> bool:
    """Whether the body is a single JSON value, spread over several lines for reading."""
    try:
        json.loads(body)
    except (ValueError, RecursionError):
        return False
    return True
