"""The page of a user's own account, and the pages of links that set a password or claim a player."""

import re
from dataclasses import dataclass

from django.conf import settings
from django.utils.translation import gettext as _

from scorekeeper.forms.accounts import (
    AccountForm,
    AddressForm,
    ForgottenForm,
    NewPasswordForm,
    PasswordChangeForm,
    ProgramForm,
)
from scorekeeper.models import OneTimeLink, Player, ProgramToken, SignIn, User
from scorekeeper.selectors.persons import claimed_by
from scorekeeper.selectors.questions import Question
from scorekeeper.selectors.signing_in import programs_of, sign_ins_of

# The first that is found in what a browser says it is; many also name others.
BROWSERS = {"Edg": "Edge", "OPR": "Opera", "Firefox": "Firefox", "Chrome": "Chrome", "Safari": "Safari"}
SYSTEMS = {
    "Android": "Android",
    "iPhone": "iPhone",
    "iPad": "iPad",
    "Windows": "Windows",
    "Mac OS": "Mac",
    "Linux": "Linux",
}


@dataclass(frozen=True, slots=True)
class BrowserLine:
    sign_in: SignIn
    name: str
    here: bool
    """Whether it is the one that shows the page."""


@dataclass(frozen=True, slots=True)
class AccountPage:
    owner: User
    questions: list[Question]
    """To the hosts of the clubs where the owner is one."""
    may_start: bool
    """Whether the owner may start another club."""
    form: PasswordChangeForm
    address_form: AddressForm
    mails: bool
    """Whether the server sends mails."""
    players: list[Player]
    """Whom the owner has claimed, with their clubs."""
    browsers: list[BrowserLine]
    programs: list[ProgramToken]
    program_form: ProgramForm
    directs: bool
    """Whether there is a club for whose programs the owner can make tokens."""
    token: str
    """A new token, which is shown once; "" without one."""


@dataclass(frozen=True, slots=True)
class ForgottenPage:
    form: ForgottenForm
    mails: bool
    sent: bool
    """Whether an address was given, known here or not."""


@dataclass(frozen=True, slots=True)
class AddressPage:
    link: OneTimeLink | None
    """None if it was used or has expired."""


@dataclass(frozen=True, slots=True)
class ClaimPage:
    player: Player | None
    """Who can be claimed, with their club; None if the link was used or has expired."""
    refusal: str
    """Why not."""
    form: AccountForm


@dataclass(frozen=True, slots=True)
class LinkPage:
    form: NewPasswordForm
    owner: User | None
    """None if the link was used or has expired."""


def account_page(
    user: User,
    form: PasswordChangeForm,
    address_form: AddressForm,
    program_form: ProgramForm,
    *,
    questions: list[Question],
    may_start: bool,
    session: str,
    token: str = "",
) -> AccountPage:
    """Five queries, the last two for the clubs of `program_form`; and one for each merge of the owner's players."""
    lines = [BrowserLine(each, browser_name(each.browser), each.session == session) for each in sign_ins_of(user)]
    return AccountPage(
        owner=user,
        questions=questions,
        may_start=may_start,
        form=form,
        address_form=address_form,
        mails=bool(settings.EMAIL_URL),
        players=claimed_by(user),
        browsers=lines,
        programs=programs_of(user),
        program_form=program_form,
        directs=program_form.clubs.exists(),
        token=token,
    )


def forgotten_page(form: ForgottenForm, *, sent: bool) -> ForgottenPage:
    return ForgottenPage(form, bool(settings.EMAIL_URL), sent)


def browser_name(said: str) -> str:
    """A browser in words, like "Firefox, Android", from what it says it is."""
    found = [next((name for mark, name in names.items() if re.search(mark, said)), "") for names in (BROWSERS, SYSTEMS)]
    return ", ".join(filter(None, found)) or _("unknown browser")
