"""Rankings: who is how strong, and how that has changed. The database finds, sorts, counts and pages the people, so
that only the rows of one page are read."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple

from django.db import connection
from django.db.models import Count, Exists, F, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce

from games import GAMES
from scorekeeper.models import Change, Club, Event, Job, Player, RatingBook, RatingLine, SeatResult
from scorekeeper.models.job import RATINGS
from scorekeeper.names import fit
from scorekeeper.ratings import Rating
from scorekeeper.ratings.plackett_luce import MIDDLE, MU, POINT
from scorekeeper.selectors.ratings import CLUB, GROUPS, SERVER, Edition, Scope, edition, games_of, groups_of, rating_of

SHOWN = f"{MIDDLE} + ROUND({POINT} * ({{mu}} - {MU}))"  # as `Belief.shown`
# One number of a stored rating, by its position.
NUMBER = {
    "sqlite": 'JSON_EXTRACT(line."{values}", \'$."{group}"[{at}]\')',
    "postgresql": "CAST(line.\"{values}\" #>> '{{{group},{at}}}' AS double precision)",
}
# In SQL, because Django can neither join a row to the newest of others nor sort by it before it reads it.
NEWEST = """
    SELECT {column} FROM scorekeeper_ratingline AS line
    WHERE line.{who} = {person} AND line.game IN ({games}) AND line."{values}" IS NOT NULL
        AND line.since <= %s AND (line.since = %s OR line.at < %s) AND line.at <= %s
    ORDER BY line.at DESC, line.match_id DESC LIMIT 1"""
# The newest line of each of the people.
WITH_NEWEST = {
    "sqlite": "CROSS JOIN scorekeeper_ratingline AS line ON line.id = ({newest_id})",
    "postgresql": "CROSS JOIN LATERAL ({newest}) AS line",
}
RANKED = """
WITH rated AS MATERIALIZED (
    SELECT people.counts_as AS id, line.id AS line, line.at AS at, {mu} AS mu
    FROM ({people}) AS people {with_newest}{fits}
), moved AS MATERIALIZED (
    SELECT id, line, mu, CASE WHEN at <= %s THEN mu ELSE ({mu_before}) END AS mu_before FROM rated
), shown AS MATERIALIZED (
    SELECT id, line, mu, {shown} AS now, {shown_before} AS before FROM moved
), places AS MATERIALIZED (
    SELECT now, CAST(SUM(COUNT(*)) OVER (ORDER BY now DESC) AS integer) - COUNT(*) AS better,
        CAST(SUM(COUNT(before)) OVER (ORDER BY now DESC) AS integer) - COUNT(before) AS better_of_known
    FROM shown GROUP BY now
), places_before AS MATERIALIZED (
    SELECT before, CAST(SUM(COUNT(*)) OVER (ORDER BY before DESC) AS integer) - COUNT(*) AS better
    FROM shown WHERE before IS NOT NULL GROUP BY before
), page AS MATERIALIZED (
    SELECT * FROM shown{named} ORDER BY mu DESC, id LIMIT %s OFFSET %s
)
SELECT page.id, page.line, 1 + places.better, page.before, places_before.better - places.better_of_known,
    (SELECT COUNT(*) FROM shown{named})
