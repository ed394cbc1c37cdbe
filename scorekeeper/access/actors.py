"""Who sends a request."""

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from hashlib import sha256

from django.db import connection
from django.http import HttpRequest
from django.utils import timezone

from scorekeeper.models import DeviceToken, ProgramToken, User

SESSION_KEY = "devices"
SESSION_PHONE = "phone"
SESSION_TEAMS = "teams"
ME = "me"  # the cookie that remembers which player a visitor is
KNOWN = "scorekeeper.known"  # in META of a request
# How long a phone may record after it scanned a code: for a long evening, but not at the next one.
PASS_LIVES = timedelta(hours=18)
# The tokens of programs begin with this, those of tables do not.
PROGRAM = "scorekeeper_"
# In SQL, because every entry asks this: Django takes longer to make the question than the database to answer it.
TOKENS = """
    SELECT token.*, here.open AS at_open_table, pad.held IS FALSE AS let_go,
        (token.revoked_at IS NOT NULL OR COALESCE(pad.revoked_at >= token.made_at, FALSE)) AS withdrawn,
        COALESCE(pad.since > %s, FALSE) AS fresh, COALESCE(pad.name, '') AS owner
    FROM scorekeeper_devicetoken AS token
    JOIN scorekeeper_table AS here ON here.id = token.table_id
    LEFT JOIN scorekeeper_pad AS pad ON pad.table_id = token.table_id AND pad.phone = %s
    WHERE """


@dataclass(frozen=True)
class Actor:
    """Who sends a request: a user, a program of theirs, a holder of device tokens (table id → DeviceToken id), or
    nobody."""

    user: User | None = None
    devices: Mapping[int, int] = field(default_factory=dict)
    expired: frozenset[int] = frozenset()
    """Tables whose code this phone scanned too long ago."""
    revoked: Mapping[int, str] = field(default_factory=dict)
    """Tables for which a host has revoked every token: why each lets nobody in, as in `refusal`."""
    program: ProgramToken | None = None
    """The token with which a program acts for the user: at most as a director of its club, elsewhere as nobody."""
    refused: str = ""
    """Why the token that the request carries lets nobody in, as in `refusal`; "" if it does, or if there is none."""
    phone: str = ""
    """The digest of a phone that has scanned a code."""
    let_go: frozenset[int] = frozenset()
    """Tables at which another phone has taken the pad from this one."""
    teams: tuple[int, ...] = ()
    """The ids of the secret links of teams that this browser has opened, revoked or not."""
    scanned: frozenset[int] = frozenset()
    """Tables whose code this phone has scanned a short time ago, whether that still lets it in or not."""
    owners: frozenset[str] = frozenset()
    """The names of those to whom this phone belongs, as they chose at tables."""
    chosen: int | None = None
    """The id of the player whom this browser chose as its own, on the pages of an event. Anybody can choose anybody."""

    @property
    def known(self) -> bool:
        """Whether this is a user or holds a token that is valid: nobody can invent either."""
        return self.user is not None or bool(self.devices)

    @property
    def tables(self) -> frozenset[int]:
        """Ids of the open tables at which this actor may record with a token."""
        return frozenset(self.devices) - self.let_go


def digest(token: str) -> str:
    """The digest under which a token is stored."""
    return sha256(token.encode(errors="surrogatepass")).hexdigest()


def actor_of(request: HttpRequest, *, now: datetime | None = None) -> Actor:
    """The actor of a request, from `Authorization: Bearer` or else from the session. At most two queries."""
    actor = _by_token_or_session(request, now or timezone.now())
    request.META[KNOWN] = actor.known
    return actor


def is_known(request: HttpRequest) -> bool | None:
    """Whether `actor_of` found somebody behind this request. None if nothing has asked."""
    return request.META.get(KNOWN)


def remember(request: HttpRequest, device: DeviceToken) -> str:
    """Saves a device token in the visitor's session, which identifies their phone from now on. The phone's digest."""
    others = [pk for pk in request.session.get(SESSION_KEY, []) if pk != device.pk]
    request.session[SESSION_KEY] = [*others[-19:], device.pk]
    return digest(request.session.setdefault(SESSION_PHONE, secrets.token_urlsafe(32)))


def bearer_of(authorization: str) -> str | None:
    """The token in the value of an `Authorization` header; None if it is not a token."""
    scheme, _sep, token = authorization.partition(" ")
    return token.strip() if scheme.lower() == "bearer" else None


def _by_token_or_session(request: HttpRequest, now: datetime) -> Actor:
    token = bearer_of(request.headers.get("Authorization", ""))
    if token is not None and token.startswith(PROGRAM):
        return _program(token, now)
    if token is not None:
        return _holder("token.sha256 = %s", [digest(token)], now, bearer=True)
    user = request.user if isinstance(request.user, User) else None
    devices, teams = request.session.get(SESSION_KEY, []), tuple(request.session.get(SESSION_TEAMS, ()))
    me = request.COOKIES.get(ME, "")
    chosen = int(me) if me.isascii() and me.isdecimal() and len(me) < 19 else None
    if not devices:
        return Actor(user, teams=teams, chosen=chosen)
    phone = digest(request.session[SESSION_PHONE]) if SESSION_PHONE in request.session else ""
    holder = _holder(f"token.id IN ({', '.join(['%s'] * len(devices))})", devices, now, user, phone=phone)
    return replace(holder, teams=teams, chosen=chosen)


def _program(token: str, now: datetime) -> Actor:
    """The actor with this token of a program. One query."""
    found = ProgramToken.objects.select_related("user").filter(sha256=digest(token), user__is_active=True).first()
    if found is None:
        return Actor(refused="program-unknown")
    if found.revoked_at:
        return Actor(refused="program-revoked")
    if found.expires_at <= now:
        return Actor(refused="program-expired")
    return Actor(found.user, program=found)


def _holder(
    condition: str,
    values: Sequence[object],
    now: datetime,
    user: User | None = None,
    *,
    phone: str = "",
    bearer: bool = False,
) -> Actor:
    """The actor with the tokens that meet an SQL condition, and with what is saved of their phone. One query."""
    since = connection.ops.adapt_datetimefield_value(now - PASS_LIVES)
    held = list(DeviceToken.objects.raw(f"{TOKENS}{condition} ORDER BY token.id", [since, phone, *values]))
    current = {device.table_id: device for device in held if not device.withdrawn}
    valid = {device.table_id: device for device in current.values() if device.fresh or bearer}
    good = {table_id: device for table_id, device in valid.items() if device.at_open_table}
    return Actor(
        user,
        {table_id: device.pk for table_id, device in good.items()},
        frozenset(current) - valid.keys(),
        {
            device.table_id: "code-ended" if device.revoked_at else "token-revoked"
            for device in held
            if device.table_id not in current
        },
        refused="token-unknown" if bearer and not held else "",
        phone=phone if good else "",
        let_go=frozenset(table_id for table_id, device in good.items() if device.let_go),
        scanned=frozenset(device.table_id for device in held if device.fresh or bearer),
        owners=frozenset(device.owner for device in held if device.owner),
    )
