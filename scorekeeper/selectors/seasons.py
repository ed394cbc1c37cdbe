"""Reading seasons: the events that count, the table that follows from their results, and who won."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from fractions import Fraction
from typing import Any
from zoneinfo import ZoneInfo

from django.db.models import Case, Count, F, Max, OuterRef, Q, Subquery, Sum, When
from django.db.models.fields.json import KeyTransform

from games import GAMES
from scorekeeper.live.parts import shared
from scorekeeper.live.topics import Topic
from scorekeeper.models import Change, Club, Event, Match, Player, Season, SeatResult
from scorekeeper.ratings.plackett_luce import Belief
from scorekeeper.selectors.clubs import counted_as
from scorekeeper.selectors.events import results_now
from scorekeeper.selectors.ratings import edition, games_of, in_edition
from scorekeeper.selectors.standings import tables_of_events
from scorekeeper.selectors.tournament_results import TournamentResults
from scorekeeper.standings.comparison import those_there
from scorekeeper.standings.exact import Number, total
from scorekeeper.standings.season import Result, SeasonRow, by_place, by_worth, places, season_table

Results = dict[int, dict[int, Result]]
"""By event and player."""
SHOWN_BEFORE = 4
"""Where a line has the rating that was shown before the match."""


@dataclass(frozen=True, slots=True)
class Counted:
    """An event of a season."""

    event: Event
    at: datetime
    """The time that puts it into the season: the start of a night, or of the last match of a tournament."""


@dataclass(frozen=True, slots=True)
class SeasonNow:
    """A season with everything that its pages show."""

    season: Season
    events: Sequence[Counted]
    """Those that have results, the oldest first."""
    rows: Sequence[SeasonRow]
    """By place. The events have their numbers from here."""
    people: Mapping[int, Player]
    """Everybody in the rows, by id."""

    @property
    def going_on(self) -> bool:
        """Whether one of the nights that count is open."""
        return any(each.event.closed_at is None for each in self.events)

    def champions(self, today: date) -> list[Player]:
        """Who has won it, several if they share the first place; nobody before it is over."""
        over = self.season.ends_on < today and not self.going_on
        return [self.people[row.person] for row in self.rows if row.place == 1] if over else []


def seasons_of(club: Club) -> list[Season]:
    """The newest first. One query."""
    seasons = list(club.seasons.all())
    for season in seasons:
        season.club = club  # with its newest change
    return seasons


def titles_of(players: Collection[Player], today: date) -> dict[int, list[Season]]:
    """By id of those of these players who have won a season of their club: the seasons, the newest first. Two queries
    if somebody has just read the tables; else also those of `season_now` for each season that is over."""
    won: dict[int, list[Season]] = defaultdict(list)
    over = Season.objects.filter(club__players__in=players, ends_on__lt=today).select_related("club").distinct()
    seasons = list(over)
    newest = _newest_changes(Topic("club", season.club_id) for season in seasons) if seasons else {}
    for season in seasons:
        season.club.newest_change = newest.get(Topic("club", season.club_id))
        for champion in season_now(season).champions(today):
            won[champion.pk].append(season)
    return {player.pk: won[player.pk] for player in players if player.pk in won}


def season_now(season: Season) -> SeasonNow:
    """The season of a club from `access.club_for`, read once for all its visitors after a change in the club. Queries
    as in `season_read`."""
    of_club = Topic("club", season.club_id)
    found: SeasonNow = shared(of_club, "season", str(season.pk)).of(
        season.club.newest_change or 0, lambda _before: season_read(season)
    )
    return found


def season_read(season: Season) -> SeasonNow:
    """The season as it is, also if it is not saved. Four queries, however many events and people. If tournaments count
    by their places, two more, and for each of them that nobody has read since its last change another six."""
    events = _events(season)
    results = _results(season, [each.event for each in events])
    everybody = {player for event in results.values() for player in event}
    people = {player.pk: player for player in season.club.players.filter(hidden=False) if player.pk in everybody}
    held = [each for each in events if each.event.pk in results]
    seen = [{who: result for who, result in results[each.event.pk].items() if who in people} for each in held]
    return SeasonNow(season, held, season_table(seen, season.best), people)


# --- what counts ---------------------------------------------------------------------------------------------
def _events(season: Season) -> list[Counted]:
    """The events of the season's days that everybody may see: nights that began on them, tournaments that are over and
    whose last match began on them. One query."""
    zone = ZoneInfo(season.club.time_zone)
    begin, end = (
        datetime.combine(day, time.min, zone) for day in (season.starts_on, season.ends_on + timedelta(days=1))
    )
    last = Match.objects.filter(event=OuterRef("pk")).order_by("-created_at").values("created_at")[:1]
    night, tournament = Q(kind=Event.Kind.NIGHT), Q(kind=Event.Kind.TOURNAMENT)
    kinds = {Season.Of.NIGHTS: night, Season.Of.TOURNAMENTS: tournament, Season.Of.BOTH: night | tournament}[
        Season.Of(season.of)
    ]
    counting = Event.objects.filter(kinds, night | Q(closed_at__isnull=False), club=season.club_id)
    days = counting.filter(public=True, removed=False).annotate(
        at=Case(When(night, then=F("started_at")), default=Subquery(last))
    )
    return [Counted(event, event.at) for event in days.filter(at__gte=begin, at__lt=end).order_by("at", "pk")]


def _results(season: Season, events: Sequence[Event]) -> Results:
    """What each event with results was worth to the players of the club."""
    games = games_of(season.group) if season.group else list(GAMES)
    numbers = [event.pk for event in events]
    match Season.By(season.by):
        case Season.By.GAIN:
            return _each(_gains(numbers, season.group, games))
        case Season.By.WINS:
            won = {event: _players(people) for event, people in _won(numbers, games)}
            return _each({event: {who: each.wins for who, each in of.items()} for event, of in won.items()})
    nights = [event.pk for event in events if event.kind == Event.Kind.NIGHT]
    found = {event: _players(by_place(of, season.points)) for event, of in _night_places(nights, games)}
    tournaments = [event for event in events if event.kind == Event.Kind.TOURNAMENT]
    return found | _at_tournaments(season, tournaments, games)


def _each(values: Mapping[int, Mapping[int, Number]]) -> Results:
    return {event: by_worth(of) for event, of in values.items() if of}


Somebody = tuple[int | None, str]
"""A player of the club, or the name of somebody who is none."""


def _players(of: Mapping[Somebody, Any]) -> dict[int, Any]:
    """Without those who are no players of the club."""
    return {player: value for (player, _name), value in of.items() if player}


# --- nights --------------------------------------------------------------------------------------------------
def _night_places(nights: Collection[int], games: Sequence[str]) -> Iterator[tuple[int, dict[Somebody, int]]]:
    """Everybody's places at each night: in the table of its game, or over several games. One query."""
    if len(games) == 1:
        for night, tables in tables_of_events(nights, games).items():
            for rows in tables.values():
                yield night, {(row.player, row.name): row.place for row in rows}
    else:
        for night, people in _won(nights, games):
            yield night, places({who: (each.wins, each.share) for who, each in people.items()})


