"""The API of a tournament: a director's program plays one from the first entry to the last result."""

import json
import random
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

import games
from scorekeeper.events.tournament import by_lots
from scorekeeper.models import Event, Job, Match
from scorekeeper.services import jobs
from scorekeeper.tasks import WORK
from tests.conftest import Cast
from tests.nights import names_of
from tests.programs import Program, directors_program
from tests.scorekeeper.test_stages import all_equal
from tests.scorekeeper.test_swiss import state
from tests.tournaments import commanded, entered, setup_of

Host = Callable[[str], Client]
DOCS = Path(__file__).parents[2] / "docs" / "api.md"


@pytest.fixture
def program(cast: Cast) -> Program:
    return directors_program(cast)


@pytest.fixture
def cup(cast: Cast, program: Program) -> int:
    """A tournament of four with its first round, of two tables with a match of one hand each."""
    body = {"key": "c", "name": "Cup", "preset": "block:heads", "setup": {"options": {"hands": 1}}}
    made = program.call("POST", f"clubs/{cast.club.slug}/tournaments/", body)
    for kind, more in (("enter", {"entrants": [{"players": [name]} for name in names_of(4)]}), ("schedule", {})):
        program.step(made["id"], kind, **more)
    for kind in ("draft", "seat"):
        program.step(made["id"], kind)
    return int(made["id"])


def tables(program: Program, tournament: int, number: int) -> list[Any]:
    found: list[Any] = program.call("GET", f"tournaments/{tournament}/file/")["stages"][0]["rounds"][number]["tables"]
    return found


def recorded(program: Program, match: int) -> None:
    """Plays a random match to its end, entry by entry."""
    shown = program.call("GET", f"matches/{match}/")
    record = games.random_match(shown["game"], shown["options"], shown["players"], random.Random(match))
    for seen, entry in enumerate(games.entries(record)):
        program.call("POST", f"matches/{match}/entries/", {"seen": seen, "key": f"m{seen}", **entry})


@pytest.mark.parametrize(
    ("preset", "entrants"), [("block:heads", 4), ("domino-whist:partners", 5), ("domizerka:triples", 9)]
)
def test_a_whole_tournament_of_random_records(cast: Cast, program: Program, preset: str, entrants: int) -> None:
    body = {"key": "cup", "name": "Cup", "preset": preset, "setup": {"options": {"hands": 1}, "confirm": 0}}
    made = program.call("POST", f"clubs/{cast.club.slug}/tournaments/", body)
    assert program.call("POST", f"clubs/{cast.club.slug}/tournaments/", body) == made, "the same key again"
    cup = made["id"]
    named = [{"players": [name], "club": "North", "rating": 1500 + at} for at, name in enumerate(names_of(entrants))]
    program.step(cup, "enter", entrants=named)
    program.step(cup, "schedule")
    for job in Job.objects.filter(state=Job.State.NEW):  # what a worker does if the search takes longer
        jobs.run(job.pk, WORK)
    left = program.call("GET", f"tournaments/{cup}/")["to_come"]
    assert left >= 3
    for number in range(left):
        program.step(cup, "draft")
        assert program.step(cup, "seat")["rounds"] == number + 1
        forfeited, *others = tables(program, cup, number)
        if number or not others:
            others.append(forfeited)
        else:
            program.step(cup, "forfeit", round=1, table=forfeited["table"], absent=[0, 1])
        for table in others:
            recorded(program, table["match"])
    program.step(cup, "penalty", entrant=2, round=1, points="1/2", reason="late")
    program.step(cup, "penalty", entrant=1, round=1, points=1, reason="phone")
    program.step(cup, "cancel-penalty", number=1, reason="it was not theirs")
    assert program.step(cup, "close")["closed"]
    file = program.client.get(f"/api/v1/tournaments/{cup}/file/").content
    assert json.loads(file) == json.loads(Client().get(f"/tournaments/{cup}/file.json").content)
    for address, words in (("", []), ("?why=1", ["--why"]), ("?after=2", ["--after", "2"])):
        standings = program.call("GET", f"tournaments/{cup}/standings/{address}")
        assert standings == commanded(file, *words)
    assert len({row["place"] for row in standings["stages"][0]["rows"]}) > 1
    refused = Client().get(f"/api/v1/tournaments/{cup}/standings/?after=77")
    assert (refused.status_code, "no round 77" in refused.content.decode()) == (422, True)


