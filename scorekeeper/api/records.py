"""Checks records from anywhere. Stores nothing."""

import asyncio
import json
import re
from collections.abc import AsyncIterator, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import islice

from django.http import StreamingHttpResponse
from django.utils.translation import gettext as _
from rest_framework import status
from rest_framework.exceptions import APIException
from rest_framework.request import Request
from rest_framework.views import APIView

import games
from scorekeeper.live.precedence import give_way, giving_way

# One thread checks for everybody, a few records at a time. What it has found is sent before it goes on, so whoever does
# not read gets nothing more, and holds no memory.
CHECKER = ThreadPoolExecutor(1, thread_name_prefix="checker")
BYTES_AT_ONCE = 16_000
# In one request. A verdict can be a hundred times as long as its record, and a season of records can come in parts.
MOST_RECORDS = 1000
LINES = re.compile(rb"[^\r\n]+")


class TooManyRecords(APIException):
    status_code, default_code = status.HTTP_413_REQUEST_ENTITY_TOO_LARGE, "too-many-records"


class Verify(APIView):
    """POST /records/verify/: one record as JSON, or one per line (NDJSON). Answers like `python -m games verify`: one
    object for one record, or one line for each line in the same order."""

    def post(self, request: Request) -> StreamingHttpResponse:
        body = request.body
        lines = _lines(body)
        if request.content_type.startswith("application/x-ndjson") or (len(lines) > 1 and not _is_one(body)):
            if len(lines) > MOST_RECORDS:
                message = _("One request checks at most {most} records. Send them in smaller parts.")
                raise TooManyRecords(message.format(most=MOST_RECORDS))
            return StreamingHttpResponse(_verdicts(lines), content_type="application/x-ndjson")
        return StreamingHttpResponse(_verdicts([body]), content_type="application/json")


async def _verdicts(records: Sequence[bytes]) -> AsyncIterator[str]:
    loop = asyncio.get_running_loop()
    for some in _few_at_once(records):
        yield await loop.run_in_executor(CHECKER, _checked, some)


def _checked(records: Sequence[bytes]) -> str:
    with giving_way():
        give_way()
        return "".join(json.dumps(games.verify_line(record), ensure_ascii=False) + "\n" for record in records)


def _few_at_once(records: Sequence[bytes]) -> Iterator[Sequence[bytes]]:
    first, size = 0, 0
    for number, record in enumerate(records):
        size += len(record)
        if size > BYTES_AT_ONCE:
            yield records[first : number + 1]
            first, size = number + 1, 0
    if first < len(records):
        yield records[first:]


def _lines(body: bytes) -> list[bytes]:
    """The lines that are not blank, as far as they can be checked, and one more. A large body can have a million."""
    lines = (found[0] for found in LINES.finditer(body) if found[0].strip())
    return list(islice(lines, MOST_RECORDS + 1))


def _is_one(body: bytes) -> bool:
    """Whether the body is a single JSON value on several lines."""
    try:
        json.loads(body)
    except (ValueError, RecursionError):
        return False
    return True
