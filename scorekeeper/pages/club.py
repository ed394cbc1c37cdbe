"""A club's page: its leaders, its nights, its tables, its matches and its standings."""

from dataclasses import dataclass
from typing import Any

from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.safestring import SafeString
from django.utils.translation import get_language

from games import GAMES
from games.base import Game
from scorekeeper import live
from scorekeeper.forms.clubs import SettingsForm, TableForm
from scorekeeper.live.parts import shared
from scorekeeper.models import Club, Event, Player, Role, Table
from scorekeeper.pages import context
from scorekeeper.pages.match import MatchLine, match_line
from scorekeeper.pages.ratings import leaders
from scorekeeper.selectors.clubs import NightInNumbers, listed_of, newest_nights
from scorekeeper.selectors.events import in_play, lasting_of, open_night, tournaments_of
from scorekeeper.selectors.questions import Question, questions_to
from scorekeeper.selectors.standings import club_tables
from scorekeeper.selectors.tables import TableRow, tables_and_matches
from scorekeeper.standings import Row

AT_ONCE = 20  # matches on a club's page
NIGHTS_AT_ONCE = 6  # nights on a club's page, until the visitor asks for all

TOURNAMENTS_AT_ONCE = 20
LASTING_AT_ONCE = 5


@dataclass(frozen=True, slots=True)
class Asked:
    """What the address of the club's page asks for."""

    game: str
    before: int | None
    all_nights: bool


@dataclass(frozen=True, kw_only=True)
class ClubPart:
    """The night in progress, the leaders, the tables, a page of matches."""

    club: Club
    leaders: SafeString
    tonight: Event | None
    tables: list[tuple[Table, MatchLine | None]]
    matches: list[MatchLine]
    before: int | None
    """The id of the match they come after; None for the newest."""
    older: int | None
    """The id that older matches come after; None if there are none."""


@dataclass(frozen=True, kw_only=True)
class Points:
    """The standings of one game."""

    games: list[Game[Any]]
    """Those the club has played, the one played most first."""
    chosen: Game[Any] | None
    game_asked: bool
    """Whether the visitor chose this game."""
    rows: list[Row]


@dataclass(frozen=True, kw_only=True)
class ClubRest:
    """Nights and people of the club's page."""

    host: bool
    scorer: bool
    """Whether the visitor keeps scores for the club, as every host may."""
    owner: bool
    keeper: bool
    """Whether the visitor may have backups."""
    questions: list[Question]
    """What waits for the visitor as a host."""
    tonight: Event | None
    nights: list[NightInNumbers]
    most_people: int
    """At one of these nights."""
    more_nights: bool
    tournaments: list[Event]
    lasting: list[Event]
    """The newest leagues and ladders."""
    players: list[Player]


@dataclass(frozen=True, kw_only=True)
class ClubPage(ClubPart, ClubRest, Points):
    """Everything on the club's page."""


@dataclass(frozen=True, slots=True)
class ClubDrawn:
    """The club's page as every visitor sees it."""

    club: Club
    drawn: SafeString


@dataclass(frozen=True, kw_only=True)
class SettingsPage:
    club: Club
    form: SettingsForm


@dataclass(frozen=True, kw_only=True)
class TablesPage:
    club: Club
    form: TableForm
    tables: list[TableRow]


def club_part(found: Club, tonight: Event | None, *, before: int | None = None) -> ClubPart:
    """The newest matches, or older ones with `before`. Five queries, sometimes six; two more with `before`, and five
    more if the leaders have changed."""
    rows, page = tables_and_matches(found, below=before, at_most=AT_ONCE + 1)
    return ClubPart(
        club=found,
        leaders=leaders(found, now=timezone.now()),
        tonight=tonight,
        tables=[(row.table, _line_at(row, tonight)) for row in rows],
        matches=[match_line(match) for match in page[:AT_ONCE]],
        before=before,
        older=page[AT_ONCE - 1].pk if len(page) > AT_ONCE else None,
    )


def _line_at(row: TableRow, tonight: Event | None) -> MatchLine | None:
    """The match at the table. During a night, one of earlier that is over says nothing about the table."""
    earlier = tonight and row.match and not in_play(row.match) and row.match.event_id != tonight.pk
    return match_line(row.match) if row.match and not earlier else None


def points(found: Club, game: str) -> Points:
    """The standings of the game with this slug, or of the game played most if the club never played it. One query."""
    tables = club_tables(found)
    chosen = game if game in tables else next(iter(tables), None)
    return Points(
        games=[GAMES[slug] for slug in tables],
        chosen=GAMES[chosen] if chosen else None,
        game_asked=game in tables,
        rows=tables[chosen] if chosen else [],
    )


def club_rest(found: Club, *, role: Role | None, keeper: bool, all_nights: bool) -> ClubRest:
    """The newest nights, or all, tournaments, leagues and ladders. Six queries; one more while an older night is open,
    two more for hosts."""
    host = role is not None and role.covers(Role.DIRECTOR)
    shown, tonight = newest_nights(found, None if all_nights else NIGHTS_AT_ONCE + 1)
    more = not all_nights and len(shown) > NIGHTS_AT_ONCE
    nights = shown[:NIGHTS_AT_ONCE] if more else shown
    return ClubRest(
        host=host,
        scorer=role is not None and role.covers(Role.SCORER),
        owner=role == Role.OWNER,
        keeper=keeper,
        questions=questions_to(Club.objects.filter(pk=found.pk)) if host else [],
        tonight=tonight,
        nights=nights,
        most_people=max((line.people for line in nights), default=0),
        more_nights=more,
        tournaments=list(tournaments_of(found, host=host)[:TOURNAMENTS_AT_ONCE]),
        lasting=list(lasting_of(found, host=host)[:LASTING_AT_ONCE]),
        players=list(listed_of(found)),
    )


def club_page(found: Club, asked: Asked, *, role: Role | None = None, keeper: bool = False) -> ClubPage:
    """As somebody with this role sees it. Eleven queries; its parts may need one to five more, and five more if the
    leaders have changed."""
    rest = club_rest(found, role=role, keeper=keeper, all_nights=asked.all_nights)
    part = club_part(found, rest.tonight, before=asked.before)
    return ClubPage(**context(part, rest, points(found, asked.game)))


def club_drawn(found: Club, asked: Asked) -> ClubDrawn:
    """The page of a club from `club_for`. It is drawn only once until something changes."""
    game = asked.game if asked.game in GAMES else ""
    what = "page", get_language() or "", game, str(asked.before), str(asked.all_nights)

    def draw(_before: SafeString | None) -> SafeString:
        return render_to_string("scorekeeper/_club_page.html", context(club_page(found, asked)))

    drawn: SafeString = shared(live.Topic("club", found.pk), *what).of(found.newest_change or 0, draw)
    return ClubDrawn(found, drawn)


def club(kind: str, number: int) -> str:
    part = context(club_part(Club.objects.get(pk=number), open_night(number)))
    fragments = [render_to_string(f"scorekeeper/{each}.html", part) for each in ("_tonight", "_club", "_club_matches")]
    return "".join([*fragments, part["leaders"]])


live.register("club", club=club)
