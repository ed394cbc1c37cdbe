"""The public pages of a club night: its page, the seats, the big screen, the results to share."""

from collections.abc import Callable, Mapping

from django.contrib.auth.decorators import login_not_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import etag, require_GET

from scorekeeper.access import (
    ME,
    Actor,
    actor_of,
    clubs_for,
    ladder_for,
    league_for,
    looks_on,
    night_for,
    role_in,
    tournament_for,
)
from scorekeeper.models import Club, Event, Role
from scorekeeper.pages import context
from scorekeeper.pages.codes import reachable
from scorekeeper.pages.event import TvPage, Visitor, follow, night_shown, screen_shown, screen_topic, seats_shown
from scorekeeper.pages.share import text_of
from scorekeeper.pages.tournament_screen import screen_address
from scorekeeper.selectors.events import event_now, newest_night, open_nights, tournaments_under_way
from scorekeeper.views import etags

WEEK = 7 * 24 * 3600  # seconds
OTHERS: Mapping[str | None, Callable[[Actor, int], Event]] = {
    Event.Kind.LEAGUE: league_for,
    Event.Kind.LADDER: ladder_for,
}
"""By kind of event that is neither night nor tournament, how `access` lets people in."""


@login_not_required
@require_GET
@etag(etags.night)
def night(request: HttpRequest, pk: int) -> HttpResponse:
    """The night, and the seat of a visitor who chose their name. At most twelve queries. Leads to a
    tournament, league or ladder if the event is one: pages of matches link here."""
    actor = actor_of(request)
    found = _event_for(actor, pk)
    if found.kind != Event.Kind.NIGHT:
        return redirect(found.kind, found.pk)
    page = night_shown(event_now(found))
    chosen = request.GET.get(ME, request.COOKIES.get(ME, ""))
    me = next((attendee for attendee in page.attendees if str(attendee.player) == chosen), None)
    role = role_in(actor, found.club_id)
    visitor = Visitor(
        me, host=bool(role and role.covers(Role.DIRECTOR)), scorer=bool(role and role.covers(Role.SCORER))
    )
    answer = render(request, "scorekeeper/night.html", context(page, visitor))
    if ME in request.GET:
        answer.set_cookie(ME, str(me.player) if me else "", max_age=WEEK, samesite="Lax", httponly=True)
    return answer


@login_not_required
@require_GET
def night_seats(request: HttpRequest, pk: int) -> HttpResponse:
    """All players and their seats by name, to read on a phone or to print."""
    found = night_for(actor_of(request), pk)
    return render(request, "scorekeeper/night_seats.html", context(seats_shown(event_now(found))))


@login_not_required
@require_GET
def night_screen(request: HttpRequest, pk: int) -> HttpResponse:
    """The big screen for a hall: it turns its pages automatically and shows how to follow on a phone."""
    actor = actor_of(request)
    found = night_for(actor, pk)
    seen = looks_on(actor, found)

    def draw() -> HttpResponse:
        url = reachable(request) + reverse("night", args=[found.pk])
        now = event_now(found)
        shown = screen_shown(now, night_shown(now), looks_on=seen)
        return render(request, "scorekeeper/screen.html", context(shown, follow(url)))

    topic = screen_topic(found, looks_on=seen)
    return etags.not_modified_or(request, etags.newest_of(found, topic), draw, reachable(request), str(topic))


@login_not_required
@require_GET
def night_text(request: HttpRequest, pk: int) -> HttpResponse:
    """The results as plain text for a chat."""
    found = night_for(actor_of(request), pk)
    return HttpResponse(text_of(event_now(found)), content_type="text/plain; charset=utf-8")


@login_not_required
@require_GET
def tv(request: HttpRequest) -> HttpResponse:
    """The short address to type into a TV. It leads to the big screen of the night or tournament in progress."""
    actor = actor_of(request)
    clubs = clubs_for(actor)
    nights = [*open_nights(clubs), *tournaments_under_way(clubs)]
    if len(nights) == 1:
        return redirect(screen_address(nights[0], ""))
    newest = None if nights else newest_night(clubs)
    hidden = actor.user is None and Club.objects.filter(public=False).exists()
    page = TvPage(nights, newest, reachable(request), clubs.exists(), hidden)
    return render(request, "scorekeeper/tv.html", context(page))


@login_not_required
@require_GET
def tv_of(request: HttpRequest, pk: int, show: str = "") -> HttpResponse:
    """The short address of one night or tournament; `show` is the part that a tournament's screen holds."""
    return redirect(screen_address(_event_for(actor_of(request), pk), show))


def _event_for(actor: Actor, pk: int) -> Event:
    """The event, whatever its kind. One query more for one that is no night."""
    try:
        return night_for(actor, pk)
    except Http404:
        kind = Event.objects.filter(pk=pk).values_list("kind", flat=True).first()
        return OTHERS.get(kind, tournament_for)(actor, pk)
