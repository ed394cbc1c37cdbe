"""Who may do what: the only place that decides it.

What a visitor may not know of is a 404; what he may see but not do is a 403 with a code that says why.
"""

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from hashlib import sha256
from typing import Literal, TypeVar

from django.core.exceptions import PermissionDenied
from django.db.models import Model, QuerySet
from django.http import Http404, HttpRequest
from django.utils import timezone
from django.utils.translation import gettext as _

from scorekeeper.models import Club, DeviceToken, Job, Match, Membership, Night, Pad, Role, Table, User

SESSION_KEY = "devices"
SESSION_PHONE = "phone"
Need = Literal["see", "record", "host"]
T = TypeVar("T", bound=Model)


class Refusal(PermissionDenied):
    """A 403 that says which right is missing: `code` for programs, `message` for people."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code, self.message = code, message


@dataclass(frozen=True)
class Actor:
    """Who is asking: a user, a holder of device tokens (table id → DeviceToken id), or nobody."""

    user: User | None = None
    devices: Mapping[int, int] = field(default_factory=dict)
    # Tables whose token he holds only in a form that has run out; whether he shows one nobody knows.
    expired: frozenset[int] = frozenset()
    unknown: bool = False
    # What is stored of a phone that scanned a code, and at which tables another one has taken the pad over from it.
    phone: str = ""
    let_go: frozenset[int] = frozenset()

    @property
    def tables(self) -> frozenset[int]:
        """Ids of the open tables at which this actor may record by token."""
        return frozenset(self.devices) - self.let_go


def digest(token: str) -> str:
    """What is stored of a token."""
    return sha256(token.encode(errors="surrogatepass")).hexdigest()


def actor_of(request: HttpRequest, *, now: datetime | None = None) -> Actor:
    """The actor of a request: by `Authorization: Bearer`, else by session. At most three queries."""
    now = now or timezone.now()
    scheme, _sep, token = request.headers.get("Authorization", "").partition(" ")
    if scheme.lower() == "bearer":
        return _held(DeviceToken.objects.filter(sha256=digest(token.strip())), now, bearer=True)
    user = request.user if isinstance(request.user, User) else None
    known = request.session.get(SESSION_KEY, [])
    if not known:
        return Actor(user)
    actor = _held(DeviceToken.objects.filter(pk__in=known), now, user)
    if not actor.devices or SESSION_PHONE not in request.session:
        return actor
    phone = digest(request.session[SESSION_PHONE])
    let_go = Pad.objects.filter(phone=phone, held=False, table__in=actor.devices).values_list("table", flat=True)
    return replace(actor, phone=phone, let_go=frozenset(let_go))


def remember(request: HttpRequest, device: DeviceToken) -> None:
    """Keeps a device token in the visitor's session, by which his phone is known from now on."""
    known = [pk for pk in request.session.get(SESSION_KEY, []) if pk != device.pk]
    request.session[SESSION_KEY] = [*known[-19:], device.pk]
    request.session.setdefault(SESSION_PHONE, secrets.token_urlsafe(32))


def device_of(token: str, *, now: datetime) -> DeviceToken:
    """The device token behind a table's QR code, with its table and club; Refusal if it is not good."""
    device = DeviceToken.objects.select_related("table__club").filter(sha256=digest(token)).first()
    if device is None:
        raise _refusal("token-unknown")
    if device.revoked_at or device.expires_at <= now:
        raise _refusal("token-expired")
    return device


def club_for(actor: Actor, slug: str, *, need: Role | None = None) -> Club:
    """The club, if `actor` holds at least `need` there (None: anybody); else Http404 or Refusal."""
    club = Club.objects.filter(slug=slug).first()
    if club is None:
        raise Http404(_("There is no such club here."))
    if need is not None and not has_role(actor, club.pk, need):
        raise _refusal("not-allowed")
    return club


def table_for(actor: Actor, table_id: int, *, need: Need = "see") -> Table:
    """The table with its club, if `actor` may see, record at or host it; else Http404 or Refusal."""
    table = _found(Table.objects.select_related("club"), table_id, _("There is no such table here."))
    _allow(actor, table.club_id, table, need)
    return table


def pad_for(actor: Actor, table_id: int) -> Table:
    """The table with its club, for a phone that scanned its code, whoever holds its pad; else Http404 or Refusal."""
    table = table_for(actor, table_id)
    if not actor.phone or table.pk not in actor.devices:
        raise _refusal(_lacks(actor, table))
    return table


def caller_for(actor: Actor, table_id: int) -> Table:
    """The table with its club, for who may call the host to it: whoever scanned its code, or records there; else
    Http404 or Refusal."""
    table = table_for(actor, table_id)
    return table if table.pk in actor.devices else table_for(actor, table_id, need="record")


def match_for(actor: Actor, match_id: int, *, need: Need = "see") -> Match:
    """The match with club and table, if `actor` may see, record or host it; else Http404 or Refusal."""
    matches = Match.objects.select_related("club", "table")
    if need == "record":  # who enters something reads it again once the row is locked: what is cached is read then
        matches = matches.defer("sheet", "offers")
    match = _found(matches, match_id, _("There is no such match here."))
    _allow(actor, match.club_id, match.table, need)
    return match


def sheet_for(actor: Actor, match_id: int) -> Match:
    """The match with club and table, for who may say whether its sheet is right: who records there, or scanned the
    table's code, whoever holds its pad; else Http404 or Refusal. For whom he may say it: `must_speak_for`."""
    match = match_for(actor, match_id)
    return match if match.table_id in actor.devices else match_for(actor, match_id, need="record")


