"""Who may do what. Only this module decides it.

A visitor gets a 404 for what they may not know of, and a 403 with a code for what they may see but not do.
"""

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Literal, TypeVar

from django.core.exceptions import ObjectDoesNotExist, PermissionDenied
from django.db import connection
from django.db.models import CharField, Exists, Model, OuterRef, Q, QuerySet, Subquery, Value
from django.db.models.functions import Cast, Concat
from django.http import Http404, HttpRequest
from django.utils import timezone
from django.utils.crypto import constant_time_compare, salted_hmac
from django.utils.translation import gettext as _

from scorekeeper import place
from scorekeeper.models import (
    Change,
    Club,
    DeviceToken,
    Event,
    Job,
    Match,
    Membership,
    Pad,
    Player,
    ProgramToken,
    Role,
    Season,
    Table,
    User,
    shown,
)
from scorekeeper.models.job import PERSON_EXPORT

SESSION_KEY = "devices"
SESSION_PHONE = "phone"
KNOWN = "scorekeeper.known"  # in META of a request
# How long after the end of a match the phones of its table may still correct and confirm it.
AFTER_THE_END = timedelta(hours=1)
# How long a phone may record after it scanned a code: for a long evening, but not at the next one.
PASS_LIVES = timedelta(hours=18)
# The tokens of programs begin with this, those of tables do not.
PROGRAM = "scorekeeper_"
# In SQL, because every entry asks this: Django takes longer to make the question than the database to answer it.
TOKENS = """
    SELECT token.*, here.open AS at_open_table, pad.held IS FALSE AS let_go,
        (token.revoked_at IS NOT NULL OR COALESCE(pad.revoked_at >= token.made_at, FALSE)) AS withdrawn,
        COALESCE(pad.since > %s, FALSE) AS fresh
    FROM scorekeeper_devicetoken AS token
    JOIN scorekeeper_table AS here ON here.id = token.table_id
    LEFT JOIN scorekeeper_pad AS pad ON pad.table_id = token.table_id AND pad.phone = %s
    WHERE """
# The code of a refusal whose message has another name.
CODES = {
    "table-closed": "not-allowed",
    "hosts-only": "not-allowed",
    "code-ended": "token-revoked",
    "program-expired": "token-expired",
    "program-revoked": "token-revoked",
    "program-unknown": "token-unknown",
}
Need = Literal["see", "record", "host"]
T = TypeVar("T", bound=Model)


class Refusal(PermissionDenied):
    """A 403 that names the missing right: `code` for programs, `message` for people."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code, self.message = code, message


@dataclass(frozen=True)
class Actor:
    """Who sends a request: a user, a program of theirs, a holder of device tokens (table id → DeviceToken id), or
    nobody."""

    user: User | None = None
    devices: Mapping[int, int] = field(default_factory=dict)
    expired: frozenset[int] = frozenset()
    """Tables whose code this phone scanned too long ago."""
    revoked: Mapping[int, str] = field(default_factory=dict)
    """Tables for which a host has revoked every token: why each lets nobody in, as in `_refusal`."""
    program: ProgramToken | None = None
    """The token with which a program acts for the user: at most as a director of its club, elsewhere as nobody."""
    refused: str = ""
    """Why the token that the request carries lets nobody in, as in `_refusal`; "" if it does, or if there is none."""
    phone: str = ""
    """The digest of a phone that has scanned a code."""
    let_go: frozenset[int] = frozenset()
    """Tables at which another phone has taken the pad from this one."""

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


def device_of(token: str) -> DeviceToken:
    """The device token in a table's QR code, with its table and club; Refusal if it is not valid."""
    device = DeviceToken.objects.select_related("table__club").filter(sha256=digest(token)).first()
    if device is None:
        raise _refusal("token-unknown")
    if device.revoked_at:
        raise _refusal("code-ended")
    return device


def device_typed(short: str) -> DeviceToken | None:
    """The device token with this short code, with its table and club; None if there is none, if it is not valid, or
    while the club does not play: no night or tournament is open, and no match is in play at the table. Somebody who
    guesses must guess while others would see them. One query."""
    valid = DeviceToken.objects.select_related("table__club").filter(short=short, revoked_at=None, table__open=True)
    events = Event.objects.filter(club=OuterRef("table__club"), closed_at=None, removed=False)
    playing = Match.objects.filter(table=OuterRef("table"), finished_at=None)
    return valid.filter(Exists(events) | Exists(playing)).first()


