"""The score of a hand, and what its final state may be: difficult cases."""

import random
from typing import Any

import pytest

import games
from games import cards, notation
from games.base import FinalForm
from games.line import Kind, Line
from games.record import read_record
from games.registry import GAMES
from tests.games.records import first_error

BLOCK = "[Game block] [Players Ana Bo] "
DRAW = "[Game draw] [Players Ana Bo] "
FIVES = "[Game block] [Options fives true] [Players Ana Bo] "
DOMINARDS = "[Game dominards] [Players Ana Bo] 1. leader Ana final points 0 0 "
WHIST = "[Game domino-whist] [Players Ana Bo Cleo Dan] "

BLOCKED = "1. leader Ana 6-6 6-0w 6-1e 0-0w 1-1e 1-0w pass pass "
"""Bo laid last; both have four tiles left."""
OUT = "1. leader Ana 6-6 pass 6-5e 5-4e 4-4e 4-3e 3-3e 5-3e 5-0e 0-0e 2-0e 2-1e 3-1e "
"""Ana is out and scored 35 on the table with fives; Bo scored 15 and has two tiles left."""


def code_of(text: str) -> str | None:
    error = first_error(notation.read(text))
    return error and str(error["code"])


def points_of(text: str) -> Any:
    verdict = games.verify(notation.read(text))
    assert verdict["errors"] == []
    return verdict["hands"]


def sheet_of(text: str) -> Any:
    return games.Match.of(read_record(notation.read(text), GAMES)).sheet()


# --- the two-player family ---------------------------------------------------------------------------------
@pytest.mark.parametrize("award", ["low", "last"])
@pytest.mark.parametrize("amount", ["difference", "opponent", "both"])
def test_whoever_is_out_gets_the_other_hand_whatever_a_blocked_one_is_paid(award: str, amount: str) -> None:
    options = f"[Options block_award {award} block_amount {amount}] "
    assert points_of(BLOCK + options + "1. leader Ana final table 0 0 left 9 () out Bo") == [[0, 9]]


def test_a_count_of_nought_is_no_line_on_the_sheet() -> None:
    assert sheet_of(FIVES + "1. leader Ana 0-0")["hands"][0]["scores"] == []


@pytest.mark.parametrize(
    ("text", "code"),
    [
        (FIVES + OUT + "final table 35 15 left () (5-1 1-1) out Ana", None),
        (FIVES + OUT + "final table 40 15 left () (5-1 1-1) out Ana", "left-mismatch"),
        (FIVES + OUT + "final table 35 20 left () (5-1 1-1) out Ana", "left-mismatch"),
        (FIVES + OUT + "final table 30 15 left () (5-1 1-1) out Ana", "left-mismatch"),
        (BLOCK + BLOCKED + "final table 0 0 left 35 22 out - last Bo", None),
        (BLOCK + BLOCKED + "final table 0 0 left 35 22 out - last Ana", "left-mismatch"),
    ],
)
def test_a_final_state_says_just_what_the_moves_that_ended_the_hand_say(text: str, code: str | None) -> None:
    assert code_of(text) == code


@pytest.mark.parametrize("game", ["draw", "block", "all-fives", "all-threes", "fives-and-threes"])
def test_table_points_are_asked_for_where_they_may_be(game: str) -> None:
    hand = f"[Game {game}] [Players Ana Bo] 1. leader Ana final table 15 0 left () 9 out Ana"
    rules = GAMES[game]
    assert rules.final(rules.read_options({})).table == (code_of(hand) is None)


@pytest.mark.parametrize("award", ["low", "last"])
def test_who_laid_last_is_asked_for_where_it_decides_who_is_paid(award: str) -> None:
    rules, options = GAMES["block"], f"[Options block_award {award}] "
    form = rules.final(rules.read_options({"block_award": award}))
    assert form == FinalForm(left=True, last=award == "last", reached=True)
    assert (code_of(BLOCK + options + "1. leader Ana final table 0 0 left 9 12 out -") == "malformed") == form.last


# --- Domino Whist ------------------------------------------------------------------------------------------
EQUAL = """1. opener Bo deal ? (2-2 5-0 4-3 6-6 6-4 3-1 3-2) ? (4-4 5-1 2-0 2-1 5-2 6-3 5-3)
    5-0 4-0e 5-1w 1-0w 4-3e 3-0e 2-0e 6-0w 6-6w 6-2w 2-1e 6-1e 6-4e 4-1e 5-2w
    5-4w 3-1e pass 6-3e 4-2w 3-2w 6-5e 5-3e 3-3e pass pass pass pass """
"""Blocked, with 12 pips left on each side."""
NOUGHT = """1. opener Bo deal ? ? ? (0-0 6-5 6-4 2-2 1-0 6-1 6-0)
    5-5 5-4e 6-5w 6-3w 4-4e pass 6-4e 3-1w 4-1w 6-2e 2-2e 4-2w 3-2e 2-0w 1-0w
    3-3e 3-0e 5-0e 6-1w 5-3e 4-3e 6-6w 6-0w pass 4-0w """
