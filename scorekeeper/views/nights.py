"""The host's desk of a club night: who is here, the next match, the tables, the end."""

import secrets
from collections.abc import Callable, Iterable
from hashlib import sha256
from random import SystemRandom
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_not_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from games import GAMES, Game, GameError
from scorekeeper import live, words
from scorekeeper.access import Actor, Refusal, actor_of, club_for, night_for
from scorekeeper.forms.nights import GameForm, NewNightForm, WishForm, guests, ticked
from scorekeeper.models import Club, Match, Night, Role
from scorekeeper.schedule import night as schedule
from scorekeeper.schedule.mixing import Shape, measure
from scorekeeper.selectors.nights import Evening, evening_of, going_on, last_time_first, open_night, settings_of
from scorekeeper.selectors.tables import passes_elsewhere
from scorekeeper.services import nights
from scorekeeper.services.errors import Refused, in_words
from scorekeeper.serving.lock import served
from scorekeeper.views.calls import calls_context
from scorekeeper.views.parts import match_line
from scorekeeper.views.showing import ending_shown
from scorekeeper.views.tables import reachable


@login_not_required
@require_http_methods(["GET", "POST"])
def night_new(request: HttpRequest, slug: str) -> HttpResponse:
    """Starting a night: tick who came, add guests, choose a game; the tables fill themselves."""
    actor = actor_of(request)
    club = club_for(actor, slug, need=Role.DIRECTOR)
    if going := open_night(club.pk):
        return redirect("night_desk", going.pk)
    here, names = ticked(request.POST, "here"), guests(request.POST)
    form = NewNightForm(
        _games(), request.POST if request.method == "POST" else None, initial={"game": _usual_game(club)}
    )
    refusal = None
    if request.method == "POST" and form.is_valid():
        key, now = _key(request), timezone.now()
        try:
            if not here and not names:
                raise Refused("nobody-here", _("Nobody is here yet: tick who came, or write their names."))
            called = form.cleaned_data["name"]
            night = nights.start(club=club, players=here, guests=names, name=called, by=actor, key=key, now=now)
        except Refused as error:
            refusal = error.message
        except GameError as error:
            refusal = in_words(error)
        else:
            _said_of_open_matches(request, night)
            _drawn_at_once(request, night, form, actor, key)
            return redirect("night_desk", night.pk)
    context = {
        "club": club,
        "people": [{"player": player, "here": player.pk in here} for player in last_time_first(club)],
        "guests": "\n".join(names),
        "form": form,
        "key": _key(request),
        "refusal": refusal,
    }
    status = 422 if refusal or form.errors else 200
    return render(request, "scorekeeper/night_new.html", context, status=status)


def _said_of_open_matches(request: HttpRequest, night: Night) -> None:
    """Matches that went on before the night began may have been forgotten."""
    tables = night.matches.filter(status=Match.Status.PLAYING).order_by("table__number")
    numbers = [str(number) for number in tables.values_list("table__number", flat=True)]
    if numbers:
        text = _("Matches were going on before: at table {numbers}. Whoever sits there is drawn when they end.")
        messages.warning(request, text.format(numbers=", ".join(numbers)))


def _drawn_at_once(request: HttpRequest, night: Night, form: WishForm, actor: Actor, key: str) -> None:
    """The first draw; with too few people for one the night has begun all the same."""
    try:
        nights.draw_round(
            night_id=night.pk, wishes=form.wishes(), rng=SystemRandom(), by=actor, key=f"{key}-d", now=timezone.now()
        )
    except Refused as error:
        messages.info(request, error.message)


@login_not_required
@require_GET
def night_desk(request: HttpRequest, pk: int) -> HttpResponse:
    """All a host needs for a night on one page; a host's eyes only, since it shows what is not seated yet."""
    night = night_for(actor_of(request), pk, need="host")
    return render(request, "scorekeeper/night_desk.html", _desk(request, night))


