"""Substitutes in the middle of a match: from which hand on, and what stays unchanged."""

import json
from typing import Any

import pytest

import games
from tests.games.test_matches import OPTIONS, new, noted_record, position, random_record, refused, steps

EVA = {"kind": "substitute", "seat": 0, "player": "Eva"}


def after_a_hand(game: str) -> games.Match:
    """A random match with its second hand just opened."""
    return next(match for match in steps(random_record(game, 0, 1)) if len(match.hands) == 2)


@pytest.mark.parametrize("game", OPTIONS)
def test_who_takes_over_plays_from_that_hand_on_and_both_keep_what_they_played(game: str) -> None:
    match = after_a_hand(game)
    first, *others = match.players
    now, later = (match.enter(EVA | {"from": hand}) for hand in (1, 2))
    assert now.sheet()["substitutes"] == [{"hand": 1, "seat": 0, "player": "Eva"}]
    assert [now.seated(hand) for hand in (0, 1, 2)] == [match.players, ("Eva", *others), ("Eva", *others)]
    assert [later.seated(hand) for hand in (1, 2)] == [match.players, ("Eva", *others)]
    assert (now.present, later.present) == (("Eva", *others), (first, *others))
    for taken in (now, later):
        assert taken.players == match.players
        assert {**taken.sheet(), "substitutes": None} == {**match.sheet(), "substitutes": None}
        assert taken.offers() == match.offers() | {"undoes": "substitute"}
        assert position(taken.enter({"kind": "undo"})) == position(match)
    assert "substitutes" not in match.sheet()


@pytest.mark.parametrize("game", OPTIONS)
def test_the_rest_of_a_match_is_counted_as_it_was_and_the_record_says_who_came(game: str) -> None:
    record = random_record(game, 0, 1)
    match = new(record)
    entries = games.entries(record)
    opened = [at for at, entry in enumerate(entries) if entry["kind"] == "hand"]
    for at, entry in enumerate(entries):
        if at == opened[1]:
            match = match.enter(EVA | {"from": 1})
        match = match.enter(entry)
    written = match.record()
    assert written == record | {"meta": {"substitutes": f"Eva for {record['players'][0]} from hand 2"}}
    verdict = games.verify(json.loads(json.dumps(written)))
    assert (verdict["errors"], verdict["totals"]) == ([], list(match.totals))
    assert match.present[0] == "Eva"


def test_messages_name_the_players_of_that_hand() -> None:
    match, late = noted_record()
    match = match.enter({"kind": "substitute", "seat": 1, "player": "Eva", "from": 0})
    with pytest.raises(games.GameError) as refusal:
        match.enter(late)
    assert refusal.value.facts["player"] == "Eva"
    final = {"kind": "final", "final": {"left": [5, 5, 5, []], "out": 3}}
    counted = match.enter(final).enter({"kind": "substitute", "seat": 1, "player": "Fay", "from": 1})
    with pytest.raises(games.GameError) as refusal:
        counted.enter({"kind": "hand", "opener": 3})
    assert refusal.value.facts["player"] == "Fay"
    assert [counted.seated(hand)[1] for hand in (0, 1)] == ["Eva", "Fay"]


def test_a_substitute_outlives_every_correction_after_which_the_hand_is_still_there() -> None:
    match, late = noted_record()
    match = match.enter({"kind": "substitute", "seat": 1, "player": "Eva", "from": 0})
    with pytest.raises(games.GameError) as refusal:
        match.enter(late)
    note = next({**way, "kind": "note"} for way in games.remedies(match, late, refusal.value) if way["way"] == "note")
    del note["way"]
    corrections: list[dict[str, Any]] = [
        note,
        {"kind": "undo", "to": {"hand": 0, "move": 1}},
        {"kind": "undo", "to": {"hand": 0, "move": None}},
        {"kind": "replace", "hand": 0, "with": {"opener": 0, "moves": []}},
        {"kind": "stop", "stopped": "time"},
    ]
    for correction in corrections:
        assert match.enter(correction).present[1] == "Eva", correction
    assert match.public().present[1] == "Eva"


def test_going_back_removes_later_substitutes() -> None:
    match = after_a_hand("domino-whist").enter(EVA | {"from": 2})
    back = match.enter({"kind": "undo", "to": {"hand": 0, "move": None}})
    assert back.substitutes == ()
    assert back.enter({"kind": "undo"}).substitutes == match.substitutes


def test_a_seat_changes_hands_more_than_once() -> None:
    match = after_a_hand("domino-whist").enter(EVA | {"from": 1})
    fay = match.enter(EVA | {"player": "Fay", "from": 1})
    assert fay.sheet()["substitutes"] == [{"hand": 1, "seat": 0, "player": "Fay"}], "the later word counts"
    back = match.enter(EVA | {"player": "Ana", "from": 2})
    assert [back.seated(hand)[0] for hand in (0, 1, 2)] == ["Ana", "Eva", "Ana"]
    assert back.record()["meta"] == {"substitutes": "Eva for Ana from hand 2, Ana for Eva from hand 3"}
    assert "substitutes" not in match.enter(EVA | {"player": "Ana", "from": 1}).sheet(), "she never left"


def test_whoever_leaves_one_seat_may_take_another() -> None:
    match = after_a_hand("domino-whist").enter(EVA | {"from": 2})
    moved = match.enter({"kind": "substitute", "seat": 1, "player": "Ana", "from": 2})
    assert moved.seated(2) == ("Eva", "Ana", "Cleo", "Dan")
    assert refused(match, {"kind": "substitute", "seat": 1, "player": "Ana", "from": 1}) == "malformed"
    assert refused(match, {"kind": "substitute", "seat": 1, "player": "Eva", "from": 1}) == "malformed"


@pytest.mark.parametrize(
    ("entry", "code"),
    [
        ({"player": "Ana"}, "malformed"),
        ({"player": "Bo"}, "malformed"),
        ({"player": 7}, "malformed"),
        ({"seat": 4}, "malformed"),
        ({"seat": None}, "malformed"),
        ({"from": 0}, "hand-over"),
        ({"from": 3}, "malformed"),
        ({"from": -1}, "malformed"),
        ({"from": True}, "malformed"),
        ({"hand": 1}, "malformed"),
    ],
)
def test_a_substitution_that_cannot_be_is_refused(entry: dict[str, Any], code: str) -> None:
    match = after_a_hand("domino-whist")
    assert refused(match, EVA | {"from": 1} | entry) == code
    assert refused(match, {"kind": "substitute", "seat": 0, "player": "Eva"}) == "malformed"


def test_a_refused_substitution_is_mended_and_nothing_else() -> None:
    match, entry = after_a_hand("domino-whist"), EVA | {"from": 1, "player": "Bo"}
    with pytest.raises(games.GameError) as refusal:
        match.enter(entry)
    assert games.remedies(match, entry, refusal.value) == [{"way": "mend"}]


def test_nobody_takes_over_a_seat_of_a_match_that_is_over() -> None:
    match = steps(random_record("domino-whist", 0, 1))[-1]
    assert refused(match, EVA | {"from": len(match.hands)}) == "match-over"


def test_before_the_first_hand_somebody_else_may_sit_down() -> None:
    match = games.Match.new("domino-whist", {}, ["Ana", "Bo", "Cleo", "Dan"])
    taken = match.enter(EVA | {"from": 0})
    assert taken.present == ("Eva", "Bo", "Cleo", "Dan")
    assert refused(match, EVA | {"from": 1}) == "malformed"
