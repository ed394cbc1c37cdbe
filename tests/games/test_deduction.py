"""What plays, passes, draws and known hands prove about hidden hands: difficult cases."""

from math import comb, factorial
from typing import Any

import pytest

import games
from games import notation
from games.moves import Draw, Follow, Pass
from games.record import read_record
from games.registry import GAMES
from games.tiles import ALL, names, parse
from tests.games.records import first_error

WHIST = "[Game domino-whist] [Players Ana Bo Cleo Dan] "
BLOCK = "[Game block] [Players Ana Bo] "
DRAW = "[Game draw] [Players Ana Bo] "
DOMINARDS = "[Game dominards] [Players Ana Bo Cleo] "


def verdict_on(text: str) -> Any:
    """The position, the code and the proof of the first error; None if there is none."""
    error = first_error(notation.read(text))
    return error and (error["move"], error["code"], error["proof"])


def state_of(text: str) -> Any:
    return games.Match.of(read_record(notation.read(text), GAMES)).hands[-1].state


# --- hands together ----------------------------------------------------------------------------------------
def test_two_hands_that_could_be_each_by_itself_may_be_too_many_together() -> None:
    # Bo and Dan have no 4 and no 3. Of the fifteen other tiles they still need twelve when Ana lays the fifth of them.
    together = WHIST + "1. opener Ana 4-3 pass 4-4w pass 4-2w 2-1w 1-0w 5-0w "
    assert verdict_on(together + "6-5w") == (8, "no-possible-deal", None)
    assert verdict_on(together + "5-4w") is None


def test_three_hands_that_lack_different_things_may_be_too_many_together() -> None:
    # Bo, Dan and Ana have no 2, Bo no 0 either: Cleo would have the five twos that are left, and has four tiles.
    twos = WHIST + "1. opener Cleo 2-2 pass pass 5-2e 5-0e 0-0e 3-0e 4-3e 4-1e 1-1e 1-0e "
    assert verdict_on(twos + "pass") == (11, "no-possible-deal", None)
    assert verdict_on(twos + "2-1w") is None


# --- which entry is to blame -------------------------------------------------------------------------------
THIRTEEN = "0-0 1-0 1-1 2-0 2-1 2-2 3-0 3-1 3-2 3-3 4-0 4-1 4-2"


@pytest.mark.parametrize(
    ("draw", "blamed"),
    [
        (f"+14({THIRTEEN} 6-5)", 1),  # all of the boneyard, seen
        (f"+14({THIRTEEN} 6-5) 6-5e", 1),
        ("+14 6-5e", 1),
        ("+13 +1 6-5e", 2),  # it may be the last of the thirteen
    ],
)
def test_a_tile_left_after_all_is_drawn_disproves_the_draw_that_it_would_have_spared(draw: str, blamed: int) -> None:
    left = " final table 0 0 left () ({}) out Ana"
    assert verdict_on(DRAW + "1. leader Ana 6-6 " + draw + left.format("6-4")) == (blamed, "cannot-draw", None)
    assert verdict_on(DRAW + "1. leader Ana 6-6 " + draw + left.format("4-2")) is None


def test_a_noted_draw_may_have_brought_the_tile_that_the_next_entry_denies() -> None:
    hand = DRAW + "1. leader Ana 6-6 +1 6-5e 5-4e +1{} 4-3e 3-3e +1 3-2e 2-1e 6-1e"
    # Each tile drawn was laid, so 6-1 was there from the start; or it came with the draw that proves nothing.
    assert verdict_on(hand.format("")) == (1, "cannot-draw", {"hand": 0, "move": 10})
    assert verdict_on(hand.format("?")) == (7, "cannot-draw", {"hand": 0, "move": 10})


@pytest.mark.parametrize(
    ("hand", "says"),
    [
        ("6-6 pass 6-5e 6-4w", "passed with 6 open, and laid 6-4 later"),
        ("6-6 6-0w 6-1e 0-0w 1-1e 1-0w pass pass left (5-1 5-5 5-4 5-3) 10", "passed with 1 open, and has 5-1 left"),
    ],
)
def test_the_sentence_says_how_the_tile_came_to_light(hand: str, says: str) -> None:
    error = games.verify(notation.read(BLOCK + "1. leader Ana " + hand))["errors"][0]
    assert error["code"] == "wrong-pass"
    assert says in error["message"]


