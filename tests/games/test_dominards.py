"""Dominards: the figure of the source, dice, claims, cards, ends and final states."""

import random
from typing import Any

import pytest

import games
from games.cards import NAMES as CARDS
from games.dominards import ROLLS, DominardsState, values
from games.line import ENDS
from games.moves import Claim, Move, Play, Roll
from games.tiles import NAMES as TILES
from games.tiles import parse
from tests.games.records import first_error
from tests.games.test_dominards_second_opinion import PLAYERS, hand_of, record_of

OUT = "r1,3,4,3 1-1 2-1e 1-0n r1,1,5,2 4-1w 5-0n 4-0w r6,3 3-2e 6-3e 6-4e r1,5 0-0w"
"""Two players, no draws; then 5-3n is Ana's last tile and makes the total 8, Bo has one left."""
BLOCKED = "r6,3 6-6 d1 6-4s 6-1w 4-0s 6-0s r4,6,5,4 2-1w 3-2w 6-3w 6-2s 5-2s r5,5,1,5 6-5s d1 d1 d1 pass pass pass pass"
"""Four players; at the end they hold 3, 4, 3 and 7 tiles."""
FOUR_DROPPED = {
    "leader": 1,
    "final": {"points": [30, 12], "dropped": [["AS", "2H", "KD", "TC"], ["QS"]], "tiles": [3, 0], "out": 1},
}
"""Bo goes out: 12 and 3 tiles; Ana has one card left, Bo four."""


def match_of(record: dict[str, Any]) -> games.Match:
    match = games.Match.new("dominards", record.get("options", {}), record["players"])
    for entry in games.entries(record):
        match = match.enter(entry)
    return match


def state_of(written: str, seats: int = 2, leader: int = 0, **more: Any) -> DominardsState:
    """The state of a first hand after these moves."""
    deal = {"deal": more.pop("deal")} if "deal" in more else {}
    hand = match_of(record_of(seats, hand_of(written, seats, leader, **deal), **more)).hand
    assert hand is not None
    assert isinstance(hand.state, DominardsState)
    return hand.state


def sums(*hands: dict[str, Any], seats: int = 2) -> list[tuple[str, int, list[tuple[str, int]]]]:
    """The scores of the last of these hands: reason, points and terms."""
    return [
        (score["reason"], score["points"], [(term["label"], term["value"]) for term in score["terms"]])
        for score in match_of(record_of(seats, *hands)).sheet()["hands"][-1]["scores"]
    ]


# --- "Dominards", the figure of the placement rules and the scoring ----------------------------------------
def test_the_figure_of_the_source_shows_fourteen() -> None:
    written = "r6,6 6-6 6-4w 4-4w r1,1,6,6 5-4w 5-0w 6-3e r6,1 3-3e 6-2n=*"
    assert state_of(written).line.total == 14
    assert sums(hand_of(written)) == [("multiple", 14, [("3-3", 6), ("6-2", 2), ("6-6", 6)])]


@pytest.mark.parametrize("card", ["AC", "AS"])
def test_an_ace_claims_the_fourteen_of_the_figure(card: str) -> None:
    written = f"r6,6 6-6 6-4w 4-4w r1,1,6,6 5-4w 5-0w 6-3e r2,5 3-3e 6-2n={card}"
    match = match_of(record_of(2, hand_of(written)))
    assert match.totals == (0, 14)
    assert match.offers()["cards"][1] | {"droppable": []} == {"held": 4, "dropped": [card], "droppable": []}


def test_what_the_cards_claim() -> None:
    worth = {"A": (1, 14), "T": (10,), "J": (11,), "Q": (12,), "K": (13,)}
    for number, card in enumerate(CARDS):
        assert values(number) == worth.get(card[0], (int(card[0]) if card[0].isdigit() else 0,))


def test_nought_is_a_multiple_and_worth_nothing() -> None:
    assert sums(hand_of("r5,6 0-0=*")) == []


