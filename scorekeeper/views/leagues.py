"""The doors to a league: its public pages, the hosts' desk, a fixture, the calendar and the file."""

import json
from collections.abc import Sequence
from typing import Any
from zoneinfo import ZoneInfo

from django.contrib import messages
from django.contrib.auth.decorators import login_not_required
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.http import content_disposition_header
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods

from games import GAMES, GameError
from games.base import Game
from scorekeeper.access import Actor, Refusal, actor_of, club_for, has_role, league_for, must_play, playing_as
from scorekeeper.events import League
from scorekeeper.events.encounters import fewest_players
from scorekeeper.events.rounds import Setting
from scorekeeper.forms import directing
from scorekeeper.forms import leagues as league_forms
from scorekeeper.forms.encounters import usual_form
from scorekeeper.forms.leagues import LeagueForm
from scorekeeper.forms.nights import ticked
from scorekeeper.models import Club, Event, Role
from scorekeeper.pages import context, notices
from scorekeeper.pages.codes import reachable
from scorekeeper.pages.event import follow, snapshot_of
from scorekeeper.pages.league import (
    DivisionsPage,
    LeagueSetup,
    calendar_of,
    fixture_page,
    league_desk_page,
    league_entrant_page,
    league_page,
    leagues_page,
    saved,
    undone,
)
from scorekeeper.pages.league_screen import league_screen_page
from scorekeeper.selectors.events import EventNow, results_now
from scorekeeper.selectors.leagues import (
    last_day,
    league_file,
    league_in,
    league_of,
    leagues_of,
    name_after,
    promoted,
    season_after,
    team_name,
    undecided,
)
from scorekeeper.services import encounters, events, files, leagues, tournaments
from scorekeeper.services.errors import Refused
from scorekeeper.services.events import Step
from scorekeeper.views.naming import asks_whom
from scorekeeper.views.refusals import reason
from scorekeeper.views.steps import key_of, step_of
from scorekeeper.words import listed

EMPTY = (("", ""), ("", ""))
"""Room for more divisions."""


# --- for everybody -----------------------------------------------------------------------------------------
@login_not_required
@require_GET
def club_leagues(request: HttpRequest, slug: str) -> HttpResponse:
    """The seasons of the club's leagues with their champions."""
    actor = actor_of(request)
    club = club_for(actor, slug)
    host = has_role(actor, club.pk, Role.DIRECTOR)
    found = [results_now(event) for event in leagues_of(club, host=host).select_related("club")]
    page = leagues_page(club, found, host=host, chosen=request.GET.dict())
    return render(request, "scorekeeper/club_leagues.html", context(page))


@login_not_required
@require_GET
def league(request: HttpRequest, pk: int) -> HttpResponse:
    """Tables, fixtures and results."""
    actor = actor_of(request)
    found = league_for(actor, pk)
    host = has_role(actor, found.club_id, Role.DIRECTOR)
    page = league_page(snapshot_of(found), host=host, player=playing_as(actor, found))
    return render(request, "scorekeeper/league.html", context(page))


@login_not_required
@require_GET
def league_screen(request: HttpRequest, pk: int) -> HttpResponse:
    """The big screen: tables and fixtures, live."""
    found = league_for(actor_of(request), pk)
    url = reachable(request) + reverse("league", args=[pk])
    page = context(league_screen_page(snapshot_of(found)), follow(url))
    return render(request, "scorekeeper/league_screen.html", page)


@login_not_required
@require_GET
def league_entrant(request: HttpRequest, pk: int, number: int) -> HttpResponse:
    """The fixtures of one entrant."""
    actor = actor_of(request)
    found = league_for(actor, pk)
    now, host = snapshot_of(found), has_role(actor, found.club_id, Role.DIRECTOR)
    _must_be_entered(now, number)
    page = league_entrant_page(now, number, host=host, player=playing_as(actor, found))
    return render(request, "scorekeeper/league_entrant.html", context(page))


@login_not_required
@require_GET
def league_calendar(
    request: HttpRequest, pk: int, division: int | None = None, entrant: int | None = None
) -> HttpResponse:
    """The fixtures for a calendar program."""
    now = snapshot_of(league_for(actor_of(request), pk))
    if entrant is not None:
        _must_be_entered(now, entrant)
    if division is not None and not 0 < division <= len(league_of(now).divisions):
        raise Http404(_("This division does not exist."))
    text = calendar_of(now, division=division, entrant=entrant)
    return HttpResponse(text, content_type="text/calendar; charset=utf-8")