FROM page
JOIN places ON places.now = page.now
LEFT JOIN places_before ON places_before.before = page.before
ORDER BY page.mu DESC, page.id"""


@dataclass(frozen=True, kw_only=True, slots=True)
class Board:
    """Among whom people are ranked, and by which of their ratings."""

    scope: Scope
    players: QuerySet[Player]
    """Those who can be seen. Several of them may count as one person."""

    @property
    def counts_as(self) -> Sequence[str]:
        """As whom each of them may count. Their lines say who does: until ratings are calculated again, people who have
        just been merged or linked count each for themselves, as before."""
        return ("pk", "person_id") if self.scope is SERVER else ("pk",)

    def question(self) -> tuple[str, Sequence[Any]]:
        """The ids of those as whom somebody may count, as `counts_as`, in SQL with its values."""
        players = self.players.order_by()
        first, *others = (
            players.filter(**{f"{column}__isnull": False}).values(counts_as=F(column)) for column in self.counts_as
        )
        return first.union(*others).query.sql_with_params()


def of_club(club: Club) -> Board:
    """Everybody of the club who is not hidden, and whose name was not deleted."""
    return Board(scope=CLUB, players=_shown(club.players.all()))


def of_server(players: QuerySet[Player]) -> Board:
    """The same of these players. Who is linked with people of other clubs is one person with them."""
    return Board(scope=SERVER, players=_shown(players))


def _shown(players: QuerySet[Player]) -> QuerySet[Player]:
    return players.filter(hidden=False, deleted_at=None)


@dataclass(frozen=True, kw_only=True, slots=True)
class Wanted:
    """What to rank them by, and whom."""

    group: str
    """A game or a family of games."""
    at: datetime
    since: datetime
    """From when on movements count."""
    played_since: datetime | None = None
    """Only who has played since; None: everybody."""
    least: int = 1
    """The least number of matches."""
    named: str = ""
    """Only who has a name that fits; places and movements stay those among all."""


class Ranked(NamedTuple):
    """Somebody in a ranking."""

    person: int
    """The id of the player, on the server of the person as whom they count."""
    place: int
    """1 + the number of people with a better rating."""
    rating: Rating
    moved: int | None
    """The points won; None for somebody who had no rating before."""
    places: int | None
    """The places won among those who had a rating before and have one now; None likewise."""


def ranking(board: Board, wanted: Wanted, *, at_most: int | None = None, skip: int = 0) -> tuple[list[Ranked], int]:
    """The best first, without the first ones to `skip`, and how many there are in all, 0 if all are skipped. Three
    queries at most, and one more with `named`."""
    named = _named(board, wanted.named) if wanted.named else None
    if named is not None and not named:
        return [], 0
    rows = _rows(board, wanted, edition(), named, at_most, skip)
    lines = RatingLine.objects.in_bulk([row[1] for row in rows])
    ranked = [_ranked(row, lines[row[1]], board.scope, wanted) for row in rows]
    return ranked, rows[0][-1] if rows else 0


def _rows(
    board: Board, wanted: Wanted, of_edition: Edition, named: Collection[int] | None, at_most: int | None, skip: int
) -> list[tuple[Any, ...]]:
    assert wanted.group in GROUPS
    scope, games = board.scope, games_of(wanted.group)
    people, values = board.question()
    at, since = _adapted(wanted.at), _adapted(wanted.since)

    def number(position: int) -> str:
        return NUMBER[connection.vendor].format(values=scope.values, group=wanted.group, at=position)

    def newest(column: str, person: str) -> str:
        places = ", ".join(["%s"] * len(games))
        return NEWEST.format(column=column, person=person, who=f"{scope.who}_id", values=scope.values, games=places)

    conditions, limits = list[str](), list[Any]()
    if wanted.played_since:
        conditions, limits = ["line.at >= %s"], [_adapted(wanted.played_since)]
    if wanted.least > 1:
        conditions, limits = [*conditions, f"{number(CONTESTS)} >= %s"], [*limits, wanted.least]
    people_newest = (newest(column, "people.counts_as") for column in ("line.id", "line.*"))
    newest_id, newest_line = people_newest
    question = RANKED.format(
        mu=number(MU_AT),
        people=people,
        with_newest=WITH_NEWEST[connection.vendor].format(newest_id=newest_id, newest=newest_line),
        fits=" WHERE " + " AND ".join(conditions) if conditions else "",
        mu_before=newest(number(MU_AT), "rated.id"),
        shown=SHOWN.format(mu="mu"),
        shown_before=SHOWN.format(mu="mu_before"),
        named="" if named is None else f" WHERE id IN ({', '.join(['%s'] * len(named))})",
    )
    counting: list[Any] = [*games, of_edition.number, of_edition.number, _adapted(of_edition.own_from)]
    who = named or ()
    page: list[Any] = [*who, MOST if at_most is None else at_most, skip, *who]
    with connection.cursor() as cursor:
        cursor.execute(question, [*values, *counting, at, *limits, since, *counting, since, *page])
        rows: list[tuple[Any, ...]] = cursor.fetchall()
    return rows


MU_AT, CONTESTS = 0, 3  # positions in a stored rating
MOST = 10**9


def _adapted(at: datetime) -> Any:
    return connection.ops.adapt_datetimefield_value(at)


def _ranked(row: tuple[Any, ...], line: RatingLine, scope: Scope, wanted: Wanted) -> Ranked:
    person, _line, place, before, places, _count = row
    values: Mapping[str, list[float]] = getattr(line, scope.values)
    rating = rating_of(values[wanted.group], line.at).on(wanted.at)
    if before is None:
        return Ranked(person, place, rating, None, None)
    return Ranked(person, place, rating, rating.shown - int(before), places)


def _named(board: Board, text: str) -> list[int]:
    """Whom of the board the text fits, as the search finds people. One query."""
    named = [
        people for name, *people in board.players.values_list("name", *board.counts_as) if fit(text, name) is not None
    ]
    return sorted({person for people in named for person in people if person is not None})


def players_ranked(board: Board, people: Collection[int]) -> dict[int, list[Player]]:
    """By id of each person: the players with their clubs who count as this person and can be seen, the oldest first.
    One query."""
    ranked = board.players.filter(Q(*((f"{column}__in", people) for column in board.counts_as), _connector=Q.OR))
    found: dict[int, list[Player]] = {person: [] for person in people}
    for player in ranked.select_related("club").order_by("pk"):
        for person in found.keys() & {getattr(player, column) for column in board.counts_as}:
            found[person].append(player)
    return found


def played_groups(clubs: QuerySet[Club]) -> list[str]:
    """The groups of games in which somebody of these clubs has a result: first families, then games. One query."""
    results = SeatResult.objects.filter(club=OuterRef("pk"), counts=True, place__isnull=False)
    there = clubs.order_by().values_list(*(Exists(results.filter(game=game)) for game in GAMES))
    played = [game for game, *each in zip(GAMES, *there, strict=True) if any(each)]
    return sorted({group for game in played for group in groups_of(game)}, key=_families_first)


def most_played(club: Club) -> str:
    """The family of games of which the club has most results, or the game if it has no family; "" without a result. One
    query."""
    results = SeatResult.objects.filter(club=club, counts=True, place__isnull=False).order_by()
    played = Counter[str]()
    for game, number in results.values_list("game").annotate(number=Count("pk")):
        played[groups_of(game)[-1]] += number
    return max(sorted(played), key=played.__getitem__, default="")


def _families_first(group: str) -> tuple[bool, int]:
    return group in GAMES, [*GAMES].index(group) if group in GAMES else 0


def last_night(club: Club, at: datetime) -> Event | None:
    """The newest night that had begun by then. One query."""
    nights = club.events.filter(kind=Event.Kind.NIGHT, removed=False, started_at__lte=at)
    return nights.order_by("-started_at").first()


class News(NamedTuple):
    """What is new of the ratings of a club, or of the server."""

    change: int
    """The id of the newest change that a ranking shows; 0 before the first."""
    causes: Sequence[Mapping[str, Any]]
    """Why ratings are being calculated again, so that the ranking is an old one."""


def news_of_ratings(club: Club | None) -> News:
    """Of the club, or of the server without one. One query."""
    changes = Change.objects.filter(kind__in=("ratings", "players", "club-set"))
    own = changes.filter(topic=f"club:{club.pk}") if club else changes
    newest = own.order_by("-pk").values("pk")[:1]
    # Without a book, nobody has ever had a rating.
    found = RatingBook.objects.values_list(Coalesce(Subquery(newest), 0), "causes").first()
    change, causes = found or (0, [])
    if club:
        return News(change, [cause for cause in causes if cause["club"] in (None, club.pk)])
    # On the whole server every match counts, whatever its club chooses.
    return News(change, [cause for cause in causes if cause["kind"] != "rules"])


def recalculation() -> Job | None:
    """The job that calculates ratings; None while it waits to be started again. One query."""
    going = Job.objects.filter(kind=RATINGS, state__in=[Job.State.NEW, Job.State.RUNNING])
    return going.order_by("-state", "pk").first()
