"""The doors of a table: join by QR code, record, watch."""

from django.contrib import messages
from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import etag, require_GET, require_http_methods, require_POST

from scorekeeper import access
from scorekeeper.access import actor_of, has_role, may_at, table_for
from scorekeeper.models import Role
from scorekeeper.pages import context, notices
from scorekeeper.pages.calls import call_shown
from scorekeeper.pages.codes import CodePage
from scorekeeper.pages.table import AroundPad, kept_tables, pad_page, watch_page
from scorekeeper.selectors.clubs import listed_of
from scorekeeper.selectors.tables import current_match
from scorekeeper.services import pads, tables
from scorekeeper.views import etags
from scorekeeper.views.codes import qr_cards
from scorekeeper.views.pads import elsewhere_page, holder_of


@login_not_required
@require_GET
def table_join(request: HttpRequest, token: str) -> HttpResponse:
    """A phone that scans the QR code takes the table's pad, unless its user may record without it."""
    now = timezone.now()
    device = access.device_of(token, now=now)
    access.remember(request, device)
    actor = actor_of(request, now=now)
    access.must_not_be_revoked(actor, device.table)
    if actor.phone and not has_role(actor, device.table.club_id, Role.SCORER):
        pads.scan(table=device.table, phone=actor.phone, now=now)
    return HttpResponseRedirect(reverse("table", args=[device.table_id]), status=303)


@login_not_required
@require_GET
@etag(etags.table)
def table(request: HttpRequest, pk: int) -> HttpResponse:
    """The pad for people who may record at the table; others watch."""
    actor = actor_of(request)
    found = table_for(actor, pk)
    if not may_at(actor, found, "record"):
        if found.pk in actor.let_go:
            return elsewhere_page(request, found)
        return render(request, "scorekeeper/table_watch.html", context(watch_page(current_match(found), found)))
    pad = pad_page(found, current_match(found), call_shown(found), data=request.GET, final="final" in request.GET)
    around = AroundPad(
        host=may_at(actor, found, "host"),
        people=listed_of(found.club),
        kept=kept_tables(found) if has_role(actor, found.club_id, Role.SCORER) else None,
    )
    held = holder_of(request, actor, found, pad.players)
    answer = render(request, "scorekeeper/table.html", context(pad, around, held))
    answer["X-Keep"] = "pad"  # tells the service worker that it may show this page while there is no network
    return answer


@login_not_required
@require_GET
@etag(etags.table)
def table_watch(request: HttpRequest, pk: int) -> HttpResponse:
    """The public view of the table, also for a big screen."""
    found = table_for(actor_of(request), pk)
    return render(request, "scorekeeper/table_watch.html", context(watch_page(current_match(found), found)))


@login_not_required
@require_http_methods(["GET", "POST"])
def table_qr(request: HttpRequest, pk: int) -> HttpResponse:
    """A fresh QR code. It needs a post: each one is a new pass and is shown only once."""
    found = table_for(actor_of(request), pk, need="host")
    cards = qr_cards(request, [found]) if request.method == "POST" else []
    return render(request, "scorekeeper/table_qr.html", context(CodePage(found, found.club, cards)))


@login_not_required
@require_POST
def table_open(request: HttpRequest, pk: int) -> HttpResponse:
    """Opens or closes a table. Closing ends its QR codes, and the next page says so."""
    actor, is_open = actor_of(request), request.POST.get("open") == "1"
    found = table_for(actor, pk, need="host")
    if is_open != found.open:
        tables.table_set_open(table=found, is_open=is_open, by=actor.user, now=timezone.now())
        messages.add_message(request, *(notices.table_opened if is_open else notices.table_closed)(found.number))
    return redirect("club_tables", found.club.slug)
