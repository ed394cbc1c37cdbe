"""The ratings of players, as they are stored after each match, and what is rated."""

from collections.abc import Collection, Mapping, Sequence
from datetime import UTC, datetime
from itertools import chain, groupby
from operator import itemgetter
from typing import Any, NamedTuple

from django.db.models import OuterRef, Q, QuerySet, Subquery, Window
from django.db.models.functions import RowNumber

from games import GAMES
from scorekeeper.models import Match, Player, RatingBook, RatingLine, RatingRules, SeatResult
from scorekeeper.ratings import DEFAULT, Change, Contest, Rating, Rules
from scorekeeper.ratings.plackett_luce import Belief


def groups_of(game: str) -> tuple[str, ...]:
    """The groups of games in which a match counts: its game, and its family if it has one."""
    family = GAMES[game].family
    return (game, family) if family else (game,)


def games_of(group: str) -> list[str]:
    """The games that count in a group."""
    return [game for game in GAMES if group in groups_of(game)]


GROUPS = frozenset(group for game in GAMES for group in groups_of(game))


class Scope(NamedTuple):
    """Where ratings hold, in the columns of a line: as whom somebody counts there, and the ratings."""

    who: str
    values: str


CLUB, SERVER = Scope("player", "values"), Scope("person", "everywhere")
SCOPES = (CLUB, SERVER)


# --- what is rated -------------------------------------------------------------------------------------------
class Rated(NamedTuple):
    """A match that counts somewhere: `contests` has for each scope what its ratings count of it."""

    match: int
    game: str
    at: datetime
    players: tuple[int, ...]
    persons: tuple[int, ...]
    contests: Mapping[Scope, Contest]


def rules_of(club_id: int) -> Rules:
    """What counts in a club. One query."""
    row = RatingRules.objects.filter(club=club_id).values_list(*Rules._fields).first()
    return Rules(*row) if row else DEFAULT


def rated(matches: QuerySet[Match], rules: Rules | None = None) -> list[Rated]:
    """Those of the matches that count, in the same order; in their clubs as these `rules` say, or as each has chosen.

    A match does not count if it is in play, abandoned or removed, if somebody took over a seat in it, if Nestor has
    one, or if somebody is no player of the club. Three queries.
    """
    ended = list(matches.filter(finished_at__isnull=False).exclude(event__removed=True).values_list(*ENDED))
    chosen = {club: Rules(*values) for club, *values in RatingRules.objects.values_list("club", *Rules._fields)}
    rows = SeatResult.objects.filter(match__in=matches).order_by("match", "number").values_list(*SITTING)
    sittings = {match: list(group) for match, group in groupby(rows, key=itemgetter(0))}
    found = (_rated(match, sittings.get(match[0], ()), rules or chosen.get(match[1], DEFAULT)) for match in ended)
    return [each for each in found if each]


ENDED = ("pk", "club", "game", "finished_at", "event__kind")
SITTING = (
    *("match", "side", "player", "player__person", "place", "counts", "number", "seat", "hands", "unverified"),
    "player__program",
)


def _rated(match: tuple[Any, ...], sittings: Sequence[tuple[Any, ...]], rules: Rules) -> Rated | None:
    pk, _club, game, at, kind = match
    teams: dict[int, tuple[int, ...]] = {}
    places: dict[int, int] = {}
    person_of: dict[int, int] = {}
    most, sure = 0, True
    for _match, side, player, person, place, counts, number, seat, hands, unverified, program in sittings:
        # Who took over a seat has a higher number, and who left it has no place.
        if not (counts and place and player and number == seat) or program:
            return None
        teams[side] = (*teams.get(side, ()), player)
        places[side] = place
        person_of[player] = person or player
        most, sure = max(most, hands), sure and not unverified
    if len(teams) < 2:
        return None
    order = sorted(teams)
    sides = tuple([teams[side] for side in order])
    players = tuple(chain(*sides))
    persons = tuple([person_of[player] for player in players])
    contest = Contest(at, game, sides, tuple([places[side] for side in order]), lower_wins=True)
    contests = {}
    if weight := rules.weight(kind, hands=most, unverified=not sure):
        contests[CLUB] = contest if weight == contest.weight else contest._replace(weight=weight)
    if len({*persons}) == len(persons) and DEFAULT.weight(kind, hands=most, unverified=not sure):
        as_persons = sides if persons == players else tuple(tuple(person_of[each] for each in side) for side in sides)
        contests[SERVER] = contest if as_persons is sides else contest._replace(sides=as_persons)
    return Rated(pk, game, at, players, persons, contests) if contests else None


