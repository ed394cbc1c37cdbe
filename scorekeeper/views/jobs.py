"""The doors of jobs: progress, cancelling, the file."""

from django.contrib.auth.decorators import login_not_required
from django.http import FileResponse, Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from scorekeeper.access import actor_of, club_for, job_for, night_for
from scorekeeper.models import Role
from scorekeeper.pages import context
from scorekeeper.pages.jobs import job_page
from scorekeeper.services import archive, files, jobs, person_export


@login_not_required
@require_POST
def archive_start(request: HttpRequest, slug: str) -> HttpResponse:
    """Asks for the archive of the club's matches."""
    actor = actor_of(request)
    found = club_for(actor, slug, need=Role.DIRECTOR)
    started = archive.start(club=found, by=actor.user, now=timezone.now())
    return redirect("job", started.pk)


@login_not_required
@require_POST
def night_archive(request: HttpRequest, pk: int) -> HttpResponse:
    """Asks for the archive of the night's matches."""
    actor = actor_of(request)
    night = night_for(actor, pk, need="host")
    started = archive.start(club=night.club, by=actor.user, now=timezone.now(), night=night)
    return redirect("job", started.pk)


@login_not_required
@require_GET
def job(request: HttpRequest, pk: int) -> HttpResponse:
    """The progress of an archive, or of what is stored about a person. The page refreshes itself until the job ends."""
    found = job_for(actor_of(request), pk)
    if found.kind == person_export.KIND:
        page = job_page(found, night=None, file=files.file_of(found))
        return render(request, "scorekeeper/person_export.html", context(page))
    if found.kind != archive.KIND:
        raise Http404(_("This page shows archives only."))
    page = job_page(found, night=archive.night_of(found), file=files.file_of(found))
    return render(request, "scorekeeper/job.html", context(page))


@login_not_required
@require_POST
def job_cancel(request: HttpRequest, pk: int) -> HttpResponse:
    """Cancels the job."""
    found = job_for(actor_of(request), pk)
    jobs.cancel(job_id=found.pk, now=timezone.now())
    return redirect("job", pk)


@login_not_required
@require_GET
def job_file(request: HttpRequest, pk: int) -> FileResponse:
    """The file that the job made."""
    file = files.file_of(job_for(actor_of(request), pk))
    if file is None:
        raise Http404(_("This file is gone. Start again to make a new one."))
    return FileResponse(file.open("rb"), as_attachment=True, filename=file.name)
