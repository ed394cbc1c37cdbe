"""The API of a league: a host's program plays a season, and players type their own fixtures."""

import json
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from tests.conftest import Cast
from tests.leagues import WORTH, begun, divided
from tests.programs import Program, directors_program
from tests.team_leagues import league_of_teams
from tests.tournaments import commanded

FOUR = {"First": ["Ana", "Bo", "Cleo", "Dan"]}


@pytest.fixture
def program(cast: Cast) -> Program:
    return directors_program(cast, "leagues")


def fixture(league: Any, number: int) -> Any:
    return next(each for each in league["fixtures"] if each["fixture"] == number)


def test_a_season_from_its_fixtures_to_its_end(cast: Cast, program: Program) -> None:
    pk = divided(cast, FOUR).pk
    league = program.step(pk, "fixtures")
    assert [each["state"] for each in league["fixtures"]] == ["planned"] * 6
    assert league["divisions"] == [{"name": "First", "entrants": [1, 2, 3, 4]}]
    assert league["entrants"][0] == {"id": 1, "name": "Ana", "players": ["Ana"]}
    postponed = program.step(pk, "date", fixture=1, reason="Snow")
    assert fixture(postponed, 1) == {**fixture(league, 1), "at": None, "state": "postponed", "reason": "Snow"}
    day = (timezone.now() + timedelta(days=30)).date().isoformat()
    dated = fixture(program.step(pk, "date", fixture=1, day=day, time="20:00", where="The Ship"), 1)
    assert (dated["at"][:16], dated["where"]) == (f"{day}T20:00", "The Ship")
    result = {"fixture": 1, "totals": [90, 10], "early": True}
    assert program.step(pk, "result", 422, **result)["code"] == "in-the-future"
    program.step(pk, "result", **result, ahead=True)
    assert program.step(pk, "result", 422, fixture=1, totals=[80, 10], early=True)["code"] == "no-note"
    changed = program.step(pk, "result", fixture=1, totals=[80, 10], early=True, why="misread")
    assert (fixture(changed, 1)["state"], fixture(changed, 1)["totals"]) == ("played", [80, 10])
    given_up = fixture(program.step(pk, "forfeit", fixture=2, absent=[1], reason="ill"), 2)
    assert (given_up["state"], given_up["absent"], given_up["reason"]) == ("given-up", [1], "ill")
    playing = fixture(program.step(pk, "play", fixture=3, table=cast.table.number), 3)
    assert (playing["state"], bool(playing["match"])) == ("playing", True)
    assert fixture(program.step(pk, "undo"), 3)["state"] == "planned"
    for number in (3, 4, 5, 6):
        program.step(pk, "result", fixture=number, totals=[50, 60], early=True)
    program.step(pk, "penalty", entrant=1, points=1, reason="late")
    program.step(pk, "cancel-penalty", number=0, reason="a mistake")
    assert program.step(pk, "close")["closed"]
    file = program.client.get(f"/api/v1/leagues/{pk}/file/").content
    assert json.loads(file) == json.loads(Client().get(f"/leagues/{pk}/file.json").content)
    assert program.call("GET", f"leagues/{pk}/standings/") == commanded(file)
    assert program.call("GET", f"clubs/{cast.club.slug}/leagues/")["leagues"] == [
        {"id": pk, "name": "Autumn league", "public": True, "closed": True}
    ]


def test_a_swiss_is_drawn_round_by_round_and_somebody_leaves(cast: Cast, program: Program) -> None:
    pk = divided(cast, FOUR, system="swiss", rounds=2).pk
    assert len(program.step(pk, "round")["fixtures"]) == 2
    assert program.step(pk, "fixtures", 422)["code"] == "drawn-by-round"
    one, other = (each["sides"][0] for each in program.call("GET", f"leagues/{pk}/")["fixtures"])
    swapped = program.step(pk, "exchange", round=1, entrants=[one, other])["fixtures"]
    assert [each["sides"][0] for each in swapped] == [other, one]
    assert program.step(pk, "exchange", 422, round=2, entrants=[one, other])["code"] == "not-newest-round"
    nobody = program.step(pk, "exchange", 422, round=1, entrants="no")
    assert nobody["message"] == "entrants: Expected a list, not no."
    league = program.step(pk, "withdraw", entrant=4)
    assert {each["state"] for each in league["fixtures"] if 4 in each["sides"]} == {"given-up"}