def club_for(actor: Actor, slug: str, *, need: Role | None = None) -> Club:
    """The club, if `actor` has at least the role `need` there (None: anybody); else Http404 or Refusal."""
    club = Club.objects.filter(slug=slug).annotate(change_id=_newest_change("club", "pk")).first()
    if club is None:
        raise Http404(_("This club does not exist."))
    club.newest_change = club.change_id
    _allow(actor, club, None, "see")
    if need is not None and not has_role(actor, club.pk, need):
        raise _refusal(actor.refused or "not-allowed")
    if need is not None:
        place.trust(club)
    return club


def club_numbered(actor: Actor, club_id: int) -> Club:
    """The club with this id, if `actor` may see it; else Http404 or Refusal."""
    club = _row(Club.objects.all(), club_id, _("This club does not exist."))
    _allow(actor, club, None, "see")
    return club


def season_for(actor: Actor, season_id: int, *, need: Role | None = None) -> Season:
    """The season with its club, as in `club_for`; else Http404 or Refusal."""
    season = _row(Season.objects.select_related("club"), season_id, _("This season does not exist."))
    season.club = club_for(actor, season.club.slug, need=need)
    return season


def clubs_for(actor: Actor) -> QuerySet[Club]:
    """The clubs that `actor` may see: those that are public, and their own."""
    own = _memberships(actor).values("club") if actor.user else []
    return Club.objects.filter(Q(public=True) | Q(pk__in=own))


def clubs_listed(actor: Actor) -> QuerySet[Club]:
    """Those of them whose people and events are listed, ranked and found together: not the demonstration, as soon as
    there is another club."""
    return clubs_for(actor).filter(~Q(slug=Club.DEMO) | ~Exists(Club.objects.exclude(slug=Club.DEMO)))


def clubs_hosted(actor: Actor) -> QuerySet[Club]:
    """The clubs where `actor` is a host."""
    roles = [role for role in Role if role.covers(Role.DIRECTOR)]
    return Club.objects.filter(pk__in=_memberships(actor).filter(role__in=roles).values("club"))


def players_for(actor: Actor) -> QuerySet[Player]:
    """The people whom `actor` may know of: in the clubs that they may see, without those who are hidden from everybody
    but the hosts of the club."""
    return _players_in(clubs_for(actor), actor)


def players_listed(actor: Actor) -> QuerySet[Player]:
    """Those of them whom `actor` may look for by name, in `clubs_listed`."""
    return _players_in(clubs_listed(actor), actor)


def _players_in(clubs: QuerySet[Club], actor: Actor) -> QuerySet[Player]:
    seen = Player.objects.filter(club__in=clubs.values("pk"))
    return seen.filter(Q(hidden=False) | Q(club__in=clubs_hosted(actor).values("pk")))


def player_for(actor: Actor, player_id: int) -> Player:
    """The person with their club and its newest change, if `actor` may see them: nobody but the hosts of their club,
    and who claimed them, knows of somebody hidden; else Http404 or Refusal."""
    missing = _("This player does not exist.")
    players = Player.objects.select_related("club").annotate(change_id=_newest_change("club", "club"))
    with shown.showing(None):
        player = players.filter(pk=player_id).first()
    if player is None:
        raise Http404(missing)
    player.club.newest_change = player.change_id
    if player.hidden and not (has_role(actor, player.club_id, Role.DIRECTOR) or has_claimed(actor, player)):
        raise Http404(missing)
    _allow(actor, player.club, None, "see")
    if player.person_id is not None:
        place.enter_all()
    shown.as_shown(player)
    return player


def own_player_for(actor: Actor, player_id: int) -> Player:
    """The person with their club, if the actor has claimed them, or hosts their club; else Http404 or Refusal."""
    player = _row(Player.objects.select_related("club"), player_id, _("This player does not exist."))
    if actor.program is None and has_claimed(actor, player):
        place.enter(player.club)
        place.trust(player.club)
    else:
        _allow(actor, player.club, None, "host")
    return player


def has_claimed(actor: Actor, player: Player) -> bool:
    """Whether the actor's account has claimed the player, or somebody who was merged with them. One query, and one for
    each merge; none without a user."""
    own = Player.objects.filter(club=player.club_id, user=actor.user).first() if actor.user else None
    while own and own.merged_into:
        own = own.merged_into
    return own == player


