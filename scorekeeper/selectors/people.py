"""Reading the people of a club as their hosts see them."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass

from django.db.models import Q, QuerySet

from scorekeeper.models import Club, FormerName, Match, Player, Seat, Substitute
from scorekeeper.names import alphabetical, near
from scorekeeper.selectors.clubs import canonical, everybody_of, never_played

WHICH: Mapping[str, Callable[[Player], bool]] = {
    "": lambda player: True,
    "members": lambda player: player.offered and not player.guest,
    "guests": lambda player: player.offered and player.guest,
    "hidden": lambda player: player.hidden,
    "left": lambda player: player.left,
    "merged": lambda player: player.merged_into_id is not None,
}


@dataclass(frozen=True, slots=True)
class Question:
    """A typed name that nobody has, and who has nearly this name."""

    name: str
    people: tuple[Player, ...]
    spellings: tuple[str, ...] = ()
    """The new names before it in the same list."""


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody in the list of a club's people."""

    player: Player
    former: Sequence[str]
    """Their former names, the newest first."""
    counts_as: Player | None
    """The person with whom they were merged, if they were."""


@dataclass(frozen=True, kw_only=True)
class Known:
    """What the club knows about a person."""

    player: Player
    former: Sequence[FormerName]
    counts_as: Player | None
    merged: Sequence[Player]
    """Who was merged with them."""
    alike: Sequence[Player]
    """Other people with nearly this name."""
    others: Sequence[Player]
    """Everybody else with whom they can be merged."""
    played: int
    """In how many matches that count."""
    removable: bool
    """Whether nothing needs them."""


def people_found(club: Club, text: str, which: str) -> list[Person]:
    """The people whose name, or a former name, has this text in it, by name. `which`: a key of WHICH. Two queries."""
    everybody = everybody_of(club)
    by_id = {player.pk: player for player in everybody}
    former: dict[int, list[str]] = {}
    for player, name in FormerName.objects.filter(player__club=club).values_list("player", "name"):
        former.setdefault(player, []).append(name)
    wanted, chosen = alphabetical(" ".join(text.split()))[0], WHICH[which]
    return [
        Person(player, former.get(player.pk, ()), canonical(player, by_id) if player.merged_into_id else None)
        for player in everybody
        if chosen(player) and any(wanted in alphabetical(name)[0] for name in (player.name, *former.get(player.pk, ())))
    ]


def known_about(club: Club, player_id: int) -> Known:
    """Player.DoesNotExist for a person of another club. Four queries."""
    everybody = {player.pk: player for player in everybody_of(club)}
    if player_id not in everybody:
        raise Player.DoesNotExist
    player = everybody[player_id]
    others = [each for each in everybody.values() if each.merged_into_id is None and each != player]
    fits = near(player.name, [each.name for each in others])
    return Known(
        player=player,
        former=list(player.former_names.all()),
        counts_as=canonical(player, everybody) if player.merged_into_id else None,
        merged=[each for each in everybody.values() if each.merged_into_id == player_id],
        alike=[each for each in others if each.name in fits],
        others=others,
        played=player.results.filter(counts=True).values("match").distinct().count(),
        removable=never_played(player),
    )


def matches_of(people: Collection[int]) -> QuerySet[Match]:
    """The matches in which one of these people sat."""
    seats, substitutes = (rows.objects.filter(player__in=people).values("match") for rows in (Seat, Substitute))
    return Match.objects.filter(Q(pk__in=seats) | Q(pk__in=substitutes))
