"""The matches that two sides play at a table in one round of a knock-out, until one of them has won most of them. If
they are seated again in a later round before that, they go on there: their table continues the one before.

In every other match the sides change their seats, so that the other one leads first. Sides count here as the table was
drawn.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, replace
from functools import cached_property, reduce
from operator import or_
from typing import Any, TypeVar

from django.db.models import Q

from games import GAMES
from scorekeeper.events import Tournament
from scorekeeper.events.groups import has_series
from scorekeeper.events.records import Place
from scorekeeper.events.rounds import Pairing
from scorekeeper.models import Event, Match
from scorekeeper.selectors.events import EventNow, in_play, state_of
from scorekeeper.selectors.matches import with_seats

T = TypeVar("T")
Played = Mapping[Place, Sequence[Match]]
"""The matches at each table of each round, the oldest first."""


@dataclass(frozen=True)
class Series:
    """What was played at a table of a round, and before it at the tables that it continues."""

    state: Tournament
    pairing: Pairing
    matches: Sequence[Match]
    """At this table, the oldest first."""
    most: int
    """How many matches there are at most, if none is drawn."""
    before: Sequence[Match] = ()
    """At the tables of earlier rounds, the oldest first."""

    @property
    def all(self) -> Sequence[Match]:
        return [*self.before, *self.matches]

    @cached_property
    def wins(self) -> tuple[int, ...]:
        """How many matches each side has won, until that decides the table: others do not count."""
        won: Counter[int] = Counter()
        for match in self.all:
            side = _won_by(match)
            if side is not None and 2 * max(won.values(), default=0) < self.most:
                won[1 - side if turned(self.state, self.pairing, match) else side] += 1
        return won[0], won[1]

    @property
    def decided(self) -> bool:
        return 2 * max(self.wins) > self.most

    @property
    def totals(self) -> list[int] | None:
        """Those of the tournament file: the matches won, where the smaller total is better those lost; None before it
        is decided."""
        if not self.decided:
            return None
        return [*self.wins][:: -1 if GAMES[self.pairing.game].lower_wins else 1]

    def wins_in(self, match: Match) -> tuple[int, ...]:
        """The wins in the order of the sides of this match."""
        return self.wins[:: -1 if turned(self.state, self.pairing, match) else 1]

    def if_it_had(self, match: Match, sheet: Mapping[str, Any]) -> "Series":
        """The same if the match had this sheet."""
        then = copy(next(each for each in self.all if each == match))
        then.sheet = {**sheet}
        matches, before = ([then if each == match else each for each in group] for group in (self.matches, self.before))
        return replace(self, matches=matches, before=before)

    def number_of(self, match: Match) -> int:
        """Which match it is, from 1. One that was abandoned counts only if it is the last."""
        return 1 + _counting(each for each in self.all if each.pk < match.pk)

    @property
    def number_of_next(self) -> int:
        """Which match follows all of these, from 1."""
        return 1 + _counting(self.all)


def series_at(snapshot: EventNow, state: Tournament, number: int, pairing: Pairing) -> Series | None:
    """What was played at a table of a round; None where one match decides. No query."""
    return _series(state, number, pairing, snapshot.matches_at)


def series_of(match: Match) -> Series | None:
    """What was played at the table of this match; None where one match decides. At most six queries, none outside
    rounds."""
    if match.round is None or match.event is None or match.table is None or match.event.kind != Event.Kind.TOURNAMENT:
        return None
    state = state_of(match.event)
    if not isinstance(state, Tournament):
        return None
    pairing = state.pairing_at(match.round, match.table.number)
    if not has_series(state.setup_at(match.round, pairing)):
        return None
    places = [(match.round, pairing), *state.met_before(match.round, pairing.players)]
    here = reduce(or_, (Q(round=number, table__number=each.table) for number, each in places))
    played: dict[Place, list[Match]] = {}
    for each in reversed(with_seats(match.event.matches.filter(here))):
        if each.round and each.table:
            played.setdefault((each.round, each.table.number), []).append(each)
    return _series(state, match.round, pairing, played)


def unfinished(state: Tournament, number: int, here: Pairing, played: Played) -> Series | None:
    """What the players of this table have begun before this round of a knock-out and go on with if they meet in it."""
    for earlier, pairing in state.met_before(number, here.players) if has_series(state.setup_at(number, here)) else ():
        series = _series(state, earlier, pairing, played)
        over = series is None or series.decided or state.absent_at(earlier, pairing.table)
        return None if over else series
    return None


def _series(state: Tournament, number: int, pairing: Pairing, played: Played) -> Series | None:
    before = unfinished(state, number, pairing, played)
    most = before.most if before else state.best_of(number, pairing)
    here = played.get((number, pairing.table), [])
    return Series(state, pairing, here, most, before.all if before else ()) if most > 1 else None


def is_later(match: Match) -> bool:
    """Whether its people met before in its event. One query; none outside rounds."""
    if match.round is None or match.event_id is None:
        return False
    earlier = Match.objects.filter(event=match.event_id, round__isnull=False, pk__lt=match.pk)
    for seat in match.seats.all():
        earlier = earlier.filter(seats__player=seat.player_id)
    return earlier.exists()


def turned(state: Tournament, pairing: Pairing, match: Match) -> bool:
    """Whether the sides of a match of several sit the other way round than they were drawn."""
    drawn = state.sides_of(pairing.game, pairing.players)
    return state.sides_of(pairing.game, seated_at(state, pairing, match)) == drawn[::-1]


def in_order(state: Tournament, number: int, pairing: Pairing, match: Match, by_side: Sequence[T]) -> list[T]:
    """What each side of a table of a round has as it was drawn, in the order of the sides of its match; and the
    reverse. They differ only where there are series: elsewhere, what counts by side counts as its match sits."""
    several = has_series(state.setup_at(number, pairing))
    return [*by_side][:: -1 if several and turned(state, pairing, match) else 1]


def as_seated(state: Tournament, match: Match, by_side: Sequence[T]) -> list[T]:
    """`in_order`, for the table of the match."""
    assert match.round
    assert match.table
    return in_order(state, match.round, state.pairing_at(match.round, match.table.number), match, by_side)


def absent_in(state: Tournament, match: Match) -> frozenset[int]:
    """The sides of the match of a round, by index, that did not come."""
    assert match.round
    assert match.table
    absent = state.absent_at(match.round, match.table.number)
    sides = range(len(GAMES[match.game].sides(len(match.sheet["totals"]))))
    return frozenset(at for at, side in enumerate(as_seated(state, match, sides)) if side in absent)


def seated_at(state: Tournament, pairing: Pairing, match: Match | None) -> Sequence[int]:
    """Who sat there, by seat: a correction of wrong seats counts. As drawn, if somebody else than an entrant did."""
    sat = [seat.player_id for seat in match.seats.all()] if match else []
    players = [player for player in sat if player in state.numbers]
    return [player for player in players if player] if sat and len(players) == len(sat) else pairing.players


def next_in(series: Series) -> Pairing | None:
    """Who sits where in the match that begins by itself, once the last one of the table is over; None if none is to
    begin: the table is decided, the last match was abandoned, or a later round has begun."""
    if not series.matches[-1].sheet["winners"] or _is_over(series):
        return None
    first, *others = seated_at(series.state, series.pairing, series.matches[-1])
    return replace(series.pairing, players=(*others, first))


def next_by_hand(series: Series) -> Pairing | None:
    """Who sits where in the match that a director can begin in place of the last one of the table, which was abandoned;
    None if none can."""
    last = series.matches[-1] if series.matches else None
    if last is None or last.sheet["stopped"] != "abandoned" or series.state.closed or _is_over(series):
        return None
    return replace(series.pairing, players=tuple(seated_at(series.state, series.pairing, last)))


def _is_over(series: Series) -> bool:
    """Whether the table is decided, or a later round has begun."""
    state, number = series.state, series.matches[-1].round
    assert number
    return series.decided or bool(state.absent_at(number, series.pairing.table)) or number < len(state.rounds)


def needless_in(series: Series) -> Match | None:
    """The last match, if it should not have begun: the table is decided, or an earlier match is open again."""
    *earlier, last = series.matches
    reopened = any(map(in_play, earlier))
    return last if earlier and in_play(last) and (series.decided or reopened) else None


def _counting(matches: Iterable[Match]) -> int:
    return sum(1 for each in matches if each.sheet["stopped"] != "abandoned")


def _won_by(match: Match) -> int | None:
    """The side of the match that won it alone."""
    winners = match.sheet["winners"]
    sides = GAMES[match.game].sides(len(match.sheet["totals"]))
    won = [side for side, seats in enumerate(sides) if seats[0] in winners]
    return won[0] if len(won) == 1 else None
