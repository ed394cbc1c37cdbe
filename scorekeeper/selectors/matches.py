"""Reading matches: their positions now and earlier, and lists of them."""

import json
from collections import Counter, OrderedDict
from collections.abc import Collection, Hashable, Iterable, Mapping
from threading import Lock
from typing import Any

from django.db import transaction
from django.db.models import Q, QuerySet, prefetch_related_objects

import games
from games.errors import GameError
from scorekeeper.models import Club, Match, Seat, Substitute, Table, shown
from scorekeeper.models.match import GOING_ON, without_circles

# The newest known position of each match, with its length. The log of one edition is only ever appended to, and only
# committed entries get in here, so a position with its length stays valid. That of a long match takes half a megabyte.
_positions: OrderedDict[tuple[int, int, Hashable], tuple[int, games.Match]] = OrderedDict()
_POSITIONS_KEPT = 128
_turn = Lock()

LAST = 12  # matches that say which game a club usually plays; a night may end with a table of another game


class Damaged(Exception):
    """A log that cannot be replayed; the message says where."""


def position(match: Match) -> games.Match:
    """The match now: a pure fold of its log. No query if the position is cached, else two."""
    return position_at(match, match.length)


def position_at(match: Match, length: int) -> games.Match:
    """The match after its first `length` entries. No query if the position is cached, else two. Damaged if the log is
    shorter."""
    known, state = _nearest(match, length)
    if state is None:
        state = beginning(match)
    if known < length:
        payloads = list(_payloads(match, known, length))
        if len(payloads) < length - known:
            raise Damaged(f"match {match.pk} has fewer than {length} entries; run manage.py rebuild")
        for payload in payloads:
            state = state.enter(payload)
        keep_position(match, length, state)
    return state


def beginning(match: Match) -> games.Match:
    """The match before its first entry. One query; none if the seats are prefetched."""
    begun = sorted(match.seats.all(), key=lambda seat: seat.begun)
    return games.Match.new(match.game, match.options, [seat.begun_as for seat in begun])


def keep_position(match: Match, length: int, state: games.Match) -> None:
    """Caches a position, once the transaction of its entries is committed."""
    key = _key(match)

    def keep() -> None:
        with _turn:
            known, earlier = _positions.get(key, (0, state))
            if length >= known:
                if earlier is not state:
                    earlier.forget_shown()  # from now on it is there only for undo
                _positions[key] = length, state
                _positions.move_to_end(key)
            while len(_positions) > _POSITIONS_KEPT:
                _positions.popitem(last=False)

    transaction.on_commit(keep)


def projection(state: games.Match) -> tuple[dict[str, Any], dict[str, Any], Match.Status]:
    """What is cached with a match: its sheet, its offers and its status."""
    sheet, offers = state.sheet(), state.offers()
    if sheet["stopped"]:
        return sheet, offers, Match.Status.STOPPED
    return sheet, offers, Match.Status.FINISHED if sheet["finished"] else Match.Status.PLAYING


def offers_for(match: Match, *, recording: bool) -> dict[str, Any]:
    """What may come next. Everything for people who may record, else without what only the table may know."""
    offers: dict[str, Any] = match.offers
    if recording:
        return offers
    return position(match).public().offers() | {key: offers[key] for key in ("undo", "undoes")}


def ways(match: Match, seen: object, entry: Mapping[str, Any], error: GameError) -> list[dict[str, Any]]:
    """What the players can do after `entry` was refused with `error`, following the first `seen` entries."""
    if not isinstance(seen, int) or not 0 <= seen <= match.length:
        return [{"way": "mend"}]
    return games.remedies(position_at(match, seen), entry, error)


def record_of(match: Match) -> dict[str, Any]:
    """The match as a record, without what is hidden from the public."""
    return position(match).public().record()


def matches_of(club: Club, *, below: int | None = None) -> QuerySet[Match]:
    """The club's matches without those of removed tournaments, those in play first, then the newest first. `below`:
    only those after the match with this id. One query for any slice, two with `below`."""
    kept = Q(event=None) | Q(event__removed=False)
    found = Match.objects.filter(kept, club=club).order_by(GOING_ON.desc(), "-created_at", "-id")
    if below is None:
        return found
    last = club.matches.filter(pk=below).first()
    if last is None:
        return found.none()
    older = Q(created_at__lt=last.created_at) | Q(created_at=last.created_at, pk__lt=below)
    over = Q(finished_at__isnull=False)
    return found.filter(over | older if last.finished_at is None else over & older)


