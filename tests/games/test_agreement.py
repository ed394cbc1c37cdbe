"""The seats confirm or dispute the sheet of a finished match, and a host reopens it."""

from typing import Any

import pytest

import games
from tests.games.test_matches import OPTIONS, position, random_record, refused, steps

RESULT = {"kind": "result", "totals": [12, 30, 12, 30]}
REOPEN = {"kind": "reopen", "why": "A tile lay under the table"}


def confirm(*seats: int) -> dict[str, Any]:
    return {"kind": "confirm", "seats": list(seats)}


def dispute(seat: int, **why: str) -> dict[str, Any]:
    return {"kind": "dispute", "seat": seat, **why}


def over() -> games.Match:
    return games.Match.new("domino-whist", {}, ["Ana", "Bo", "Cleo", "Dan"]).enter(RESULT)


def played() -> games.Match:
    """A match of two hands that has ended by the rules."""
    match = games.Match.new("domino-whist", {"hands": 2}, ["Ana", "Bo", "Cleo", "Dan"])
    for opener in (0, 1):
        match = match.enter({"kind": "hand", "opener": opener, "final": {"left": [[], 5, 6, 7], "out": 0}})
    return match


def entered(match: games.Match, *entries: dict[str, Any]) -> games.Match:
    for entry in entries:
        match = match.enter(entry)
    return match


@pytest.mark.parametrize("game", OPTIONS)
def test_every_game_is_confirmed_seat_by_seat_until_it_is_closed(game: str) -> None:
    match = before = steps(random_record(game, 0, 1))[-1]
    seats = list(range(len(match.players)))
    for seat in seats:
        assert match.offers()["confirm"] == seats[seat:]
        match = match.enter(confirm(seat))
        assert match.sheet()["confirmed"] == seats[: seat + 1]
    assert match.closed
    assert (match.offers()["confirm"], match.offers()["undo"]) == ([], False)
    assert {**match.sheet(), "confirmed": None} == {**before.sheet(), "confirmed": None}
    assert match.record() == before.record()
    assert games.verify(match.record()) == games.verify(before.record())


def test_only_a_finished_match_can_be_confirmed_or_disputed() -> None:
    match = steps(random_record("domino-whist", 0, 1))[-2]
    assert not match.finished
    assert {"confirmed", "disputed", "reopened"}.isdisjoint(match.sheet())
    for entry in (confirm(0), dispute(0), REOPEN):
        assert refused(match, entry) == "malformed"


@pytest.mark.parametrize(
    "entry",
    [
        {"kind": "confirm"},
        confirm(),
        confirm(4),
        {"kind": "confirm", "seats": 1},
        {"kind": "confirm", "seats": [True]},
        {"kind": "confirm", "seats": [0], "why": "so"},
        {"kind": "dispute"},
        dispute(4),
        dispute(1, why="x" * 201),
        {"kind": "dispute", "seat": 1, "why": None},
        {"kind": "reopen"},
        {"kind": "reopen", "why": "  "},
        {"kind": "reopen", "why": "x" * 201},
        {"kind": "reopen", "why": "so", "seats": [0]},
    ],
)
def test_what_cannot_be_read_is_refused(entry: dict[str, Any]) -> None:
    assert refused(over().enter(confirm(3)), entry) == "malformed"


def test_who_confirmed_already_is_told_so_and_a_host_confirms_for_whoever_is_missing() -> None:
    match = over().enter(confirm(1))
    with pytest.raises(games.GameError, match="Bo already confirmed"):
        match.enter(confirm(1))
    assert match.enter(confirm(0, 1, 2, 3)).closed


def test_a_seat_changes_its_mind_both_ways() -> None:
    match = entered(over(), confirm(0, 1), dispute(3), dispute(1, why="We had 10"))
    assert match.sheet()["confirmed"] == [0]
    assert match.sheet()["disputed"] == [{"seat": 1, "why": "We had 10"}, {"seat": 3, "why": ""}]
    assert match.offers()["confirm"] == [1, 2, 3]
    match = entered(match, confirm(1), dispute(3, why="Wrong hand"))
    assert match.sheet()["confirmed"] == [0, 1]
    assert match.sheet()["disputed"] == [{"seat": 3, "why": "Wrong hand"}]
    assert "disputed" not in match.enter(confirm(3)).sheet()