@login_not_required
@require_POST
def night_entry(request: HttpRequest, pk: int) -> HttpResponse:
    """One step of the host; what is refused comes back as the desk with the reason on top."""
    actor = actor_of(request)
    night = night_for(actor, pk, need="host")
    step, _colon, rest = request.POST.get("do", "").partition(":")
    if step not in STEPS:
        raise Http404(_("There is no such step."))
    try:
        STEPS[step](request, night, actor, f"{_key(request)}-{step}", rest)
    except (Refused, Refusal) as error:
        return _refused(request, night, error.code, error.message)
    except GameError as error:
        return _refused(request, night, error.code, in_words(error))
    return redirect("night_desk", pk)


@login_not_required
@require_http_methods(["GET", "POST"])
def night_game(request: HttpRequest, pk: int, game: str) -> HttpResponse:
    """How a game is played tonight: target, hands, minutes and its other options."""
    actor = actor_of(request)
    night = night_for(actor, pk, need="host")
    if game not in GAMES:
        raise Http404(_("There is no such game here."))
    found = GAMES[game]
    setting = settings_of(evening_of(night))[game]
    initial = {f"option-{name}": value for name, value in setting.options.items()} | {"minutes": setting.minutes}
    form = GameForm(found, request.POST if request.method == "POST" else None, initial=initial)
    if request.method == "POST" and form.is_valid():
        try:
            nights.set_game(
                night_id=pk,
                game=found,
                options=form.options(),
                minutes=form.cleaned_data["minutes"],
                by=actor,
                key=_key(request),
                now=timezone.now(),
            )
        except Refused as error:
            form.add_error(None, error.message)
        except GameError as error:
            form.add_error(None, in_words(error))
        else:
            messages.success(request, _("From the next draw on it is played like this."))
            return redirect("night_desk", pk)
    context = {"night": night, "game": found, "form": form, "key": _key(request)}
    return render(request, "scorekeeper/night_game.html", context, status=422 if form.errors else 200)


@login_not_required
@require_GET
def night_scorer(request: HttpRequest, pk: int) -> HttpResponse:
    """For who keeps several tables with one device: unfinished matches first, who waited longest on top."""
    night = night_for(actor_of(request), pk, need="record")
    evening = evening_of(night)
    lines = [_line(match) for match in evening.current.values()]
    lines.sort(key=lambda line: (not going_on(line["match"]), line["match"].length > 0, line["match"].table.number))
    context = {"night": night, "club": night.club, "lines": lines} | calls_context(night.club)
    return render(request, "scorekeeper/night_scorer.html", context)


FEW = 3  # names on a button


# --- the steps; `rest` is what the button says beside the step's name ---------------------------------------------
def _tick(request: HttpRequest, night: Night, actor: Actor, key: str, rest: str) -> None:
    here, shown = set(ticked(request.POST, "here")), set(ticked(request.POST, "was"))
    names = guests(request.POST)
    ticks = nights.tick(
        night_id=night.pk,
        came=sorted(here - shown),
        left=sorted(shown - here),
        guests=names,
        by=actor,
        key=key,
        now=timezone.now(),
    )
    if names and ticks.came:
        messages.success(request, _("{names} came.").format(names=words.together(ticks.came)))
    if ticks.there:
        messages.info(request, _("Here already: {names}.").format(names=words.together(ticks.there)))
    if ticks.playing:
        text = _("{names} left in the middle of a match: somebody can take over the seat, or the match ends there.")
        messages.warning(request, text.format(names=words.together(ticks.playing)))


def _draw(request: HttpRequest, night: Night, actor: Actor, key: str, rest: str) -> None:
    form = WishForm(_games(), request.POST)
    if not form.is_valid():
        raise Refused("bad-wish", " ".join(error for errors in form.errors.values() for error in errors))
    nights.draw_round(
        night_id=night.pk, wishes=form.wishes(), rng=SystemRandom(), by=actor, key=key, now=timezone.now()
    )


def _draw_again(request: HttpRequest, night: Night, actor: Actor, key: str, rest: str) -> None:
    nights.draw_again(night_id=night.pk, by=actor, key=key, now=timezone.now())


def _swap(request: HttpRequest, night: Night, actor: Actor, key: str, rest: str) -> None:
    two = ticked(request.POST, "who")
    if len(two) != 2:
        raise Refused("tick-two", _("Tick exactly two names: they change places."))
    nights.swap(night_id=night.pk, players=(two[0], two[1]), by=actor, key=key, now=timezone.now())


