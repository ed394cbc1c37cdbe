"""The doors to a ladder: its public pages, an entrant, a challenge, the hosts' desk."""

from typing import Any

from django.contrib.auth.decorators import login_not_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods

from games import GAMES, GameError
from games.base import Game
from scorekeeper.access import Actor, Refusal, actor_of, club_for, has_role, ladder_for, must_play, plays
from scorekeeper.forms import directing
from scorekeeper.forms import ladders as ladder_forms
from scorekeeper.forms.entrants import named
from scorekeeper.forms.ladders import LadderForm
from scorekeeper.forms.leagues import totals
from scorekeeper.forms.typed import names_from
from scorekeeper.models import Club, Event, Role
from scorekeeper.pages import context
from scorekeeper.pages.event import snapshot_of
from scorekeeper.pages.ladder import (
    LadderSetup,
    calendar_of,
    challenge_page,
    ladder_desk_page,
    ladder_entrant_page,
    ladder_page,
    ladders_page,
)
from scorekeeper.selectors.ladders import ladder_in, ladder_of, ladders_of
from scorekeeper.selectors.persons import claimed_in
from scorekeeper.services import events, ladders
from scorekeeper.services.errors import Refused
from scorekeeper.views.naming import asks_whom
from scorekeeper.views.refusals import reason
from scorekeeper.views.steps import key_of, step_of


# --- for everybody -----------------------------------------------------------------------------------------
@login_not_required
@require_GET
def club_ladders(request: HttpRequest, slug: str) -> HttpResponse:
    """The club's ladders."""
    actor = actor_of(request)
    club = club_for(actor, slug)
    host = has_role(actor, club.pk, Role.DIRECTOR)
    page = ladders_page(club, list(ladders_of(club, host=host)), host=host)
    return render(request, "scorekeeper/club_ladders.html", context(page))


@login_not_required
@require_GET
def ladder(request: HttpRequest, pk: int) -> HttpResponse:
    """The rungs, open challenges and results; for somebody on it also what they can do."""
    actor = actor_of(request)
    found = ladder_for(actor, pk)
    host = has_role(actor, found.club_id, Role.DIRECTOR)
    page = ladder_page(snapshot_of(found), claimed_in(actor.user, found.club), host=host)
    return render(request, "scorekeeper/ladder.html", context(page))


@login_not_required
@require_http_methods(["GET", "POST"])
def ladder_entrant(request: HttpRequest, pk: int, number: int) -> HttpResponse:
    """The challenges of one entrant. They, or a host for them, challenge somebody here, or say that they are away. A
    host moves them, or takes them off the ladder."""
    actor = actor_of(request)
    found = ladder_for(actor, pk)
    state = ladder_in(found)
    if number not in state.entrants:
        raise Http404(_("There is no entrant with this number."))
    if request.method == "GET":
        return _entrant(request, actor, found, number)
    must_play(actor, found, state.may_act_for(number))
    host = has_role(actor, found.club_id, Role.DIRECTOR)
    try:
        return _step_of_entrant(request, actor, found, number, host=host)
    except (Refused, Refusal) as error:
        refusal = reason(error)
    return _entrant(request, actor, ladder_for(actor, pk), number, refusal)


def _step_of_entrant(request: HttpRequest, actor: Actor, found: Event, number: int, *, host: bool) -> HttpResponse:
    step, sent, pk = step_of(request, actor), request.POST, found.pk
    match sent.get("do"), host:
        case "challenge", _host:
            whom = directing.entrant(sent.get("whom", ""))
            ladders.challenge(event_id=pk, challenger=number, challenged=whom, step=step)
        case ("away" | "back") as do, _host:
            ladders.set_away(event_id=pk, entrant=number, away=do == "away", step=step)
        case "move", True:
            ladders.move(event_id=pk, entrant=number, place=ladder_forms.rung(sent.get("rung", "")), step=step)
        case "leave", True:
            ladders.leave(event_id=pk, entrant=number, step=step)
        case _:
            raise Http404(_("This step does not exist."))
    return redirect("ladder_entrant", pk, number)


