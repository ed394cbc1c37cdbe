"""The doors to a tournament: setting it up, its desk, its public page and its file."""

from collections.abc import Callable
from random import SystemRandom

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_not_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.http import content_disposition_header
from django.utils.translation import gettext as _
from django.views.decorators.http import etag, require_GET, require_POST

from games import GameError
from scorekeeper.access import Refusal, actor_of, has_role, must_play, tournament_for
from scorekeeper.forms import directing
from scorekeeper.forms.entrants import named
from scorekeeper.forms.nights import ticked
from scorekeeper.forms.typed import names_from
from scorekeeper.models import Event, Role
from scorekeeper.pages import context
from scorekeeper.pages.calls import calls_shown
from scorekeeper.pages.codes import reachable
from scorekeeper.pages.event import snapshot_of
from scorekeeper.pages.free_play import breaks_of
from scorekeeper.pages.tournament import DeskRefusal, Director, desk_page, tournament_drawn
from scorekeeper.pages.tournament_day import day_shown
from scorekeeper.selectors.persons import claimed_in
from scorekeeper.selectors.tables import passes_elsewhere
from scorekeeper.selectors.tournament_results import file_text, tournament_results
from scorekeeper.selectors.tournaments import tournament_in
from scorekeeper.services import entrants, events, files, free_play, schedules, tournaments
from scorekeeper.services.errors import Refused
from scorekeeper.services.events import Step
from scorekeeper.serving.lock import noted_addresses
from scorekeeper.views import etags, tournament_day
from scorekeeper.views.naming import asks_whom
from scorekeeper.views.steps import refusal_words, step_of, undo
from scorekeeper.views.tournament_schedule import cancel, keep


@login_not_required
@require_GET
def tournament(request: HttpRequest, pk: int) -> HttpResponse:
    """Standings and rounds, for everybody. At most ten queries for a visitor, and one if somebody has just looked. In
    free play, whoever has claimed a name takes a break here."""
    actor = actor_of(request)
    found = tournament_for(actor, pk)
    director = Director(has_role(actor, found.club_id, Role.DIRECTOR))

    def draw() -> HttpResponse:
        drawn = tournament_drawn(found, all_rounds=request.GET.get("rounds") == "all")
        breaks = breaks_of(tournament_results(found).snapshot, claimed_in(actor.user, found.club))
        return render(request, "scorekeeper/tournament.html", context(drawn, director, breaks))

    return etags.not_modified_or(request, found.newest_change, draw)


@login_not_required
@require_POST
def tournament_break(request: HttpRequest, pk: int, number: int) -> HttpResponse:
    """In free play, an entrant takes a break or ends it. The public page says why one is refused."""
    actor = actor_of(request)
    found = tournament_for(actor, pk)
    players = tournament_in(found).entrants.get(number)
    if players is None:
        raise Http404(_("Nobody has this start number."))
    must_play(actor, found, players)
    step = step_of(request, actor)
    try:
        match request.POST.get("do"):
            case "rest":
                free_play.rest(event_id=pk, entrants=[number], step=step)
            case "play-on":
                free_play.play_on(event_id=pk, entrants=[number], step=step)
            case _:
                raise Http404(_("This step does not exist."))
    except Refused as error:
        messages.error(request, error.message)
    return redirect("tournament", pk)


@login_not_required
@require_GET
@etag(etags.night)
def tournament_file(request: HttpRequest, pk: int) -> HttpResponse:
    """The tournament as a file (docs/tournament.md). 404 before somebody is entered: a file needs entrants."""
    found = tournament_for(actor_of(request), pk)
    results = tournament_results(found)
    if not results.state.entrants:
        raise Http404(_("Nobody is entered yet."))
    answer = HttpResponse(file_text(results), content_type="application/json")
    answer["Content-Disposition"] = content_disposition_header(True, f"{files.stem_of(found)}.json")
    return answer


@login_not_required
@require_GET
def tournament_desk(request: HttpRequest, pk: int) -> HttpResponse:
    """Everything a director needs on one page; for hosts only, since it shows drafts."""
    return _desk(request, tournament_for(actor_of(request), pk, need="host"))


