"""A club's pages: what goes on, its players, its tables."""

from django.contrib import messages
from django.contrib.auth.decorators import login_not_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_GET, require_http_methods

from games import GameError
from scorekeeper.access import actor_of, club_for, has_role
from scorekeeper.forms.clubs import PlayersForm, RenameForm, TableForm
from scorekeeper.forms.entries import names_from
from scorekeeper.models import Club, Player, Role
from scorekeeper.selectors.clubs import nights_in_numbers, players_of
from scorekeeper.selectors.tables import tables_of
from scorekeeper.services import clubs
from scorekeeper.services.errors import Refused, in_words
from scorekeeper.views.calls import calls_context, calls_for
from scorekeeper.views.parts import club_context, points_context
from scorekeeper.views.tables import qr_cards

NIGHTS_AT_ONCE = 6  # on a club's page, until all are asked for


@login_not_required
@require_GET
def club(request: HttpRequest, slug: str) -> HttpResponse:
    """What goes on in the club, its nights, who won how much, its people: for everybody; a host's ways to his other
    pages."""
    actor = actor_of(request)
    found = club_for(actor, slug)
    before = request.GET.get("before", "")
    context = club_context(
        found, before=int(before) if before.isascii() and before.isdigit() and len(before) < 19 else None
    )
    nights, all_nights = nights_in_numbers(found), request.GET.get("nights") == "all"
    shown = list(nights if all_nights else nights[: NIGHTS_AT_ONCE + 1])
    context |= points_context(found, request.GET.get("game", "")) | {
        "host": has_role(actor, found.pk, Role.DIRECTOR),
        "nights": shown if all_nights else shown[:NIGHTS_AT_ONCE],
        "more_nights": not all_nights and len(shown) > NIGHTS_AT_ONCE,
        "players": list(players_of(found)),
    }
    return render(request, "scorekeeper/club.html", context | calls_for(actor, found))


@login_not_required
@require_http_methods(["GET", "POST"])
def club_players(request: HttpRequest, slug: str) -> HttpResponse:
    """Players are added by name, several at once, and renamed; what cannot be kept stays in its field."""
    found = club_for(actor_of(request), slug, need=Role.DIRECTOR)
    renaming = RenameForm(request.POST if request.POST.get("do") == "rename" else None)
    form = PlayersForm(request.POST if request.method == "POST" and not renaming.is_bound else None)
    if _renamed(found, renaming) or _added(request, found, form):
        return redirect("club_players", slug)
    context = {"club": found, "form": form, "renaming": renaming, "players": list(players_of(found))}
    status = 422 if form.errors or renaming.errors else 200
    return render(request, "scorekeeper/club_players.html", context, status=status)


def _renamed(found: Club, form: RenameForm) -> bool:
    """Renames a player as the form says; what is against it the form says then."""
    if not form.is_valid():
        return False
    given = form.cleaned_data
    try:
        clubs.player_rename(club=found, player_id=given["player"], name=given["name"], now=timezone.now())
    except Player.DoesNotExist as error:
        raise Http404(_("There is no such player here.")) from error
    except Refused as error:
        form.add_error("name", error.message)
    except GameError as error:
        form.add_error("name", in_words(error))
    return not form.errors


def _added(request: HttpRequest, found: Club, form: PlayersForm) -> bool:
    """Adds the players of the form; says how many and who was there. Names that are none stay in the field."""
    if not form.is_valid():
        return False
    added, there, wrong = 0, [], []
    for name in names_from(form.cleaned_data["names"]):
        try:
            clubs.player_add(club=found, name=name, now=timezone.now())
            added += 1
        except Refused:
            there.append(name)
        except GameError as error:
            wrong.append(name)
            form.add_error("names", in_words(error))
    messages.success(request, ngettext("{n} player added.", "{n} players added.", added).format(n=added))
    if there:
        messages.info(request, _("Here already: {names}.").format(names=", ".join(there)))
    form.data = {"names": "\n".join(wrong)}
    return not wrong


@login_not_required
@require_http_methods(["GET", "POST"])
def club_tables(request: HttpRequest, slug: str) -> HttpResponse:
    """The club's tables: add one, or print the QR codes of all."""
    found = club_for(actor_of(request), slug, need=Role.DIRECTOR)
    form = TableForm(request.POST if request.POST.get("do") == "add" else None)
    if request.method == "POST" and request.POST.get("do") == "print":
        cards = qr_cards(request, [row.table for row in tables_of(found) if row.table.open])
        return render(request, "scorekeeper/table_cards.html", {"club": found, "cards": cards})
    if request.method == "POST" and form.is_valid():
        try:
            table = clubs.table_add(club=found, name=form.cleaned_data["name"], now=timezone.now())
        except GameError as error:
            form.add_error("name", in_words(error))
        else:
            messages.success(request, _("Table {number} is there.").format(number=table.number))
            return redirect("club_tables", slug)
    context = {"club": found, "form": form, "tables": tables_of(found)} | calls_context(found)
    return render(request, "scorekeeper/club_tables.html", context, status=422 if form.errors else 200)
