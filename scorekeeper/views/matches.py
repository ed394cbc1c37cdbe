"""The page of a match, and the door by which pages enter what happened."""

import secrets
from random import Random
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_not_required
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect, JsonResponse, QueryDict
from django.shortcuts import render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone
from django.utils.crypto import salted_hmac
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.text import slugify
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from games import Code, GameError
from games import Match as GameMatch
from scorekeeper import words
from scorekeeper.access import Actor, Refusal, actor_of, has_role, match_for, may_record
from scorekeeper.forms.entries import Sent, sent
from scorekeeper.live import Topic
from scorekeeper.live.parts import drawn
from scorekeeper.models import Match, Role, Table
from scorekeeper.selectors import matches as selectors
from scorekeeper.selectors.clubs import players_of
from scorekeeper.selectors.tables import current_match, pads_held
from scorekeeper.services import matches as services
from scorekeeper.services.errors import Refused, Stale, in_words
from scorekeeper.views.boards import board_counted
from scorekeeper.views.pads import elsewhere_page
from scorekeeper.views.parts import pad_context, watch_context
from scorekeeper.views.replay import reach, reaches_far, replay_context
from scorekeeper.views.showing import hands_shown

# How many entries there were right after the one sent, or are now that another one came first: what a phone that has
# more to send says it has seen.
LENGTH = "X-Length"


@login_not_required
@require_GET
def match(request: HttpRequest, pk: int) -> HttpResponse:
    """Board, replay, sheet and moves, for everybody; for who may record also the way back to any entry."""
    actor = actor_of(request)
    found = match_for(actor, pk)
    state = selectors.position(found).public()
    context = replay_context(found, state, request.GET.get("hand"), request.GET.get("move"))
    context |= {"recording": may_record(actor, found), "host": has_role(actor, found.club_id, Role.DIRECTOR)}
    context["people"] = players_of(found.club)
    if request.htmx:
        answer = render(request, "scorekeeper/_replay.html", context)
        if replay := context["replay"]:
            # The address of what is shown, whatever was asked for.
            answer["HX-Replace-Url"] = f"{request.path}?hand={replay['hand']}&move={replay['move']}"
        return answer
    return render(request, "scorekeeper/match.html", context | watch_context(found, found.table))


@login_not_required
@require_GET
def match_record(request: HttpRequest, pk: int) -> HttpResponse:
    """The match as a record, to keep: one line, as `python -m games verify` reads it."""
    found = match_for(actor_of(request), pk)
    answer = JsonResponse(selectors.record_of(found), json_dumps_params={"ensure_ascii": False})
    name = f"{slugify(found.club.name) or 'match'}-{found.created_at:%Y-%m-%d}-{found.pk}.json"
    answer["Content-Disposition"] = f'attachment; filename="{name}"'
    return answer


@login_not_required
@require_POST
def match_entry(request: HttpRequest, pk: int) -> HttpResponse:
    """One entry from a page. What is refused comes back with what was typed and the ways on."""
    actor = actor_of(request)
    try:
        found = match_for(actor, pk, need="record")
    except Refusal as error:
        if error.code != "pad-elsewhere":
            raise
        return _elsewhere(request, match_for(actor, pk), error)
    if ask := request.POST.get("ask"):
        # Without scripts what an entry still lacks is asked for by the next page.
        return HttpResponseRedirect(f"{_page(found)}?{QueryDict(ask).urlencode()}", status=303)
    try:
        post = sent(request.POST, selectors.position(found), _dice(request, found))
    except GameError as error:
        return _refused(request, found, None, error)
    try:
        return _previewed(request, found, post) if post.preview else _recorded(request, actor, found, post)
    except Stale:
        return _stale(request, found, post)
    except Refused as error:
        return _answer(request, found, {"words": error.message, "ways": [{"way": "mend"}]}, status=422)
    except GameError as error:
        half_said = error.code in (Code.END_NEEDED, Code.SUIT_NEEDED) and post.entry["kind"] == "move"
        if half_said and not request.headers.get("X-Part"):
            # Without scripts a tile that several ends take is tapped first, its end on the next page; so is a suit.
            return HttpResponseRedirect(f"{_page(found)}?tile={post.entry['move']['tile']}", status=303)
        return _refused(request, found, post, error)