@login_not_required
@require_GET
def league_file_json(request: HttpRequest, pk: int) -> HttpResponse:
    """The league as a tournament file. 404 before somebody is entered: a file needs entrants."""
    now = snapshot_of(league_for(actor_of(request), pk))
    if not league_of(now).entrants:
        raise Http404(_("Nobody is entered yet."))
    answer = HttpResponse(json.dumps(league_file(now), ensure_ascii=False), content_type="application/json")
    answer["Content-Disposition"] = content_disposition_header(True, f"{files.stem_of(now.event)}.json")
    return answer


# --- for hosts ---------------------------------------------------------------------------------------------
@login_not_required
@require_http_methods(["GET", "POST"])
def league_new(request: HttpRequest, slug: str) -> HttpResponse:
    """A new league. What its teams play, or its divisions come next."""
    actor = actor_of(request)
    club = club_for(actor, slug, need=Role.DIRECTOR)
    game = _game(request.POST.get("game") or request.GET.get("game", ""))
    chosen = {name: request.GET.get(name, "") for name in ("way", "meeting", "when")}
    initial = league_forms.of_new(game, timezone.localtime(), **chosen)
    if request.method == "GET":
        form = LeagueForm(game, initial=initial)
        return _setup(request, club, None, game, form, league_forms.misfit(game, chosen["way"]))
    form, refusal = LeagueForm(game, request.POST, initial=initial), ""
    if form.is_valid():
        try:
            name, setup = form.cleaned_data["name"], {**form.setup(), "form": _played(form, None), "series": None}
            found = leagues.start(club=club, name=name, setup=setup, step=step_of(request, actor))
            return redirect("encounter_form" if form.of_teams else "league_divisions", found.pk)
        except (Refused, GameError) as error:
            refusal = reason(error)
    return _setup(request, club, None, game, form, refusal)


@login_not_required
@require_http_methods(["GET", "POST"])
def league_setup(request: HttpRequest, pk: int) -> HttpResponse:
    """Changes how a league is played."""
    actor = actor_of(request)
    found = league_for(actor, pk, need="host")
    state = league_in(found)
    game, initial = GAMES[state.setup["game"]], league_forms.of_league(state.setup, found.name)
    if request.method == "GET":
        return _setup(request, found.club, found, game, LeagueForm(game, initial=initial, fixed=state.begun))
    form, refusal = LeagueForm(game, request.POST, initial=initial, fixed=state.begun), ""
    if form.is_valid():
        try:
            setup = {**form.setup(), "form": _played(form, state), "series": state.setup["series"]}
            leagues.set_up(event_id=pk, name=form.cleaned_data["name"], setup=setup, step=step_of(request, actor))
            return redirect("encounter_form" if form.of_teams and not state.form else "league_desk", pk)
        except (Refused, GameError) as error:
            refusal = reason(error)
    return _setup(request, found.club, found, game, form, refusal)


@login_not_required
@require_http_methods(["GET", "POST"])
@asks_whom
def league_divisions(request: HttpRequest, pk: int) -> HttpResponse:
    """Who plays in which division."""
    actor = actor_of(request)
    found = league_for(actor, pk, need="host")
    if request.method == "GET":
        return _divisions(request, found, _as_typed(snapshot_of(found)))
    try:
        divisions = league_forms.divisions_of(request.POST)
        leagues.divide(event_id=pk, divisions=divisions, step=step_of(request, actor))
        return redirect("league_desk", pk)
    except (Refused, GameError) as error:
        refusal = reason(error)
    return _divisions(request, found, league_forms.typed_divisions(request.POST), refusal)


@login_not_required
@require_http_methods(["GET", "POST"])
@asks_whom
def league_next(request: HttpRequest, pk: int) -> HttpResponse:
    """The next season: proposes the divisions with those who go up and down, then makes it."""
    actor = actor_of(request)
    found = league_for(actor, pk, need="host")
    state, first = league_in(found), request.POST.get("first", "")
    if after := season_after(found, state):
        messages.info(request, _("The next season is made already. This is its desk."))
        return redirect("league_desk", after.pk)
    if request.method == "GET" and found.closed_at is None:
        messages.info(request, leagues.not_closed().message)
        return redirect("league_desk", pk)
    if request.method == "GET":
        now = snapshot_of(found)
        proposed = [
            (division.name, "\n".join(_line(now, each) for each in entrants))
            for division, entrants in zip(state.divisions, promoted(now), strict=True)
        ]
        return _divisions(request, found, proposed, following=True)
    try:
        setup = {**state.setup, "first": first, "without": []}
        made = leagues.next_season(
            event_id=pk,
            name=request.POST.get("name", ""),
            setup=setup,
            divisions=league_forms.divisions_of(request.POST),
            step=step_of(request, actor),
        )
        return redirect("league_desk", made.pk)
    except (Refused, GameError) as error:
        refusal = reason(error)
    return _divisions(request, found, league_forms.typed_divisions(request.POST), refusal, following=True)


