"""Wrong seats corrected late: the names move, and what was played stays. Also hands that are given up."""

import json
from typing import Any

import pytest

import games
from tests.games.test_matches import OPTIONS, new, noted_record, position, random_record, refused, steps
from tests.games.test_substitutes import EVA, after_a_hand


def turned(match: games.Match) -> list[int]:
    """Everybody moves on by one seat."""
    seats = len(match.players)
    return [(seat - 1) % seats for seat in range(seats)]


@pytest.mark.parametrize("game", OPTIONS)
def test_names_move_and_what_was_played_stays_on_its_seats(game: str) -> None:
    record = random_record(game, 0, 1)
    *_, match = steps(record)
    swapped = match.enter({"kind": "swap", "seats": turned(match), "why": "Sat down wrong"})
    *others, last = match.players
    assert swapped.players == (last, *others)
    assert swapped.record() == record | {"players": [last, *others]}
    assert swapped.sheet() == match.sheet()
    assert position(swapped.enter({"kind": "undo"})) == position(match)


@pytest.mark.parametrize("game", OPTIONS)
def test_a_match_after_a_swap_equals_one_with_these_seats(game: str) -> None:
    record = random_record(game, 0, 1)
    entries = games.entries(record)
    match = new(record)
    swap = {"kind": "swap", "seats": turned(match)}
    right = new(record | {"players": list(match.enter(swap).players)})
    for at, entry in enumerate(entries):
        if at == len(entries) // 2:
            match = match.enter(swap)
        match, right = match.enter(entry), right.enter(entry)
    assert position(match) == position(right)


def test_a_substitute_goes_with_whom_he_sits_there_for() -> None:
    match = after_a_hand("domino-whist").enter(EVA | {"from": 1})
    swapped = match.enter({"kind": "swap", "seats": [1, 2, 3, 0]})
    assert swapped.players == ("Bo", "Cleo", "Dan", "Ana")
    assert swapped.sheet()["substitutes"] == [{"hand": 1, "seat": 3, "player": "Eva"}]
    assert (swapped.seated(0)[3], swapped.seated(1)[3]) == ("Ana", "Eva")
    assert swapped.record()["meta"]["substitutes"] == "Eva for Ana from hand 2"


def test_messages_after_a_swap_name_the_new_players() -> None:
    match, late = noted_record()
    with pytest.raises(games.GameError) as refusal:
        match.enter({"kind": "swap", "seats": [0, 3, 2, 1]}).enter(late)
    assert refusal.value.facts["player"] == "Dan"


def test_a_bare_result_stays_on_its_seats() -> None:
    match = games.Match.new("domizerka", {}, ["Ana", "Bo", "Cy"]).enter({"kind": "result", "totals": [5, -2, -3]})
    swapped = match.enter({"kind": "swap", "seats": [1, 0, 2]})
    assert (swapped.players, swapped.totals, swapped.sheet()["unverified"]) == (("Bo", "Ana", "Cy"), (5, -2, -3), True)


@pytest.mark.parametrize("game", OPTIONS)
def test_others_sat_there_from_the_first_hand(game: str) -> None:
    record = random_record(game, 0, 1)
    *_, match = steps(record)
    players = ["Zoe", *match.players[1:]]
    others = match.enter({"kind": "swap", "players": players, "why": "Not Ana"})
    assert others.record() == record | {"players": players}
    assert others.sheet() == match.sheet()
    assert position(others.enter({"kind": "undo"})) == position(match)


def test_who_sat_there_from_the_first_hand_took_nothing_over() -> None:
    match = after_a_hand("domino-whist").enter(EVA | {"from": 1})
    assert match.sheet()["substitutes"] == [{"hand": 1, "seat": 0, "player": "Eva"}]
    others = match.enter({"kind": "swap", "players": ["Eva", "Bo", "Cleo", "Dan"]})
    assert "substitutes" not in others.sheet()
    kept = match.enter({"kind": "swap", "players": ["Fay", "Ana", "Bo", "Dan"]})
    assert (kept.seated(0), kept.seated(1)) == (("Fay", "Ana", "Bo", "Dan"), ("Eva", "Ana", "Bo", "Dan"))
    assert refused(match, {"kind": "swap", "players": ["Ana", "Eva", "Cleo", "Dan"]}) == "malformed"


@pytest.mark.parametrize(
    "players", [["Ana", "Bo", "Cleo", "Dan"], ["Ana", "Bo", "Cleo"], ["Ana", "Bo", "Bo", "Dan"], 7]
)
def test_what_is_no_other_table_is_refused(players: Any) -> None:
    match = games.Match.new("domino-whist", {}, ["Ana", "Bo", "Cleo", "Dan"])
    assert refused(match, {"kind": "swap", "players": players}) == "malformed"
    assert (
        refused(match, {"kind": "swap", "players": ["Eva", "Bo", "Cleo", "Dan"], "seats": [1, 0, 2, 3]}) == "malformed"
    )