def usual_game(club: Club) -> str:
    """The game of most of the club's last matches; before its first, the game with the most players at a table. One
    query."""
    last = Counter(club.matches.order_by("-id").values_list("game", flat=True)[:LAST]).most_common()
    most = max(games.GAMES.values(), key=lambda game: max(game.seats)).slug
    return next((game for game, _number in last if game in games.GAMES), most)


def matches_at(table: Table) -> QuerySet[Match]:
    """The table's matches with their seats, the newest first. Three queries for any slice."""
    return with_seats(Match.objects.filter(table=table))


def seated_now(match: Match) -> list[Seat | Substitute]:
    """By seat, who sits there in the hand in play, else in the next hand; once the match is over, in the last hand. No
    query for a match from `with_seats`."""
    hands = match.sheet["hands"]
    played = bool(hands) and (match.sheet["finished"] or hands[-1]["state"] != "counted")
    seats: list[Seat | Substitute] = list(match.seats.all())
    for each in substitutes_of(match):
        if each.from_hand <= len(hands) - played:
            seats[each.number] = each
    return seats


def substitutes_of(match: Match) -> Iterable[Substitute]:
    """The substitutes of the match, by hand. No query if there are none, or for a match from `with_seats`."""
    return match.substitutes.all() if match.sheet.get("substitutes") else ()


def with_people(matches: QuerySet[Match]) -> list[Match]:
    """The matches with club, table, seats and substitutes. Two queries, three if there are substitutes."""
    found = list(matches.select_related("club", "table").prefetch_related("seats"))
    prefetch_related_objects([match for match in found if match.sheet.get("substitutes")], "substitutes")
    without_circles(found)
    return found


def match_with_seats(match_id: int) -> Match | None:
    """The match with club, table and seats. Three queries."""
    return with_seats(Match.objects.filter(pk=match_id)).first()


def entries_since(match: Match, length: int) -> list[dict[str, Any]]:
    """The entries after the first `length` ones. One query."""
    return list(match.log.filter(seq__gte=length).order_by("seq").values_list("payload", flat=True))


def replay(match: Match) -> tuple[int, games.Match]:
    """The length and the position by the whole log, without the cache. Damaged if the log cannot be replayed. Two
    queries."""
    state, length = beginning(match), 0
    for seq, payload in match.log.order_by("seq").values_list("seq", "payload"):
        if seq != length:
            raise Damaged(f"entry {length} is missing")
        try:
            state, length = state.enter(payload), length + 1
        except GameError as error:
            raise Damaged(f"entry {seq} is refused: {error.code}") from error
    return length, state


def differing(match: Match, length: int, state: games.Match) -> list[str]:
    """The names of everything cached with the match that is not as after a replay, which gave this. One query if the
    seats are prefetched."""
    sheet, offers, status = projection(state)
    pairs = {
        "length": (match.length, length),
        "sheet": (match.sheet, sheet),
        "offers": (match.offers, offers),
        "status": (match.status, status),
        "unverified": (match.unverified, state.result is not None),
        "seats": ([seat.name for seat in sorted(match.seats.all(), key=lambda seat: seat.number)], state.players),
        "substitutes": (
            sorted(match.substitutes.values_list("from_hand", "number", "name")),
            state.substitutes,
        ),
    }
    return [name for name, (cached, replayed) in pairs.items() if not _same(cached, replayed)]


def with_seats(matches: QuerySet[Match]) -> QuerySet[Match]:
    """The matches, the newest first, with club, table, seats and substitutes. Three queries."""
    return matches.select_related("club", "table").prefetch_related("seats", "substitutes").order_by("-id")


def with_removed(numbers: Collection[int]) -> dict[int, Match]:
    """The matches with these ids, also those that a host has removed. Three queries; none without ids."""
    return {match.pk: match for match in with_seats(Match.every.filter(pk__in=numbers))} if numbers else {}


def _nearest(match: Match, length: int) -> tuple[int, games.Match | None]:
    """The cached position with its length, if it is not longer than `length`; else 0 and None."""
    key = _key(match)
    with _turn:
        known, state = _positions.get(key, (0, None))
        if state is None or known > length:
            return 0, None
        _positions.move_to_end(key)
        return known, state


def _key(match: Match) -> tuple[int, int, Hashable]:
    """The same for all who see the same names in the match."""
    return match.pk, match.edition, shown.audience()


def _payloads(match: Match, start: int, end: int) -> QuerySet[Any, Any]:
    return match.log.filter(seq__gte=start, seq__lt=end).order_by("seq").values_list("payload", flat=True)


def _same(cached: Any, replayed: Any) -> bool:
    """Whether both are the same JSON, in which tuples and lists are equal."""
    return json.dumps(cached, sort_keys=True) == json.dumps(replayed, sort_keys=True)