@login_not_required
@require_http_methods(["GET", "POST"])
def league_desk(request: HttpRequest, pk: int) -> HttpResponse:
    """Everything a host needs: fixtures by date, who leaves, the end of the season."""
    actor = actor_of(request)
    found = league_for(actor, pk, need="host")
    if request.method == "GET":
        return render(request, "scorekeeper/league_desk.html", context(league_desk_page(snapshot_of(found))))
    step = step_of(request, actor)
    try:
        if request.POST.get("do") == "undo":
            _undo(request, found, step)
        else:
            _direct(request.POST, pk, step)
            _confirm(request, found)
        return redirect("league_desk", pk)
    except (Refused, GameError) as error:
        refusal = reason(error)
    found = league_for(actor, pk, need="host")  # with what others have done meanwhile
    page = league_desk_page(snapshot_of(found), refusal=refusal)
    return render(request, "scorekeeper/league_desk.html", context(page), status=422)


def _direct(sent: QueryDict, pk: int, step: Step) -> None:
    """One step at the desk. Http404 if there is no such step."""
    match sent.get("do"):
        case "fixtures":
            leagues.make_fixtures(event_id=pk, step=step)
        case "round":
            leagues.draw_round(event_id=pk, step=step)
        case str(do) if do.startswith("exchange:"):
            number = directing.whole(do.partition(":")[2], what=_("Round"), least=1, most=10**6)
            leagues.exchange(event_id=pk, round_number=number, entrants=ticked(sent, "who"), step=step)
        case "start":
            encounters.start_round(event_id=pk, step=step)
        case "penalise":
            leagues.penalise(
                event_id=pk,
                entrant=directing.entrant(sent.get("entrant", "")),
                points=directing.points(sent.get("points", "")),
                reason=sent.get("reason", ""),
                step=step,
            )
        case "remove":
            events.remove(event_id=pk, typed=sent.get("typed", ""), step=step)
        case str(do) if do.startswith("cancel-penalty:"):
            number = directing.whole(do.partition(":")[2], what=_("Penalty"), least=0, most=10**6)
            tournaments.cancel_penalty(event_id=pk, number=number, reason=sent.get("reason", ""), step=step)
        case "withdraw":
            leagues.withdraw(event_id=pk, entrant=directing.entrant(sent.get("entrant", "")), step=step)
        case "close":
            leagues.close(event_id=pk, early=sent.get("early") == "yes", step=step)
        case _:
            raise Http404(_("This step does not exist."))


@login_not_required
@require_http_methods(["GET", "POST"])
def league_fixture(request: HttpRequest, pk: int, number: int) -> HttpResponse:
    """Starts a fixture at a table, types its result, moves it, or notes who gave it up. Where the setup allows it,
    those who play in it may start it and type its result."""
    actor = actor_of(request)
    found = league_for(actor, pk)
    state = league_in(found)
    if number not in state.fixtures:
        raise Http404(_("This fixture does not exist. Reload the page."))
    host = has_role(actor, found.club_id, Role.DIRECTOR)
    must_play(actor, found, state.may_play(state.fixtures[number]))
    if request.method == "GET":
        return _fixture(request, snapshot_of(found), number, host=host)
    try:
        return _play(request, actor, found, number, host=host)
    except (Refused, Refusal, GameError) as error:
        refusal = reason(error)
    found = league_for(actor, pk)  # with what others have done meanwhile
    return _fixture(request, snapshot_of(found), number, host=host, refusal=refusal)


