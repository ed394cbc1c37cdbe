"""A league of teams, for tests: two squads of seven, and a form with six singles and three doubles."""

from typing import Any

from scorekeeper.events.encounters import Form, LineUp, usual_boards
from scorekeeper.events.rounds import Setting
from scorekeeper.models import Event, Player
from scorekeeper.services import events
from scorekeeper.services.changes import in_one_transaction
from scorekeeper.standings.worths import RESULT
from tests.conftest import NOW, Cast
from tests.nights import at

SETTING = Setting({}, None)
EVENING = Form(usual_boards("six-singles-three-doubles", ("fives-and-threes", SETTING), ("domino-whist", SETTING)))
SQUAD = 7


def league_of_teams(cast: Cast, form: Form = EVENING, *, teams: int = 2, **setup: Any) -> Event:
    """A league whose first fixture is team 1 at home against team 2. The players of team 1 are 1.1 to 1.7."""
    league = Event.objects.create(club=cast.club, kind=Event.Kind.LEAGUE, name="Pub league", started_at=NOW)
    squads = [squad_of(cast, number) for number in range(1, teams + 1)]
    divided = [{"name": f"Team {number}", "players": squad} for number, squad in enumerate(squads, 1)]
    met = [
        {"division": 0, "round": number, "home": 1, "away": number + 1, "at": NOW.isoformat()}
        for number in range(1, teams)
    ]
    steps = [
        setup_of(form, **setup),
        {"kind": "divisions", "divisions": [{"name": "One", "entrants": divided}]},
        {"kind": "fixtures", "fixtures": met},
    ]
    _noted(league, steps)
    return league


@in_one_transaction
def _noted(league: Event, steps: list[dict[str, Any]]) -> None:
    for number, entry in enumerate(steps):
        events.append(league, entry, at(league, f"step-{number}"))


def setup_of(form: Form, **more: Any) -> dict[str, Any]:
    worth = {**RESULT, "win": 2, "draw": 1, "loss": 0, "forfeit_win": 2}
    return {
        "kind": "setup",
        "name": "Pub league",
        "game": form.boards[0].game,
        "options": {},
        "minutes": None,
        "size": 1,
        "boards": len(form.boards),
        "form": form.as_json(),
        "legs": 1,
        "worth": worth,
        "order": ["points", "scored", "board-points"],
        "minimum_played": 0,
        "lots": "",
        "first": "2026-05-09",
        "every": 7,
        "time": "19:30",
        "without": [],
        "up": 0,
        "down": 0,
        "leaving": "half",
        "public": True,
        "by_players": False,
        "series": None,
        **more,
    }


def squad_of(cast: Cast, team: int) -> list[int]:
    names = [f"Player {team}.{number}" for number in range(1, SQUAD + 1)]
    return [Player.objects.create(club=cast.club, name=name).pk for name in names]


def usual_line_up(squad: list[int] | tuple[int, ...]) -> LineUp:
    """The first six, in their order; neighbours are partners."""
    one = squad[:6]
    return (*((player,) for player in one), (one[0], one[1]), (one[2], one[3]), (one[4], one[5]))
