"""The doors of a club's pages."""

from django.contrib import messages
from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_GET, require_http_methods

from games import GameError
from scorekeeper.access import actor_of, club_for, keeps_data, role_in
from scorekeeper.forms.clubs import TableForm
from scorekeeper.models import Role
from scorekeeper.pages import context, notices
from scorekeeper.pages.calls import calls_shown
from scorekeeper.pages.club import Asked, ClubDrawn, ClubPage, TablesPage, club_drawn, club_page
from scorekeeper.pages.codes import CardsPage
from scorekeeper.pages.sure import renewing_all
from scorekeeper.selectors.tables import tables_of
from scorekeeper.services import clubs
from scorekeeper.views import etags
from scorekeeper.views.codes import qr_cards
from scorekeeper.views.sure import ask, is_sure
from scorekeeper.words import in_words


@login_not_required
@require_GET
def club(request: HttpRequest, slug: str) -> HttpResponse:
    """The club's page, for everybody; hosts also get links to their own pages."""
    actor = actor_of(request)
    found = club_for(actor, slug)
    role = role_in(actor, found.pk)
    before = request.GET.get("before", "")
    asked = Asked(
        game=request.GET.get("game", ""),
        before=int(before) if before.isascii() and before.isdigit() and len(before) < 19 else None,
        all_nights=request.GET.get("nights") == "all",
    )

    def draw() -> HttpResponse:
        if actor.user is None:
            page: ClubDrawn | ClubPage = club_drawn(found, asked)
        else:
            page = club_page(found, asked, role=role, keeper=keeps_data(actor))
        calls = [calls_shown(found)] if role and role.covers(Role.SCORER) else []
        return render(request, "scorekeeper/club.html", context(page, *calls))

    return etags.not_modified_or(request, found.newest_change, draw)


@login_not_required
@require_http_methods(["GET", "POST"])
def club_tables(request: HttpRequest, slug: str) -> HttpResponse:
    """The club's tables: add one, or print the QR codes of all."""
    actor = actor_of(request)
    found = club_for(actor, slug, need=Role.DIRECTOR)
    form = TableForm(request.POST if request.POST.get("do") == "add" else None)
    if request.POST.get("do") in ("print", "renew"):
        renewed = request.POST["do"] == "renew"
        # A closed table keeps its code, so whoever has a photograph of all codes has that one, too.
        shown = [row.table for row in tables_of(found) if row.table.open or renewed]
        if renewed and not is_sure(request):
            return ask(request, found, renewing_all(shown, timezone.now()), back=request.path)
        cards = qr_cards(request, shown, renewed=renewed)
        if renewed:
            messages.add_message(request, *notices.codes_renewed(len(cards)))
        return render(request, "scorekeeper/table_cards.html", context(CardsPage(found, cards)))
    if request.method == "POST" and form.is_valid():
        try:
            table = clubs.table_add(club=found, name=form.cleaned_data["name"], now=timezone.now(), by=actor.user)
        except GameError as error:
            form.add_error("name", in_words(error))
        else:
            messages.add_message(request, *notices.table_added(table.number))
            return redirect("club_tables", slug)
    page = TablesPage(club=found, form=form, tables=tables_of(found))
    whole = context(page, calls_shown(found))
    return render(request, "scorekeeper/club_tables.html", whole, status=422 if form.errors else 200)
