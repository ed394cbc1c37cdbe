"""The reader of tournament files: what it takes, and what it refuses, with the place."""

import copy
import json
from typing import Any

import pytest

from scorekeeper.standings.criteria import CRITERIA
from scorekeeper.standings.reading import Refused, read_text, read_value
from scorekeeper.standings.worths import RESULT

LAST_FIVE = dict.fromkeys(("bye", "asked", "absent", "forfeit_win", "forfeit_loss"), 0)
FILE: dict[str, Any] = {
    "format": "scorekeeper-tournament/1",
    "name": "Cup",
    "game": "draw",
    "options": {},
    "lower_wins": False,
    "entrants": [{"id": n, "name": f"E{n}", "players": ["A"], "club": "C", "rating": 1500} for n in (1, 2, 3, 7)],
    "stages": [
        {
            "name": "Main",
            "system": "swiss",
            "entrants": [1, 2, 3],
            "rounds_planned": 3,
            "worth": RESULT,
            "order": ["points", "koya"],
            "minimum_played": 0,
            "lots": "x",
            "manual": [2],
            "apart": {"by": "club", "rounds": 2},
            "rounds": [
                {
                    "tables": [{"sides": [[1], [2]], "totals": [3, 4], "absent": []}],
                    "unplayed": [{"entrant": 3, "kind": "bye"}],
                }
            ],
            "penalties": [{"entrant": 1, "round": 1, "points": "1/2", "reason": "late", "cancelled": False}],
        },
        {"name": "Final", "system": "knock-out", "worth": RESULT},
    ],
    "overall": [["Final"], ["Main"]],
}
GONE = "no such key"
STAGE = "stages/0"
FINAL = "stages/1"
TABLE = f"{STAGE}/rounds/0/tables/0"
WRONG: list[tuple[str, Any, str, str]] = [
    # path, new value, code, place as the reader says it
    ("format", "scorekeeper-record/1", "wrong-kind", "format"),
    ("format", GONE, "missing", ""),
    ("name", 3, "wrong-kind", "name"),
    ("options", [], "wrong-kind", "options"),
    ("lower_wins", 1, "wrong-kind", "lower_wins"),
    ("entrants", GONE, "missing", ""),
    ("entrants", [], "empty", "entrants"),
    ("entrants", {}, "wrong-kind", "entrants"),
    ("entrants/1/id", 1, "twice", "entrants[1].id"),
    ("entrants/1/id", 0, "wrong-kind", "entrants[1].id"),
    ("entrants/1/id", True, "wrong-kind", "entrants[1].id"),
    ("entrants/1/id", GONE, "missing", "entrants[1]"),
    ("entrants/1/name", GONE, "missing", "entrants[1]"),
    ("entrants/1/name", "\ud800", "wrong-kind", "entrants[1].name"),
    ("entrants/1/rating", 1.5, "wrong-kind", "entrants[1].rating"),
    ("entrants/1/players", "A", "wrong-kind", "entrants[1].players"),
    ("stages", [], "empty", "stages"),
    (f"{STAGE}/name", "", "empty", "stages[0].name"),
    (f"{STAGE}/name", "Final", "twice", "stages[1].name"),
    (f"{STAGE}/name", GONE, "missing", "stages[0]"),
    (f"{STAGE}/system", "monrad", "wrong-kind", "stages[0].system"),
    (f"{STAGE}/system", GONE, "missing", "stages[0]"),
    (f"{STAGE}/entrants", [1, 1], "twice", "stages[0].entrants[1]"),
    (f"{STAGE}/entrants", [1, 9], "unknown", "stages[0].entrants[1]"),
    (f"{STAGE}/entrants", [], "empty", "stages[0].entrants"),
    (f"{STAGE}/rounds_planned", 0, "wrong-kind", "stages[0].rounds_planned"),
    (f"{STAGE}/minimum_played", -1, "wrong-kind", "stages[0].minimum_played"),
    (f"{STAGE}/lots", 3, "wrong-kind", "stages[0].lots"),
    (f"{STAGE}/manual", [2, 2], "twice", "stages[0].manual[1]"),
    (f"{STAGE}/manual", [7], "unknown", "stages[0].manual[0]"),
    (f"{STAGE}/apart", "club", "wrong-kind", "stages[0].apart"),
    (f"{STAGE}/worth", GONE, "missing", "stages[0]"),
    (f"{STAGE}/worth/by", "wins", "wrong-kind", "stages[0].worth.by"),
    *((f"{STAGE}/worth/{key}", GONE, "missing", "stages[0].worth") for key in RESULT),
    *(
        (f"{STAGE}/worth/win", value, "wrong-kind", "stages[0].worth.win")
        for value in (
            True,
            1.5,
            "0.5",
            "5",
            "1/0",
            "2/4",
            "4/1",
            "-1/-2",
            "01/2",
            "1/02",
            " 1/2",
            "+1/2",
            None,
            "average",
        )
    ),
    (f"{STAGE}/worth/win", 10**13, "wrong-kind", "stages[0].worth.win"),
    (f"{STAGE}/worth", {"by": "place", **LAST_FIVE}, "not-for-this-worth", "stages[0].order[1]"),
    (f"{STAGE}/order", GONE, "missing", "stages[0]"),
    (f"{STAGE}/order", [], "empty", "stages[0].order"),
    (f"{STAGE}/order", ["points", "points"], "twice", "stages[0].order[1]"),
    (f"{STAGE}/order", ["points", "luck"], "wrong-kind", "stages[0].order[1]"),
    (f"{STAGE}/order", [*CRITERIA][:11], "too-many", "stages[0].order"),
    (f"{STAGE}/rounds/0/unplayed/0/entrant", 2, "twice", "stages[0].rounds[0].unplayed[0].entrant"),
    (f"{STAGE}/rounds/0/unplayed/0/entrant", 7, "unknown", "stages[0].rounds[0].unplayed[0].entrant"),
    (f"{STAGE}/rounds/0/unplayed/0/kind", "late", "wrong-kind", "stages[0].rounds[0].unplayed[0].kind"),
    (f"{TABLE}/sides", GONE, "missing", "stages[0].rounds[0].tables[0]"),
    (f"{TABLE}/sides", [[1]], "wrong-length", "stages[0].rounds[0].tables[0].sides"),
    (f"{TABLE}/sides", [[1], []], "empty", "stages[0].rounds[0].tables[0].sides[1]"),
    (f"{TABLE}/sides", [[1], [1]], "twice", "stages[0].rounds[0].tables[0].sides[1][0]"),
    (f"{TABLE}/sides", [[1], [True]], "wrong-kind", "stages[0].rounds[0].tables[0].sides[1][0]"),
    (f"{TABLE}/totals", [3], "wrong-kind", "stages[0].rounds[0].tables[0].totals"),
    (f"{TABLE}/totals", [3, None], "missing", "stages[0].rounds[0].tables[0].totals[1]"),
    (f"{TABLE}/totals", [3, "4"], "wrong-kind", "stages[0].rounds[0].tables[0].totals[1]"),
    (f"{TABLE}/absent", [2], "unknown", "stages[0].rounds[0].tables[0].absent[0]"),
    (f"{TABLE}/absent", [0, 0], "twice", "stages[0].rounds[0].tables[0].absent[1]"),
    (f"{TABLE}/places", [1], "wrong-kind", "stages[0].rounds[0].tables[0].places"),
    (f"{TABLE}/places", [1, 1], "twice", "stages[0].rounds[0].tables[0].places[1]"),
    (f"{TABLE}/places", [0, 1], "wrong-kind", "stages[0].rounds[0].tables[0].places[0]"),
    (f"{STAGE}/penalties/0/entrant", 7, "unknown", "stages[0].penalties[0].entrant"),
    (f"{STAGE}/penalties/0/round", 0, "wrong-kind", "stages[0].penalties[0].round"),
    (f"{STAGE}/penalties/0/points", "2/4", "wrong-kind", "stages[0].penalties[0].points"),
    *(
        (f"{STAGE}/penalties/0/{key}", GONE, "missing", "stages[0].penalties[0]")
        for key in ("entrant", "round", "points")
    ),
    (f"{STAGE}/play", "pairs", "wrong-kind", "stages[0].play"),
    (f"{STAGE}/pairing", "monrad", "wrong-kind", "stages[0].pairing"),
    (f"{STAGE}/first", "club", "wrong-kind", "stages[0].first"),
    (f"{STAGE}/apart", {"rounds": 2}, "missing", "stages[0].apart"),
    (f"{STAGE}/apart", {"by": 3}, "wrong-kind", "stages[0].apart.by"),
    (f"{STAGE}/apart", {"by": "club", "rounds": -1}, "wrong-kind", "stages[0].apart.rounds"),
    (f"{STAGE}/next", [], "wrong-kind", "stages[0].next"),
    (f"{STAGE}/next", {"tables": [{"sides": [[1]]}]}, "wrong-length", "stages[0].next.tables[0].sides"),
    (f"{STAGE}/next", {"tables": [{"sides": [[1], [7]]}]}, "unknown", "stages[0].next.tables[0].sides[1][0]"),
    (
        f"{STAGE}/next",
        {"tables": [{"sides": [[1], [2]]}], "unplayed": [{"entrant": 2, "kind": "asked"}]},
        "twice",
        "stages[0].next.unplayed[0].entrant",
    ),
    (f"{STAGE}/next", {"unplayed": [{"entrant": 2, "kind": "late"}]}, "wrong-kind", "stages[0].next.unplayed[0].kind"),
    *((f"{FINAL}/{key}", 1, "wrong-kind", f"stages[1].{key}") for key in ("double", "third_place", "placement")),
    (f"{FINAL}/from", ["Main"], "wrong-kind", "stages[1].from"),
    (f"{FINAL}/from", {"first": 2}, "missing", "stages[1].from"),
    (f"{FINAL}/from", {"stages": ["Main"]}, "missing", "stages[1].from"),
    (f"{FINAL}/from", {"stages": [], "first": 2}, "empty", "stages[1].from.stages"),
    (f"{FINAL}/from", {"stages": ["Main"], "first": 0}, "wrong-kind", "stages[1].from.first"),
    (f"{FINAL}/from", {"stages": ["Main", "Main"], "first": 1}, "twice", "stages[1].from.stages[1]"),
    (f"{FINAL}/from", {"stages": ["Other"], "first": 1}, "unknown", "stages[1].from.stages[0]"),
    (f"{FINAL}/from", {"stages": ["Final"], "first": 1}, "circular", "stages"),
    ("overall", [["Main", "Main"]], "twice", "overall[0][1]"),
    ("overall", [["Main"], ["Other"]], "unknown", "overall[1][0]"),
    ("overall", [["Main"], []], "empty", "overall[1]"),
]


