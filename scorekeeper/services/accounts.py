"""Accounts of those who sign in: their passwords, the links that set them, and the browsers they are signed in on."""

from collections.abc import Collection
from datetime import datetime, timedelta
from typing import Any

from axes.models import AccessAttempt, AccessLog
from django.contrib.auth.password_validation import validate_password
from django.contrib.sessions.models import Session
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext as _

from scorekeeper.models import AuditEntry, OneTimeLink, SignIn, User
from scorekeeper.names import folded, rewritten
from scorekeeper.services import links, storable
from scorekeeper.services.audit import note_for
from scorekeeper.services.changes import in_one_transaction
from scorekeeper.services.errors import Refused

PASSWORD, ADDRESS = "password", "address"
# What the audit notes about an account, with its name.
NOTED = (
    *(AuditEntry.Kind.ROLE_SET, AuditEntry.Kind.MEMBER_REMOVED, AuditEntry.Kind.PLAYER_RELEASED),
    *(AuditEntry.Kind.PASSWORD_LINK, AuditEntry.Kind.PASSWORD_SET, AuditEntry.Kind.PASSWORD_MAILED),
    AuditEntry.Kind.MAIL_SET,
)
LINK_LIVES = timedelta(days=1)
MAILED_LINK_LIVES = timedelta(hours=1)


@in_one_transaction
def new_user(*, name: str, password: str) -> User:
    """Makes an account. Raises Refused (`name-taken`), games.Malformed for a name, django's ValidationError for a weak
    password."""
    user = User(username=storable.name(name))
    if User.objects.filter(folded=folded(user.username)).exists():
        raise Refused("name-taken", _("Somebody already signs in as {name}.").format(name=user.username))
    validate_password(password, user)
    user.set_password(password)
    user.save()
    return user


@in_one_transaction
def password_link(*, user: User, by: User | None = None, now: datetime) -> str:
    """A new token with which this user sets a password; earlier ones stop working. `by`: None for the command line."""
    links.end_all(purpose=PASSWORD, user=user, now=now)
    note_for(user=user, kind=AuditEntry.Kind.PASSWORD_LINK, by=by, now=now)
    return links.make(purpose=PASSWORD, user=user, lives=LINK_LIVES, now=now)


@in_one_transaction
def mailed_link(*, user: User, now: datetime) -> str:
    """A new token, for a mail, with which this user sets a password. Earlier ones still work: anybody can ask for
    mails."""
    note_for(user=user, kind=AuditEntry.Kind.PASSWORD_MAILED, by=user, now=now)
    return links.make(purpose=PASSWORD, user=user, lives=MAILED_LINK_LIVES, now=now)


@in_one_transaction
def address_link(*, user: User, address: str, now: datetime) -> str:
    """A new token, for a mail to this address, that makes it the user's; earlier ones stop working."""
    links.end_all(purpose=ADDRESS, user=user, now=now)
    return links.make(purpose=ADDRESS, user=user, address=address, lives=LINK_LIVES, now=now)


def link_of_address(*, token: str, now: datetime) -> OneTimeLink | None:
    """The link with its user; None if it was used or has expired. One query."""
    return links.valid(purpose=ADDRESS, token=token, now=now).select_related("user").first()


@in_one_transaction
def set_address(*, token: str, now: datetime) -> User:
    """Gives the link's user its address. The link stops working. Refused "link-used"."""
    link = links.use(purpose=ADDRESS, token=token, now=now)
    if link is None or link.user is None:
        raise Refused("link-used", _("This link was used or has expired. Ask for a new one."))
    _keep_address(link.user, link.address, now)
    return link.user


@in_one_transaction
def remove_address(*, user: User, password: str, now: datetime) -> None:
    """Refused "wrong-password"."""
    must_be_password(user, password)
    links.end_all(purpose=ADDRESS, user=user, now=now)
    _keep_address(user, "", now)


