"""A league on the big screen: its brackets, its tables, its newest results and what is played next."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.template.loader import render_to_string
from django.utils.translation import gettext as _

from scorekeeper import live
from scorekeeper.models import Club, Event
from scorekeeper.pages import context
from scorekeeper.pages.big_screen import Standings
from scorekeeper.pages.bracket import BracketOnScreen, league_on_screen
from scorekeeper.pages.event import snapshot
from scorekeeper.pages.league import Division, FixtureLine, RoundLines, league_shown
from scorekeeper.selectors.events import EventNow

MOST_FIXTURES = 12
MOST_FIGURES = 2  # that fit next to a name


@dataclass(frozen=True, kw_only=True)
class LeagueScreen:
    """The live part. `night`: the league, whose name stands at the top."""

    club: Club
    night: Event
    tables: Sequence[tuple[str, Standings]]
    """Of each division: its name, and its table."""
    brackets: Sequence[BracketOnScreen]
    """Of a knock-out: what is played now in each division, or how it ended."""
    to_come: Sequence[FixtureLine]
    results: Sequence[FixtureLine]
    version: str


def league_screen_page(now: EventNow) -> LeagueScreen:
    """No query."""
    shown = league_shown(now)
    return LeagueScreen(
        club=now.event.club,
        night=now.event,
        tables=[(each.name, _standings(each, shown.columns)) for each in shown.tables],
        brackets=league_on_screen(now),
        to_come=_lines(shown.to_come),
        results=_lines(shown.results),
        version=shown.version,
    )


def _lines(rounds: Sequence[RoundLines]) -> list[FixtureLine]:
    return [line for each in rounds for line in each.lines][:MOST_FIXTURES]


def _standings(division: Division, columns: Sequence[str]) -> Standings:
    rows = [
        (row.place, row.name, False, (*(value for _label, value in row.figures[:MOST_FIGURES]), str(row.played)))
        for row in division.rows
    ]
    return Standings.of([*columns[:MOST_FIGURES], _("Played")], rows)


def league_screen(kind: str, number: int) -> str:
    """The live part."""
    return render_to_string("scorekeeper/_league_screen.html", context(league_screen_page(snapshot(number, kind))))


live.register(Event.Kind.LEAGUE, league_screen=league_screen)
