"""A league of teams, for tests: squads of seven, who play six singles and three doubles."""

from collections.abc import Sequence
from typing import Any

from scorekeeper.events.encounters import Form, LineUp, usual_boards
from scorekeeper.events.rounds import Setting
from scorekeeper.forms.entrants import named
from scorekeeper.models import Club, Event
from scorekeeper.services import leagues
from tests.leagues import setup_of
from tests.nights import at, first

SETTING = Setting({}, None)
EVENING = Form(usual_boards("six-singles-three-doubles", ("fives-and-threes", SETTING), ("domino-whist", SETTING)))
ORDER = ("points", "scored", "board-points")
SQUAD = 7


def league_of_teams(club: Club, form: Form = EVENING, **more: Any) -> Event:
    """A league of two teams, whose only fixture is team 1 at home against team 2. Player 1.2 is of team 1."""
    lines = [f"Team {team}: {' + '.join(f'Player {team}.{n}' for n in range(1, SQUAD + 1))}" for team in (1, 2)]
    setup = setup_of(form=form.as_json(), order=[*ORDER], **more)
    league = leagues.start(club=club, name="Pub league", setup=setup, step=first(f"start at {club.slug}"))
    leagues.divide(event_id=league.pk, divisions=[("One", [*map(named, lines)])], step=at(league, "squads"))
    leagues.make_fixtures(event_id=league.pk, step=at(league, "fixtures"))
    league.refresh_from_db()
    return league


def usual_line_up(squad: Sequence[int]) -> LineUp:
    """The first six, in their order; neighbours are partners."""
    one = squad[:6]
    return (*((player,) for player in one), (one[0], one[1]), (one[2], one[3]), (one[4], one[5]))
