"""The doors to a tournament's entrants: the directors' page, and those for people's own phones."""

from codecs import BOM_UTF16_BE, BOM_UTF16_LE

from django.contrib import messages
from django.contrib.auth.decorators import login_not_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from games import GameError
from scorekeeper.access import Actor, Refusal, actor_of, must_have_arrival_key, tournament_for
from scorekeeper.events.records import About
from scorekeeper.forms.entrants import named, named_in_table, typed_about
from scorekeeper.forms.nights import ticked
from scorekeeper.models import Event
from scorekeeper.pages import context, notices
from scorekeeper.pages.event import snapshot_of
from scorekeeper.pages.tournament_entrants import CategoryForm, arrive_page, ask_page, entrants_page
from scorekeeper.selectors.events import event_now
from scorekeeper.selectors.tournaments import entrant_name, tournament_of
from scorekeeper.services import entrants
from scorekeeper.services.entrants import Named
from scorekeeper.services.errors import Refused
from scorekeeper.services.people import Unsure
from scorekeeper.views.naming import ask_whom, asks_whom, typist_of
from scorekeeper.views.refusals import reason
from scorekeeper.views.steps import key_of, step_of

LARGEST_TABLE = 200_000  # bytes
MOST_PLAYERS = 20


@login_not_required
@require_http_methods(["GET", "POST"])
def tournament_entrants(request: HttpRequest, pk: int) -> HttpResponse:
    """Who takes part, who has asked, who has arrived. A refused step shows the page again with the reason on top."""
    actor = actor_of(request)
    found = tournament_for(actor, pk, need="host")
    if request.method == "GET":
        return render(
            request, "scorekeeper/tournament_entrants.html", context(entrants_page(request, snapshot_of(found)))
        )
    try:
        _do(request, actor, found)
    except (Refused, Refusal, GameError) as error:
        refusal = reason(error)
    except Unsure as unsure:
        return ask_whom(request, unsure, table=_table(request))  # the page cannot send a file again
    else:
        return redirect("tournament_entrants", pk)
    found = tournament_for(actor, pk, need="host")  # with what others have done meanwhile
    page = entrants_page(
        request,
        snapshot_of(found),
        refusal=refusal,
        typed=request.POST.get("table", ""),
        category=_category(request) if "category" in request.POST else None,
    )
    return render(request, "scorekeeper/tournament_entrants.html", context(page), status=422)


def _do(request: HttpRequest, actor: Actor, found: Event) -> None:
    """One step of the director. Http404 if there is no such step."""
    step = step_of(request, actor)
    name, number = _asked(request)
    match name, number:
        case "table", None:
            entrants.enter_named(event_id=found.pk, players=[], named=named_in_table(_table(request)), step=step)
        case "describe", int():
            about = _about(request)
            entrants.describe(event_id=found.pk, entrant=number, about=about, step=step)
            messages.add_message(request, *notices.entrant_described(_named(found, number)))
        case "others", int():
            before, players = _named(found, number), named(request.POST.get("players", "")).players
            entrants.replace_players(event_id=found.pk, entrant=number, players=players, step=step)
            messages.add_message(request, *notices.entrant_replaced(number, _named(found, number), before))
        case "remove", int():
            before = _named(found, number)
            entrants.remove(event_id=found.pk, entrant=number, step=step)
            messages.add_message(request, *notices.entrant_removed(before))
        case "category", _:
            category = _category(request)
            entrants.categorise(
                event_id=found.pk, number=number, name=category.name, entrants=category.entrants, step=step
            )
            messages.add_message(request, *notices.category_saved(category.name, len(category.entrants)))
        case "remove-category", int():
            entrants.remove_category(event_id=found.pk, number=number, step=step)
            messages.add_message(request, *notices.category_removed())
        case "accept", int():
            entrants.accept(event_id=found.pk, application=number, step=step)
        case "decline", int():
            entrants.decline(event_id=found.pk, application=number, step=step)
        case "arrived", None:
            entrants.arrive(event=found, players=ticked(request.POST, "who"), now=step.now, by=step.by.user)
        case "not-arrived", int():
            entrants.not_arrived(event=found, players=[number], now=step.now, by=step.by.user)
        case _:
            raise Http404(_("This step does not exist."))


