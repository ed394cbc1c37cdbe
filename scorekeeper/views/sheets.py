"""The doors that print blank score sheets."""

from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_http_methods

from games import GAMES
from scorekeeper.access import actor_of, club_for, night_for
from scorekeeper.forms.sheets import SheetsForm
from scorekeeper.models import Club, Role
from scorekeeper.pages import context
from scorekeeper.pages import sheets as pages
from scorekeeper.selectors.events import EventNow, event_now, night_now
from scorekeeper.selectors.matches import usual_game
from scorekeeper.views.codes import qr_cards


@login_not_required
@require_http_methods(["GET", "POST"])
def night_sheets(request: HttpRequest, pk: int) -> HttpResponse:
    """Sheets for the tables of the newest round, for all open tables, or without a table. Made by a post: each QR code
    on them is a new pass."""
    night = night_for(actor_of(request), pk, need="host")
    snapshot = event_now(night)
    form = _form(request, night.club, night_now(snapshot).game)
    page = pages.night_sheets_page(snapshot, form, _sheets(request, snapshot, form))
    return render(request, "scorekeeper/sheets.html", context(page), status=422 if form.errors else 200)


def _sheets(request: HttpRequest, snapshot: EventNow, form: SheetsForm) -> list[pages.PrintedSheet]:
    do = request.POST.get("do", "")
    if do == "drawn":
        return pages.drawn_sheets(snapshot, qr_cards(request, pages.drawn_tables(snapshot)))
    if not form.is_valid():
        return []
    if do == "tables":
        return pages.table_sheets(snapshot, form, qr_cards(request, [each for each in snapshot.tables if each.open]))
    return pages.blank_sheets(snapshot, form)


@login_not_required
@require_http_methods(["GET", "POST"])
def club_sheets(request: HttpRequest, slug: str) -> HttpResponse:
    """Sheets without names for a club that plays without a night here."""
    club = club_for(actor_of(request), slug, need=Role.DIRECTOR)
    form = _form(request, club, "")
    page = pages.SheetsPage(club=club, form=form, sheets=pages.club_sheets(club, form) if form.is_valid() else [])
    return render(request, "scorekeeper/sheets.html", context(page), status=422 if form.errors else 200)


def _form(request: HttpRequest, club: Club, game: str) -> SheetsForm:
    """The form; it starts with this game, or with the usual one of the club."""
    asked = request.POST.get("do") in ("blank", "tables")
    initial = {"game": game or usual_game(club)}
    return SheetsForm(list(GAMES.values()), request.POST if asked else None, initial=initial)
