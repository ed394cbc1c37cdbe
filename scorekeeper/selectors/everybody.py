"""Everybody on the server, by name. Whom a visitor sees is decided by the rows that come in."""

from collections.abc import Iterable, Sequence

from django.db.models import Count, Exists, OuterRef, Q, QuerySet
from django.db.models.functions import Substr

from scorekeeper.models import Match, Player, SeatResult


def letters_of(players: QuerySet[Player]) -> list[str]:
    """With which the names of the players begin. One query."""
    letters = players.exclude(name_words="").annotate(letter=Substr("name_words", 1, 1)).order_by()
    return sorted(letters.values_list("letter", flat=True).distinct())


def persons(players: QuerySet[Player]) -> QuerySet[Player]:
    """The people among the players, each once, in the order of their names: not those who were merged with others,
    and of several who are linked as one person only the oldest."""
    counting = players.filter(merged_into=None)
    older = counting.filter(person=OuterRef("person"), pk__lt=OuterRef("pk"))
    return counting.filter(Q(person=None) | ~Exists(older)).order_by("name_words", "pk")


def of_the_same(players: QuerySet[Player], shown: Sequence[Player]) -> list[list[Player]]:
    """For each of those shown: the players who are this person, with their clubs, they themselves first. One query, and
    none if nobody is linked."""
    linked: dict[int, list[Player]] = {each.person_id: [] for each in shown if each.person_id is not None}
    if linked:
        counting = players.filter(merged_into=None, person__in=linked)
        for other in counting.select_related("club").order_by("pk"):
            assert other.person_id
            linked[other.person_id].append(other)
    return [[each, *(other for other in linked.get(each.person_id or 0, ()) if other != each)] for each in shown]


def matches_counted(matches: QuerySet[Match], players: Iterable[Player]) -> dict[int, int]:
    """By id of each of the players: in how many of the matches that count they played a hand. One query."""
    seen = Exists(matches.filter(pk=OuterRef("match")))
    rows = SeatResult.objects.filter(seen, player__in=[*players], counts=True).order_by()
    return dict(rows.values_list("player").annotate(number=Count("match", distinct=True)))
