"""What calculations of older matches changed in the ratings of a club."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby
from operator import itemgetter
from typing import Any
from urllib.parse import urlencode

from django.db.models import Q
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games import GAMES
from scorekeeper.access import Actor, events_for, players_for
from scorekeeper.forms.search import PageForm
from scorekeeper.models import Club, Event, Match, Player, RatingNews, Seat, Substitute
from scorekeeper.pages.match import match_line
from scorekeeper.selectors.matches import with_seats
from scorekeeper.words import group_words, listed, versus

AT_ONCE = 10
PEOPLE = 100  # of each group of games


@dataclass(frozen=True, slots=True)
class Moved:
    """Somebody whose rating has changed; None for who had none before, or has none now."""

    player: Player
    before: int | None
    now: int | None
    place: int | None
    place_now: int | None

    @property
    def by(self) -> int | None:
        return None if self.before is None or self.now is None else self.now - self.before


@dataclass(frozen=True, slots=True)
class MovedGroup:
    name: str
    rows: Sequence[Moved]
    """Those who moved most come first."""
    more: int
    """How many others moved."""


@dataclass(frozen=True, slots=True)
class Told:
    """A match that a cause is about."""

    words: str
    at: datetime | None
    """When it ended; None if it is in play again."""
    link: int | None
    """Its id; None if it was removed."""


@dataclass(frozen=True, slots=True)
class Cause:
    words: str
    matches: Sequence[Told] = ()


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


@dataclass(frozen=True, slots=True)
class _Known:
    """What the visitor may know of, by id."""

    people: Mapping[int, Player]
    matches: Mapping[int, Match]
    events: Mapping[int, Event]

    def name(self, player: int) -> str:
        return self.people[player].name if player in self.people else _("somebody")

    def called(self, seat: Seat | Substitute) -> str:
        return seat.name if seat.player_id is None or seat.player_id in self.people else _("somebody")


def rating_news_page(actor: Actor, club: Club, asked: PageForm) -> RatingNewsPage:
    """The newest first. At most eight queries."""
    asked.full_clean()
    page = asked.cleaned_data.get("page") or 1
    found = list(club.rating_news.order_by("-id")[(page - 1) * AT_ONCE : page * AT_ONCE + 1])
    shown = found[:AT_ONCE]
    known = _known(actor, club, shown)
    return RatingNewsPage(
        club=club,
        news=[_news(each, known) for each in shown],
        earlier=urlencode({"page": page - 1}) if page > 1 else "",
        later=urlencode({"page": page + 1}) if len(found) > AT_ONCE else "",
    )


def _known(actor: Actor, club: Club, shown: Sequence[RatingNews]) -> _Known:
    causes = [cause for news in shown for cause in _of_club(news)]
    about = {cause["match"] for cause in causes if cause["match"]}
    seen = Match.every.filter(Q(event=None) | Q(event__in=events_for(actor).values("pk")), club=club, pk__in=about)
    matches = {match.pk: match for match in with_seats(seen)} if about else {}
    ids = {row[0] for news in shown for moved in news.moved.values() for row in moved}
    ids |= {player for cause in causes for player in cause["players"]}
    ids |= {seat.player_id for match in matches.values() for seat in match.seats.all() if seat.player_id}
    ids |= {seat.player_id for match in matches.values() for seat in match.substitutes.all() if seat.player_id}
    events = {cause["event"] for cause in causes if cause["event"]}
    return _Known(
        people=players_for(actor).filter(club=club).in_bulk(ids) if ids else {},
        matches=matches,
        events=club.events.filter(public=True).in_bulk(events) if events else {},
    )


def _of_club(news: RatingNews) -> list[dict[str, Any]]:
    return [cause for cause in news.causes if cause["club"] in (None, news.club_id)]


def _news(news: RatingNews, known: _Known) -> News:
    causes = sorted(_of_club(news), key=itemgetter("kind"))
    return News(
        news.at,
        news.since,
        [told for kind, alike in groupby(causes, key=itemgetter("kind")) for told in _causes(kind, list(alike), known)],
        [_group(group, moved, known.people) for group, moved in news.moved.items()],
    )


def _causes(kind: str, alike: Sequence[dict[str, Any]], known: _Known) -> Iterable[Cause]:
    """The causes of a kind: those of matches together."""
    if alike[0]["match"]:
        words = _of_matches(kind, len(alike)).format(n=len(alike))
        told = [_told(known.matches[each["match"]], known) for each in alike if each["match"] in known.matches]
        return [Cause(words, told)]
    return [Cause(_words(kind, each, known)) for each in alike]


def _of_matches(kind: str, n: int) -> str:
    return {
        "entered": ngettext("A match was entered later.", "{n} matches were entered later.", n),
        "result": ngettext("The result of a match changed.", "The results of {n} matches changed.", n),
        "removed": ngettext("A match was removed.", "{n} matches were removed.", n),
        "restored": ngettext("A removed match was restored.", "{n} removed matches were restored.", n),
        "uncounted": ngettext(
            "A match no longer counts: it is in play again, was abandoned, or somebody took over a seat.",
            "{n} matches no longer count: they are in play again, were abandoned, or somebody took over a seat.",
            n,
        ),
    }[kind]


def _words(kind: str, cause: Mapping[str, Any], known: _Known) -> str:
    event = known.events.get(cause["event"])
    people = [known.name(player) for player in cause["players"]]
    text = {
        "merged": _("{names} are one person now."),
        "separated": _("{names} are two people again."),
        "linked": _("Who counts as one person on the whole server has changed: {names}."),
        "rules": _("The club changed what counts for ratings."),
        "event-removed": _("The tournament {event} was removed.") if event else _("A tournament was removed."),
        "event-restored": _("The tournament {event} was restored.") if event else _("A tournament was restored."),
        "repair": _("A check of all ratings found wrong ones and corrected them."),
    }[kind]
    return capfirst(text.format(names=listed(people) if people else "", event=event.name if event else ""))


def _told(match: Match, known: _Known) -> Told:
    line = match_line(match, known.called)
    who = versus([side.names for side in line.sides])
    return Told(f"{who}, {_(GAMES[match.game].name)}", match.finished_at, None if match.removed else match.pk)


def _group(
    group: str,
    moved: Iterable[tuple[int, int | None, int | None, int | None, int | None]],
    people: Mapping[int, Player],
) -> MovedGroup:
    rows = [Moved(people[player], *values) for player, *values in moved if player in people]
    rows.sort(key=lambda row: (row.by is not None, -abs(row.by or 0)))
    return MovedGroup(group_words(group), rows[:PEOPLE], max(len(rows) - PEOPLE, 0))
