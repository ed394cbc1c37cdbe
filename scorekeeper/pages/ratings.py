"""The pages of rankings: of a club, and of the whole server."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, time, timedelta
from urllib.parse import urlencode

from django.db.models import QuerySet
from django.http import QueryDict
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from scorekeeper import live
from scorekeeper.forms.ratings import ACTIVE_DAYS, EARLIEST, SPANS, RankingForm
from scorekeeper.live.parts import shared
from scorekeeper.models import Club, Job, Player, Season
from scorekeeper.pages import context
from scorekeeper.pages.tournament_standings import Movement, movement
from scorekeeper.place import reader
from scorekeeper.ratings import Rating
from scorekeeper.selectors.rankings import (
    Board,
    News,
    Wanted,
    last_night,
    most_played,
    news_of_ratings,
    of_club,
    of_server,
    played_groups,
    players_ranked,
    ranking,
)
from scorekeeper.words import group_words

AT_ONCE = 100
LEADERS = 5
DAYS = {"week": 7, "month": 30, "year": 365}
Row = Sequence[object]


@dataclass(frozen=True, slots=True)
class RankedPerson:
    place: int
    """1 + the number of people with a better rating."""
    places: int | None
    """The places won; None for somebody who had no rating before."""
    player: Player
    clubs: Sequence[str]
    """Only on the server."""
    rating: Rating
    moved: int | None
    """The points won; None likewise."""

    @property
    def movement(self) -> Movement | None:
        return None if self.places is None else movement(self.places)


@dataclass(frozen=True, slots=True)
class Filter:
    """A filter that is set, or an input that is none."""

    field: str
    text: str
    query: str
    """The same ranking without it."""


@dataclass(frozen=True, kw_only=True)
class Asked:
    """The ranking that somebody asks for, and how to ask for it again."""

    form: RankingForm
    club: Club | None
    board: Board
    named: Board
    """Everybody, to tell all clubs of a person."""
    group: str
    """"" if nobody has a rating yet."""
    label: str
    """The group in words."""
    wanted: Wanted | None
    day: date
    now: bool
    """Whether it is the ranking of today."""
    span: str
    """Since when movements count, in words."""
    kept: Mapping[str, str]
    """What differs from the ranking that somebody gets who asks for nothing."""
    page: int
    filters: Sequence[Filter]
    troubles: Sequence[Filter]

    @property
    def query(self) -> str:
        return urlencode(self.kept)

    @property
    def only_day(self) -> bool:
        """Whether nothing is chosen but a day."""
        return [each.field for each in self.filters] == ["on"]


@dataclass(frozen=True, kw_only=True)
class RankingRows:
    """A page of the ranking."""

    asked: Asked
    rows: Sequence[RankedPerson]
    count: int
    earlier: str
    """The query of the page before; "" on the first page."""
    later: str
    """The query of the page after; "" on the last page."""


@dataclass(frozen=True, kw_only=True)
class RankingPage:
    asked: Asked
    form: RankingForm
    club: Club | None
    drawn: SafeString
    topic: live.Topic
    news: int
    """The change that the drawing includes."""
    owner: bool
    """Whether the visitor decides what counts."""
    stale: bool
    """Whether ratings are being calculated again, so that these are the old ones."""
    job: Job | None
    """That calculates them."""


@dataclass(frozen=True, kw_only=True)
class LeadersPart:
    """The best of a club, on its page."""

    club: Club
    group: str
    """"" before the first result."""
    label: str
    """The group in words."""
    since: datetime
    """From when on movements count."""
    rows: Sequence[RankedPerson]


# --- what is asked for ---------------------------------------------------------------------------------------
def club_asked(club: Club, asked: QueryDict, *, now: datetime) -> Asked:
    """Two queries, and one more for movements since the last night."""
    groups, today = _labels(Club.objects.filter(pk=club.pk)), timezone.localdate(now)
    seasons = list(club.seasons.all())
    form = RankingForm(asked, groups=groups, today=today, seasons=seasons)
    board = of_club(club)
    return _asked(form, groups, board, board, club=club, now=now)


def server_asked(clubs: QuerySet[Club], players: QuerySet[Player], asked: QueryDict, *, now: datetime) -> Asked:
    """The ranking of these players, who are in these clubs, in this order. One query, and another one if the clubs
    have not been read."""
    groups, today = _labels(clubs), timezone.localdate(now)
    form = RankingForm(asked, groups=groups, today=today, clubs=list(clubs))
    board = named = of_server(players)
    form.full_clean()
    if slug := form.cleaned_data.get("club"):
        board = replace(board, players=board.players.filter(club__slug=slug))
    return _asked(form, groups, board, named, club=None, now=now)


def _labels(clubs: QuerySet[Club]) -> list[tuple[str, str]]:
    return [(group, group_words(group)) for group in played_groups(clubs)]


def _asked(
    form: RankingForm,
    groups: Sequence[tuple[str, str]],
    board: Board,
    named: Board,
    *,
    club: Club | None,
    now: datetime,
) -> Asked:
    form.full_clean()
    found = form.cleaned_data
    season = form.seasons.get(found.get("season", ""))
    group = found.get("of") or next((name for name, _words in groups), "")
    last = min(found.get("on") or form.today, season.ends_on if season else form.today)
    at = now if last == form.today else _end(last)
    since, span = _since(form, season, club, last, at)
    kept = _kept(form)
    if found.get("members"):
        board = replace(board, players=board.players.filter(guest=False))
    active = _start(last - timedelta(days=ACTIVE_DAYS)) if found.get("active") else None
    begun = _start(season.starts_on) if season else None
    wanted = Wanted(
        group=group,
        at=at,
        since=since,
        played_since=max((each for each in (active, begun) if each), default=None),
        least=found.get("least") or 1,
        named=" ".join(found.get("name", "").split()),
    )
    return Asked(
        form=form,
        club=club,
        board=board,
        named=named,
        group=group,
        label=dict(groups).get(group, ""),
        wanted=wanted if group else None,
        day=last,
        now=last == form.today,
        span=span,
        kept=kept,
        page=found.get("page") or 1,
        filters=[Filter(name, text, _without(kept, name)) for name, text in _set(form, season).items()],
        troubles=[Filter(name, str(messages[0]), _without(kept, name)) for name, messages in form.errors.items()],
    )


def _since(
    form: RankingForm, season: Season | None, club: Club | None, last: date, at: datetime
) -> tuple[datetime, str]:
    """Since when movements count, as a time and in words."""
    found = form.cleaned_data
    if day := found.get("since"):
        return _start(day), date_format(day, "j M Y")
    if season:
        return _start(season.starts_on), season.name
    span = found.get("moved") or "week"
    if span in DAYS:
        return _start(last - timedelta(days=DAYS[span] - 1)), str(SPANS[span])
    night = last_night(club, at) if club else None
    begun = night.started_at if night else at
    return begun, date_format(timezone.localtime(begun), "j M")


def _start(day: date) -> datetime:
    return timezone.make_aware(datetime.combine(max(day, EARLIEST), time.min))


def _end(day: date) -> datetime:
    return timezone.make_aware(datetime.combine(max(day, EARLIEST), time.max))


def _kept(form: RankingForm) -> dict[str, str]:
    """What was asked for, without what is wrong or means nothing."""
    found = {name: value for name, value in form.cleaned_data.items() if value and name != "page"}
    kept = {name: "on" if value is True else str(value) for name, value in found.items()}
    if kept.get("moved") == "week":
        del kept["moved"]
    if form.cleaned_data.get("on") == form.today:
        del kept["on"]
    return kept


def _without(kept: Mapping[str, str], name: str) -> str:
    return urlencode({key: value for key, value in kept.items() if key != name})


def _set(form: RankingForm, season: Season | None) -> dict[str, str]:
    """The filters that are set, in words."""
    found = form.cleaned_data
    words = {
        "name": found.get("name", ""),
        "on": date_format(found["on"], "j M Y") if found.get("on") and found["on"] != form.today else "",
        "season": season.name if season else "",
        "club": form.clubs.get(found.get("club", ""), ""),
        "least": _("at least {n} matches").format(n=found["least"]) if (found.get("least") or 1) > 1 else "",
        "active": _("played in the last {n} days").format(n=ACTIVE_DAYS) if found.get("active") else "",
        "members": _("only members") if found.get("members") else "",
    }
    return {name: str(text) for name, text in words.items() if text}


# --- what is shown -------------------------------------------------------------------------------------------
def ranking_page(asked: Asked, *, news: News, job: Job | None, seen: str = "", owner: bool = False) -> RankingPage:
    """Four queries at most, and one more if a name is looked for. What many ask for is drawn once until there is other
    `news`. `seen`: what the visitor may see besides what everybody may."""

    def draw(_before: SafeString | None) -> SafeString:
        return render_to_string("scorekeeper/_ranking.html", context(_ranking_rows(asked)))

    topic = live.Topic("club", asked.club.pk if asked.club else 0)
    what = *reader(), asked.query, str(asked.page), timezone.localdate().isoformat(), seen
    common = not asked.troubles and not (asked.wanted and asked.wanted.named)
    drawn = shared(topic, "ranking", *what).of(news.change, draw) if common else draw(None)
    return RankingPage(
        asked=asked,
        form=asked.form,
        club=asked.club,
        drawn=drawn,
        topic=topic,
        news=news.change,
        owner=owner,
        stale=bool(news.causes),
        job=job,
    )


def _ranking_rows(asked: Asked) -> RankingRows:
    """Four queries at most."""
    rows, count = ranked(asked, at_most=AT_ONCE, skip=(asked.page - 1) * AT_ONCE)
    page = asked.page
    return RankingRows(
        asked=asked,
        rows=rows,
        count=count,
        earlier=urlencode({**asked.kept, "page": page - 1}) if page > 1 else "",
        later=urlencode({**asked.kept, "page": page + 1}) if page * AT_ONCE < count else "",
    )


def ranking_rows(asked: Asked) -> list[Row]:
    """The whole ranking for a spreadsheet."""
    of_server = asked.club is None
    head = ["place", "name", *["clubs"] * of_server, "rating", "uncertainty", "provisional", "points_won"]
    rows: list[Row] = [[*head, "places_won", "elo", "matches", "last_played"]]
    for row in ranked(asked)[0]:
        rating, clubs = row.rating, [", ".join(row.clubs)] * of_server
        last = timezone.localtime(rating.last).date().isoformat() if rating.last else ""
        won = ["" if each is None else each for each in (row.moved, row.places)]
        figures = [rating.shown, rating.uncertainty, "yes" if rating.provisional else ""]
        rows.append([row.place, row.player.name, *clubs, *figures, *won, rating.elo, rating.contests, last])
    return rows


def ranked(asked: Asked, *, at_most: int | None = None, skip: int = 0) -> tuple[list[RankedPerson], int]:
    """Those people, and how many there are in all. Four queries at most, and one more if a name is looked for."""
    if asked.wanted is None:
        return [], 0
    return _people_ranked(asked.board, asked.named, asked.wanted, at_most, skip)


def _people_ranked(
    board: Board, named: Board, wanted: Wanted, at_most: int | None, skip: int
) -> tuple[list[RankedPerson], int]:
    found, count = ranking(board, wanted, at_most=at_most, skip=skip)
    players = players_ranked(named, [each.person for each in found])
    return [
        RankedPerson(
            each.place,
            each.places,
            players[each.person][0],
            [player.club.name for player in players[each.person]],
            each.rating,
            each.moved,
        )
        for each in found
    ], count


def leaders(club: Club, *, now: datetime) -> SafeString:
    """The best of the ranking of the games that the club plays most, with what moved since its last night began, or in
    a week. Two queries, and five more if the ranking has changed since it was drawn."""
    night, news = last_night(club, now), news_of_ratings(club).change

    def draw(_before: SafeString | None) -> SafeString:
        group, since = most_played(club), night.started_at if night else now - timedelta(days=DAYS["week"])
        board, wanted = of_club(club), Wanted(group=group, at=now, since=since)
        rows = _people_ranked(board, board, wanted, LEADERS, 0)[0] if group else []
        page = LeadersPart(club=club, group=group, label=group_words(group) if group else "", since=since, rows=rows)
        return render_to_string("scorekeeper/_leaders.html", context(page))

    what = *reader(), str(night and night.pk), timezone.localdate(now).isoformat()
    drawn: SafeString = shared(live.Topic("club", club.pk), "leaders", *what).of(news, draw)
    return drawn


def stamp(kind: str, number: int) -> str:
    """What tells the pages of a club's ranking to fetch it again."""
    news = news_of_ratings(Club(pk=number)).change
    return render_to_string("scorekeeper/_ranking_news.html", {"topic": live.Topic(kind, number), "news": news})


live.register("club", ranking=stamp)
