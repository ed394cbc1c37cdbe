"""Reading clubs and their people."""

from collections.abc import Iterable
from typing import Any

from django.db.models import Count, F, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce

from scorekeeper.models import Club, Event, Match, Membership, Player, Role, Seat, User
from scorekeeper.names import alphabetical, folded


def in_numbers(clubs: QuerySet[Club]) -> QuerySet[Any]:
    """The clubs by name, each with `matches_playing`, the number of matches in play. One query."""
    going_on = Match.objects.filter(club=OuterRef("pk"), finished_at=None).order_by()
    playing = going_on.values("club").annotate(number=Count("pk"))
    return clubs.annotate(matches_playing=Coalesce(Subquery(playing.values("number")), 0)).order_by("name", "pk")


def owned_by(user: User) -> QuerySet[Club]:
    """The clubs of an owner by name. One query."""
    return Club.objects.filter(memberships__user=user, memberships__role=Role.OWNER).order_by("name")


def members_of(club: Club) -> list[Membership]:
    """The club's members with their users, the highest role first, then by name. One query."""
    roles = list(Role)
    found = Membership.objects.filter(club=club).select_related("user")
    return sorted(found, key=lambda each: (roles.index(Role(each.role)), alphabetical(each.user.get_username())))


def players_of(club: Club) -> list[Player]:
    """The club's players by name. One query."""
    return sorted(club.players.all(), key=lambda player: alphabetical(player.name))


def players_named(club_id: int, names: Iterable[str]) -> dict[str, Player]:
    """The club's players for typed names, by the typed name. One query.

    Capitals and spaces do not matter. If two players differ only in capitals, the name means the one with exactly this
    spelling, else the older one.
    """
    players = list(Player.objects.filter(club_id=club_id).order_by("-pk"))
    alike = {folded(player.name): player for player in players}
    written = {player.name: player for player in players}
    meant = {name: written.get(name) or alike.get(folded(name)) for name in names}
    return {name: player for name, player in meant.items() if player}


def nights_in_numbers(club: Club) -> QuerySet[Event]:
    """The club's nights, the newest first, each with `match_count` and `player_count`. One query."""
    counted = Count("match", distinct=True), Count("player", distinct=True)
    seats = (
        Seat.objects.filter(match__event=OuterRef("pk")).order_by().annotate(night=F("match__event")).values("night")
    )
    matches, players = (Subquery(seats.annotate(number=number).values("number")) for number in counted)
    nights = club.events.filter(kind=Event.Kind.NIGHT)
    return nights.annotate(match_count=matches, player_count=players).order_by("-id")


def newest_nights(club: Club, at_most: int | None) -> tuple[list[Event], Event | None]:
    """The club's newest nights, as from `nights_in_numbers`, and the open one. One query, and another one if the open
    night is older."""
    open_id = Subquery(club.events.filter(kind=Event.Kind.NIGHT, closed_at=None).order_by().values("pk"))
    nights = list(nights_in_numbers(club).annotate(open_id=open_id)[:at_most])
    tonight = next((night for night in nights if night.closed_at is None), None)
    older = nights[0].open_id if nights and not tonight else None
    return [*nights], Event.objects.get(pk=older) if older else tonight
