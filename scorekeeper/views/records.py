"""The door to the records of a club."""

from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from scorekeeper.access import actor_of, club_for
from scorekeeper.pages import context
from scorekeeper.pages.club_records import records_page
from scorekeeper.views import etags


@login_not_required
@require_GET
def club_records(request: HttpRequest, slug: str) -> HttpResponse:
    """Who plays most, the best hands, and a year in figures."""
    actor = actor_of(request)
    found = club_for(actor, slug)

    def draw() -> HttpResponse:
        page = records_page(actor, found, request.GET.get("year", ""))
        return render(request, "scorekeeper/club_records.html", context(page), status=404 if page.wrong else 200)

    return etags.not_modified_or(request, found.newest_change, draw)
