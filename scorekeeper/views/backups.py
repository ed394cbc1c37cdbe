"""The doors of backups: make one, follow it, cancel it, download, restore."""

from pathlib import Path

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_not_required
from django.contrib.auth.views import redirect_to_login
from django.http import FileResponse, Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods

from scorekeeper.access import actor_of, must_keep_data
from scorekeeper.models import Job
from scorekeeper.pages import context
from scorekeeper.pages.backups import backups_page
from scorekeeper.selectors.clubs import owned_by
from scorekeeper.services import backup, jobs, restore, upkeep
from scorekeeper.services.errors import Refused
from scorekeeper.serving.leaving import restart
from scorekeeper.serving.lock import runs_here
from scorekeeper.serving.meanwhile import COOKIE


@login_not_required
@require_http_methods(["GET", "POST"])
def backups(request: HttpRequest) -> HttpResponse:
    """The backups on this server. The page refreshes itself while one is being made or restored."""
    actor = actor_of(request)
    last = upkeep.last_backup()
    if actor.user is None and request.method == "GET":
        return _sign_in(request, last)
    must_keep_data(actor)
    refused = ""
    asked = restore.asked()
    if request.method == "POST":
        match request.POST.get("do"):
            case "restore":  # answered at once: the server that a redirect leads to is about to end
                try:
                    asked = _restore(request)
                except Refused as error:
                    refused = error.message
            case "cancel" if last:
                jobs.cancel(job_id=last.pk, now=timezone.now())
                return redirect("backups")
            case _:
                upkeep.start_backup(by=actor.user, now=timezone.now())
                return redirect("backups")
    assert actor.user, "Only a user keeps the data."
    page = backups_page(
        list(owned_by(actor.user)[:2]),
        backup.folder(),
        backup.saved(),
        last,
        restoring=asked is not None,
        can_restore=runs_here(settings.DATA),
        refused=refused,
    )
    answer = render(request, "scorekeeper/backups.html", context(page), status=422 if refused else 200)
    if asked:
        at, secure = reverse("backups"), settings.SESSION_COOKIE_SECURE
        answer.set_cookie(COOKIE, asked.key, path=at, secure=secure, httponly=True, samesite="Strict")
    return answer


def _sign_in(request: HttpRequest, last: Job | None) -> HttpResponse:
    """Leads to the page to sign in. A restore has signed out the owner who follows it."""
    if last and (last.kind, last.state) == ("restore", Job.State.DONE):
        messages.success(request, _("The backup was restored. Sign in to go on."))
    return redirect_to_login(request.path)


def _restore(request: HttpRequest) -> restore.Asked:
    """Restarts the server on the chosen backup. Refused "not-sure", or if the backup cannot be restored."""
    if not runs_here(settings.DATA):
        raise Http404(_("This server cannot restart itself."))
    if request.POST.get("sure") != "yes":
        raise Refused("not-sure", _("Confirm that everything on this server may be replaced."))
    asked = restore.ask(_backup(request.POST.get("name", "")))
    restart()
    return asked


@login_not_required
@require_GET
def backup_file(request: HttpRequest, name: str) -> FileResponse:
    """Downloads a backup."""
    must_keep_data(actor_of(request))
    return FileResponse(_backup(name).open("rb"), as_attachment=True, filename=name)


def _backup(name: str) -> Path:
    for file in backup.saved():
        if file.name == name:
            return file
    raise Http404(_("This backup is gone. Choose another one."))
