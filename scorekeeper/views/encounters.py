"""The doors to encounters of teams: the page of everybody, the captain's line-up, and the team's own page."""

import secrets
from collections.abc import Mapping

from django.contrib import messages
from django.contrib.auth.decorators import login_not_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods

from games import GameError
from scorekeeper import access
from scorekeeper.access import Actor, Refusal, actor_of, has_role, league_for
from scorekeeper.events import League
from scorekeeper.events.encounters import SIDES, Fault, LineUp
from scorekeeper.events.rounds import Impossible
from scorekeeper.forms import directing
from scorekeeper.forms import line_ups as typed
from scorekeeper.forms.encounters import EncounterForm
from scorekeeper.forms.nights import ticked
from scorekeeper.forms.typed import names_from
from scorekeeper.models import Event, Role, User
from scorekeeper.pages import context
from scorekeeper.pages.codes import qr, reachable
from scorekeeper.pages.encounter import (
    BOTH_OPEN,
    NOT_TYPED,
    SIDE_NAMES,
    SUBMITTED,
    WITHDRAWN,
    Typed,
    encounter_page,
    fault_words,
    line_up_page,
    round_page,
    team_name,
)
from scorekeeper.pages.event import snapshot_of
from scorekeeper.pages.league import saved
from scorekeeper.pages.team import CaptainLine, CaptainLinksPage, EncounterFormPage, team_page
from scorekeeper.selectors.encounters import encounter_now
from scorekeeper.selectors.events import results_now
from scorekeeper.selectors.leagues import league_in
from scorekeeper.selectors.teams import all_in, linked_teams, own_line_up, sides_in
from scorekeeper.services import captains, encounters, leagues, line_ups
from scorekeeper.services.errors import Refused
from scorekeeper.services.line_ups import WrongLineUp
from scorekeeper.services.people import Unsure
from scorekeeper.views.naming import ask_whom, asks_whom
from scorekeeper.views.refusals import reason
from scorekeeper.views.steps import step_of


@login_not_required
@require_http_methods(["GET", "POST"])
def encounter(request: HttpRequest, pk: int, fixture: int) -> HttpResponse:
    """What everybody may see. Hosts open line-ups, start boards and note substitutes."""
    actor = actor_of(request)
    league = league_for(actor, pk, need="host" if request.method == "POST" else "see")
    _must_be_of_teams(league, fixture)
    if request.method == "GET":
        return _encounter(request, actor, league, fixture)
    try:
        _do(request, actor, league, fixture)
    except WrongLineUp as error:
        people = [fault.player for fault in error.faults if fault.player]
        names = dict(league.club.players.filter(pk__in=people).values_list("pk", "name"))
        refusal = " ".join(dict.fromkeys(fault_words(fault, names) for fault in error.faults))
    except (Refused, Refusal, GameError) as error:
        refusal = _at_board(_typed(request).board, reason(error))
    except Unsure as unsure:
        return ask_whom(request, unsure)
    else:
        messages.success(request, saved(results_now(league)))
        return redirect(f"{reverse('encounter', args=[pk, fixture])}?step={_typed(request).step}")
    return _encounter(request, actor, league_for(actor, pk, need="host"), fixture, refusal=refusal)