# --- entries that were noted -------------------------------------------------------------------------------
def test_a_noted_pass_is_not_blamed_for_a_tile_that_a_later_one_denies_too() -> None:
    hand = WHIST + "1. opener Ana 6-6 pass{} 6-5e 5-3e 3-2e pass{} 2-1e 1-0e 4-0e 6-1w"
    assert verdict_on(hand.format("", "")) == (1, "wrong-pass", {"hand": 0, "move": 9})
    assert verdict_on(hand.format("?", "")) == (5, "wrong-pass", {"hand": 0, "move": 9})
    assert verdict_on(hand.format("?", "?")) is None


@pytest.mark.parametrize(
    ("draw", "move"),
    [
        ("+1(3-2){} 6-5e", 2),  # another tile than the one drawn
        ("+2(6-4 3-2){} 6-5e", 1),  # drew on after a tile that fits
        ("+2(6-4 0-0){} 6-4e", 1),
        ("+2(0-0 3-2){} 6-5e", 2),
    ],
)
def test_a_noted_draw_binds_nobody_to_the_tiles_it_brought(draw: str, move: int) -> None:
    error = verdict_on(DRAW + "1. leader Ana 6-6 " + draw.format(""))
    assert error == (move, "must-play" if move == 2 else "cannot-draw", None)
    assert verdict_on(DRAW + "1. leader Ana 6-6 " + draw.format("?")) is None


def test_the_tile_to_be_laid_is_the_last_of_those_drawn() -> None:
    error = games.verify(notation.read(DRAW + "1. leader Ana 6-6 +3(3-2 1-0 6-4) 6-5e"))["errors"][0]
    assert (error["code"], "6-4" in error["message"], "3-2" in error["message"]) == ("must-play", True, False)


def test_of_several_tiles_drawn_unseen_more_may_fit_if_the_draw_was_noted() -> None:
    # Bo was dealt no six: both that he lays were drawn, and he drew on after the first of them.
    hand = DRAW + "1. leader Ana deal ? (0-0 1-0 1-1 2-0 2-1 2-2 3-0) 6-6 +2{} 6-5e 5-4e 6-3w"
    assert verdict_on(hand.format("")) == (1, "cannot-draw", {"hand": 0, "move": 4})
    assert verdict_on(hand.format("?")) is None


def test_after_a_noted_draw_the_tile_laid_may_have_been_in_the_hand() -> None:
    # Ana has 6-6 and six more, none of them 6-5; Bo any seven of the rest.
    assert state_of(DRAW + "1. leader Ana 6-6 +1? 6-5e").deals() == comb(26, 6) * comb(21, 7)
    # Else Bo was dealt no six, and 6-5 lay in the boneyard.
    sixes_of_ana = sum(comb(5, sixes) * comb(21, 6 - sixes) * comb(15 + sixes, 7) for sixes in range(6))
    assert state_of(DRAW + "1. leader Ana 6-6 +1 6-5e").deals() == sixes_of_ana


# --- who leads ---------------------------------------------------------------------------------------------
FIVE_HIGH = "(5-5 3-3 4-2 4-1 4-0 3-0)"


@pytest.mark.parametrize("deal", [f"? {FIVE_HIGH} ?", f"? ? {FIVE_HIGH}"])
def test_a_known_hand_next_to_a_hidden_one_can_forbid_a_lead(deal: str) -> None:
    hand = DOMINARDS + f"1. leader Ana deal {deal} roll(1 1) "
    assert verdict_on(hand + "4-4") == (None, "wrong-leader", None)
    assert verdict_on(hand + "6-6") is None


def test_before_the_lead_the_opener_has_the_heaviest_double_of_all_hands() -> None:
    # With so many heavier doubles in the boneyard the opener has six tiles more, the other player seven of the rest.
    state = state_of(DRAW + "1. leader Ana")
    assert state.deals() == sum(comb(27 - heavier, 6) * comb(21 - heavier, 7) for heavier in range(7))


def test_before_the_lead_the_one_double_that_may_lead_is_with_the_opener() -> None:
    state = state_of(DRAW + "1. leader Ana deal ? (5-5 4-3 4-2 4-1 4-0 3-0 2-0)")
    ana, bo, boneyard = ({*names(tiles)} for tiles in state.whereabouts())
    assert "6-6" in ana
    assert "6-6" not in bo | boneyard
    assert state.deals() == comb(20, 6)


def test_a_hand_led_with_any_tile_says_nothing_before_the_lead() -> None:
    state = state_of(WHIST + "1. opener Ana")
    assert state.deals() == factorial(28) // factorial(7) ** 4
    assert state.whereabouts() == (ALL, ALL, ALL, ALL, 0)


