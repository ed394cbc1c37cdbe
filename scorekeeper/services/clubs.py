"""A new club, its players and its tables."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import Max
from django.utils.text import slugify
from django.utils.translation import gettext as _

from scorekeeper.live.hub import OF_ALL
from scorekeeper.models import AuditEntry, Club, Membership, Player, Role, Table, User
from scorekeeper.names import folded
from scorekeeper.selectors.clubs import players_named
from scorekeeper.services import accounts, initials, links, storable
from scorekeeper.services.audit import note, note_at
from scorekeeper.services.changes import announce, in_one_transaction
from scorekeeper.services.errors import Refused

FOUND_CLUB = "found-club"
LINK_LIVES = timedelta(days=2)
SETTINGS = ("name", "language", "time_zone", "public")


def founded() -> bool:
    """Whether a club has an owner. The demonstration club has none. One query."""
    return Membership.objects.filter(role=Role.OWNER).exists()


@in_one_transaction
def setup_link(now: datetime) -> str:
    """A new token with which somebody starts a club. Before the first club, earlier ones stop working; after that each
    is for a club of its own."""
    if not founded():
        links.end_all(purpose=FOUND_CLUB, now=now)
    return links.make(purpose=FOUND_CLUB, lives=LINK_LIVES, now=now)


def setup_open(*, token: str, now: datetime) -> bool:
    """Whether the one-time link is still valid. One query."""
    return links.valid(purpose=FOUND_CLUB, token=token, now=now).exists()


@in_one_transaction
def start_club(
    *,
    owner: User,
    club_name: str,
    now: datetime,
    language: str = settings.LANGUAGE_CODE,
    time_zone: str = settings.TIME_ZONE,
) -> Club:
    """Makes a club with its owner. games.Malformed for its name."""
    club = _club(name=club_name, language=language, time_zone=time_zone, now=now)
    Membership.objects.create(user=owner, club=club, role=Role.OWNER)
    note(club=club, kind=AuditEntry.Kind.ROLE_GIVEN, by=owner, now=now, what=Role.OWNER)
    return club


@in_one_transaction
def start_by_link(*, token: str, owner: User, now: datetime, **about: str) -> Club:
    """Makes a club as `start_club` does, of which `about` has the name, language and time zone. The link then stops
    working. Refused "link-used"."""
    if links.use(purpose=FOUND_CLUB, token=token, now=now) is None:
        used = _("This link was used or has expired. Ask who runs this server for a new one.")
        raise Refused("link-used", used)
    return start_club(owner=owner, now=now, **about)


@in_one_transaction
def found_club(*, token: str, host_name: str, password: str, now: datetime, **about: str) -> tuple[Club, User]:
    """Makes an account, and a club that it owns, as `start_by_link` does. Raises also Refused ("name-taken"),
    games.Malformed for a name, django's ValidationError for a weak password."""
    user = accounts.new_user(name=host_name, password=password)
    return start_by_link(token=token, owner=user, now=now, **about), user


def settings_of(club: Club) -> dict[str, Any]:
    """What its owners can set, by the names of its columns."""
    return {name: getattr(club, name) for name in SETTINGS}


@in_one_transaction
def set_settings(*, club: Club, new: Mapping[str, Any], by: User | None, now: datetime) -> None:
    """Changes the settings, all of SETTINGS by name. Those who follow pages of the club and may not go on are told.
    games.Malformed for a name."""
    club = Club.objects.select_for_update(no_key=True).get(pk=club.pk)
    before = settings_of(club)
    after = {**new, "name": storable.name(new["name"])}
    changed = {name: value for name, value in after.items() if value != before[name]}
    if not changed:
        return
    Club.objects.filter(pk=club.pk).update(**changed)
    for name, value in changed.items():
        kind, what = _in_the_audit(name, before[name], value)
        note(club=club, kind=kind, by=by, now=now, what=what)
    announce(kind=OF_ALL, club_id=club.pk, now=now)
    for event in club.events.filter(closed_at=None):  # their pages show the club's name
        announce(kind=OF_ALL, club_id=club.pk, event=event, now=now)


@in_one_transaction
def demo_club(*, name: str, now: datetime) -> Club:
    """Makes the demonstration club, still empty; Refused if it exists."""
    if Club.objects.filter(slug=Club.DEMO).exists():
        raise Refused("club-exists", _("The demonstration club already exists."))
    return Club.objects.create(slug=Club.DEMO, name=storable.name(name), created_at=now)


