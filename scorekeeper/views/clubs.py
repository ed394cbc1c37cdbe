"""A club's pages: what goes on, its players, its tables."""

from django.contrib import messages
from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods

from games import GameError
from scorekeeper.access import actor_of, club_for, has_role
from scorekeeper.forms.clubs import PlayersForm, TableForm
from scorekeeper.forms.entries import names_from
from scorekeeper.models import Club, Role
from scorekeeper.selectors.clubs import players_of
from scorekeeper.selectors.tables import tables_of
from scorekeeper.services import clubs
from scorekeeper.services.errors import Refused, in_words
from scorekeeper.views.parts import club_context
from scorekeeper.views.tables import qr_cards


@login_not_required
@require_GET
def club(request: HttpRequest, slug: str) -> HttpResponse:
    """What goes on in the club, for everybody; a host's ways to his other pages."""
    actor = actor_of(request)
    found = club_for(actor, slug)
    before = request.GET.get("before", "")
    context = club_context(
        found, before=int(before) if before.isascii() and before.isdigit() and len(before) < 19 else None
    )
    context["host"] = has_role(actor, found.pk, Role.DIRECTOR)
    return render(request, "scorekeeper/club.html", context)


@login_not_required
@require_http_methods(["GET", "POST"])
def club_players(request: HttpRequest, slug: str) -> HttpResponse:
    """Players are added by name, several at once; a name that cannot be added stays in the field."""
    found = club_for(actor_of(request), slug, need=Role.DIRECTOR)
    form = PlayersForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        refused, why = _add(found, form.cleaned_data["names"])
        if not refused:
            return redirect("club_players", slug)
        form = PlayersForm({"names": "\n".join(refused)})
        for message in why:
            form.add_error("names", message)
    context = {"club": found, "form": form, "players": list(players_of(found))}
    return render(request, "scorekeeper/club_players.html", context, status=422 if form.errors else 200)


def _add(found: Club, text: str) -> tuple[list[str], list[str]]:
    """Names that could not be added, and why."""
    refused, why = [], []
    for name in names_from(text):
        try:
            clubs.player_add(club=found, name=name, now=timezone.now())
        except Refused as error:
            refused.append(name)
            why.append(error.message)
        except GameError as error:
            refused.append(name)
            why.append(in_words(error))
    return refused, why


@login_not_required
@require_http_methods(["GET", "POST"])
def club_tables(request: HttpRequest, slug: str) -> HttpResponse:
    """The club's tables: add one, or print the QR codes of all."""
    found = club_for(actor_of(request), slug, need=Role.DIRECTOR)
    form = TableForm(request.POST if request.POST.get("do") == "add" else None)
    if request.method == "POST" and request.POST.get("do") == "print":
        cards = qr_cards(request, [row.table for row in tables_of(found) if row.table.open])
        return render(request, "scorekeeper/table_cards.html", {"club": found, "cards": cards})
    if request.method == "POST" and form.is_valid():
        try:
            table = clubs.table_add(club=found, name=form.cleaned_data["name"], now=timezone.now())
        except GameError as error:
            form.add_error("name", in_words(error))
        else:
            messages.success(request, _("Table {number} is there.").format(number=table.number))
            return redirect("club_tables", slug)
    context = {"club": found, "form": form, "tables": tables_of(found)}
    return render(request, "scorekeeper/club_tables.html", context, status=422 if form.errors else 200)