def test_undo_takes_back_what_was_said_one_by_one() -> None:
    match = over().enter(confirm(0))
    later = entered(match, dispute(1), {"kind": "undo"})
    assert position(later) == position(match)
    assert position(entered(later, {"kind": "undo"})) == position(over())


@pytest.mark.parametrize(
    "change",
    [
        {"kind": "undo", "to": {"hand": 1, "move": None}, "why": "wrong pips"},
        {"kind": "replace", "hand": 0, "with": {"opener": 0, "final": {"left": [4, 5, 6, []], "out": 3}}},
    ],
)
def test_whatever_changes_what_was_played_has_to_be_confirmed_anew(change: dict[str, Any]) -> None:
    match = entered(played(), confirm(0, 2), dispute(1))
    changed = match.enter(change)
    assert {"confirmed", "disputed"}.isdisjoint(changed.sheet())
    assert position(changed.enter({"kind": "undo"})) == position(match)


def test_a_swap_of_seats_withdraws_no_dispute() -> None:
    match = entered(played(), confirm(0, 2), dispute(1, why="We had 10"))
    swapped = match.enter({"kind": "swap", "seats": [0, 3, 2, 1]})
    assert "confirmed" not in swapped.sheet()
    assert swapped.sheet()["disputed"] == [{"seat": 3, "why": "We had 10"}], "of the same player, in their seat"
    others = match.enter({"kind": "swap", "players": [match.players[0], "Zoe", *match.players[2:]]})
    assert "disputed" not in others.sheet(), "who disputed it did not sit there"
    assert position(swapped.enter({"kind": "undo"})) == position(match)


@pytest.mark.parametrize("counted", [{"kind": "left", "left": [[], 3, 4, 5]}, RESULT])
def test_what_is_refused_leaves_what_was_said(counted: dict[str, Any]) -> None:
    match = played().enter(confirm(0))
    assert refused(match, counted) in ("hand-over", "match-over")
    assert match.sheet()["confirmed"] == [0]


@pytest.mark.parametrize(
    "entry",
    [
        {"kind": "undo"},
        {"kind": "undo", "to": {"hand": 0, "move": None}},
        {"kind": "replace", "hand": 0, "with": {"opener": 0, "final": {"left": [4, 5, 6, []], "out": 3}}},
        {"kind": "swap", "seats": [0, 3, 2, 1]},
        {"kind": "stop", "stopped": "time"},
        {"kind": "abandon"},
        {"kind": "hand", "opener": 0},
        confirm(0),
        dispute(0),
    ],
)
def test_what_everybody_confirmed_is_changed_only_after_it_was_opened_again(entry: dict[str, Any]) -> None:
    closed = played().enter(confirm(0, 1, 2, 3))
    with pytest.raises(games.GameError, match="A host can reopen it") as refusal:
        closed.enter(entry)
    assert refusal.value.code == "match-over"


def test_a_reopened_match_equals_the_match_before_any_response() -> None:
    before = played()
    match = entered(before, confirm(0), dispute(2), confirm(1, 2, 3), REOPEN)
    assert match.sheet() == before.sheet() | {"reopened": REOPEN["why"]}
    assert match.offers() == before.offers()
    # Undo goes back into what was played, and a correction then needs no reason.
    taken_back = match.enter({"kind": "undo"})
    assert not taken_back.finished
    assert position(taken_back) == position(before.before or before)
    # Seats without a correction confirm again, and a host can reopen again.
    again = match.enter(confirm(0, 1, 2, 3))
    assert again.closed
    assert again.enter({"kind": "reopen", "why": "Once more"}).sheet()["reopened"] == "Once more"


def test_a_single_voice_is_enough_to_open_it_again_and_none_is_too_little() -> None:
    assert "confirmed" not in entered(over(), confirm(2), REOPEN).sheet()
    assert "disputed" not in entered(over(), dispute(2), REOPEN).sheet()
    assert refused(over(), REOPEN) == "malformed"
