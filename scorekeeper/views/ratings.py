"""The doors to the rankings."""

from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.http import content_disposition_header
from django.views.decorators.http import require_GET

from scorekeeper.access import actor_of, club_for, clubs_listed, has_role, players_listed
from scorekeeper.models import Role
from scorekeeper.pages import context
from scorekeeper.pages.codes import reachable
from scorekeeper.pages.pictures import ranking_previewed
from scorekeeper.pages.ratings import Asked, club_asked, ranking_page, ranking_rows, server_asked
from scorekeeper.selectors.rankings import newest_of_ratings
from scorekeeper.services.archive import csv_of
from scorekeeper.views import etags


@login_not_required
@require_GET
def club_ranking(request: HttpRequest, slug: str) -> HttpResponse:
    """Who is how strong in a game or a family of games, on any day."""
    actor, now = actor_of(request), timezone.now()
    found = club_for(actor, slug)

    def draw() -> HttpResponse:
        asked, owner = club_asked(found, request.GET, now=now), has_role(actor, found.pk, Role.OWNER)
        return _page(request, asked, newest_of_ratings(found), owner=owner)

    return etags.not_modified_or(request, found.newest_change, draw, timezone.localdate(now))


@login_not_required
@require_GET
def club_ranking_csv(request: HttpRequest, slug: str) -> HttpResponse:
    """The same ranking for a spreadsheet, all pages together."""
    found = club_for(actor_of(request), slug)
    return _csv(club_asked(found, request.GET, now=timezone.now()), f"{found.slug}-ranking")


@login_not_required
@require_GET
def ranking(request: HttpRequest) -> HttpResponse:
    """The ranking of the whole server, with the people whom the visitor may see."""
    now = timezone.now()
    actor, news = actor_of(request), newest_of_ratings(None)
    clubs = clubs_listed(actor).order_by("name", "pk")
    seen = [club.pk for club in clubs]

    def draw() -> HttpResponse:
        asked = server_asked(clubs, players_listed(actor), request.GET, now=now)
        return _page(request, asked, news, seen=str(seen))

    return etags.not_modified_or(request, news, draw, timezone.localdate(now), seen)


@login_not_required
@require_GET
def ranking_csv(request: HttpRequest) -> HttpResponse:
    """The same ranking for a spreadsheet, all pages together."""
    actor = actor_of(request)
    clubs = clubs_listed(actor).order_by("name", "pk")
    return _csv(server_asked(clubs, players_listed(actor), request.GET, now=timezone.now()), "ranking")


def _page(request: HttpRequest, asked: Asked, news: int, *, seen: str = "", owner: bool = False) -> HttpResponse:
    page = ranking_page(asked, news=news, seen=seen, owner=owner)
    return render(request, "scorekeeper/ranking.html", context(page, ranking_previewed(asked, reachable(request))))


def _csv(asked: Asked, name: str) -> HttpResponse:
    answer = HttpResponse(csv_of(ranking_rows(asked)), content_type="text/csv; charset=utf-8")
    stem = f"{name}-{asked.group or 'empty'}-{asked.day.isoformat()}"
    answer["Content-Disposition"] = content_disposition_header(True, f"{stem}.csv")
    return answer
