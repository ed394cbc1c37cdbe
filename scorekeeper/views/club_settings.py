"""The door of a club's settings."""

from django.contrib import messages
from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_http_methods

from games import GameError
from scorekeeper.access import actor_of, club_for
from scorekeeper.forms.clubs import SettingsForm
from scorekeeper.models import Role
from scorekeeper.pages import context, notices
from scorekeeper.pages.club import SettingsPage
from scorekeeper.services import clubs
from scorekeeper.words import in_words


@login_not_required
@require_http_methods(["GET", "POST"])
def club_settings(request: HttpRequest, slug: str) -> HttpResponse:
    """Its name, language and time zone, and whether everybody may look. For owners."""
    actor = actor_of(request)
    found = club_for(actor, slug, need=Role.OWNER)
    form = SettingsForm(request.POST if request.method == "POST" else None, initial=clubs.settings_of(found))
    if form.is_valid():
        try:
            clubs.set_settings(club=found, new=form.cleaned_data, by=actor.user, now=timezone.now())
        except GameError as error:
            form.add_error("name", in_words(error))
        else:
            messages.add_message(request, *notices.settings_saved())
            return redirect("club_settings", slug)
    page = SettingsPage(club=found, form=form)
    return render(request, "scorekeeper/club_settings.html", context(page), status=422 if form.errors else 200)