def _table(request: HttpRequest, night: Night, actor: Actor, key: str, rest: str) -> None:
    table, _colon, slug = rest.partition(":")
    if not table.isdecimal() or slug not in GAMES:
        raise Http404(_("There is no such game here."))
    nights.set_table(night_id=night.pk, table=int(table[:9]), game=GAMES[slug], by=actor, key=key, now=timezone.now())


def _drop(request: HttpRequest, night: Night, actor: Actor, key: str, rest: str) -> None:
    nights.drop(night_id=night.pk, by=actor, key=key, now=timezone.now())


def _seat(request: HttpRequest, night: Night, actor: Actor, key: str, rest: str) -> None:
    nights.seat(night_id=night.pk, by=actor, key=key, now=timezone.now())


def _last_hand(request: HttpRequest, night: Night, actor: Actor, key: str, rest: str) -> None:
    nights.call_last_hand(night_id=night.pk, by=actor, key=key, now=timezone.now())


def _close(request: HttpRequest, night: Night, actor: Actor, key: str, rest: str) -> None:
    nights.close(
        night_id=night.pk, open_matches=request.POST.get("open-matches"), by=actor, key=key, now=timezone.now()
    )


def _undo(request: HttpRequest, night: Night, actor: Actor, key: str, rest: str) -> None:
    seen = request.POST.get("seen", "")
    known = int(seen) if seen.isdecimal() and len(seen) < 10 else 0
    nights.undo(night_id=night.pk, seen=known, by=actor, key=key, now=timezone.now())


STEPS: dict[str, Callable[[HttpRequest, Night, Actor, str, str], None]] = {
    "tick": _tick,
    "mix": _draw,
    "again": _draw_again,
    "swap": _swap,
    "table": _table,
    "drop": _drop,
    "seat": _seat,
    "last-hand": _last_hand,
    "close": _close,
    "undo": _undo,
}


# --- what the desk shows ---------------------------------------------------------------------------------------
def _desk(request: HttpRequest, night: Night, **extra: Any) -> dict[str, Any]:
    """The desk of the night. Nine queries, however many people and tables."""
    evening = evening_of(night)
    state, base = evening.state, reachable(request)
    games, played = _games(), settings_of(evening)
    pairings = state.draft.pairings if state.draft else state.rounds[-1].pairings if state.rounds else ()
    chosen = list(dict.fromkeys(pairing.game for pairing in pairings))
    people = _people(evening)
    return {
        "night": night,
        "club": night.club,
        "evening": evening,
        "draft": state.draft and _draft_shown(evening, state.draft),
        "wish": WishForm(games, initial=dict(zip(("game", "second"), chosen, strict=False))),
        "lengths": [(game, _length(game, played[game.slug])) for game in games],
        "free": [evening.name(player) for player in evening.free],
        "leavers": [each for each in people if each["match"] and not each["here"]],
        "lines": _lines(evening),
        "going": len({match.pk for match in evening.matches if going_on(match)}),
        "people": people,
        "count": len(evening.here),
        "undo": _did_words(evening),
        "stamp": stamp(night, evening.matches),
        "key": secrets.token_hex(16),
        "base": base,
        "moved": passes_elsewhere(night.club, {base, *served(settings.DATA)}, now=timezone.now()),
        **calls_context(night.club),
    } | extra


def stamp(night: Night, matches: Iterable[Match]) -> str:
    """Changes whenever the desk would show something else."""
    shown = [
        (
            *(match.pk, match.status, match.last_hand, match.minutes, len(match.sheet["hands"]), match.sheet["totals"]),
            *(match.sheet.get("disputed"), match.sheet.get("confirmed"), [seat.name for seat in match.seats.all()]),
        )
        for match in matches
    ]
    return sha256(repr((night.length, shown)).encode()).hexdigest()[:16]


