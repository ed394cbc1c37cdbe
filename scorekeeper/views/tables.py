"""A table's pages: joining by QR, recording, watching, a new match."""

import secrets
from dataclasses import dataclass
from datetime import datetime
from random import SystemRandom
from typing import Any
from urllib.parse import urlencode

import segno
from django.conf import settings
from django.contrib.auth.decorators import login_not_required
from django.core.exceptions import ValidationError
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from games import GAMES, GameError
from games.base import Game
from games.tiles import NAMES
from scorekeeper import access
from scorekeeper.access import Actor, actor_of, has_role, table_for
from scorekeeper.forms.matches import NewMatchForm, drawn_tiles
from scorekeeper.forms.options import as_typed
from scorekeeper.models import Role, Table
from scorekeeper.names import folded
from scorekeeper.selectors.clubs import players_of
from scorekeeper.selectors.matches import matches_at
from scorekeeper.selectors.nights import evening_of, going_on, open_night, state_of
from scorekeeper.selectors.tables import current_match, pads_held, played_last
from scorekeeper.services import matches, pads, tables
from scorekeeper.services.errors import Refused, in_words
from scorekeeper.serving import addresses
from scorekeeper.serving.lock import served
from scorekeeper.views.boards.line import TRAY
from scorekeeper.views.calls import calls_context
from scorekeeper.views.pads import elsewhere_page, holder_context
from scorekeeper.views.parts import match_line, pad_context, watch_context


@dataclass(frozen=True, slots=True)
class Card:
    """A table's QR code and the address in it."""

    table: Table
    svg: SafeString
    url: str
    only_here: bool
    """Whether no phone can reach this address."""
    until: datetime


@login_not_required
@require_GET
def table_join(request: HttpRequest, token: str) -> HttpResponse:
    """A phone that scanned the QR code takes the table's pad; who may record without it leaves it where it is."""
    now = timezone.now()
    device = access.device_of(token, now=now)
    access.remember(request, device)
    actor = actor_of(request, now=now)
    if actor.phone and not has_role(actor, device.table.club_id, Role.SCORER):
        pads.scan(table=device.table, phone=actor.phone, now=now)
    return HttpResponseRedirect(reverse("table", args=[device.table_id]), status=303)


@login_not_required
@require_GET
def table(request: HttpRequest, pk: int) -> HttpResponse:
    """The pad for who may record at the table, else the same to watch."""
    actor = actor_of(request)
    found = table_for(actor, pk)
    if not may_record(actor, found):
        if found.pk in actor.let_go:
            return elsewhere_page(request, found)
        return render(request, "scorekeeper/table_watch.html", watch_context(current_match(found), found))
    context = pad_context(found, current_match(found), data=request.GET, final="final" in request.GET)
    context |= {"host": may_host(actor, found), "people": players_of(found.club)}
    context |= holder_context(request, actor, found, context.get("players", ()))
    if has_role(actor, found.club_id, Role.SCORER):
        context["kept"] = _kept(found)
    answer = render(request, "scorekeeper/table.html", context)
    answer["X-Keep"] = "pad"  # what the service worker may show again while there is no network
    return answer


def _kept(found: Table) -> dict[str, Any] | None:
    """The tables of the night that goes on, for who keeps several, and which is the next that is not finished."""
    night = open_night(found.club_id)
    if night is None:
        return None
    kept = sorted(evening_of(night).current.values(), key=lambda match: match.table.number)
    unfinished = [match.table for match in kept if going_on(match) and match.table_id != found.pk]
    after = [table for table in unfinished if table.number > found.number]
    return {"night": night, "matches": kept, "next": next(iter(after + unfinished), None)} | calls_context(found.club)


@login_not_required
@require_GET
def table_watch(request: HttpRequest, pk: int) -> HttpResponse:
    """The table as everybody sees it; what a big screen shows."""
    found = table_for(actor_of(request), pk)
    return render(request, "scorekeeper/table_watch.html", watch_context(current_match(found), found))


@login_not_required
@require_http_methods(["GET", "POST"])
def table_qr(request: HttpRequest, pk: int) -> HttpResponse:
    """A fresh QR code. Made by a post: each one is a new pass, and is shown only once."""
    found = table_for(actor_of(request), pk, need="host")
    cards = qr_cards(request, [found]) if request.method == "POST" else []
    return render(request, "scorekeeper/table_qr.html", {"table": found, "club": found.club, "cards": cards})


@login_not_required
@require_POST
def table_open(request: HttpRequest, pk: int) -> HttpResponse:
    """Opens or closes a table: at a closed one no phone records."""
    found = table_for(actor_of(request), pk, need="host")
    tables.table_set_open(table=found, is_open=request.POST.get("open") == "1", now=timezone.now())
    return redirect("club_tables", found.club.slug)


