"""The page of a club's ranking."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, time, timedelta
from urllib.parse import urlencode

from django.http import QueryDict
from django.utils import timezone

from games import GAMES
from scorekeeper.forms.ratings import RankingForm
from scorekeeper.models import Club, Player
from scorekeeper.ratings import Rating
from scorekeeper.selectors.ratings import groups_of, ranking, rated_games
from scorekeeper.words import group_words

AT_ONCE = 100
WEEK = timedelta(days=7)


@dataclass(frozen=True, slots=True)
class Ranked:
    place: int
    """1 + the number of people with a better rating."""
    player: Player
    rating: Rating
    moved: int | None
    """The points won in the last week; None for somebody who had no rating then."""


@dataclass(frozen=True, kw_only=True)
class RankingPage:
    club: Club
    form: RankingForm
    group: str
    """The label of the games; "" if nobody has a rating yet."""
    at: datetime
    now: bool
    """Whether it is the ranking of today."""
    rows: Sequence[Ranked]
    count: int
    earlier: str
    """The query of the page before; "" on the first page."""
    later: str
    """The query of the page after; "" on the last page."""


def ranking_page(club: Club, asked: QueryDict, *, now: datetime) -> RankingPage:
    """Six queries, however many people."""
    groups = _groups(club)
    today = timezone.localdate(now)
    form = RankingForm(asked, groups=list(groups.items()), today=today)
    wanted = form.cleaned_data if form.is_valid() else {}
    group = wanted.get("of") or next(iter(groups), "")
    day = wanted.get("on") or today
    at = now if day == today else timezone.make_aware(datetime.combine(day, time.max))
    found = ranking(club, group, at=at) if group else []
    last = max(-(-len(found) // AT_ONCE), 1)
    page = min(wanted.get("page") or 1, last)
    kept = {"of": group} | ({"on": day.isoformat()} if day != today else {})
    return RankingPage(
        club=club,
        form=form,
        group=groups.get(group, ""),
        at=at,
        now=day == today,
        rows=_rows(club, group, found, page, at=at),
        count=len(found),
        earlier=urlencode({**kept, "page": page - 1}) if page > 1 else "",
        later=urlencode({**kept, "page": page + 1}) if page < last else "",
    )


def _groups(club: Club) -> dict[str, str]:
    """The groups of games with ratings, families first, with their labels."""
    rated = rated_games(club)
    names = {group: group_words(group) for game in GAMES if game in rated for group in groups_of(game)}
    return dict(sorted(names.items(), key=lambda each: each[0] in GAMES))


def _rows(club: Club, group: str, found: list[tuple[int, Rating]], page: int, *, at: datetime) -> list[Ranked]:
    """A page of the ranking. Three queries."""
    first = (page - 1) * AT_ONCE
    shown = found[first : first + AT_ONCE]
    players = club.players.in_bulk([player for player, _rating in shown])
    then = dict(ranking(club, group, at=at - WEEK)) if shown else {}
    better: dict[int, int] = {}
    for number, (_player, rating) in enumerate(found, 1):
        better.setdefault(rating.shown, number)
    return [
        Ranked(
            better[rating.shown],
            players[player],
            rating,
            rating.shown - then[player].shown if player in then else None,
        )
        for player, rating in shown
    ]