# --- what is stored ------------------------------------------------------------------------------------------
FOREVER = datetime.max.replace(tzinfo=UTC)


class Edition(NamedTuple):
    """Its lines are those since `own_from` that were written for it, and all older ones."""

    number: int = 1
    own_from: datetime = FOREVER


def in_edition(edition: Edition) -> QuerySet[RatingLine]:
    """The lines of an edition."""
    number, own_from = edition
    return RatingLine.objects.filter(Q(since=number) | Q(at__lt=own_from), since__lte=number)


def edition() -> Edition:
    """The edition that counts. One query."""
    number, old_from = RatingBook.objects.values_list("edition", "old_from").first() or (1, None)
    return Edition(number, old_from or FOREVER)


Known = dict[tuple[Scope, str], dict[int, Rating]]
"""Ratings by scope, group of games, and player or person."""


def before(match: Rated, of_edition: Edition) -> Known:
    """The ratings of its players before a match. One query for each scope and group."""
    earlier = in_edition(of_edition).filter(Q(at__lt=match.at) | Q(at=match.at, match__lt=match.match))
    return {
        (scope, group): newest(earlier, scope, group, [player for side in contest.sides for player in side])
        for scope, contest in match.contests.items()
        for group in groups_of(contest.game)
    }


def all_after(lines: QuerySet[RatingLine]) -> Known:
    """Everybody's ratings after the last of these lines. One query for each scope."""
    known: Known = {(scope, group): {} for scope in SCOPES for group in GROUPS}
    for scope in SCOPES:
        # The last line in each game; of those in a family of games, the newer one takes the place of the older one.
        for player, values, at in _last(lines, scope).values_list(scope.who, scope.values, "at"):
            for group in values:
                known[scope, group][player] = rating_of(values[group], at)
    return known


def _last(lines: QuerySet[RatingLine], scope: Scope) -> QuerySet[Any]:
    """Of these lines, where they count in the scope, the last of each player in each game, in the order of time."""
    number = Window(RowNumber(), partition_by=["player", "game"], order_by=["-at", "-match"])
    counted = lines.filter(**{f"{scope.values}__isnull": False})
    return counted.annotate(number=number).filter(number=1).order_by("at", "match")


def newest(
    lines: QuerySet[RatingLine], scope: Scope, group: str, players: Collection[int] | QuerySet[Any]
) -> dict[int, Rating]:
    """The ratings of these players, or persons, in a group after the last of these lines. One query."""
    counted = lines.filter(**{scope.who: OuterRef("pk"), f"{scope.values}__isnull": False})
    own = counted.filter(game__in=games_of(group)).order_by("-at", "-match")
    last = Player.objects.filter(pk__in=players).values(line=Subquery(own.values("pk")[:1]))
    found = RatingLine.objects.filter(pk__in=last).values_list(scope.who, scope.values, "at").order_by()
    return {player: rating_of(values[group], at) for player, values, at in found}


def rating_of(values: Sequence[float], at: datetime) -> Rating:
    """A stored rating."""
    mu, sigma, elo, contests = values[:4]
    return Rating(Belief(mu, sigma), int(elo), int(contests), at)


def in_full(values: Sequence[float], at: datetime) -> dict[str, float]:
    """A stored rating with all that is known of it, by name."""
    names = ("mu", "sigma", "elo", "matches", "shown_before", "elo_before", "expected_per_mille")
    return {"shown": rating_of(values, at).shown, **dict(zip(names, values, strict=True))}


def stored(change: Change) -> list[float]:
    """A change, as a line stores it."""
    (mu, sigma), elo, contests, _last = change.after
    return [mu, sigma, elo, contests, change.last.shown, change.last.elo, round(1000 * change.expected)]
