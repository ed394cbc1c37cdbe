"""Leagues for tests, made and played by the same services as real ones."""

from collections.abc import Mapping, Sequence
from datetime import date, timedelta
from typing import Any

from scorekeeper.forms.entrants import named
from scorekeeper.models import Event
from scorekeeper.selectors.events import results_now
from scorekeeper.selectors.leagues import FixtureNow, fixtures_now, league_in, tables_now
from scorekeeper.services import leagues
from tests.conftest import NOW, Cast
from tests.nights import at, first

WORTH: Mapping[str, Any] = {
    "by": "result",
    "win": 2,
    "draw": 1,
    "loss": 0,
    "bye": 0,
    "asked": 0,
    "absent": 0,
    "forfeit_win": 2,
    "forfeit_loss": 0,
}
TOMORROW: date = NOW.date() + timedelta(days=1)


def setup_of(**other: Any) -> dict[str, Any]:
    return {
        "game": "block",
        "options": {"hands": 1},
        "minutes": None,
        "size": 1,
        "legs": 1,
        "worth": WORTH,
        "order": ["points", "head-to-head", "difference", "start"],
        "minimum_played": 0,
        "lots": "",
        "first": TOMORROW.isoformat(),
        "every": 7,
        "time": "19:30",
        "without": [],
        "up": 1,
        "down": 1,
        "leaving": "half",
        "public": True,
        "by_players": False,
        "series": None,
        **other,
    }


def divided(cast: Cast, divisions: Mapping[str, Sequence[str]], **other: Any) -> Event:
    """A league whose entrants are typed, before its fixtures."""
    key = f"start-{cast.club.events.count()}"
    event = leagues.start(club=cast.club, name="Autumn league", setup=setup_of(**other), step=first(key))
    typed = [(name, [named(line) for line in lines]) for name, lines in divisions.items()]
    leagues.divide(event_id=event.pk, divisions=typed, step=at(event, "divide"))
    return event


def begun(cast: Cast, divisions: Mapping[str, Sequence[str]], **other: Any) -> Event:
    """A league with its fixtures."""
    event = divided(cast, divisions, **other)
    leagues.make_fixtures(event_id=event.pk, step=at(event, "fixtures"))
    return event


def typed(event: Event, fixture: int, home: int, away: int, **other: Any) -> None:
    key = f"{fixture}-{Event.objects.get(pk=event.pk).length}"
    about = {"totals": [home, away], "early": True, "ahead": True, **other}
    leagues.type_result(event_id=event.pk, fixture=fixture, **about, step=at(event, key))


def fixtures_of(event: Event) -> dict[int, FixtureNow]:
    return fixtures_now(results_now(Event.objects.select_related("club").get(pk=event.pk)))


def points_of(event: Event) -> list[dict[str, str]]:
    """The points by name, for each division, in the order of its table."""
    stages = tables_now(results_now(Event.objects.select_related("club").get(pk=event.pk))).stages
    return [{row.name: str(row.values["points"].value) for row in stage.rows} for stage in stages]


def fixture_between(event: Event, home: str, away: str) -> int:
    """The number of the fixture of two entrants of one player each, by their names."""
    state = league_in(event)
    names = dict(event.club.players.values_list("pk", "name"))
    sides = {number: names[team.players[0]] for number, team in state.entrants.items()}
    return next(each.number for each in state.fixtures.values() if {sides[each.home], sides[each.away]} == {home, away})