def test_groups_and_finals(cast: Cast, program: Program) -> None:
    cup = entered(cast, setup_of("block", "heads"), 4).pk

    def played() -> None:
        program.step(cup, "draft")
        program.step(cup, "seat")
        stages = program.call("GET", f"tournaments/{cup}/file/")["stages"]
        for table in (table for stage in stages for each in stage["rounds"] for table in each["tables"]):
            if not table["totals"]:
                recorded(program, table["match"])

    assert program.step(cup, "lots", 422, equal=[1, 2], first=1)["code"] == "not-begun"
    program.step(cup, "draw-groups", names=["Reds", "Blues"], how="snake")
    drawn = program.call("GET", f"tournaments/{cup}/file/")["stages"]
    assert [(each["name"], each["entrants"]) for each in drawn] == [("Reds", [1, 4]), ("Blues", [2, 3])]
    program.step(cup, "group", groups=[])
    program.step(cup, "group", groups=[{"name": "A", "entrants": [1, 2]}, {"name": "B", "entrants": [3, 4]}])
    program.step(cup, "enter", entrants=[{"players": ["Zoe"]}])
    program.step(cup, "move", entrant=5, group=1)
    assert program.step(cup, "move", 422, entrant=5, group=2)["code"] == "no-such-group"
    made = program.step(cup, "schedule")
    assert made["to_come"] == 3, "of the larger group"
    for _number in range(3):
        played()
    final = [{"name": "Final", "entrants": [1, 3]}, {"name": "Other", "entrants": [2, 4, 5]}]
    program.step(cup, "finals", finals=final, setup={"system": "knock-out", "order": []})
    stages = program.call("GET", f"tournaments/{cup}/file/")["stages"]
    assert [(each["name"], each["system"], len(each["entrants"])) for each in stages[2:]] == [
        ("Final", "knock-out", 2),
        ("Other", "knock-out", 3),
    ]
    program.step(cup, "way", final=1, setup={"system": "round-robin", "rounds": 1})
    other = program.call("GET", f"tournaments/{cup}/file/")["stages"][3]
    assert (other["system"], other["order"]) == ("round-robin", stages[0]["order"]), "the criteria of the tournament"
    typo = program.step(cup, "way", 422, final=1, setup={"systm": "swiss"})
    assert typo["message"] == "setup: Unexpected key: systm."
    nothing = program.step(cup, "way", 422, final=1, setup={"system": "swiss", "order": ["x"]})
    assert nothing["message"].startswith("setup.order[0]: ")
    assert program.step(cup, "way", 422, final=2, setup={"system": "swiss"})["code"] == "no-such-group"
    program.step(cup, "schedule")
    program.step(cup, "seat")
    assert program.step(cup, "way", 422, final=1, setup={"system": "swiss", "order": ["x"]})["code"] == "final-begun"
    assert program.step(cup, "rest", 422, entrants=[1])["code"] == "not-free-play"


def test_lots_and_a_deciding_match_say_who_goes_on(cast: Cast, program: Program) -> None:
    event = all_equal(cast)
    rule = {"first": 1}
    assert program.step(event.pk, "lots", 409, equal=[1, 2], **rule)["code"] == "stale"
    program.step(event.pk, "lots", equal=[1, 4, 5], **rule)
    (advance,) = state(event).advances
    assert advance.entrants == by_lots(advance.lots, [1, 4, 5])
    program.step(event.pk, "undo")
    assert program.step(event.pk, "decide", 422, places={"1": 2, "4": 1, "5": 3}, why="", **rule)["code"] == "no-reason"
    program.step(event.pk, "decide", places={"1": 2, "4": 1, "5": 3}, why="60 : 45", **rule)
    (advance,) = state(event).advances
    assert (advance.entrants, advance.why) == ((4, 1, 5), "60 : 45")


def test_free_play(cast: Cast, program: Program) -> None:
    event = entered(cast, setup_of("block", "heads", system="free"), 6)
    program.step(event.pk, "rest", entrants=[6])
    program.step(event.pk, "start", entrants=[1, 2])
    assert program.step(event.pk, "start", 422, entrants=[2, 3])["code"] == "not-free"
    program.step(event.pk, "play-on", entrants=[6])
    assert program.step(event.pk, "match", only_new=True)["draft"]
    program.step(event.pk, "seat")
    assert len(tables(program, event.pk, 0)) == 3


def test_the_example_in_the_documentation(cast: Cast, as_user: Host) -> None:
    (example,) = re.findall(r"```python\n(.*?)```", DOCS.read_text(), re.DOTALL)
    shown: dict[str, Any] = {"call": Program(as_user("director")).call, "club": cast.club.slug}
    exec(example, shown)
    assert shown["leader"] == "Ana"
    assert Event.objects.get(name="Spring cup").length == 6


