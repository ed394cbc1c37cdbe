"""The people of the clubs."""

from django.db.models import Q, QuerySet
from django.http import Http404
from django.utils.translation import gettext as _

from scorekeeper import place
from scorekeeper.access.actors import Actor
from scorekeeper.access.gate import let_in, newest_change, row_numbered
from scorekeeper.access.roles import clubs_for, clubs_hosted, clubs_listed, has_role
from scorekeeper.models import Club, Player, Role, shown


def players_for(actor: Actor) -> QuerySet[Player]:
    """The people whom `actor` may know of: in the clubs that they may see, without those whose name was deleted, and
    those who are hidden from everybody but the hosts of the club."""
    return players_played(actor).filter(deleted_at=None)


def players_played(actor: Actor) -> QuerySet[Player]:
    """Those whose results and ratings `actor` may see: also those whose name was deleted."""
    return _players_in(clubs_for(actor), actor)


def players_listed(actor: Actor) -> QuerySet[Player]:
    """Those of them whom `actor` may look for by name, in `clubs_listed`."""
    return _players_in(clubs_listed(actor), actor).filter(deleted_at=None)


def _players_in(clubs: QuerySet[Club], actor: Actor) -> QuerySet[Player]:
    seen = Player.objects.filter(club__in=clubs.values("pk"))
    return seen.filter(Q(hidden=False) | Q(club__in=clubs_hosted(actor).values("pk")))


def player_for(actor: Actor, player_id: int) -> Player:
    """The person with their club and its newest change, if `actor` may see them: nobody but the hosts of their club,
    and who claimed them, knows of somebody hidden; else Http404 or Refusal."""
    missing = _("This player does not exist.")
    players = Player.objects.select_related("club").annotate(change_id=newest_change("club", "club"))
    with shown.showing(None):
        player = players.filter(pk=player_id).first()
    if player is None:
        raise Http404(missing)
    player.club.newest_change = player.change_id
    if player.hidden and not (has_role(actor, player.club_id, Role.DIRECTOR) or has_claimed(actor, player)):
        raise Http404(missing)
    let_in(actor, player.club, None, "see")
    if player.person_id is not None:
        place.enter_all()
    shown.as_shown(player)
    return player


def two_for(actor: Actor, player_id: int, other_id: int) -> tuple[Player, Player]:
    """Two people, each as in `player_for`."""
    other, player = player_for(actor, other_id), player_for(actor, player_id)
    if other.person_id is not None or other.club_id != player.club_id:
        place.enter_all()
        for each in (player, other):
            shown.as_shown(each)
    return player, other


def own_player_for(actor: Actor, player_id: int) -> Player:
    """The person with their club, if the actor has claimed them, or hosts their club; else Http404 or Refusal."""
    player = row_numbered(Player.objects.select_related("club"), player_id, _("This player does not exist."))
    if actor.program is None and has_claimed(actor, player):
        place.enter(player.club)
        place.trust(player.club)
    else:
        let_in(actor, player.club, None, "host")
    return player


def has_claimed(actor: Actor, player: Player) -> bool:
    """Whether the actor's account has claimed the player, or somebody who was merged with them. One query, and one for
    each merge; none without a user."""
    return claimed_in(actor, player.club_id) == player


def claimed_in(actor: Actor, club_id: int) -> Player | None:
    """The player of a club whom the actor's account has claimed, or with whom that one was merged. One query, and one
    for each merge; none without a user."""
    own = Player.objects.filter(club=club_id, user=actor.user).first() if actor.user else None
    while own and own.merged_into:
        own = own.merged_into
    return own
