"""Reading who played with and against whom."""

from django.db.models import Q, QuerySet

from scorekeeper.models import Match, RatingLine, SeatResult
from scorekeeper.selectors.ratings import edition, groups_of, in_edition
from scorekeeper.standings.pairs import Played

# Who left earlier has no place, and what does not count is no result.
AT_THE_END = Q(counts=True, place__isnull=False, player__isnull=False)
EXPECTED = 6  # its index in the values of a line
COLUMNS = ("match", "game", "player", "side", "others", "place", "sharing", "points", "against")


def played_with(player: int, matches: QuerySet[Match]) -> list[Played]:
    """Everybody's part in those of these matches in which the player sat at the end, the oldest match first. Three
    queries."""
    own = SeatResult.objects.filter(AT_THE_END, player=player, match__in=matches)
    # With two sides, the player's own line says what to expect; with more, the comparison with each other side needs
    # theirs too.
    lines = in_edition(edition())
    needed = lines.filter(player=player).values_list("match", "player", "values")
    more = lines.filter(match__in=own.filter(others__gt=1).values("match")).values_list("match", "player", "values")
    return _played(SeatResult.objects.filter(match__in=own.values("match")), needed.union(more, all=True))


def played_by_both(one: int, other: int, matches: QuerySet[Match]) -> list[Played]:
    """The parts of two players in those of these matches in which both sat at the end, the oldest match first. Three
    queries."""
    sat = SeatResult.objects.filter(AT_THE_END)
    both = matches.filter(pk__in=sat.filter(player=one).values("match"))
    both = both.filter(pk__in=sat.filter(player=other).values("match"))
    rows = SeatResult.objects.filter(match__in=both, player__in=(one, other))
    lines = in_edition(edition()).filter(player__in=(one, other), match__in=both)
    return _played(rows, lines.values_list("match", "player", "values"))


def _played(
    rows: QuerySet[SeatResult], lines: QuerySet[RatingLine, tuple[int, int, dict[str, list[float]]]]
) -> list[Played]:
    """Two queries."""
    expected = {(match, player): values for match, player, values in lines}
    parts = rows.filter(AT_THE_END).order_by("match__finished_at", "match", "number").values_list(*COLUMNS)
    return [Played._make((*part, _expected(part[1], expected.get((part[0], part[2]))))) for part in parts]


def _expected(game: str, values: dict[str, list[float]] | None) -> int | None:
    """In the family of the game, if it has one: its ratings know more of everybody."""
    return int(values[groups_of(game)[-1]][EXPECTED]) if values else None