def _draft_shown(evening: Evening, draft: schedule.Round) -> dict[str, Any]:
    shapes = [Shape(len(each.players), GAMES[each.game].sides(len(each.players))) for each in draft.pairings]
    games = _games()
    return {
        "tables": [
            {
                "pairing": pairing,
                "game": GAMES[pairing.game],
                "sides": [[evening.people[pairing.players[seat]] for seat in side] for side in shape.sides],
                "others": [game for game in games if shape.seats in game.seats and game.slug != pairing.game],
                "length": _length(GAMES[pairing.game], pairing),
            }
            for pairing, shape in zip(draft.pairings, shapes, strict=True)
        ],
        "byes": [
            {"player": evening.people[player], "before": sum(player in byes for byes in evening.history.byes)}
            for player in draft.byes
        ],
        "measures": evening.history.played
        and measure([each.players for each in draft.pairings], draft.byes, shapes, evening.history),
    }


def _length(game: Game[Any], how: schedule.Setting | schedule.Pairing) -> list[str]:
    return words.length_words(game, how.options, how.minutes)


def _lines(evening: Evening) -> list[dict[str, Any]]:
    """Every table with the newest match tonight, by number."""
    return [
        {"table": table, "line": _line(evening.current[table.pk]) if table.pk in evening.current else None}
        for table in evening.tables
    ]


def _line(match: Match) -> dict[str, Any]:
    return match_line(match) | ending_shown(match, timezone.now())


def _people(evening: Evening) -> list[dict[str, Any]]:
    """Everybody of the club, who is or was here before the others; with what he does now."""
    state = evening.state
    byes = {player: sum(player in each.byes for each in state.rounds) for player in state.came}
    last = len(state.rounds)
    going = any(match.round == last and going_on(match) for match in evening.matches)
    out = state.rounds[-1].byes if going else ()
    people = [
        {
            "player": player,
            "here": player.pk in evening.here,
            "match": evening.playing.get(player.pk),
            "byes": byes.get(player.pk, 0),
            "out": player.pk in out,
        }
        for player in evening.people.values()
    ]
    return sorted(people, key=lambda each: not each["here"] and each["player"].pk not in state.came)


def _did_words(evening: Evening) -> str:
    """The last step, as the button says it that takes it back; "" where there is none."""
    did = evening.state.did
    if did is None:
        return ""
    who = did.get("players", ())
    several = ngettext("{n} person", "{n} people", len(who)).format(n=len(who))
    players = words.together([evening.name(player) for player in who]) if len(who) <= FEW else several
    return {
        "came": _("{players} came"),
        "left": _("{players} left"),
        "draft": _("the draw"),
        "swap": _("{players} change places"),
        "table": _("another game at table {table}"),
        "game": _("options changed"),
        "drop": _("draw thrown away"),
        "seat": _("round {round} seated"),
        "last-hand": _("last hand called"),
        "close": _("night closed"),
    }[did["kind"]].format(players=players, table=did.get("table"), round=len(evening.state.rounds))


def _refused(request: HttpRequest, night: Night, code: str, text: str) -> HttpResponse:
    night.refresh_from_db()
    extra = {"refusal": text, "code": code, "typed_guests": request.POST.get("guests", "")}
    return render(request, "scorekeeper/night_desk.html", _desk(request, night, **extra), status=422)


def _games() -> list[Game[Any]]:
    return list(GAMES.values())


def _usual_game(club: Club) -> str:
    """The game that the club played last, else the one for most at a table. One query."""
    last = club.matches.order_by("-id").values_list("game", flat=True).first()
    largest = max(_games(), key=lambda game: max(game.seats)).slug
    return last if last in {game.slug for game in _games()} else largest


def _key(request: HttpRequest) -> str:
    """The key of what is sent, else a fresh one for what will be."""
    sent = request.POST.get("key", "")[:40]
    return sent if sent.isascii() and sent.isprintable() and sent else secrets.token_hex(16)


def desk(kind: str, number: int) -> str:
    """Only a stamp: the page of who may see the desk asks for it again when this changes."""
    night = Night.objects.get(pk=number)
    matches = night.matches.only("status", "last_hand", "minutes", "sheet").order_by("-id").prefetch_related("seats")
    return render_to_string("scorekeeper/_desk_stamp.html", {"stamp": stamp(night, matches)})


live.renderers.update(desk=desk)