def changed(path: str, value: Any) -> dict[str, Any]:
    """The file with another value; GONE removes the key."""
    file: Any = copy.deepcopy(FILE)
    *steps, last = [int(step) if step.isdigit() else step for step in path.split("/")]
    inner = file
    for step in steps:
        inner = inner[step]
    if value is GONE:
        del inner[last]
    else:
        inner[last] = value
    return dict(file)


def refusal(file: Any) -> tuple[str, str]:
    with pytest.raises(Refused) as caught:
        read_value(file)
    assert caught.value.message
    assert "{" not in caught.value.message.replace("{…}", "")
    return caught.value.code, caught.value.at


def test_the_whole_file_is_read() -> None:
    read = read_text(json.dumps(FILE))
    main, final = read.stages
    assert (read.name, [*read.entrants], read.overall) == ("Cup", [1, 2, 3, 7], (("Final",), ("Main",)))
    assert (main.entrants, main.rounds_planned, main.manual, main.lots) == ((1, 2, 3), 3, (2,), "x")
    assert final.entrants == (1, 2, 3, 7)
    assert not final.order


@pytest.mark.parametrize(("path", "value", "code", "at"), WRONG)
def test_what_is_wrong_is_refused_with_its_place(path: str, value: Any, code: str, at: str) -> None:
    assert refusal(changed(path, value)) == (code, at)


