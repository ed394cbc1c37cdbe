"""The API of a ladder: players challenge and answer for themselves, a host's program for everybody."""

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from scorekeeper.models import Match
from tests.conftest import Cast, enter
from tests.ladders import account, ladder_with
from tests.programs import Program, directors_program

NAMES = ["Ana", "Bo", "Cleo", "Dan"]
RESULT = {"totals": [150, 10], "early": True}


@pytest.fixture
def program(cast: Cast) -> Program:
    return directors_program(cast, "ladders")


def order(ladder: Any) -> list[int]:
    return [each["entrant"] for each in ladder["order"]]


def test_a_host_runs_a_ladder(cast: Cast, program: Program) -> None:
    pk = ladder_with(cast.club, NAMES).pk
    program.step(pk, "join", entrants=[{"players": ["Eva"]}], rung=2)
    ladder = program.step(pk, "move", entrant=5, rung=5)
    assert (order(ladder), ladder["entrants"][4]) == ([1, 2, 3, 4, 5], {"id": 5, "name": "Eva", "players": ["Eva"]})
    assert ladder["order"][4] == {"entrant": 5, "away": False, "may_challenge": [2, 3, 4]}
    assert program.step(pk, "away", entrant=4)["order"][4]["may_challenge"] == [1, 2, 3]
    program.step(pk, "back", entrant=4)
    program.step(pk, "challenge", challenger=5, challenged=2)
    program.step(pk, "accept", challenge=1)
    day = (timezone.now() + timedelta(days=20)).date().isoformat()
    (challenge,) = program.step(pk, "date", challenge=1, day=day)["challenges"]
    assert challenge == {
        "challenge": 1,
        "sides": [5, 2],
        "last_day": day,
        "state": "accepted",
        "claims": [],
        "totals": None,
        "match": None,
        "climbed": False,
    }
    played = program.step(pk, "result", challenge=1, **RESULT)
    assert order(played) == [1, 5, 2, 3, 4]
    assert (played["challenges"][0]["state"], played["challenges"][0]["totals"]) == ("played", [150, 10])
    assert order(program.step(pk, "result", challenge=1, totals=[10, 150], early=True, why="turned")) == [1, 2, 3, 4, 5]
    program.step(pk, "challenge", challenger=4, challenged=3)
    assert order(program.step(pk, "award", challenge=2, climbs=True)) == [1, 2, 4, 3, 5]
    program.step(pk, "challenge", challenger=3, challenged=1)
    (*_others, playing) = program.step(pk, "play", challenge=3, table=cast.table.number)["challenges"]
    assert (playing["state"], playing["match"]) == ("playing", Match.objects.latest("pk").pk)
    program.step(pk, "undo")
    assert order(program.step(pk, "leave", entrant=1)) == [2, 4, 3, 5]
    closed = program.step(pk, "close")
    assert (closed["closed"], closed["challenges"][2]["state"]) == (True, "ended")
    assert [each["may_challenge"] for each in closed["order"]] == [[]] * 4
    listed = {"id": pk, "name": "Club ladder", "public": True, "closed": True}
    assert program.call("GET", f"clubs/{cast.club.slug}/ladders/") == {"ladders": [listed]}


def test_players_act_for_themselves(cast: Cast, program: Program) -> None:
    pk = ladder_with(cast.club, NAMES).pk
    bo, dan = (Program(account(cast.club, name), "ladders") for name in ("Bo", "Dan"))
    bo.step(pk, "challenge", 403, challenger=4, challenged=2)
    dan.step(pk, "challenge", challenger=4, challenged=2)
    dan.step(pk, "accept", 403, challenge=1)
    bo.step(pk, "take-back", 403, challenge=1)
    bo.step(pk, "accept", challenge=1)
    for kind, more in (
        ("result", RESULT),
        ("award", {"climbs": True}),
        ("date", {"day": "2030-01-01"}),
        ("claim", {"side": 2, **RESULT}),
    ):
        dan.step(pk, kind, 403, challenge=1, **more)
    (typed,) = dan.step(pk, "claim", challenge=1, side=4, **RESULT)["challenges"]
    assert (typed["state"], typed["claims"]) == ("typed", [{"side": 4, "totals": [150, 10]}])
    dan.step(pk, "confirm", 403, challenge=1, side=4)
    assert order(bo.step(pk, "confirm", challenge=1, side=4)) == [1, 4, 2, 3]
    dan.step(pk, "challenge", challenger=4, challenged=1)
    program.step(pk, "accept", challenge=2)
    assert bo.step(pk, "claim", 422, challenge=2, side=2, **RESULT)["code"] == "not-entered"
    dan.step(pk, "play", challenge=2, table=cast.table.number)