@login_not_required
@never_cache
@require_http_methods(["GET", "POST"])
def line_up(request: HttpRequest, pk: int, fixture: int, side: str) -> HttpResponse:
    """The captain chooses who plays, board by board; a host may do it for a team that has not."""
    actor, league = actor_of(request), access.league_of_teams(pk)
    state = _must_be_of_teams(league, fixture)
    if side not in SIDE_NAMES:
        raise Http404(_("This team does not exist."))
    at = SIDE_NAMES.index(side)
    entrant = state.fixture(fixture).sides[at]
    for_host = not access.is_captain(actor, league, entrant, state.captain_of(entrant))
    if for_host:
        league = access.stands_in_for(actor, pk)
    else:
        access.captain_for(actor, league, entrant, state.captain_of(entrant))
    met = state.encounter(fixture)
    if met.open:
        return _encounter(request, actor, league, fixture, own=None if for_host else at)
    submitted = sides_in(league, fixture)
    if for_host and at in submitted:
        messages.info(request, _("This team has submitted its line-up already. Only its captain can change it."))
        return redirect("encounter", pk, fixture)
    chosen: LineUp | None = None if for_host else own_line_up(league, fixture, at)
    faults: list[Fault] = []
    refusal = ""
    if request.method == "POST":
        chosen = typed.line_up(request.POST, met.form)
        faults = typed.not_chosen(request.POST, met.form)
        faults += met.form.faults(chosen, met.squads[at])
        if request.POST.get("do") == "submit" and not faults:
            submit = line_ups.submit_for if for_host else line_ups.submit
            try:
                both = submit(event_id=pk, fixture=fixture, side=at, line_up=chosen, by=actor, now=timezone.now())
            except Refused as error:
                refusal = error.message
            else:
                messages.success(request, BOTH_OPEN if both else SUBMITTED)
                return redirect("encounter", pk, fixture) if for_host else redirect("line_up", pk, fixture, side)
    page = line_up_page(
        league=league,
        state=state,
        fixture=fixture,
        side=at,
        names=_names(league, state, fixture),
        chosen=chosen,
        faults=faults,
        submitted=submitted,
        checked=request.method == "POST",
        refusal=refusal,
        for_host=for_host,
    )
    status = 422 if request.POST.get("do") == "submit" else 200
    return render(request, "scorekeeper/line_up.html", context(page), status=status)


@login_not_required
@require_http_methods(["GET", "POST"])
def round_line_ups(request: HttpRequest, pk: int) -> HttpResponse:
    """Who has not submitted a line-up in the round that is played next, and what it means to open what is in."""
    actor = actor_of(request)
    league, refusal = league_for(actor, pk, need="host"), ""
    if request.method == "POST":
        try:
            line_ups.open_several(event_id=pk, fixtures=ticked(request.POST, "fixture"), step=step_of(request, actor))
            messages.success(request, saved(results_now(league)))
            return redirect("league_desk", pk)
        except Refused as error:
            refusal = error.message
            league = league_for(actor, pk, need="host")  # with what others have done meanwhile
    page = round_page(snapshot_of(league), all_in(league), key=secrets.token_hex(16), refusal=refusal)
    return render(request, "scorekeeper/round_line_ups.html", context(page), status=422 if refusal else 200)


@login_not_required
@require_http_methods(["GET", "POST"])
def encounter_form(request: HttpRequest, pk: int) -> HttpResponse:
    """What teams play in each fixture; hosts only."""
    actor = actor_of(request)
    league = league_for(actor, pk, need="host")
    state, refusal = league_in(league), ""
    form = EncounterForm(before=state.form)
    if request.method == "POST":
        none = request.POST.get("do") == "none"
        form = form if none else EncounterForm(request.POST, before=state.form)
        if none or form.is_valid():
            setup = {name: value for name, value in state.setup.items() if name not in ("name", "form")}
            played = None if none else form.cleaned_data["form"].as_json()
            step = step_of(request, actor)
            try:
                leagues.set_up(event_id=pk, name=league.name, setup={**setup, "form": played}, step=step)
            except Refused as error:
                refusal = error.message
            else:
                return redirect("encounter_form" if league_in(league).entrants else "league_divisions", pk)
    page = EncounterFormPage(
        league=league,
        club=league.club,
        form=form,
        teams=state.form is not None,
        key=secrets.token_hex(16),
        refusal=refusal,
    )
    status = 422 if refusal or form.errors else 200
    return render(request, "scorekeeper/encounter_form.html", context(page), status=status)


@login_not_required
@never_cache
@require_GET
def team_link(request: HttpRequest, token: str) -> HttpResponse:
    """Whoever opens the secret link acts as the captain of its team."""
    link = access.captain_link(token)
    access.remember_team(request, link)
    return redirect("team", link.event_id, link.entrant)


