"""The seasons of a club: the list, the table of one, and what a change would do to it."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from fractions import Fraction

from django.db.models import TextChoices
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.text import slugify
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scorekeeper import words
from scorekeeper.forms.seasons import SeasonForm
from scorekeeper.models import Club, Player, Season
from scorekeeper.names import alphabetical
from scorekeeper.pages.tournament_exports import Row as CsvRow
from scorekeeper.pages.tournament_exports import decimal
from scorekeeper.pages.tournament_standings import Movement, movement
from scorekeeper.selectors.seasons import Counted, SeasonNow, season_now, season_read, seasons_of
from scorekeeper.standings.exact import Number
from scorekeeper.standings.season import SeasonRow
from scorekeeper.templatetags.tiles import exact


class When(TextChoices):
    RUNNING = "running"
    COMING = "coming"
    OVER = "over"


@dataclass(frozen=True, slots=True)
class Figure:
    """Somebody's result at an event."""

    at: datetime
    """When that was."""
    points: str
    """"" if they were not there."""
    counts: bool


@dataclass(frozen=True, slots=True)
class RowShown:
    place: int
    movement: Movement | None
    """None after the first event."""
    player: Player
    total: str
    won: int
    """The number of events that they won."""
    figures: Sequence[Figure]
    """One for each event."""

    @property
    def there(self) -> list[Figure]:
        """Those of the events where they were."""
        return [each for each in self.figures if each.points]


@dataclass(frozen=True, kw_only=True)
class SeasonPage:
    season: Season
    club: Club
    host: bool
    when: str
    what_counts: Sequence[str]
    """In sentences."""
    events: Sequence[Counted]
    rows: Sequence[RowShown]
    champions: Sequence[Player]
    going_on: bool
    """Whether one of its nights is open, so that the table changes."""


@dataclass(frozen=True, slots=True)
class SeasonLine:
    season: Season
    champions: Sequence[str]
    """Their names."""


@dataclass(frozen=True, kw_only=True)
class SeasonsPage:
    club: Club
    host: bool
    running: Sequence[SeasonLine]
    coming: Sequence[SeasonLine]
    over: Sequence[SeasonLine]


@dataclass(frozen=True, slots=True)
class Change:
    """Somebody's row as it is, and as it would be."""

    player: Player
    before: int | None
    """Their place; None if they are not in the table. The same for the next one."""
    after: int | None
    total_before: str
    total: str

    @property
    def changed(self) -> bool:
        return (self.before, self.total_before) != (self.after, self.total)


@dataclass(frozen=True, slots=True)
class Preview:
    """What a change would do to the table."""

    changes: Sequence[Change]
    same: int
    """The number of rows that stay as they are."""


@dataclass(frozen=True, kw_only=True)
class SeasonEditPage:
    club: Club
    season: Season | None
    """None: a new one."""
    form: SeasonForm
    refusal: str
    preview: "Preview | None"
    """Once somebody has asked what a change would do."""


def seasons_page(club: Club, *, host: bool, now: datetime) -> SeasonsPage:
    """The seasons by when they are, the next one to come first, and of the others the newest. One query, and those of
    `season_now` for each season that is over."""
    today = timezone.localdate(now)
    lines: dict[str, list[SeasonLine]] = {when: [] for when in When.values}
    for season in seasons_of(club):
        champions = season_now(season).champions(today) if season.ends_on < today else ()
        lines[_when(season, today)].append(SeasonLine(season, [each.name for each in champions]))
    lines[When.COMING].reverse()
    return SeasonsPage(club=club, host=host, **lines)


def season_page(season: Season, *, host: bool, now: datetime) -> SeasonPage:
    """The season from `access.season_for`. Queries as in `season_now`."""
    found, today = season_now(season), timezone.localdate(now)
    return SeasonPage(
        season=season,
        club=season.club,
        host=host,
        when=When.RUNNING if found.going_on else _when(season, today),
        what_counts=list(_what_counts(season)),
        events=found.events,
        rows=list(_rows(found)),
        champions=found.champions(today),
        going_on=found.going_on,
    )


def season_edit_page(
    club: Club, season: Season | None, form: SeasonForm, *, planned: Season | None = None, refusal: str = ""
) -> SeasonEditPage:
    """`planned`: the season as it would be, if somebody has asked what that changes; then queries as in `season_now`
    and `season_read`."""
    preview = _preview(season_now(season), season_read(planned)) if season and planned else None
    return SeasonEditPage(club=club, season=season, form=form, refusal=refusal, preview=preview)