@login_not_required
@never_cache  # who comes back to it is told what has begun meanwhile
@require_http_methods(["GET", "POST"])
def match_new(request: HttpRequest, pk: int) -> HttpResponse:
    """A new match in up to three steps: who plays, which tile each drew, who sits where."""
    actor, refusal = actor_of(request), ""
    try:
        found = table_for(actor, pk, need="record")
    except access.Refusal as error:
        if error.code != "pad-elsewhere":
            raise
        found, refusal = table_for(actor, pk), error.message
    game = GAMES.get(request.POST.get("game") or request.GET.get("game", ""))
    if game is None:
        raise Http404(_("There is no such game here."))
    data, do = request.POST.copy(), request.POST.get("do", "")
    if do == "phone":
        for person, tile in enumerate(drawn_tiles(SystemRandom(), max(game.seats))):
            data[f"tile-{person}"] = tile
    form = NewMatchForm(
        game,
        data if request.method == "POST" else None,
        initial=_length(found, game) | _again(found, game) | request.GET.dict(),
        drawing=do in ("phone", "seat"),
    )
    stage, status = "names", 403 if refusal else 200
    if request.method == "POST" and not refusal:
        stage, form = _next_stage(form, do)
        if stage == "start":
            answer = _start(request, form, found, actor)
            if answer:
                return answer
            stage, status = "names", 409
    context = {
        "table": found,
        "game": game,
        "form": form,
        "stage": stage,
        "people": list(players_of(found.club)),
        "tray": [NAMES[number] for number in TRAY],
        "seated": form.seats() if stage == "plan" else [],
        "drawn": list(zip(form.people(), form.tiles(), strict=True)) if stage == "plan" else [],
        "refusal": refusal,
        "pads": pads_held(found) if refusal else [],
        "busy": None if refusal else _busy(found),
        "here": _address(request, form, stage),
    }
    wrong = form.errors and not refusal
    return render(request, "scorekeeper/match_new.html", context, status=422 if wrong else status)


def _next_stage(form: NewMatchForm, do: str) -> tuple[str, NewMatchForm]:
    """Where the form goes from here; back to its own step if something is wrong with it."""
    if form.is_valid():
        return {"seat-draw": "seat-draw", "seat": "plan", "phone": "plan", "start": "start"}.get(do, "names"), form
    people = [f"player-{seat}" for seat in range(form.count)]
    wrong_names = any(name in form.errors for name in people) or not form.drawing
    return ("names" if wrong_names else "seat-draw"), form


def _start(request: HttpRequest, form: NewMatchForm, found: Table, actor: Actor) -> HttpResponse | None:
    """Opens the match; None if it was refused, which the page then says."""
    people, options = form.people(), form.options()
    try:
        matches.open_match(
            table=found,
            game=form.game.slug,
            options=options,
            minutes=form.cleaned_data["minutes"],
            players=people,
            by=actor,
            now=timezone.now(),
        )
    except Refused as error:
        if error.code != "table-busy":
            form.add_error(None, ValidationError(error.message))
            return None
        newest = current_match(found)
        # A second tap on "Start" means the match that the first one opened.
        same = newest and (newest.game, newest.length, newest.options) == (form.game.slug, 0, options)
        if not (same and newest and [folded(seat.name) for seat in newest.seats.all()] == list(map(folded, people))):
            return None
    except GameError as error:
        form.add_error(None, ValidationError(in_words(error)))
        return None
    return redirect("table", found.pk)


def _again(found: Table, game: Game) -> dict[str, str]:
    """The names of the last match at the table, if as many play."""
    newest = matches_at(found).first()
    names = [seat.name for seat in newest.seats.all()] if newest else []
    return {f"player-{seat}": name for seat, name in enumerate(names)} if len(names) in game.seats else {}


def _length(found: Table, game: Game) -> dict[str, str]:
    """Options and minutes: as the host said for the night that goes on, else as they were the last time."""
    night = open_night(found.club_id)
    how = state_of(night).settings.get(game.slug) if night else None
    last = how or played_last(found, game.slug)
    return as_typed(last.options, last.minutes) if last else {}


def _busy(found: Table) -> dict[str, Any] | None:
    """The match that must end before another one begins here, with how to say so."""
    try:
        matches.table_must_be_free(found)
    except Refused as error:
        newest = matches_at(found)[0]
        return match_line(newest) | {"words": error.message, "key": secrets.token_hex(16)}
    return None


def _address(request: HttpRequest, form: NewMatchForm, stage: str) -> str:
    """The page with what was entered so far, as an address to come back to."""
    if request.method == "GET":
        return request.get_full_path()
    data = {name: form.data.get(name, "") for name in form.fields if not name.startswith("tile-")}
    if stage == "plan":
        data |= {f"player-{seat}": name for seat, name in enumerate(form.seats())}
    return f"{request.path}?{urlencode({'game': form.game.slug} | data)}"


def qr_cards(request: HttpRequest, found: list[Table]) -> list[Card]:
    """A fresh QR code for each table, with the address under which phones reach this server."""
    base, now = reachable(request), timezone.now()
    cards = []
    for each in found:
        url = base + reverse("table_join", args=[tables.fresh_token(table=each, now=now, address=base)])
        cards.append(Card(each, qr(url), url, addresses.only_here(url), now + tables.TOKEN_LIVES))
    return cards


def qr(url: str) -> SafeString:
    """The address as a QR code to be shown on a page."""
    svg = segno.make(url, error="m").svg_inline(border=2, omitsize=True, svgclass="qr", lineclass=None)
    return mark_safe(svg)  # noqa: S308 (segno's drawing of our own address)


def reachable(request: HttpRequest) -> str:
    """The address to hand to phones, without a slash at its end: on this machine's own screen it is another."""
    here = request.build_absolute_uri("/").rstrip("/")
    if settings.PUBLIC_URL:
        return str(settings.PUBLIC_URL)
    return next(iter(served(settings.DATA)), here) if addresses.only_here(here) else here


def may_record(actor: Actor, found: Table) -> bool:
    return _allowed(actor, found, "record")


def may_host(actor: Actor, found: Table) -> bool:
    return _allowed(actor, found, "host")


def _allowed(actor: Actor, found: Table, need: access.Need) -> bool:
    try:
        table_for(actor, found.pk, need=need)
    except access.Refusal:
        return False
    return True
