"""The door by which a sheet is confirmed, disputed or opened again, from every phone of the table."""

from django.contrib import messages
from django.contrib.auth.decorators import login_not_required
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from games import GameError
from scorekeeper.access import Refusal, actor_of, may_record, sheet_for
from scorekeeper.forms.entries import carried
from scorekeeper.live import Topic
from scorekeeper.live.parts import drawn
from scorekeeper.models import Match
from scorekeeper.services import matches
from scorekeeper.services.errors import Refused, in_words
from scorekeeper.views.matches import LENGTH

SAID = ("confirm", "dispute", "reopen")


@login_not_required
@require_POST
def match_confirm(request: HttpRequest, pk: int) -> HttpResponse:
    """Somebody says what he thinks of the sheet; the answer is the sheet as everybody sees it then."""
    actor, refusal, status = actor_of(request), "", 200
    found = sheet_for(actor, pk)
    try:
        post = carried(request.POST)
        if post.entry.get("kind") not in SAID:
            raise Http404(_("There is no such step."))
        done = matches.record(match_id=pk, seen=post.seen, key=post.key, entry=post.entry, by=actor, now=timezone.now())
    except Refused as error:
        refusal, status = error.message, 409
    except Refusal as error:
        refusal, status = error.message, 403
    except GameError as error:
        refusal, status = in_words(error), 422
    if request.headers.get("X-Part"):
        part = "pad" if may_record(actor, found) else "elsewhere"
        parts = _said(request, found, refusal) + _newest(found, part, request.LANGUAGE_CODE)
        return HttpResponse(parts, status=status, headers=None if refusal else {LENGTH: str(done.length)})
    if refusal:
        messages.error(request, refusal)
    return HttpResponseRedirect(_page(found, request.POST.get("page", "")), status=303)


def _said(request: HttpRequest, found: Match, refusal: str) -> str:
    """What there is against it; without anything an older refusal goes."""
    context = {"words": refusal, "ways": [{"way": "mend"}]} if refusal else {}
    return render_to_string("scorekeeper/_refusal.html", {"refusal": context, "match": found}, request)


def _newest(found: Match, part: str, language: str) -> str:
    """The sheet as all phones of the table are about to get it."""
    if found.table_id is None:
        return ""
    topic = Topic("table", found.table_id)
    return drawn(topic, part, language, topic.newest()).text


def _page(found: Match, page: str) -> str:
    if found.table_id is None or page == "match":
        return reverse("match", args=[found.pk])
    return reverse("table", args=[found.table_id])
