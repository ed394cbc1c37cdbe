"""The doors of the puzzle of the day. Everybody may try it; what they laid is in their session."""

from datetime import date, timedelta

from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_POST

from games import Code, GameError, read
from scorekeeper.pages import context
from scorekeeper.pages.codes import reachable
from scorekeeper.pages.puzzle import puzzle_page, share_text
from scorekeeper.practice.puzzle import puzzle_of
from scorekeeper.selectors.puzzles import tries_of
from scorekeeper.services import puzzles
from scorekeeper.services.errors import Refused
from scorekeeper.views.refusals import reason


@login_not_required
@never_cache  # tomorrow there is another one
@require_GET
def puzzle(request: HttpRequest) -> HttpResponse:
    """Today's puzzle; its answer, too, once the visitor has tried it."""
    return _shown(request)


@login_not_required
@never_cache
@require_GET
def yesterday(request: HttpRequest) -> HttpResponse:
    """The puzzle of the day before, with its answer."""
    today = _today()
    day = puzzle_of(today - timedelta(days=1))
    page = puzzle_page(day, tries_of(request.session), request.GET.dict(), today=today)
    return render(request, "scorekeeper/puzzle.html", context(page))


@login_not_required
@require_POST
def play(request: HttpRequest) -> HttpResponse:
    """The visitor's play in today's puzzle."""
    entry, day, today = request.POST.get("entry", ""), request.POST.get("day", ""), _today()
    try:
        puzzles.try_play(request.session, read.json_value(entry), day=day, today=today)
    except Refused as error:
        return _shown(request, error.message, 409)
    except GameError as error:
        if error.code == Code.END_NEEDED and not request.headers.get("X-Part"):
            return redirect(reverse("puzzle", query={"tile": read.json_value(entry)["move"]["tile"]}))
        return _shown(request, reason(error), 422)
    return _shown(request) if request.headers.get("X-Part") else redirect("puzzle")


@login_not_required
@never_cache
@require_GET
def text(request: HttpRequest) -> HttpResponse:
    """How the visitor did today, as plain text for a chat. It says nothing of the answer."""
    today = _today()
    address = reachable(request) + reverse("puzzle")
    shared = share_text(puzzle_of(today), tries_of(request.session), address)
    return HttpResponse(shared, content_type="text/plain; charset=utf-8")


def _shown(request: HttpRequest, refusal: str = "", status: int = 200) -> HttpResponse:
    """Today's puzzle: for a script the part of the page that changes."""
    today = _today()
    page = puzzle_page(puzzle_of(today), tries_of(request.session), request.GET.dict(), today=today, refusal=refusal)
    part = "scorekeeper/_puzzle.html" if request.headers.get("X-Part") else "scorekeeper/puzzle.html"
    return render(request, part, context(page), status=status)


def _today() -> date:
    """In the time zone of the server: the same day for everybody."""
    return timezone.localdate(timezone.now())
