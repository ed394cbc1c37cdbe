"""The door to the rankings."""

from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_GET

from scorekeeper.access import actor_of, club_for
from scorekeeper.pages import context
from scorekeeper.pages.ratings import ranking_page
from scorekeeper.views import etags


@login_not_required
@require_GET
def club_ranking(request: HttpRequest, slug: str) -> HttpResponse:
    """Who is how strong in a game or a family of games, on any day."""
    found = club_for(actor_of(request), slug)
    now = timezone.now()

    def draw() -> HttpResponse:
        page = ranking_page(found, request.GET, now=now)
        return render(request, "scorekeeper/club_ranking.html", context(page))

    return etags.not_modified_or(request, found.newest_change, draw, timezone.localdate(now))