@login_not_required
@require_http_methods(["GET", "POST"])
@asks_whom
def tournament_ask(request: HttpRequest, pk: int) -> HttpResponse:
    """Somebody asks to be entered."""
    found = tournament_for(actor_of(request), pk)
    if request.method == "GET":
        return render(request, "scorekeeper/tournament_ask.html", context(ask_page(snapshot_of(found))))
    names = [name for name in request.POST.getlist("name")[:MOST_PLAYERS] if name.strip()]
    team, club = request.POST.get("team", ""), request.POST.get("club", "")
    try:
        asked = entrants.apply(
            event=found,
            named=Named(tuple(names), About(team, club)),
            typist=typist_of(request, host=False),
            key=key_of(request),
            now=timezone.now(),
        )
    except Refused as error:
        page = ask_page(snapshot_of(found), refusal=error.message, names=names, team=team, from_club=club)
        return render(request, "scorekeeper/tournament_ask.html", context(page), status=422)
    return render(request, "scorekeeper/tournament_ask.html", context(ask_page(snapshot_of(found), asked=asked)))


@login_not_required
@require_http_methods(["GET", "POST"])
def tournament_arrive(request: HttpRequest, pk: int, key: str) -> HttpResponse:
    """Who scanned the code in the hall says that they are here."""
    found = tournament_for(actor_of(request), pk)
    must_have_arrival_key(found, key)
    who, refusal = ticked(request.POST, "who"), ""
    if request.method == "POST":
        try:
            if not who:
                raise Refused("nobody-chosen", _("Choose who has arrived."))
            entrants.arrive(event=found, players=who, now=timezone.now())
        except Refused as error:
            who, refusal = [], error.message
    page = arrive_page(snapshot_of(found), player=who[0] if who else None, refusal=refusal)
    return render(request, "scorekeeper/tournament_arrive.html", context(page), status=422 if refusal else 200)


def _about(request: HttpRequest) -> About:
    return typed_about(*(request.POST.get(name, "") for name in ("name", "club", "rating")))


def _asked(request: HttpRequest) -> tuple[str, int | None]:
    """The name of the step, and the number behind it, if there is one."""
    name, _colon, rest = request.POST.get("do", "").partition(":")
    return name, int(rest) if rest.isdecimal() and len(rest) < 10 else None


def _category(request: HttpRequest) -> CategoryForm:
    """As it is typed and ticked."""
    _name, number = _asked(request)
    return CategoryForm(number, request.POST.get("category", "").strip(), ticked(request.POST, "in"))


def _named(found: Event, number: int) -> str:
    """The name of an entrant as it is now; "" if there is none."""
    now = event_now(found)
    return entrant_name(now, number) if number in tournament_of(now).entrants else ""


def _table(request: HttpRequest) -> str:
    """The chosen file, else what is pasted. Refused "bad-table" if it is no text, or too large."""
    file = request.FILES.get("file")
    if file is None:
        return request.POST.get("table", "")
    file.seek(0)
    content = file.read(LARGEST_TABLE + 1)
    if len(content) > LARGEST_TABLE:
        raise Refused("bad-table", _("This file is too large for a list of entrants."))
    encodings = ("utf-16",) if content.startswith((BOM_UTF16_LE, BOM_UTF16_BE)) else ("utf-8-sig", "cp1252")
    for encoding in encodings:
        try:
            return str(content, encoding)
        except UnicodeDecodeError:
            continue
    raise Refused("bad-table", _("This file is not text. Export the list as CSV."))
