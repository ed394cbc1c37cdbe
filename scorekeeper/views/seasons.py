"""The doors to the seasons of a club: the list, a table, and the form that makes and changes one."""

from django.contrib import messages
from django.contrib.auth.decorators import login_not_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.http import content_disposition_header
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from games import GameError
from scorekeeper.access import actor_of, club_for, has_role, season_for
from scorekeeper.forms.seasons import SeasonForm, of_new, of_season
from scorekeeper.models import Role, Season
from scorekeeper.pages import context, notices
from scorekeeper.pages.seasons import file_name, season_edit_page, season_page, season_rows, seasons_page
from scorekeeper.pages.sure import removing_season
from scorekeeper.services import seasons
from scorekeeper.services.archive import csv_of
from scorekeeper.services.errors import Refused
from scorekeeper.views import etags
from scorekeeper.views.refusals import reason
from scorekeeper.views.sure import ask, is_sure

PREVIEW = "preview"
"""The button that only shows what a change would do."""


@login_not_required
@require_GET
def club_seasons(request: HttpRequest, slug: str) -> HttpResponse:
    """The club's seasons: those that go on, those to come, and those that are over with their champions."""
    actor, now = actor_of(request), timezone.now()
    found = club_for(actor, slug)

    def draw() -> HttpResponse:
        page = seasons_page(found, host=has_role(actor, found.pk, Role.DIRECTOR), now=now)
        return render(request, "scorekeeper/club_seasons.html", context(page))

    return etags.not_modified_or(request, found.newest_change, draw, timezone.localdate(now))


@login_not_required
@require_http_methods(["GET", "POST"])
def season_new(request: HttpRequest, slug: str) -> HttpResponse:
    """A new season of the club. For directors."""
    actor, now = actor_of(request), timezone.now()
    found = club_for(actor, slug, need=Role.DIRECTOR)
    form = SeasonForm(request.POST if request.method == "POST" else None, initial=of_new(timezone.localdate(now)))
    refusal = ""
    if form.is_valid():
        try:
            season = seasons.make(club=found, new=form.cleaned_data, by=actor.user, now=now)
            return redirect("season", season.pk)
        except (Refused, GameError) as error:
            refusal = reason(error)
    page = season_edit_page(found, None, form, refusal=refusal)
    status = 422 if form.errors or refusal else 200
    return render(request, "scorekeeper/season_edit.html", context(page), status=status)


@login_not_required
@require_GET
def season(request: HttpRequest, pk: int) -> HttpResponse:
    """The table of a season."""
    actor, now = actor_of(request), timezone.now()
    found = season_for(actor, pk)

    def draw() -> HttpResponse:
        page = season_page(found, host=has_role(actor, found.club_id, Role.DIRECTOR), now=now)
        return render(request, "scorekeeper/season.html", context(page))

    return etags.not_modified_or(request, found.club.newest_change, draw, timezone.localdate(now))


@login_not_required
@require_GET
def season_csv(request: HttpRequest, pk: int) -> HttpResponse:
    """The table of a season for a spreadsheet."""
    found = season_for(actor_of(request), pk)
    answer = HttpResponse(csv_of(season_rows(found)), content_type="text/csv; charset=utf-8")
    answer["Content-Disposition"] = content_disposition_header(True, file_name(found))
    return answer


@login_not_required
@require_http_methods(["GET", "POST"])
def season_edit(request: HttpRequest, pk: int) -> HttpResponse:
    """Changes a season: shows first what the change would do to its table, then saves it. For directors."""
    actor = actor_of(request)
    found = season_for(actor, pk, need=Role.DIRECTOR)
    form = SeasonForm(request.POST if request.method == "POST" else None, initial=of_season(found))
    planned, refusal = None, ""
    if form.is_valid():
        try:
            if request.POST.get("do") != PREVIEW:
                seasons.change(season=found, new=form.cleaned_data, by=actor.user, now=timezone.now())
                return redirect("season", pk)
            planned = seasons.planned(found, form.cleaned_data)
        except (Refused, GameError) as error:
            refusal = reason(error)
        except Season.DoesNotExist as error:
            raise Http404(_("This season does not exist.")) from error
    page = season_edit_page(found.club, found, form, planned=planned, refusal=refusal)
    status = 422 if form.errors or refusal else 200
    return render(request, "scorekeeper/season_edit.html", context(page), status=status)


@login_not_required
@require_POST
def season_remove(request: HttpRequest, pk: int) -> HttpResponse:
    """Asks, then removes a season. For directors."""
    actor = actor_of(request)
    found = season_for(actor, pk, need=Role.DIRECTOR)
    if not is_sure(request):
        return ask(request, found.club, removing_season(found), back=reverse("season", args=[pk]))
    seasons.remove(season=found, by=actor.user, now=timezone.now())
    messages.add_message(request, *notices.season_removed(found.name))
    return redirect("club_seasons", found.club.slug)