@pytest.mark.parametrize(("claim", "code"), [("=AS", "bad-claim"), ("=KS", "bad-claim"), ("=*", None)])
def test_beyond_fourteen_only_dice_claim_a_total(claim: str, code: str | None) -> None:
    error = first_error(record_of(2, hand_of(f"r5,3 6-6 6-4e{claim}")))
    assert (error and error["code"]) == code


# --- what may come next ------------------------------------------------------------------------------------
def open_states(rng: random.Random) -> list[DominardsState]:
    """Some states of a random match in which every hand is known."""
    players = PLAYERS[: rng.choice((2, 3, 4))]
    record = games.random_match("dominards", {}, players, rng, 2, observed=False)
    states = []
    for number, hand in enumerate(record["hands"]):
        for upto in rng.sample(range(len(hand["moves"])), 3):
            cut = {**hand, "moves": hand["moves"][:upto]}
            match = match_of(record | {"hands": [*record["hands"][:number], cut]})
            assert match.hand is not None
            assert isinstance(match.hand.state, DominardsState)
            states.append(match.hand.state)
    return states


def accepted(state: DominardsState, move: Move) -> bool:
    try:
        state.play(move)
    except games.GameError:
        return False
    return True


def test_legal_moves_accepted_moves_and_offers_agree() -> None:
    rng = random.Random("legal")
    rolls = plays = 0
    for _ in range(8):
        for state in open_states(rng):
            seat, legal, offers = state.turn, state.legal(), state.offers()
            assert seat is not None
            assert len(set(legal)) == len(legal)
            assert all(accepted(state, move) for move in legal)
            assert offers["roll"] == isinstance(legal[0], Roll)
            if offers["roll"]:
                assert legal == [Roll(seat, dice) for dice in ROLLS]
                assert (offers["plays"], offers["totals"], offers["rolls_next"]) == ({}, [], seat)
                rolls += 1
                continue
            ends = ENDS if state.line.laid else (None,)
            some = rng.sample(range(len(CARDS)), 4)
            claims = [None, Claim("multiple"), *(Claim(by, card) for by in ("card", "virtual") for card in some)]
            for tile in range(len(TILES)):
                for move in (Play(seat, tile, end, claim) for end in ends for claim in claims):
                    assert accepted(state, move) == (move in legal)
            offered = {
                (each["tile"], each["end"]): (len(each["cards"]), each["multiple"], each["virtual"], each["total"])
                for each in offers["totals"]
            }
            listed: dict[tuple[str, str | None], Any] = {}
            for move in legal:
                if isinstance(move, Play):
                    by = [] if move.claim is None else [move.claim.by]
                    listed.setdefault((TILES[move.tile], move.end), []).extend(by)
                    plays += 1
            assert offered == {
                play: (
                    by.count("card"),
                    "multiple" in by,
                    "virtual" in by,
                    state.line.lay(parse(play[0]), play[1]).total,
                )
                for play, by in listed.items()
            }
    assert rolls > 3
    assert plays > 50


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_the_holder_of_the_heaviest_double_opens_a_match(seats: int) -> None:
    offers = games.Match.new("dominards", {}, list("ABCD"[:seats])).offers()
    assert (offers["lead"], offers["openers"]) == ("doublet", list(range(seats)))


def test_unknown_cards_may_be_any_that_nobody_else_has_and_nobody_dropped() -> None:
    known = ["QC", "QD", "2S", "3S", "4S"]
    state = state_of("r6,6 6-6=QC", cards=[known, None])
    ana, bo = state.offers()["cards"]
    assert ana == {"held": 4, "dropped": ["QC"], "droppable": ["QD", "2S", "3S", "4S"]}
    assert set(bo["droppable"]) == set(CARDS) - set(known)
    twelves = next(each for each in state.offers()["totals"] if (each["tile"], each["end"]) == ("6-0", "n"))
    assert (twelves["total"], twelves["cards"], twelves["multiple"]) == (6, ["6C", "6D", "6H", "6S"], False)


