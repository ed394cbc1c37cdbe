"""The doors of a match: its page, its record, its entries and its clock."""

from dataclasses import replace
from random import Random

from django.contrib import messages
from django.contrib.auth.decorators import login_not_required
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect, JsonResponse, QueryDict
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.crypto import salted_hmac
from django.utils.http import content_disposition_header
from django.utils.translation import gettext as _
from django.views.decorators.http import etag, require_GET, require_POST

from games import GameError
from games import Match as Position
from scorekeeper import words
from scorekeeper.access import Actor, Refusal, actor_of, has_role, match_for, may_correct, role_in
from scorekeeper.forms.entries import Sent, sent
from scorekeeper.models import Match, Role
from scorekeeper.pages import context, entry, notices
from scorekeeper.pages.codes import reachable
from scorekeeper.pages.pictures import match_previewed
from scorekeeper.pages.replay import AroundReplay, replay_page
from scorekeeper.pages.table import match_page
from scorekeeper.selectors import matches as selectors
from scorekeeper.selectors.clubs import listed_of
from scorekeeper.selectors.decisions import against_decision
from scorekeeper.services import files, recording, removing
from scorekeeper.services import matches as services
from scorekeeper.services.errors import Refused, Stale
from scorekeeper.services.people import Typist, Unsure
from scorekeeper.views import etags
from scorekeeper.views.naming import typist_of
from scorekeeper.views.pads import elsewhere_page
from scorekeeper.views.redirects import back_address
from scorekeeper.views.refusals import reason

# The number of entries now. A phone that has more to send gives it as `seen`.
LENGTH = "X-Length"


@login_not_required
@require_GET
@etag(etags.match)
def match(request: HttpRequest, pk: int) -> HttpResponse:
    """Replay, score sheet and moves, for everybody; people who record also get the buttons that correct."""
    actor = actor_of(request)
    found = match_for(actor, pk)
    state = selectors.position(found).public()
    page = replay_page(found, state, request.GET.get("hand"), request.GET.get("move"))
    corrects, role = may_correct(actor, found, timezone.now()), role_in(actor, found.club_id)
    host, types = (role is not None and role.covers(need) for need in (Role.DIRECTOR, Role.SCORER))
    back = page.replay.undo if page.replay and corrects and not host else None
    around = AroundReplay(
        recording=corrects,
        host=host,
        types=types,
        people=listed_of(found.club),
        reviewed=state.finished,
        decided=back is not None and against_decision(found, state, back),
    )
    preview = match_previewed(found, reachable(request))
    return render(request, "scorekeeper/match.html", context(page, match_page(found, found.table), around, preview))


@login_not_required
@require_GET
def match_record(request: HttpRequest, pk: int) -> HttpResponse:
    """The match as a record, to keep: one line, as `python -m games verify` reads it."""
    found = match_for(actor_of(request), pk)
    answer = JsonResponse(selectors.record_of(found), json_dumps_params={"ensure_ascii": False})
    day = timezone.localdate(found.created_at)
    of = files.stem_of(found.event) if found.event else f"{found.club.slug}-{day:%Y-%m-%d}"
    answer["Content-Disposition"] = content_disposition_header(True, f"{of}-{found.pk}.json")
    return answer


@login_not_required
@require_POST
def match_entry(request: HttpRequest, pk: int) -> HttpResponse:
    """Records one entry. A refusal comes back with what was typed and what to do next."""
    actor = actor_of(request)
    try:
        found = match_for(actor, pk, need="record")
    except Refusal as error:
        return _elsewhere(request, match_for(actor, pk), error)
    if ask := request.POST.get("ask"):
        # Without scripts, the next page asks for the rest of the entry.
        return HttpResponseRedirect(f"{entry.address(found)}?{QueryDict(ask).urlencode()}", status=303)
    return _answered(request, found, _entered(request, actor, found))