"""Bo is out and Dan has 0-0 left, the others 18 pips."""


@pytest.mark.parametrize(
    ("hand", "debit", "bad", "code"),
    [
        (EQUAL + "final out -", "both", "12 12", None),
        (EQUAL + "final out -", "both", "12 0", "left-mismatch"),
        (EQUAL + "final out -", "higher", "12 12", None),
        (EQUAL + "final out -", "higher", "12 0", "left-mismatch"),  # equal sides are both debited
        (EQUAL + "final out -", "higher", "0 12", "left-mismatch"),
        (NOUGHT + "final out Bo", "both", "18 0", None),
        (NOUGHT + "final out Bo", "higher", "18 0", None),
        (NOUGHT + "final out Bo", "higher", "18 1", "left-mismatch"),
        (NOUGHT + "final out Bo", "higher", "0 18", "left-mismatch"),
    ],
)
def test_the_side_that_is_not_debited_holds_fewer_pips(hand: str, debit: str, bad: str, code: str | None) -> None:
    assert code_of(WHIST + f"[Options debit {debit}] " + hand + " bad " + bad) == code


# --- how a hand ended --------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("hand", "end"),
    [
        (WHIST + "1. opener Ana final bad 9 12 out Bo", {"by": "out", "seat": 1}),
        (WHIST + "1. opener Ana final bad 9 12 out -", {"by": "blocked", "seat": None}),
        (BLOCK + "1. leader Ana final table 0 0 left 9 () out Bo", {"by": "out", "seat": 1}),
        (BLOCK + "1. leader Ana final table 0 0 left 9 12 out -", {"by": "blocked", "seat": None}),
        (DOMINARDS + "dropped () () tiles 2 0 out Bo", {"by": "out", "seat": 1}),
        (DOMINARDS + "dropped () () tiles 2 3 out -", {"by": "blocked", "seat": None}),
        (DOMINARDS + "dropped () (2C 3C 4C 5C 6C) tiles 2 3 out -", {"by": "dropped", "seat": 1}),
        (DOMINARDS + "dropped () (2C 3C 4C 5C 6C) tiles 2 0 out Bo", {"by": "dropped", "seat": 1}),
    ],
)
def test_the_sheet_says_how_a_hand_ended_of_which_only_the_final_state_is_known(hand: str, end: dict[str, Any]) -> None:
    assert sheet_of(hand)["hands"][0]["end"] == end


# --- how many tiles are left -------------------------------------------------------------------------------
EIGHT = "(5-5 5-4 5-3 5-2 5-1 5-0 4-4 4-3)"
DEALT_TO_BO = "(6-5 5-4 5-3 5-2 5-1 5-0 4-4)"


@pytest.mark.parametrize(
    ("text", "code"),
    [
        # The moves ended the hand, so its end and the numbers of tiles are fixed.
        (BLOCK + BLOCKED + "final table 0 0 left (5-5 5-4 4-4 5-3) 22 out -", None),
        (BLOCK + BLOCKED + "final table 0 0 left (5-5 5-4 4-4) 22 out -", "left-mismatch"),
        (BLOCK + BLOCKED + "final table 0 0 left () 22 out Ana", "left-mismatch"),
        (BLOCK + BLOCKED + "final table 0 0 left 35 () out Bo", "left-mismatch"),
        (BLOCK + OUT + "final table 0 0 left () 8 out Ana", None),
        (BLOCK + OUT + "final table 0 0 left () 8 out -", "left-mismatch"),
        (BLOCK + OUT + "final table 0 0 left 8 () out Bo", "left-mismatch"),
        # The moves did not end it: players may still lay tiles, and draw if the game allows it.
        (BLOCK + "1. leader Ana final table 0 0 left () (6-4 6-3) out Ana", None),
        (BLOCK + "1. leader Ana final table 0 0 left () (6-4 6-4) out Ana", "left-mismatch"),
        (BLOCK + f"1. leader Ana 6-6 final table 0 0 left () {EIGHT} out Ana", "left-mismatch"),
        (DRAW + f"1. leader Ana 6-6 final table 0 0 left () {EIGHT} out Ana", None),
        (BLOCK + f"1. leader Ana deal ? {DEALT_TO_BO} 6-6 final table 0 0 left () (5-4 4-4) out Ana", None),
        (BLOCK + f"1. leader Ana deal ? {DEALT_TO_BO} 6-6 final table 0 0 left () (4-3 4-4) out Ana", "left-mismatch"),
        (DRAW + f"1. leader Ana deal ? {DEALT_TO_BO} 6-6 final table 0 0 left () (4-3 4-4) out Ana", None),
    ],
)
def test_as_many_tiles_are_left_as_the_moves_and_the_boneyard_allow(text: str, code: str | None) -> None:
    assert code_of(text) == code