def test_the_page_says_how_long_the_dice_last() -> None:
    said = []
    for written in ("", "r6,3", "r6,3 1-1", "r6,3 1-1 2-1e", "r6,3 1-1 2-1e 1-0n", "r6,3 1-1 2-1e 1-0n r1,1,5,2"):
        offers = state_of(written).offers()
        said.append((offers["seat"], offers["roll"], offers["dice"], offers["turns"], offers["rolls_next"]))
    assert said == [
        (0, True, [], 0, 0),
        (0, False, [6, 3], 3, 1),
        (1, False, [6, 3], 2, 1),
        (0, False, [6, 3], 1, 1),
        (1, True, [], 0, 1),
        (1, False, [1, 1, 5, 2], 3, 0),
    ]


# --- order of what is wrong --------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("written", "seats", "code"),
    [
        ("1:6-6", 2, "not-your-turn"),
        ("1:r7", 2, "not-your-roll"),
        ("r7", 2, "bad-roll"),
        ("r1,7", 2, "bad-roll"),
        ("r0,1", 2, "bad-roll"),
        ("r1,1 r1,1,1", 2, "not-your-roll"),
        ("5-4=KD", 2, "roll-needed"),
        ("r1,1 5-4=KD", 2, "must-lead-double"),
        ("r1,1 6-6e=KD", 2, "no-such-end"),
        ("r1,1 6-6=QD 6-1=QD", 2, "end-needed"),
        ("r1,1 6-6=QD 5-1e=QD", 2, "no-match"),
        ("r1,1 6-6=QD 6-1e=QD", 2, "card-not-held"),
        # The pass is wrong, but the claim is the first error.
        ("r1,1 6-6 d4 pass 6-1e 6-2w 6-3n r1,1 6-4s=2D", 4, "bad-claim"),
        ("r1,1 6-6 d4 pass 6-1e 6-2w 6-3n r1,1 6-4s=TD", 4, "wrong-pass"),
    ],
)
def test_the_first_error_that_applies_is_reported(written: str, seats: int, code: str) -> None:
    assert first_error(record_of(seats, hand_of(written, seats)))["code"] == code


def test_a_known_hand_leads_its_heaviest_double_whatever_is_claimed() -> None:
    deal = [["6-6", "5-5", "1-0", "2-0", "3-0", "4-0"], None]
    error = first_error(record_of(2, hand_of("r1,1 5-5=2S", deal=deal)))
    assert (error["code"], error["move"]) == ("must-lead-double", 1)


def test_a_lead_that_leaves_too_many_heavier_doubles_for_the_pool_is_impossible() -> None:
    """Four players: of the six doubles above 0-0 the pool has room for four."""
    deal = [["0-0", "1-0", "2-0", "3-0", "4-0", "5-0"], None, None, None]
    error = first_error(record_of(4, hand_of("r1,1 0-0", 4, deal=deal)))
    assert (error["code"], error["move"]) == ("no-possible-deal", 1)
    assert state_of("r1,1", 4, deal=deal).legal() == []


def test_of_two_draws_the_one_that_was_wrong_however_the_tile_came_is_to_blame() -> None:
    """Bo's 6-5 was dealt to him, or drawn before the tile laid after the second draw: that one went on too long."""
    record = record_of(2, hand_of("r1,2 6-6 d1 6-1e 6-2w r1,2 d2 6-3n 4-2w 6-5s"))
    assert first_error(record) == {"hand": 0, "move": 6, "code": "cannot-draw", "proof": {"hand": 0, "move": 9}}


def test_a_noted_wrong_pass_takes_a_turn_like_any_other() -> None:
    hand = hand_of("r1,1 6-6 d4 pass 6-1e 6-2w 6-3n r1,1 6-4s", 4)
    noted = [{"hand": 0, "move": 3, "code": "wrong-pass"}]
    assert first_error(record_of(4, hand))["code"] == "wrong-pass"
    assert first_error(record_of(4, hand, noted=noted)) is None


# --- ends --------------------------------------------------------------------------------------------------
def test_the_last_tile_scores_a_point_for_every_tile_of_the_others() -> None:
    assert sums(hand_of(f"{OUT} 5-3n")) == [("out", 1, [("1 for each tile", 1)])]
    claim = ("card", 8, [("6-4", 4), ("5-3", 3), ("1-1", 1)])
    assert sums(hand_of(f"{OUT} 5-3n=8S")) == [claim, ("out", 1, [("1 for each tile", 1)])]