@login_not_required
@require_POST
def match_time(request: HttpRequest, pk: int) -> HttpResponse:
    """The host gives more time or takes the limit away, calls the last hand or calls it off; all at the table see it
    at once."""
    found, now = match_for(actor_of(request), pk, need="host"), timezone.now()
    match request.POST.get("do", ""):
        case ("5" | "10" | "15") as more:
            try:
                services.give_more_minutes(match_id=pk, more=int(more), now=now)
            except GameError as error:
                messages.error(request, in_words(error))
        case "no-limit":
            services.give_minutes(match_id=pk, minutes=None, now=now)
        case "last-hand":
            services.call_last_hand(match_id=pk, now=now)
        case "go-on":
            services.call_off_last_hand(match_id=pk, now=now)
        case _:
            raise Http404(_("There is no such step."))
    return HttpResponseRedirect(_page(found), status=303)


def _dice(request: HttpRequest, found: Match) -> Random:
    """What the phone rolls with: nobody can know it before, and the same post sent again rolls the same."""
    return Random(salted_hmac("dice", f"{found.pk} {request.POST.get('key', '')}").digest())  # noqa: S311 (keyed)


def _recorded(request: HttpRequest, actor: Actor, found: Match, post: Sent) -> HttpResponse:
    """Records the entry, and what is to follow it under a key that follows from its own."""
    seen, now = post.seen, timezone.now()
    done = services.record(match_id=found.pk, seen=seen, key=post.key, entry=post.entry, by=actor, now=now)
    if post.then:
        follows = {"match_id": found.pk, "seen": done.length, "key": f"{post.key[:60]}+", "entry": post.then}
        try:
            done = services.record(**follows, by=actor, now=now)
        except GameError as error:
            found.refresh_from_db()
            again = Sent(done.length, post.key, post.then, None, preview=False)
            return _refused(request, found, again, error)
    if request.headers.get("X-Part"):
        answer = _answer(request, found, {}, status=200, event=done.event, keep=False)
        answer[LENGTH] = str(done.length)
        return answer
    back = request.POST.get("back", "")
    if not url_has_allowed_host_and_scheme(back, allowed_hosts=None):
        back = _page(found, request.POST.get("page", ""))
    return HttpResponseRedirect(back, status=303)


def _previewed(request: HttpRequest, found: Match, post: Sent) -> HttpResponse:
    """What the entry would count, by the engine that will count it; nothing is saved."""
    after = services.preview(match_id=found.pk, seen=post.seen, entry=post.entry, now=timezone.now())
    if post.entry["kind"] == "undo":
        return _answer(request, found, _asked(found, post, after), status=200)
    hands = hands_shown(after, after.sheet())
    preview = {
        "hand": hands[-1] if hands else None,
        "sides": [words.together([after.present[seat] for seat in side]) for side in after.sides],
        "won": words.won([after.present[seat] for seat in after.winners]) if after.winners else "",
        "finished": after.finished,
        "entry": post.entry,
        "form": request.POST.get("form", ""),
    }
    if post.entry["kind"] == "move" and (plays := board_counted(after.game, after.hands[-1].state, after.present)):
        preview |= {"play": plays[-1], "totals": [after.totals[side[0]] for side in after.sides]}
    if request.headers.get("X-Part"):
        # With it an older refusal goes.
        done = render_to_string("scorekeeper/_refusal.html", {}, request)
        return HttpResponse(_preview_part(request, preview=preview) + done)
    return _whole_page(request, found, {"preview": preview}, status=200)


def _asked(found: Match, post: Sent, after: GameMatch) -> dict[str, Any]:
    """What a correction does, with the second tap that makes it."""
    return {
        "words": ", ".join(reach(selectors.position(found), after)),
        "ways": [{"way": "take-back", "entry": post.entry}, {"way": "leave"}],
        "seen": post.seen,
        "key": secrets.token_hex(16),
    }


def _preview_part(request: HttpRequest, **what: dict[str, Any]) -> str:
    return render_to_string("scorekeeper/_preview.html", {"form": request.POST.get("form", ""), **what}, request)


def _refused(request: HttpRequest, found: Match, post: Sent | None, error: GameError) -> HttpResponse:
    """The refusal, with every way on as something to press."""
    state = selectors.position(found)
    ways = selectors.ways(found, post.seen, post.entry, error) if post else [{"way": "mend"}]
    shown = [_way(way, state, post) for way in ways]
    refusal = {
        "words": in_words(error),
        "typed": words.typed_words(post.entry, state) if post else "",
        "at": words.pieces(post.entry, error, state) if post else (),
        # What of the entries already there the new one cannot go with.
        "against": [way for way in shown if way["way"] == "go-back" and way["what"] and error.proof],
        "ways": shown,
        "seen": found.length,
        "key": secrets.token_hex(16),
        "form": request.POST.get("form", ""),
    }
    if request.headers.get("X-Part") == "preview":
        return HttpResponse(_preview_part(request, refusal=refusal | {"ways": []}), status=422)
    return _answer(request, found, refusal, status=422)


