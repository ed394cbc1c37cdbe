"""The doors of the pad: a phone takes it back, or says whose phone it is."""

from collections.abc import Collection, Sequence

from django.contrib.auth.decorators import login_not_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from scorekeeper.access import Actor, actor_of, pad_for
from scorekeeper.models import Table
from scorekeeper.pages import context
from scorekeeper.pages import pads as pages
from scorekeeper.pages.entry import RefusalShown
from scorekeeper.pages.pads import PadHolder, holder
from scorekeeper.selectors.nestor import nestor_seats
from scorekeeper.selectors.tables import current_match, names_at
from scorekeeper.services import pads
from scorekeeper.views.redirects import redirect_back

ASKED = "asked"  # tables at which this phone was asked whose it is


@login_not_required
@require_POST
def table_pad(request: HttpRequest, pk: int) -> HttpResponse:
    """Takes the pad back, shares it, or sets whose phone this is; then returns to the page."""
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
            raise Http404(_("This step does not exist."))
    return redirect_back(request, reverse("table", args=[table.pk]))


def holder_of(
    request: HttpRequest, actor: Actor, table: Table, players: Sequence[str], nestor: Collection[int]
) -> PadHolder:
    """Whose phone this is, of the `players` by seat; Nestor, in his seats, has none. The session remembers that the
    phone was asked."""
    names = [name for seat, name in enumerate(players) if seat not in nestor]
    asked = request.session.get(ASKED, [])
    found = holder(actor, table, names, asked=table.pk in asked)
    if found.ask_holder:
        request.session[ASKED] = [*asked[-19:], table.pk]
    return found


def elsewhere_page(
    request: HttpRequest, table: Table, *, refusal: RefusalShown | None = None, status: int = 200
) -> HttpResponse:
    """The page of a phone that handed its pad over."""
    shown, handed = pages.elsewhere_page(table)
    nestor = nestor_seats(current_match(table))
    held = holder_of(request, actor_of(request), table, shown.players, nestor)
    whole = context(shown, handed, held) | {"refusal": refusal, "nestor": nestor}
    return render(request, "scorekeeper/table_elsewhere.html", whole, status=status)
