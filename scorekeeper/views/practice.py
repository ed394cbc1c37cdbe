"""The doors of the practice table. Everybody may play there; what they have is in their session."""

import json
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from random import SystemRandom
from typing import Any
from urllib.parse import urlencode

from django.contrib.auth.decorators import login_not_required
from django.contrib.sessions.backends.base import SessionBase
from django.http import Http404, HttpRequest, HttpResponse, QueryDict, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import translation
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from games import GAMES, Code, GameError, read
from games.nestor import LEVELS, STRONGEST
from scorekeeper.forms.practice import PracticeForm, ThemeForm
from scorekeeper.pages import context
from scorekeeper.pages.practice import practice_page, settings_page, theme_css, theme_page
from scorekeeper.place import visiting
from scorekeeper.practice.contest import YOU, Contest
from scorekeeper.practice.saved import table_json
from scorekeeper.practice.table import PracticeTable
from scorekeeper.practice.themes import ORIGINAL
from scorekeeper.selectors.practice import table_of
from scorekeeper.services import practice
from scorekeeper.services.errors import Refused
from scorekeeper.views.refusals import reason
from scorekeeper.views.thought import NO_ANSWER, when_found

FILE = "practice.json"
RANDOM = SystemRandom()
NUMBERS = [str(number) for number in range(1, len(ORIGINAL) + 1)]
"""Of the themes, as people count them."""


@login_not_required
@never_cache  # a browser that goes back must see the game as it stands
@require_GET
def table(request: HttpRequest) -> HttpResponse:
    """The game on the table and the menu; before the first game, the games to choose from."""
    page = practice_page(table_of(request.session), request.GET.dict())
    return render(request, "scorekeeper/practice.html", context(page))


@login_not_required
@require_POST
def entry(request: HttpRequest) -> HttpResponse:
    """A move, or the undo of the last step. `exchange` says which tiles are exchanged: those in `away`, or `none`."""
    if ask := request.POST.get("ask"):
        # Without scripts, the next page asks for the rest of the move.
        return redirect(f"{reverse('practice')}?{QueryDict(ask).urlencode()}")

    def enter(session: SessionBase, seen: int) -> object:
        if exchange := request.POST.get("exchange"):
            away = request.POST.getlist("away") if exchange == "chosen" else []
            return practice.exchange(session, seen, away, RANDOM)
        return practice.enter(session, seen, read.json_value(request.POST.get("entry", "")), RANDOM)

    return _step(request, enter)


@login_not_required
@require_POST
def menu(request: HttpRequest) -> HttpResponse:
    """What the menu does. `do` is a name, and after a colon what it is done to; a new name is in `name`."""
    do, _colon, what = request.POST.get("do", "").partition(":")
    if do not in practice.MENU:
        raise Http404(_("The practice table has no such button."))
    chosen = request.POST.get("name", "") if do == "preserve" else what

    def change(session: SessionBase, seen: int) -> object:
        return practice.change(session, seen, lambda now: practice.MENU[do](now, chosen))

    return _step(request, change)


@login_not_required
@require_POST
def again(request: HttpRequest) -> HttpResponse:
    """A new game by the setting of the last one."""
    setting = table_of(request.session).setting
    if setting is None:
        return redirect("practice")
    return _step(request, lambda session, seen: practice.new_game(session, seen, setting, RANDOM))


@login_not_required
@require_POST
def nestor(request: HttpRequest) -> HttpResponseBase:
    """Nestor's turn, or the next hand. What needs no thought is done at once.

    If he has to think, the answer is a stream, which holds no thread, and brings his play when he has found it. The
    session is saved before: meanwhile the visitor may do something else."""
    session = request.session
    try:
        now = practice.oblige(session, _seen(request), RANDOM)
    except (Refused, GameError) as error:
        return _answered(request, session, reason(error), _status(error))
    contest = now.contest
    if contest is None or contest.turn in (None, YOU) or not contest.must_choose:
        return _answered(request, session)
    session.save()
    return _thought(request, contest, contest.level, partial(_play, request, session, now.step, get_language() or ""))


