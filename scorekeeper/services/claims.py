"""An account claims a player: then it is the page of whoever signs in."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.utils.translation import gettext as _

from scorekeeper.access import digest
from scorekeeper.models import AuditEntry, Club, Membership, OneTimeLink, Player, Role, User
from scorekeeper.selectors.clubs import same_people
from scorekeeper.selectors.persons import claimant, claimed_by, counting
from scorekeeper.services import accounts, links, persons
from scorekeeper.services.audit import WHAT, note
from scorekeeper.services.changes import announce, in_one_transaction
from scorekeeper.services.errors import Refused

CLAIM = "claim"
LINK_LIVES = timedelta(days=7)


@dataclass(frozen=True, slots=True)
class Offer:
    """What a link to claim a player offers to somebody."""

    player: Player | None
    """Who counts as the person, with their club; None if the link was used or has expired."""
    refusal: str = ""
    """Why this account, or nobody, can claim them."""
    own: bool = False
    """Whether the account has claimed the player already, with this link or before."""


@in_one_transaction
def make_link(*, club: Club, player_id: int, by: User | None, now: datetime) -> str:
    """A new token with which one account claims the player; earlier ones stop working. Refused "deleted", "claimed".
    Player.DoesNotExist for a player of another club."""
    _lock(club)
    player = counting(club.players.select_related("club").get(pk=player_id))
    if refused := _obstacle(player, None):
        raise refused
    links.end_all(purpose=CLAIM, player__in=same_people(club.pk, player.pk), now=now)
    note(club=club, kind=AuditEntry.Kind.CLAIM_MADE, by=by, now=now, what=player.name)
    return links.make(purpose=CLAIM, player=player, lives=LINK_LIVES, now=now)


def offer(*, token: str, user: User | None, now: datetime) -> Offer:
    """What the link offers to this account; None: to a new one. At most nine queries, and one for each merge."""
    link = OneTimeLink.objects.filter(sha256=digest(token), purpose=CLAIM).select_related("player__club").first()
    player = counting(link.player) if link and link.player else None
    if player and user and claimant(player) == user:
        return Offer(player, own=True)
    if player is None or not links.valid(purpose=CLAIM, token=token, now=now).exists():
        return Offer(None)
    refused = _obstacle(player, user)
    return Offer(player, refused.message if refused else "")


@in_one_transaction
def claim(*, token: str, user: User, now: datetime) -> Player:
    """The account claims the player of the link, which then stops working, and belongs to the club at least as a
    player. Refused "link-used", "deleted", "claimed", "other-player", and "two-in-a-club" as `persons.settle`."""
    link = links.valid(purpose=CLAIM, token=token, now=now).select_related("player__club").first()
    if link is None or link.player is None:
        raise _used()
    _lock(link.player.club)
    if links.use(purpose=CLAIM, token=token, now=now) is None:
        raise _used()
    player = counting(Player.objects.select_related("club").get(pk=link.player.pk))
    if refused := _obstacle(player, user):
        raise refused
    player.user = user
    player.save(update_fields=["user"])
    Membership.objects.get_or_create(user=user, club=player.club, defaults={"role": Role.PLAYER})
    _done(player, AuditEntry.Kind.PLAYER_CLAIMED, user, now, player.name)
    persons.settle([player.pk], by=user, now=now)
    return player


@in_one_transaction
def claim_as_new(*, token: str, name: str, password: str, now: datetime) -> tuple[Player, User]:
    """Makes an account, which claims the player. Raises Refused ("name-taken", and as `claim`), games.Malformed for a
    name, django's ValidationError for a weak password."""
    user = accounts.new_user(name=name, password=password)
    return claim(token=token, user=user, now=now), user


@in_one_transaction
def release(*, player_id: int, by: User | None, now: datetime) -> Player:
    """Ends the claim of a player. The account leaves the club if it was there only as this player. Refused
    "not-claimed". Player.DoesNotExist."""
    player = counting(Player.objects.select_related("club").get(pk=player_id))
    _lock(player.club)
    user = claimant(player)
    if user is None:
        raise Refused("not-claimed", _("No account has claimed {name}.").format(name=player.name))
    user.players.filter(club=player.club_id).update(user=None)
    Membership.objects.filter(user=user, club=player.club_id, role=Role.PLAYER).delete()
    _done(player, AuditEntry.Kind.PLAYER_RELEASED, by, now, f"{player.name} ({user})")
    persons.settle([player.pk], by=by, now=now)
    return player


def _obstacle(player: Player, user: User | None) -> Refused | None:
    """Why the account, None: any, cannot claim the player."""
    club = player.club.name
    if player.deleted_at:
        return Refused("deleted", _("The name of this player was deleted at their request. Nobody can claim them."))
    if claimant(player):
        text = _("Another account has claimed {name} already. If that is wrong, a host of {club} can end that claim.")
        return Refused("claimed", text.format(name=player.name, club=club))
    other = next((each for each in claimed_by(user) if each.club_id == player.club_id), None) if user else None
    if other:
        text = _(
            "Your account is {other} at {club} already. If {name} is the same person, ask a host to merge both. Then"
            " both are yours."
        )
        return Refused("other-player", text.format(other=other.name, name=player.name, club=club))
    return None


def _used() -> Refused:
    return Refused("link-used", _("This link was used or has expired. Ask a host of the club for a new one."))


def _lock(club: Club) -> None:
    """So that two accounts never claim a player at the same time."""
    Club.objects.select_for_update(no_key=True).only("pk").get(pk=club.pk)


def _done(player: Player, kind: AuditEntry.Kind, by: User | None, now: datetime, what: str) -> None:
    note(club=player.club, kind=kind, by=by, now=now, what=what[:WHAT])
    announce(kind="players", club_id=player.club_id, now=now)
