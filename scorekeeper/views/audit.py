"""The doors of a club's audit page, to read and to export."""

import csv
import json
from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import asdict, fields
from io import StringIO

from asgiref.sync import sync_to_async
from django.contrib.auth.decorators import login_not_required
from django.http import Http404, HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import render
from django.utils.timezone import localtime, override
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET

from scorekeeper.access import actor_of, club_for
from scorekeeper.models import Role
from scorekeeper.pages import context
from scorekeeper.pages.audit import audit_page
from scorekeeper.selectors.audit import LOGS, Asked, Place, Trace, all_traces
from scorekeeper.services.archive import BYTE_ORDER_MARK, cell

COLUMNS = [field.name for field in fields(Trace)]


@login_not_required
@require_GET
def club_audit(request: HttpRequest, slug: str) -> HttpResponse:
    """Who did what when, for directors and owners: fifty actions at a time."""
    club, text = club_for(actor_of(request), slug, need=Role.DIRECTOR), request.GET.get("after", "")
    after = Place.read(text)
    if text and after is None:
        raise Http404(_("There is nothing here. Check the address."))
    return render(request, "scorekeeper/club_audit.html", context(audit_page(club, _asked(request), after)))


@login_not_required
@require_GET
def audit_csv(request: HttpRequest, slug: str) -> StreamingHttpResponse:
    """The same actions as a table."""
    head = f"{BYTE_ORDER_MARK}{','.join(COLUMNS)}\r\n"
    return _export(request, slug, "csv", "text/csv; charset=utf-8", _rows, head)


@login_not_required
@require_GET
def audit_ndjson(request: HttpRequest, slug: str) -> StreamingHttpResponse:
    """The same actions as one JSON object a line."""
    return _export(request, slug, "ndjson", "application/x-ndjson", _lines)


def _asked(request: HttpRequest) -> Asked:
    """The filters in the address. Http404 if one is none."""
    log = request.GET.get("log", "")
    if log not in ("", *LOGS):
        raise Http404(_("There is nothing here. Check the address."))
    return Asked(_number(request.GET.get("who", "")), _number(request.GET.get("night", "")), log)


def _number(text: str) -> int | None:
    if not text:
        return None
    if not (text.isascii() and text.isdigit() and len(text) < 19):
        raise Http404(_("There is nothing here. Check the address."))
    return int(text)


def _export(
    request: HttpRequest, slug: str, kind: str, content_type: str, write: Callable[[list[Trace]], str], head: str = ""
) -> StreamingHttpResponse:
    club, asked = club_for(actor_of(request), slug, need=Role.DIRECTOR), _asked(request)
    written = _written(all_traces(club, asked), write, head, club.time_zone)
    answer = StreamingHttpResponse(written, content_type=content_type)
    answer["Content-Disposition"] = f'attachment; filename="{club.slug}-audit.{kind}"'
    return answer


async def _written(
    batches: Iterator[list[Trace]], write: Callable[[list[Trace]], str], head: str, zone: str
) -> AsyncIterator[str]:
    """One batch at a time, so that plays are recorded between two batches."""

    def following() -> list[Trace]:
        return next(batches, [])

    yield head
    while batch := await sync_to_async(following)():
        with override(zone):  # the request has ended
            text = write(batch)
        yield text


def _rows(batch: list[Trace]) -> str:
    text = StringIO()
    for trace in batch:
        texts = {name: ", ".join(said) if isinstance(said, list) else said for name, said in trace.said.items()}
        said = "; ".join(f"{name}: {text}" for name, text in texts.items())
        values = asdict(trace) | {"at": localtime(trace.at).isoformat(), "said": said}
        csv.writer(text).writerow([cell(value) if isinstance(value, str) else value for value in values.values()])
    return text.getvalue()


def _lines(batch: list[Trace]) -> str:
    rows = (asdict(trace) | {"at": localtime(trace.at).isoformat()} for trace in batch)
    return "".join(json.dumps(row, ensure_ascii=False, separators=(",", ":")) + "\n" for row in rows)
