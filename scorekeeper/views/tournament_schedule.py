"""The doors to the schedule of a tournament: its page for everybody, and the steps of its directors."""

from collections.abc import Callable
from random import SystemRandom

from django.contrib.auth.decorators import login_not_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import etag, require_GET, require_POST

from scorekeeper.access import actor_of, has_role, tournament_for
from scorekeeper.events.setup import MOST_ROUNDS
from scorekeeper.forms.directing import whole
from scorekeeper.forms.nights import ticked
from scorekeeper.forms.schedules import WishForm
from scorekeeper.models import Event, Role
from scorekeeper.pages import context
from scorekeeper.pages.event import snapshot_of
from scorekeeper.pages.tournament_schedule import VIEWS, Refusal, directors_part, schedule_drawn, schedule_page
from scorekeeper.selectors.tournament_results import tournament_results
from scorekeeper.services import schedules
from scorekeeper.services.errors import Refused
from scorekeeper.services.events import Step
from scorekeeper.views import etags
from scorekeeper.views.steps import step_of, undo

Take = Callable[[HttpRequest, Event, Step, list[int]], None]
"""Takes a step, with the numbers that follow its name in the value of the button."""


@login_not_required
@require_GET
@etag(etags.night)
def tournament_schedule(request: HttpRequest, pk: int) -> HttpResponse:
    """The rounds that are released, for everybody; for directors all of them, with everything to change them. At most
    twelve queries; three for a visitor if somebody has just looked."""
    actor = actor_of(request)
    found = tournament_for(actor, pk)
    return _page(request, found, host=has_role(actor, found.club_id, Role.DIRECTOR))


@login_not_required
@require_POST
def tournament_schedule_entry(request: HttpRequest, pk: int) -> HttpResponse:
    """Takes one step of the director. A refused step shows the page again with the reason on top."""
    actor = actor_of(request)
    found = tournament_for(actor, pk, need="host")
    name, _colon, rest = request.POST.get("do", "").partition(":")
    numbers = rest.split(":") if rest else []
    wanted, take = STEPS.get(name, (-1, None))
    if take is None or len(numbers) != wanted or not all(each.isdecimal() and len(each) < 10 for each in numbers):
        raise Http404(_("This step does not exist."))
    try:
        take(request, found, step_of(request, actor), [int(each) for each in numbers])
    except Refused as error:
        found = tournament_for(actor, pk, need="host")  # with what others have done meanwhile
        return _page(request, found, host=True, refusal=error.message)
    return redirect(f"{reverse('tournament_schedule', args=[pk])}{_where(request)}")


# --- the steps; `numbers`: what the button's value has after the step ------------------------------------------------
def _schedule(request: HttpRequest, found: Event, step: Step, numbers: list[int]) -> None:
    schedules.schedule(event=found, rng=SystemRandom(), step=step)


def _repair(request: HttpRequest, found: Event, step: Step, numbers: list[int]) -> None:
    """With `rounds`, as many in all."""
    typed = request.POST.get("rounds")
    rounds = None if typed is None else whole(typed, what=_("Rounds in all"), least=1, most=MOST_ROUNDS)
    schedules.repair(event=found, rounds=rounds, rng=SystemRandom(), step=step)


def cancel(request: HttpRequest, found: Event, step: Step, numbers: list[int]) -> None:
    schedules.cancel(event=found, job=numbers[0], step=step)


def keep(request: HttpRequest, found: Event, step: Step, numbers: list[int]) -> None:
    schedules.keep(event=found, job=numbers[0], step=step)


def _exchange(request: HttpRequest, found: Event, step: Step, numbers: list[int]) -> None:
    (round_number,) = numbers
    entrants = ticked(request.POST, "who")
    schedules.exchange(event_id=found.pk, round_number=round_number, entrants=entrants, step=step)


def _publish(request: HttpRequest, found: Event, step: Step, numbers: list[int]) -> None:
    schedules.publish(event_id=found.pk, step=step)


def _wish(request: HttpRequest, found: Event, step: Step, numbers: list[int]) -> None:
    form = WishForm(request.POST)
    if not form.is_valid():
        raise Refused("bad-wish", form.why())
    schedules.wish(event_id=found.pk, wish=form.wish(), sure=form.cleaned_data["sure"], step=step)


def _remove_wish(request: HttpRequest, found: Event, step: Step, numbers: list[int]) -> None:
    schedules.remove_wish(event_id=found.pk, number=numbers[0], step=step)


def _take(request: HttpRequest, found: Event, step: Step, numbers: list[int]) -> None:
    schedules.take(event_id=found.pk, step=step)


def _drop(request: HttpRequest, found: Event, step: Step, numbers: list[int]) -> None:
    schedules.drop(event_id=found.pk, step=step)


def _undo(request: HttpRequest, found: Event, step: Step, numbers: list[int]) -> None:
    undo(request, found, step)


STEPS: dict[str, tuple[int, Take]] = {
    "schedule": (0, _schedule),
    "repair": (0, _repair),
    "cancel": (1, cancel),
    "keep": (1, keep),
    "exchange": (1, _exchange),
    "publish": (0, _publish),
    "wish": (0, _wish),
    "remove-wish": (1, _remove_wish),
    "take": (0, _take),
    "drop": (0, _drop),
    "undo": (0, _undo),
}
"""By name: how many numbers follow it, and what it does."""


def _page(request: HttpRequest, found: Event, *, host: bool, refusal: str = "") -> HttpResponse:
    chosen = request.POST if refusal else request.GET
    view, number = chosen.get("view", ""), chosen.get("round", "")
    round_number = int(number) if number.isdecimal() and len(number) < 10 else 0
    view = view if view in VIEWS else VIEWS[0]
    if not host:
        drawn = schedule_drawn(tournament_results(found), view=view, round_number=round_number)
        return render(request, "scorekeeper/tournament_schedule.html", context(drawn))
    snapshot = snapshot_of(found)
    page = schedule_page(snapshot, host=True, view=view, round_number=round_number)
    part = directors_part(snapshot, round_number=round_number, now=timezone.now())
    typed = {request.POST["what"]: request.POST.dict()} if refusal and "what" in request.POST else {}
    whole = context(page, part, Refusal(refusal, typed))
    return render(request, "scorekeeper/tournament_schedule.html", whole, status=422 if refusal else 200)


def _where(request: HttpRequest) -> str:
    """The view and the round that the director was looking at."""
    view, number = request.POST.get("view", ""), request.POST.get("round", "")
    if view not in VIEWS:
        return ""
    return f"?view={view}&round={number}" if number.isdecimal() and len(number) < 10 else f"?view={view}"
