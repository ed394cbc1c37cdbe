"""The doors to a club's people: their list, and the page of each."""

from django.contrib import messages
from django.contrib.auth.decorators import login_not_required
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from games import GameError
from scorekeeper.access import Actor, actor_of, club_for, clubs_listed, has_role, players_for
from scorekeeper.forms.nights import ticked
from scorekeeper.forms.people import FilterForm, LinkForm, PlayersForm
from scorekeeper.forms.typed import names_from
from scorekeeper.models import Club, FormerName, Player, Role, SamePerson, User
from scorekeeper.pages import context, notices, sure
from scorekeeper.pages.codes import reachable
from scorekeeper.pages.members import LinkMade, link_made
from scorekeeper.pages.people import people_page, person_page
from scorekeeper.selectors.clubs import players_named, that_answer
from scorekeeper.selectors.persons import claimant, counting
from scorekeeper.services import claims, clubs, deleting, people, persons
from scorekeeper.services.errors import PlayedTogether, Refused
from scorekeeper.views.naming import asks_whom, typist_of
from scorekeeper.views.refusals import reason
from scorekeeper.views.sure import ask, is_sure
from scorekeeper.words import in_words


@login_not_required
@require_http_methods(["GET", "POST"])
@asks_whom
def club_players(request: HttpRequest, slug: str) -> HttpResponse:
    """Lists and finds people, adds some by name, and makes members. Names that cannot be saved stay in their field."""
    actor = actor_of(request)
    found = club_for(actor, slug, need=Role.DIRECTOR)
    if request.POST.get("do") == "member":
        _made_members(request, found, actor.user)
        return redirect(request.get_full_path())
    form = PlayersForm(request.POST if request.method == "POST" else None)
    if form.is_valid() and _added(request, found, form, actor.user):
        return redirect("club_players", slug)
    page = people_page(found, form, FilterForm(request.GET))
    return render(request, "scorekeeper/club_players.html", context(page), status=422 if form.errors else 200)


def _made_members(request: HttpRequest, found: Club, by: User | None) -> None:
    try:
        made = people.make_members(club=found, players=ticked(request.POST, "who"), now=timezone.now(), by=by)
    except Player.DoesNotExist as error:
        raise Http404(_("This player does not exist.")) from error
    messages.add_message(request, *notices.members_made([each.name for each in made]))


def _added(request: HttpRequest, found: Club, form: PlayersForm, by: User | None) -> bool:
    """Adds the people of the form, and says how many are new and who was already there."""
    try:
        added = people.add(
            club=found,
            names=names_from(form.cleaned_data["names"]),
            guest=form.cleaned_data["guest"],
            typist=typist_of(request, host=True),
            now=timezone.now(),
            by=by,
        )
    except Refused as refused:
        form.add_error("names", refused.message)
        return False
    for error in added.wrong.values():
        form.add_error("names", in_words(error))
    for notice in notices.players_added(added.number, added.there):
        messages.add_message(request, *notice)
    form.data = {**form.data, "names": "\n".join(added.wrong)}
    return not added.wrong


