"""Calling the host: the table's side, and the list of who waits for the hosts."""

from hashlib import sha256
from typing import Any

from django.contrib.auth.decorators import login_not_required
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from games import GameError
from scorekeeper import live
from scorekeeper.access import Actor, actor_of, caller_for, club_for, has_role
from scorekeeper.models import Club, Role, Table
from scorekeeper.selectors.calls import open_call, open_calls
from scorekeeper.selectors.tables import current_match
from scorekeeper.services import calls
from scorekeeper.services.errors import in_words
from scorekeeper.views.parts import call_shown


@login_not_required
@require_POST
def table_call(request: HttpRequest, pk: int) -> HttpResponse:
    """The table calls the host, or needs nobody any more."""
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
            raise Http404(_("There is no such step."))
    if request.headers.get("X-Part") or refusal:
        context = {"table": table, "recording": True, "call_refusal": refusal} | call_shown(table)
        context["typed_why"] = request.POST.get("other")
        part = bool(request.headers.get("X-Part"))
        return render(request, f"scorekeeper/{'_call' if part else 'call'}.html", context, status=status)
    return HttpResponseRedirect(reverse("table", args=[table.pk]), status=303)


def _name(actor: Actor, table: Table) -> str:
    """Whose phone calls, as far as that is known."""
    pad = table.pads.filter(phone=actor.phone).first() if actor.phone else None
    return pad.name if pad else str(actor.user or "")


@login_not_required
@require_http_methods(["GET", "POST"])
def club_calls(request: HttpRequest, slug: str) -> HttpResponse:
    """The tables that call, for hosts and scorers: who is on the way says so, and when it is settled."""
    actor, now = actor_of(request), timezone.now()
    club = club_for(actor, slug, need=Role.SCORER)
    if request.method == "POST":
        number = request.POST.get("call", "")
        found = club.calls.filter(pk=number[:18]).first() if number.isascii() and number.isdigit() else None
        if found is None:
            raise Http404(_("There is no such call here."))
        match request.POST.get("do"):
            case "see":
                calls.see(call_id=found.pk, by=actor, now=now)
            case "settle":
                calls.settle(call_id=found.pk, now=now)
            case _:
                raise Http404(_("There is no such step."))
        if not request.headers.get("X-Part"):
            back = request.POST.get("back", "")
            if not url_has_allowed_host_and_scheme(back, allowed_hosts=None):
                back = reverse("club_calls", args=[slug])
            return HttpResponseRedirect(back, status=303)
    context = calls_context(club) | {"club": club}
    if request.headers.get("X-Part"):
        return render(request, "scorekeeper/_calls.html", context)
    return render(request, "scorekeeper/calls.html", context)


def calls_for(actor: Actor, club: Club) -> dict[str, Any]:
    """The calls of the club for a page of its hosts and scorers; nothing for others. At most two queries."""
    return calls_context(club) if has_role(actor, club.pk, Role.SCORER) else {}


def calls_context(club: Club) -> dict[str, Any]:
    """Who calls, and a stamp that is another one whenever that would be shown otherwise. One query."""
    found = list(open_calls(club.pk))
    said = [
        (each.match.sheet.get("disputed"), each.match.offers.get("confirm")) if each.match else () for each in found
    ]
    shown = [(each.pk, each.seen_at, each.why, each.name) for each in found], said
    return {
        "calls": found,
        "calling": {each.table_id for each in found},
        "calls_stamp": sha256(repr(shown).encode()).hexdigest()[:16],
        "keeps": True,
    }


def stamp(kind: str, number: int) -> str:
    """Only a stamp: the page of who may see the calls asks for them again when this changes."""
    context = calls_context(Club.objects.get(pk=number))
    return render_to_string("scorekeeper/_desk_stamp.html", {"stamp": context["calls_stamp"]})


live.renderers.update(calls=stamp)