def test_players_say_whether_what_was_recorded_at_the_table_is_correct(cast: Cast, program: Program) -> None:
    pk = ladder_with(cast.club, NAMES).pk
    bo, cleo, dan = (Program(account(cast.club, name), "ladders") for name in ("Bo", "Cleo", "Dan"))
    dan.step(pk, "challenge", challenger=4, challenged=2)
    bo.step(pk, "accept", challenge=1)
    match = Match.objects.get(pk=bo.step(pk, "play", challenge=1, table=cast.table.number)["challenges"][0]["match"])
    assert bo.step(pk, "correct", 422, challenge=1)["code"] == "nothing-typed"
    enter(match, [{"kind": "result", "totals": [150, 10], "stopped": "time"}], now=timezone.now())
    cleo.step(pk, "correct", 403, challenge=1)
    waits = dan.step(pk, "correct", challenge=1)
    assert (waits["challenges"][0]["state"], order(waits)) == ("recorded", [1, 2, 3, 4])
    assert bo.step(pk, "dispute", challenge=1)["challenges"][0]["state"] == "recorded"
    counts = program.step(pk, "correct", challenge=1)
    assert (counts["challenges"][0]["state"], order(counts)) == ("played", [1, 4, 2, 3])


@pytest.mark.parametrize(
    ("step", "code"),
    [
        ({"kind": "fly"}, "malformed"),
        ({"kind": "join", "entrants": []}, "malformed"),
        ({"kind": "join", "entrants": [{"players": ["Eva", "Finn"]}]}, "wrong-size"),
        ({"kind": "join", "entrants": [{"players": ["Eva"]}], "rung": 9}, "no-such-rung"),
        ({"kind": "challenge", "challenger": 1, "challenged": 2}, "below"),
        ({"kind": "challenge", "challenger": 9, "challenged": 2}, "nobody"),
        ({"kind": "accept", "challenge": 9}, "no-such-challenge"),
        ({"kind": "claim", "challenge": 1, "side": 4, **RESULT}, "not-accepted"),
        ({"kind": "confirm", "challenge": 1, "side": 4}, "nothing-typed"),
        ({"kind": "result", "challenge": 1, "totals": [150]}, "malformed"),
        ({"kind": "play", "challenge": 1, "table": 99}, "no-such-table"),
        ({"kind": "date", "challenge": 1, "day": "soon"}, "bad-date"),
        ({"kind": "leave", "entrant": 9}, "not-entered"),
        ({"kind": "award", "challenge": 1, "climbs": 1}, "malformed"),
    ],
    ids=str,
)
def test_a_refused_step_says_why_and_changes_nothing(
    cast: Cast, program: Program, step: dict[str, Any], code: str
) -> None:
    pk = ladder_with(cast.club, NAMES).pk
    before = program.step(pk, "challenge", challenger=4, challenged=2)
    answer = program.step(pk, expected=422, **step)
    assert (answer["code"], bool(answer["message"])) == (code, True)
    assert program.call("GET", f"ladders/{pk}/") == before


def test_a_ladder_is_read_by_who_may_see_it_and_a_step_is_made_once(cast: Cast, program: Program) -> None:
    pk = ladder_with(cast.club, NAMES, public=False).pk
    visitor = Program(Client(), "ladders")
    assert visitor.call("GET", f"clubs/{cast.club.slug}/ladders/") == {"ladders": []}
    assert visitor.call("GET", f"ladders/{pk}/", expected=404)["code"] == "not-found"
    body = {"seen": 2, "key": "k", "kind": "move", "entrant": 1, "rung": 2}
    for _twice in range(2):
        assert program.call("POST", f"ladders/{pk}/entries/", body)["length"] == 3
    late = {"seen": 2, "key": "other", "kind": "undo"}
    assert program.call("POST", f"ladders/{pk}/entries/", late, 409)["code"] == "stale"