def test_when_all_pass_in_turn_nobody_gets_a_bonus() -> None:
    match = match_of(record_of(4, hand_of(BLOCKED, 4)))
    hand = match.sheet()["hands"][0]
    assert (hand["points"], hand["scores"], hand["end"]["by"]) == ([0, 0, 0, 0], [], "blocked")
    assert match.offers()["next"] == "hand"


def test_the_last_card_scores_two_points_for_every_card_of_the_others_and_ends_the_match_in_mid_hand() -> None:
    lead = ("card", 12, [("6-6", 6), ("6-6", 6)])
    record = record_of(2, FOUR_DROPPED, hand_of("r5,1,1,1 6-6=QC"))
    assert sums(*record["hands"]) == [lead, ("dropped", 8, [("2 for each card", 8)])]
    match = match_of(record)
    assert (match.totals, match.finished, match.winners) == ((50, 15), True, (0,))
    assert match.sheet()["hands"][1]["end"] == {"by": "dropped", "seat": 0}
    more = record_of(2, FOUR_DROPPED, hand_of("r5,1,1,1 6-6=QC 6-1e"))
    assert first_error(more) == {"hand": 1, "move": 2, "code": "hand-over", "proof": None}
    more = record_of(2, FOUR_DROPPED, hand_of("r5,1,1,1 6-6=QC 1:r1,1"))
    assert first_error(more) == {"hand": 1, "move": 2, "code": "hand-over", "proof": None}
    more = record_of(2, *record["hands"], hand_of("r1,1"))
    assert first_error(more) == {"hand": 2, "move": None, "code": "match-over", "proof": None}


def test_the_last_tile_and_the_last_card_in_one_play_both_score_the_tile_first() -> None:
    last = hand_of(f"{OUT} 5-3n=8S")
    claim = ("card", 8, [("6-4", 4), ("5-3", 3), ("1-1", 1)])
    assert sums(FOUR_DROPPED, last) == [
        claim,
        ("out", 1, [("1 for each tile", 1)]),
        ("dropped", 8, [("2 for each card", 8)]),
    ]
    match = match_of(record_of(2, FOUR_DROPPED, last))
    assert (match.finished, match.totals) == (True, (47, 15))
    assert match.sheet()["hands"][1]["end"] == {"by": "dropped", "seat": 0}


@pytest.mark.parametrize(
    ("first", "second", "code"),
    [
        (FOUR_DROPPED, hand_of("r6,6 5-5=TC"), "card-not-held"),
        (FOUR_DROPPED, hand_of("r6,6 5-5=TS"), None),
        (hand_of(f"{OUT} 5-3n=8S"), hand_of("r1,1 6-6 6-2n=8S"), "card-not-held"),
        (hand_of(f"{OUT} 5-3n=8S"), hand_of("r1,1 6-6 6-2n=8H"), None),
    ],
)
def test_cards_dropped_stay_dropped_and_tiles_are_dealt_afresh(
    first: dict[str, Any], second: dict[str, Any], code: str | None
) -> None:
    error = first_error(record_of(2, first, second))
    assert (error and error["code"]) == code


def test_what_is_left_may_be_told_and_is_checked() -> None:
    out = hand_of(f"{OUT} 5-3n")
    assert first_error(record_of(2, out | {"left": [[], ["6-5"]]})) is None
    assert first_error(record_of(2, out | {"left": [0, 11]})) is None
    assert first_error(record_of(2, out | {"left": [[], ["5-3"]]}))["code"] == "left-mismatch"
    assert first_error(record_of(2, out | {"left": [["6-5"], []]}))["code"] == "left-mismatch"
    # A match ended by a last card: what is in the hands then is what is left, nothing is drawn any more.
    last = hand_of("r5,1,1,1 6-6=QC")
    left = [["5-5", "5-4", "5-3", "5-2", "5-1"], ["4-4", "4-3", "4-2", "4-1", "4-0", "3-3"]]
    assert first_error(record_of(2, FOUR_DROPPED, last | {"left": left})) is None
    fewer = [left[0], left[1][1:]]
    assert first_error(record_of(2, FOUR_DROPPED, last | {"left": fewer}))["code"] == "left-mismatch"


