"""A whole match typed in from a paper sheet, on one page: row by row with running totals, or the bare result."""

import secrets
from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.contrib.auth.decorators import login_not_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods

from games import GAMES, GameError
from games.base import Game
from scorekeeper import words
from scorekeeper.access import Actor, actor_of, club_for, match_for, night_for
from scorekeeper.forms.paper import AT, PaperForm, Work, sheet_number
from scorekeeper.models import Club, Match, Night, Role, Table
from scorekeeper.selectors.clubs import players_named, players_of
from scorekeeper.selectors.nights import going_on, matches_of_night
from scorekeeper.services import paper as services
from scorekeeper.services.errors import Refused, in_words
from scorekeeper.services.paper import Place
from scorekeeper.views.parts import match_line


@login_not_required
@require_http_methods(["GET", "POST"])
def paper(request: HttpRequest, slug: str) -> HttpResponse:
    """The sheet to type in; `?night=`, `?table=` (its number) and `?match=` say where it comes from, `?game=` of what.

    Without a game: which of them, and the matches of the night that wait for their sheet.
    """
    actor = actor_of(request)
    club = club_for(actor, slug, need=Role.SCORER)
    place = _place(request, actor, club)
    wanted = request.GET.get("game", place.drawn.game if place.drawn else "")
    if wanted and wanted not in GAMES:
        raise Http404(_("There is no such game here."))
    if not wanted:
        context = {"club": club, "night": place.night, "games": GAMES.values(), "waiting": _waiting(place.night)}
        return render(request, "scorekeeper/paper_which.html", context)
    initial = _initial(place, GAMES[wanted])
    form = PaperForm(GAMES[wanted], request.POST if request.method == "POST" else None, initial=initial)
    work, refusal = form.work_out(), ""
    if request.headers.get("X-Part"):
        return render(request, "scorekeeper/_paper_sums.html", _worked_out(club, place, form, work))
    if request.POST.get("do", "") in ("save", "save-next"):
        refusal = _refusal(form, work)
        if not refusal:
            refusal = _saved(request, actor, club, place, form, work)
        if isinstance(refusal, HttpResponse):
            return refusal
    context = _worked_out(club, place, form, work) | {
        "form": form,
        "lines": [(row, form.cells(row)) for row in work.rows],
        "people": players_of(club),
        "key": request.POST.get("key") or secrets.token_hex(16),
        "refusal": refusal or (work.trouble if request.method == "POST" else ""),
    }
    return render(request, "scorekeeper/paper.html", context, status=422 if refusal else 200)


def _place(request: HttpRequest, actor: Actor, club: Club) -> Place:
    """Where the sheet comes from, as the address says."""
    given = request.GET.dict()
    if number := given.get("match"):
        match = match_for(actor, _number(number), need="record")
        if match.club_id != club.pk or match.length:
            raise Http404(_("Something is entered in this match already. Correct it on its own page."))
        return Place(match.night, match.table, match)
    night = night_for(actor, _number(given["night"]), need="record") if given.get("night") else None
    if night and night.club_id != club.pk:
        raise Http404(_("There is no such night here."))
    table = club.tables.filter(number=_number(given["table"])).first() if given.get("table") else None
    return Place(night, table, _drawn(night, table))


def _number(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 10):
        raise Http404(_("There is nothing here. Look at the address again."))
    return int(text)


def _drawn(night: Night | None, table: Table | None) -> Match | None:
    """The match that was drawn for the table and waits for its sheet."""
    if night is None or table is None:
        return None
    return matches_of_night(night).filter(table=table, length=0, status=Match.Status.PLAYING).first()


def _waiting(night: Night | None) -> list[dict[str, Any]]:
    """The matches of the night in which nothing is entered yet, by table."""
    if night is None:
        return []
    empty = (match for match in matches_of_night(night) if going_on(match) and not match.length and match.table)
    return [match_line(match) for match in sorted(empty, key=lambda match: match.table.number if match.table else 0)]