def events_for(actor: Actor) -> QuerySet[Event]:
    """The nights and tournaments that `actor` may see in lists: none that are removed, and those that are not public
    only as a host."""
    seen = Event.objects.filter(club__in=clubs_for(actor).values("pk"), removed=False)
    return seen.filter(Q(public=True) | Q(club__in=clubs_hosted(actor).values("pk")))


def matches_for(actor: Actor) -> QuerySet[Match]:
    """The matches that `actor` may see in lists, without those of events that they may not see there."""
    seen = Match.objects.filter(club__in=clubs_for(actor).values("pk"))
    return seen.filter(Q(event=None) | Q(event__in=events_for(actor).values("pk")))


def table_for(actor: Actor, table_id: int, *, need: Need = "see") -> Table:
    """The table with its club, if `actor` may see, record at or host it; else Http404 or Refusal."""
    table = _row(Table.objects.select_related("club"), table_id, _("This table does not exist."))
    _allow(actor, table.club, table.pk, need)
    return table


def pad_for(actor: Actor, table_id: int) -> Table:
    """The table with its club, for a phone that scanned its code, with or without the pad; else Http404 or Refusal."""
    table = table_for(actor, table_id)
    if not actor.phone or table.pk not in actor.devices:
        raise _refusal(_lacks(actor, table.pk))
    return table


def without_pad_for(actor: Actor, table_id: int) -> Table:
    """The table with its club, for a phone that scanned its code while another phone has the pad; else Http404 or
    Refusal."""
    table = pad_for(actor, table_id)
    if table.pk not in actor.let_go:
        raise _refusal("pad-here")
    return table


def caller_for(actor: Actor, table_id: int) -> Table:
    """The table with its club, if `actor` may call the host to it: they scanned its code, or may record there; else
    Http404 or Refusal."""
    table = table_for(actor, table_id)
    return table if table.pk in actor.devices else table_for(actor, table_id, need="record")


def match_for(actor: Actor, match_id: int, *, need: Need = "see", removed: bool = False) -> Match:
    """The match with club and table, if `actor` may see, record or host it; else Http404 or Refusal. `removed`: also
    one that a host has removed."""
    matches = (Match.every if removed else Match.objects).select_related("club", "table")
    if need == "record":  # recording reads the row again under its lock
        columns = ("table_id", "event_id", "game", "options", "length", "edition", "finished_at")
        of_club = ("club__public", "club__language", "club__time_zone")
        matches = Match.objects.select_related("club").only(*columns, *of_club)
    match = _row(matches, match_id, _("This match does not exist."))
    _allow(actor, match.club, match.table_id, need, event=match.event_id)
    shown.as_shown(match)
    return match


def sheet_for(actor: Actor, match_id: int) -> Match:
    """The match with club and table, if `actor` may confirm or dispute its sheet: they may record there, or scanned the
    table's code, with or without the pad; else Http404 or Refusal. `must_speak_for` decides for which players."""
    match = match_for(actor, match_id)
    return match if match.table_id in actor.devices else match_for(actor, match_id, need="record")


def must_speak_for(
    actor: Actor, match: Match, kind: str, names: Sequence[str], withdrawn: Sequence[str], players: Sequence[str]
) -> None:
    """Refusal unless the actor may confirm or dispute the match's sheet for the players with these names. The phone
    with the pad speaks for everybody at the table, any other phone only for its owner. Only hosts and scorers open a
    confirmed match again (`reopen`).

    The `withdrawn` are the `players` whose dispute this entry withdraws. A phone that belongs to a player may
    withdraw only that player's dispute. A phone without an owner, the table's, withdraws one dispute at
    a time and says nothing else in the same entry. Hosts and scorers may withdraw all.
    """
    if has_role(actor, match.club_id, Role.SCORER):
        return
    if kind == "reopen":
        raise _refusal("not-allowed")
    if match.table_id not in actor.devices:
        raise _refusal(_lacks(actor, match.table_id))
    pads = Pad.objects.filter(table=match.table_id, phone=actor.phone)
    holder = pads.values_list("name", flat=True).first() if actor.phone else None
    if match.table_id not in actor.tables and {*names} != {holder}:
        raise _refusal("whose-phone")
    if withdrawn and ({*withdrawn} != {holder} if holder in players else {*names} != {*withdrawn[:1]}):
        raise _refusal("whose-word")