@login_not_required
@never_cache
@require_http_methods(["GET", "POST"])
def captain_links(request: HttpRequest, pk: int) -> HttpResponse:
    """The secret links of all captains, which a host makes at once."""
    league = league_for(actor_of(request), pk, need="host")
    state, refusal = league_in(league), ""
    if state.form is None:
        raise Http404(_("This league has no teams."))
    urls: dict[int, str] = {}
    if request.method == "POST":
        try:
            made = captains.make_links(event_id=pk, by=_user(request), now=timezone.now())
            urls = {each: reachable(request) + reverse("team_link", args=[token]) for each, token in made.items()}
        except Refused as error:
            refusal = error.message
    names, links = {each.pk: each.name for each in league.club.players.all()}, linked_teams(league)
    teams = tuple(
        CaptainLine(
            each,
            team_name(state, each, names),
            names[state.captain_of(each)],
            links.get(each),
            urls.get(each, ""),
            qr(urls[each]) if each in urls else "",
        )
        for each in state.entrants
    )
    missing = any(each.link is None for each in teams)
    page = CaptainLinksPage(league=league, club=league.club, teams=teams, missing=missing, refusal=refusal)
    return render(request, "scorekeeper/captain_links.html", context(page), status=422 if refusal else 200)


@login_not_required
@never_cache
@require_http_methods(["GET", "POST"])
@asks_whom
def team(request: HttpRequest, pk: int, entrant: int) -> HttpResponse:
    """The captain's way to the line-ups of the team; hosts make its secret link."""
    actor, league = actor_of(request), access.league_of_teams(pk)
    state = league_in(league)
    if state.form is None or entrant not in state.entrants:
        raise Http404(_("This team does not exist."))
    captain = state.captain_of(entrant)
    host = request.method == "POST" or not access.is_captain(actor, league, entrant, captain)
    if host:
        league = league_for(actor, pk, need="host")
    else:
        access.captain_for(actor, league, entrant, captain)
    url, refusal = "", ""
    before = _submitted(league, state, entrant)
    if request.method == "POST":
        try:
            token = _do_with_team(request, actor, league, entrant)
        except Refused as error:
            refusal = error.message
        else:
            if before != _submitted(league, state, entrant):
                messages.warning(request, WITHDRAWN)
            if token is None:
                return redirect("team", pk, entrant)
            url = reachable(request) + reverse("team_link", args=[token])
    page = team_page(
        league=league,
        state=league_in(league),
        entrant=entrant,
        names={each.pk: each.name for each in league.club.players.all()},
        submitted=_submitted(league, state, entrant),
        link=linked_teams(league).get(entrant) if host else None,
        host=host,
        key=secrets.token_hex(16),
        url=url,
        code=qr(url) if url else "",
        refusal=refusal,
    )
    return render(request, "scorekeeper/team.html", context(page), status=422 if refusal else 200)


def _do(request: HttpRequest, actor: Actor, league: Event, fixture: int) -> None:
    """One step of the host. Http404 if there is no such step."""
    step, posted = step_of(request, actor), request.POST
    match posted.get("do", "").partition(":"):
        case "open", _, _:
            line_ups.open_now(event_id=league.pk, fixture=fixture, step=step)
        case "start", _, _:
            tables = typed.tables(posted)
            encounters.start(event_id=league.pk, fixture=fixture, tables=tables, step=step)
        case "result", _, board:
            leagues.type_result(
                event_id=league.pk,
                fixture=fixture,
                board=int(board) if board.isascii() and board.isdecimal() else 0,
                totals=[
                    directing.whole(posted.get(side, ""), what=_("Total"), least=0, most=10**6) for side in SIDE_NAMES
                ],
                early=posted.get("early") == "yes",
                why=posted.get("why", ""),
                sure=posted.get("sure") == "yes",
                step=step,
            )
        case "substitute", _, where:
            board, _colon, side = where.partition(":")
            if not (board.isascii() and board.isdecimal()) or side not in SIDE_NAMES:
                raise Http404(_("There is no such step."))
            line_ups.substitute(
                event_id=league.pk,
                fixture=fixture,
                board=int(board),
                side=SIDE_NAMES.index(side),
                players=[name.strip() for name in posted.getlist("player") if name.strip()],
                why=posted.get("why", ""),
                step=step,
            )
        case _:
            raise Http404(_("There is no such step."))