def _way(way: dict[str, Any], state: GameMatch, post: Sent | None) -> dict[str, Any]:
    """A way on, with what it means in words and the entry that goes it."""
    shown = dict(way)
    if way["way"] in ("go-back", "note"):
        at = None if way["move"] is None else state.hands[way["hand"]].state.moves[way["move"]]
        shown["hand_number"] = way["hand"] + 1
        shown["what"] = words.move_words(at, state.seated(way["hand"])) if at else ""
    if way["way"] == "go-back":
        shown["entry"] = {"kind": "undo", "to": {"hand": way["hand"], "move": way["move"]}}
        shown["ask"] = reaches_far(state, shown["entry"])
    if way["way"] == "note":
        shown["entry"] = {"kind": "note", "hand": way["hand"], "move": way["move"], "code": way["code"]}
        shown["then"] = post.entry if post else None
        shown["counts"] = bool(post and post.entry.get("kind") in ("left", "final"))
    return shown


def _elsewhere(request: HttpRequest, found: Match, error: Refusal) -> HttpResponse:
    """Another phone has the pad: what was to be entered stays in sight, with the ways to enter it after all."""
    table: Table = found.table
    try:
        state = selectors.position(found)
        typed = words.typed_words(sent(request.POST, state, _dice(request, found)).entry, state)
    except GameError:
        typed = ""
    refusal = {"words": error.message, "typed": typed}
    if not request.headers.get("X-Part"):
        return elsewhere_page(request, table, refusal=refusal, status=403)
    context = {"refusal": refusal | {"pads": pads_held(table)}, "match": found, "table": table}
    return HttpResponse(render_to_string("scorekeeper/_refusal.html", context, request), status=403)


def _stale(request: HttpRequest, found: Match, post: Sent) -> HttpResponse:
    """Another phone was quicker: what it entered, and the newer sheet."""
    found.refresh_from_db()
    state = selectors.position(found)
    newer = list(selectors.entries_since(found, post.seen))
    refusal = {
        "words": _("Another phone was quicker. Nothing of yours was entered."),
        "newer": [words.entry_words(entry, state) for entry in newer],
        "typed": words.typed_words(post.entry, state),
        "ways": [{"way": "mend"}],
    }
    # What was typed stays while the hand goes on; it may not turn up in the next one.
    same_hand = all(entry["kind"] in ("move", "note") for entry in newer)
    event = Topic("table", found.table_id).newest() if found.table_id else None
    answer = _answer(request, found, refusal, status=409, event=event, keep=same_hand)
    answer[LENGTH] = str(found.length)
    return answer


def _answer(
    request: HttpRequest,
    found: Match,
    refusal: dict[str, Any],
    *,
    status: int,
    event: int | None = None,
    keep: bool = True,
) -> HttpResponse:
    """For a script the parts that change; else the whole page. `event`: what the sheet is to show, where it changes;
    `keep`: what was typed stays in it."""
    refusal |= {"page": request.POST.get("page", "")}
    if not request.headers.get("X-Part"):
        return _whole_page(request, found, {"refusal": refusal}, status=status, keep=keep)
    parts = [render_to_string("scorekeeper/_refusal.html", {"refusal": refusal, "match": found}, request)]
    if event and found.table and request.POST.get("page") != "match":
        parts.append(_kept_pad(request, found.table) if keep else _pad(found.table, request.LANGUAGE_CODE, event))
    return HttpResponse("".join(parts), status=status)


def _pad(table: Table, language: str, event: int) -> str:
    """The pad as all phones of the table are about to get it: drawn once for them and this answer."""
    return drawn(Topic("table", table.pk), "pad", language, event).text


def _kept_pad(request: HttpRequest, table: Table) -> str:
    return render_to_string(
        "scorekeeper/_pad.html", pad_context(table, current_match(table), data=request.POST), request
    )


def _whole_page(
    request: HttpRequest, found: Match, extra: dict[str, Any], *, status: int, keep: bool = True
) -> HttpResponse:
    extra |= {"here": _page(found, request.POST.get("page", "")), "people": players_of(found.club)}
    if found.table is None or request.POST.get("page") == "match":
        state = selectors.position(found).public()
        at = request.POST.get("hand"), request.POST.get("move")
        context = replay_context(found, state, *at) | watch_context(found, found.table)
        return render(
            request, "scorekeeper/match.html", context | {"recording": True, "match": found} | extra, status=status
        )
    table: Table = found.table
    context = pad_context(table, current_match(table), data=request.POST if keep else None)
    return render(request, "scorekeeper/table.html", context | extra, status=status)


def _page(found: Match, page: str = "") -> str:
    if found.table_id is None or page == "match":
        return reverse("match", args=[found.pk])
    return reverse("table", args=[found.table_id])