def night_for(actor: Actor, event_id: int, *, need: Need = "see") -> Event:
    """The night with its club, if `actor` may see it, record at all its tables or host it; else Http404 or Refusal."""
    nights = Event.objects.filter(kind=Event.Kind.NIGHT).select_related("club")
    night = _row(nights, event_id, _("This night does not exist."))
    _allow(actor, night.club, None, need, event=night.pk)
    return night


def event_for(actor: Actor, event_id: int, *, need: Need = "see") -> Event:
    """The night or tournament with its club, if `actor` may see it, record at all its tables or host it; else Http404
    or Refusal."""
    event = _row(Event.objects.select_related("club"), event_id, _("This night does not exist."))
    _allow(actor, event.club, None, need, event=event.pk)
    return event


def tournament_for(actor: Actor, event_id: int, *, need: Need = "see") -> Event:
    """The tournament with its club and its newest change, if `actor` may see it or host it; else Http404 or Refusal.
    Only hosts see one that is not public."""
    missing = _("This tournament does not exist.")
    # Read at the same moment as the tournament, also the names in its club.
    of_event, of_club = _newest_change(Event.Kind.TOURNAMENT, "pk"), _newest_change("club", "club")
    tournaments = Event.objects.filter(kind=Event.Kind.TOURNAMENT).select_related("club")
    tournament = tournaments.annotate(of_event=of_event, of_club=of_club).filter(pk=event_id).first()
    if tournament is None:
        raise Http404(missing)
    tournament.newest_change = max(tournament.of_event or 0, tournament.of_club or 0)
    if not tournament.public and not has_role(actor, tournament.club_id, Role.DIRECTOR):
        raise Http404(missing)
    _allow(actor, tournament.club, None, need, event=tournament.pk)
    return tournament


def _newest_change(kind: str, column: str) -> Subquery:
    """The id of the newest change of the topic of this kind, whose number is in the column."""
    topic = Concat(Value(f"{kind}:"), Cast(OuterRef(column), CharField()))
    return Subquery(Change.objects.filter(topic=topic).order_by("-pk").values("pk")[:1])


def arrival_key(event_id: int) -> str:
    """What the code in the hall has, so that nobody says from home that they have arrived."""
    return salted_hmac("arrival", str(event_id)).hexdigest()[:20]


def must_have_arrival_key(event: Event, key: str) -> None:
    """Http404 for another key."""
    if not constant_time_compare(key, arrival_key(event.pk)):
        raise Http404(_("This code is not for this tournament. Scan the code in the hall."))


def job_for(actor: Actor, job_id: int) -> Job:
    """The job with its club, for a host of the club, or for whoever asked for what is stored about one person; for
    everybody else Http404. Two queries."""
    job = Job.objects.select_related("club").filter(pk=job_id).first()
    if job is None or job.club is None or not _has_job(actor, job):
        raise Http404(_("This job does not exist."))
    place.enter(job.club)
    place.trust(job.club)
    return job


def _has_job(actor: Actor, job: Job) -> bool:
    if job.kind == PERSON_EXPORT:
        return actor.user is not None and actor.program is None and job.by_id == actor.user.pk
    return job.club_id is not None and has_role(actor, job.club_id, Role.DIRECTOR)


def keeps_data(actor: Actor) -> bool:
    """Whether the actor may have all data of the server: they own every club that has an owner. No program may. At most
    two queries."""
    if actor.user is None or actor.program:
        return False
    owners = Membership.objects.filter(role=Role.OWNER)
    mine = owners.filter(user=actor.user).values("club")
    return mine.exists() and not owners.exclude(club__in=mine).exists()


def must_keep_data(actor: Actor) -> None:
    """Refusal for everybody who may not have all data of the server."""
    if not keeps_data(actor):
        raise _refusal("not-keeper")


def has_role(actor: Actor, club_id: int, need: Role) -> bool:
    """Whether the actor's membership of the club covers `need`. One query, none without a user."""
    role = role_in(actor, club_id)
    return role is not None and role.covers(need)


def role_in(actor: Actor, club_id: int) -> Role | None:
    """The actor's role in the club; None without a membership. One query, none without a user."""
    if actor.user is None:
        return None
    found = _memberships(actor).filter(club_id=club_id).values_list("role", flat=True).first()
    role = Role(found) if found else None
    return Role.DIRECTOR if actor.program and role and role.covers(Role.DIRECTOR) else role


