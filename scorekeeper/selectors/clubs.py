"""Reading clubs and their people."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Count, Exists, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce

from scorekeeper.models import (
    Club,
    Entrant,
    Event,
    FormerName,
    Match,
    Membership,
    Player,
    Role,
    Seat,
    SeatResult,
    Substitute,
    User,
)
from scorekeeper.names import alphabetical, folded


def in_numbers(clubs: QuerySet[Club]) -> list[Any]:
    """The clubs by name, each with `matches_playing`, the number of matches in play. One query."""
    going_on = Match.objects.filter(club=OuterRef("pk"), finished_at=None).order_by()
    playing = going_on.values("club").annotate(number=Count("pk"))
    found = clubs.annotate(matches_playing=Coalesce(Subquery(playing.values("number")), 0)).order_by("pk")
    return sorted(found, key=lambda club: alphabetical(club.name))


def that_answer(clubs: QuerySet[Club]) -> QuerySet[Club]:
    """Those of the clubs that have a host, who can answer a question. The demonstration has none."""
    roles = [role for role in Role if role.covers(Role.DIRECTOR)]
    hosts = Membership.objects.filter(club=OuterRef("pk"), role__in=roles, user__is_active=True)
    return clubs.filter(Exists(hosts))


def owned_by(user: User) -> QuerySet[Club]:
    """The clubs of an owner by name. One query."""
    return Club.objects.filter(memberships__user=user, memberships__role=Role.OWNER).order_by("name")


def members_of(club: Club) -> list[Membership]:
    """The club's members with their users, the highest role first, then by name. One query."""
    roles = list(Role)
    found = Membership.objects.filter(club=club).select_related("user")
    return sorted(found, key=lambda each: (roles.index(Role(each.role)), alphabetical(each.user.get_username())))


def everybody_of(club: Club) -> list[Player]:
    """All people that the club ever had, by name: also those who have left, and who was merged with somebody. One
    query."""
    return sorted(club.players.all(), key=lambda player: alphabetical(player.name))


def players_of(club: Club) -> list[Player]:
    """The people from whom hosts choose, by name. One query."""
    return [player for player in everybody_of(club) if player.offered]


def all_members(club: Club) -> set[int]:
    """The members from whom hosts choose, without guests. One query."""
    return {player.pk for player in players_of(club) if not player.guest}


def listed_of(club: Club) -> list[Player]:
    """The people whom everybody may see in a list, by name. One query."""
    return [player for player in players_of(club) if not player.hidden]


def canonical(player: Player, people: Mapping[int, Player]) -> Player:
    """The person as whom the player counts. `people`: by id, everybody with whom somebody was merged."""
    while player.merged_into_id is not None:
        player = people[player.merged_into_id]
    return player


def counted_as(club_id: int) -> dict[int, int]:
    """By id of everybody who was merged with somebody: the id of the person as whom they count. One query."""
    return {player: chain[-1] for player, chain in _chains(club_id).items()}


def same_people(club_id: int, player: int) -> set[int]:
    """The ids of a person and of everybody who was merged with them, directly or not. One query."""
    return {player, *(merged for merged, chain in _chains(club_id).items() if player in chain)}


def names_of(people: Collection[int]) -> list[str]:
    """Every name that these people have or had, and under which they sat at a table. One query."""
    seats, former = Seat.objects.order_by(), FormerName.objects.order_by()
    names = (
        former.filter(player__in=people).values_list("name"),
        seats.filter(player__in=people).values_list("name"),
        seats.filter(first_player__in=people).values_list("first_name"),
        Substitute.objects.order_by().filter(player__in=people).values_list("name"),
    )
    own = Player.objects.filter(pk__in=people).values_list("name")
    return sorted(name for (name,) in own.union(*names) if name)


