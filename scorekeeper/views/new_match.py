"""The door that starts a match at a table."""

from random import SystemRandom
from typing import Any

from django.contrib.auth.decorators import login_not_required
from django.core.exceptions import ValidationError
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from games import GAMES, GameError
from games.base import Game
from scorekeeper import access
from scorekeeper.access import Actor, actor_of, table_for
from scorekeeper.forms.matches import NewMatchForm, drawn_tiles
from scorekeeper.models import Table
from scorekeeper.names import folded
from scorekeeper.pages import context
from scorekeeper.pages import new_match as pages
from scorekeeper.selectors.tables import current_match
from scorekeeper.services import matches
from scorekeeper.services.errors import Refused
from scorekeeper.services.people import chosen
from scorekeeper.views.naming import asks_whom, typist_of
from scorekeeper.words import in_words


@login_not_required
@never_cache  # a browser that goes back must see a match that has started since
@require_http_methods(["GET", "POST"])
@asks_whom
def match_new(request: HttpRequest, pk: int) -> HttpResponse:
    """The form for a new match. Each POST moves to the next step; the last one starts the match."""
    actor = actor_of(request)
    game = GAMES.get(request.POST.get("game") or request.GET.get("game", ""))
    try:
        table, refusal = table_for(actor, pk, need="record"), ""
    except access.Refusal as error:
        if error.code != "pad-elsewhere":
            raise
        table, refusal = table_for(actor, pk), error.message
    if game is None:
        raise Http404(_("This game does not exist."))
    form = _form(request, table, game)
    if refusal:
        return _shown(request, table, form, "names", refusal=refusal, status=403)
    if request.method == "GET":
        return _shown(request, table, form, "names")
    stage = _next_stage(form, request.POST.get("do", ""))
    if stage != "start":
        return _shown(request, table, form, stage)
    return _start(request, form, table, actor) or _shown(request, table, form, "names", status=409)


def _form(request: HttpRequest, table: Table, game: Game[Any]) -> NewMatchForm:
    """The form as typed; the phone draws the tiles if asked."""
    data, do = request.POST.copy(), request.POST.get("do", "")
    if do == "phone":
        for person, tile in enumerate(drawn_tiles(SystemRandom(), max(game.seats))):
            data[f"tile-{person}"] = tile
    return NewMatchForm(
        game,
        data if request.method == "POST" else None,
        initial=pages.known_before(table, game) | request.GET.dict(),
        drawing=do in ("phone", "seat"),
    )


def _shown(
    request: HttpRequest, table: Table, form: NewMatchForm, stage: str, *, refusal: str = "", status: int = 200
) -> HttpResponse:
    here = request.get_full_path() if request.method == "GET" else f"{request.path}?{pages.fields(form, stage)}"
    page = pages.new_match_page(table, form, stage, refusal=refusal, busy="" if refusal else _busy(table), here=here)
    wrong = form.errors and not refusal
    return render(request, "scorekeeper/match_new.html", context(page), status=422 if wrong else status)


def _busy(table: Table) -> str:
    """Why no match can begin here now."""
    try:
        matches.table_must_be_free(table)
    except Refused as error:
        return error.message
    return ""


def _next_stage(form: NewMatchForm, do: str) -> str:
    """The next step, or the same step if it has errors."""
    if form.is_valid():
        return {"seat-draw": "seat-draw", "seat": "plan", "phone": "plan", "start": "start"}.get(do, "names")
    people = [f"player-{seat}" for seat in range(form.count)]
    wrong_names = any(name in form.errors for name in people) or not form.drawing
    return "names" if wrong_names else "seat-draw"


def _start(request: HttpRequest, form: NewMatchForm, table: Table, actor: Actor) -> HttpResponse | None:
    """Starts the match; None if it was refused, with the reason in the form."""
    people, options = form.people(), form.options()
    typist = typist_of(request, host=access.may_at(actor, table, "host"))
    try:
        matches.open_match(
            table=table,
            game=form.game.slug,
            options=options,
            minutes=form.cleaned_data["minutes"],
            players=people,
            by=actor,
            now=timezone.now(),
            typist=typist,
        )
    except Refused as error:
        form.rename(chosen(table.club, people, typist))
        if error.code != "table-busy":
            form.add_error(None, ValidationError(error.message))
            return None
        newest = current_match(table)
        # A second tap on "Start" leads to the match that the first tap started.
        same = newest and (newest.game, newest.length, newest.options) == (form.game.slug, 0, options)
        if not (same and newest and [folded(seat.name) for seat in newest.seats.all()] == list(map(folded, people))):
            return None
    except GameError as error:
        form.add_error(None, ValidationError(in_words(error)))
        return None
    return redirect("table", table.pk)
