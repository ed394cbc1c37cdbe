"""The doors of calls: a table calls the host, and hosts answer."""

from django.contrib.auth.decorators import login_not_required
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from games import GameError
from scorekeeper.access import Actor, actor_of, caller_for, club_for
from scorekeeper.models import Role, Table
from scorekeeper.pages import context
from scorekeeper.pages.calls import CallPage, call_shown, calls_shown
from scorekeeper.selectors.calls import open_call
from scorekeeper.selectors.tables import current_match
from scorekeeper.services import calls, disputes
from scorekeeper.views.redirects import redirect_back
from scorekeeper.words import in_words


@login_not_required
@require_POST
def table_call(request: HttpRequest, pk: int) -> HttpResponse:
    """The table calls the host, or takes the call back."""
    actor, now, refusal, status = actor_of(request), timezone.now(), "", 200
    table = caller_for(actor, pk)
    match request.POST.get("do", "call"):
        case "call":
            why = request.POST.get("other", "").strip() or request.POST.get("why", "")
            try:
                calls.call(table=table, match=current_match(table), name=_name(actor, table), why=why, now=now)
            except GameError as error:
                refusal, status = in_words(error), 422
        case "settle":
            if found := open_call(table.pk):
                calls.settle(call_id=found.pk, now=now)
        case _:
            raise Http404(_("This step does not exist."))
    if request.headers.get("X-Part") or refusal:
        page = context(call_shown(table), CallPage(table, refusal, request.POST.get("other", "")))
        template = "_call" if request.headers.get("X-Part") else "call"
        return render(request, f"scorekeeper/{template}.html", page, status=status)
    return HttpResponseRedirect(reverse("table", args=[table.pk]), status=303)


def _name(actor: Actor, table: Table) -> str:
    """The name of the person who calls, if it is known."""
    pad = table.pads.filter(phone=actor.phone).first() if actor.phone else None
    return pad.name if pad else str(actor.user or "")


@login_not_required
@require_http_methods(["GET", "POST"])
def club_calls(request: HttpRequest, slug: str) -> HttpResponse:
    """The open calls, for hosts and scorers. They mark a call as seen, or as settled."""
    actor, now = actor_of(request), timezone.now()
    club = club_for(actor, slug, need=Role.SCORER)
    if request.method == "POST":
        number = request.POST.get("call", "")
        found = club.calls.filter(pk=number[:18]).first() if number.isascii() and number.isdigit() else None
        if found is None:
            raise Http404(_("This call does not exist."))
        match request.POST.get("do"):
            case "see":
                calls.see(call_id=found.pk, by=actor, now=now)
            case "settle":
                disputes.settle(call_id=found.pk, by=actor, now=now)
            case _:
                raise Http404(_("This step does not exist."))
        if not request.headers.get("X-Part"):
            return redirect_back(request, reverse("club_calls", args=[slug]))
    template = "_calls" if request.headers.get("X-Part") else "calls"
    return render(request, f"scorekeeper/{template}.html", context(calls_shown(club)) | {"club": club})
