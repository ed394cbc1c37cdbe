"""How strong a player is: their ratings, the line of one of them, and what each match did to it."""

from calendar import timegm
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from urllib.parse import urlencode

from django.http import QueryDict
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games import GAMES
from scorekeeper.drawing.rating_line import DAY, Point, rating_line_svg, spans
from scorekeeper.forms.search import PageForm
from scorekeeper.models import Player
from scorekeeper.pages.player_words import expected_words, outcome_words
from scorekeeper.ratings import Rating
from scorekeeper.selectors.players import Side, Step, sides_of
from scorekeeper.selectors.ratings import SERVER, Edition, in_edition, newest
from scorekeeper.words import group_words

AT_ONCE = 10  # changes of a rating
POINTS = 80  # of the line
DATES = 4  # below the line
MONTH = timedelta(days=30)


@dataclass(frozen=True, slots=True)
class RatingShown:
    """A rating in a group of games, as it is now."""

    group: str
    name: str
    rating: Rating
    moved: int | None
    """The points won in the last 30 days; None for somebody who had no rating before."""
    chosen: bool


@dataclass(frozen=True, slots=True)
class Moment:
    """A point of the line: a match, or all matches of a day or of several."""

    steps: Sequence[Step]

    @property
    def begin(self) -> datetime:
        return self.steps[0].at

    @property
    def end(self) -> datetime:
        return self.steps[-1].at

    @property
    def before(self) -> int:
        return self.steps[0].shown_before

    @property
    def after(self) -> Rating:
        return self.steps[-1].after

    @property
    def matches(self) -> int:
        return len(self.steps)


@dataclass(frozen=True, slots=True)
class Why:
    """What a match did to the chosen rating."""

    match: int
    at: datetime
    before: int
    after: int
    told: SafeString

    @property
    def moved(self) -> int:
        return self.after - self.before


@dataclass(frozen=True, kw_only=True)
class Ratings:
    ratings: Sequence[RatingShown]
    """Families of games first."""
    group: str
    """The name of the chosen games; "" without ratings."""
    everywhere: Rating | None
    """The chosen rating on the whole server, for somebody who plays in several clubs."""
    line: SafeString
    """The picture; "" before the first match."""
    moments: Sequence[Moment]
    """The same in numbers, each match alone unless they are many; the newest first."""
    why: Sequence[Why]
    """The newest first."""
    notice: str
    """What of the address was not possible; else ""."""
    earlier: str
    """The query of newer changes; "" on the first page."""
    later: str
    """The query of older changes; "" on the last page."""


@dataclass(frozen=True, slots=True)
class _Asked:
    group: str
    page: int
    notice: str


def player_ratings(
    player: Player,
    courses: Mapping[str, Sequence[Step]],
    visible: Collection[int],
    asked: QueryDict,
    *,
    edition: Edition,
    you: bool,
    now: datetime,
) -> Ratings:
    """Of a player with these courses, of which only matches that are `visible` are told. `you`: whether the player is
    the visitor. One query, two for somebody who is linked with people of other clubs."""
    groups = sorted(courses, key=lambda group: (group in GAMES, -len(courses[group]), group_words(group)))
    told = {group: [step for step in courses[group] if step.match in visible] for group in groups}
    wanted = _asked(asked, {group: len(told[group]) for group in groups})
    steps = told.get(wanted.group, [])
    first = (wanted.page - 1) * AT_ONCE
    newest_first = steps[::-1][first : first + AT_ONCE]
    moments = [
        Moment(steps[span.start : span.stop]) for span in spans([_on_the_wall(step.at) for step in steps], POINTS)
    ]
    alone = {moment.steps[0].match for moment in moments if moment.matches == 1}
    sides = sides_of(alone | {step.match for step in newest_first})
    kept = {name: value for name, value in (("clubs", asked.get("clubs")), ("of", wanted.group)) if name in asked}
    return Ratings(
        ratings=[_shown(group, courses[group], group == wanted.group, now) for group in groups],
        group=group_words(wanted.group) if groups else "",
        everywhere=_everywhere(player, wanted.group, edition, now),
        line=_line(player, wanted.group, moments, sides),
        moments=([Moment([step]) for step in steps] if len(steps) <= POINTS else moments)[::-1],
        why=[_why(step, sides[step.match], player, you=you) for step in newest_first],
        notice=wanted.notice,
        earlier=urlencode({**kept, "page": wanted.page - 1}) if wanted.page > 1 else "",
        later=urlencode({**kept, "page": wanted.page + 1}) if first + AT_ONCE < len(steps) else "",
    )