# --- final states ------------------------------------------------------------------------------------------
FIVE = ["AS", "2H", "KD", "TC", "9S"]
# Each case: what is different from a final state in which Ana is out and Bo has three tiles left; the points of the
# hand, or the code.
FINALS: dict[str, tuple[dict[str, Any], list[int] | str]] = {
    "as it is": ({}, [33, 12]),
    "blocked": ({"out": None, "tiles": [4, 9]}, [30, 12]),
    "the other is out": ({"out": 1, "tiles": [3, 0]}, [30, 15]),
    "the last card in mid-hand": ({"out": None, "tiles": [2, 3], "dropped": [FIVE, ["QS"]]}, [38, 12]),
    "the last card with the last tile": ({"dropped": [FIVE, ["QS"]]}, [41, 12]),
    "nobody claimed": ({"points": [0, 0], "dropped": [[], []]}, [3, 0]),
    "out with a tile": ({"tiles": [1, 3]}, "left-mismatch"),
    "both have none": ({"tiles": [0, 0]}, "left-mismatch"),
    "none left but not out": ({"out": None}, "left-mismatch"),
    "all that can be drawn": ({"out": None, "tiles": [22, 5]}, [30, 12]),
    "more than can be drawn": ({"out": None, "tiles": [23, 4]}, "left-mismatch"),
    "all 28 in hand": ({"out": None, "tiles": [22, 6]}, "left-mismatch"),
    "a card twice": ({"dropped": [["KD", "KD"], []]}, "card-not-held"),
    "a card of both": ({"dropped": [["KD"], ["KD"]]}, "card-not-held"),
    "a sixth card": ({"dropped": [[*FIVE, "8S"], []]}, "card-not-held"),
    "both dropped their last": (
        {"out": None, "tiles": [2, 3], "dropped": [FIVE, ["AC", "2C", "3C", "4C", "5C"]]},
        "match-over",
    ),
    "the other went out when the match was over": (
        {"dropped": [["KD"], ["AC", "2C", "3C", "4C", "5C"]]},
        "match-over",
    ),
    "three lists": ({"tiles": [0, 3, 3]}, "malformed"),
    "points as one": ({"points": 30}, "malformed"),
    "no such card": ({"dropped": [["1S"], []]}, "malformed"),
    "tiles by name": ({"tiles": [[], ["6-4"]]}, "malformed"),
    "no such seat": ({"out": 2}, "malformed"),
}


@pytest.mark.parametrize("case", FINALS)
def test_final_states(case: str) -> None:
    changes, expected = FINALS[case]
    final = {"points": [30, 12], "dropped": [["KD"], []], "tiles": [0, 3], "out": 0} | changes
    record = record_of(2, {"leader": 0, "final": final})
    verdict, error = games.verify(record), first_error(record)
    if isinstance(expected, str):
        assert (error and error["code"]) == expected
        return
    assert error is None
    assert verdict["hands"] == [expected]
    assert verdict["finished"] == any(len(held) == 5 for held in final["dropped"])
    assert match_of(record).record()["hands"] == record["hands"]


def test_a_final_state_names_every_key() -> None:
    for key in ("points", "dropped", "tiles", "out"):
        final = {"points": [30, 12], "dropped": [["KD"], []], "tiles": [0, 3], "out": 0}
        del final[key]
        assert first_error(record_of(2, {"leader": 0, "final": final}))["code"] == "malformed"