def _do_with_team(request: HttpRequest, actor: Actor, league: Event, entrant: int) -> str | None:
    """The token of a new link, if one was made. Http404 if there is no such step."""
    by = _user(request)
    match request.POST.get("do", ""):
        case "link":
            return captains.make_link(event_id=league.pk, entrant=entrant, by=by, now=timezone.now())
        case "revoke":
            captains.revoke_link(event_id=league.pk, entrant=entrant, by=by, now=timezone.now())
        case "squad":
            leagues.change_squad(
                event_id=league.pk,
                entrant=entrant,
                joins=names_from(request.POST.get("names", "")),
                leaves=ticked(request.POST, "leaves"),
                step=step_of(request, actor),
            )
        case "captain":
            chosen = request.POST.get("player", "")
            player_id = int(chosen) if chosen.isascii() and chosen.isdecimal() and len(chosen) < 19 else 0
            captains.appoint(event_id=league.pk, entrant=entrant, player=player_id, step=step_of(request, actor))
        case _:
            raise Http404(_("There is no such step."))
    return None


def _user(request: HttpRequest) -> User | None:
    return request.user if isinstance(request.user, User) else None


def _encounter(
    request: HttpRequest, actor: Actor, league: Event, fixture: int, *, own: int | None = None, refusal: str = ""
) -> HttpResponse:
    state = league_in(league)
    host = has_role(actor, league.club_id, Role.DIRECTOR)
    sides = state.fixture(fixture).sides
    if own is None:
        captained = (s for s in SIDES if access.is_captain(actor, league, sides[s], state.captain_of(sides[s])))
        own = next(captained, None)
    page = encounter_page(
        league=league,
        state=state,
        fixture=fixture,
        now=encounter_now(league, state.encounter(fixture), state.fixture(fixture).matches),
        names=_names(league, state, fixture),
        submitted=sides_in(league, fixture),
        own=own,
        free_tables=snapshot_of(league).free_tables if host else (),
        host=host,
        key=secrets.token_hex(16),
        refusal=refusal,
        # After a step, its part of the page stays open for the next one.
        typed=_typed(request) if refusal else NOT_TYPED._replace(step=request.GET.get("step", "")),
    )
    return render(request, "scorekeeper/encounter.html", context(page), status=422 if refusal else 200)


def _typed(request: HttpRequest) -> Typed:
    """What was typed for a step, as "result:3" or "substitute:3:home" names it."""
    step, _colon, where = request.POST.get("do", "").partition(":")
    board = where.partition(":")[0]
    at = int(board) if board.isascii() and board.isdecimal() and len(board) < 4 else 0
    return Typed(step, at, request.POST.dict(), request.POST.getlist("player"))


def _at_board(board: int, refusal: str) -> str:
    """The sentence, with the board if the step was about one."""
    return format_html(_("Board {n}: {refusal}"), n=board, refusal=refusal) if board else refusal


def _must_be_of_teams(league: Event, fixture: int) -> League:
    """The state of the league. Http404 unless teams meet in this fixture."""
    state = league_in(league)
    try:
        state.encounter(fixture)
    except Impossible as error:
        raise Http404(_("This fixture does not exist.")) from error
    return state


def _names(league: Event, state: League, fixture: int) -> Mapping[int, str]:
    """The names of both squads, and of everybody who plays. One query."""
    met = state.encounter(fixture)
    people = {player for squad in met.squads for player in squad}
    people.update(player for each in met.substitutes for player in (*each.players, *each.instead_of))
    return {each.pk: each.name for each in league.club.players.filter(pk__in=people)}


def _submitted(league: Event, state: League, entrant: int) -> Mapping[int, bool]:
    """By fixture of the team whose line-ups are not open: whether its own is in. One query for each."""
    return {
        fixture.number: fixture.sides.index(entrant) in sides_in(league, fixture.number)
        for fixture in state.fixtures_of(entrant)
        if fixture.number not in state.encounters
    }