def _initial(place: Place, game: Game[Any]) -> dict[str, Any]:
    """What the page knows before anybody types: the draw, and when it was."""
    drawn = place.drawn if place.drawn and place.drawn.game == game.slug else None
    at = drawn.created_at if drawn else place.night.started_at if place.night else timezone.now()
    initial: dict[str, Any] = {"at": at.strftime(AT)}
    if drawn and drawn.night and drawn.round and drawn.table:
        initial["sheet"] = sheet_number(drawn.night, drawn.round, drawn.table.number)
    if drawn:
        initial |= {f"player-{seat.number}": seat.name for seat in drawn.seats.all()}
        initial |= {f"option-{name}": value for name, value in drawn.options.items()}
    return initial


def _worked_out(club: Club, place: Place, form: PaperForm, work: Work) -> dict[str, Any]:
    """What the sheet gives so far: the page shows it, and its script asks for it as somebody types."""
    state, meant = work.state, _meant(place, form)
    return {
        "club": club,
        "place": place,
        "of_night": meant.night,
        "game": form.game,
        "names": form.shown(),
        "sides": form.sides,
        "rows": work.rows,
        "trouble": work.trouble,
        "totals": [state.totals[side[0]] for side in form.sides] if work.entries else [],
        "finished": state.finished and bool(work.entries),
        "won": words.won([state.present[seat] for seat in state.winners]) if state.winners else "",
        "unverified": state.result is not None,
        "strangers": _strangers(club, form),
    }


def _meant(place: Place, form: PaperForm) -> Place:
    """Where the sheet belongs by its date, as far as that is right."""
    return place.at(form.cleaned_data["at"]) if form.is_bound and "at" not in form.errors else place


def _strangers(club: Club, form: PaperForm) -> list[str]:
    """Who on the sheet is nobody of the club."""
    names = [name for name in form.names() if name]
    known = players_named(club.pk, names)
    return [name for name in dict.fromkeys(names) if name not in known]


def _refusal(form: PaperForm, work: Work) -> str:
    """Why the sheet cannot be saved as it is; "" if it can."""
    form.is_valid()
    for name, errors in form.errors.items():
        return f"{form[name].label}: {errors[0]}" if name in form.fields else str(errors[0])
    if not work.trouble and not work.entries:
        return _("Nothing is typed in yet: a row for each hand, or the result.")
    return work.trouble


def _saved(
    request: HttpRequest, actor: Actor, club: Club, place: Place, form: PaperForm, work: Work
) -> HttpResponse | str:
    """Saves the match and goes on; what is against it otherwise."""
    strangers = _strangers(club, form) if _meant(place, form).night else []
    try:
        match = services.type_in(
            club=club,
            place=place,
            game=form.game.slug,
            options=form.setting(),
            players=form.names(),
            entries=work.entries,
            sheet=form.cleaned_data["sheet"],
            at=form.cleaned_data["at"],
            by=actor,
            key=request.POST.get("key", ""),
            now=timezone.now(),
        )
    except Refused as error:
        return error.message
    except GameError as error:
        return in_words(error)
    names = [seat.name for seat in match.seats.all()]
    score = " : ".join(str(work.state.totals[side[0]]) for side in form.sides)
    messages.success(request, _("Saved: {players}, {score}.").format(players=", ".join(names), score=score))
    if place.night and not match.night:
        messages.info(
            request, _("This was before the night began: it is kept with the club's matches, not with the night.")
        )
    if strangers:
        text = ngettext("{names} is kept as a guest.", "{names} are kept as guests.", len(strangers))
        messages.info(request, text.format(names=", ".join(strangers)))
    if request.POST["do"] == "save":
        return redirect("match", match.pk)
    again = {"night": place.night.pk} if place.night else {"game": form.game.slug}
    return redirect(f"{reverse('paper', args=[club.slug])}?{urlencode(again)}")
