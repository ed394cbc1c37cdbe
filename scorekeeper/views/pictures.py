"""The doors to pictures that are shared: of a ranking, a player, the end of a match."""

from hashlib import sha256

from django.contrib.auth.decorators import login_not_required
from django.core.cache import cache
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET

from scorekeeper.access import actor_of, club_for, clubs_for, match_for, player_for, players_for
from scorekeeper.pages.pictures import match_drawn, player_drawn, ranking_drawn
from scorekeeper.pages.player import player_page
from scorekeeper.pages.ratings import Asked, club_asked, server_asked
from scorekeeper.selectors.rankings import newest_of_ratings
from scorekeeper.serving.png import png
from scorekeeper.views import etags

DAY = 86_400  # seconds


@login_not_required
@require_GET
def club_ranking(request: HttpRequest, slug: str, kind: str) -> HttpResponse:
    """The best of the ranking that the page of this address and question shows."""
    found = club_for(actor_of(request), slug)
    now = timezone.now()

    def draw() -> HttpResponse:
        return _ranking(club_asked(found, request.GET, now=now), kind, f"{found.slug}-ranking")

    return etags.not_modified_or(request, found.newest_change, draw, timezone.localdate(now))


@login_not_required
@require_GET
def ranking(request: HttpRequest, kind: str) -> HttpResponse:
    """The same for the whole server, of the people whom the visitor may see."""
    actor, now = actor_of(request), timezone.now()
    clubs = clubs_for(actor).order_by("name", "pk")
    private = sorted(club.pk for club in clubs if not club.public)

    def draw() -> HttpResponse:
        return _ranking(server_asked(clubs, players_for(actor), request.GET, now=now), kind, "ranking")

    return etags.not_modified_or(request, newest_of_ratings(None), draw, timezone.localdate(now), private)


@login_not_required
@require_GET
def player(request: HttpRequest, pk: int, kind: str) -> HttpResponse:
    """How strong somebody is. Somebody who was merged leads to the person as whom they count."""
    actor = actor_of(request)
    found = player_for(actor, pk)
    if found.merged_into_id is not None:
        return redirect(f"player_{kind}", found.merged_into_id)
    now = timezone.now()

    def draw() -> HttpResponse:
        page = player_page(actor, found, request.GET, host=False, now=now)
        return _picture(player_drawn(page), kind, f"{found.club.slug}-{found.pk}")

    return etags.not_modified_or(request, etags.newest_of_players(found), draw, timezone.localdate(now))


@login_not_required
@require_GET
def match(request: HttpRequest, pk: int, kind: str) -> HttpResponse:
    """How a match ended."""
    found = match_for(actor_of(request), pk)
    if not found.sheet["finished"]:
        raise Http404(_("The match is not over yet. Its picture is here afterwards."))

    def draw() -> HttpResponse:
        return _picture(match_drawn(found), kind, f"{found.club.slug}-{found.pk}")

    return etags.not_modified_or(request, etags.newest_of_match(found), draw)


def _ranking(asked: Asked, kind: str, stem: str) -> HttpResponse:
    return _picture(ranking_drawn(asked), kind, f"{stem}-{asked.group or 'empty'}-{asked.day.isoformat()}")


def _picture(svg: str, kind: str, stem: str) -> HttpResponse:
    """A PNG is kept for a day, because it is expensive."""
    if kind == "png":
        key = f"png:{sha256(svg.encode()).hexdigest()}"
        answer = HttpResponse(cache.get_or_set(key, lambda: png(svg), DAY), content_type="image/png")
    else:
        answer = HttpResponse(svg, content_type="image/svg+xml; charset=utf-8")
    answer["Content-Disposition"] = f'inline; filename="{stem}.{kind}"'
    return answer