def user_of_link(*, token: str, now: datetime) -> User | None:
    """Whose password this link sets; None if it was used or has expired. One query."""
    link = links.valid(purpose=PASSWORD, token=token, now=now).select_related("user").first()
    return link.user if link else None


@in_one_transaction
def set_password(*, token: str, password: str, now: datetime) -> User:
    """Sets the password of a link's user, who is then signed out everywhere. The link stops working.

    Raises Refused (`link-used`), django's ValidationError for a weak password.
    """
    link = links.use(purpose=PASSWORD, token=token, now=now)
    if link is None or link.user is None:
        raise Refused("link-used", _("This link was used or has expired. Ask for a new one."))
    _change(link.user, password, now)
    return link.user


@in_one_transaction
def change_password(*, user: User, old: str, new: str, now: datetime) -> None:
    """Changes the password of a user, who is then signed out everywhere; the door signs them in again on their browser.

    Raises Refused (`wrong-password`), django's ValidationError for a weak password.
    """
    must_be_password(user, old)
    _change(user, new, now)


def must_be_password(user: User, password: str) -> None:
    """Refused "wrong-password" for another one than the user's."""
    if not user.check_password(password):
        raise Refused("wrong-password", _("This is not your present password."))


@in_one_transaction
def rename(*, user: User, name: str) -> None:
    """Gives the account another name, with which it signs in from now on. The old one is nowhere any more."""
    others = {user.folded: name}
    user.username = name
    user.save(update_fields=["username"])
    for entry in AuditEntry.objects.filter(kind__in=NOTED):
        what = rewritten(entry.what, others)
        if what != entry.what:
            AuditEntry.objects.filter(pk=entry.pk).update(what=what)
    forget_attempts(others)


@in_one_transaction
def close(*, user: User, name: str) -> None:
    """Nobody can sign in with the account any more. What it did stays under this name; nothing else of it does."""
    rename(user=user, name=name)
    user.email, user.is_active = "", False
    user.set_unusable_password()
    user.save()
    _end(SignIn.objects.filter(user=user))
    user.memberships.all().delete()
    user.programs.all().delete()
    OneTimeLink.objects.filter(user=user).delete()


def forget_attempts(names: Collection[str]) -> None:
    """Deletes who tried to sign in with these names, as `names.folded` has them."""
    for attempts in (AccessAttempt, AccessLog):
        typed = attempts.objects.order_by().values_list("username", flat=True).distinct()
        attempts.objects.filter(username__in=[each for each in typed if folded(each or "") in names]).delete()


def end_sign_in(*, user: User, pk: int) -> None:
    """Signs the user out on this browser. Nothing happens if they are not signed in there any more."""
    _end(SignIn.objects.filter(user=user, pk=pk))


def note_sign_in(*, request: HttpRequest, user: User, **_signal: Any) -> None:
    """Notes on which browser a user signed in. Receives Django's signal."""
    browser = request.META.get("HTTP_USER_AGENT", "")[:200]
    key = request.session.session_key
    SignIn.objects.update_or_create(session=key, defaults={"user": user, "at": timezone.now(), "browser": browser})


def _end(sign_ins: QuerySet[SignIn]) -> None:
    Session.objects.filter(session_key__in=sign_ins.values("session")).delete()
    sign_ins.delete()


def _change(user: User, password: str, now: datetime) -> None:
    validate_password(password, user)
    user.set_password(password)
    user.save(update_fields=["password"])
    _end(SignIn.objects.filter(user=user))
    links.end_all(purpose=PASSWORD, user=user, now=now)
    note_for(user=user, kind=AuditEntry.Kind.PASSWORD_SET, by=user, now=now)


def _keep_address(user: User, address: str, now: datetime) -> None:
    user.email = address
    user.save(update_fields=["email"])
    note_for(user=user, kind=AuditEntry.Kind.MAIL_SET, by=user, now=now)