def _asked(asked: QueryDict, groups: Mapping[str, int]) -> _Asked:
    """The group and the page of the address, or else those that come first. `groups`: with the number of steps."""
    most = max(groups, key=lambda group: groups[group], default="")
    group, form, notice = asked.get("of", most), PageForm(asked), ""
    if group not in groups:
        notice = _("There is no rating in these games. This is the one with the most matches.") if most else ""
        group = most
    page = form.cleaned_data["page"] or 1 if form.is_valid() else 0
    if not 0 < page <= max(-(-groups.get(group, 0) // AT_ONCE), 1):
        notice, page = notice or _("There is no such page. These are the newest matches."), 1
    return _Asked(group, page, notice)


def _shown(group: str, steps: Sequence[Step], chosen: bool, now: datetime) -> RatingShown:
    rating = steps[-1].after.on(now)
    then = next((step.after for step in reversed(steps) if step.at <= now - MONTH), None)
    return RatingShown(group, group_words(group), rating, rating.shown - then.shown if then else None, chosen)


def _everywhere(player: Player, group: str, edition: Edition, now: datetime) -> Rating | None:
    if player.person_id is None or not group:
        return None
    found = newest(in_edition(edition), SERVER, group, [player.person_id]).get(player.person_id)
    return found.on(now) if found else None


# --- why -----------------------------------------------------------------------------------------------------
def _why(step: Step, sides: Sequence[Side], player: Player, *, you: bool) -> Why:
    own = _own(sides, player)
    outcome = outcome_words(step.game, sides, own, _html)
    told = expected_words(own, player.pk, step.expected, outcome, _html, you=you)
    return Why(step.match, step.at, step.shown_before, step.after.shown, mark_safe(told))  # noqa: S308 (escaped here)


def _own(sides: Sequence[Side], player: Player) -> Side:
    return next(side for side in sides if any(number == player.pk for number, _name in side.players))


def _html(name: str) -> str:
    return format_html("<bdi>{}</bdi>", name)


# --- the line ------------------------------------------------------------------------------------------------
def _line(player: Player, group: str, moments: Sequence[Moment], sides: Mapping[int, Sequence[Side]]) -> SafeString:
    if not moments:
        return SafeString("")
    label = _("Rating of {name} in {games}, from {begin} to {end}: now {rating}").format(
        name=player.name,
        games=group_words(group),
        begin=_day(moments[0].begin),
        end=_day(moments[-1].end),
        rating=moments[-1].after.shown,
    )
    first, last = (_on_the_wall(moment.end) for moment in (moments[0], moments[-1]))
    points = [_point(moment, before, sides, player) for before, moment in zip([None, *moments], moments, strict=False)]
    days = [*_days(first, last)]
    return mark_safe(rating_line_svg(points, label=label, days=days))  # noqa: S308 (escaped there)


def awaited(moment: Moment, before: Moment | None) -> int:
    """How uncertain the rating was when the first match of a moment began."""
    return before.after.on(moment.begin).uncertainty if before else moment.after.uncertainty


def _point(moment: Moment, before: Moment | None, sides: Mapping[int, Sequence[Side]], player: Player) -> Point:
    last = moment.steps[-1]
    begin, end = _day(moment.begin), _day(moment.end)
    days = begin if begin == end else f"{begin} – {end}"
    if moment.matches == 1:
        what = outcome_words(last.game, sides[last.match], _own(sides[last.match], player), str)
    else:
        what = ngettext("{n} match", "{n} matches", moment.matches).format(n=moment.matches)
    return Point(
        _on_the_wall(moment.end),
        moment.after.shown,
        moment.after.uncertainty,
        (f"{days}: {moment.before} → {moment.after.shown}", what),
        reverse("match", args=[last.match]),
        awaited(moment, before),
    )


def _on_the_wall(at: datetime) -> int:
    """Seconds as the clocks of the club show them, so that a day begins at its midnight."""
    return timegm(timezone.localtime(at).timetuple())


def _day(at: datetime) -> str:
    return date_format(timezone.localtime(at), "j M Y")


def _days(first: int, last: int) -> Iterator[tuple[int, str]]:
    """A few round dates between these seconds on the wall: days, else first days of months, else years."""
    begin, end = (date.fromordinal(EPOCH + at // DAY) for at in (first, last))
    if begin == end:
        yield first, date_format(begin, "j M Y")
        return
    for step in (1, 2, 7, 14, 28):
        if (end - begin).days <= step * DATES:
            for day in range(begin.toordinal() + 1, end.toordinal() + 1, step):
                yield (day - EPOCH) * DAY, date_format(date.fromordinal(day), "j M")
            return
    months = [year * 12 + month for year, month in ((begin.year, begin.month), (end.year, end.month - 1))]
    apart = next(step for step in (1, 2, 3, 6, 12, 24, 60, 120, 1200) if (months[1] - months[0]) // step < DATES)
    for month in range(-(-months[0] // apart) * apart, months[1] + 1, apart):
        first_of = date(month // 12, month % 12 + 1, 1)
        yield (first_of.toordinal() - EPOCH) * DAY, date_format(first_of, "M Y" if apart < 12 else "Y")


EPOCH = date(1970, 1, 1).toordinal()
