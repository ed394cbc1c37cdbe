"""The description of the API for programs, in the format OpenAPI."""

from pathlib import Path

from django.http import HttpResponse
from rest_framework.request import Request
from rest_framework.views import APIView

PARTS = sorted(Path(__file__).with_name("openapi").glob("*.yaml"))
TEXT = b"".join(part.read_bytes() for part in PARTS)  # one document; the second part goes on where the first one ends


class Description(APIView):
    """GET /openapi.yaml: what docs/api.md says, for programs."""

    def get(self, request: Request) -> HttpResponse:
        return HttpResponse(TEXT, content_type="application/yaml")
