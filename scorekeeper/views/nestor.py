"""The doors for somebody who lays for Nestor at a table. What they say of his tiles is in their session."""

from collections.abc import Sequence
from functools import partial
from random import SystemRandom
from typing import Any

from django.contrib.auth.decorators import login_not_required
from django.contrib.sessions.backends.base import SessionBase
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.utils import translation
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from games import GameError
from games.nestor import LEVELS, STRONGEST
from scorekeeper.access import actor_of, nestor_for
from scorekeeper.models import Match
from scorekeeper.pages import context
from scorekeeper.pages.nestor import nestor_page
from scorekeeper.place import visiting
from scorekeeper.practice.standing_in import StandIn
from scorekeeper.selectors.nestor import advice_of, stand_in_of
from scorekeeper.services import nestor
from scorekeeper.views.refusals import reason
from scorekeeper.views.thought import NO_ANSWER, when_found

RANDOM = SystemRandom()


@login_not_required
@never_cache
@require_http_methods(["GET", "POST"])
def seat(request: HttpRequest, pk: int, seat: int) -> HttpResponse:
    """What Nestor holds, and what he lays if he had no choice or has been asked. `do=tiles` takes the tiles that were
    missing, `do=again` forgets all of this hand."""
    match = nestor_for(actor_of(request), pk, seat)
    stand_in = stand_in_of(request.session, match, seat)
    if request.method == "GET":
        return _answered(request, match, stand_in)
    try:
        match request.POST.get("do"):
            case "tiles":
                after = stand_in.without_wrong()
                # Nothing is missing if the pad took back what his tiles contradicted.
                after = after.having(request.POST.getlist("tile")) if after.missing else after
            case "again":
                after = StandIn.of(stand_in.match, seat, None)
            case _:
                raise Http404(_("This step does not exist."))
    except GameError as error:
        return _answered(request, match, stand_in, reason(error), 422, ticked=request.POST.getlist("tile"))
    nestor.keep(request.session, match, after)
    if request.headers.get("X-Part"):
        return _answered(request, match, after)
    return redirect("match_nestor", pk, seat)


@login_not_required
@require_POST
def move(request: HttpRequest, pk: int, seat: int) -> HttpResponseBase:
    """Nestor thinks about his move. The answer is a stream, which holds no thread, and brings the page with it."""
    match = nestor_for(actor_of(request), pk, seat)
    stand_in, session = stand_in_of(request.session, match, seat), request.session
    try:
        choice = len(stand_in.moves()) > 1
        question = stand_in.question(STRONGEST, ms=LEVELS[STRONGEST].ms, seed=RANDOM.getrandbits(32))
    except GameError as error:
        return _answered(request, match, stand_in, reason(error), 422)
    if not choice:
        return _answered(request, match, stand_in, _("There is no choice to think about now."), 409)
    draw = partial(_thought, request, session, match, stand_in, get_language() or "")
    return when_found(request, question, draw)


def _thought(
    request: HttpRequest,
    session: SessionBase,
    match: Match,
    stand_in: StandIn,
    language: str,
    found: dict[str, Any] | None,
) -> str:
    """The page with the move that Nestor found, which the session keeps."""
    now = type(session)(session.session_key)  # as it is stored by now
    with visiting(request), translation.override(language):
        if found:
            nestor.advise(now, match, stand_in, found)
            now.save()
        refusal = "" if found else _(NO_ANSWER)
        page = context(nestor_page(match, stand_in, found, refusal))
        return render_to_string(_part(request), page, request)


def _answered(
    request: HttpRequest,
    match: Match,
    stand_in: StandIn,
    refusal: str = "",
    status: int = 200,
    ticked: Sequence[str] = (),
) -> HttpResponse:
    advice = advice_of(request.session, match, stand_in.seat)
    try:
        page = nestor_page(match, stand_in, advice, refusal, ticked)
    except GameError as error:  # a later entry shows that the tiles cannot be right
        page = nestor_page(match, stand_in.without_wrong(), None, refusal, ticked, wrong=reason(error))
    return render(request, _part(request), context(page), status=status)


def _part(request: HttpRequest) -> str:
    return "scorekeeper/_nestor.html" if request.headers.get("X-Part") else "scorekeeper/nestor.html"
