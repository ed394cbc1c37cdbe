"""The doors of a table: join by QR code, record, watch."""

from django.contrib import messages
from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import etag, require_GET, require_http_methods, require_POST

from scorekeeper import access
from scorekeeper.access import actor_of, has_role, looks_on_at, may_at, table_for, why_put_out
from scorekeeper.models import DeviceToken, Role
from scorekeeper.pages import context, notices
from scorekeeper.pages.calls import call_shown
from scorekeeper.pages.codes import CodePage, TypePage
from scorekeeper.pages.outlook import shows_outlook
from scorekeeper.pages.sure import closing, renewing
from scorekeeper.pages.table import AroundPad, Bystander, kept_tables, pad_page, tournament_at, watch_page
from scorekeeper.selectors.clubs import listed_of
from scorekeeper.selectors.nestor import nestor_seats
from scorekeeper.selectors.tables import current_match
from scorekeeper.services import pads, short_codes, tables
from scorekeeper.views import etags, signing_in
from scorekeeper.views.codes import qr_cards
from scorekeeper.views.pads import elsewhere_page, holder_of
from scorekeeper.views.sure import ask, is_sure


@login_not_required
@require_GET
def table_join(request: HttpRequest, token: str) -> HttpResponse:
    """A phone that scans the QR code."""
    return _joined(request, access.device_of(token))


@login_not_required
@never_cache
@require_http_methods(["GET", "POST"])
def table_type(request: HttpRequest) -> HttpResponse:
    """Where people type the short code of a table. Wrong ones are counted as wrong passwords are."""
    typed, page, status = request.POST.get("code", ""), TypePage(), 200
    if minutes := signing_in.minutes_locked(request, signing_in.SHORT_CODES):
        return signing_in.codes_locked(request, minutes)
    if request.method == "POST":
        short = short_codes.read(typed)
        device = access.device_typed(short) if short else None
        if device:
            return _joined(request, device)
        page, status = TypePage(typed, wrong=True), 422
        if short:  # what is no code guesses nothing
            signing_in.count_wrong(request, signing_in.SHORT_CODES)
    return render(request, "scorekeeper/table_type.html", context(page), status=status)


def _joined(request: HttpRequest, device: DeviceToken) -> HttpResponse:
    """The phone takes the table's pad or asks for it, unless its user may record without it."""
    now, table = timezone.now(), device.table
    phone = access.remember(request, device)
    actor = actor_of(request, now=now)
    access.must_not_be_revoked(actor, table)
    if table.open and not has_role(actor, table.club_id, Role.SCORER):
        pads.scan(table=table, phone=phone, now=now)
    return HttpResponseRedirect(reverse("table", args=[table.pk]), status=303)


@login_not_required
@require_GET
@etag(etags.table)
def table(request: HttpRequest, pk: int) -> HttpResponse:
    """The pad for people who may record at the table; others watch."""
    actor = actor_of(request)
    found = table_for(actor, pk)
    match = current_match(found)
    if not may_at(actor, found, "record"):
        if found.pk in actor.let_go:
            return elsewhere_page(request, found)
        onlooker = shows_outlook(match) and looks_on_at(actor, found)
        bystander = Bystander(put_out=why_put_out(actor, found), onlooker=onlooker)
        return render(request, "scorekeeper/table_watch.html", context(watch_page(match, found), bystander))
    pad = pad_page(found, match, call_shown(found), data=request.GET, final="final" in request.GET)
    around = AroundPad(
        host=may_at(actor, found, "host"),
        people=listed_of(found.club),
        kept=kept_tables(found) if has_role(actor, found.club_id, Role.SCORER) else None,
        tournament=tournament_at(match),
        nestor=nestor_seats(match),
    )
    held = holder_of(request, actor, found, pad.players, around.nestor)
    answer = render(request, "scorekeeper/table.html", context(pad, around, held))
    answer["X-Keep"] = "pad"  # tells the service worker that it may show this page while there is no network
    return answer


@login_not_required
@require_GET
@etag(etags.table)
def table_watch(request: HttpRequest, pk: int) -> HttpResponse:
    """The public view of the table, also for a big screen."""
    actor = actor_of(request)
    found = table_for(actor, pk)
    page = watch_page(current_match(found), found, looks_on=looks_on_at(actor, found))
    return render(request, "scorekeeper/table_watch.html", context(page))


@login_not_required
@require_http_methods(["GET", "POST"])
def table_qr(request: HttpRequest, pk: int) -> HttpResponse:
    """The table's QR code; with `do=renew` a new one, once the host is sure. It needs a post: the first one is made
    here."""
    found = table_for(actor_of(request), pk, need="host")
    renewed = request.POST.get("do") == "renew"
    if renewed and not is_sure(request):
        back = reverse("table_devices", args=[pk])
        return ask(request, found.club, renewing(found, timezone.now()), back=back)
    cards = qr_cards(request, [found], renewed=renewed) if request.method == "POST" else []
    if renewed:
        messages.add_message(request, *notices.codes_renewed(1))
    return render(request, "scorekeeper/table_qr.html", context(CodePage(found, found.club, cards)))


@login_not_required
@require_POST
def table_open(request: HttpRequest, pk: int) -> HttpResponse:
    """Opens or closes a table; asks before it closes one with a match in play."""
    actor, is_open, now = actor_of(request), request.POST.get("open") == "1", timezone.now()
    found = table_for(actor, pk, need="host")
    if found.open and not is_open and not is_sure(request) and (step := closing(found, now)):
        return ask(request, found.club, step, back=reverse("club_tables", args=[found.club.slug]))
    if is_open != found.open:
        tables.table_set_open(table=found, is_open=is_open, by=actor.user, now=now)
        messages.add_message(request, *(notices.table_opened if is_open else notices.table_closed)(found.number))
    return redirect("club_tables", found.club.slug)
