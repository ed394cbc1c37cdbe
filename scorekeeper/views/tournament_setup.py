"""The doors where a tournament is set up: a new one, from a preset or like an earlier one, and one that exists."""

import secrets
from typing import Any

from django.contrib.auth.decorators import login_not_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from games import GAMES, GameError
from games.base import Game
from scorekeeper.access import Refusal, actor_of, club_for, tournament_for
from scorekeeper.forms.tournaments import SetupForm, fixed_of, of_setup, setup_of_preset
from scorekeeper.models import Club, Event, Role
from scorekeeper.pages import context
from scorekeeper.pages.event import snapshot_of
from scorekeeper.pages.tournament_setup import presets_page, setup_page, would_move
from scorekeeper.selectors.tournaments import tournament_in
from scorekeeper.services import events, tournaments
from scorekeeper.services.errors import Refused
from scorekeeper.views.refusals import reason
from scorekeeper.views.steps import step_of
from scorekeeper.words import in_words

COUNT = "count"
"""The button that only counts how many rounds fit."""
PREVIEW = "preview"
"""The button that only shows what a change would do."""


@login_not_required
@require_http_methods(["GET", "POST"])
def tournament_new(request: HttpRequest, slug: str) -> HttpResponse:
    """Offers presets and earlier tournaments; then everything about the new one. Its desk comes next."""
    actor = actor_of(request)
    club = club_for(actor, slug, need=Role.DIRECTOR)
    if request.method == "GET" and not request.GET:
        return render(request, "scorekeeper/tournament_presets.html", context(presets_page(club)))
    if request.method == "GET":
        game, fields = _beginning(request, club)
        page = setup_page(club, game, SetupForm(game, initial=fields))
        return render(request, "scorekeeper/tournament_setup.html", context(page))
    game = _game(request.POST.get("game", ""))
    form = SetupForm(game, request.POST)
    refusal, counts = "", request.POST.get("do") == COUNT
    if form.is_valid() and not counts:
        try:
            name, step = form.cleaned_data["name"], step_of(request, actor)
            found = tournaments.start(club=club, name=name, setup=form.setup(), step=step)
            return redirect("tournament_desk", found.pk)
        except (Refused, GameError) as error:
            refusal = reason(error)
    page = setup_page(club, game, form, counts=counts, refusal=refusal)
    status = 422 if refusal or (form.errors and not counts) else 200
    return render(request, "scorekeeper/tournament_setup.html", context(page), status=status)


@login_not_required
@require_http_methods(["GET", "POST"])
def tournament_setup(request: HttpRequest, pk: int) -> HttpResponse:
    """Changes a tournament. After the first round it shows first, on request, what the change would do."""
    actor = actor_of(request)
    found = tournament_for(actor, pk, need="host")
    form = _form_of(found, request.POST if request.method == "POST" else None)
    refusal, moved, counts = "", None, request.POST.get("do") == COUNT
    if form.is_valid() and not counts:
        try:
            if request.POST.get("do") != PREVIEW:
                name, step = form.cleaned_data["name"], step_of(request, actor)
                tournaments.set_up(event_id=pk, name=name, setup=form.setup(), step=step)
                return redirect("tournament_desk", pk)
            moved = would_move(snapshot_of(found), form.setup())
        except (Refused, Refusal, GameError) as error:
            refusal = reason(error)
    found = tournament_for(actor, pk, need="host")  # with what others have done meanwhile
    snapshot = snapshot_of(found)
    page = setup_page(found.club, form.game, form, snapshot=snapshot, moved=moved, counts=counts, refusal=refusal)
    status = 422 if refusal or (form.errors and not counts) else 200
    return render(request, "scorekeeper/tournament_setup.html", context(page), status=status)


@login_not_required
@require_POST
def tournament_remove(request: HttpRequest, pk: int) -> HttpResponse:
    """Removes a tournament if its name is typed. A refusal is shown on the page of its setup."""
    actor = actor_of(request)
    found = tournament_for(actor, pk, need="host")
    try:
        events.remove(event_id=pk, typed=request.POST.get("typed", ""), step=step_of(request, actor))
    except (Refused, Refusal) as error:
        found = tournament_for(actor, pk, need="host")
        form = _form_of(found)
        page = setup_page(found.club, form.game, form, snapshot=snapshot_of(found), refusal=error.message)
        return render(request, "scorekeeper/tournament_setup.html", context(page), status=422)
    return redirect("tournament_desk", pk)


def _form_of(found: Event, data: Any = None) -> SetupForm:
    """The form of a tournament that exists."""
    state = tournament_in(found)
    setup, fixed = state.setup, fixed_of(state.setup, begun=state.begun) if state.rounds else None
    return SetupForm(GAMES[setup["game"]], data, fixed=fixed, initial=of_setup(setup, found.name))


def _beginning(request: HttpRequest, club: Club) -> tuple[Game[Any], dict[str, Any]]:
    """The game and the fields of the form, from the preset or the earlier tournament in the address. Http404 if there
    is none."""
    like = request.GET.get("like", "")
    if like.isdecimal() and len(like) < 19:
        earlier = tournament_for(actor_of(request), int(like), need="host")
        if earlier.club_id == club.pk:
            setup = tournament_in(earlier).first_setup
            return GAMES[setup["game"]], {**of_setup(setup, earlier.name), **_today()}
    try:
        preset = setup_of_preset(request.GET.get("preset", ""))
    except GameError as error:
        raise Http404(in_words(error)) from error
    return GAMES[preset["game"]], {**of_setup(preset, ""), **_today()}


def _today() -> dict[str, Any]:
    """What no earlier tournament can say."""
    return {"date": timezone.localdate(), "lots": secrets.token_hex(4)}


def _game(slug: str) -> Game[Any]:
    if slug not in GAMES:
        raise Http404(_("This game does not exist."))
    return GAMES[slug]