def test_a_step_is_made_once_and_only_by_who_has_seen_the_others(program: Program, cup: int) -> None:
    at, seen = f"tournaments/{cup}/", program.call("GET", f"tournaments/{cup}/")["length"]
    table = tables(program, cup, 0)[0]["table"]
    body = {"seen": seen, "key": "k", "kind": "result", "round": 1, "table": table, "totals": [60, 20], "early": True}
    for _twice in range(2):
        assert program.call("POST", f"{at}entries/", body)["length"] == seen + 1
    other = {**body, "totals": [20, 60]}
    assert program.call("POST", f"{at}entries/", other, 422)["code"] == "key-used"
    late = {"seen": seen, "key": "other", "kind": "undo"}
    assert program.call("POST", f"{at}entries/", late, 409)["code"] == "stale"
    assert tables(program, cup, 0)[0]["totals"] == [60, 20]
    program.step(cup, "result", round=1, table=table, totals=[20, 60], early=True, why="the wrong way round")
    file = program.call("GET", f"{at}file/")
    assert [each["why"] for each in file["scorekeeper"]["corrections"]] == ["the wrong way round"]
    program.step(cup, "undo")
    assert tables(program, cup, 0)[0]["totals"] == [60, 20]


def test_a_round_is_released_over_a_disputed_result_only_if_that_is_said(program: Program, cup: int) -> None:
    for each in tables(program, cup, 0):
        recorded(program, each["match"])
    program.step(cup, "draft")
    match = tables(program, cup, 0)[0]["match"]
    shown = program.call("GET", f"matches/{match}/")
    answer = {"seen": shown["length"], "key": "no", "kind": "dispute", "seat": 0}
    program.call("POST", f"matches/{match}/entries/", answer)
    assert program.step(cup, "seat", 422)["code"] == "not-confirmed"
    assert program.step(cup, "seat", unconfirmed=True)["rounds"] == 2
    assert program.step(cup, "close", 422, early=True, open="abandon")["code"] == "not-confirmed"
    sent = {"key": "end", "kind": "close", "early": True, "open": "abandon", "unconfirmed": True}
    sent["seen"] = program.call("GET", f"tournaments/{cup}/")["length"]
    assert program.call("POST", f"tournaments/{cup}/entries/", sent)["closed"]
    del sent["unconfirmed"]
    assert program.call("POST", f"tournaments/{cup}/entries/", sent)["closed"], "the same step again"


REFUSED: list[tuple[dict[str, Any], str]] = [
    ({"kind": "fly"}, "malformed"),
    ({"kind": "draft", "colour": "red"}, "malformed"),
    ({"kind": "enter", "entrants": []}, "malformed"),
    ({"kind": "enter", "entrants": [{"players": ["Ana", "Bo"]}]}, "wrong-size"),
    ({"kind": "enter", "entrants": [{"players": ["Ada"]}]}, "entered-twice"),
    ({"kind": "enter", "entrants": [{"players": ["Ana"], "rating": "strong"}]}, "malformed"),
    ({"kind": "withdraw", "entrants": [9]}, "not-entered"),
    ({"kind": "return", "entrants": [1]}, "has-not-left"),
    ({"kind": "schedule"}, "begun"),
    ({"kind": "enter", "entrants": [{"players": [one], "name": "Rovers"} for one in ("Yan", "Zoe")]}, "name-twice"),
    ({"kind": "seat", "minutes": 0}, "bad-number"),
    ({"kind": "result", "round": 1, "table": 1, "totals": [60]}, "malformed"),
    ({"kind": "result", "round": 1, "table": 1, "totals": [60, None]}, "total-missing"),
    ({"kind": "result", "round": 9, "table": 1, "totals": [60, 0]}, "no-such-table"),
    ({"kind": "forfeit", "round": 1, "table": 1, "absent": [2]}, "no-such-table"),
    ({"kind": "forfeit", "round": 1, "table": 1, "absent": []}, "nobody-chosen"),
    ({"kind": "penalty", "entrant": 1, "round": 1, "points": 0.5, "reason": "x"}, "malformed"),
    ({"kind": "penalty", "entrant": 1, "round": 1, "points": -1, "reason": "x"}, "bad-points"),
    ({"kind": "penalty", "entrant": 1, "round": 1, "points": 1, "reason": " "}, "no-reason"),
    ({"kind": "cancel-penalty", "number": 0, "reason": "x"}, "no-such-penalty"),
    ({"kind": "manual", "places": {"1": 1}}, "no-decision"),
    ({"kind": "close"}, "rounds-left"),
    ({"kind": "close", "early": True}, "matches-open"),
    ({"kind": "close", "open": "forget"}, "malformed"),
]