def must_speak_for(
    actor: Actor, match: Match, kind: str, names: Sequence[str], withdrawn: Sequence[str], players: Sequence[str]
) -> None:
    """Refusal unless the actor may say this of the match's sheet for the people of these names. Who records says it
    for everybody at the table, a phone whose pad is elsewhere for whoever holds it; a match that was confirmed is
    opened again (`reopen`) by hosts and scorers.

    Who said "not so" withdraws it himself: the `withdrawn` are those of the `players` whose objection this takes back.
    A phone of one of the players may do so for him alone; one that is nobody's, the table's, for one at a time, and
    for nobody else in the same breath. Hosts and scorers may for all.
    """
    if has_role(actor, match.club_id, Role.SCORER):
        return
    if kind == "reopen":
        raise _refusal("not-allowed")
    if match.table_id not in actor.devices:
        raise _refusal(_lacks(actor, match.table))
    pads = Pad.objects.filter(table=match.table_id, phone=actor.phone)
    holder = pads.values_list("name", flat=True).first() if actor.phone else None
    if match.table_id not in actor.tables and {*names} != {holder}:
        raise _refusal("whose-phone")
    if withdrawn and ({*withdrawn} != {holder} if holder in players else {*names} != {*withdrawn[:1]}):
        raise _refusal("whose-word")


def night_for(actor: Actor, night_id: int, *, need: Need = "see") -> Night:
    """The night with its club, if `actor` may see it, record at all its tables or host it; else Http404 or Refusal."""
    night = _found(Night.objects.select_related("club"), night_id, _("There is no such night here."))
    _allow(actor, night.club_id, None, need)
    return night


def job_for(actor: Actor, job_id: int) -> Job:
    """The job with its club, for a host of the club; for everybody else there is none: Http404. Two queries."""
    job = Job.objects.select_related("club").filter(pk=job_id).first()
    if job is None or job.club_id is None or not has_role(actor, job.club_id, Role.DIRECTOR):
        raise Http404(_("There is no such job here."))
    return job


def has_role(actor: Actor, club_id: int, need: Role) -> bool:
    """Whether the actor's membership of the club covers `need`. One query, none without a user."""
    if actor.user is None:
        return False
    role = Membership.objects.filter(user=actor.user, club_id=club_id).values_list("role", flat=True).first()
    return role is not None and Role(role).covers(need)


def may_record(actor: Actor, match: Match) -> bool:
    """Whether the actor may write into the match: by his table's token, or as scorer of its club."""
    return match.table_id in actor.tables or has_role(actor, match.club_id, Role.SCORER)


def may_make_demo() -> bool:
    """Whether anybody may have the demonstration club made, which nobody owns: only while there is no club at all."""
    return not Club.objects.exists()


def table_must_be_open(table: Table) -> None:
    """Refusal while the table is closed, for whoever asks."""
    if not table.open:
        raise _refusal("table-closed")


def _found(rows: QuerySet[T], pk: int, missing: str) -> T:
    """The row of that number; else Http404 that says what is missing."""
    try:
        return rows.get(pk=pk)
    except rows.model.DoesNotExist as error:
        raise Http404(missing) from error


def _allow(actor: Actor, club_id: int, table: Table | None, need: Need) -> None:
    if need == "see":
        return
    if need == "record" and table is not None and table.pk in actor.tables:
        return
    if has_role(actor, club_id, Role.SCORER if need == "record" else Role.DIRECTOR):
        return
    raise _refusal(_lacks(actor, table) if need == "record" else "not-allowed")


def _lacks(actor: Actor, table: Table | None) -> str:
    """Why the actor may not record at the table."""
    if actor.unknown:
        return "token-unknown"
    if (table is not None and table.pk in actor.expired) or (actor.expired and not actor.devices):
        return "token-expired"
    if table is not None and not table.open:
        return "table-closed"
    if table is not None and table.pk in actor.let_go:
        return "pad-elsewhere"
    return "other-table" if actor.devices else "not-allowed"


def _held(devices: QuerySet[DeviceToken], now: datetime, user: User | None = None, *, bearer: bool = False) -> Actor:
    """The actor who shows these tokens."""
    shown = list(devices.select_related("table"))
    good = {d.table_id: d for d in shown if not d.revoked_at and d.expires_at > now}
    return Actor(
        user,
        {table_id: d.pk for table_id, d in good.items() if d.table.open},
        frozenset(d.table_id for d in shown) - good.keys(),
        unknown=bearer and not shown,
    )


def _refusal(why: str) -> Refusal:
    messages = {
        "not-allowed": _("You may look at this, not change it. Scan the QR code on the table, or sign in as a host."),
        "table-closed": _("This table is closed. Ask a host to open it again."),
        "other-table": _("This phone belongs to another table. Scan the QR code on this table and try again."),
        "pad-elsewhere": _("Another phone keeps the score of this table now. Take the pad back, or record here too."),
        "whose-phone": _("This phone says it for whoever holds it. Say first whose phone it is."),
        "whose-word": _("Who says that it is not so withdraws it himself, on his own phone. A host may for everybody."),
        "token-expired": _("This phone's pass has run out. Scan today's QR code on the table and try again."),
        "token-unknown": _("This pass is not known here. Scan the QR code on the table and try again."),
    }
    return Refusal("not-allowed" if why == "table-closed" else why, messages[why])
