"""The doors to the rankings."""

from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.http import content_disposition_header
from django.views.decorators.http import require_GET

from scorekeeper.access import actor_of, club_for, clubs_listed, has_role, players_listed
from scorekeeper.models import Job, Role
from scorekeeper.pages import context
from scorekeeper.pages.codes import reachable
from scorekeeper.pages.pictures import ranking_previewed
from scorekeeper.pages.ratings import Asked, club_asked, ranking_page, ranking_rows, server_asked
from scorekeeper.selectors.rankings import News, news_of_ratings, recalculation
from scorekeeper.services.archive import csv_of
from scorekeeper.views import etags


@login_not_required
@require_GET
def club_ranking(request: HttpRequest, slug: str) -> HttpResponse:
    """Who is how strong in a game or a family of games, on any day."""
    actor, now = actor_of(request), timezone.now()
    found = club_for(actor, slug)

    news = news_of_ratings(found)
    job = recalculation() if news.causes else None

    def draw() -> HttpResponse:
        asked, owner = club_asked(found, request.GET, now=now), has_role(actor, found.pk, Role.OWNER)
        return _page(request, asked, news, job, owner=owner)

    return etags.not_modified_or(request, found.newest_change, draw, timezone.localdate(now), *_stale(news, job))


@login_not_required
@require_GET
def club_ranking_csv(request: HttpRequest, slug: str) -> HttpResponse:
    """The same ranking for a spreadsheet, all pages together."""
    found = club_for(actor_of(request), slug)
    return _csv(request, club_asked(found, request.GET, now=timezone.now()), f"{found.slug}-ranking")


@login_not_required
@require_GET
def ranking(request: HttpRequest) -> HttpResponse:
    """The ranking of the whole server, with the people whom the visitor may see."""
    now = timezone.now()
    actor, news = actor_of(request), news_of_ratings(None)
    clubs = clubs_listed(actor).order_by("name", "pk")
    seen = [club.pk for club in clubs]
    job = recalculation() if news.causes else None

    def draw() -> HttpResponse:
        asked = server_asked(clubs, players_listed(actor), request.GET, now=now)
        return _page(request, asked, news, job, seen=str(seen))

    return etags.not_modified_or(request, news.change, draw, timezone.localdate(now), seen, *_stale(news, job))


@login_not_required
@require_GET
def ranking_csv(request: HttpRequest) -> HttpResponse:
    """The same ranking for a spreadsheet, all pages together."""
    actor = actor_of(request)
    clubs = clubs_listed(actor).order_by("name", "pk")
    return _csv(request, server_asked(clubs, players_listed(actor), request.GET, now=timezone.now()), "ranking")


def no_such_ranking(request: HttpRequest, asked: Asked) -> HttpResponse:
    """What is wrong with the filters of a table or a picture, which would not show that one was left out."""
    return render(request, "scorekeeper/ranking_wrong.html", {"asked": asked, "club": asked.club}, status=400)


def _stale(news: News, job: Job | None) -> tuple[object, ...]:
    """What the page says of ratings that are calculated again."""
    return bool(news.causes), job and (job.state, job.progress, job.total)


def _page(
    request: HttpRequest,
    asked: Asked,
    news: News,
    job: Job | None,
    *,
    seen: str = "",
    owner: bool = False,
) -> HttpResponse:
    page = ranking_page(asked, news=news, job=job, seen=seen, owner=owner)
    return render(request, "scorekeeper/ranking.html", context(page, ranking_previewed(asked, reachable(request))))


def _csv(request: HttpRequest, asked: Asked, name: str) -> HttpResponse:
    if asked.troubles:
        return no_such_ranking(request, asked)
    answer = HttpResponse(csv_of(ranking_rows(asked)), content_type="text/csv; charset=utf-8")
    stem = f"{name}-{asked.group or 'empty'}-{asked.day.isoformat()}"
    answer["Content-Disposition"] = content_disposition_header(True, f"{stem}.csv")
    return answer