@dataclass(frozen=True, slots=True)
class _Won:
    wins: Number
    """A shared win is half a win."""
    share: Number
    """The part won of all comparisons with another side of a match; an equal one is half won."""


def _won(events: Collection[int], games: Sequence[str]) -> Iterator[tuple[int, dict[Somebody, _Won]]]:
    """What everybody won at each event with a counted match of these games. One query."""
    counts = Q(counts=True)
    # Each comparison as two halves: lost 0, equal 1, won 2.
    halves = 2 * F("others") - 2 * F("place") - F("sharing") + 3
    found: dict[int, dict[Somebody, _Won]] = defaultdict(dict)
    rows = SeatResult.objects.filter(counts, match__event__in=events, game__in=games).order_by()
    for event, player, name, won, shared_wins, ahead, met in rows.values_list(
        "match__event", "player", "name"
    ).annotate(
        won=Count("match", distinct=True, filter=Q(place=1, sharing=1)),
        shared_wins=Count("match", distinct=True, filter=Q(place=1, sharing__gt=1)),
        ahead=Sum(halves, filter=Q(place__isnull=False)),
        met=Sum("others", filter=Q(place__isnull=False)),
    ):
        share = Fraction(ahead, 2 * met) if met else 0
        found[event][player, name] = _Won(total([won, Fraction(shared_wins, 2)]), share)
    yield from found.items()


# --- tournaments ---------------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class _Final:
    """How a tournament ended."""

    game: str
    places: Mapping[tuple[int, ...], int]
    """By the players of an entrant."""


def _at_tournaments(season: Season, tournaments: Sequence[Event], games: Collection[str]) -> Results:
    """What the places at the end were worth to all players of each entrant."""
    if not tournaments:
        return {}
    merged, newest = counted_as(season.club_id), _newest_changes(map(Topic.of_event, tournaments))
    found: Results = {}
    for event in tournaments:
        event.club = season.club
        final = _final(event, newest.get(Topic.of_event(event), 0))
        if final.game in games:
            of = by_place(final.places, season.points)
            found[event.pk] = {merged.get(each, each): result for entrant, result in of.items() for each in entrant}
    return {event: of for event, of in found.items() if of}


def _final(event: Event, newest: int) -> _Final:
    """The places at the end, read once after each change of the tournament. Six queries at most."""

    def read(_before: _Final | None) -> _Final:
        results = TournamentResults(results_now(event), newest)
        first = results.standings()
        rows = those_there(first.results, first.rows) if first and len(results.parts) == 1 else results.places
        return _Final(results.file["game"], {results.state.entrants[row.entrant]: row.place for row in rows})

    final: _Final = shared(Topic.of_event(event), "final").of(newest, read)
    return final


def _newest_changes(topics: Iterable[Topic]) -> dict[Topic, int]:
    """The id of the newest change of each of these topics that has one. One query."""
    rows = Change.objects.filter(topic__in=map(str, topics)).order_by().values_list("topic")
    return {Topic.read(topic): newest for topic, newest in rows.annotate(newest=Max("pk"))}


# --- ratings -------------------------------------------------------------------------------------------------
def _gains(events: Collection[int], group: str, games: Collection[str]) -> dict[int, dict[int, Number]]:
    """The points of the rating that players won at each event, in the group of games, or in each game for itself. Two
    queries."""
    lines = in_edition(edition()).filter(match__event__in=events)
    found: dict[int, dict[int, Number]] = defaultdict(lambda: defaultdict(int))
    whens = [When(game=game, then=KeyTransform(group or game, "values")) for game in games]
    for event, player, after in lines.annotate(after=Case(*whens)).values_list("match__event", "player", "after"):
        if after:
            mu, sigma, *_rest = after
            found[event][player] += Belief(mu, sigma).shown - after[SHOWN_BEFORE]
    return found