@pytest.mark.parametrize(("step", "code"), REFUSED, ids=str)
def test_a_refused_step_says_why_and_changes_nothing(
    program: Program, cup: int, step: dict[str, Any], code: str
) -> None:
    before = program.call("GET", f"tournaments/{cup}/")
    answer = program.step(cup, expected=422, **step)
    assert (answer["code"], bool(answer["message"])) == (code, True)
    assert program.call("GET", f"tournaments/{cup}/") == before


@pytest.mark.parametrize(
    ("step", "said"),
    [
        ({"kind": "withdraw", "entrants": "no"}, "entrants: Expected a list, not no."),
        ({"kind": "withdraw", "entrants": []}, "entrants: This list needs somebody."),
        (
            {"kind": "penalty", "entrant": "x", "round": 1, "points": 1, "reason": "x"},
            "entrant: Expected a whole number",
        ),
        ({"kind": "decide"}, "These are missing: places, why, first."),
        ({"kind": "lots", "equal": [1, 2]}, "first is missing."),
    ],
    ids=str,
)
def test_what_is_wrong_is_named(program: Program, cup: int, step: dict[str, Any], said: str) -> None:
    assert program.step(cup, expected=422, **step)["message"].startswith(said)


def test_a_tournament_is_not_made_from_nothing(cast: Cast, program: Program) -> None:
    path = f"clubs/{cast.club.slug}/tournaments/"
    for body, code in (
        ({"key": "k", "name": "Cup", "preset": "chess:heads"}, "malformed"),
        ({"key": "k", "name": "Cup"}, "bad-setup"),
        ({"key": "k", "name": " ", "preset": "block:heads"}, "malformed"),
        ({"key": "k" * 41, "name": "Cup", "preset": "block:heads"}, "malformed"),
        ({"key": "k", "name": "Cup", "preset": "block:heads", "setup": {"prizes": 0}}, "bad-setup"),
        ({"key": "k", "name": "Cup", "preset": "block:heads", "setup": {"bogus": 1}}, "malformed"),
        ({"key": "k", "name": "Cup", "preset": "block:heads", "setup": {"options": {"x": 1}}}, "bad-option"),
    ):
        assert program.call("POST", path, body, 422)["code"] == code, body
    assert program.call("GET", path) == {"tournaments": []}
    bare = program.call("POST", path, {"key": "k", "name": "Cup", "setup": {"game": "block", "options": {}}}, 422)
    assert bare["message"].startswith("setup: These are missing: minutes, format, size, ")


def test_before_their_release_only_hosts_know_of_rounds_to_come(cast: Cast, program: Program, cup: int) -> None:
    assert program.call("GET", f"tournaments/{cup}/")["to_come"] == 2
    program.step(cup, "draft")
    visitor = Program(Client()).call("GET", f"tournaments/{cup}/")
    assert visitor.keys() == {"id", "name", "public", "closed", "length", "rounds", "rounds_planned"}
    assert not Match.objects.filter(round=2).exists()
    Event.objects.filter(pk=cup).update(public=False)
    assert Program(Client()).call("GET", f"clubs/{cast.club.slug}/tournaments/") == {"tournaments": []}
    assert len(program.call("GET", f"clubs/{cast.club.slug}/tournaments/")["tournaments"]) == 1
    assert Program(Client()).call("GET", f"tournaments/{cup}/", expected=404)["code"] == "not-found"


@pytest.mark.parametrize(
    ("totals", "said"),
    [
        ([-3, 155], "totals: Nobody can have -3 points. Check the result."),
        ([155.5, 20], "totals: 155.5 is not a whole number."),
        ([True, 20], "totals: Expected a whole number, not true."),
        ([155], "totals: Expected a list of 2, not of 1."),
    ],
)
def test_what_is_wrong_with_a_result_is_said_with_its_field(
    program: Program, cup: int, totals: list[Any], said: str
) -> None:
    seen = program.call("GET", f"tournaments/{cup}/")["length"]
    body = {"seen": seen, "key": "k", "kind": "result", "round": 1, "table": 1, "totals": totals}
    assert program.call("POST", f"tournaments/{cup}/entries/", body, 422)["message"] == said