def _play(request: HttpRequest, actor: Actor, found: Event, number: int, *, host: bool) -> HttpResponse:
    step, sent = step_of(request, actor), request.POST
    match sent.get("do"), host:
        case "play", _:
            table = directing.entrant(sent.get("table", ""))
            match = leagues.play(event_id=found.pk, fixture=number, table=table, step=step)
            return redirect("match", match.pk)
        case "score", _:
            leagues.type_result(
                event_id=found.pk,
                fixture=number,
                totals=league_forms.totals(sent),
                early=sent.get("early") == "yes",
                why=sent.get("why", ""),
                sure=sent.get("sure") == "yes",
                ahead=sent.get("ahead") == "yes",
                step=step,
            )
        case "date", True:
            leagues.set_date(
                event_id=found.pk,
                fixture=number,
                at=league_forms.moment(sent, ZoneInfo(found.club.time_zone)),
                where=sent.get("where", ""),
                reason=sent.get("reason", ""),
                step=step,
            )
        case "absent", True:
            absent = ticked(sent, "absent")
            reason = sent.get("reason", "")
            leagues.give_up(event_id=found.pk, fixture=number, absent=absent, reason=reason, step=step)
        case _:
            raise Http404(_("This step does not exist."))
    _confirm(request, found)
    return redirect("league_desk" if host else "league", found.pk)


# --- their parts -------------------------------------------------------------------------------------------
def _confirm(request: HttpRequest, found: Event) -> None:
    """The next page says what was saved."""
    messages.success(request, saved(results_now(found)))


def _undo(request: HttpRequest, found: Event, step: Step) -> None:
    """Undoes the last step, and the next page says what that was."""
    said = undone(results_now(found))
    for notice in notices.undone(events.undo(event_id=found.pk, step=step), said):
        messages.add_message(request, *notice)


def _game(slug: str) -> Game[Any]:
    if slug not in GAMES:
        raise Http404(_("This game does not exist."))
    return GAMES[slug]


def _played(form: LeagueForm, before: League | None) -> dict[str, Any] | None:
    """What teams play: as before, else a usual evening, which the next page changes; None without teams."""
    if not form.of_teams:
        return None
    known = before.form if before else None
    return (known or usual_form(form.game.slug, Setting(form.options(), form.cleaned_data["minutes"]))).as_json()


def _must_be_entered(now: EventNow, number: int) -> None:
    if number not in league_of(now).entrants:
        raise Http404(_("There is no entrant with this number."))


def _as_typed(now: EventNow) -> list[tuple[str, str]]:
    state = league_of(now)
    return [(name, "\n".join(_line(now, each) for each in entrants)) for name, entrants in state.divisions]


def _line(now: EventNow, entrant: int) -> str:
    """An entrant as it is typed."""
    team = league_of(now).entrants[entrant]
    players = " + ".join(map(now.name, team.players))
    return f"{team.name}: {players}" if team.name else team_name(now, entrant)


def _setup(
    request: HttpRequest, club: Club, found: Event | None, game: Game[Any], form: LeagueForm, refusal: str = ""
) -> HttpResponse:
    page = LeagueSetup(
        club=club,
        league=found,
        game=game,
        form=form,
        begun=form.fields["way"].disabled,
        refusal=refusal,
        key=key_of(request),
    )
    status = 422 if form.errors or refusal else 200
    return render(request, "scorekeeper/league_setup.html", context(page), status=status)


def _divisions(
    request: HttpRequest,
    found: Event,
    divisions: Sequence[tuple[str, str]],
    refusal: str = "",
    *,
    following: bool = False,
) -> HttpResponse:
    state = league_in(found)
    last = last_day(state, ZoneInfo(found.club.time_zone)) if following else None
    page = DivisionsPage(
        league=found,
        club=found.club,
        size=state.setup["size"],
        squad=fewest_players(state.form) if state.form else 0,
        divisions=[*divisions, *EMPTY],
        undecided=_undecided(snapshot_of(found)) if following else [],
        following=following,
        name=request.POST.get("name", name_after(found.name) if following else ""),
        first=request.POST.get(
            "first", (max(filter(None, (timezone.localdate(), last))) + league_forms.A_WEEK).isoformat()
        ),
        refusal=refusal,
        key=key_of(request),
    )
    return render(request, "scorekeeper/league_divisions.html", context(page), status=422 if refusal else 200)


def _undecided(now: EventNow) -> list[str]:
    return [listed([team_name(now, each) for each in equal]) for equal in undecided(now)]


def _fixture(request: HttpRequest, now: EventNow, number: int, *, host: bool, refusal: str = "") -> HttpResponse:
    sent = {**request.POST.dict(), "absent": request.POST.getlist("absent")}
    typed = {request.POST.get("do", ""): sent} if refusal else {}
    page = fixture_page(now, number, host=host, refusal=refusal, typed=typed)
    return render(request, "scorekeeper/league_fixture.html", context(page), status=422 if refusal else 200)
