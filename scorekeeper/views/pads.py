"""The pad going from phone to phone: what a phone sees that handed it over, and the way back."""

from collections.abc import Sequence
from typing import Any

from django.contrib.auth.decorators import login_not_required
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from scorekeeper import live
from scorekeeper.access import Actor, actor_of, pad_for
from scorekeeper.models import Pad, Table
from scorekeeper.selectors.matches import seated_now
from scorekeeper.selectors.tables import current_match, pads_held
from scorekeeper.services import pads
from scorekeeper.views.parts import call_shown, watch_context

ASKED = "asked"  # tables at which this phone was asked whose it is


@login_not_required
@require_POST
def table_pad(request: HttpRequest, pk: int) -> HttpResponse:
    """Takes the pad back, records beside whoever has it, or says whose phone this is; then goes on where it was."""
    actor, now = actor_of(request), timezone.now()
    table = pad_for(actor, pk)
    match request.POST.get("do"):
        case "take":
            pads.take(table=table, phone=actor.phone, now=now)
        case "too":
            pads.join(table=table, phone=actor.phone, now=now)
        case "name" if (name := request.POST.get("name", "")) in names_at(table):
            pads.name(table=table, phone=actor.phone, name=name, now=now)
        case _:
            raise Http404(_("There is no such step."))
    back = request.POST.get("back", "")
    if not url_has_allowed_host_and_scheme(back, allowed_hosts=None):
        back = reverse("table", args=[table.pk])
    return HttpResponseRedirect(back, status=303)


def names_at(table: Table) -> list[str]:
    """Who sits in the table's current match now."""
    match = current_match(table)
    return [seat.name for seat in seated_now(match)] if match else []


def holder_context(request: HttpRequest, actor: Actor, table: Table, names: Sequence[str]) -> dict[str, Any]:
    """Whose phone this is, one of those at the table; the first time there are names to choose from it is asked."""
    pad = table.pads.filter(phone=actor.phone).first() if actor.phone and names else None
    if pad is None:
        return {}
    asked = request.session.get(ASKED, [])
    ask = not pad.name and table.pk not in asked
    if ask:
        request.session[ASKED] = [*asked[-19:], table.pk]
    return {"pad": pad, "holders": names, "ask_holder": ask}


def elsewhere_page(
    request: HttpRequest, table: Table, *, refusal: dict[str, Any] | None = None, status: int = 200
) -> HttpResponse:
    """What a phone sees whose pad another one took."""
    context = elsewhere_context(table) | {"refusal": refusal or {}}
    context |= holder_context(request, actor_of(request), table, context.get("players", ()))
    return render(request, "scorekeeper/table_elsewhere.html", context, status=status)


def elsewhere_context(table: Table) -> dict[str, Any]:
    """What everybody may see of the table, and who has its pad."""
    shown, held = watch_context(current_match(table), table), pads_held(table)
    return shown | call_shown(table) | {"pads": held, "version": ":".join([shown["version"], *map(_mark, held)])}


def _mark(pad: Pad) -> str:
    return f"{pad.pk} {pad.name}"


def elsewhere(kind: str, number: int) -> str:
    table = Table.objects.select_related("club").get(pk=number)
    context = elsewhere_context(table)
    return "".join(render_to_string(f"scorekeeper/{each}.html", context) for each in ("_elsewhere", "_call"))


live.renderers.update(elsewhere=elsewhere)
