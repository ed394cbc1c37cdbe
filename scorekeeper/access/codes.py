"""The codes at tables and in the hall."""

from django.db.models import Exists, OuterRef
from django.http import Http404
from django.utils.crypto import constant_time_compare, salted_hmac
from django.utils.translation import gettext as _

from scorekeeper.access.actors import digest
from scorekeeper.access.refusals import refusal
from scorekeeper.models import DeviceToken, Event, Match


def device_of(token: str) -> DeviceToken:
    """The device token in a table's QR code, with its table and club; Refusal if it is not valid."""
    device = DeviceToken.objects.select_related("table__club").filter(sha256=digest(token)).first()
    if device is None:
        raise refusal("token-unknown")
    if device.revoked_at:
        raise refusal("code-ended")
    return device


def device_typed(short: str) -> DeviceToken | None:
    """The device token with this short code, with its table and club; None if there is none, if it is not valid, or
    while the club does not play: no night or tournament is open, and no match is in play at the table. Somebody who
    guesses must guess while others would see them. One query."""
    valid = DeviceToken.objects.select_related("table__club").filter(short=short, revoked_at=None, table__open=True)
    events = Event.objects.filter(club=OuterRef("table__club"), closed_at=None, removed=False)
    playing = Match.objects.filter(table=OuterRef("table"), finished_at=None)
    return valid.filter(Exists(events) | Exists(playing)).first()


def arrival_key(event_id: int) -> str:
    """What the code in the hall has, so that nobody says from home that they have arrived."""
    return salted_hmac("arrival", str(event_id)).hexdigest()[:20]


def must_have_arrival_key(event: Event, key: str) -> None:
    """Http404 for another key."""
    if not constant_time_compare(key, arrival_key(event.pk)):
        raise Http404(_("This code is not for this tournament. Scan the code in the hall."))
