"""The page of a player: how strong they are and why, what they have played and won, and where they play next."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from fractions import Fraction

from django.http import QueryDict
from django.utils import timezone
from django.utils.formats import number_format
from django.utils.translation import gettext as _

from games import GAMES
from scorekeeper.access import Actor, events_for, has_claimed, matches_for, players_for
from scorekeeper.models import Club, Event, FormerName, Player, Season
from scorekeeper.pages import context
from scorekeeper.pages.match import MatchLine, match_line
from scorekeeper.pages.player_coming import (
    NextChallenges,
    NextFixtures,
    NextRounds,
    next_challenges,
    next_fixtures,
    next_rounds,
)
from scorekeeper.pages.player_figures import PlayerFigures, player_figures
from scorekeeper.pages.player_pairs import PlayerPairs, player_pairs
from scorekeeper.pages.player_ratings import Ratings, player_ratings
from scorekeeper.selectors.clubs import same_people
from scorekeeper.selectors.events import in_play
from scorekeeper.selectors.players import (
    Record,
    Streak,
    events_of,
    linked_with,
    newest_and_open,
    played_by,
    records,
    steps_of,
    streaks,
)
from scorekeeper.selectors.ratings import edition, groups_of
from scorekeeper.selectors.seasons import titles_of as seasons_won
from scorekeeper.selectors.titles import Title, titles_of

LAST = 5  # matches
ALL = "all"  # clubs


@dataclass(frozen=True, slots=True)
class RecordLine:
    name: str
    record: Record
    points_a_hand: str
    """"" if there is none."""
    fewer: bool
    """Whether fewer points are better."""
    average_place: str
    """"" if there is none."""


@dataclass(frozen=True, slots=True)
class LastMatch:
    line: MatchLine
    moved: int | None
    """What it did to the rating in its games; None if it does not count."""


@dataclass(frozen=True, slots=True)
class TitleShown:
    event: Event
    game: str
    """The name of the game of a night that they won; "" for a tournament or league."""
    place: int
    of: int


@dataclass(frozen=True, kw_only=True)
class PlayerPage(Ratings, PlayerFigures, PlayerPairs):
    club: Club
    player: Player
    host: bool
    you: bool
    """Whether the player is the visitor."""
    former: Sequence[FormerName]
    """Their former names, only for hosts."""
    elsewhere: Sequence[Player]
    """The same person in other clubs."""
    clubs: int
    """The number of clubs in which they play, as far as the visitor may see them."""
    wide: bool
    """Whether the record, the figures, partners and opponents are of all these clubs."""
    played: int
    """The number of matches that count."""
    records: Sequence[RecordLine]
    streak: Streak | None
    """The present one, of at least two matches."""
    longest: Streak | None
    """The longest run of wins, of at least two."""
    tournaments: Sequence[TitleShown]
    nights: Sequence[TitleShown]
    seasons: Sequence[Season]
    """Those that they have won."""
    playing: Sequence[MatchLine]
    """Their matches in play."""
    coming: Sequence[NextRounds]
    fixtures: Sequence[NextFixtures]
    ladders: Sequence[NextChallenges]
    last: Sequence[LastMatch]


def player_page(actor: Actor, player: Player, asked: QueryDict, *, host: bool, now: datetime) -> PlayerPage:
    """The page of somebody who was not merged with anybody. Eleven queries; one more for hosts, two for somebody who is
    linked, two while they play in a tournament, two in a league, five on each ladder, at most six if an event has
    changed in which they played, and some if a season of the club is over."""
    seen = matches_for(actor)
    matches = seen.filter(club=player.club_id)
    elsewhere = linked_with(player, players_for(actor))
    wide = bool(elsewhere) and asked.get("clubs") == ALL
    persons = [player.pk, *(each.pk for each in elsewhere)] if wide else [player.pk]
    rows, counting = same_people(player.club_id, player.pk), edition()
    you = has_claimed(actor, player)
    courses, wider = steps_of(player.pk, counting), played_by(persons, seen if wide else matches)
    played = [each for each in wider if each.club == player.club_id]
    stayed = {each.match for each in played if each.place is not None}
    ratings = player_ratings(player, courses, stayed, asked, edition=counting, you=you, now=now)
    figures = player_figures(sitting for each in wider for sitting in each.sittings)
    events = events_of(rows, {each.event for each in played if each.event}, events_for(actor))
    to_come = [event for event in events if event.closed_at is None]
    titles = [_title(title) for title in titles_of(rows, [event for event in events if event.closed_at])]
    shown = newest_and_open(rows, [each.match for each in played[-LAST:]], matches)
    moved = {step.match: step.after.shown - step.shown_before for group in _widest(courses) for step in courses[group]}
    pairs = player_pairs(actor, player, persons, seen if wide else matches, edition=counting)
    runs = streaks(played)
    wins = [run for run in runs if run.outcome == "won" and run.length > 1]
    return PlayerPage(
        **context(ratings, figures, pairs),
        club=player.club,
        player=player,
        host=host,
        you=you,
        former=list(player.former_names.all()) if host else [],
        elsewhere=elsewhere,
        clubs=1 + len(elsewhere),
        wide=wide,
        played=len(played),
        records=[_record(record) for record in records(wider)],
        streak=runs[-1] if runs and runs[-1].length > 1 else None,
        longest=max(wins, key=lambda run: run.length, default=None),
        tournaments=[title for title in titles if title.event.kind != Event.Kind.NIGHT],
        nights=[title for title in titles if title.event.kind == Event.Kind.NIGHT],
        seasons=seasons_won([player], timezone.localdate(now)).get(player.pk, []),
        playing=[match_line(match) for match in shown if in_play(match)],
        coming=next_rounds(rows, [event for event in to_come if event.kind == Event.Kind.TOURNAMENT]),
        fixtures=next_fixtures(rows, [event for event in to_come if event.kind == Event.Kind.LEAGUE], you=you),
        ladders=next_challenges(
            rows, [event for event in to_come if event.kind == Event.Kind.LADDER], you=you, now=now
        ),
        last=[LastMatch(match_line(match), moved.get(match.pk)) for match in shown if not in_play(match)],
    )


def _widest(groups: Collection[str]) -> list[str]:
    """Those of the groups that no other one includes, so that every match is in one of them."""
    return [group for group in groups if group not in GAMES or groups_of(group)[-1] == group]


def _title(title: Title) -> TitleShown:
    game = title.won.game and _(GAMES[title.won.game].name)
    return TitleShown(title.event, game, title.won.place, title.won.of)


def _record(record: Record) -> RecordLine:
    game = GAMES[record.game]
    average = _one_decimal(record.average_place)
    return RecordLine(_(game.name), record, _one_decimal(record.points_a_hand), game.lower_wins, average)


def _one_decimal(value: Fraction | None) -> str:
    """A half is rounded up."""
    return "" if value is None else number_format(Decimal((20 * value + 1) // 2) / 10, 1)
