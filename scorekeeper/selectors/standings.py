"""Reading results: what the matches of an event or of a club came to, as tables of who won how much."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from django.db.models import Count, Q, QuerySet, Sum

from games import GAMES
from scorekeeper import standings
from scorekeeper.models import Club, Event, Match, SeatResult
from scorekeeper.selectors.matches import substitutes_of
from scorekeeper.standings import MatchResult, Person, Row, Sitting, added, rows, sitting_results, sums_of


def club_tables(club: Club) -> dict[str, list[Row]]:
    """The table of each game the club has played, the one most people played first, with the names that its players
    have now. One query, which adds up in the database."""
    return _tables(SeatResult.objects.filter(club=club))


def event_tables(event: Event) -> dict[str, list[Row]]:
    """The table of each game of the event, likewise; a game of which no match counts has none. One query."""
    return {game: rows for game, rows in _tables(SeatResult.objects.filter(match__event=event)).items() if rows}


def table_if(match: Match, sheet: Mapping[str, Any] | None, seats: Sequence[int] | None) -> list[Row]:
    """The table of the match's game at its event if the match had this `sheet`, or as it is (None). `seats`: of each
    seat, the one in which who would sit there sits now. At most three queries for a match of `listed`."""
    results = SeatResult.objects.filter(match__event=match.event_id, game=match.game)
    if sheet is None:
        return _table(match.game, _sums(results).get(match.game, {}))
    others = _sums(results.exclude(match=match)).get(match.game, {})
    result = result_of(match, sheet, seats)
    return _table(match.game, added(others, sums_of(sitting_results(result)) if result else {}))


def result_of(match: Match, sheet: Mapping[str, Any], seats: Sequence[int] | None = None) -> MatchResult | None:
    """How a match of `listed` ended by this sheet; None while it is in play. `seats` as in `table_if`. No query."""
    if not sheet["finished"]:
        return None

    def at(seat: int) -> int:
        return seat if seats is None else seats.index(seat)

    hands, totals = sheet["hands"], sheet["totals"]
    taken_over = list(substitutes_of(match))
    before = {
        number: tuple(sum(hand["points"][seat] for hand in hands[:number]) for seat in range(len(totals)))
        for number in {each.from_hand for each in taken_over}
    }
    first = [Sitting(at(seat.number), seat.player_id, seat.name) for seat in match.seats.all()]
    rules = GAMES[match.game]
    return MatchResult(
        match.game,
        rules.sides(len(totals)),
        tuple(sorted(first, key=lambda each: each.seat))
        + tuple(Sitting(at(each.number), each.player_id, each.name, each.from_hand) for each in taken_over),
        len(hands),
        tuple(totals),
        frozenset(sheet["winners"]),
        before,
        rules.lower_wins,
        match.unverified,
        bool(sheet["winners"]) and (match.unverified or (bool(hands) and hands[0]["state"] == "counted")),
    )


def _sums(results: QuerySet[SeatResult]) -> dict[str, dict[Person, standings.Sum]]:
    """What everybody's results came to, by game; empty for a game of which no match counts. One query."""
    groups = results.values_list("game", "player", "name", "player__name", "others").order_by()
    counts = Q(counts=True)
    counted = groups.annotate(
        played=Count("match", distinct=True, filter=counts),
        won=Count("match", distinct=True, filter=counts & Q(place=1, sharing=1)),
        shared=Count("match", distinct=True, filter=counts & Q(place=1, sharing__gt=1)),
        all_hands=Sum("hands", filter=counts),
        points_for=Sum("points", filter=counts),
        points_against=Sum("against", filter=counts),
        without_hands=Count("match", distinct=True, filter=counts & Q(unverified=True)),
    )
    found: dict[str, dict[Person, standings.Sum]] = defaultdict(dict)
    for game, player, name, known_as, others, played, won, shared, hands, points, against, unverified in counted:
        people = found[game]
        if not played:
            continue
        each = standings.Sum(
            known_as or name, played, won, shared, hands, points, Fraction(against, others), unverified
        )
        before = people.get((player, name))
        people[player, name] = before + each if before else each
    return found


def _tables(results: QuerySet[SeatResult]) -> dict[str, list[Row]]:
    everybody = _sums(results)
    played = {game: sum(each.played for each in sums.values()) for game, sums in everybody.items()}
    games = sorted(everybody, key=lambda game: (-played[game], game))
    return {game: _table(game, everybody[game]) for game in games}


def _table(game: str, sums: Mapping[Person, standings.Sum]) -> list[Row]:
    return rows(sums, GAMES[game].lower_wins)
