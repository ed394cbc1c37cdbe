"""The doors to what visitors look for."""

from django.contrib.auth.decorators import login_not_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET

from scorekeeper.access import actor_of, club_for, has_role, players_for
from scorekeeper.forms.search import PageForm, SearchForm
from scorekeeper.models import Role
from scorekeeper.pages import context
from scorekeeper.pages.search import player_matches_page, search_page


@login_not_required
@require_GET
def search(request: HttpRequest) -> HttpResponse:
    """People, matches, nights and tournaments of all clubs that the visitor may see."""
    page = search_page(actor_of(request), SearchForm(request.GET))
    return render(request, "scorekeeper/search.html", context(page))


@login_not_required
@require_GET
def player_matches(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """The matches of a person. The address of somebody who was merged leads to the person as whom they count."""
    actor = actor_of(request)
    found = club_for(actor, slug)
    player = players_for(actor).filter(club=found, pk=pk).first()
    if player is None:
        raise Http404(_("This player does not exist."))
    if player.merged_into_id is not None:
        return redirect("player_matches", slug, player.merged_into_id)
    host = has_role(actor, found.pk, Role.DIRECTOR)
    page = player_matches_page(actor, found, player, PageForm(request.GET), host=host)
    return render(request, "scorekeeper/player_matches.html", context(page))
