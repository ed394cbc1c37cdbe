"""Reading who played with and against whom."""

from collections.abc import Collection

from django.db.models import Case, IntegerField, OuterRef, QuerySet, Subquery, When
from django.db.models.fields.json import KeyTextTransform, KeyTransform
from django.db.models.functions import Cast

from games import GAMES
from scorekeeper.models import Match, SeatResult
from scorekeeper.selectors.ratings import Edition, games_of, groups_of, in_edition
from scorekeeper.standings.pairs import Played

# Who left earlier has no place, and what does not count is no result.
AT_THE_END = {"counts": True, "place__isnull": False}
# What a line expected, in the family of the game if it has one: its ratings know more of everybody. The database reads
# it, because Python takes longer to read all values of a line.
EXPECTED = Case(
    *(
        When(game__in=games_of(group), then=Cast(KeyTextTransform("6", KeyTransform(group, "values")), IntegerField()))
        for group in sorted({groups_of(game)[-1] for game in GAMES})
    )
)


def played_with(rows: Collection[int], matches: QuerySet[Match], *, edition: Edition) -> list[Played]:
    """Everybody's part in those of these matches in which a person sat at the end, the oldest match first, with what
    this edition of the ratings expected. `rows`: the ids of the person in their clubs. One query."""
    return _played(edition, SeatResult.objects.filter(match__in=_of(rows, matches).values("pk"), player__isnull=False))


def played_by_both(
    one: Collection[int], other: Collection[int], matches: QuerySet[Match], *, edition: Edition
) -> list[Played]:
    """The parts of two people in those of these matches in which both sat at the end, as in `played_with`. One
    query."""
    here = _of(other, _of(one, matches)).values("pk")
    return _played(edition, SeatResult.objects.filter(match__in=here, player__in=[*one, *other]))


def _of(rows: Collection[int], matches: QuerySet[Match]) -> QuerySet[Match]:
    """Those in which one of these rows sat at the end."""
    at_the_end = {f"results__{column}": value for column, value in AT_THE_END.items()}
    return matches.filter(results__player__in=rows, **at_the_end)


def _played(edition: Edition, results: QuerySet[SeatResult]) -> list[Played]:
    line = in_edition(edition).filter(match=OuterRef("match"), player=OuterRef("player"))
    rows = results.filter(**AT_THE_END).annotate(expected=Subquery(line.values_list(EXPECTED)[:1]))
    ordered = rows.order_by("match__finished_at", "match", "number")
    return [Played._make(row) for row in ordered.values_list(*Played._fields)]