@login_not_required
@require_http_methods(["GET", "POST"])
def ladder_challenge(request: HttpRequest, pk: int, number: int) -> HttpResponse:
    """Answers a challenge, takes it back, starts its match or types the result: for those who play, if the setup allows
    it, and for hosts, who may also decide it or give it another day."""
    actor = actor_of(request)
    found = ladder_for(actor, pk)
    state = ladder_in(found)
    if number not in state.sides_of:
        raise Http404(_("This challenge does not exist. Reload the page."))
    sides = state.sides_of[number]
    must_play(actor, found, state.may_act_for(*sides))
    allowed = [side for side in sides if plays(actor, found, state.may_act_for(side))]
    if request.method == "GET":
        return _challenge(request, actor, found, number, allowed)
    try:
        return _step_of_challenge(request, actor, found, number, allowed, sides)
    except (Refused, Refusal, GameError) as error:
        refusal = reason(error)
    return _challenge(request, actor, ladder_for(actor, pk), number, allowed, refusal)


def _step_of_challenge(
    request: HttpRequest, actor: Actor, found: Event, number: int, allowed: list[int], sides: tuple[int, int]
) -> HttpResponse:
    step, sent, pk = step_of(request, actor), request.POST, found.pk
    challenger, challenged = sides
    match sent.get("do"), has_role(actor, found.club_id, Role.DIRECTOR):
        case ("accept" | "decline") as do, _host if challenged in allowed:
            ladders.answer(event_id=pk, number=number, accept=do == "accept", step=step)
        case "take-back", _host if challenger in allowed:
            ladders.take_back(event_id=pk, number=number, step=step)
        case "play", host:
            table = directing.entrant(sent.get("table", ""))
            match = ladders.play(event_id=pk, number=number, table=table, by_host=host, step=step)
            return redirect("match", match.pk)
        case "score", True:
            early, why = sent.get("early") == "yes", sent.get("why", "")
            ladders.type_result(event_id=pk, number=number, totals=totals(sent), early=early, why=why, step=step)
        case "score", False:
            early, side = sent.get("early") == "yes", allowed[0]
            ladders.claim(event_id=pk, number=number, side=side, totals=totals(sent), early=early, step=step)
        case "confirm", host if host or sent.get("side", "") not in map(str, allowed):
            typist = directing.entrant(sent.get("side", ""))
            ladders.confirm(event_id=pk, number=number, side=typist, step=step)
        case ("correct" | "dispute") as do, _host:
            ladders.respond(event_id=pk, number=number, correct=do == "correct", step=step)
        case ("climbs" | "stays") as do, True:
            ladders.award(event_id=pk, number=number, climbs=do == "climbs", step=step)
        case "date", True:
            ladders.set_last_day(event_id=pk, number=number, day=ladder_forms.day(sent.get("day", "")), step=step)
        case _:
            raise Http404(_("This step does not exist."))
    return redirect("ladder", pk)


@login_not_required
@require_GET
def ladder_calendar(request: HttpRequest, pk: int, entrant: int | None = None) -> HttpResponse:
    """The challenges for a calendar program."""
    now = snapshot_of(ladder_for(actor_of(request), pk))
    if entrant is not None and entrant not in ladder_of(now).entrants:
        raise Http404(_("There is no entrant with this number."))
    return HttpResponse(calendar_of(now, entrant=entrant), content_type="text/calendar; charset=utf-8")


# --- for hosts ---------------------------------------------------------------------------------------------
@login_not_required
@require_http_methods(["GET", "POST"])
def ladder_new(request: HttpRequest, slug: str) -> HttpResponse:
    """A new ladder. Who is on it comes next."""
    actor = actor_of(request)
    club = club_for(actor, slug, need=Role.DIRECTOR)
    game = _game(request.POST.get("game") or request.GET.get("game", ""))
    if request.method == "GET":
        usual = {"options": game.read_options({}), "minutes": None, "size": ladder_forms.sizes_of(game)[0]}
        form = LadderForm(game, initial=ladder_forms.of_ladder({**usual, **ladders.USUAL}, ""))
        return _setup(request, club, None, form)
    form, refusal = LadderForm(game, request.POST), ""
    if form.is_valid():
        try:
            name, step = form.cleaned_data["name"], step_of(request, actor)
            return redirect("ladder_desk", ladders.start(club=club, name=name, setup=form.setup(), step=step).pk)
        except (Refused, GameError) as error:
            refusal = reason(error)
    return _setup(request, club, None, form, refusal)


