"""The doors to a closed night or tournament as one file, for everybody."""

from django.contrib.auth.decorators import login_not_required
from django.http import FileResponse, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import get_language
from django.views.decorators.http import require_http_methods

from scorekeeper.access import actor_of, night_for, tournament_for
from scorekeeper.models import Event
from scorekeeper.pages import context
from scorekeeper.pages.event import snapshot, version
from scorekeeper.pages.jobs import event_file_page
from scorekeeper.services import event_file, files
from scorekeeper.views import etags


@login_not_required
@require_http_methods(["GET", "POST"])
def night_file(request: HttpRequest, pk: int) -> HttpResponse | FileResponse:
    return _file(request, night_for(actor_of(request), pk))


@login_not_required
@require_http_methods(["GET", "POST"])
def tournament_document(request: HttpRequest, pk: int) -> HttpResponse | FileResponse:
    return _file(request, tournament_for(actor_of(request), pk))


def _file(request: HttpRequest, found: Event) -> HttpResponse | FileResponse:
    """A POST starts making the file, unless it already exists."""
    language = get_language() or "en"
    # Most of the work is reading the matches, which all visitors share. Before the end there is nothing to look for.
    shown = version(snapshot(found.pk, found.kind)) if found.closed_at else ""
    if request.method == "POST":
        if found.closed_at:
            event_file.start(event=found, version=shown, language=language, now=timezone.now())
        return redirect(request.path)
    job = event_file.newest(event=found, version=shown, language=language) if found.closed_at else None
    file = files.file_of(job) if job else None
    if file and "download" in request.GET:
        return FileResponse(file.open("rb"), as_attachment=True, filename=file.name)

    def draw() -> HttpResponse:
        return render(request, "scorekeeper/event_file.html", context(event_file_page(found, job=job, file=file)))

    # A job is no change of the event: the tag covers how far it is.
    at = job and (job.pk, job.state, job.progress, job.total)
    return etags.not_modified_or(request, etags.newest_of(found), draw, at, str(file))
