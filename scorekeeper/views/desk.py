"""The doors to a host's desk: starting a night, its steps, the game it plays, the list for a scorer."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from random import SystemRandom

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_not_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from games import GAMES, GameError
from scorekeeper.access import Refusal, actor_of, club_for, night_for
from scorekeeper.forms.nights import GameForm, NewNightForm, WishForm, guests, ticked, two_ticked
from scorekeeper.models import Club, Event, Job, Role
from scorekeeper.pages import context, notices
from scorekeeper.pages.calls import calls_shown
from scorekeeper.pages.codes import reachable
from scorekeeper.pages.desk import NOTHING, GamePage, Unsaved, desk_page, new_night_page, scorer_page
from scorekeeper.selectors.clubs import all_members
from scorekeeper.selectors.events import event_now, last_time, open_night, settings_of, tables_in_play
from scorekeeper.selectors.jobs import draw_under_way
from scorekeeper.selectors.matches import usual_game
from scorekeeper.services import draws, events, jobs, nestor
from scorekeeper.services.errors import Refused
from scorekeeper.services.events import Step
from scorekeeper.serving.lock import noted_addresses
from scorekeeper.views.naming import asks_whom
from scorekeeper.views.refusals import reason
from scorekeeper.views.steps import key_of, step_of, undo


@login_not_required
@require_http_methods(["GET", "POST"])
@asks_whom
def night_new(request: HttpRequest, slug: str) -> HttpResponse:
    """Starts a night: the host ticks players, adds guests and chooses a game. The first round is drawn at once."""
    actor = actor_of(request)
    club = club_for(actor, slug, need=Role.DIRECTOR)
    open_now = open_night(club.pk)
    if open_now and request.method == "GET":
        return redirect("night_desk", open_now.pk)
    posted = request.POST if request.method == "POST" else None
    form = NewNightForm(list(GAMES.values()), posted, initial={"game": usual_game(club)})
    refusal = ""
    if form.is_valid():
        step = step_of(request, actor)
        try:
            night = _start_night(request, club, form, step)
        except (Refused, GameError) as error:
            refusal = reason(error)
        else:
            for notice in notices.night_started(tables_in_play(night)):
                messages.add_message(request, *notice)
            _draw_at_once(request, night, form, step)
            return redirect("night_desk", night.pk)
    page = new_night_page(
        club,
        form,
        ticked(request.POST, "here"),
        guests(request.POST),
        many=request.POST.getlist("all"),
        key=key_of(request),
        refusal=refusal,
        open_now=open_now,
    )
    status = 422 if refusal or form.errors else 200
    return render(request, "scorekeeper/night_new.html", context(page), status=status)


def _start_night(request: HttpRequest, club: Club, form: NewNightForm, step: Step) -> Event:
    here, names = _here(request, club), guests(request.POST)
    if not here and not names:
        raise Refused("nobody-here", _("Nobody is here yet: tick who came, or type their names."))
    return events.start(club=club, players=sorted(here), guests=names, name=form.cleaned_data["name"], step=step)


def _here(request: HttpRequest, club: Club) -> frozenset[int]:
    """Who is ticked, one by one or many at once."""
    many = [MANY[name](club) for name in request.POST.getlist("all") if name in MANY]
    return frozenset(ticked(request.POST, "here")).union(*many)


def _draw_at_once(request: HttpRequest, night: Event, form: WishForm, start: Step) -> None:
    """Draws the first round. With too few people, the night starts without a draw."""
    step = Step(start.by, f"{start.key}-d", night.length, start.now)
    try:
        draws.draw(event=night, wishes=form.wishes(), rng=SystemRandom(), step=step)
    except Refused as error:
        messages.info(request, error.message)


@login_not_required
@require_GET
def night_desk(request: HttpRequest, pk: int) -> HttpResponse:
    """Everything a host needs for a night on one page; for hosts only, since it shows drafts."""
    night = night_for(actor_of(request), pk, need="host")
    return _desk(request, night)


@login_not_required
@require_POST
@asks_whom
def night_entry(request: HttpRequest, pk: int) -> HttpResponse:
    """Takes one step of the host, and before it, who is here: the desk is one form, so nothing on it gets lost. An undo
    keeps what is typed for the next step. A refused step shows the desk again with the reason at its button."""
    actor = actor_of(request)
    night = night_for(actor, pk, need="host")
    name, _colon, rest = request.POST.get("do", "").partition(":")
    if name not in STEPS:
        raise Http404(_("This step does not exist."))
    step, unsaved, refusal = step_of(request, actor), _unsaved(request, night), NOTHING
    try:
        if name != "undo":
            step, unsaved = _people(request, night, step), NOTHING
        STEPS[name](request, night, step, rest)
    except (Refused, Refusal, GameError) as error:
        refusal = Unsaved(reason(error), error.code)
    if refusal == unsaved == NOTHING:
        return redirect("night_desk", pk)
    night.refresh_from_db()
    sent = request.POST.dict()
    return _desk(request, night, replace(unsaved, refusal=refusal.refusal, code=refusal.code, step=name, sent=sent))


def _unsaved(request: HttpRequest, night: Event) -> Unsaved:
    """What is typed and ticked on the desk."""
    here, shown = _here(request, night.club), frozenset(ticked(request.POST, "was"))
    return Unsaved("", "", "\n".join(guests(request.POST)), here - shown, shown - here)


@login_not_required
@require_http_methods(["GET", "POST"])
def night_game(request: HttpRequest, pk: int, game: str) -> HttpResponse:
    """How a game is played tonight: target, hands, minutes and its other options."""
    actor = actor_of(request)
    night = night_for(actor, pk, need="host")
    if game not in GAMES:
        raise Http404(_("This game does not exist."))
    found = GAMES[game]
    setting = settings_of(event_now(night))[game]
    initial = {f"option-{name}": value for name, value in setting.options.items()} | {"minutes": setting.minutes}
    form = GameForm(found, request.POST if request.method == "POST" else None, initial=initial)
    if request.method == "POST" and form.is_valid():
        minutes = form.cleaned_data["minutes"]
        try:
            events.set_game(
                event_id=pk, game=found, options=form.options(), minutes=minutes, step=step_of(request, actor)
            )
        except (Refused, GameError) as error:
            form.add_error(None, reason(error))
        else:
            messages.add_message(request, *notices.options_saved())
            return redirect("night_desk", pk)
    page = GamePage(night, found, form, key_of(request))
    return render(request, "scorekeeper/night_game.html", context(page), status=422 if form.errors else 200)


@login_not_required
@require_GET
def night_scorer(request: HttpRequest, pk: int) -> HttpResponse:
    """The page of a scorer who keeps the scores of several tables on one device."""
    night = night_for(actor_of(request), pk, need="record")
    whole = context(scorer_page(night, timezone.now()), calls_shown(night.club))
    return render(request, "scorekeeper/night_scorer.html", whole)


MANY: Mapping[str, Callable[[Club], set[int]]] = {"last-time": last_time, "members": all_members}
"""By the name of a tick for many people, who they are."""


# --- the steps; `rest`: the part of the button's value after the step ----------------------------------------------
def _people(request: HttpRequest, night: Event, step: Step) -> Step:
    """Saves who is here. The step that follows has seen this."""
    typed, names = _unsaved(request, night), guests(request.POST)
    if typed == NOTHING:
        return step
    first = replace(step, key=f"{step.key}-t")
    ticks = events.tick(event_id=night.pk, came=typed.came, left=typed.left, guests=names, step=first)
    for notice in notices.people_ticked(typed=names, came=ticks.came, there=ticks.there, left=ticks.playing):
        messages.add_message(request, *notice)
    return replace(step, seen=ticks.seen)


def _tick(request: HttpRequest, night: Event, step: Step, rest: str) -> None:
    """Nothing more than who is here."""


def _nestor(request: HttpRequest, night: Event, step: Step, rest: str) -> None:
    nestor.come(club=night.club, event_id=night.pk, step=step)


def _mix(request: HttpRequest, night: Event, step: Step, rest: str) -> None:
    form = WishForm(list(GAMES.values()), request.POST)
    if not form.is_valid():
        wrong = (f"{form[name].label}: {error}" for name, errors in form.errors.items() for error in errors)
        raise Refused("bad-wish", " ".join(wrong))
    job = draws.draw(event=night, wishes=form.wishes(), rng=SystemRandom(), step=step)
    job.refresh_from_db()
    if job.state == Job.State.DONE:
        messages.add_message(request, *notices.drawn())


def _same_again(request: HttpRequest, night: Event, step: Step, rest: str) -> None:
    events.draw_again(event_id=night.pk, step=step)


def _swap(request: HttpRequest, night: Event, step: Step, rest: str) -> None:
    events.swap(event_id=night.pk, players=two_ticked(request.POST), step=step)


def _table(request: HttpRequest, night: Event, step: Step, rest: str) -> None:
    table, _colon, slug = rest.partition(":")
    if not table.isdecimal() or slug not in GAMES:
        raise Http404(_("This game does not exist."))
    events.set_table(event_id=night.pk, table=int(table[:9]), game=GAMES[slug], step=step)


def _drop(request: HttpRequest, night: Event, step: Step, rest: str) -> None:
    events.drop(event_id=night.pk, step=step)


def _seat(request: HttpRequest, night: Event, step: Step, rest: str) -> None:
    events.seat(event_id=night.pk, step=step)


def _last_hand(request: HttpRequest, night: Event, step: Step, rest: str) -> None:
    events.call_last_hand(event_id=night.pk, step=step)


def _close(request: HttpRequest, night: Event, step: Step, rest: str) -> None:
    abandoned = events.close(event_id=night.pk, open_matches=request.POST.get("open-matches"), step=step)
    for notice in notices.night_closed(abandoned):
        messages.add_message(request, *notice)


def _outlook(request: HttpRequest, night: Event, step: Step, rest: str) -> None:
    if rest not in ("on", "off"):
        raise Http404(_("This step does not exist."))
    events.show_outlook(event_id=night.pk, on=rest == "on", step=step)


def _stop(request: HttpRequest, night: Event, step: Step, rest: str) -> None:
    """Stops the draw that the host saw, and no newer one."""
    draw = draw_under_way(night, step.now)
    if draw and str(draw.pk) == rest:
        jobs.cancel(job_id=draw.pk, now=step.now)


def _undo(request: HttpRequest, night: Event, step: Step, rest: str) -> None:
    undo(request, night, step)


STEPS: dict[str, Callable[[HttpRequest, Event, Step, str], None]] = {
    "tick": _tick,
    "nestor": _nestor,
    "mix": _mix,
    "stop": _stop,
    "again": _same_again,
    "swap": _swap,
    "table": _table,
    "drop": _drop,
    "seat": _seat,
    "last-hand": _last_hand,
    "outlook": _outlook,
    "close": _close,
    "undo": _undo,
}


def _desk(request: HttpRequest, night: Event, unsaved: Unsaved = NOTHING) -> HttpResponse:
    base = reachable(request)
    addresses = {base, *noted_addresses(settings.DATA)}
    page = desk_page(night, base=base, addresses=addresses, now=timezone.now(), unsaved=unsaved)
    whole = context(page, calls_shown(night.club), unsaved)
    return render(request, "scorekeeper/night_desk.html", whole, status=422 if unsaved.refusal else 200)
