"""Matches of which only the result is known: accepted, but marked as unverified."""

import json
from typing import Any

import pytest

import games
from tests.games.test_matches import OPTIONS, players, position, random_record, refused, steps


def totals_of(match: games.Match) -> list[int]:
    """A possible result for this match: the first side has most points."""
    first = match.sides[0]
    return [120 if seat in first else 85 for seat in range(len(match.players))]


@pytest.mark.parametrize("game", OPTIONS)
def test_a_bare_result_ends_a_match_that_has_no_hands(game: str) -> None:
    match = games.Match.new(game, {}, players(game, 0))
    over = match.enter({"kind": "result", "totals": totals_of(match)})
    sheet = over.sheet()
    assert (sheet["hands"], sheet["totals"], sheet["finished"]) == ([], totals_of(match), True)
    assert sheet["unverified"] is True
    assert "unverified" not in match.sheet()
    assert list(over.winners) == sheet["winners"] == list(over.game.winners(totals_of(match)))
    everybody = list(range(len(match.players)))
    assert over.offers() == {"next": "done", "confirm": everybody, "undo": True, "undoes": "result"}
    assert position(over.enter({"kind": "undo"})) == position(match)
    assert over.public() == over


@pytest.mark.parametrize("game", OPTIONS)
def test_its_record_says_the_result_and_verify_that_nothing_shows_it(game: str) -> None:
    match = games.Match.new(game, {}, players(game, 0))
    over = match.enter({"kind": "result", "totals": totals_of(match)})
    record = over.record()
    assert (record["hands"], record["result"]) == (
        [],
        {"totals": totals_of(match), "winners": list(over.winners)},
    )
    verdict = games.verify(json.loads(json.dumps(record)))
    assert verdict == {
        "valid": True,
        "finished": True,
        "errors": [],
        "hands": [],
        "totals": totals_of(match),
        "winners": list(over.winners),
        "unverified": True,
    }
    assert games.entries(record) == [{"kind": "result", "totals": totals_of(match)}]
    assert steps(record)[-1].record() == record
    assert games.Match.of(games.read_record(record, games.GAMES)) == over


def test_fewer_points_win_where_they_are_bad_ones() -> None:
    match = games.Match.new("domino-whist", {}, ["Ana", "Bo", "Cleo", "Dan"])
    assert match.enter({"kind": "result", "totals": [31, 104, 31, 104]}).winners == (0, 2)
    assert match.enter({"kind": "result", "totals": [104, 104, 104, 104]}).winners == (0, 1, 2, 3)


@pytest.mark.parametrize(
    ("totals", "code"),
    [
        ([31, 104, 30, 104], "result-mismatch"),
        ([31, 104], "malformed"),
        ([31, 104, 31, "104"], "malformed"),
        ([31, 104, 31, True], "malformed"),
        ([31, 104, 31, 10**12], "malformed"),
        ({"0": 31}, "malformed"),
        (None, "malformed"),
    ],
)
def test_a_result_that_cannot_be_is_refused(totals: Any, code: str) -> None:
    match = games.Match.new("domino-whist", {}, ["Ana", "Bo", "Cleo", "Dan"])
    assert refused(match, {"kind": "result", "totals": totals}) == code
    assert refused(match, {"kind": "result"}) == "malformed"


@pytest.mark.parametrize("game", OPTIONS)
def test_where_hands_were_played_or_the_match_ended_there_is_no_bare_result(game: str) -> None:
    matches = steps(random_record(game, 0, 1))
    entry = {"kind": "result", "totals": totals_of(matches[0])}
    assert refused(next(match for match in matches if match.hands), entry) == "malformed"
    assert refused(matches[-1], entry) == "match-over"
    over = matches[0].enter(entry)
    for late in (entry, {"kind": "stop", "stopped": "time"}, {"kind": "hand", "opener": 0}):
        assert refused(over, late) == "match-over"
    stopped = matches[0].enter({"kind": "stop", "stopped": "abandoned"})
    assert refused(stopped, entry) == "match-over"


def test_a_result_without_a_winner_does_not_end_a_match() -> None:
    record = games.Match.new("domino-whist", {}, ["Ana", "Bo", "Cleo", "Dan"]).record()
    assert games.entries(record | {"result": {"totals": [0] * 4, "winners": []}}) == []


@pytest.mark.parametrize("game", OPTIONS)
@pytest.mark.parametrize("confirmed", [False, True])
def test_a_result_with_a_reason_replaces_what_is_there_and_an_undo_brings_it_back(game: str, confirmed: bool) -> None:
    """Hands or another result, also if everybody has confirmed it."""
    played = steps(random_record(game, 0, 0))[-1]
    match = games.Match.new(game, {}, players(game, 0))
    for before in (played, match.enter({"kind": "result", "totals": totals_of(match)})):
        if confirmed:
            before = before.enter({"kind": "confirm", "seats": list(range(len(before.players)))})
        totals = [total + 5 for total in totals_of(before)]
        after = before.enter({"kind": "result", "totals": totals, "why": "misread", "stopped": "early"})
        assert (after.hands, list(after.totals), after.stopped) == ((), totals, "early")
        assert not after.agreement.confirmed
        assert after.enter({"kind": "undo"}) is before
        with pytest.raises(games.GameError):
            before.enter({"kind": "result", "totals": totals})
