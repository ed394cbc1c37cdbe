"""The doors to what a hall sees of a tournament: the big screen, its short addresses, and who sits where."""

from django.contrib.auth.decorators import login_not_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET

from scorekeeper.access import ME, actor_of, looks_on, tournament_for
from scorekeeper.pages import context
from scorekeeper.pages.codes import reachable
from scorekeeper.pages.event import follow, screen_topic
from scorekeeper.pages.tournament_day import PARTS
from scorekeeper.pages.tournament_screen import screen_page
from scorekeeper.pages.tournament_seats import Me, seats_drawn
from scorekeeper.views import etags
from scorekeeper.views.events import WEEK


@login_not_required
@require_GET
def tournament_screen(request: HttpRequest, pk: int) -> HttpResponse:
    """The big screen. It turns its pages, or holds one (`?show=standings`). Its QR code leads to “Where do I sit?”."""
    actor = actor_of(request)
    found = tournament_for(actor, pk)
    topic = screen_topic(found, looks_on=looks_on(actor, found))
    newest = max(found.newest_change, topic.newest())
    show = request.GET.get("show", "")
    if show and show not in PARTS:
        raise Http404(_("The screen has no such page."))

    def draw() -> HttpResponse:
        url = reachable(request) + reverse("tournament_seats", args=[found.pk])
        page = context(screen_page(found, show, topic, newest), follow(url))
        return render(request, "scorekeeper/tournament_screen.html", page)

    return etags.not_modified_or(request, newest, draw, reachable(request), str(topic))


@login_not_required
@require_GET
def tournament_seats(request: HttpRequest, pk: int) -> HttpResponse:
    """All players with their tables; above them the visitor, if they chose their name."""
    found = tournament_for(actor_of(request), pk)

    def draw() -> HttpResponse:
        made = seats_drawn(found)
        page = made.shown
        chosen = request.GET.get(ME, request.COOKIES.get(ME, ""))
        me = next((place for place in page.places if str(place.seat.player) == chosen), None)
        answer = render(request, "scorekeeper/tournament_seats.html", context(page, Me(me), made))
        if ME in request.GET:
            answer.set_cookie(ME, str(me.seat.player) if me else "", max_age=WEEK, samesite="Lax", httponly=True)
        return answer

    return etags.not_modified_or(request, found.newest_change, draw)
