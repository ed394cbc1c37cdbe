"""The door that confirms, disputes or reopens a score, for every phone of the table."""

from django.contrib import messages
from django.contrib.auth.decorators import login_not_required
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from games import GameError
from scorekeeper.access import Actor, Refusal, actor_of, may_record, sheet_for
from scorekeeper.forms.entries import carried
from scorekeeper.models import Match
from scorekeeper.pages import entry
from scorekeeper.services import recording
from scorekeeper.services.errors import Refused
from scorekeeper.views.matches import LENGTH
from scorekeeper.views.redirects import back_address
from scorekeeper.words import in_words

SAID = ("confirm", "dispute", "reopen")


@login_not_required
@require_POST
def match_confirm(request: HttpRequest, pk: int) -> HttpResponse:
    """Confirms, disputes or reopens the score. The answer is the new sheet, the same for everybody."""
    actor = actor_of(request)
    found = sheet_for(actor, pk)
    answer = _said(request, actor, found)
    if request.headers.get("X-Part"):
        part = "pad" if may_record(actor, found, timezone.now()) else "elsewhere"
        parts = entry.refusal_shown(request, found, answer.refusal) + entry.newest(part, found)
        headers = None if answer.length is None else {LENGTH: str(answer.length)}
        return HttpResponse(parts, status=answer.status, headers=headers)
    if answer.refusal:
        messages.error(request, answer.refusal.words)
    goes_to = back_address(request, entry.address(found, request.POST.get("page", "")))
    return HttpResponseRedirect(goes_to, status=303)


def _said(request: HttpRequest, actor: Actor, found: Match) -> entry.Answer:
    try:
        post = carried(request.POST)
        if post.entry.get("kind") not in SAID:
            raise Http404(_("This step does not exist."))
        done = recording.record(
            match_id=found.pk, seen=post.seen, key=post.key, entry=post.entry, by=actor, now=timezone.now()
        )
    except Refused as error:
        return entry.declined(error.message, request.POST, status=409)
    except Refusal as error:
        return entry.declined(error.message, request.POST, status=403)
    except GameError as error:
        return entry.declined(in_words(error), request.POST)
    return entry.Answer(length=done.length)
