"""The ratings of players, as they are stored after each match, and what is rated."""

from collections.abc import Collection, Iterable, Mapping
from datetime import datetime
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
    return _contest(match.finished_at, match.game, list(match.results.order_by("number")))


def contests(matches: Collection[Match]) -> dict[int, Contest]:
    """The contests of those matches that count, by match. One query."""
    rows: dict[int, list[SeatResult]] = {}
    for row in SeatResult.objects.filter(match__in=matches).order_by("match", "number"):
        rows.setdefault(row.match_id, []).append(row)
    found = {match.pk: _contest(match.finished_at, match.game, rows.get(match.pk, [])) for match in matches}
    return {match: contest for match, contest in found.items() if contest}


def _contest(at: datetime | None, game: str, rows: list[SeatResult]) -> Contest | None:
    whole = all(row.counts and row.place and row.player_id and row.seat == row.number for row in rows)
    if at is None or len(rows) < 2 or not whole:
        return None
    sides: dict[int, list[int]] = {}
    places: dict[int, int] = {}
    for row in rows:
        assert row.player_id
        assert row.place
        sides.setdefault(row.side, []).append(row.player_id)
        places[row.side] = row.place
    order = sorted(sides)
    teams, results = tuple(tuple(sides[side]) for side in order), tuple(places[side] for side in order)
    return Contest(at, game, teams, results, lower_wins=True)


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
