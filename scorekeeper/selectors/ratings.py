"""The ratings of players, as they are stored after each match, and what is rated."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime
from itertools import groupby
from operator import itemgetter
from typing import Any

from django.db.models import OuterRef, Q, QuerySet, Subquery

from games import GAMES
from scorekeeper.models import Club, Match, Player, RatingBook, RatingLine, SeatResult
from scorekeeper.ratings import Contest, Rating
from scorekeeper.ratings.plackett_luce import Belief


def groups_of(game: str) -> tuple[str, ...]:
    """The groups of games in which a match counts: its game, and its family if it has one."""
    family = GAMES[game].family
    return (game, family) if family else (game,)


def games_of(group: str) -> list[str]:
    """The games that count in a group."""
    return [game for game in GAMES if group in groups_of(game)]


# --- what is rated -------------------------------------------------------------------------------------------
def contest_of(match: Match) -> Contest | None:
    """What ratings count of a match; None if they do not count it: it is in play, abandoned or removed, somebody took
    over a seat in it, or somebody is no player of the club. One query."""
    return contests([match]).get(match.pk)


def contests(matches: Collection[Match]) -> dict[int, Contest]:
    """The contests of those matches that count, by match. One query."""
    ended = {match.pk: match for match in matches if match.finished_at}
    rows = SeatResult.objects.filter(match__in=ended).order_by("match", "number")
    found = {}
    for match, sittings in groupby(rows.values_list("match", *SITTING), key=itemgetter(0)):
        if contest := _contest(ended[match], [sitting[1:] for sitting in sittings]):
            found[match] = contest
    return found


SITTING = ("side", "player", "place", "counts", "number", "seat")


def _contest(match: Match, sittings: Sequence[tuple[Any, ...]]) -> Contest | None:
    sides: dict[int, list[int]] = {}
    places: dict[int, int] = {}
    for side, player, place, counts, number, seat in sittings:
        # Who took over a seat has a higher number, and who left it has no place.
        if not (counts and place and player and number == seat):
            return None
        sides.setdefault(side, []).append(player)
        places[side] = place
    if len(sides) < 2:
        return None
    assert match.finished_at
    teams = tuple(tuple(sides[side]) for side in sorted(sides))
    return Contest(match.finished_at, match.game, teams, tuple(places[side] for side in sorted(sides)), lower_wins=True)


# --- what is stored ------------------------------------------------------------------------------------------
def in_edition(edition: int) -> QuerySet[RatingLine]:
    """The lines of an edition."""
    return RatingLine.objects.filter(Q(until__gt=edition) | Q(until=None), since__lte=edition)


def edition() -> int:
    """The edition that counts. One query."""
    return RatingBook.objects.values_list("edition", flat=True).first() or 1


def before(contest: Contest, match: int, players: Collection[int], of_edition: int) -> dict[str, dict[int, Rating]]:
    """The ratings of these players before a match, by group and player. One query for each group."""
    earlier = in_edition(of_edition).filter(Q(at__lt=contest.at) | Q(at=contest.at, match__lt=match))
    return {group: _ratings(group, _latest(earlier, group, players)) for group in groups_of(contest.game)}


def all_before(at: datetime, of_edition: int) -> dict[str, dict[int, Rating]]:
    """Everybody's ratings at a time, by group and player. One query for each group."""
    lines, players = in_edition(of_edition).filter(at__lt=at), Player.objects.values("pk")
    groups = {group for game in GAMES for group in groups_of(game)}
    return {group: _ratings(group, _latest(lines, group, players)) for group in groups}


def ranking(club: Club, group: str, *, at: datetime) -> list[tuple[int, Rating]]:
    """Everybody in the club with a rating in a group of games at this time, by id, the best first; without people who
    are hidden. Two queries."""
    players = club.players.filter(merged_into=None, hidden=False).values("pk")
    lines = _latest(in_edition(edition()).filter(club=club, at__lte=at), group, players)
    ratings = ((player, rating.on(at)) for player, rating in _ratings(group, lines).items())
    return sorted(ratings, key=lambda each: (-each[1].shown, each[1].uncertainty, each[0]))


def rated_games(club: Club) -> set[str]:
    """The games in which somebody of the club has a rating. One query."""
    return set(RatingLine.objects.filter(club=club, until=None).values_list("game", flat=True).distinct())


Line = tuple[int, Mapping[str, list[float]], datetime]
"""The player of a line, their ratings by group, and when."""


def _latest(lines: QuerySet[RatingLine], group: str, players: Collection[int] | QuerySet[Any]) -> Iterable[Line]:
    """The last of these lines of each player in a group. One query."""
    own = lines.filter(player=OuterRef("pk"), game__in=games_of(group)).order_by("-at", "-match")
    newest = Player.objects.filter(pk__in=players).values(line=Subquery(own.values("pk")[:1]))
    return RatingLine.objects.filter(pk__in=newest).values_list("player", "values", "at").order_by()


def _ratings(group: str, lines: Iterable[Line]) -> dict[int, Rating]:
    return {player: _rating(values[group], at) for player, values, at in lines}


def _rating(values: list[float], at: datetime) -> Rating:
    """A stored rating."""
    mu, sigma, elo, contests = values
    return Rating(Belief(mu, sigma), int(elo), int(contests), at)


def stored(ratings: Mapping[str, Rating]) -> dict[str, list[float]]:
    """Ratings by group, as a line stores them."""
    return {group: [*each.belief, each.elo, each.contests] for group, each in ratings.items()}
