"""Reading results: from the matches of a night or of a club to tables of who won how much."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django.db.models import Count, F, Func, IntegerField
from django.db.models.functions import Coalesce

from games import GAMES
from scorekeeper.models import Club, Match, Seat, Substitute
from scorekeeper.standings import Result, Row, Sitting, table


class _Hands(Func):
    """How many hands a sheet has."""

    output_field = IntegerField()

    def as_sqlite(self, compiler: Any, connection: Any, **context: Any) -> Any:
        return self.as_sql(compiler, connection, template="JSON_ARRAY_LENGTH(%(expressions)s, '$.hands')", **context)

    def as_postgresql(self, compiler: Any, connection: Any, **context: Any) -> Any:
        return self.as_sql(compiler, connection, template="JSONB_ARRAY_LENGTH(%(expressions)s -> 'hands')", **context)


def table_of(matches: Iterable[Match]) -> dict[str, list[Row]]:
    """The table of each game, the most played first: of matches of `listed`, in the order they were played in. No
    query."""
    return table(result for match in matches if (result := result_of(match, match.sheet)))


def result_of(match: Match, sheet: Mapping[str, Any], seats: Sequence[int] | None = None) -> Result | None:
    """How a match of `listed` ended by this sheet; None while it does not count. `seats`: of each seat, the one in
    which who would sit there sits now. No query."""
    hands = sheet["hands"]
    if not (sheet["finished"] and _counts(sheet["winners"], match.unverified, hands[0]["state"] if hands else None)):
        return None

    def at(seat: int) -> int:
        return seat if seats is None else seats.index(seat)

    return _result(
        match.game,
        sorted((at(seat.number), seat.player_id, seat.name) for seat in match.seats.all()),
        [(at(each.number), each.player_id, each.name, each.from_hand, hands) for each in match.substitutes.all()],
        len(hands),
        sheet["totals"],
        sheet["winners"],
        match.unverified,
    )


def counts(match: Match) -> bool:
    """Whether a match counts: it is over, not abandoned, and a hand of it was counted or only its result is known."""
    hands = match.sheet["hands"]
    first = hands[0]["state"] if hands else None
    return match.finished_at is not None and _counts(match.sheet["winners"], match.unverified, first)


def _counts(winners: Sequence[int], unverified: bool, first_hand: str | None) -> bool:
    return bool(winners) and (unverified or first_hand == "counted")


def games_of(club: Club) -> dict[str, int]:
    """How many matches of each game the club has played to an end, the most first. One query."""
    over = club.matches.filter(finished_at__isnull=False).order_by()
    counted = over.values_list("game").annotate(number=Count("pk"))
    return dict(sorted(counted, key=lambda each: (-each[1], each[0])))


def club_table(club: Club, game: str) -> list[Row]:
    """The club's table of a game, with the names its players have now. Three queries; on a laptop about a tenth of a
    second for two thousand matches, since only the sums of their sheets are read."""
    of_these = {"match__club": club, "match__game": game, "match__finished_at__isnull": False}
    name = Coalesce("player__name", "name")
    seats: Mapping[int, list[Any]] = defaultdict(list)
    for match, *seat in Seat.objects.filter(**of_these).values_list("match", "number", "player", name):
        seats[match].append(seat)
    substitutes: Mapping[int, list[Any]] = defaultdict(list)
    taken_over = Substitute.objects.filter(**of_these).order_by("from_hand")
    for match, *each in taken_over.values_list("match", "number", "player", name, "from_hand", "match__sheet__hands"):
        substitutes[match].append(each)
    over = club.matches.filter(game=game, finished_at__isnull=False).order_by("pk")
    first_hand, sums = "sheet__hands__0__state", ("sheet__totals", "sheet__winners", "unverified")
    results = (
        _result(game, seats[pk], substitutes[pk], hands, totals, winners, unverified)
        for pk, first, hands, totals, winners, unverified in over.values_list(
            "pk", first_hand, _Hands(F("sheet")), *sums
        )
        if _counts(winners, unverified, first)
    )
    return table(results).get(game, [])


def _result(
    game: str,
    seats: Iterable[Sequence[Any]],
    substitutes: Sequence[Sequence[Any]],
    hands: int,
    totals: Sequence[int],
    winners: Iterable[int],
    unverified: bool,
) -> Result:
    """``seats``: (seat, player, name); ``substitutes``, in the order of their hands: the same, from which hand on, and
    all hands of the sheet."""
    rules, before = GAMES[game], {}
    for *_who, first, sheet in substitutes:
        before[first] = tuple(sum(hand["points"][seat] for hand in sheet[:first]) for seat in range(len(totals)))
    return Result(
        game,
        rules.sides(len(totals)),
        tuple(Sitting(*seat) for seat in seats) + tuple(Sitting(*each[:4]) for each in substitutes),
        hands,
        tuple(totals),
        frozenset(winners),
        before,
        rules.lower_wins,
        unverified,
    )
