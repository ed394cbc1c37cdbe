"""Reading the records of a club: who played most, the best hands, runs of wins, and a span of time in numbers.

`results` are those of the matches that the visitor may see, in a span of time. Nobody who is hidden is found.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import groupby
from operator import itemgetter
from typing import Any, NamedTuple

from django.db.models import Count, F, IntegerField, Q, QuerySet, Sum, Window
from django.db.models.fields.json import KeyTextTransform
from django.db.models.functions import Cast, RowNumber

from scorekeeper.models import Club, Event, Match, SeatResult

# Whoever sat first in a match, and whoever took over that seat, played all its hands.
_HANDS = Sum("hands", filter=Q(seat=0))


def results_of(matches: QuerySet[Match]) -> QuerySet[SeatResult]:
    """The results of these matches that count. No query."""
    return SeatResult.objects.filter(match__in=matches.order_by().values("pk"), counts=True)


def years(matches: QuerySet[Match]) -> list[int]:
    """The years in which one of these matches ended, by the present time zone, the newest first. One query."""
    ended = matches.order_by().filter(finished_at__isnull=False)
    return [each.year for each in ended.datetimes("finished_at", "year", order="DESC")]


# --- people --------------------------------------------------------------------------------------------------
class Numbered(NamedTuple):
    """A player by id, and a number."""

    player: int
    number: int


def most_matches(results: QuerySet[SeatResult]) -> list[Numbered]:
    """Everybody by the number of their matches. One query."""
    played = _named(results).values("player").annotate(number=Count("match", distinct=True))
    return [Numbered(*each) for each in played.order_by("-number", "player").values_list("player", "number")]


@dataclass(frozen=True, slots=True)
class Run:
    """Matches that somebody won in a row."""

    player: int
    wins: int
    first: datetime
    """When the first of them ended."""
    last: datetime
    match: int
    """The last one."""
    equal: int = 0
    """How many other runs are as long."""


def longest_run(results: QuerySet[SeatResult]) -> Run | None:
    """The longest run of wins of one person; of equal ones the oldest. A shared win ends a run, and a seat that they
    left early does not count. None if nobody won. One query."""
    over = _named(results).filter(place__isnull=False).annotate(at=F("match__finished_at"))
    ordered = over.order_by("player", "at", "match").values_list("player", "place", "sharing", "match", "at")
    runs = [run for player, rows in groupby(ordered, key=itemgetter(0)) for run in _runs(player, rows)]
    longest = min(runs, key=lambda run: (-run.wins, run.last, run.player), default=None)
    return longest and replace(longest, equal=sum(run.wins == longest.wins for run in runs) - 1)


def _runs(player: int, rows: Iterable[tuple[Any, ...]]) -> Iterator[Run]:
    for won, group in groupby(rows, key=lambda row: row[1:3] == (1, 1)):
        if won:
            wins = list(group)
            yield Run(player, len(wins), first=wins[0][4], last=wins[-1][4], match=wins[-1][3])


@dataclass(frozen=True, slots=True)
class BusyNight:
    """The most matches that somebody played at one night."""

    player: int
    matches: int
    night: int
    began: datetime
    equal: int
    """How often else somebody played as many."""


def busiest_night(results: QuerySet[SeatResult]) -> BusyNight | None:
    """None without matches of nights. Two queries."""
    of_nights = _named(results).filter(match__event__kind=Event.Kind.NIGHT)
    at_nights = of_nights.values("player", "match__event", began=F("match__event__started_at"))
    played = at_nights.annotate(number=Count("match", distinct=True))
    most = played.order_by("-number", "began", "match__event", "player").first()
    if most is None:
        return None
    equal = played.filter(number=most["number"]).count() - 1
    return BusyNight(most["player"], most["number"], most["match__event"], most["began"], equal)


# --- hands and matches ---------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class HighestHand:
    """The best hand of a game: its points (in a game where points are bad, those of the other side), and whose it is,
    by id; with a partner, both."""

    game: str
    points: int
    match: int
    hand: int
    """From 0."""
    ended: datetime
    """When its match ended."""
    players: tuple[int, ...]
    equal: int
    """In how many other matches a hand of the game was as good."""


def highest_hands(results: QuerySet[SeatResult]) -> list[HighestHand]:
    """Of each game; of equal ones the oldest. Three queries."""
    gained = Cast(KeyTextTransform(1, KeyTextTransform("best", "figures")), IntegerField())
    first = Window(RowNumber(), partition_by="game", order_by=[F("gained").desc(), F("at").asc(), F("match").asc()])
    known = _named(results).filter(figures__has_key="best").annotate(gained=gained, at=F("match__finished_at"))
    columns = ("game", "gained", "match", "side", "figures__best__0", "at")
    found = list(known.annotate(order=first).filter(order=1).values_list(*columns))
    theirs = _named(results).filter(match__in=[match for _game, _gained, match, *_rest in found]).order_by("number")
    whose: dict[tuple[int, int, int], list[int]] = {}
    for match, side, player, figures in theirs.values_list("match", "side", "player", "figures"):
        if figures and "best" in figures:
            whose.setdefault((match, side, figures["best"][0]), []).append(player)
    best = Q(*(Q(game=game, gained=points) for game, points, *_rest in found), _connector=Q.OR)
    matches = dict(known.filter(best).order_by().values_list("game").annotate(Count("match", distinct=True)))
    return [
        HighestHand(game, points, match, hand, ended, tuple(whose[match, side, hand]), matches[game] - 1)
        for game, points, match, side, hand, ended in found
    ]


class LongMatch(NamedTuple):
    """The match with the most hands."""

    match: int
    game: str
    hands: int
    ended: datetime
    equal: int
    """How many other matches were as long."""


def longest_match(results: QuerySet[SeatResult]) -> LongMatch | None:
    """None without a match of which hands are known; of equal ones the oldest. Two queries."""
    hands = results.values("match", "game", at=F("match__finished_at")).annotate(number=_HANDS)
    longest = hands.filter(number__gt=0).order_by("-number", "at", "match").first()
    if longest is None:
        return None
    equal = hands.filter(number=longest["number"]).count() - 1
    return LongMatch(longest["match"], longest["game"], longest["number"], longest["at"], equal)


# --- a span in numbers ---------------------------------------------------------------------------------------
class GameInNumbers(NamedTuple):
    game: str
    matches: int
    hands: int


def games_in_numbers(results: QuerySet[SeatResult]) -> list[GameInNumbers]:
    """The game with the most matches first. One query."""
    by_game = results.values("game").annotate(matches=Count("match", distinct=True), number=_HANDS)
    ordered = by_game.order_by("-matches", "game").values_list("game", "matches", "number")
    return [GameInNumbers(game, matches, hands or 0) for game, matches, hands in ordered]


def people_in_numbers(results: QuerySet[SeatResult], earlier: QuerySet[SeatResult]) -> tuple[int, int]:
    """How many people played, and how many of them had no result `earlier`; also those who are hidden. One query."""
    known = Q(player__in=earlier.filter(player__isnull=False).order_by().values("player"))
    numbers = results.aggregate(
        everybody=Count("player", distinct=True), new=Count("player", distinct=True, filter=~known)
    )
    return numbers["everybody"], numbers["new"]


def hidden_players(club: Club) -> set[int]:
    """The ids of those who are hidden. One query."""
    return set(club.players.filter(hidden=True).values_list("pk", flat=True))


def _named(results: QuerySet[SeatResult]) -> QuerySet[SeatResult]:
    """Those of players of the club who are not hidden."""
    return results.filter(player__hidden=False)