@in_one_transaction
def player_add(*, club: Club, name: str, guest: bool = False, now: datetime, by: User | None = None) -> Player:
    """Adds a player; Refused "name-taken" if the club has that name, in upper or lower case; games.Malformed if it is
    not a name. The audit page shows a host (`by`)."""
    player = _kept(Player(club=club, guest=guest), name, now)
    if by:
        note(club=club, kind=AuditEntry.Kind.PLAYER_ADDED, by=by, now=now, what=player.name)
    return player


@in_one_transaction
def player_rename(*, club: Club, player_id: int, name: str, now: datetime, by: User | None = None) -> Player:
    """Changes a player's name; matches and events that are over keep the old one, and it still finds them. Refused and
    Malformed as for a new player, Refused "deleted" for a name that was deleted, Player.DoesNotExist for a player of
    another club."""
    player = club.players.select_for_update(no_key=True).get(pk=player_id)
    if player.deleted_at:
        raise Refused("deleted", _("This name was deleted already."))
    before = player.name
    _kept(player, name, now)
    player.former_names.filter(folded=folded(player.name)).delete()
    if folded(before) != folded(player.name):
        player.former_names.update_or_create(folded=folded(before), defaults={"name": before, "until": now})
    initials.follow([club.pk], now=now)
    for event in club.events.filter(closed_at=None).order_by("pk"):  # their pages show names of today
        announce(kind="players", club_id=club.pk, event=event, now=now)
    note(club=club, kind=AuditEntry.Kind.PLAYER_RENAMED, by=by, now=now, what=f"{before} → {player.name}")
    return player


@in_one_transaction
def table_add(*, club: Club, name: str = "", now: datetime, by: User | None = None) -> Table:
    """Adds a table to the club, with the next number from 1. The audit page shows a host (`by`); tables that a round
    adds come with its step."""
    Club.objects.select_for_update(no_key=True).get(pk=club.pk)
    last = club.tables.aggregate(last=Max("number"))["last"] or 0
    table = Table.objects.create(club=club, number=last + 1, name=storable.name(name) if name.strip() else "")
    if by:
        note_at(table=table, kind=AuditEntry.Kind.TABLE_ADDED, by=by, now=now)
    announce(kind="tables", club_id=club.pk, table_id=table.pk, now=now)
    return table


def _kept(player: Player, name: str, now: datetime) -> Player:
    """Saves the player with this name."""
    player.name = storable.name(name)
    there = players_named(player.club_id, [player.name]).get(player.name, player)
    if there != player:
        raise _taken(there, player.name)
    try:
        with transaction.atomic():
            player.save()
    except IntegrityError as error:
        raise _taken(player, player.name) from error
    announce(kind="players", club_id=player.club_id, now=now)
    return player


def _taken(there: Player, name: str) -> Refused:
    if folded(there.name) == folded(name):
        return Refused("name-taken", _("The club already has a player called {name}.").format(name=there.name))
    text = _("{name} is another name of {player}. Remove it on their page before somebody else gets it.")
    return Refused("name-taken", text.format(name=name, player=there.name))


def _in_the_audit(setting: str, before: Any, after: Any) -> tuple[AuditEntry.Kind, str]:
    match setting:
        case "name":
            return AuditEntry.Kind.CLUB_RENAMED, f"{before} → {after}"
        case "language":
            return AuditEntry.Kind.LANGUAGE_SET, after
        case "time_zone":
            return AuditEntry.Kind.ZONE_SET, after
    return AuditEntry.Kind.CLUB_OPENED if after else AuditEntry.Kind.CLUB_CLOSED, ""


def _club(*, name: str, language: str, time_zone: str, now: datetime) -> Club:
    """Makes a club with its own address, made from its name."""
    kept = storable.name(name)
    stem = slugify(kept)[:50] or "club"
    taken = {Club.DEMO, *Club.objects.filter(slug__startswith=stem).values_list("slug", flat=True)}
    slugs = (stem if n == 1 else f"{stem}-{n}" for n in range(1, len(taken) + 2))
    slug = next(s for s in slugs if s not in taken)
    return Club.objects.create(slug=slug, name=kept, language=language, time_zone=time_zone, created_at=now)
