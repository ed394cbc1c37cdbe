"""The doors where directors make groups, and begin the finals."""

import random
from collections.abc import Callable

from django.contrib import messages
from django.contrib.auth.decorators import login_not_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from games import GAMES, GameError
from scorekeeper.access import Actor, actor_of, tournament_for
from scorekeeper.events.groups import Group
from scorekeeper.events.setup import OWN
from scorekeeper.events.tournament import Tournament
from scorekeeper.forms import directing
from scorekeeper.forms.stages import (
    CONSOLATION,
    FinalForm,
    GroupsForm,
    RuleForm,
    finals_typed,
    groups_typed,
    usual_names,
)
from scorekeeper.models import Event
from scorekeeper.pages import context, notices
from scorekeeper.pages.event import snapshot_of
from scorekeeper.pages.tournament_stages import finals_page, groups_page
from scorekeeper.selectors.tournaments import tournament_in
from scorekeeper.services import stages
from scorekeeper.services.errors import Refused
from scorekeeper.views.refusals import reason
from scorekeeper.views.steps import step_of

FIRST = 2  # of each group, if nobody says otherwise


@login_not_required
@require_http_methods(["GET", "POST"])
def tournament_groups(request: HttpRequest, pk: int) -> HttpResponse:
    """The groups; a POST with `do=draw` draws them, with `do=save` makes those that were chosen, with `do=move` moves
    somebody who came late, and with `do=none` there are none. For directors."""
    actor = actor_of(request)
    found = tournament_for(actor, pk, need="host")
    form = GroupsForm(request.POST if request.POST.get("do") == "draw" else None)
    refusal = ""
    if request.method == "POST":
        refusal = _group(request, actor, found, form)
        if not refusal:
            return redirect("tournament_groups", pk)
        found = tournament_for(actor, pk, need="host")  # with what others have done meanwhile
    page = groups_page(snapshot_of(found), form, refusal=refusal, sent=request.POST.dict())
    return render(request, "scorekeeper/tournament_groups.html", context(page), status=422 if refusal else 200)


def _group(request: HttpRequest, actor: Actor, event: Event, form: GroupsForm) -> str:
    """Takes the step, or says why not."""
    step = step_of(request, actor)
    try:
        match request.POST.get("do"):
            case "draw":
                if not form.is_valid():
                    return _("Nothing changed. Correct what is marked.")
                number, how = form.cleaned_data["number"], form.cleaned_data["how"]
                rng, names = random.Random(), usual_names(number)
                stages.draw_groups(event_id=event.pk, how=how, names=names, rng=rng, step=step)
            case "save":
                groups = groups_typed(request.POST, tournament_in(event).entrants)
                stages.group(event_id=event.pk, groups=groups, step=step)
            case "move":
                entrant, number = (directing.entrant(request.POST.get(name, "")) for name in ("entrant", "group"))
                stages.move(event_id=event.pk, entrant=entrant, group=number - 1, step=step)
            case "none":
                stages.group(event_id=event.pk, groups=[], step=step)
            case _:
                raise Http404(_("There is no such step."))
    except (Refused, GameError) as error:
        return reason(error)
    return ""


