"""The door that enters a match from a paper sheet: row by row with running totals, or its result alone."""

from urllib.parse import urlencode

from django.contrib import messages
from django.contrib.auth.decorators import login_not_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from games import GAMES, GameError
from scorekeeper.access import Actor, actor_of, club_for, event_for, match_for
from scorekeeper.forms.paper import PaperForm
from scorekeeper.forms.tally import Tally
from scorekeeper.models import Club, Match, Role
from scorekeeper.pages import context, notices
from scorekeeper.pages import paper as pages
from scorekeeper.selectors.paper import Origin, drawn_for
from scorekeeper.services import paper as services
from scorekeeper.services.errors import Refused
from scorekeeper.views.naming import asks_whom, typist_of
from scorekeeper.views.refusals import reason


@login_not_required
@require_http_methods(["GET", "POST"])
@asks_whom
def paper(request: HttpRequest, slug: str) -> HttpResponse:
    """The form for a sheet. `?night=`, `?table=` and `?match=` say where it was played; `?game=` is its game.

    Without a game, it shows the choice of games and the matches of the night that have no sheet yet.
    """
    actor = actor_of(request)
    club = club_for(actor, slug, need=Role.SCORER)
    origin = _origin(request, actor, club)
    wanted = request.GET.get("game", origin.drawn.game if origin.drawn else "")
    if wanted and wanted not in GAMES:
        raise Http404(_("This game does not exist."))
    if not wanted:
        return render(request, "scorekeeper/paper_which.html", context(pages.which_page(club, origin.event)))
    initial = pages.known_before(origin, GAMES[wanted], timezone.now())
    form = PaperForm(GAMES[wanted], request.POST if request.method == "POST" else None, initial=initial)
    tally = form.tally()
    if request.headers.get("X-Part"):
        sums = pages.sums(club, origin, form, tally)
        return render(request, "scorekeeper/_paper_sums.html", context(sums))
    if _do(request) in ("save", "save-next"):
        return _saved(request, actor, club, origin, form, tally)
    trouble = tally.trouble if request.method == "POST" else ""
    return _shown(request, club, origin, form, tally, refusal=trouble, status=200)


def _shown(
    request: HttpRequest,
    club: Club,
    origin: Origin,
    form: PaperForm,
    tally: Tally,
    *,
    refusal: str,
    again: pages.Again | None = None,
    status: int = 422,
) -> HttpResponse:
    fields = pages.typed(club, form, tally, key=request.POST.get("key", ""), refusal=refusal, again=again)
    sums = pages.sums(club, origin, form, tally)
    return render(request, "scorekeeper/paper.html", context(sums, fields), status=status)


def _saved(
    request: HttpRequest, actor: Actor, club: Club, origin: Origin, form: PaperForm, tally: Tally
) -> HttpResponse:
    """Saves the match and redirects. A refusal shows the page again with the reason."""
    if refusal := pages.refusal_of(form, tally):
        return _shown(request, club, origin, form, tally, refusal=refusal)
    guests = pages.new_guests(club, form)
    try:
        match = _typed_in(request, actor, club, origin, form, tally)
    except (Refused, GameError) as error:
        again = pages.Again(_do(request), error.match.pk) if isinstance(error, services.SavedBefore) else None
        return _shown(request, club, origin, form, tally, refusal=reason(error), again=again)
    saved, before = pages.saved_words(tally), origin.event is not None and match.event is None
    for notice in notices.sheet_saved(saved, before_the_night=before, guests=pages.guests_words(guests)):
        messages.add_message(request, *notice)
    if _do(request) == "save":
        return redirect("match", match.pk)
    onwards = {"night": str(origin.event.pk)} if origin.event else {"game": form.game.slug}
    return redirect(f"{reverse('paper', args=[club.slug])}?{urlencode(onwards)}")


def _typed_in(request: HttpRequest, actor: Actor, club: Club, origin: Origin, form: PaperForm, tally: Tally) -> Match:
    return services.type_in(
        club=club,
        origin=origin,
        game=form.game.slug,
        options=form.setting(),
        players=form.names(),
        entries=tally.entries,
        sheet=form.cleaned_data["sheet"],
        at=form.cleaned_data["at"],
        by=actor,
        key=request.POST.get("key", ""),
        now=timezone.now(),
        again="again" in request.POST,
        typist=typist_of(request, host=True),
    )


def _do(request: HttpRequest) -> str:
    """What to do with the sheet. Another button does it `again`, after the question."""
    return request.POST.get("again") or request.POST.get("do", "")


def _origin(request: HttpRequest, actor: Actor, club: Club) -> Origin:
    """The night, table and match of the sheet, from the address."""
    given = request.GET.dict()
    if number := given.get("match"):
        match = match_for(actor, _number(number), need="record")
        if match.club_id != club.pk or not match.blank:
            raise Http404(_("This match already has entries. Correct it on its own page."))
        return Origin(match.event, match.table, match)
    night = event_for(actor, _number(given["night"]), need="record") if given.get("night") else None
    if night and night.club_id != club.pk:
        raise Http404(_("This night does not exist."))
    table = club.tables.filter(number=_number(given["table"])).first() if given.get("table") else None
    return Origin(night, table, drawn_for(night, table))


def _number(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 10):
        raise Http404(_("There is nothing here. Check the address."))
    return int(text)