@login_not_required
@require_http_methods(["GET", "POST"])
def ladder_setup(request: HttpRequest, pk: int) -> HttpResponse:
    """Changes how a ladder is played from now on."""
    actor = actor_of(request)
    found = ladder_for(actor, pk, need="host")
    state = ladder_in(found)
    game, initial = GAMES[state.setup["game"]], ladder_forms.of_ladder(state.setup, found.name)
    begun = bool(state.entrants)
    if request.method == "GET":
        return _setup(request, found.club, found, LadderForm(game, initial=initial, begun=begun))
    form, refusal = LadderForm(game, request.POST, initial=initial, begun=begun), ""
    if form.is_valid():
        try:
            name, step = form.cleaned_data["name"], step_of(request, actor)
            ladders.set_up(event_id=pk, name=name, setup=form.setup(), step=step)
            return redirect("ladder_desk", pk)
        except (Refused, GameError) as error:
            refusal = reason(error)
    return _setup(request, found.club, found, form, refusal)


@login_not_required
@require_http_methods(["GET", "POST"])
@asks_whom
def ladder_desk(request: HttpRequest, pk: int) -> HttpResponse:
    """What only a host does: who joins, undo, the end."""
    actor = actor_of(request)
    found = ladder_for(actor, pk, need="host")
    if request.method == "GET":
        return render(request, "scorekeeper/ladder_desk.html", context(ladder_desk_page(snapshot_of(found), typed={})))
    step, sent = step_of(request, actor), request.POST
    try:
        match sent.get("do"):
            case "join":
                place = ladder_forms.rung(sent["rung"]) if sent.get("rung", "").strip() else None
                entrants = [named(line) for line in names_from(sent.get("entrants", ""))]
                ladders.join(event_id=pk, entrants=entrants, place=place, step=step)
            case "close":
                ladders.close(event_id=pk, step=step)
            case "undo":
                events.undo(event_id=pk, step=step)
            case _:
                raise Http404(_("This step does not exist."))
        return redirect("ladder_desk", pk)
    except (Refused, GameError) as error:
        refusal = reason(error)
    found = ladder_for(actor, pk, need="host")  # with what others have done meanwhile
    page = ladder_desk_page(snapshot_of(found), refusal=refusal, typed={sent.get("do", ""): sent.dict()})
    return render(request, "scorekeeper/ladder_desk.html", context(page), status=422)


# --- their parts -------------------------------------------------------------------------------------------
def _game(slug: str) -> Game[Any]:
    if slug not in GAMES or not ladder_forms.sizes_of(GAMES[slug]):
        raise Http404(_("This game does not exist."))
    return GAMES[slug]


def _entrant(request: HttpRequest, actor: Actor, found: Event, number: int, refusal: str = "") -> HttpResponse:
    page = ladder_entrant_page(
        snapshot_of(found),
        number,
        claimed_in(actor.user, found.club),
        may_act=plays(actor, found, ladder_in(found).may_act_for(number)),
        host=has_role(actor, found.club_id, Role.DIRECTOR),
        refusal=refusal,
    )
    return render(request, "scorekeeper/ladder_entrant.html", context(page), status=422 if refusal else 200)


def _challenge(
    request: HttpRequest, actor: Actor, found: Event, number: int, allowed: list[int], refusal: str = ""
) -> HttpResponse:
    host = has_role(actor, found.club_id, Role.DIRECTOR)
    typed = {request.POST.get("do", ""): request.POST.dict()} if refusal else {}
    page = challenge_page(snapshot_of(found), number, actor, allowed, host=host, refusal=refusal, typed=typed)
    return render(request, "scorekeeper/ladder_challenge.html", context(page), status=422 if refusal else 200)


def _setup(request: HttpRequest, club: Club, found: Event | None, form: LadderForm, refusal: str = "") -> HttpResponse:
    page = LadderSetup(club=club, ladder=found, game=form.game, form=form, refusal=refusal, key=key_of(request))
    status = 422 if form.errors or refusal else 200
    return render(request, "scorekeeper/ladder_setup.html", context(page), status=status)