# --- Dominards ---------------------------------------------------------------------------------------------
@pytest.mark.parametrize("card", cards.NAMES)
@pytest.mark.parametrize("made", ["0-0", "6-6 6-4e"])
def test_no_card_claims_nought_or_more_than_fourteen(card: str, made: str) -> None:
    hand = f"[Game dominards] [Players Ana Bo] 1. leader Ana roll(5 3) {made}"
    assert code_of(hand) is None
    assert code_of(f"{hand}={card}") == "bad-claim"


def test_an_ace_claims_one() -> None:
    assert points_of("[Game dominards] [Players Ana Bo] 1. leader Ana roll(5 3) 0-0 1-0e=AS") == [[0, 1]]


@pytest.mark.parametrize("sixth", ["AC", "KS"])
def test_nobody_can_drop_a_sixth_card(sixth: str) -> None:
    hand = DOMINARDS + "dropped (2C 3C 4C 5C 6C{}) () tiles 1 3 out -"
    assert code_of(hand.format("")) is None
    assert code_of(hand.format(" " + sixth)) == "card-not-held"


# --- every game --------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("game", "asked"),
    [
        ("draw", {"left", "reached"}),
        ("block", {"left", "reached"}),
        ("all-fives", {"table", "left", "reached"}),
        ("all-threes", {"table", "left", "reached"}),
        ("fives-and-threes", {"table", "left", "reached"}),
        ("domino-whist", {"left", "bad"}),
        ("domizerka", {"tricks", "contracts"}),
        ("dom", {"points"}),
        ("dominards", {"points", "dropped", "tiles"}),
    ],
)
def test_what_is_asked_for_of_a_hand_without_its_moves(game: str, asked: set[str]) -> None:
    rules = GAMES[game]
    assert {name for name, wanted in rules.final(rules.read_options({}))._asdict().items() if wanted} == asked


@pytest.mark.parametrize(
    "hand",
    [
        "[Game all-fives] [Players Ana Bo] 1. leader Ana final table 0 0 left 9 9 out -",
        DOMINARDS + "dropped () () tiles 2 3 out -",
    ],
)
def test_nothing_scored_is_no_line_on_the_sheet(hand: str) -> None:
    assert sheet_of(hand)["hands"][0]["scores"] == []


@pytest.mark.parametrize("seed", range(6))
def test_once_a_hand_is_over_there_is_no_move(game: str, seed: int) -> None:
    players = ["Ana", "Bo", "Cleo", "Dan"][: GAMES[game].seats[0]]
    record = games.random_match(game, {}, players, random.Random(seed), 1)
    state = games.Match.of(read_record(record, GAMES)).hands[-1].state
    assert state.end is not None
    assert state.turn is None
    assert state.legal() == []


@pytest.mark.parametrize(
    ("text", "held"),
    [
        ("[Game dom] [Players Ana Bo] 1. dealer Bo", [8, 8]),
        ("[Game dom] [Players Ana Bo] 1. dealer Bo 7H@r1c4", [7, 8]),
        ("[Game dom] [Players Ana Bo] 1. dealer Ana 7H@r1c4", [8, 7]),
        ("[Game dom] [Players Ana Bo] 1. dealer Bo 7H@r1c4 AH@r1c1 AC@r2c3", [6, 7]),
        ("[Game domizerka] [Players Ana Bo Cleo] 1. dealer Cleo zero 5-5 6-5", [6, 6, 7]),
        ("[Game dominards] [Players Ana Bo Cleo] 1. leader Ana roll(1 1) 6-6 +2 6-5e", [5, 7, 6]),
        (WHIST + "1. opener Ana 6-6 pass 6-5e", [6, 7, 6, 7]),
        (DRAW + "1. leader Ana 6-6 +3", [6, 10]),
    ],
)
def test_the_sheet_says_how_many_everybody_holds(text: str, held: list[int]) -> None:
    assert sheet_of(text)["held"] == held


@pytest.mark.parametrize("final", [5, "reached", ["reached"], True, None])
def test_a_final_state_is_an_object(game: str, final: Any) -> None:
    players = ["Ana", "Bo", "Cleo", "Dan"][: GAMES[game].seats[0]]
    hand = {GAMES[game].opener_word: 0, "final": final}
    record = {"format": "scorekeeper-record/1", "game": game, "players": players, "hands": [hand]}
    assert first_error(record) == {"hand": 0, "move": None, "code": "malformed", "proof": None}


@pytest.mark.parametrize("kind", Kind)
def test_a_line_nothing_was_laid_to_counts_nothing(kind: Kind) -> None:
    assert Line.of(kind).total == 0


@pytest.mark.parametrize("line", ["5", "{}", "{"])
def test_what_cannot_be_read_is_no_finished_match(line: str) -> None:
    verdict = games.verify_line(line)
    assert [error["code"] for error in verdict.pop("errors")] == ["malformed"]
    assert verdict == {"valid": False, "finished": False, "hands": [], "totals": [], "winners": []}
