"""Reading who is one person: in a club by merges, on the whole server by accounts and by links between clubs."""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import chain, count

from django.db.models import Q, QuerySet

from scorekeeper.models import Club, Player, Role, SamePerson, User
from scorekeeper.names import alphabetical, folded
from scorekeeper.selectors.clubs import names_of, same_people


@dataclass(frozen=True, slots=True)
class Link:
    """A link between two clubs, or the question about it, as the hosts of one of them see it."""

    row: SamePerson
    own: Player
    other: Player
    """Who counts as the person at the other club."""
    asked: bool
    """Whether the other club has asked, and this one has not answered."""


def persons_of(players: Iterable[int]) -> list[list[Player]]:
    """The persons behind these players, each with everybody who is the same by merges, by their account and by agreed
    links, with their clubs; the oldest first. Two queries for each step from the players to them, and one more."""
    found: dict[int, Player] = {}
    pairs: list[tuple[int, int]] = []
    near = Q(pk__in=[*players])
    while rows := list(Player.objects.filter(near).exclude(pk__in=found).select_related("club")):
        found |= {row.pk: row for row in rows}
        into = [row.merged_into_id for row in rows if row.merged_into_id]
        users = {row.user_id for row in rows if row.user_id}
        links = list(_links(row.pk for row in rows).exclude(agreed_at=None).values_list("asked_by", "asked_of"))
        near = Q(pk__in=[*into, *chain(*links)]) | Q(merged_into__in=rows) | Q(user__in=users)
        pairs += links
    of_user: dict[int, int] = {}
    pairs += [(row.pk, row.merged_into_id) for row in found.values() if row.merged_into_id]
    pairs += [(row.pk, of_user.setdefault(row.user_id, row.pk)) for row in found.values() if row.user_id]
    return [[found[pk] for pk in sorted(group)] for group in sorted(joined(found, pairs), key=min)]


def joined(ids: Iterable[int], pairs: Iterable[tuple[int, int]]) -> list[set[int]]:
    """The ids in groups, so that both of each pair are in the same group."""
    groups = {each: {each} for each in ids}
    for one, other in pairs:
        if groups[one] is not groups[other]:
            groups[one] |= groups[other]
            groups |= dict.fromkeys(groups[other], groups[one])
    return list({id(group): group for group in groups.values()}.values())


def counting(player: Player) -> Player:
    """The person as whom a player counts, with their club. One query for each merge."""
    while player.merged_into_id is not None:
        player = Player.objects.select_related("club").get(pk=player.merged_into_id)
    return player


def claimant(player: Player) -> User | None:
    """The account that has claimed the player, or somebody who was merged with them. Two queries."""
    return User.objects.filter(players__in=same_people(player.club_id, player.pk)).first()


def claimed_by(user: User) -> list[Player]:
    """The players of an account, each as the person as whom they count, by club. One query, and one for each merge."""
    own = [counting(each) for each in user.players.select_related("club")]
    return sorted(own, key=lambda each: alphabetical(each.club.name))


def claimed_in(user: User | None, club: Club) -> list[int]:
    """The ids of the players of an account in this club. One query; none without an account."""
    return [] if user is None else [*user.players.filter(club=club).values_list("pk", flat=True)]


@dataclass(frozen=True, slots=True)
class Parting:
    """What becomes of an account if the name of its player is deleted."""

    user: User
    closes: bool
    """Whether nobody can sign in with it any more, because it is nothing but this player."""
    name: str
    """Its new name; "" if it keeps its name."""


def parting(player: Player) -> Parting | None:
    """None for somebody without an account. At most seven queries."""
    user = claimant(player)
    if user is None:
        return None
    same = same_people(player.club_id, player.pk)
    roles = user.memberships.exclude(club=player.club_id, role=Role.PLAYER)
    closes = not (user.players.exclude(pk__in=same).exists() or roles.exists())
    named = folded(user.username) in map(folded, names_of(same))
    return Parting(user, closes, _nameless(user) if closes or named else "")


def _nameless(user: User) -> str:
    """A free name for the account that tells of nobody, the same in every language."""
    names = (f"Account {number}" for number in count(user.pk))
    return next(name for name in names if not User.objects.filter(folded=folded(name)).exists())


def links_of(player: Player) -> list[Link]:
    """The links of a person and the questions about them, the oldest first. Two queries, and one for each merge."""
    same = same_people(player.club_id, player.pk)
    return [_seen(link, link.asked_by_id in same) for link in _with_clubs(_links(same))]


def questions_for(club: Club) -> list[Link]:
    """What other clubs have asked and the club has not answered, the oldest first. One query, and one for each
    merge."""
    return [_seen(link, False) for link in _with_clubs(SamePerson.objects.filter(asked_of__club=club, agreed_at=None))]


def _links(players: Iterable[int]) -> QuerySet[SamePerson]:
    ids = [*players]
    return SamePerson.objects.filter(Q(asked_by__in=ids) | Q(asked_of__in=ids))


def _with_clubs(links: QuerySet[SamePerson]) -> QuerySet[SamePerson]:
    return links.select_related("asked_by__club", "asked_of__club").order_by("asked_at", "pk")


def _seen(link: SamePerson, has_asked: bool) -> Link:
    """The link as the club sees it that has asked, or the other one."""
    own, other = (link.asked_by, link.asked_of) if has_asked else (link.asked_of, link.asked_by)
    return Link(link, counting(own), counting(other), asked=not has_asked and link.agreed_at is None)
