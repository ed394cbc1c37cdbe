"""Whom the public reads by initials: everybody who wants that, and everybody who is hidden."""

from collections.abc import Collection, Iterable
from datetime import datetime
from itertools import count

from django.db.models import Q

from scorekeeper.models import Club, Event, Player
from scorekeeper.names import folded, initials
from scorekeeper.selectors.clubs import canonical, names_of, players_named
from scorekeeper.selectors.people import matches_of
from scorekeeper.selectors.persons import persons_of
from scorekeeper.services.changes import announce, in_one_transaction


@in_one_transaction
def follow(clubs: Iterable[int], *, now: datetime) -> None:
    """In these clubs the public reads initials instead of every name of those who want that, in this club or in one
    where they are linked as the same person, and of those who are hidden here. Everybody has others. What shows
    something new is announced."""
    for club in Club.objects.filter(pk__in=[*clubs]).order_by("pk"):
        people = {player.pk: player for player in club.players.order_by("pk")}
        same: dict[int, list[int]] = {}
        for player in people.values():
            same.setdefault(canonical(player, people).pk, []).append(player.pk)
        before, club.initials = club.initials, _initials(club, people, same)
        names = {name for name, _shown in before.items() ^ club.initials.items()}
        if names:
            club.save(update_fields=["initials"])
            shown = {player.pk for player in players_named(club.pk, names).values()}
            _announce({row for each in shown for row in same[each]}, now)


def _initials(club: Club, people: dict[int, Player], same: dict[int, list[int]]) -> dict[str, str]:
    """`people` of the club by id, and by id of each person the rows that are the `same`."""
    hidden = Q(hidden=True, merged_into=None, club=club)
    asking = Player.objects.filter(Q(initials=True) | hidden, deleted_at=None)
    short = {row.pk for person in persons_of(asking.values_list("pk", flat=True)) for row in person}
    found: dict[str, str] = {}
    for who, group in same.items():
        if short.intersection(group):
            others = {folded(player.name) for player in people.values() if player.pk not in group}
            taken = others | {folded(shown) for shown in found.values()}
            letters = initials(people[who].name)
            ways = (letters if number == 1 else f"{letters} {number}" for number in count(1))
            shown = next(each for each in ways if folded(each) not in taken)
            found |= dict.fromkeys(map(folded, names_of(group)), shown)
    return found


def _announce(people: Collection[int], now: datetime) -> None:
    """The pages of everything that names these people show something new."""
    for match in matches_of(people).select_related("event"):
        announce(
            kind="players", club_id=match.club_id, table_id=match.table_id, match=match, event=match.event, now=now
        )
    for event in Event.objects.filter(entrants__player__in=people).select_related("club").order_by("pk"):
        announce(kind="players", club_id=event.club_id, event=event, now=now)
