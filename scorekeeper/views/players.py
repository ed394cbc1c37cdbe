"""The doors to the people of the server, for everybody."""

from django.contrib.auth.decorators import login_not_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods

from scorekeeper.access import actor_of, has_role, own_player_for, player_for
from scorekeeper.forms.search import PageForm
from scorekeeper.models import Role, User
from scorekeeper.pages import context
from scorekeeper.pages.codes import reachable
from scorekeeper.pages.everybody import everybody_page
from scorekeeper.pages.people import PrivacyPage
from scorekeeper.pages.pictures import player_previewed
from scorekeeper.pages.player import player_page
from scorekeeper.pages.search import player_matches_page
from scorekeeper.services import people, person_export
from scorekeeper.views import etags


@login_not_required
@require_GET
def player(request: HttpRequest, pk: int) -> HttpResponse:
    """How strong somebody is, and what they have played. The address of somebody who was merged leads to the person as
    whom they count."""
    actor = actor_of(request)
    found = player_for(actor, pk)
    if found.merged_into_id is not None:
        return redirect("player", found.merged_into_id)
    now = timezone.now()

    def draw() -> HttpResponse:
        host = has_role(actor, found.club_id, Role.DIRECTOR)
        page = player_page(actor, found, request.GET, host=host, now=now)
        return render(request, "scorekeeper/player.html", context(page, player_previewed(page, reachable(request))))

    return etags.not_modified_or(request, etags.newest_of_players(found), draw, timezone.localdate(now))


@login_not_required
@require_GET
def player_matches(request: HttpRequest, pk: int) -> HttpResponse:
    """All matches of somebody."""
    actor = actor_of(request)
    found = player_for(actor, pk)
    if found.merged_into_id is not None:
        return redirect("player_matches", found.merged_into_id)
    page = player_matches_page(actor, found.club, found, PageForm(request.GET))
    return render(request, "scorekeeper/player_matches.html", context(page))


@login_not_required
@require_GET
def everybody(request: HttpRequest) -> HttpResponse:
    """Everybody on the server whom the visitor may see."""
    return render(request, "scorekeeper/everybody.html", context(everybody_page(actor_of(request), request.GET)))


@login_not_required
@require_http_methods(["GET", "POST"])
def player_privacy(request: HttpRequest, pk: int) -> HttpResponse:
    """How somebody is shown in public, and everything that is stored about them: for themselves and their hosts."""
    actor = actor_of(request)
    found = own_player_for(actor, pk)
    if request.method == "GET":
        return render(request, "scorekeeper/player_privacy.html", context(PrivacyPage(found, found.club)))
    match request.POST.get("do"), actor.user:
        case ("initials" | "name") as do, _user:
            now, value = timezone.now(), do == "initials"
            people.set_state(club=found.club, player_id=pk, field="initials", value=value, now=now, by=actor.user)
            return redirect("player_privacy", pk)
        case "export", User() as user:
            return redirect("job", person_export.start(player=found, by=user, now=timezone.now()).pk)
    raise Http404(_("This step does not exist."))
