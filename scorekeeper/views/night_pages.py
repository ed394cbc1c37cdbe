"""What everybody sees of a club night: its page, who sits where, the big screen, what is shared of it."""

from collections.abc import Sequence

from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from scorekeeper.access import actor_of, has_role, night_for
from scorekeeper.models import Role
from scorekeeper.selectors.nights import evening_of
from scorekeeper.views.night_parts import Place, night_context

ME = "me"  # the cookie that keeps who somebody said to be, and the field of the form that asks


@login_not_required
@require_GET
def night(request: HttpRequest, pk: int) -> HttpResponse:
    """The night as it goes on; “Where do I sit?” for who says who he is. At most twelve queries."""
    actor = actor_of(request)
    found = night_for(actor, pk)
    context = night_context(evening_of(found))
    said = request.GET.get(ME, request.COOKIES.get(ME, ""))
    context |= {"me": _me(said, context["places"]), "host": has_role(actor, found.club_id, Role.DIRECTOR)}
    answer = render(request, "scorekeeper/night.html", context)
    if ME in request.GET:
        answer.set_cookie(ME, said[:20], max_age=7 * 24 * 3600, samesite="Lax", httponly=True)
    return answer


def _me(said: str, places: Sequence[Place]) -> Place | None:
    return next((place for place in places if str(place.player) == said), None)