def season_rows(season: Season) -> Iterator[CsvRow]:
    """For spreadsheets: the names of the columns, then a person a row, by place. Queries as in `season_now`."""
    found = season_now(season)
    days = [timezone.localdate(each.at).isoformat() for each in found.events]
    yield ["place", "name", "total", "total exact", "events", "won", *days, "not counted"]
    for row in _ordered(found):
        figures = [_points(row, number) for number in range(len(days))]
        dropped = [days[number] for number in sorted(row.dropped)]
        name = found.people[row.person].name
        total = decimal(row.total), _exact(row.total)
        yield [row.place, name, *total, len(row.results), row.won, *figures, " ".join(dropped)]


def file_name(season: Season) -> str:
    """Of its table for spreadsheets."""
    return f"{slugify(season.name) or f'season-{season.pk}'}.csv"


def _exact(value: Number) -> str:
    """For spreadsheets, in which 3/2 alone would be a date: 1 1/2."""
    whole, rest = divmod(Fraction(value), 1)
    return f"{whole} {rest}" if rest else str(whole)


def _points(row: SeasonRow, number: int) -> str | int | Decimal:
    result = row.results.get(number)
    return "" if result is None else decimal(result.points)


def _when(season: Season, today: date) -> When:
    return When.OVER if season.ends_on < today else When.COMING if today < season.starts_on else When.RUNNING


def _ordered(found: SeasonNow) -> list[SeasonRow]:
    """By place, and by name among those who share one."""
    return sorted(found.rows, key=lambda row: (row.place, alphabetical(found.people[row.person].name)))


def _rows(found: SeasonNow) -> Iterator[RowShown]:
    text = _text(found.season)
    for row in _ordered(found):
        figures = [
            Figure(
                each.at, text(row.results[number].points) if number in row.results else "", number not in row.dropped
            )
            for number, each in enumerate(found.events)
        ]
        moved = movement(row.moved) if len(found.events) > 1 else None
        yield RowShown(row.place, moved, found.people[row.person], text(row.total), row.won, figures)


def _text(season: Season) -> Callable[[Number], str]:
    """How its points are written."""
    return words.signed if season.by == Season.By.GAIN else exact


def _preview(before: SeasonNow, after: SeasonNow) -> Preview:
    """The changes in the order of the new table, then who is in it no longer."""
    was, written = {row.person: row for row in before.rows}, (_text(before.season), _text(after.season))
    rows = [_change(after.people[row.person], (was.pop(row.person, None), row), written) for row in _ordered(after)]
    gone = [row for row in _ordered(before) if row.person in was]
    rows += [_change(before.people[row.person], (row, None), written) for row in gone]
    changes = [each for each in rows if each.changed]
    return Preview(changes, len(rows) - len(changes))


def _change(player: Player, rows: Sequence[SeasonRow | None], written: Sequence[Callable[[Number], str]]) -> Change:
    """`rows`: theirs before and after, `written`: how totals are written then."""
    (place_before, total_before), (place, total) = (
        (row.place, text(row.total)) if row else (None, "–") for row, text in zip(rows, written, strict=True)
    )
    return Change(player, place_before, place, total_before, total)


# --- words ---------------------------------------------------------------------------------------------------
def _what_counts(season: Season) -> Iterator[str]:
    first, last = (date_format(day, "j M Y") for day in (season.starts_on, season.ends_on))
    yield {
        Season.Of.NIGHTS: _("The club nights from {first} to {last} count."),
        Season.Of.TOURNAMENTS: _("The tournaments from {first} to {last} count, when they are closed."),
        Season.Of.BOTH: _("The club nights and closed tournaments from {first} to {last} count."),
    }[Season.Of(season.of)].format(first=first, last=last)
    if season.group:
        yield _("Only matches of {games} count.").format(games=words.group_words(season.group))
    yield _collected(season)
    if season.best:
        text = ngettext(
            "Only the best result of each person counts.",
            "Only the best {n} results of each person count.",
            season.best,
        )
        yield text.format(n=season.best)
    yield _("If totals are equal, the number of events won decides, then the best result.")


def _collected(season: Season) -> str:
    match Season.By(season.by):
        case Season.By.WINS:
            return _("Everybody gets a point for each match that they win; a shared win counts half.")
        case Season.By.GAIN:
            return _("Everybody gets the rating points that they win or lose.")
    if not season.points:
        return _("Everybody gets a point for each person placed lower. People who share a place share its points.")
    text = _("The first places are worth {points} points. People who share a place share its points.")
    return text.format(points=words.listed(list(map(str, season.points))))