@login_not_required
@require_POST
def match_time(request: HttpRequest, pk: int) -> HttpResponse:
    """The host gives more time or no limit, calls the last hand or cancels it. The table sees it at once."""
    actor, now = actor_of(request), timezone.now()
    found, by = match_for(actor, pk, need="host"), actor.user
    match request.POST.get("do", ""):
        case ("5" | "10" | "15") as more:
            shown = request.POST.get("minutes", "")
            seen = int(shown) if shown.isdecimal() and len(shown) < 9 else None
            try:
                services.give_more_minutes(match_id=pk, more=int(more), seen=seen, now=now, by=by)
            except (Refused, GameError) as error:
                messages.error(request, reason(error))
        case "no-limit":
            services.give_minutes(match_id=pk, minutes=None, now=now, by=by)
        case "last-hand":
            services.call_last_hand(match_id=pk, now=now, by=by)
        case "go-on":
            services.cancel_last_hand(match_id=pk, now=now, by=by)
        case _:
            raise Http404(_("This step does not exist."))
    return HttpResponseRedirect(entry.address(found), status=303)


@login_not_required
@require_POST
def match_remove(request: HttpRequest, pk: int) -> HttpResponse:
    """A host removes a match that was entered by mistake, or restores it."""
    actor, now = actor_of(request), timezone.now()
    found = match_for(actor, pk, need="host", removed=True)
    match request.POST.get("do"):
        case "remove":
            try:
                removing.remove(match_id=pk, why=request.POST.get("why", ""), now=now, by=actor.user)
            except (Refused, GameError) as error:
                messages.error(request, reason(error))
                return redirect("match", pk)
            messages.add_message(request, *notices.match_removed())
            return redirect("club_audit", found.club.slug)
        case "restore":
            removing.restore(match_id=pk, now=now, by=actor.user)
            messages.add_message(request, *notices.match_restored())
            return redirect("match", pk)
        case _:
            raise Http404(_("This step does not exist."))


def _entered(request: HttpRequest, actor: Actor, found: Match) -> entry.Answer:
    """Records the entry, or previews it."""
    data, post = request.POST, None
    try:
        post = sent(data, selectors.position(found), _dice(request, found))
        if post.preview:
            after = _previewed(actor, found, post)
            return entry.previewed(found, data, post, after)
        typist = typist_of(request, host=has_role(actor, found.club_id, Role.SCORER))
        done = _recorded(actor, found, post, typist)
        if post.then:
            post = post.followed(done.length)
            done = _recorded(actor, found, post, typist)
    except Unsure as unsure:
        assert post is not None
        return entry.unsure(data, post, unsure.questions[0])
    except Stale:
        assert post is not None
        return entry.overtaken(found, data, post)
    except Refused as error:
        return entry.declined(error.message, data)
    except Refusal as error:
        return entry.declined(error.message, data, status=403)
    except GameError as error:
        return entry.against_the_rules(found, data, post, error)
    goes_to = back_address(request, entry.address(found, data.get("page", "")))
    return entry.recorded(length=done.length, change=done.change, goes_to=goes_to)


def _recorded(actor: Actor, found: Match, post: Sent, typist: Typist) -> recording.Recorded:
    return recording.record(
        match_id=found.pk,
        seen=post.seen,
        key=post.key,
        entry=post.entry,
        by=actor,
        now=timezone.now(),
        typist=typist,
    )


def _previewed(actor: Actor, found: Match, post: Sent) -> Position:
    return recording.preview(match_id=found.pk, seen=post.seen, entry=post.entry, by=actor, now=timezone.now())


def _elsewhere(request: HttpRequest, found: Match, error: Refusal) -> HttpResponse:
    """The answer to a phone whose pad another one took."""
    if error.code != "pad-elsewhere":
        raise error
    try:
        state = selectors.position(found)
        typed = words.typed_words(sent(request.POST, state, _dice(request, found)).entry, state)
    except GameError:
        typed = ""
    assert found.table is not None
    answer = entry.elsewhere(found.table, typed, error.message)
    if request.headers.get("X-Part"):
        return _answered(request, found, answer)
    assert answer.refusal is not None
    # The page itself shows who has the pad.
    return elsewhere_page(request, found.table, refusal=replace(answer.refusal, pads=()), status=answer.status)


def _answered(request: HttpRequest, found: Match, answer: entry.Answer) -> HttpResponse:
    if answer.goes_to and not request.headers.get("X-Part"):
        return HttpResponseRedirect(answer.goes_to, status=303)
    headers = None if answer.length is None else {LENGTH: str(answer.length)}
    return HttpResponse(entry.shown(request, found, answer), status=answer.status, headers=headers)


def _dice(request: HttpRequest, found: Match) -> Random:
    """The dice of the phone. Nobody can predict them, and the same post sent again rolls the same."""
    return Random(salted_hmac("dice", f"{found.pk} {request.POST.get('key', '')}").digest())
