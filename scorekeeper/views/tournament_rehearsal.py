"""The doors to the rehearsal of a tournament's day, and of a league that is played on one day."""

from collections.abc import Callable
from datetime import datetime
from functools import partial
from random import SystemRandom

from django.contrib.auth.decorators import login_not_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from scorekeeper.access import Actor, actor_of, league_for, tournament_for
from scorekeeper.events.setup import LONGEST_PAUSE, MOST_ROUNDS
from scorekeeper.forms.directing import whole
from scorekeeper.forms.tournaments import GOES_ON
from scorekeeper.models import Event
from scorekeeper.pages import context
from scorekeeper.pages.event import snapshot_of
from scorekeeper.pages.tournament_rehearsal import (
    MINUTES_A_DAY,
    RehearsalPage,
    clock,
    league_rehearsal_page,
    rehearsal_page,
    systems,
    troubles,
)
from scorekeeper.selectors.leagues import league_in
from scorekeeper.selectors.rehearsals import newest_rehearsal
from scorekeeper.selectors.tournaments import tournament_in
from scorekeeper.services import rehearsals
from scorekeeper.services.errors import Refused
from scorekeeper.services.stages import MOST_GROUPS

MOST_TABLES = 999


@login_not_required
@require_http_methods(["GET", "POST"])
def tournament_rehearsal(request: HttpRequest, pk: int) -> HttpResponse:
    """What the newest rehearsal was like, or how far it is. A POST asks for one, or cancels it."""
    actor = actor_of(request)
    found = tournament_for(actor, pk, need="host")
    return _answer(request, actor, found, partial(_wanted, request, found), rehearsal_page)


@login_not_required
@require_http_methods(["GET", "POST"])
def league_rehearsal(request: HttpRequest, pk: int) -> HttpResponse:
    """The same of a league that is played on one day. Http404 for another one."""
    actor = actor_of(request)
    found = league_for(actor, pk, need="host")
    state = league_in(found)
    if state.setup["every"]:
        raise Http404(_("This league is not played on one day, so there is no day to rehearse."))
    fewest = state.form.tables if state.form else 1
    return _answer(request, actor, found, partial(_day, request, fewest), league_rehearsal_page)


def _answer(
    request: HttpRequest,
    actor: Actor,
    found: Event,
    wanted: Callable[[], rehearsals.Wanted],
    shown: Callable[..., RehearsalPage],
) -> HttpResponse:
    refusal = ""
    if request.method == "POST":
        do, now = request.POST.get("do"), timezone.now()
        if do not in ("rehearse", "cancel"):
            raise Http404(_("This step does not exist."))
        try:
            if do == "cancel":
                rehearsals.cancel(event=found, now=now)
            else:
                seed = SystemRandom().randrange(2**32)
                rehearsals.start(event=found, wanted=wanted(), seed=seed, by=actor, now=now)
            return redirect(request.path)
        except Refused as error:
            refusal = error.message
    typed = request.POST.dict() if refusal else None
    page = shown(snapshot_of(found), newest_rehearsal(found), typed, refusal=refusal)
    status = 422 if refusal else 200
    return render(request, "scorekeeper/tournament_rehearsal.html", context(page), status=status)


def _wanted(request: HttpRequest, found: Event) -> rehearsals.Wanted:
    """Refused "bad-number" or "bad-time"."""
    posted = request.POST
    state = tournament_in(found)
    finals = dict.fromkeys(name for name, _text in systems(state))
    system = posted.get("system", next(iter(finals), ""))
    consolation = posted.get("consolation", "")
    best_of = posted.get("best_of", "1")
    if (finals and system not in finals) or consolation not in ("", *finals) or best_of not in map(str, GOES_ON):
        raise Http404(_("This step does not exist."))
    return _day(request)._replace(
        first=whole(posted.get("first", "0"), what=_("From each group"), least=0, most=MOST_ROUNDS),
        best=whole(posted.get("best", "0"), what=_("And the best of those who come next"), least=0, most=MOST_GROUPS),
        system=system,
        consolation=consolation,
        best_of=int(best_of),
    )


def _day(request: HttpRequest, fewest_tables: int = 1) -> rehearsals.Wanted:
    """What is asked for any day. Refused "bad-number" or "bad-time"."""
    posted = request.POST
    late, no_shows, wrong, disputed = (int(name in posted) for name, _text in troubles())
    start = _minutes(posted.get("start", ""))
    return rehearsals.Wanted(
        tables=whole(posted.get("tables", ""), what=_("Tables"), least=fewest_tables, most=MOST_TABLES),
        start=start,
        until=_asked(request, start),
        pause=whole(posted.get("pause", ""), what=_("Pause between rounds"), least=0, most=LONGEST_PAUSE),
        late=late,
        no_shows=no_shows,
        wrong=wrong,
        disputed=disputed,
    )


def _minutes(text: str) -> int:
    try:
        time = datetime.strptime(text.strip(), "%H:%M")
    except ValueError as error:
        raise Refused("bad-time", _("Enter the start and the end as times, like 14:00.")) from error
    return time.hour * 60 + time.minute


def _asked(request: HttpRequest, start: int) -> int | None:
    """When it ends; None if nobody says it. Refused "ends-before-it-starts"."""
    typed = request.POST.get("end", "")
    if not typed.strip():
        return None
    end = _minutes(typed)
    if end <= start and "overnight" in request.POST:
        end += MINUTES_A_DAY
    if end <= start:
        text = _(
            "The end, {end}, is not after the start, {start}. Correct a time, or tick that it ends on the next day."
        )
        raise Refused("ends-before-it-starts", text.format(start=clock(start), end=clock(end)))
    return end