def test_the_result_of_one_board_of_teams(cast: Cast, program: Program) -> None:
    pk = league_of_teams(cast.club).pk
    refused = program.step(pk, "result", 422, fixture=1, totals=[90, 10])
    assert refused["code"] == "which-board"
    assert program.step(pk, "result", 422, fixture=1, board=1, totals=[90, 10])["code"] == "line-ups-secret"


def test_players_type_their_own_fixture_if_the_setup_lets_them(cast: Cast, program: Program) -> None:
    event = begun(cast, FOUR, by_players=True)
    cast.club.players.filter(name="Ana").update(user=cast.users["player"])
    player, fixtures = Program(cast.browser("player"), "leagues"), program.call("GET", f"leagues/{event.pk}/")
    own = next(each["fixture"] for each in fixtures["fixtures"] if 1 in each["sides"])
    other = next(each["fixture"] for each in fixtures["fixtures"] if 1 not in each["sides"])
    assert player.step(event.pk, "result", 403, fixture=other, totals=[9, 1], early=True)["code"] == "not-allowed"
    player.step(event.pk, "result", 403, fixture=own, board=1, totals=[9, 1], early=True)
    player.step(event.pk, "forfeit", 403, fixture=own, absent=[0])
    typed = player.step(event.pk, "result", fixture=own, totals=[9, 1], early=True)
    assert fixture(typed, own)["state"] == "played"


@pytest.mark.parametrize(
    ("step", "code"),
    [
        ({"kind": "fly"}, "malformed"),
        ({"kind": "close", "late": True}, "malformed"),
        ({"kind": "close"}, "fixtures-open"),
        ({"kind": "play", "fixture": 9, "table": 1}, "no-such-fixture"),
        ({"kind": "play", "fixture": 1, "table": 99}, "no-such-table"),
        ({"kind": "result", "fixture": 1, "totals": [90]}, "malformed"),
        ({"kind": "result", "fixture": 1, "totals": [90, None]}, "malformed"),
        ({"kind": "date", "fixture": 1}, "no-reason"),
        ({"kind": "date", "fixture": 1, "day": "tomorrow"}, "bad-date"),
        ({"kind": "date", "fixture": 1, "day": "2020-01-01", "time": "19:00"}, "in-the-past"),
        ({"kind": "forfeit", "fixture": 1, "absent": []}, "nobody-chosen"),
        ({"kind": "forfeit", "fixture": 1, "absent": [2]}, "no-such-fixture"),
        ({"kind": "withdraw", "entrant": 9}, "not-entered"),
        ({"kind": "penalty", "entrant": 1, "points": -1, "reason": "x"}, "bad-points"),
        ({"kind": "cancel-penalty", "number": 0, "reason": "x"}, "no-such-penalty"),
    ],
    ids=str,
)
def test_a_refused_step_says_why_and_changes_nothing(
    cast: Cast, program: Program, step: dict[str, Any], code: str
) -> None:
    pk = begun(cast, FOUR, worth=WORTH).pk
    before = program.call("GET", f"leagues/{pk}/")
    answer = program.step(pk, expected=422, **step)
    assert (answer["code"], bool(answer["message"])) == (code, True)
    assert program.call("GET", f"leagues/{pk}/") == before


def test_a_league_is_read_by_who_may_see_it_and_a_step_is_made_once(cast: Cast, program: Program) -> None:
    pk = begun(cast, FOUR, public=False).pk
    visitor = Program(Client(), "leagues")
    assert visitor.call("GET", f"clubs/{cast.club.slug}/leagues/") == {"leagues": []}
    for part in ("", "file/", "standings/"):
        assert visitor.call("GET", f"leagues/{pk}/{part}", expected=404)["code"] == "not-found"
    body = {"seen": 3, "key": "k", "kind": "result", "fixture": 1, "totals": [9, 1], "early": True}
    for _twice in range(2):
        assert program.call("POST", f"leagues/{pk}/entries/", body)["length"] == 4
    late = {"seen": 3, "key": "other", "kind": "undo"}
    assert program.call("POST", f"leagues/{pk}/entries/", late, 409)["code"] == "stale"
