"""Mails with links: for a new password, and to confirm an address.

A worker sends them: whoever asks learns neither from the answer nor from its time whether an address is known here.
"""

from datetime import datetime, timedelta

from django.core.mail import send_mail
from django.urls import reverse
from django.utils import translation
from django.utils.translation import gettext as _

from scorekeeper.models import Job, User
from scorekeeper.services import accounts, jobs
from scorekeeper.services.changes import in_one_transaction

KIND = "mail"
PASSWORD, ADDRESS = "password", "address"  # what its link sets
PAUSE = timedelta(minutes=5)  # nobody gets the same mail twice within this time


@in_one_transaction
def send_password_link(*, address: str, base: str, now: datetime) -> None:
    """Sends everybody who has confirmed this address a link that sets their password. `base`: the server's address,
    without a slash at its end."""
    _send(PASSWORD, address, base, None, now)


@in_one_transaction
def confirm_address(*, user: User, password: str, address: str, base: str, now: datetime) -> None:
    """Sends a link to this address that makes it the user's. Refused "wrong-password"."""
    accounts.must_be_password(user, password)
    _send(ADDRESS, address, base, user, now)


def work(run: jobs.Run) -> None:
    """Sends the mail of a job."""
    args, now = run.job.args, run.clock()
    with translation.override(args["language"]):
        if args["what"] == ADDRESS:
            _send_confirmation(User.objects.get(pk=args["user"]), args["address"], args["base"], now)
        else:
            for user in User.objects.filter(email__iexact=args["address"], is_active=True):
                _send_password(user, args["base"], now)
    run.done()


def _send(what: str, address: str, base: str, user: User | None, now: datetime) -> None:
    args = {"what": what, "address": address.lower(), "user": user and user.pk}
    same = Job.objects.filter(kind=KIND, made_at__gt=now - PAUSE, **{f"args__{name}": args[name] for name in args})
    if not same.exclude(state=Job.State.FAILED).exists():
        more = {"base": base, "language": translation.get_language()}
        jobs.start(kind=KIND, args=args | more, club=None, by=None, now=now)


def _send_password(user: User, base: str, now: datetime) -> None:
    url = base + reverse("password", args=[accounts.mailed_link(user=user, now=now)])
    text = _(
        "Somebody, probably you, wants a new password for {name} at {server}.\n\n"
        "This link sets it. It works once, for an hour:\n{url}\n\n"
        "If it was not you, do nothing. The password stays as it is.\n"
    )
    send_mail(_("A new password"), text.format(name=user, server=base, url=url), None, [user.email])


def _send_confirmation(user: User, address: str, base: str, now: datetime) -> None:
    url = base + reverse("address", args=[accounts.address_link(user=user, address=address, now=now)])
    text = _(
        "{name} entered this address at {server}.\n\n"
        "This link confirms it. It works once, for a day:\n{url}\n\n"
        "If it was not you, do nothing.\n"
    )
    send_mail(_("Confirm your address"), text.format(name=user, server=base, url=url), None, [address])