@login_not_required
@require_POST
def hint(request: HttpRequest) -> HttpResponseBase:
    """What the strongest Nestor would play for the visitor, knowing what they know, and why."""
    now = table_of(request.session)
    contest = now.contest
    if _seen(request) != now.step or contest is None or contest.turn != YOU or not contest.must_choose:
        return _answered(request, request.session, _("There is no choice to think about now."), 409)
    return _thought(request, contest, STRONGEST, partial(_hint, request, now, get_language() or ""))


def _thought(request: HttpRequest, contest: Contest, level: str, play: Callable[[Any], str]) -> StreamingHttpResponse:
    question = contest.question(level, ms=LEVELS[level].ms, seed=RANDOM.getrandbits(32))
    return when_found(request, question, play)


def _play(request: HttpRequest, session: SessionBase, seen: int, language: str, move: dict[str, Any] | None) -> str:
    """Makes this move of Nestor, and draws the table after it: for a script its part, for others the way to it."""
    now = type(session)(session.session_key)  # as it is stored by now
    refusal = "" if move else NO_ANSWER
    with visiting(request), translation.override(language):
        if move:
            # If the visitor did something else meanwhile, there is nothing left to answer.
            with suppress(Refused):
                practice.answer(now, seen, move, RANDOM)
                now.save()
        if not request.headers.get("X-Part"):
            return render_to_string("scorekeeper/practice_played.html", {"refusal": _(refusal) if refusal else ""})
        page = context(practice_page(table_of(now), {}, _(refusal) if refusal else ""))
        return render_to_string("scorekeeper/_practice.html", page, request)


def _hint(request: HttpRequest, now: PracticeTable, language: str, move: dict[str, Any] | None) -> str:
    """The table with the hint."""
    with visiting(request), translation.override(language):
        page = practice_page(now, {}, "" if move else _(NO_ANSWER), hint=move)
        part = "scorekeeper/_practice.html" if request.headers.get("X-Part") else "scorekeeper/practice.html"
        return render_to_string(part, context(page), request)


@login_not_required
@never_cache
@require_http_methods(["GET", "POST"])
def settings(request: HttpRequest) -> HttpResponse:
    """The rules of a game and the comforts, and the button that begins it."""
    now = table_of(request.session)
    usual = now.setting.game if now.setting else ""
    slug = request.POST.get("game") or request.GET.get("game") or usual
    game = GAMES.get(slug)
    if game is None:
        if slug:
            raise Http404(_("Nestor does not play this game."))
        return redirect("practice")
    form = PracticeForm(game, request.POST if request.method == "POST" else None, table=now)
    if request.method == "GET" or not form.is_valid():
        page = settings_page(now, game, form)
        status = 200 if request.method == "GET" else 422
        return render(request, "scorekeeper/practice_settings.html", context(page), status=status)
    setting, comfort = form.setting(), form.comfort()
    players = practice.players(setting.seats)

    def save(now: PracticeTable) -> PracticeTable:
        now = now.with_comfort(comfort)
        return now.new_game(setting, players, RANDOM) if "begin" in request.POST else now.with_setting(setting)

    try:
        practice.change(request.session, _seen(request), save)
    except (Refused, GameError) as error:
        page = settings_page(table_of(request.session), game, form, reason(error))
        return render(request, "scorekeeper/practice_settings.html", context(page), status=_status(error))
    return redirect("practice")


