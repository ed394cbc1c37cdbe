"""The door where a director orders the seeds of a knock-out."""

from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from scorekeeper.access import actor_of, tournament_for
from scorekeeper.forms import directing
from scorekeeper.pages import context
from scorekeeper.pages.event import snapshot_of
from scorekeeper.pages.tournament_seeds import seeds_page
from scorekeeper.services import seeds
from scorekeeper.services.errors import Refused
from scorekeeper.views.steps import step_of


@login_not_required
@require_http_methods(["GET", "POST"])
def tournament_seeds(request: HttpRequest, pk: int) -> HttpResponse:
    """The seeds by number; a POST orders them, or with `do=usual` forgets the order. For directors."""
    actor = actor_of(request)
    found = tournament_for(actor, pk, need="host")
    if request.method == "GET":
        return render(request, "scorekeeper/tournament_seeds.html", context(seeds_page(snapshot_of(found))))
    try:
        typed = {} if request.POST.get("do") == "usual" else directing.places(request.POST)
        seeds.order(event_id=pk, seeds=typed, step=step_of(request, actor))
    except Refused as error:
        found = tournament_for(actor, pk, need="host")  # with what others have done meanwhile
        page = seeds_page(snapshot_of(found), refusal=error.message, sent=request.POST.dict())
        return render(request, "scorekeeper/tournament_seeds.html", context(page), status=422)
    return redirect("tournament_desk", pk)