def _memberships(actor: Actor) -> QuerySet[Membership]:
    """The memberships of the user; for a program, only that in its club."""
    own = Membership.objects.filter(user=actor.user)
    return own.filter(club=actor.program.club_id) if actor.program else own


def may_record(actor: Actor, match: Match, now: datetime) -> bool:
    """Whether the actor may record in the match now: with the table's token, or as a scorer of its club."""
    by_table = match.table_id in actor.tables and not is_past(match, now)
    return by_table or has_role(actor, match.club_id, Role.SCORER)


def may_correct(actor: Actor, match: Match, now: datetime) -> bool:
    """Whether the actor may record in the match now, also in one that is over. Four queries at most."""
    over = match.finished_at is not None
    return may_record(actor, match, now) and not (over and _settled_for(actor, match))


def may_open_any_number(actor: Actor, table: Table) -> bool:
    """Whether no limit applies to how many matches the actor opens at the table: only tokens have one. One query at
    most."""
    return table.pk not in actor.devices or has_role(actor, table.club_id, Role.SCORER)


def is_past(match: Match, now: datetime) -> bool:
    """Whether the match ended so long ago that only hosts and scorers may change it."""
    return match.finished_at is not None and now - match.finished_at > AFTER_THE_END


def must_not_be_past(actor: Actor, match: Match, now: datetime) -> None:
    """Refusal if the actor may record in the match only with a table's token, and it ended too long ago for that. One
    query for such a match, else none."""
    if is_past(match, now) and match.table_id in actor.devices and not has_role(actor, match.club_id, Role.SCORER):
        raise _refusal("match-past")


def must_not_be_settled(actor: Actor, match: Match) -> None:
    """Refusal for the phones of a table if the match, which is over, counts as it is for everybody but hosts and
    scorers. Three queries at most."""
    if refusal := _settled_for(actor, match):
        raise refusal


def _settled_for(actor: Actor, match: Match) -> Refusal | None:
    if match.event_id is None or match.table_id not in actor.devices or has_role(actor, match.club_id, Role.SCORER):
        return None
    return settled(match)


def settled(match: Match) -> Refusal | None:
    """Why the phones of its table leave a match that is over as it is: its event is closed, or its tournament plays the
    next round. Two queries at most."""
    if match.event_id is None:
        return None
    if Event.objects.filter(pk=match.event_id, closed_at__isnull=False).exists():
        return _refusal("event-closed")
    newer = Match.objects.filter(event=match.event_id, event__kind=Event.Kind.TOURNAMENT, round__gt=match.round or 0)
    return _refusal("next-round") if match.round and newer.exists() else None


def must_host(actor: Actor, match: Match) -> None:
    """Refusal unless the actor hosts the club of the match. One query at most."""
    if not has_role(actor, match.club_id, Role.DIRECTOR):
        raise _refusal("hosts-only")


def must_decide(actor: Actor, match: Match) -> None:
    """Refusal for everybody known who does not host the club of the match: only hosts take back what a host decided.
    One query at most."""
    if actor.known and not has_role(actor, match.club_id, Role.DIRECTOR):
        raise _refusal("host-decided")


def may_at(actor: Actor, table: Table, need: Need) -> bool:
    """Whether the actor may see, record at or host the table. One query at most."""
    try:
        _allow(actor, table.club, table.pk, need)
    except Refusal:
        return False
    return True


def why_put_out(actor: Actor, table: Table) -> str:
    """Why a phone does not record at the table any more, and what to do; "" if it never did. One query at most."""
    out = not table.open or table.pk in actor.revoked or table.pk in actor.expired
    return _refusal(_lacks(actor, table.pk)).message if out else ""


def may_make_demo() -> bool:
    """Whether anybody may create the demonstration club, which nobody owns: only while there is no other club."""
    return not Club.objects.exists()


def must_not_be_revoked(actor: Actor, table: Table) -> None:
    """Refusal for a phone that scanned a code of the table which lets others in, but not this phone."""
    if table.pk in actor.revoked:
        raise _refusal(actor.revoked[table.pk])