@login_not_required
@require_http_methods(["GET", "POST"])
def tournament_finals(request: HttpRequest, pk: int) -> HttpResponse:
    """Who goes on from the groups by the rule in the address; a POST begins the finals, with `do=lots` draws lots
    between those who are equal, and with `do=decide` notes who of them goes on. Before the first round of the finals,
    one with `do=way:2` changes how the second one is played. For directors."""
    actor = actor_of(request)
    found = tournament_for(actor, pk, need="host")
    state = tournament_in(found)
    asked = request.GET if "first" in request.GET else {"first": FIRST, "best": 0, "others": CONSOLATION}
    rule = RuleForm(asked, _sizes(state))
    form = _final_form(state, request)
    refusal = ""
    if request.method == "POST" and request.POST.get("do") in ("lots", "decide"):
        refusal = _decide(request, actor, found, rule)
        if not refusal:
            return redirect(request.get_full_path())
        found = tournament_for(actor, pk, need="host")
    elif request.method == "POST" and state.can_change_ways:
        refusal = _change_way(request, actor, found, form)
        if not refusal:
            messages.add_message(request, *notices.way_changed())
            return redirect("tournament_finals", pk)
        found = tournament_for(actor, pk, need="host")
    elif request.method == "POST":
        refusal = _begin(request, actor, found, form)
        if not refusal:
            messages.add_message(request, *notices.finals_begun())
            return redirect("tournament_desk", pk)
        found = tournament_for(actor, pk, need="host")
    page = finals_page(snapshot_of(found), rule, form, refusal=refusal, sent=request.POST.dict())
    return render(request, "scorekeeper/tournament_finals.html", context(page), status=422 if refusal else 200)


def _sizes(state: Tournament) -> list[int]:
    """How many can go on from each group."""
    groups = state.groups or [Group("", state.taking_part)]
    return [len({*group.entrants} - state.withdrawn) for group in groups]


def _decide(request: HttpRequest, actor: Actor, event: Event, asked: RuleForm) -> str:
    """Takes the step, or says why not."""
    step, quota = step_of(request, actor), asked.quota()
    if not quota:
        return _("Nothing changed. Correct what is marked.")
    try:
        places = directing.places(request.POST)
        if request.POST.get("do") == "lots":
            stages.draw_lots(event_id=event.pk, quota=quota, equal=[*places], rng=random.SystemRandom(), step=step)
        else:
            why = request.POST.get("why", "")
            stages.decide(event_id=event.pk, quota=quota, places=places, why=why, step=step)
    except (Refused, GameError) as error:
        return reason(error)
    return ""


def _final_form(state: Tournament, request: HttpRequest) -> Callable[[int], FinalForm]:
    """By number of the final."""
    setup, data = state.setup, request.POST if request.method == "POST" else None
    game = GAMES[setup["game"]]
    if not state.can_change_ways:
        return lambda number: FinalForm(number, setup, game, data)
    before = {**setup, **{name: state.earlier[-1].setup[name] for name in OWN}}

    def begun(number: int) -> FinalForm:
        sent = data if data and data.get("do") == f"way:{number}" else None
        return FinalForm(number, before, game, sent, begun=state.groups[number - 1].own)

    return begun


def _change_way(request: HttpRequest, actor: Actor, event: Event, form: Callable[[int], FinalForm]) -> str:
    """Takes the step, or says why not. Http404 if there is no such final."""
    sent = request.POST.get("do", "").removeprefix("way:")
    number = int(sent) if sent.isascii() and sent.isdecimal() and len(sent) < 4 else 0
    if not 1 < number <= len(tournament_in(event).groups):
        raise Http404(_("There is no such step."))
    asked = form(number)
    if not asked.is_valid():
        return _("Nothing changed. Correct what is marked.")
    try:
        stages.change_way(event_id=event.pk, final=number - 1, setup=asked.setup(), step=step_of(request, actor))
    except (Refused, GameError) as error:
        return reason(error)
    return ""


def _begin(request: HttpRequest, actor: Actor, event: Event, form: Callable[[int], FinalForm]) -> str:
    """Takes the step, or says why not."""
    named = [number for number in range(1, stages.MOST_FINALS + 1) if f"name-{number}" in request.POST]
    forms = [form(number) for number in range(1, max([1, *named]) + 1)]
    if not all(each.is_valid() for each in forms):
        return _("Nothing changed. Correct what is marked.")
    try:
        setup = forms[0].setup()
        assert setup, "the first final says how it is played"
        finals = finals_typed(request.POST, tournament_in(event).entrants, forms)
        stages.begin_finals(event_id=event.pk, finals=finals, setup=setup, step=step_of(request, actor))
    except (Refused, GameError) as error:
        return reason(error)
    return ""
