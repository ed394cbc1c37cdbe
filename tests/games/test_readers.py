"""The readers with random input: they always answer, and what they read can be written and read back."""

import copy
import json
import random
from functools import cache
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

import games
from games import GAMES
from games.record import Record, read_record, record_json
from tests.games.test_notation import exact, records

few = settings(max_examples=40, deadline=None, derandomize=True)
many = settings(max_examples=120, deadline=None, derandomize=True)

json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=5),
    lambda inside: st.lists(inside, max_size=4) | st.dictionaries(st.text(max_size=5), inside, max_size=4),
    max_leaves=12,
)


# --- records that fit the rules, and near ones -------------------------------------------------------------
OPTIONS = {
    "domino-whist": [{}, {"debit": "higher", "target": 40}],
    "domizerka": [{}],
    "dom": [{}, {"hands": 1}],
    "dominards": [{}, {"hands": 2}],
}
FAMILY_OPTIONS = [
    {"points_to_win": 60},
    {"points_to_win": 60, "leader": "winner", "rounding": True, "block_award": "last", "fives": True},
    {"points_to_win": 60, "leader": "loser", "spinner": True, "draws": False, "block_amount": "both"},
    {"points_to_win": 60, "leader": "alternate", "threes": True, "draws": True, "block_amount": "opponent"},
]


@cache
def played(game: str, number: int, seed: int, observed: bool) -> str:
    options = OPTIONS.get(game, FAMILY_OPTIONS)
    seats = GAMES[game].seats[seed % len(GAMES[game].seats)]
    names = ["Ana", "Bo", "Cleo", "Dan"][:seats]
    given = options[number % len(options)]
    return json.dumps(games.random_match(game, given, names, random.Random(seed), hands=3, observed=observed))


legal = st.builds(
    lambda *how: json.loads(played(*how)),
    st.sampled_from([*GAMES]),
    st.integers(0, 3),
    st.integers(0, 5),
    st.booleans(),
)
"""Records of random matches with up to three hands."""


def places(value: Any, way: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The path to each value inside a value."""
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [way, *(place for key, each in inside for place in places(each, (*way, key)))]


def at(value: Any, way: tuple[Any, ...]) -> Any:
    for key in way:
        value = value[key]
    return value


def kind(value: Any) -> Any:
    """Values of the same kind can often replace each other."""
    if isinstance(value, dict):
        return frozenset(value)
    return value[1:2] + str(len(value)) if isinstance(value, str) else type(value)


@st.composite
def near(draw: st.DrawFn) -> dict[str, Any]:
    """A legal record with a few changes, most of them to values that are possible there."""
    record = draw(legal)
    record.pop("result")
    for _ in range(draw(st.integers(1, 3))):
        every = [place for place in places(record) if place]
        *way, key = draw(st.sampled_from(every))
        inside = at(record, tuple(way))
        alike = [place for place in every if kind(at(record, place)) == kind(inside[key])]
        how = draw(st.sampled_from(["alike", "alike", "alike", "neighbour", "drop", "repeat", "anything"]))
        if how == "alike":
            inside[key] = copy.deepcopy(at(record, draw(st.sampled_from(alike))))
        elif how == "neighbour" and isinstance(key, int) and key:
            inside[key - 1 : key + 1] = reversed(inside[key - 1 : key + 1])
        elif how == "drop":
            del inside[key]
        elif how == "repeat" and isinstance(key, int):
            inside.insert(key, copy.deepcopy(inside[key]))
        else:
            inside[key] = draw(json_values)
    return record


def readable(value: Any) -> Record | None:
    try:
        return read_record(value, GAMES)
    except games.GameError:
        return None


def check_read(value: Any) -> None:
    """A record that was read can be written, read back, and gets the same verdict."""
    record = readable(value)
    if record is not None:
        written = record_json(record)
        again = read_record(json.loads(json.dumps(written)), GAMES)
        assert again == record
        assert exact(record_json(again)) == exact(written)
        assert games.verify(written) == games.verify(value)


# --- whatever comes ----------------------------------------------------------------------------------------
@many
@given(json_values)
def test_any_value_always_gets_the_same_verdict_and_is_not_changed(value: Any) -> None:
    check_pure(value)


@many
@given(near() | records())
def test_anything_similar_to_a_record_always_gets_the_same_verdict_and_is_not_changed(record: Any) -> None:
    check_pure(record)


def check_pure(value: Any) -> None:
    before = exact(value)
    verdict = games.verify(value)
    assert exact(value) == before
    assert exact(games.verify(copy.deepcopy(value))) == exact(verdict)
    assert exact(games.verify_line(json.dumps(value))) == exact(verdict)
    assert json.loads(json.dumps(verdict)) == verdict


@many
@given(near() | records())
def test_what_is_read_is_written_and_read_and_judged_the_same(record: Any) -> None:
    check_read(record)


@few
@given(legal)
def test_a_match_played_by_the_rules_is_written_and_read_the_same(record: dict[str, Any]) -> None:
    assert readable(record) is not None
    assert games.verify(record)["errors"] == []
    assert exact(record_json(read_record(record, GAMES))) == exact(record)
    check_read(record)


# --- two ways to the same ----------------------------------------------------------------------------------
def refused(record: dict[str, Any]) -> dict[str, Any] | None:
    """The error at which a record stops if it is entered entry by entry."""
    match = games.Match.new(record["game"], record.get("options", {}), record["players"])
    try:
        for entry in games.entries(record):
            match = match.enter(entry)
    except games.GameError as error:
        return error.as_json()
    return None


@many
@given(near())
def test_a_record_entered_entry_by_entry_stops_where_its_verdict_says(record: dict[str, Any]) -> None:
    if readable(record) is not None:
        (error,) = games.verify(record)["errors"] or [None]
        assert refused(record) == error