# --- what may come next ------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("text", "may_pass", "may_draw"),
    [
        (WHIST + "1. opener Ana", False, False),
        (WHIST + "1. opener Ana 6-6", True, False),
        (WHIST + "1. opener Ana 6-6 pass pass pass", False, False),  # Ana has all the sixes
        (WHIST + "1. opener Ana 6-6 pass pass pass 6-5e", True, False),
        (DRAW + "1. leader Ana 6-6", False, True),
        (DRAW + "1. leader Ana 6-6 +14", True, False),
        (DRAW + "1. leader Ana deal ? (6-5 4-3 4-2 4-1 4-0 3-0 2-0) 6-6", False, False),
        (DRAW + "1. leader Ana deal ? (5-5 4-3 4-2 4-1 4-0 3-0 2-0) 6-6", False, True),
    ],
)
def test_a_pass_or_a_draw_is_offered_where_the_player_may_have_no_tile_that_fits(
    text: str, may_pass: bool, may_draw: bool
) -> None:
    state = state_of(text)
    offers = state.offers()
    assert (offers["pass"], offers["draw"]) == (may_pass, may_draw)
    legal = state.legal()
    assert any(isinstance(move, Pass) for move in legal) == may_pass
    assert any(isinstance(move, Draw) for move in legal) == may_draw


# --- tiles that cannot be drawn ----------------------------------------------------------------------------
def test_a_tile_that_lies_on_the_table_is_not_drawn() -> None:
    hand = DRAW + "1. leader Ana 6-6 "
    assert verdict_on(hand + "+1(6-6)") == (1, "tile-already-laid", {"hand": 0, "move": 0})
    assert verdict_on(hand + "+1(6-5)") is None


# --- the end of a hand -------------------------------------------------------------------------------------
def test_hands_that_the_moves_leave_one_answer_for_are_known_at_the_end() -> None:
    blocked = "6-6 6-0w 6-1e 0-0w 1-1e 1-0w pass pass"
    bo = "(6-0 0-0 1-0 5-4 4-2 3-2 2-2)"
    unseen = games.Match.of(read_record(notation.read(BLOCK + "1. leader Ana " + blocked), GAMES)).offers()
    assert (unseen["next"], unseen["held"], unseen["known"]) == ("left", [4, 4], [None, None])
    known = games.Match.of(read_record(notation.read(BLOCK + f"1. leader Ana deal ? {bo} " + blocked), GAMES)).offers()
    assert known["known"] == [None, ["5-4", "4-2", "3-2", "2-2"]]


def test_whoever_is_out_is_known_to_have_nothing() -> None:
    out = "6-6 pass 6-5e 5-4e 4-4e 4-3e 3-3e 5-3e 5-0e 0-0e 2-0e 2-1e 3-1e"
    offers = games.Match.of(read_record(notation.read(BLOCK + "1. leader Ana " + out), GAMES)).offers()
    assert (offers["held"], offers["known"]) == ([0, 2], [[], None])


# --- an exchange -------------------------------------------------------------------------------------------
@pytest.mark.parametrize("deal", ["", "deal (6-6 6-5 6-4 6-3 6-2 6-1 6-0) ? ? "])
@pytest.mark.parametrize("exchange", ["-0", "-2", "-2(6-6 6-5)", "-2(6-6 6-5)+(0-0 1-0)"])
def test_an_exchange_leaves_as_many_tiles_in_every_hand(deal: str, exchange: str) -> None:
    state = state_of(f"[Game domizerka] [Players Ana Bo Cleo] 1. dealer Cleo {deal}zero Ana: {exchange}")
    assert state.held() == [7, 7, 7]
    assert state.play(Follow(0, parse("6-4"), 6)).held() == [6, 7, 7]


def test_pips_excluded_by_a_tile_seen_in_a_draw_are_no_contradiction() -> None:
    # Bo drew 6-6 before all eyes and never laid it: he has 12 pips and those of two tiles more, whatever he lacks.
    hand = "5-5 5-4w 5-1e 4-2w 6-2w 2-1e 6-0w 2-0w 2-2e 3-2w 3-1w +1(6-6) +1(6-1) 6-1w 6-5w "
    assert verdict_on(DRAW + "1. leader Ana " + hand + "left () 11") == (None, "left-mismatch", None)
    assert verdict_on(DRAW + "1. leader Ana " + hand + "left () 16") is None