@login_not_required
@require_http_methods(["GET", "POST"])
def club_player(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """A person, with everything that a host can do with them. A refused step shows the page again with the reason."""
    actor = actor_of(request)
    found = club_for(actor, slug, need=Role.DIRECTOR)
    others = that_answer(clubs_listed(actor).exclude(pk=found.pk))
    link_form = LinkForm(request.POST if request.POST.get("do") == "link" else None, clubs=others)
    refusal, link, together = "", None, None
    try:
        if request.POST.get("do") == "delete" and not is_sure(request):
            deleting.deletable(club=found, player_id=pk)
            step = sure.deleting(found.players.get(pk=pk))
            return ask(request, found, step, back=reverse("club_player", args=[slug, pk]))
        if request.POST.get("do") == "claim":
            link = _link_made(request, found, pk, actor.user)
        elif request.method == "POST" and (answer := _done(request, actor, found, pk, link_form)):
            return answer
    except (Refused, GameError) as error:
        refusal, together = reason(error), error.match if isinstance(error, PlayedTogether) else None
    except (Player.DoesNotExist, FormerName.DoesNotExist, SamePerson.DoesNotExist) as error:
        raise Http404(_("This player does not exist.")) from error
    typed = {name: request.POST.get(name, "") for name in ("name", "other")}
    try:
        page = person_page(actor, found, pk, link_form, link=link, refusal=refusal, together=together, **typed)
    except Player.DoesNotExist as error:
        raise Http404(_("This player does not exist.")) from error
    status = 422 if refusal or link_form.errors else 200
    return render(request, "scorekeeper/club_player.html", context(page), status=status)


def _link_made(request: HttpRequest, club: Club, pk: int, by: User | None) -> LinkMade:
    token = claims.make_link(club=club, player_id=pk, by=by, now=timezone.now())
    return link_made(reachable(request) + reverse("claim", args=[token]))


def _done(request: HttpRequest, actor: Actor, club: Club, pk: int, link_form: LinkForm) -> HttpResponse | None:
    """One step of the host; None if something in the form of a link is wrong. Http404 if there is no such step."""
    step, _colon, rest = request.POST.get("do", "").partition(":")
    number = int(rest) if rest.isdecimal() and len(rest) < 19 else None
    by, now = actor.user, timezone.now()
    match step, number:
        case "rename", None:
            clubs.player_rename(club=club, player_id=pk, name=request.POST.get("name", ""), now=now, by=by)
        case "merge", _:
            into = number or _named(club, request.POST.get("other", "")).pk
            if not is_sure(request):
                question = sure.merging(*people.mergeable(club=club, player_id=pk, into_id=into))
                return ask(request, club, question, back=reverse("club_player", args=[club.slug, pk]))
            stays = people.merge(club=club, player_id=pk, into_id=into, now=now, by=by)
            messages.add_message(request, *notices.merged(club.players.get(pk=pk).name, stays.name))
            return redirect("club_player", club.slug, stays.pk)
        case "separate", int():
            apart = people.separate(club=club, player_id=number, now=now, by=by)
            messages.add_message(request, *notices.separated(apart.name))
        case "forget", int():
            people.forget_name(club=club, player_id=pk, name_id=number, now=now, by=by)
        case "remove", None:
            gone = people.remove(club=club, player_id=pk, now=now, by=by)
            messages.add_message(request, *notices.removed(gone.name))
            return redirect("club_players", club.slug)
        case (("release" | "link" | "agree" | "end"), _):
            return _identified(request, actor, club, pk, step, number, link_form)
        case "delete", None:
            deleting.start(club=club, player_id=pk, now=now, by=by)
        case "delete-again", None:
            deleting.again(club=club, player_id=pk, now=now, by=by)
        case _ if request.POST["do"] in SETS:
            field, value = SETS[request.POST["do"]]
            people.set_state(club=club, player_id=pk, field=field, value=value, now=now, by=by)
        case _:
            raise Http404(_("This step does not exist."))
    return redirect("club_player", club.slug, pk)


def _identified(
    request: HttpRequest, actor: Actor, club: Club, pk: int, step: str, number: int | None, form: LinkForm
) -> HttpResponse | None:
    """A step about who the person is: on the whole server, or by their account. None if something in the form is
    wrong."""
    by, now = actor.user, timezone.now()
    here = redirect("club_player", club.slug, pk)
    match step, number:
        case "release", None:
            player = counting(club.players.select_related("club").get(pk=pk))
            if (account := claimant(player)) and not is_sure(request):
                return ask(request, club, sure.releasing(player, account), back=here.url)
            claims.release(player_id=pk, by=by, now=now)
            messages.add_message(request, *notices.released(player.name))
        case "link", None:
            if not form.is_valid():
                return None
            there: Club = form.cleaned_data["club"]
            other = _named(there, form.cleaned_data["there"], players_for(actor))
            at_once = has_role(actor, there.pk, Role.DIRECTOR)
            linked = persons.ask(club=club, player_id=pk, other_id=other.pk, at_once=at_once, by=by, now=now)
            own = club.players.get(pk=pk).name
            notice = notices.linked(own, other.name, there.name) if linked else notices.link_asked(there.name)
            messages.add_message(request, *notice)
        case "agree", int():
            link = persons.agree(club=club, link_id=number, by=by, now=now)
            asked_by = link.asked_by
            messages.add_message(request, *notices.linked(link.asked_of.name, asked_by.name, asked_by.club.name))
        case "end", int():
            persons.end(club=club, link_id=number, by=by, now=now)
            messages.add_message(request, *notices.link_ended())
        case _:
            raise Http404(_("This step does not exist."))
    return here


SETS: dict[str, tuple[people.Field, bool]] = {
    "member": ("guest", False),
    "guest": ("guest", True),
    "hide": ("hidden", True),
    "show": ("hidden", False),
    "initials": ("initials", True),
    "name": ("initials", False),
    "left": ("left", True),
    "back": ("left", False),
}


def _named(club: Club, name: str, known: QuerySet[Player] | None = None) -> Player:
    """The person with this name, if they are `known`. Refused "nobody-named"."""
    found = players_named(club.pk, [name]).get(name)
    if found is None or (known is not None and not known.filter(pk=found.pk).exists()):
        if known is None:
            raise Refused("nobody-named", _("Nobody in the club has this name. Choose a name from the list."))
        text = _("Nobody at {club} has this name. Type it as that club writes it.")
        raise Refused("nobody-named", text.format(club=club.name))
    return found