@login_not_required
@never_cache
@require_http_methods(["GET", "POST"])
def theme(request: HttpRequest, number: int) -> HttpResponse:
    """The colours of one of the three themes."""
    now = table_of(request.session)
    if not 1 <= number <= len(ORIGINAL):
        raise Http404(_("There are three themes."))
    kept = now.themes.themes[number - 1]
    form = ThemeForm(request.POST if request.method == "POST" else None, theme=kept)
    refusal, status = "", 200
    if request.method == "POST":
        if form.is_valid():
            try:
                practice.save_theme(request.session, _seen(request), number - 1, form.theme())
                return redirect("practice_theme", number)
            except Refused as error:
                refusal, status, now = error.message, _status(error), table_of(request.session)
        else:
            status = 422
    page = theme_page(now, number - 1, form, form.typed() or kept, refusal)
    return render(request, "scorekeeper/practice_theme.html", context(page), status=status)


@login_not_required
@require_POST
def use_theme(request: HttpRequest) -> HttpResponse:
    """Chooses a theme; without a number, the colours of the other pages."""
    number = request.POST.get("theme", "")
    if number not in ("", *NUMBERS):
        raise Http404(_("There are three themes."))
    chosen = int(number) - 1 if number else None

    def use(session: SessionBase, seen: int) -> object:
        return practice.change(session, seen, lambda now: now.with_themes(now.themes.using(chosen)))

    return _step(request, use)


@login_not_required
@never_cache
@require_GET
def colours(request: HttpRequest) -> HttpResponse:
    """The theme in use, or the one with the number `?theme=`, as a stylesheet; empty if there is none."""
    themes, number = table_of(request.session).themes, request.GET.get("theme", "")
    used = themes.themes[int(number) - 1] if number in NUMBERS else themes.theme
    return HttpResponse(theme_css(used) if used else "", content_type="text/css")


@login_not_required
@never_cache
@require_GET
def export(request: HttpRequest) -> HttpResponse:
    """Everything that the visitor has here, as a file."""
    text = json.dumps(table_json(table_of(request.session)), indent=1)
    answer = HttpResponse(text, content_type="application/json")
    answer["Content-Disposition"] = f'attachment; filename="{FILE}"'
    return answer


@login_not_required
@require_POST
def bring(request: HttpRequest) -> HttpResponse:
    """Replaces everything by what is in a file."""
    file = request.FILES.get("file")

    def use(session: SessionBase, seen: int) -> object:
        if file is None:
            raise Refused("no-file", _("Choose a file first."))
        return practice.use(session, seen, file.read())

    return _step(request, use)


# --- answers -----------------------------------------------------------------------------------------------
def _step(request: HttpRequest, change: Callable[[SessionBase, int], object]) -> HttpResponse:
    """Makes a step, and answers with the table after it."""
    try:
        change(request.session, _seen(request))
    except GameError as error:
        if error.code in (Code.END_NEEDED, Code.SUIT_NEEDED) and not request.headers.get("X-Part"):
            tile = read.json_value(request.POST["entry"])["move"]["tile"]
            return redirect(f"{reverse('practice')}?{urlencode({'tile': tile})}")
        return _answered(request, request.session, reason(error), 422)
    except Refused as error:
        return _answered(request, request.session, error.message, _status(error))
    return _answered(request, request.session)


def _answered(request: HttpRequest, session: SessionBase, refusal: str = "", status: int = 200) -> HttpResponse:
    """For a script the part of the page that changes; for a form the page after a refusal, else the way to it."""
    if not refusal and not request.headers.get("X-Part"):
        return redirect("practice")
    page = context(practice_page(table_of(session), {}, refusal))
    part = "scorekeeper/_practice.html" if request.headers.get("X-Part") else "scorekeeper/practice.html"
    return render(request, part, page, status=status)


def _status(error: Refused | GameError) -> int:
    return 409 if isinstance(error, Refused) and error.code == "stale" else 422


def _seen(request: HttpRequest) -> int:
    """The step that the page shows; none if it does not say so."""
    seen = request.POST.get("seen", "")
    return int(seen) if seen.isascii() and seen.isdigit() and len(seen) < 12 else -1
