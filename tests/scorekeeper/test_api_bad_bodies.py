"""Any request body gets an answer with a code and a sentence, and a bad one changes nothing."""

import json
import random
from typing import Any

import pytest
from django.urls import reverse
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import games
from scorekeeper.models import Match
from tests.conftest import Cast, names_for, plan_for, snapshot

GAME = sorted(games.GAMES)[0]
FIRST = {"seen": 0, "key": "k", **plan_for(GAME)[0]}
DEEP = json.loads("[" * 60 + "]" * 60)
LONG_NUMBER = b"9" * 5000

UNREADABLE = [
    b"",
    b"   ",
    b"{",
    b"\xff\xfe{}",
    "{}".encode("utf-16"),
    b"NaN",
    b'{"seen": NaN, "key": "k", "kind": "undo"}',
    b'{"seen": Infinity, "key": "k", "kind": "undo"}',
    b'{"seen": ' + LONG_NUMBER + b', "key": "k", "kind": "undo"}',
    b'{"seen": 0, "seen": 0, "key": "k", "kind": "undo"}',
    b"[" * 100_000,
    b'{"a":' * 50_000 + b"1" + b"}" * 50_000,
    b"null",
    b"[]",
    b'"undo"',
    b"3",
    b"seen=0&key=k&kind=undo",
]

WRONG = [
    {},
    {"kind": "undo"},
    {"seen": 0, "kind": "undo"},
    {"key": "k", "kind": "undo"},
    {"seen": 0, "key": "k"},
    FIRST | {"seen": None},
    FIRST | {"seen": "0"},
    FIRST | {"seen": True},
    FIRST | {"seen": False},
    FIRST | {"seen": 0.0},
    FIRST | {"seen": 1e400},
    FIRST | {"key": None},
    FIRST | {"key": 7},
    FIRST | {"key": ""},
    FIRST | {"key": "k" * 65},
    FIRST | {"key": "a\0b"},
    FIRST | {"key": "\ud83d"},
    FIRST | {"kind": None},
    FIRST | {"kind": ["hand"]},
    FIRST | {"kind": "dance"},
    FIRST | {"kind": "\ud83d"},
    FIRST | {"kind": "a\0b"},
    FIRST | {"note": "a\0b"},
    FIRST | {"a\0b": 1},
    FIRST | {"\ud83d": 1},
    FIRST | {"deal": DEEP},
    FIRST | {"deal": "x" * 100_000},
    FIRST | {"deal": [None] * 5000},
    FIRST | {"deal": 10**400},
    FIRST | {"moves": 1e400},
    FIRST | {"moves": [{"seat": 10**30, "type": "pass"}]},
    {"seen": 0, "key": "k", "kind": "hand"},
    {"seen": 0, "key": "k", "kind": "hand", "opener": 9},
    {"seen": 0, "key": "k", "kind": "hand", "opener": 10**30},
    {"seen": 0, "key": "k", "kind": "hand", "opener": True},
    {"seen": 0, "key": "k", "kind": "undo"},
    {"seen": 0, "key": "k", "kind": "undo", "to": {"hand": 10**9, "move": None}},
    {"seen": 0, "key": "k", "kind": "stop", "stopped": "\ud83d"},
    {"seen": 0, "key": "k", "kind": "note", "hand": 10**9, "move": -1, "code": "wrong-pass"},
    {"seen": 0, "key": "k", "kind": "replace", "hand": 0, "with": None},
]


@pytest.fixture
def match(cast: Cast) -> Match:
    return cast.open(GAME)


@pytest.mark.parametrize("preview", ["", "?preview=1"])
@pytest.mark.parametrize("body", UNREADABLE, ids=lambda body: repr(body[:30]))
def test_what_cannot_be_read_is_malformed(cast: Cast, match: Match, body: bytes, preview: str) -> None:
    state = snapshot(match)
    answer = cast.phone().post(reverse("api-entries", args=[match.pk]) + preview, body)
    assert (answer.status_code, answer.json()["code"]) == (422, "malformed")
    assert answer.json()["message"]
    assert answer.json()["ways"] == [{"way": "mend"}]
    assert snapshot(match) == state