def test_who_was_absent_has_no_total_where_others_played() -> None:
    three = {"sides": [[1], [2], [3]], "absent": [1], "totals": [1, 2, 3]}
    file = changed(f"{STAGE}/rounds/0", {"tables": [three]})
    assert refusal(file) == ("not-allowed", "stages[0].rounds[0].tables[0].totals[1]")
    three["totals"] = [1, None, 3]
    assert read_value(file).stages[0].rounds[0].tables[0].totals == (1, None, 3)


def test_by_place_the_worth_of_each_size_of_table_is_needed() -> None:
    worth = {"by": "place", "places": {"3": [2, 1, 0]}, **LAST_FIVE}
    file = changed(f"{STAGE}/worth", worth)
    file["stages"][0]["order"] = ["points"]
    assert refusal(file) == ("missing", "stages[0].worth.places")
    worth["places"] = {"2": [1]}
    assert refusal(file) == ("wrong-kind", "stages[0].worth.places.2")
    worth["places"] = {"2": [1, 0], "5": "what it does not know"}
    assert read_value(file).stages[0].worth.places == {2: (1, 0)}


@pytest.mark.parametrize("name", [name for name, criterion in CRITERIA.items() if criterion.not_by])
def test_by_score_some_criteria_have_no_meaning(name: str) -> None:
    file = changed(f"{STAGE}/worth", {"by": "score", **LAST_FIVE, "bye": "average"})
    file["stages"][0]["order"] = [name]
    assert refusal(file) == ("not-for-this-worth", "stages[0].order[0]")


def test_what_it_does_not_know_is_passed_over() -> None:
    file = changed("colour", "blue")
    file["stages"][0]["rounds"][0]["tables"][0] |= {"table": None, "match": [], "note": 3, "played_at": {}}
    assert read_value(file) == read_value(FILE)


@pytest.mark.parametrize(
    "text",
    ["", "{", '{"format": NaN}', b"\xff", '{"a": 1, "a": 2}', "[" * 100_000, "1" * 10_000],
    ids=["empty", "half", "NaN", "no UTF-8", "a key twice", "deep", "long"],
)
def test_what_is_not_json_is_refused(text: str | bytes) -> None:
    with pytest.raises(Refused) as caught:
        read_text(text)
    assert (caught.value.code, caught.value.at) == ("not-json", "")


@pytest.mark.parametrize("value", [None, [], 3, "text", True])
def test_another_value_than_an_object_is_refused(value: Any) -> None:
    assert refusal(value) == ("wrong-kind", "")
