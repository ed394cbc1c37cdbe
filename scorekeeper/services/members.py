"""Who belongs to a club, and what they may do there: invitations, roles, leaving."""

from datetime import datetime, timedelta

from django.utils.translation import gettext as _

from scorekeeper.models import AuditEntry, Club, Membership, OneTimeLink, Role, User
from scorekeeper.services import accounts, links
from scorekeeper.services.audit import note
from scorekeeper.services.changes import in_one_transaction
from scorekeeper.services.errors import Refused

INVITE = "invite"
INVITATION_LIVES = timedelta(days=7)
GIVEN = [Role.OWNER, Role.DIRECTOR, Role.SCORER, Role.MEMBER]
"""The roles to which an owner invites. Whoever claims a player gets that of a player."""


@in_one_transaction
def invite(*, club: Club, role: Role, by: User, now: datetime) -> str:
    """A new token that makes one person a member with this role."""
    note(club=club, kind=AuditEntry.Kind.INVITED, by=by, now=now, what=role)
    return links.make(purpose=INVITE, club=club, role=role, lives=INVITATION_LIVES, now=now)


def invitation(*, token: str, now: datetime) -> OneTimeLink | None:
    """The invitation with its club; None if it was used or has expired. One query."""
    return links.valid(purpose=INVITE, token=token, now=now).select_related("club").first()


@in_one_transaction
def join(*, token: str, user: User, now: datetime) -> Club:
    """Makes the user a member with the role of the invitation, which then stops working. Whoever has a higher role
    keeps it. Refused "link-used"."""
    link = links.use(purpose=INVITE, token=token, now=now)
    if link is None or link.club is None:
        raise Refused("link-used", _("This invitation was used or has expired. Ask for a new one."))
    membership, new = Membership.objects.get_or_create(user=user, club=link.club, defaults={"role": link.role})
    if not new and not Role(membership.role).covers(Role(link.role)):
        membership.role = link.role
        membership.save(update_fields=["role"])
    note(club=link.club, kind=AuditEntry.Kind.ROLE_GIVEN, by=user, now=now, what=membership.role)
    return link.club


@in_one_transaction
def join_as_new(*, token: str, name: str, password: str, now: datetime) -> tuple[Club, User]:
    """Makes an account and, with the invitation, a member of it. Raises Refused ("link-used", "name-taken"),
    games.Malformed for a name, django's ValidationError for a weak password."""
    user = accounts.new_user(name=name, password=password)
    return join(token=token, user=user, now=now), user


@in_one_transaction
def set_role(*, club: Club, member: int, role: Role, by: User, now: datetime) -> None:
    """Gives a member (by the id of the membership) another role. Refused "last-owner"; Membership.DoesNotExist."""
    membership = _member(club, member)
    if membership.role == role:
        return
    membership.role = role
    membership.save(update_fields=["role"])
    _must_have_owner(club)
    note(club=club, kind=AuditEntry.Kind.ROLE_SET, by=by, now=now, what=f"{membership.user} → {role}")


@in_one_transaction
def remove(*, club: Club, member: int, by: User, now: datetime) -> User:
    """Takes a member out of the club; their account stays. Refused "last-owner"; Membership.DoesNotExist."""
    membership = _member(club, member)
    membership.delete()
    _must_have_owner(club)
    note(club=club, kind=AuditEntry.Kind.MEMBER_REMOVED, by=by, now=now, what=membership.user.get_username())
    return membership.user


@in_one_transaction
def password_link(*, club: Club, member: int, by: User, now: datetime) -> tuple[User, str]:
    """A token with which a member sets a new password. Refused "other-clubs" if they belong to a club that `by` does
    not own, because the link lets in there, too; Membership.DoesNotExist."""
    user = _member(club, member).user
    mine = Membership.objects.filter(user=by, role=Role.OWNER).values("club")
    if user.memberships.exclude(club__in=mine).exists():
        text = _("{name} also belongs to another club. Only somebody who owns both clubs can make this link.")
        raise Refused("other-clubs", text.format(name=user))
    return user, accounts.password_link(user=user, by=by, now=now)


def _member(club: Club, member: int) -> Membership:
    Club.objects.select_for_update(no_key=True).only("pk").get(pk=club.pk)  # two owners must not remove each other
    return Membership.objects.select_related("user").get(club=club, pk=member)


def _must_have_owner(club: Club) -> None:
    if not Membership.objects.filter(club=club, role=Role.OWNER).exists():
        raise Refused("last-owner", _("A club needs an owner. Make somebody else an owner first."))
