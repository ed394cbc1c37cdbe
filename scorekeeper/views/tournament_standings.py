"""The doors to the standings of a tournament: the table, an entrant's page, and the same as CSV."""

from collections.abc import Iterable

from django.contrib.auth.decorators import login_not_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.http import content_disposition_header
from django.utils.translation import gettext as _
from django.views.decorators.http import etag, require_GET, require_http_methods

from scorekeeper.access import actor_of, has_role, tournament_for
from scorekeeper.forms import directing
from scorekeeper.models import Event, Role
from scorekeeper.pages import context
from scorekeeper.pages.event import snapshot_of
from scorekeeper.pages.tournament_entrant import entrant_page
from scorekeeper.pages.tournament_equals import equals_page
from scorekeeper.pages.tournament_exports import Row, all_standings_rows, results_rows, standings_rows
from scorekeeper.pages.tournament_standings import standings_page
from scorekeeper.pages.tournament_tables import cross_table_page
from scorekeeper.selectors.tournament_categories import CATEGORY, CLUB, Among, among
from scorekeeper.selectors.tournament_results import STAGE, TournamentResults, tournament_results
from scorekeeper.services import files, tournaments
from scorekeeper.services.archive import csv_of
from scorekeeper.services.errors import Refused
from scorekeeper.views import etags
from scorekeeper.views.steps import step_of


@login_not_required
@require_GET
@etag(etags.night)
def tournament_standings(request: HttpRequest, pk: int) -> HttpResponse:
    """The standings now, or after the round `?after=`; of everybody, or of a `?category=` or a `?club=`. Where there
    are groups and finals, those of one `?stage=`. At most nine queries for a visitor, and three if somebody has just
    looked."""
    actor = actor_of(request)
    found = tournament_for(actor, pk)
    results = part_of(request, tournament_results(found))
    host = has_role(actor, found.club_id, Role.DIRECTOR)
    page = standings_page(results, after=after_of(request, results), of=among_of(request, results), host=host)
    return render(request, "scorekeeper/tournament_standings.html", context(page))


@login_not_required
@require_http_methods(["GET", "POST"])
def tournament_equals(request: HttpRequest, pk: int) -> HttpResponse:
    """Who is equal up to the director's decision; a POST decides. For directors."""
    actor = actor_of(request)
    found = tournament_for(actor, pk, need="host")
    if request.method == "GET":
        return render(request, "scorekeeper/tournament_equals.html", context(equals_page(snapshot_of(found))))
    try:
        tournaments.decide(event_id=pk, places=directing.places(request.POST), step=step_of(request, actor))
    except Refused as error:
        found = tournament_for(actor, pk, need="host")  # with what others have done meanwhile
        page = equals_page(snapshot_of(found), refusal=error.message, sent=request.POST.dict())
        return render(request, "scorekeeper/tournament_equals.html", context(page), status=422)
    return redirect("tournament_standings", pk)


@login_not_required
@require_GET
@etag(etags.night)
def tournament_entrant(request: HttpRequest, pk: int, number: int) -> HttpResponse:
    """An entrant with their rounds, and how each figure is made up; of a `?stage=`, else of the last they reached."""
    found = tournament_for(actor_of(request), pk)
    whole = tournament_results(found)
    results = part_of(request, whole) if STAGE in request.GET else whole.last_parts.get(number, whole)
    after = after_of(request, results)
    stage = results.standings(after)
    if stage is None or number not in results.state.entrants:
        raise Http404(_("Nobody has this start number."))
    return render(request, "scorekeeper/tournament_entrant.html", context(entrant_page(results, stage, number, after)))


@login_not_required
@require_GET
@etag(etags.night)
def tournament_cross_table(request: HttpRequest, pk: int) -> HttpResponse:
    """Who met whom: a cross-table for two sides, matrices for more. Where there are groups and finals, those of one
    `?stage=`."""
    found = tournament_for(actor_of(request), pk)
    page = cross_table_page(part_of(request, tournament_results(found)))
    return render(request, "scorekeeper/tournament_cross_table.html", context(page))


@login_not_required
@require_GET
@etag(etags.night)
def standings_csv(request: HttpRequest, pk: int) -> HttpResponse:
    """The standings for a spreadsheet: those of all groups and finals, or of one `?stage=`, now or after its round
    `?after=`."""
    found = tournament_for(actor_of(request), pk)
    whole = tournament_results(found)
    if not {STAGE, "after"} & request.GET.keys():
        return _csv(found, "standings", all_standings_rows(whole))
    results = part_of(request, whole)
    after = after_of(request, results)
    what = "-".join(
        filter(None, (results.name, "standings" if after is None else f"standings-round-{results.numbered(after)}"))
    )
    return _csv(found, what, standings_rows(results, after))


@login_not_required
@require_GET
@etag(etags.night)
def results_csv(request: HttpRequest, pk: int) -> HttpResponse:
    """All results for a spreadsheet: a row for each side of each table."""
    found = tournament_for(actor_of(request), pk)
    return _csv(found, "results", results_rows(tournament_results(found)))


def _csv(event: Event, what: str, rows: Iterable[Row]) -> HttpResponse:
    answer = HttpResponse(csv_of(rows), content_type="text/csv; charset=utf-8")
    answer["Content-Disposition"] = content_disposition_header(True, f"{files.stem_of(event)}-{what}.csv")
    return answer


def part_of(request: HttpRequest, results: TournamentResults) -> TournamentResults:
    """The group or final in `?stage=`, by default the first one that is played now. Http404 if there is none."""
    found = results.part(request.GET.get(STAGE, ""))
    if found is None:
        raise Http404(_("There is no such group or final here."))
    return found


def after_of(request: HttpRequest, results: TournamentResults) -> int | None:
    """How many rounds there are up to the one in `?after=`, which has its number in the whole tournament; None without
    it. Http404 for a round that has not been released."""
    text = request.GET.get("after", "")
    if not text:
        return None
    number = int(text) - results.numbered(1) + 1 if text.isascii() and text.isdigit() and len(text) < 10 else 0
    if not 0 < number <= results.rounds:
        raise Http404(_("This round has not been released."))
    return number


def among_of(request: HttpRequest, results: TournamentResults) -> Among | None:
    """The category in `?category=`, or the club in `?club=`; None without either. Http404 if there is none."""
    for kind in (CATEGORY, CLUB):
        if name := request.GET.get(kind, ""):
            found = among(results.state, kind, name)
            if found is None:
                raise Http404(_("There is no such category or club here."))
            return found
    return None
