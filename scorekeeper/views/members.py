"""The doors of a club's members: invitations, roles, leaving."""

from functools import partial

from django.contrib import messages
from django.contrib.auth.decorators import login_not_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods

from scorekeeper.access import actor_of, club_for
from scorekeeper.forms.accounts import AccountForm
from scorekeeper.forms.members import InviteForm, MemberForm
from scorekeeper.models import Club, Membership, Role, User
from scorekeeper.pages import context, notices
from scorekeeper.pages.codes import reachable
from scorekeeper.pages.members import InvitationPage, LinkMade, link_made, members_page
from scorekeeper.services import members
from scorekeeper.services.errors import Refused
from scorekeeper.views.accounts import new_account


@login_not_required
@require_http_methods(["GET", "POST"])
def club_members(request: HttpRequest, slug: str) -> HttpResponse:
    """Invites people, changes their roles, takes them out of the club, makes links for new passwords. For owners."""
    actor = actor_of(request)
    found = club_for(actor, slug, need=Role.OWNER)
    assert actor.user, "Only a user owns a club."
    inviting, member = InviteForm(), 0
    try:
        match request.POST.get("do"):
            case None:
                link = None
            case "invite":
                inviting = InviteForm(request.POST)
                link = _invited(request, found, inviting, actor.user) if inviting.is_valid() else None
            case do:
                form = MemberForm(request.POST)
                if not form.is_valid():
                    raise Http404(_("This member does not exist."))
                member = form.cleaned_data["member"]
                link = _done(request, found, do, form, actor.user)
                if link is None:
                    return redirect("club_members", slug)
    except Membership.DoesNotExist as error:
        raise Http404(_("This member does not exist.")) from error
    except Refused as error:
        page = members_page(found, inviting, refusal=error.message, refused=member)
        return render(request, "scorekeeper/club_members.html", context(page), status=422)
    page = members_page(found, inviting, link=link)
    return render(request, "scorekeeper/club_members.html", context(page), status=422 if inviting.errors else 200)


def _invited(request: HttpRequest, club: Club, form: InviteForm, by: User) -> LinkMade:
    role = Role(form.cleaned_data["role"])
    token = members.invite(club=club, role=role, by=by, now=timezone.now())
    return link_made(reachable(request) + reverse("invitation", args=[token]), role=role)


def _done(request: HttpRequest, club: Club, do: str, form: MemberForm, by: User) -> LinkMade | None:
    """What was done to a member; a link if that is what was asked for."""
    member, now = form.cleaned_data["member"], timezone.now()
    match do:
        case "role" if form.cleaned_data["role"]:
            members.set_role(club=club, member=member, role=Role(form.cleaned_data["role"]), by=by, now=now)
            messages.add_message(request, *notices.role_set())
        case "remove":
            gone = members.remove(club=club, member=member, by=by, now=now)
            messages.add_message(request, *notices.member_removed(gone.get_username()))
        case "password":
            user, token = members.password_link(club=club, member=member, by=by, now=now)
            return link_made(reachable(request) + reverse("password", args=[token]), name=user.get_username())
        case _:
            raise Http404(_("This step does not exist."))
    return None


@sensitive_post_parameters()
@login_not_required
@require_http_methods(["GET", "POST"])
def invitation(request: HttpRequest, token: str) -> HttpResponse:
    """Makes whoever opens the link a member: with their account if they are signed in, else with a new one."""
    now, user = timezone.now(), request.user if isinstance(request.user, User) else None
    found = members.invitation(token=token, now=now)
    form = AccountForm(request.POST if request.method == "POST" and user is None else None)
    if found and request.method == "POST":
        make = partial(members.join_as_new, token=token, now=now)
        try:
            if user:
                return _welcome(request, members.join(token=token, user=user, now=now))
            if answer := new_account(request, form, make, _welcome):
                return answer
        except Refused:
            found = None  # it was used a moment ago
    page = InvitationPage(
        club=found.club if found else None, role=str(Role(found.role).label) if found else "", form=form
    )
    status = 404 if found is None else 422 if form.errors else 200
    return render(request, "scorekeeper/invitation.html", context(page), status=status)


def _welcome(request: HttpRequest, club: Club) -> HttpResponse:
    messages.add_message(request, *notices.joined(club.name))
    return redirect("club", club.slug)