def table_must_be_open(table: Table) -> None:
    """Refusal for everybody while the table is closed."""
    if not table.open:
        raise _refusal("table-closed")


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
    devices = request.session.get(SESSION_KEY, [])
    if not devices:
        return Actor(user)
    phone = digest(request.session[SESSION_PHONE]) if SESSION_PHONE in request.session else ""
    return _holder(f"token.id IN ({', '.join(['%s'] * len(devices))})", devices, now, user, phone=phone)


def _row(rows: QuerySet[T], pk: int, missing: str) -> T:
    """The row with this id; else Http404 with the text `missing`."""
    try:
        with shown.showing(None):
            return rows.get(pk=pk)
    except ObjectDoesNotExist as error:
        raise Http404(missing) from error


def _allow(actor: Actor, club: Club, table_id: int | None, need: Need, *, event: int | None = None) -> None:
    """Lets the actor in, or Refusal. What they see then is written as in the club; names are whole for those who may do
    more than look, and for phones at their table."""
    if not _sees(actor, club, table_id):
        raise _refusal(actor.refused or (table_id and actor.revoked.get(table_id)) or "not-public")
    place.enter(club, event)
    if need == "see" and table_id not in actor.devices:
        return
    if need == "see" or (need == "record" and table_id in actor.tables):
        return place.trust(club)
    if has_role(actor, club.pk, Role.SCORER if need == "record" else Role.DIRECTOR):
        return place.trust(club)
    raise _refusal(_lacks(actor, table_id) if need == "record" else actor.refused or "not-allowed")


def _sees(actor: Actor, club: Club, table_id: int | None = None) -> bool:
    """Whether the actor may see what is in the club, or what is at this table of it. A club that is not public is seen
    by its members; by phones with the code of a table, what is at that. One query at most."""
    return club.public or table_id in actor.devices or has_role(actor, club.pk, Role.PLAYER)


def _lacks(actor: Actor, table_id: int | None) -> str:
    """The code for why the actor may not record at the table. One query at most."""
    if actor.refused:
        return actor.refused
    if table_id is not None and Table.objects.filter(pk=table_id, open=False).exists():
        return "table-closed"
    if ended := table_id and actor.revoked.get(table_id):
        return ended
    if actor.revoked and not actor.devices:
        return "token-revoked"
    if table_id in actor.expired or (actor.expired and not actor.devices):
        return "token-expired"
    if table_id in actor.let_go:
        return "pad-elsewhere"
    return "other-table" if actor.devices else "not-allowed"


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
    )


def _refusal(why: str) -> Refusal:
    messages = {
        "not-allowed": _(
            "You can look at this but not change it. Scan the QR code on the table, or sign in as a host."
        ),
        "not-public": _("This club is not public. Sign in as a member. At a table, scan its QR code."),
        "hosts-only": _("Only a host can do this. Call the host to the table, or sign in as one."),
        "host-decided": _("A host entered this, so only a host can take it back. Call the host to the table."),
        "not-keeper": _("Backups contain every club on this server. Sign in as somebody who owns all of them."),
        "table-closed": _("This table is closed. Ask a host to open it again."),
        "other-table": _("This phone belongs to another table. Scan the QR code on this table and try again."),
        "event-closed": _("This night or tournament is closed, so its results stay. Ask a host to change this one."),
        "next-round": _("The next round has begun, so this result stays. Ask a host to change it."),
        "match-past": _("This match is over. Ask a host to change it."),
        "pad-elsewhere": _("Another phone keeps the score of this table now. Take the pad, or record here too."),
        "pad-here": _("This phone has the pad of the table. Reload the page."),
        "whose-phone": _("This phone can answer only for its owner. First choose whose phone it is."),
        "whose-word": _(
            "Only the player who disputed the score can withdraw the dispute, on their own phone. "
            "A host can do it for anybody."
        ),
        "token-expired": _("This phone scanned the code of this table long ago. Scan it again, then try again."),
        "token-revoked": _(
            "A host has withdrawn this phone's pass. Scan the new QR code on the table, or ask a host for one."
        ),
        "code-ended": _("The code of this table was renewed. Scan the new card on the table, or ask a host for it."),
        "token-unknown": _("This pass is unknown. Scan the QR code on the table and try again."),
        "program-expired": _("The token of this program has expired. Make a new one on your account page."),
        "program-revoked": _("The token of this program was revoked. Make a new one on your account page."),
        "program-unknown": _("The token of this program is unknown. Make a new one on your account page."),
    }
    return Refusal(CODES.get(why, why), messages[why])
