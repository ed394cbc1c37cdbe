"""The page of a club's members, and the page of an invitation."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.safestring import SafeString

from scorekeeper.forms.accounts import AccountForm
from scorekeeper.forms.members import ROLES, InviteForm
from scorekeeper.models import Club, Membership, Role
from scorekeeper.pages.codes import qr
from scorekeeper.selectors.clubs import members_of
from scorekeeper.serving import addresses


@dataclass(frozen=True, slots=True)
class LinkMade:
    """A link that is shown once."""

    url: str
    svg: SafeString
    role: str
    """The role that it gives; "" if it sets a password."""
    name: str
    """Whose password it sets; "" for an invitation."""
    only_here: bool
    """Whether no phone can reach it."""


@dataclass(frozen=True, kw_only=True)
class MembersPage:
    club: Club
    members: list[Membership]
    roles: Sequence[tuple[str, Promise]]
    form: InviteForm
    link: LinkMade | None
    refusal: str
    refused: int
    """The member whom the refusal concerns; 0 if none is."""


@dataclass(frozen=True, kw_only=True)
class InvitationPage:
    club: Club | None
    """None if the invitation was used or has expired."""
    role: str
    form: AccountForm


def members_page(
    club: Club, form: InviteForm, *, link: LinkMade | None = None, refusal: str = "", refused: int = 0
) -> MembersPage:
    """One query."""
    return MembersPage(
        club=club, members=members_of(club), roles=ROLES, form=form, link=link, refusal=refusal, refused=refused
    )


def link_made(url: str, *, role: Role | None = None, name: str = "") -> LinkMade:
    return LinkMade(url, qr(url), str(role.label) if role else "", name, addresses.only_here(url))
