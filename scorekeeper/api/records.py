"""Checks records from anywhere. Stores nothing."""

import json

from django.http import HttpResponse, JsonResponse
from rest_framework.request import Request
from rest_framework.views import APIView

import games


class Verify(APIView):
    """POST /records/verify/: one record as JSON, or one per line (NDJSON). Answers like `python -m games verify`: one
    object for one record, or one line for each line in the same order."""

    def post(self, request: Request) -> HttpResponse:
        lines = [line for line in request.body.splitlines() if line.strip()]
        if request.content_type.startswith("application/x-ndjson") or (len(lines) > 1 and not _is_one(request.body)):
            answers = (json.dumps(games.verify_line(line), ensure_ascii=False) + "\n" for line in lines)
            return HttpResponse("".join(answers), content_type="application/x-ndjson")
        return JsonResponse(games.verify_line(request.body))


def _is_one(body: bytes) -> bool:
    """Whether the body is a single JSON value on several lines."""
    try:
        json.loads(body)
    except (ValueError, RecursionError):
        return False
    return True
