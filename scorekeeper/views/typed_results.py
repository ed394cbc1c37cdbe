"""The door that types a result in place of another one or of hands: what it changes first, then a button that saves."""

from dataclasses import replace

from django.contrib import messages
from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from games import GameError
from games.errors import Code
from scorekeeper.access import actor_of, match_for
from scorekeeper.events.groups import has_series
from scorekeeper.forms import directing as typed
from scorekeeper.models import Event
from scorekeeper.pages import context
from scorekeeper.pages.typed_result import typed_result_page
from scorekeeper.selectors.ending import stopped_if_short
from scorekeeper.selectors.matches import position
from scorekeeper.selectors.series import absent_in, as_seated
from scorekeeper.selectors.tournaments import tournament_in
from scorekeeper.services import directing
from scorekeeper.services.errors import Refused
from scorekeeper.services.typed_results import entry_replacing
from scorekeeper.views.steps import step_of
from scorekeeper.words import in_words


@login_not_required
@require_http_methods(["GET", "POST"])
def typed_result(request: HttpRequest, pk: int) -> HttpResponse:
    """Other totals for a match of a tournament. Only `do=save` saves, and only totals whose effect was shown."""
    actor = actor_of(request)
    found = match_for(actor, pk, need="host")
    state, event, data = position(found), found.event, request.POST
    if event is None or event.kind != Event.Kind.TOURNAMENT or not (found.round and found.table):
        messages.error(request, _("Only a director of a tournament types its results. Correct the match on this page."))
        return redirect("match", pk)
    why, early = data.get("why", "").strip(), data.get("early") == "yes"
    tournament = tournament_in(event)
    pairing = tournament.pairing_at(found.round, found.table.number)
    absent = absent_in(tournament, found)
    page, status = typed_result_page(found, event, state, data, absent), 200
    try:
        if request.method == "POST":
            totals = typed.totals(data, len(state.sides), absent)
            stopped = stopped_if_short(found, early=early, now=timezone.now())
            then = state.enter(entry_replacing(state, totals, why or "–", stopped))
            page = typed_result_page(found, event, state, data, absent, after=then)
            if data.get("do") == "save" and data.get("shown") == page.shown:
                directing.replace_result(
                    event_id=event.pk,
                    round_number=found.round,
                    table=found.table.number,
                    totals=as_seated(tournament, found, totals),
                    why=why,
                    early=early,
                    match_id=pk if has_series(tournament.setup_at(found.round, pairing)) else None,
                    step=step_of(request, actor),
                )
                messages.success(request, _("The result was corrected."))
                return redirect("match", pk)
    except Refused as error:
        event.refresh_from_db()
        page, status = replace(page, message=error.message), 422
    except GameError as error:
        ask_early = error.code == Code.HAND_UNFINISHED
        page, status = replace(page, message=in_words(error), ask_early=page.ask_early or ask_early), 422
    return render(request, "scorekeeper/typed_result.html", context(page), status=status)
