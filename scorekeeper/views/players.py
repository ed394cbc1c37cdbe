"""The doors to the pages of a player, for everybody."""

from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET

from scorekeeper.access import actor_of, has_role, player_for
from scorekeeper.forms.search import PageForm
from scorekeeper.models import Role
from scorekeeper.pages import context
from scorekeeper.pages.player_pairs import player_pairs
from scorekeeper.pages.search import player_matches_page


@login_not_required
@require_GET
def player(request: HttpRequest, pk: int) -> HttpResponse:
    """What somebody has played. The address of somebody who was merged leads to the person as whom they count."""
    actor = actor_of(request)
    found = player_for(actor, pk)
    if found.merged_into_id is not None:
        return redirect("player", found.merged_into_id)
    host = has_role(actor, found.club_id, Role.DIRECTOR)
    page = player_matches_page(actor, found.club, found, PageForm(request.GET), host=host)
    return render(request, "scorekeeper/player_matches.html", context(page, player_pairs(actor, found)))