def _chains(club_id: int) -> dict[int, list[int]]:
    """By id of everybody who was merged with somebody: that person, whom that person was merged with, and so on."""
    merged = Player.objects.filter(club_id=club_id, merged_into__isnull=False).values_list("pk", "merged_into")
    into = {player: other for player, other in merged if other}
    chains = {player: [other] for player, other in into.items()}
    for chain in chains.values():
        while chain[-1] in into:
            chain.append(into[chain[-1]])
    return chains


def known_names(club_id: int) -> list[tuple[str, Player]]:
    """Every name by which the club knows somebody, and the person who counts. The names that count less come first:
    former ones, then those of people who were merged, then the names of today, the oldest person last. Two queries."""
    people = {player.pk: player for player in Player.objects.filter(club_id=club_id).order_by("-pk")}
    former = FormerName.objects.filter(player__club_id=club_id).order_by("until", "pk").values_list("name", "player")
    known = [(name, people[player]) for name, player in former]
    known += [(player.name, player) for player in sorted(people.values(), key=lambda each: each.merged_into_id is None)]
    return [(name, canonical(player, people)) for name, player in known]


def players_named(club_id: int, names: Iterable[str]) -> dict[str, Player]:
    """The club's people for typed names, by the typed name. Two queries.

    Capitals and spaces do not matter, and a former name is as good as the present one. If two people differ only in
    capitals, the name means the one with exactly this spelling, else the older one.
    """
    known = known_names(club_id)
    alike = {folded(name): player for name, player in known}
    written = {name: player for name, player in known if player.name == name}
    meant = {name: written.get(name) or alike.get(folded(name)) for name in names}
    return {name: player for name, player in meant.items() if player}


def never_played(player: Player) -> bool:
    """Whether no match, no event and nobody who was merged with them needs the player. One query."""
    needless = Q(seats=None, substitutions=None, results=None, entries=None, arrivals=None, merged=None)
    sat_first = Exists(Seat.objects.filter(first_player=OuterRef("pk")))
    return Player.objects.filter(needless, ~sat_first, pk=player.pk).exists()


@dataclass(frozen=True, slots=True)
class NightInNumbers:
    """A night with what lists tell of it."""

    night: Event
    matches: int
    """Those in play, and those that are over and have a result."""
    people: int
    """Everybody who was there or played; who was merged with somebody counts as that person."""


def newest_nights(club: Club, at_most: int | None) -> tuple[list[NightInNumbers], Event | None]:
    """The club's newest nights, and the open one. Two queries, three with nights, and another one if the open
    night is older."""
    open_id = Subquery(club.events.filter(kind=Event.Kind.NIGHT, closed_at=None).order_by().values("pk"))
    entered = Exists(SeatResult.objects.filter(Q(hands__gt=0) | Q(unverified=True), match=OuterRef("pk")))
    matches = Match.objects.filter(Q(finished_at=None) | entered, event=OuterRef("pk")).order_by()
    in_numbers = matches.values("event").annotate(number=Count("pk")).values("number")
    found = club.events.filter(kind=Event.Kind.NIGHT).annotate(open_id=open_id, match_count=Subquery(in_numbers))
    nights = list(found.order_by("-id")[:at_most])
    came = who_came(club, nights)
    shown = [NightInNumbers(night, night.match_count or 0, len(came[night.pk])) for night in nights]
    tonight = next((night for night in nights if night.closed_at is None), None)
    older = nights[0].open_id if nights and not tonight else None
    return shown, Event.objects.get(pk=older) if older else tonight


def who_came(club: Club, nights: Sequence[Event]) -> dict[int, set[int]]:
    """By id of each night: the ids of those who were there or played. Two queries."""
    matches = Match.objects.filter(event__in=nights)
    ticked = Entrant.objects.filter(event__in=nights).order_by().values_list("event", "player")
    sat = (
        rows.objects.filter(match__in=matches, player__isnull=False).order_by().values_list("match__event", "player")
        for rows in (Seat, Substitute)
    )
    merged, came = counted_as(club.pk), {night.pk: set[int]() for night in nights}
    for night, player in ticked.union(*sat):
        came[night].add(merged.get(player, player))
    return came
