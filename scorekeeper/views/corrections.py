"""The doors that correct a hand or the seats of a match: a preview first, then one button that saves."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_not_required
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

import games
from games import GameError
from scorekeeper.access import Actor, Refusal, actor_of, has_role, match_for, must_not_be_past, must_not_be_settled
from scorekeeper.forms.corrections import HandDraft
from scorekeeper.models import Match, Role
from scorekeeper.pages import context, notices
from scorekeeper.pages.editor import Desk, editor_page, read, saved_words
from scorekeeper.pages.seats import seats_page
from scorekeeper.selectors.events import also_at
from scorekeeper.selectors.matches import match_with_seats, position
from scorekeeper.services import corrections as services
from scorekeeper.services.errors import Refused, Stale
from scorekeeper.views.naming import asks_whom, typist_of
from scorekeeper.views.refusals import reason


@login_not_required
@require_http_methods(["GET", "POST"])
def hand_correct(request: HttpRequest, pk: int, number: int) -> HttpResponse:
    """Corrects any move of a hand, its end and its opener. The preview comes from the engine; only `do=save` saves."""
    actor = actor_of(request)
    found = match_for(actor, pk, need="record")
    must_not_be_past(actor, found, timezone.now())
    state = position(found)
    if state.finished:
        must_not_be_settled(actor, found)
    if number >= len(state.hands):
        raise Http404(_("This hand does not exist."))
    if state.closed:
        return _is_closed(request, found)
    desk = Desk(found, state, HandDraft.of(state, number))
    if request.method == "GET":
        return _shown(request, actor, desk.turned_to(request.GET.get("open", "")))
    desk = read(desk, request.POST)
    if desk.status == 200 and request.POST.get("do") == "save":
        return _saved(request, actor, desk)
    return _shown(request, actor, desk)


def _saved(request: HttpRequest, actor: Actor, desk: Desk) -> HttpResponse:
    """Saves the correction. A refusal comes back as the editor with the reason on top."""
    found, data, number = desk.found, request.POST, desk.draft.number
    try:
        services.correct(
            match_id=found.pk,
            seen=found.length,
            key=data.get("key", ""),
            entries=desk.draft.entries(desk.why),
            by=actor,
            now=timezone.now(),
        )
    except Stale:
        found.refresh_from_db()
        return _shown(request, actor, desk.overtaken(int(data["seen"])))
    except (Refused, Refusal) as error:
        return _shown(request, actor, replace(desk, message=error.message, status=422))
    except GameError as error:
        return _shown(request, actor, replace(desk, error=error))
    found.refresh_from_db()
    messages.success(request, saved_words(desk.state, position(found), number))
    return HttpResponseRedirect(f"{reverse('match', args=[found.pk])}?hand={number}", status=303)


def _shown(request: HttpRequest, actor: Actor, desk: Desk) -> HttpResponse:
    if desk.draft.number >= len(desk.state.hands):
        messages.error(request, desk.message)
        return HttpResponseRedirect(reverse("match", args=[desk.found.pk]), status=303)
    after = None
    if desk.changed and not desk.open and desk.error is None:
        try:
            after = _previewed(actor, desk)
        except GameError as error:
            desk = replace(desk, error=error)
        except (Refused, Refusal) as error:
            desk = replace(desk, message=error.message, status=422)
    status = max(desk.status, 422) if desk.error and request.method == "POST" else desk.status
    return render(request, "scorekeeper/correct.html", context(editor_page(desk, after)), status=status)


def _previewed(actor: Actor, desk: Desk) -> games.Match:
    found, entries = desk.found, desk.draft.entries(desk.why)
    return services.preview(match_id=found.pk, seen=found.length, entries=entries, by=actor, now=timezone.now())


@login_not_required
@require_http_methods(["GET", "POST"])
@asks_whom
def match_seats(request: HttpRequest, pk: int) -> HttpResponse:
    """Corrects who sits where: a preview first, then `do=save`."""
    actor, data, now = actor_of(request), request.POST, timezone.now()
    found = match_for(actor, pk, need="record")
    must_not_be_past(actor, found, now)
    state = position(found)
    if state.finished:
        must_not_be_settled(actor, found)
    if state.closed:
        return _is_closed(request, found)
    chosen = tuple(_number(data.get(f"seat-{seat}", ""), seat) for seat in range(len(state.players)))
    others = None
    if has_role(actor, found.club_id, Role.DIRECTOR):
        others = tuple(data.get(f"who-{seat}", "").strip() for seat in range(len(state.players)))
    why, seen = data.get("why", "").strip(), _number(data.get("seen", ""), -1)
    entry = _seating(state, chosen, others or ()) | ({"why": why} if why else {})
    shown = partial(seats_page, found, state, chosen, why, others=others)
    page, status = shown(), 200
    try:
        if request.method == "POST" and (seen == found.length or data.get("do") != "save"):
            after = services.preview(match_id=pk, seen=seen, entries=[entry], by=actor, now=now)
            page = shown(after=after)
        if data.get("do") == "save":
            services.correct(
                match_id=pk,
                seen=seen,
                key=data.get("key", ""),
                entries=[entry],
                by=actor,
                now=now,
                typist=typist_of(request, host=True),
            )
            corrected = match_with_seats(pk)
            for notice in notices.seats_corrected(also_at(corrected) if corrected else {}):
                messages.add_message(request, *notice)
            return HttpResponseRedirect(reverse("match", args=[pk]), status=303)
    except Stale as error:
        found.refresh_from_db()
        page, status = shown(message=error.message, seen=seen), 409
    except (Refused, Refusal, GameError) as error:
        page, status = replace(page, message=reason(error)), 422
    return render(request, "scorekeeper/seats.html", context(page), status=status)


def _seating(state: games.Match, chosen: Sequence[int], others: Sequence[str]) -> dict[str, Any]:
    """The entry for what is chosen: people change seats, or others played."""
    if not any(others) or not all(seat < len(state.players) for seat in chosen):
        return {"kind": "swap", "seats": list(chosen)}
    names = (other or state.players[seat] for other, seat in zip(others, chosen, strict=True))
    return {"kind": "swap", "players": list(names)}


def _number(text: str, otherwise: int) -> int:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else otherwise


def _is_closed(request: HttpRequest, found: Match) -> HttpResponse:
    messages.add_message(request, *notices.match_closed())
    return HttpResponseRedirect(reverse("match", args=[found.pk]), status=303)