@pytest.mark.parametrize(
    ("dropped", "expected"),
    [
        ([[], ["3C"]], None),
        ([["5S"], []], None),
        ([[], ["3C", "4C", "5C", "6C"]], None),
        ([["TC"], []], "card-not-held"),
        ([[], ["KD"]], "card-not-held"),
        ([["5S", "6S"], []], "card-not-held"),
        ([["5S"], ["3C", "4C", "5C", "6C"]], "match-over"),
    ],
)
def test_a_final_state_adds_to_the_cards_dropped_before(dropped: list[list[str]], expected: str | None) -> None:
    final = {"points": [30, 24], "dropped": dropped, "tiles": [4, 9], "out": None}
    error = first_error(record_of(2, FOUR_DROPPED, {"leader": 0, "final": final}))
    assert (error and error["code"]) == expected


def test_a_final_state_is_checked_against_known_cards() -> None:
    final = {"points": [30, 12], "dropped": [["KD"], []], "tiles": [0, 3], "out": 0}
    for known, code in (
        ([["KD", "2S", "3S", "4S", "5S"], None], None),
        ([["KS", "2S", "3S", "4S", "5S"], None], "card-not-held"),
        ([None, ["KD", "2S", "3S", "4S", "5S"]], "card-not-held"),
        ([None, ["KS", "2S", "3S", "4S", "5S"]], None),
    ):
        error = first_error(record_of(2, {"leader": 0, "final": final}, cards=known))
        assert (error and error["code"]) == code


@pytest.mark.parametrize(
    ("written", "changes", "code"),
    [
        # Ana claimed 12 and dropped a queen; Bo has laid a tile.
        ("r6,6 6-6=QD 6-1e", {}, None),
        ("r6,6 6-6=QD 6-1e", {"points": [12, 0], "dropped": [["QD"], []]}, None),
        ("r6,6 6-6=QD 6-1e", {"points": [11, 40]}, "left-mismatch"),
        ("r6,6 6-6=QD 6-1e", {"dropped": [["QS"], []]}, "left-mismatch"),
        ("r6,6 6-6=QD 6-1e", {"dropped": [[], ["QD"]]}, "left-mismatch"),
        ("r6,6 6-6=QD 6-1e", {"out": None, "tiles": [5, 21]}, None),
        ("r6,6 6-6=QD 6-1e", {"out": None, "tiles": [5, 22]}, "left-mismatch"),
        ("r6,6 6-6=QD 6-1e", {"out": None, "tiles": [6, 21]}, "left-mismatch"),
        # The moves end the hand, so nothing can be added to them.
        (f"{OUT} 5-3n=8S", {"points": [8, 0], "dropped": [["8S"], []], "tiles": [0, 1]}, None),
        (f"{OUT} 5-3n=8S", {"points": [9, 0], "dropped": [["8S"], []], "tiles": [0, 1]}, "left-mismatch"),
        (f"{OUT} 5-3n=8S", {"points": [8, 0], "dropped": [["8S", "9S"], []], "tiles": [0, 1]}, "left-mismatch"),
        (f"{OUT} 5-3n=8S", {"points": [8, 0], "dropped": [["8S"], []], "tiles": [0, 2]}, "left-mismatch"),
        (f"{OUT} 5-3n=8S", {"points": [8, 0], "dropped": [["8S"], []], "out": None}, "left-mismatch"),
    ],
)
def test_a_final_state_after_moves_agrees_with_them(written: str, changes: dict[str, Any], code: str | None) -> None:
    final = {"points": [30, 24], "dropped": [["QD", "AS"], ["KD"]], "tiles": [0, 4], "out": 0} | changes
    record = record_of(2, hand_of(written, final=final))
    error = first_error(record)
    assert (error and error["code"]) == code
    if code is None:
        assert match_of(record).record()["hands"] == record["hands"]


def test_a_final_state_after_the_last_tile_and_the_last_card_says_both() -> None:
    last = hand_of(f"{OUT} 5-3n=8S", final={"points": [8, 0], "dropped": [["8S"], []], "tiles": [0, 1], "out": 0})
    match = match_of(record_of(2, FOUR_DROPPED, last))
    assert (match.totals, match.finished) == ((47, 15), True)
    last["final"]["out"] = None
    assert first_error(record_of(2, FOUR_DROPPED, last))["code"] == "left-mismatch"
