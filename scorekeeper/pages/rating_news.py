"""What calculations of older matches changed in the ratings of a club."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from urllib.parse import urlencode

from django.utils.translation import gettext as _

from scorekeeper.access import Actor, players_for
from scorekeeper.forms.search import PageForm
from scorekeeper.models import Club, Match, Player, RatingNews
from scorekeeper.words import group_words

AT_ONCE = 10
PEOPLE = 100  # of each group of games


@dataclass(frozen=True, slots=True)
class Moved:
    player: Player
    before: int | None
    """The rating that was shown; None if there was none."""
    now: int | None

    @property
    def by(self) -> int:
        return (self.now or 0) - (self.before or 0) if self.now and self.before else 0


@dataclass(frozen=True, slots=True)
class MovedGroup:
    name: str
    rows: Sequence[Moved]
    """Those who moved most come first."""
    more: int
    """How many others moved."""


@dataclass(frozen=True, slots=True)
class Cause:
    words: str
    match: Match | None
    """That it is about, if it is still there."""


@dataclass(frozen=True, slots=True)
class News:
    at: datetime
    since: datetime
    causes: Sequence[Cause]
    groups: Sequence[MovedGroup]


@dataclass(frozen=True, kw_only=True)
class RatingNewsPage:
    club: Club
    news: Sequence[News]
    earlier: str
    """The query of the page before; "" on the first page."""
    later: str
    """The query of the page after; "" on the last page."""


def rating_news_page(actor: Actor, club: Club, asked: PageForm) -> RatingNewsPage:
    """The newest first. Three queries."""
    asked.full_clean()
    page = asked.cleaned_data.get("page") or 1
    found = list(club.rating_news.order_by("-id")[(page - 1) * AT_ONCE : page * AT_ONCE + 1])
    shown = found[:AT_ONCE]
    ids = {player for news in shown for moved in news.moved.values() for player, _was, _now in moved}
    people = players_for(actor).filter(club=club).in_bulk(ids) if ids else {}
    about = {cause["match"] for news in shown for cause in news.causes if cause["match"]}
    matches = Match.objects.filter(club=club).in_bulk(about) if about else {}
    return RatingNewsPage(
        club=club,
        news=[_news(each, people, matches) for each in shown],
        earlier=urlencode({"page": page - 1}) if page > 1 else "",
        later=urlencode({"page": page + 1}) if len(found) > AT_ONCE else "",
    )


def _news(news: RatingNews, people: Mapping[int, Player], matches: Mapping[int, Match]) -> News:
    causes = [each for each in news.causes if each["club"] in (None, news.club_id)]
    return News(
        news.at,
        news.since,
        [Cause(_words(each["kind"]), matches.get(each["match"])) for each in causes],
        [_group(group, moved, people) for group, moved in news.moved.items()],
    )


def _words(kind: str) -> str:
    return {
        "result": _("The result of a match was entered later or changed."),
        "people": _("Two people became one, or one became two."),
        "rules": _("The club changed what counts."),
        "event": _("A tournament was removed or restored."),
        "repair": _("A check found ratings that did not follow from the results."),
    }[kind]


def _group(
    group: str, moved: Collection[tuple[int, int | None, int | None]], people: Mapping[int, Player]
) -> MovedGroup:
    rows = [Moved(people[player], was, now) for player, was, now in moved if player in people]
    rows.sort(key=lambda row: -abs(row.by))
    return MovedGroup(group_words(group), rows[:PEOPLE], max(len(rows) - PEOPLE, 0))
