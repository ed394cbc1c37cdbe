"""The doors through which a tournament leaves a server as an archive, and comes into another one."""

import secrets
from pathlib import Path

from django.contrib.auth.decorators import login_not_required
from django.core.files import File
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from scorekeeper.access import actor_of, club_for, tournament_for
from scorekeeper.models import Role
from scorekeeper.pages import context
from scorekeeper.pages.tournament_import import import_page
from scorekeeper.services import archive, jobs, tournament_import
from scorekeeper.services.errors import Refused
from scorekeeper.serving.limits import IMPORT


@login_not_required
@require_POST
def tournament_archive(request: HttpRequest, pk: int) -> HttpResponse:
    """Asks for the archive: the tournament's file, all records, a table of results."""
    actor = actor_of(request)
    found = tournament_for(actor, pk, need="host")
    started = archive.start(club=found.club, by=actor.user, now=timezone.now(), night=found)
    return redirect("job", started.pk)


@login_not_required
@require_http_methods(["GET", "POST"])
def tournament_import_page(request: HttpRequest, slug: str) -> HttpResponse:
    """Takes an archive, and shows how far its import is."""
    actor = actor_of(request)
    club = club_for(actor, slug, need=Role.DIRECTOR)
    job = tournament_import.newest(club)
    if request.method == "GET":
        return render(request, "scorekeeper/tournament_import.html", context(import_page(club, job)))
    if request.POST.get("do") == "cancel" and job:
        jobs.cancel(job_id=job.pk, now=timezone.now())
        return redirect("tournament_import", slug)
    try:
        file = _kept(request.FILES.get("file"))
    except Refused as error:
        page = import_page(club, job, refusal=error.message)
        return render(request, "scorekeeper/tournament_import.html", context(page), status=422)
    again = "again" in request.POST
    tournament_import.start(club=club, file=file, again=again, by=actor, now=timezone.now())
    return redirect("tournament_import", slug)


def _kept(uploaded: "File[bytes] | None") -> Path:
    """The archive in a file of ours. Refused "no-archive"."""
    if uploaded is None or not uploaded.size:
        raise Refused("no-archive", _("Choose the archive of a tournament first."))
    if uploaded.size > IMPORT:
        raise Refused("no-archive", _("This file is too large for the archive of a tournament."))
    folder = tournament_import.folder()
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    file = folder / secrets.token_hex(16)
    file.touch(0o600)
    with file.open("wb") as target:
        target.writelines(uploaded.chunks())
    return file