@pytest.mark.parametrize("body", WRONG, ids=lambda body: ascii(body)[:60])
def test_an_entry_that_makes_no_sense_is_refused(cast: Cast, match: Match, body: dict) -> None:
    state = snapshot(match)
    answer = cast.phone().post(reverse("api-entries", args=[match.pk]), body)
    assert answer.status_code == 422
    assert answer.json()["code"] in set(games.Code)
    assert answer.json()["message"]
    assert {"way": "mend"} in answer.json()["ways"]
    assert snapshot(match) == state


@pytest.mark.parametrize(
    "content_type", ["", "text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "a b c"]
)
def test_the_body_counts_whatever_it_is_called(cast: Cast, match: Match, content_type: str) -> None:
    path = reverse("api-entries", args=[match.pk])
    answer = cast.phone().post(path, json.dumps(FIRST).encode(), content_type=content_type)
    assert answer.status_code == 201


@pytest.mark.parametrize(
    "name", ["a\0b", "\ud83d", "x" * 81, "x" * 100_000, "", " ", "\n", "\u202e\x07", [], {}, None, 1.5, DEEP]
)
def test_a_name_that_cannot_be_kept_is_refused(cast: Cast, name: Any) -> None:
    path = reverse("api-match-open", args=[cast.table.pk])
    answer = cast.phone().post(path, {"game": GAME, "players": [name, *names_for(GAME)[1:]]})
    assert (answer.status_code, answer.json()["code"]) == (422, "malformed")
    assert not Match.objects.exists()


def test_a_name_may_be_written_in_any_script(cast: Cast) -> None:
    players = ["Zoë O’Hara-Ñandú", "محمد", "李小龍 🁓", "Ирина"][: len(names_for(GAME))]
    path = reverse("api-match-open", args=[cast.table.pk])
    answer = cast.phone().post(path, {"game": GAME, "players": players})
    assert (answer.status_code, answer.json()["players"]) == (201, players)


@pytest.mark.parametrize(
    "options", [[], None, "hands", {"hands": 10**400}, {"hands": 1.5}, {"\ud83d": 1}, {"a\0b": 1}, {"hands": DEEP}]
)
def test_options_that_cannot_be_kept_are_refused(cast: Cast, options: Any) -> None:
    path = reverse("api-match-open", args=[cast.table.pk])
    answer = cast.phone().post(path, {"game": GAME, "players": names_for(GAME), "options": options})
    assert answer.status_code == 422
    assert answer.json()["code"] in ("malformed", "bad-option")
    assert not Match.objects.exists()


def test_too_much_at_once_is_refused(cast: Cast, match: Match) -> None:
    for path in (reverse("api-entries", args=[match.pk]), reverse("api-verify")):
        answer = cast.phone().post(path, b" " * 3_000_000)
        assert (answer.status_code, answer.json()["code"]) == (413, "too-large")


# Anything that JSON can hold, and more: lone surrogates, NUL, numbers too large for any column.
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters()) | st.sampled_from(["6-4", "e"]),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(st.characters(), max_size=5), inner, max_size=4)
    ),
    max_leaves=8,
)
KEYS = st.sampled_from(
    ["seen", "key", "kind", "opener", "leader", "deal", "moves", "move", "left", "final", "to", "hand", "with", "code"]
)
KINDS = st.sampled_from(["hand", "move", "left", "final", "undo", "replace", "stop", "note"])


@settings(
    max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture], derandomize=True
)
@given(body=st.dictionaries(KEYS, JSON, max_size=5), kind=KINDS)
def test_anything_at_all_is_answered(cast: Cast, body: dict, kind: str) -> None:
    match = Match.objects.first() or cast.open(GAME)
    match.refresh_from_db()
    sent = {"seen": match.length, "key": f"k{random.Random(repr(body)).random()}", "kind": kind, **body}
    answer = cast.phone().post(reverse("api-entries", args=[match.pk]), sent)
    assert answer.status_code in (200, 201, 409, 422)
    assert answer.status_code < 300 or answer.json()["code"]
