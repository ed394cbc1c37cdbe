"""The doors to what a tournament prints."""

from django.contrib.auth.decorators import login_not_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import etag, require_GET, require_http_methods

from scorekeeper.access import actor_of, has_role, tournament_for
from scorekeeper.events.setup import MOST_PRIZES
from scorekeeper.models import Role
from scorekeeper.pages import context, sheets
from scorekeeper.pages import tournament_print as pages
from scorekeeper.pages.codes import CardsPage
from scorekeeper.selectors.events import event_now
from scorekeeper.selectors.tournament_results import tournament_results
from scorekeeper.views import etags
from scorekeeper.views.codes import qr_cards
from scorekeeper.views.tournament_standings import after_of, among_of


@login_not_required
@require_GET
@etag(etags.night)
def tournament_print(request: HttpRequest, pk: int) -> HttpResponse:
    """Everything that can be printed."""
    actor = actor_of(request)
    found = tournament_for(actor, pk)
    results = tournament_results(found)
    page = pages.print_page(results, host=has_role(actor, found.club_id, Role.DIRECTOR))
    return render(request, "scorekeeper/tournament_print.html", context(page))


@login_not_required
@require_GET
@etag(etags.night)
def print_page(request: HttpRequest, pk: int, what: str) -> HttpResponse:
    """A paper of `pages.PAPERS`, of `?round=`, or of the standings `?after=` a round or of a `?category=`, with this
    number of `?places=` and, with `?clubs=`, the best of all clubs. Only directors see drafts, and rounds to come
    before they are released."""
    if what not in pages.PAPERS:
        raise Http404(_("There is nothing here. Check the address."))
    actor = actor_of(request)
    found = tournament_for(actor, pk)
    results = tournament_results(found)
    host = has_role(actor, found.club_id, Role.DIRECTOR)
    wanted = pages.Wanted(
        after=after_of(request, results),
        round=_number(request, "round", results.state.rounds_in_all(public=not host)),
        places=_number(request, "places", MOST_PRIZES) or results.state.setup["prizes"],
        of=among_of(request, results),
        clubs=bool(request.GET.get("clubs")),
        host=host,
    )
    page = pages.paper_page(results, what, wanted)
    return render(request, "scorekeeper/tournament_paper.html", context(page))


@login_not_required
@require_http_methods(["GET", "POST"])
def print_sheets(request: HttpRequest, pk: int) -> HttpResponse:
    """Score sheets with names for the tables of the newest round that still play. Made by a post: each QR code on them
    is a new pass."""
    found = tournament_for(actor_of(request), pk, need="host")
    snapshot = event_now(found)
    cards = qr_cards(request, sheets.drawn_tables(snapshot)) if request.method == "POST" else []
    page = pages.SheetsPage(
        tournament=found,
        club=found.club,
        round=len(snapshot.state.rounds),
        waiting=len(sheets.drawn_tables(snapshot)),
        sheets=sheets.drawn_sheets(snapshot, cards),
    )
    return render(request, "scorekeeper/tournament_sheets.html", context(page))


@login_not_required
@require_http_methods(["POST"])
def print_cards(request: HttpRequest, pk: int) -> HttpResponse:
    """A card with a fresh QR code for every open table of the club."""
    found = tournament_for(actor_of(request), pk, need="host")
    tables = list(found.club.tables.filter(open=True).select_related("club").order_by("number"))
    return render(request, "scorekeeper/table_cards.html", context(CardsPage(found.club, qr_cards(request, tables))))


def _number(request: HttpRequest, name: str, most: int) -> int | None:
    """The number from 1 to `most` in the address; None without it. Http404 for anything else says what it can be."""
    text = request.GET.get(name, "")
    if not text:
        return None
    if not (text.isascii() and text.isdigit() and len(text) < 10 and 0 < int(text) <= most):
        words = (
            _("In this address, {name} is a whole number from 1 to {most}.") if most else _("There is no round yet.")
        )
        raise Http404(words.format(name=name, most=most))
    return int(text)