@login_not_required
@require_POST
@asks_whom
def tournament_entry(request: HttpRequest, pk: int) -> HttpResponse:
    """Takes one step of the director. A refused step shows the desk again with the reason on top. A swap in a seated
    round is asked about first."""
    actor = actor_of(request)
    found = tournament_for(actor, pk, need="host")
    name, _colon, rest = request.POST.get("do", "").partition(":")
    numbers = rest.split(":") if rest else []
    if name not in STEPS or not all(each.isdecimal() and len(each) < 10 for each in numbers):
        raise Http404(_("This step does not exist."))
    wanted, make = STEPS[name]
    if len(numbers) != wanted:
        raise Http404(_("This step does not exist."))
    try:
        if name == "reseat" and request.POST.get("sure") != "yes":
            return tournament_day.ask_reseat(request, found)
        make(request, found, step_of(request, actor), [int(each) for each in numbers])
    except (Refused, Refusal, GameError) as error:
        return _refused(request, found, error.code, refusal_words(error))
    return redirect("tournament_desk", pk)


# --- the steps; `numbers`: what the button's value has after the step ------------------------------------------------
def _enter(request: HttpRequest, found: Event, step: Step, numbers: list[int]) -> None:
    typed = [named(line) for line in names_from(request.POST.get("names", ""))]
    entrants.enter_named(event_id=found.pk, players=ticked(request.POST, "who"), named=typed, step=step)


def _withdraw(request: HttpRequest, found: Event, step: Step, numbers: list[int]) -> None:
    entrant = directing.entrant(request.POST.get("entrant", ""))
    tournaments.withdraw(event_id=found.pk, entrants=[entrant], step=step)


def _return(request: HttpRequest, found: Event, step: Step, numbers: list[int]) -> None:
    tournaments.come_back(event_id=found.pk, entrants=numbers, step=step)


def _schedule(request: HttpRequest, found: Event, step: Step, numbers: list[int]) -> None:
    schedules.schedule(event=found, rng=SystemRandom(), step=step)


def _draft(request: HttpRequest, found: Event, step: Step, numbers: list[int]) -> None:
    tournaments.draft_next(event_id=found.pk, step=step)


def _drop(request: HttpRequest, found: Event, step: Step, numbers: list[int]) -> None:
    events.drop(event_id=found.pk, step=step)


def _seat(request: HttpRequest, found: Event, step: Step, numbers: list[int]) -> None:
    """Releases the round. Without minutes, its matches have those of the setup."""
    minutes = directing.minutes(request.POST) if request.POST.get("minutes", "").strip() else None
    unconfirmed = request.POST.get("unconfirmed") == "yes"
    tournaments.release(event_id=found.pk, minutes=minutes, unconfirmed=unconfirmed, step=step)


def _absent(request: HttpRequest, found: Event, step: Step, numbers: list[int]) -> None:
    """The sides that are ticked did not come; none: all came after all."""
    round_number, table = numbers
    absent = ticked(request.POST, "absent")
    tournaments.forfeit(event_id=found.pk, round_number=round_number, table=table, absent=absent, step=step)


def _close(request: HttpRequest, found: Event, step: Step, numbers: list[int]) -> None:
    open_matches, early = request.POST.get("open-matches"), request.POST.get("early") == "yes"
    unconfirmed = request.POST.get("unconfirmed") == "yes"
    tournaments.close(event_id=found.pk, open_matches=open_matches, early=early, unconfirmed=unconfirmed, step=step)


def _undo(request: HttpRequest, found: Event, step: Step, numbers: list[int]) -> None:
    undo(request, found, step)


STEPS: dict[str, tuple[int, Callable[[HttpRequest, Event, Step, list[int]], None]]] = {
    "enter": (0, _enter),
    "withdraw": (0, _withdraw),
    "return": (1, _return),
    "schedule": (0, _schedule),
    "cancel": (1, cancel),
    "keep": (1, keep),
    "draft": (0, _draft),
    "drop": (0, _drop),
    "seat": (0, _seat),
    "absent": (2, _absent),
    "close": (0, _close),
    "undo": (0, _undo),
    **tournament_day.STEPS,
}
"""By name: how many numbers follow it, and what it does."""


def _desk(request: HttpRequest, found: Event, refused: DeskRefusal | None = None) -> HttpResponse:
    snapshot, now = snapshot_of(found), timezone.now()
    page, calls, base = desk_page(snapshot, now=now), calls_shown(found.club), reachable(request)
    moved = passes_elsewhere(found.club, {base, *noted_addresses(settings.DATA)})
    whole = context(page, day_shown(snapshot, now, base=base, moved=moved), calls, refused or DeskRefusal())
    return render(request, "scorekeeper/tournament_desk.html", whole, status=422 if refused else 200)


def _refused(request: HttpRequest, found: Event, code: str, text: str) -> HttpResponse:
    found = tournament_for(actor_of(request), found.pk, need="host")  # with what others have done meanwhile
    return _desk(request, found, DeskRefusal(text, code, request.POST.get("names", ""), request.POST.dict()))
