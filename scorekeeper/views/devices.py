"""The door of a table's codes and phones: a host sees them, and revokes them."""

from collections.abc import Callable
from functools import partial
from typing import TypeVar

from django.contrib import messages
from django.contrib.auth.decorators import login_not_required
from django.db.models import Model, QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from scorekeeper.access import actor_of, table_for
from scorekeeper.pages import context, notices, sure
from scorekeeper.pages.devices import devices_page
from scorekeeper.services import tables
from scorekeeper.views.sure import ask, is_sure

Row = TypeVar("Row", bound=Model)


@login_not_required
@require_http_methods(["GET", "POST"])
def table_devices(request: HttpRequest, pk: int) -> HttpResponse:
    """Lists the valid codes of a table and the phones that scanned one. Revokes one of them, or all codes, once the
    host is sure."""
    actor, now = actor_of(request), timezone.now()
    table = table_for(actor, pk, need="host")
    if request.method == "GET":
        return render(request, "scorekeeper/table_devices.html", context(devices_page(table)))
    revoke: Callable[..., object]
    match request.POST.get("do"):
        case "code":
            device = _chosen(request, table.devices.all())
            step, notice = sure.revoking_code(table, now), notices.code_revoked()
            revoke = partial(tables.revoke_token, device=device)
        case "phone":
            pad = _chosen(request, table.pads.all())
            step, notice = sure.revoking_phone(pad, now), notices.phone_revoked()
            revoke = partial(tables.revoke_phone, pad=pad)
        case "all":
            step, notice = sure.revoking_all(table, now), notices.codes_revoked(table.number)
            revoke = partial(tables.revoke_tokens, table=table)
        case _:
            raise Http404(_("This step does not exist."))
    if not is_sure(request):
        return ask(request, table.club, step, back=request.path)
    revoke(by=actor.user, now=now)
    messages.add_message(request, *notice)
    return redirect("table_devices", table.pk)


def _chosen(request: HttpRequest, rows: QuerySet[Row]) -> Row:
    """The row with the number in the form; else Http404."""
    number = request.POST.get("number", "")
    found = rows.filter(pk=number).first() if number.isascii() and number.isdigit() and len(number) < 19 else None
    if found is None:
        raise Http404(_("This code or phone does not exist."))
    return found
