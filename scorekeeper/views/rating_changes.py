"""The doors to what moved ratings: a match, and calculations of older matches."""

from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from scorekeeper.access import actor_of, club_for, match_for, players_played
from scorekeeper.forms.search import PageForm
from scorekeeper.models import Match
from scorekeeper.pages import context
from scorekeeper.pages.match_ratings import match_ratings_page
from scorekeeper.pages.rating_news import rating_news_page
from scorekeeper.selectors.matches import with_seats


@login_not_required
@require_GET
def match_ratings(request: HttpRequest, pk: int) -> HttpResponse:
    """What a match did to the ratings of its players, and how to calculate it."""
    actor = actor_of(request)
    found = match_for(actor, pk)
    match = with_seats(Match.objects.filter(pk=found.pk)).get()
    names = dict(players_played(actor).filter(club=found.club_id, results__match=found.pk).values_list("pk", "name"))
    page = match_ratings_page(match, names)
    return render(request, "scorekeeper/match_ratings.html", context(page))


@login_not_required
@require_GET
def rating_news(request: HttpRequest, slug: str) -> HttpResponse:
    """What changed when older matches were calculated again."""
    actor = actor_of(request)
    club = club_for(actor, slug)
    page = rating_news_page(actor, club, PageForm(request.GET))
    return render(request, "scorekeeper/rating_news.html", context(page))