@pytest.mark.parametrize("game", OPTIONS)
def test_a_match_that_is_over_is_abandoned_for_a_reason_and_nobody_wins(game: str) -> None:
    *_, match = steps(random_record(game, 0, 1))
    aside = match.enter({"kind": "stop", "stopped": "abandoned", "why": "Wrong people"})
    assert (aside.winners, aside.totals, aside.hands) == ((), match.totals, match.hands)
    assert games.verify(json.loads(json.dumps(aside.record())))["errors"] == []
    assert refused(aside, {"kind": "stop", "stopped": "abandoned"}) == "match-over"
    assert refused(match, {"kind": "stop", "stopped": "time"}) == "match-over"
    assert position(aside.enter({"kind": "undo"})) == position(match)


@pytest.mark.parametrize(
    "seats", [[0, 1, 2, 3], [0, 1, 2], [0, 0, 1, 2], [1, 2, 3, 4], [0, 3, 2, "1"], [False, 3, 2, 1], None, "0321"]
)
def test_what_is_no_other_seating_is_refused(seats: Any) -> None:
    match = games.Match.new("domino-whist", {}, ["Ana", "Bo", "Cleo", "Dan"])
    assert refused(match, {"kind": "swap", "seats": seats}) == "malformed"


@pytest.mark.parametrize("game", OPTIONS)
def test_a_hand_given_up_is_never_counted_and_its_number_is_played_again(game: str) -> None:
    record = random_record(game, 0, 1)
    entries = games.entries(record)
    opened = [at for at, entry in enumerate(entries) if entry["kind"] == "hand"]
    match = new(record)
    for at, entry in enumerate(entries):
        if at == opened[1] + 2:
            before = match
            match = match.enter({"kind": "abandon", "why": "The tiles were mixed up"})
            given_up = {"hand": 1, "opener": before.hands[1].opener, "moves": 1, "why": "The tiles were mixed up"}
            assert match.sheet()["abandoned"] == [given_up]
            assert (len(match.hands), match.hand, match.offers()["next"]) == (1, None, "hand")
            assert match.totals == match.hands[0].points
            assert position(match.enter({"kind": "undo"})) == position(before)
            for again in entries[opened[1] : at]:
                match = match.enter(again)
        match = match.enter(entry)
    # Everything else is as if the hand had never been dealt. The record mentions it as a text.
    assert match.record() == record | {"meta": {"abandoned": "hand 2 after 1 moves (The tiles were mixed up)"}}
    verdict = games.verify(json.loads(json.dumps(match.record())))
    assert (verdict["errors"], verdict["totals"]) == ([], list(match.totals))
    assert "abandoned" not in new(record).sheet()


def test_the_first_hand_and_a_hand_that_waits_for_its_ending_can_be_abandoned() -> None:
    for match in steps(random_record("domino-whist", 0, 1)):
        if match.hand is not None:
            without = match.enter({"kind": "abandon"})
            assert without.hands == match.hands[:-1]
            assert without.offers()["next"] == "hand"
        else:
            assert refused(match, {"kind": "abandon"}) == ("match-over" if match.finished else "malformed")


def test_nothing_is_given_up_in_a_match_that_was_stopped_in_mid_hand() -> None:
    match = after_a_hand("domino-whist").enter({"kind": "stop", "stopped": "time"})
    assert refused(match, {"kind": "abandon"}) == "match-over"


def test_what_was_noted_in_a_hand_goes_with_it() -> None:
    match, late = noted_record()
    with pytest.raises(games.GameError) as refusal:
        match.enter(late)
    note = next({**way, "kind": "note"} for way in games.remedies(match, late, refusal.value) if way["way"] == "note")
    del note["way"]
    noted = match.enter(note)
    assert noted.sheet()["irregularities"]
    assert noted.enter({"kind": "abandon"}).sheet()["irregularities"] == []


def test_an_abandoned_hand_is_listed_until_an_earlier_hand_is_undone() -> None:
    match = after_a_hand("domino-whist").enter({"kind": "abandon"})
    opener = match.offers()["openers"][0]
    match = match.enter({"kind": "hand", "opener": opener})
    again = match.enter({"kind": "undo", "to": {"hand": 1, "move": None}})
    assert again.sheet()["abandoned"] == match.sheet()["abandoned"] != []
    assert "abandoned" not in match.enter({"kind": "undo", "to": {"hand": 0, "move": 0}}).sheet()
    # A correction of an earlier hand does not change it.
    first = match.record()["hands"][0]
    assert "abandoned" in match.enter({"kind": "replace", "hand": 0, "with": first, "why": "Checked"}).sheet()


@pytest.mark.parametrize(
    "entry",
    [
        {"kind": "undo", "to": {"hand": 0, "move": None}},
        {"kind": "replace", "hand": 0, "with": {"opener": 0, "moves": []}},
        {"kind": "swap", "seats": [1, 2, 3, 0]},
        {"kind": "abandon"},
    ],
)
def test_a_reason_may_stand_with_a_correction(entry: dict[str, Any]) -> None:
    match = games.Match.new("domino-whist", {}, ["Ana", "Bo", "Cleo", "Dan"]).enter({"kind": "hand", "opener": 0})
    for why in ("", "Bo counted wrong", "x" * 200):
        assert refused(match, entry | {"why": why}) is None
    for bad in ("x" * 201, 7, None, ["so"], "\0"):
        assert refused(match, entry | {"why": bad}) == "malformed"
