"""Reading what one player has done: their results and ratings, who sat on which side, and where they play next."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from fractions import Fraction
from itertools import groupby
from operator import attrgetter, itemgetter
from typing import Any, NamedTuple

from django.db.models import CharField, OuterRef, Q, QuerySet, Subquery, Value
from django.db.models.functions import Cast, Concat

from games import GAMES
from scorekeeper.models import Change, Entrant, Event, Match, Player, Seat, SeatResult, Substitute
from scorekeeper.ratings import Rating
from scorekeeper.selectors.figures import Sitting
from scorekeeper.selectors.matches import with_people
from scorekeeper.selectors.ratings import Edition, in_edition, rating_of


# --- results -------------------------------------------------------------------------------------------------
class Played(NamedTuple):
    """What a player did in a match that counts."""

    match: int
    club: int
    game: str
    event: int | None
    at: datetime
    """When the match ended."""
    place: int | None
    """None if they left before its end."""
    sharing: int
    """The number of sides with this place."""
    sides: int
    hands: int
    points: int
    """Of their side."""
    unverified: bool
    sittings: tuple[Sitting, ...]
    """What they did in each of their seats."""

    @property
    def outcome(self) -> str:
        """won, shared (a first place), lost, or left."""
        if self.place is None:
            return "left"
        if self.place > 1:
            return "lost"
        return "won" if self.sharing == 1 else "shared"


RESULT = ("match", "club", "game", "match__event", "match__finished_at", "place", "sharing", "others")
SUMMED = ("hands", "points", "unverified", "figures")


def played_by(rows: Collection[int], matches: QuerySet[Match]) -> list[Played]:
    """What a person did in those of the matches that count, the oldest first; two sittings in a match are one. `rows`:
    their ids in their clubs. One query."""
    sat = SeatResult.objects.filter(player__in=rows, counts=True, match__in=matches.order_by().values("pk"))
    found = sat.order_by("match__finished_at", "match", "number").values_list(*RESULT, *SUMMED)
    return [_played(list(sittings)) for _match, sittings in groupby(found, key=itemgetter(0))]


def _played(sittings: Sequence[tuple[Any, ...]]) -> Played:
    # Whoever came back and stayed has the place of their last sitting.
    match, club, game, event, at, place, sharing, others = sittings[-1][: len(RESULT)]
    hands, points, unverified, figures = zip(*(sitting[len(RESULT) :] for sitting in sittings), strict=True)
    did = tuple([Sitting(game, match, at, each) for each in figures])
    return Played(
        match, club, game, event, at, place, sharing, others + 1, sum(hands), sum(points), any(unverified), did
    )


@dataclass(frozen=True, slots=True)
class Record:
    """How somebody did in a game."""

    game: str
    played: int
    won: int
    shared: int
    lost: int
    unverified: int
    points_a_hand: Fraction | None
    """Of their side; None without a hand of which the points are known."""
    average_place: Fraction | None
    """None if they always left before the end."""


def records(played: Collection[Played]) -> list[Record]:
    """By game, the one that they have played most first."""
    by_game = {game: [each for each in played if each.game == game] for game in GAMES}
    return sorted((_record(game, of) for game, of in by_game.items() if of), key=lambda each: -each.played)


def _record(game: str, played: Sequence[Played]) -> Record:
    outcomes = [each.outcome for each in played]
    with_hands = [each for each in played if each.hands and not each.unverified]
    hands = sum(each.hands for each in with_hands)
    places = [each.place for each in played if each.place is not None]
    return Record(
        game,
        len(played),
        outcomes.count("won"),
        outcomes.count("shared"),
        outcomes.count("lost"),
        sum(each.unverified for each in played),
        Fraction(sum(each.points for each in with_hands), hands) if hands else None,
        Fraction(sum(places), len(places)) if places else None,
    )


@dataclass(frozen=True, slots=True)
class Streak:
    """Matches with the same outcome, one after the other."""

    outcome: str
    length: int
    first: Played
    last: Played


def streaks(played: Collection[Played]) -> list[Streak]:
    """All of them, the oldest first; matches that somebody left before the end do not break one."""
    ended = [each for each in played if each.place is not None]
    runs = [list(run) for _outcome, run in groupby(ended, key=attrgetter("outcome"))]
    return [Streak(run[0].outcome, len(run), run[0], run[-1]) for run in runs]


class Side(NamedTuple):
    """A side of a match that ended: its place, how many sides share it, and its players with the names of today. The
    id is None for somebody who is no player of the club."""

    place: int
    sharing: int
    players: tuple[tuple[int | None, str], ...]


def sides_of(matches: Collection[int]) -> dict[int, list[Side]]:
    """The sides of these matches as they ended, by match. One query."""
    ended = SeatResult.objects.filter(match__in=matches, place__isnull=False).order_by("match", "side", "seat")
    rows = ended.values_list("match", "side", "place", "sharing", "player", "player__name", "name")
    found: dict[int, list[Side]] = {}
    for (match, _side, place, sharing), sittings in groupby(rows, key=itemgetter(0, 1, 2, 3)):
        players = tuple((player, known_as or name) for *_of_side, player, known_as, name in sittings)
        found.setdefault(match, []).append(Side(place or 0, sharing, players))
    return found


# --- ratings -------------------------------------------------------------------------------------------------
class Step(NamedTuple):
    """A rating after a match, and what was shown and expected before it."""

    match: int
    game: str
    after: Rating
    shown_before: int
    elo_before: int
    expected: int
    """The part of the comparisons with the other sides, in per mille."""

    @property
    def at(self) -> datetime:
        assert self.after.last, "A step follows a match."
        return self.after.last


def steps_of(player: int, edition: Edition) -> dict[str, list[Step]]:
    """The course of their ratings in their club, by group of games, the oldest step first. One query."""
    lines = in_edition(edition).filter(player=player).order_by("at", "match")
    found: dict[str, list[Step]] = {}
    for match, game, at, values in lines.values_list("match", "game", "at", "values"):
        for group, stored in (values or {}).items():
            shown, elo, expected = map(int, stored[4:])
            found.setdefault(group, []).append(Step(match, game, rating_of(stored, at), shown, elo, expected))
    return found


def linked_with(player: Player, people: QuerySet[Player]) -> list[Player]:
    """Those of the people who are the same person in other clubs, by club, with their clubs. One query, none for
    somebody who is not linked."""
    if player.person_id is None:
        return []
    others = people.filter(person=player.person_id, merged_into=None).exclude(club=player.club_id)
    return list(others.select_related("club").order_by("club__name", "pk"))


# --- what comes ----------------------------------------------------------------------------------------------
def newest_and_open(rows: Collection[int], newest: Collection[int], matches: QuerySet[Match]) -> list[Match]:
    """Those of the matches that are in play with one of these rows of people, and those with the ids `newest`; the
    newest first. Two queries, three if there are substitutes."""
    sat = [model.objects.filter(player__in=rows).values("match") for model in (Seat, Substitute)]
    in_play = Q(finished_at=None) & (Q(pk__in=sat[0]) | Q(pk__in=sat[1]))
    return with_people(matches.filter(Q(pk__in=newest) | in_play).defer("offers").order_by("-created_at", "-pk"))


def events_of(rows: Collection[int], played: Collection[int], events: QuerySet[Event]) -> list[Event]:
    """Those of the events that are over, with the ids `played`, and those that are tournaments, leagues or ladders
    which are not over, in which one of these rows of people is entered; the newest first, with their newest changes.
    One query."""
    over = Q(pk__in=played, closed_at__isnull=False)
    entered = Entrant.objects.filter(player__in=rows).values("event")
    to_play = Q(kind__in=[Event.Kind.TOURNAMENT, Event.Kind.LEAGUE, Event.Kind.LADDER], closed_at=None, pk__in=entered)
    topic = Concat(OuterRef("kind"), Value(":"), Cast(OuterRef("pk"), CharField()))
    newest = Change.objects.filter(topic=topic).order_by("-pk").values("pk")[:1]
    found: list[Event] = []
    for event in events.filter(over | to_play).annotate(change_id=Subquery(newest)).order_by("-started_at", "-pk"):
        event.newest_change = event.change_id or 0
        found.append(event)
    return found


def names_of(players: Collection[int]) -> Mapping[int, str]:
    """The names of today of people in an open event, by id. One query."""
    return dict(Player.objects.filter(pk__in=players).values_list("pk", "name"))
