"""Reading results: the tables of points of an event or of a club."""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from fractions import Fraction
from typing import Any

from django.db.models import Count, Q, QuerySet, Sum, prefetch_related_objects

import games
from games import GAMES
from scorekeeper import standings
from scorekeeper.figures import figures_of
from scorekeeper.models import Club, Event, Match, Player, Seat, SeatResult
from scorekeeper.selectors.clubs import counted_as
from scorekeeper.selectors.matches import differing, replay, substitutes_of
from scorekeeper.standings import MatchResult, Person, Row, Sitting, added, rows, sitting_results, sums_of

Seated = Sequence[int | Player]
"""For each seat the seat of its player now, or who else sat there; somebody new is not saved yet."""


def club_tables(club: Club) -> dict[str, list[Row]]:
    """The table of each game that the club has played, the most played game first, with the present names of its
    players, without those who are hidden. Matches of removed tournaments do not count. One query: the database adds up
    the results."""
    removed = Match.objects.filter(event__club=club, event__removed=True)
    return _tables(SeatResult.objects.filter(club=club).exclude(match__in=removed).exclude(player__hidden=True))


def event_tables(event: Event) -> dict[str, list[Row]]:
    """The same for an event, without games that have no counted match. Always in the same order, so that the table that
    somebody reads stays where it is. One query."""
    found = _tables(SeatResult.objects.filter(match__event=event))
    return {game: found[game] for game in GAMES if found.get(game)}


def tables_of_events(events: Collection[int], games: Collection[str] = GAMES) -> dict[int, dict[str, list[Row]]]:
    """The tables of these games at several events, by their ids. One query."""
    found: dict[int, dict[str, list[Row]]] = {event: {} for event in events}
    results = SeatResult.objects.filter(match__event__in=events, game__in=games)
    for (event, game), sums in _sums_by(results, "match__event").items():
        if sums:
            found[event][game] = _table(game, sums)
    return found


def table_if(match: Match, sheet: Mapping[str, Any] | None, seats: Seated | None) -> list[Row]:
    """The table of the match's game at its event, as it would be with this `sheet` of the match; None: as it is now.

    `seats`: who sits where, if that changes. At most four queries for a match from `with_seats`.
    """
    results = SeatResult.objects.filter(match__event=match.event_id, game=match.game)
    if sheet is None:
        return _table(match.game, _sums(results).get(match.game, {}))
    others = _sums(results.exclude(match=match)).get(match.game, {})
    result = result_of(match, sheet, seats)
    return _table(match.game, added(others, sums_of(sitting_results(result)) if result else {}))


def result_of(match: Match, sheet: Mapping[str, Any], seats: Seated | None = None) -> MatchResult | None:
    """The result of the match by this sheet; None while it is in play. Somebody who was merged counts as the other one.
    `seats` as in `table_if`. One query for a match from `with_seats`."""
    if not sheet["finished"]:
        return None
    merged = counted_as(match.club_id)

    def sitting(seat: int, player: int | None, name: str, from_hand: int = 0) -> Sitting:
        return Sitting(seat, player and merged.get(player, player), name, from_hand)

    hands, totals = sheet["hands"], sheet["totals"]
    rows = list(match.seats.all())
    sit = [rows[each] if isinstance(each, int) else each for each in seats or range(len(rows))]
    first = [
        sitting(number, each.player_id if isinstance(each, Seat) else each.pk, each.name)
        for number, each in enumerate(sit)
    ]
    known = {(each.from_hand, each.name): each.player_id for each in substitutes_of(match)}
    taken_over = [
        sitting(each["seat"], known.get((each["hand"], each["player"])), each["player"], each["hand"])
        for each in sheet.get("substitutes", ())
    ]
    before = {
        number: tuple(sum(hand["points"][seat] for hand in hands[:number]) for seat in range(len(totals)))
        for number in {each.from_hand for each in taken_over}
    }
    rules = GAMES[match.game]
    return MatchResult(
        match.game,
        rules.sides(len(totals)),
        (*first, *taken_over),
        len(hands),
        tuple(totals),
        frozenset(sheet["winners"]),
        before,
        rules.lower_wins,
        match.unverified,
        bool(sheet["winners"]) and (match.unverified or (bool(hands) and hands[0]["state"] == "counted")),
    )


def result_rows(match: Match, state: games.Match) -> list[SeatResult]:
    """The result rows of the match by its sheet and its position, not saved; none while it is in play, and if it is
    removed. Queries as in `result_of`."""
    result = None if match.removed else result_of(match, match.sheet)
    return [
        SeatResult(
            match=match,
            club_id=match.club_id,
            game=match.game,
            number=number,
            seat=each.sitting.seat,
            from_hand=each.sitting.from_hand,
            player_id=each.sitting.player,
            name=each.sitting.person[1],
            side=each.side,
            hands=each.hands,
            points=each.points,
            against=each.against,
            others=each.others,
            place=each.place,
            sharing=each.sharing,
            counts=each.counts,
            unverified=each.unverified,
            figures=figures_of(state, each.sitting.seat, each.sitting.from_hand, each.hands),
        )
        for number, each in enumerate(sitting_results(result) if result else ())
    ]


def out_of_date(match: Match) -> list[str]:
    """The names of everything cached with the match that differs from a replay of its log; if nothing does, "results"
    if its result rows are not those of its sheet, or UNREAD. Raises Damaged. Six queries at most."""
    prefetch_related_objects([match], "seats")
    length, state = replay(match)
    return differing(match, length, state) or _rows_out_of_date(match, state)


UNREAD = "figures"
"""Only the figures are missing, because an earlier version kept none: a job reads them."""


def _rows_out_of_date(match: Match, state: games.Match) -> list[str]:
    """One query more than `result_rows`."""
    rest = [field.attname for field in SeatResult._meta.concrete_fields if field.attname not in ("id", "figures")]
    stored = list(match.results.order_by("number").values_list("figures", *rest))
    made = [(row.figures, *(getattr(row, name) for name in rest)) for row in result_rows(match, state)]
    if stored == made:
        return []
    read = [(new[0] if old[0] is None else old[0], *old[1:]) for old, new in zip(stored, made, strict=False)]
    return [UNREAD] if len(stored) == len(made) and read == made else ["results"]


def _sums(results: QuerySet[SeatResult]) -> dict[str, dict[Person, standings.Sum]]:
    """Everybody's sums, by game; empty for a game without a counted match. One query."""
    return {game: sums for (game,), sums in _sums_by(results).items()}


def _sums_by(results: QuerySet[SeatResult], *more: str) -> dict[tuple[Any, ...], dict[Person, standings.Sum]]:
    """The same by these columns, too, which come first."""
    groups = results.values_list(*more, "game", "player", "name", "player__name", "others").order_by()
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
    found: dict[tuple[Any, ...], dict[Person, standings.Sum]] = defaultdict(dict)
    for row in counted:
        key, columns = row[: len(more) + 1], row[len(more) + 1 :]
        player, name, known_as, others, played, won, shared, hands, points, against, unverified = columns
        people = found[key]
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
