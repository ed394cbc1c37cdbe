"""Checks records from anywhere. Stores nothing."""

import asyncio
import json
from collections.abc import AsyncIterator, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor

from django.http import StreamingHttpResponse
from rest_framework.request import Request
from rest_framework.views import APIView

import games
from scorekeeper.live.precedence import give_way, giving_way

# One thread checks for everybody, a few records at a time. What it has found is sent before it goes on, so whoever does
# not read gets nothing more, and holds no memory.
CHECKER = ThreadPoolExecutor(1, thread_name_prefix="checker")
BYTES_AT_ONCE = 16_000


class Verify(APIView):
    """POST /records/verify/: one record as JSON, or one per line (NDJSON). Answers like `python -m games verify`: one
    object for one record, or one line for each line in the same order."""

    def post(self, request: Request) -> StreamingHttpResponse:
        body = request.body
        lines = [line for line in body.splitlines() if line.strip()]
        if request.content_type.startswith("application/x-ndjson") or (len(lines) > 1 and not _is_one(body)):
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


def _is_one(body: bytes) -> bool:
    """Whether the body is a single JSON value on several lines."""
    try:
        json.loads(body)
    except (ValueError, RecursionError):
        return False
    return True
