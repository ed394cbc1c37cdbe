"""Domizerka compared with a second opinion: random matches with some hidden tiles, and with random errors."""

import math
import random
from typing import Any

import pytest

import games
from games import tiles as numbers
from tests.games import second_opinion_domizerka as slow
from tests.games.records import first_error

PLAYERS = ["Ana", "Bo", "Cleo"]
CONTRACTS = sorted(slow.TRUMPS)


def record_of(*hands: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"format": "scorekeeper-record/1", "game": "domizerka", "players": PLAYERS, "hands": list(hands), **more}


def noted_in(hand: int, *moves: int) -> dict[str, Any]:
    return {"noted": [{"hand": hand, "move": move, "code": "revoke"} for move in moves]} if moves else {}


def some_hand(rng: random.Random, careless: float = 0.0) -> dict[str, Any]:
    return slow.random_hand(rng, rng.randrange(3), CONTRACTS, careless)


def cut(hand: dict[str, Any], upto: int) -> dict[str, Any]:
    return {**hand, "moves": hand["moves"][:upto]}


# --- the second opinion itself -----------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("tile", "contract", "trump", "suits"),
    [
        ("6-4", "evens", 4, {4}),
        ("6-4", "evens", 2, {6, 4}),
        ("6-0", "zero", None, {0}),
        ("6-0", "domizerka", None, {6, 0}),
        ("6-4", "zero", None, {6, 4}),
        ("5-5", "odds", 3, {5}),
    ],
)
def test_a_tile_belongs_to_the_suits_of_its_halves_but_a_special_one_to_that_only(
    tile: str, contract: str, trump: int | None, suits: set[int]
) -> None:
    assert slow.suits(slow.tile(tile), contract, trump) == suits


@pytest.mark.parametrize(
    ("trick", "suit", "contract", "trump", "winner"),
    [
        ("6-5 6-6 6-4", 6, "domizerka", None, 1),
        ("6-0 6-5 6-4", 6, "domizerka", None, 1),
        ("3-1 6-6 5-3", 3, "domizerka", None, 2),
        ("6-5 4-0 6-6", 6, "evens", 4, 1),
        ("6-5 4-0 4-4", 6, "evens", 4, 2),
        ("6-5 6-4 6-6", 6, "evens", 4, 1),
        ("1-0 6-6 6-0", 0, "zero", None, 2),
        ("6-1 6-0 2-0", 6, "zero", None, 0),
    ],
)
def test_the_highest_trump_or_else_the_highest_of_the_suit_led_wins(
    trick: str, suit: int, contract: str, trump: int | None, winner: int
) -> None:
    assert slow.winner(list(enumerate(map(slow.tile, trick.split()))), suit, contract, trump) == winner


def test_every_deal_sums_to_nothing_and_the_quotas_are_as_written() -> None:
    assert slow.points(2, "odds", [4, 2, 1]) == [0, 0, 0]
    assert slow.points(2, "domizerka", [1, 2, 4]) == [0, 0, 0]
    assert slow.points(0, "zero", [0, 7, 0]) == [-1, 3, -2]
    assert slow.points(0, "domizerka", [0, 7, 0]) == [4, -6, 2]
    rng = random.Random("sums")
    for _ in range(50):
        hand = some_hand(rng)
        assert sum(slow.points(hand["dealer"], hand["moves"][0]["contract"], slow.tricks_of(hand))) == 0


def test_what_happened_is_possible_whatever_is_told_of_it() -> None:
    rng = random.Random("truth")
    for _ in range(60):
        hand = some_hand(rng)
        assert slow.simulate(slow.truth(hand), hand)
        assert slow.judge(slow.told(hand, rng, rng.random())).answers == set()


def test_counting_agrees_with_playing_every_completion_through() -> None:
    rng = random.Random("counting")
    deals = []
    while len(deals) < 40:
        hand = slow.nearly_told(some_hand(rng, rng.choice((0, 0.5))), rng)
        if slow.look(hand).fault:
            continue
        every = slow.try_everything(hand, limit=300)
        if every is None:
            continue
        deals.append(every.deals)
        assert slow.number_of_deals(hand) == every.deals
        assert slow.possible_after(hand, len(hand["moves"]), ()) == bool(every.deals)
        if every.deals:
            assert slow.whereabouts(hand) == every.holders
    assert deals.count(0) > 3
    assert len(set(deals)) > 5


def test_an_error_is_where_playing_every_completion_through_finds_none_any_more() -> None:
    rng = random.Random("first")
    codes = []
    while len(codes) < 25:
        hand = slow.nearly_told(some_hand(rng, 0.5), rng)
        for code, move, proof in sorted(slow.judge(hand).answers, key=str)[:1]:
            at = move if proof is None else proof
            before = slow.try_everything(cut(hand, at), limit=300)
            after = None if slow.look(cut(hand, at + 1)).fault else slow.try_everything(cut(hand, at + 1), limit=300)
            if before and after:
                assert (before.deals > 0, after.deals) == (True, 0)
                codes.append(code)
    assert set(codes) == {"revoke", "no-possible-deal"}


def test_the_numbers_of_deals_that_can_be_worked_out() -> None:
    assert slow.number_of_deals({"dealer": 0, "moves": []}) == math.factorial(28) // math.factorial(7) ** 4
    rng = random.Random("numbers")
    for _ in range(10):
        hand = slow.told(some_hand(rng), rng, 0)
        discards = [move["count"] for move in hand["moves"] if move["type"] == "discard"]
        left = 7 - sum(discards)
        which = math.factorial(7) // math.prod(map(math.factorial, [*discards, left]))
        drawn = math.prod(math.comb(7, count) for count in discards)
        assert slow.number_of_deals(hand) == which * drawn


# --- the two compared --------------------------------------------------------------------------------------
def agree(record: dict[str, Any]) -> str | None:
    """Checks that verify and the second opinion agree on this match. Returns the code of both."""
    opinion = slow.judge_match(record)
    verdict, error = games.verify(record), first_error(record)
    assert verdict["hands"] == opinion.hands, (opinion, record)
    assert verdict["totals"] == opinion.totals, (opinion, record)
    if not opinion.answers:
        assert error is None, record
        assert (verdict["finished"], verdict["winners"]) == (opinion.finished, opinion.winners), record
        assert verdict.get("irregularities", []) == record.get("noted", []), record
        return None
    assert error is not None, (opinion, record)
    assert error["hand"] == opinion.hand, (opinion, error, record)
    proof = None if error["proof"] is None else error["proof"]["move"]
    if error["code"] == "contract-used" and error["proof"] is not None:
        # The contract was called in an earlier hand.
        assert error["proof"]["hand"] < error["hand"]
        proof = None
    else:
        assert error["proof"] is None or error["proof"]["hand"] == opinion.hand, (error, record)
    assert (error["code"], error["move"], proof) in opinion.answers, (opinion, error, record)
    assert (verdict["finished"], verdict["winners"]) == (False, [])
    return str(error["code"])


def test_random_matches_are_accepted_and_scored_alike() -> None:
    rng = random.Random("matches")
    for _ in range(15):
        hands = [slow.told(hand, rng, rng.choice((0, 0.5, 1))) for hand in slow.random_match(rng)]
        assert agree(record_of(*hands)) is None
        number = rng.randrange(12)
        open_hand = cut(hands[number], rng.randrange(len(hands[number]["moves"]) + 1))
        assert agree(record_of(*hands[:number], open_hand)) is None


def test_matches_entered_by_their_tricks_score_alike() -> None:
    rng = random.Random("tricks")
    for _ in range(30):
        hands = []
        for hand in slow.random_match(rng):
            call, tricks = hand["moves"][0], slow.tricks_of(hand)
            said = {key: call[key] for key in ("contract", "trump") if key in call}
            final = {"dealer": hand["dealer"], "final": {**said, "tricks": tricks}}
            lost = {**final, "moves": hand["moves"][: rng.randint(0, len(hand["moves"]))]}
            hands.append(rng.choice((final, lost, {**hand, "tricks": tricks})))
        assert agree(record_of(*hands)) is None
        number = rng.randrange(12)
        key = "final" if "final" in hands[number] else "moves"
        wrong = dict(hands[number])
        if key == "final":
            wrong["final"] = {**wrong["final"], "tricks": [each + 1 for each in wrong["final"]["tricks"]]}
        else:
            wrong["tricks"] = wrong["tricks"][1:] + wrong["tricks"][:1]
        assert agree(record_of(*hands[:number], wrong, *hands[number + 1 :])) == "tricks-mismatch"


def test_hands_in_which_somebody_did_not_follow_are_judged_alike() -> None:
    rng = random.Random("revokes")
    codes = []
    for _ in range(200):
        hand = slow.told(some_hand(rng, rng.choice((0.2, 0.5, 1))), rng, rng.choice((0, 0, 0.3, 0.7, 1)))
        failed = [at for at, _, _ in slow.look({**hand, "deal": None}, ()).failed]
        noted = rng.sample(failed, rng.randint(0, len(failed))) if rng.random() < 0.5 else []
        codes.append(agree(record_of(hand, **noted_in(0, *sorted(noted)))))
    assert min(codes.count(None), codes.count("revoke")) > 20
    assert codes.count("no-possible-deal") > 0


def test_damaged_hands_are_refused_alike() -> None:
    rng = random.Random("damaged")
    codes = set()
    for _ in range(500):
        hand = slow.told(some_hand(rng, rng.choice((0, 0, 0.3))), rng, rng.choice((0, 0.3, 0.7, 1)))
        hand = slow.damaged(hand, rng)
        if rng.random() < 0.2:
            hand = cut(hand, rng.randint(0, len(hand["moves"])))
        codes.add(agree(record_of(hand)))
    assert codes == {
        None,
        "hand-over",
        "not-your-turn",
        "tile-already-laid",
        "tile-not-held",
        "bad-contract",
        "bad-trump",
        "bad-discard",
        "suit-needed",
        "bad-suit",
        "revoke",
        "no-possible-deal",
    }


def test_damaged_matches_are_refused_alike() -> None:
    rng = random.Random("order")
    codes = set()
    for _ in range(70):
        hands = [slow.told(hand, rng, 0.5) for hand in slow.random_match(rng, rng.choice((3, 6, 12)))]
        number = rng.randrange(len(hands))
        what = rng.choice(("dealer", "more", "contract", "cut", "options"))
        more = {}
        if what == "dealer":
            hands[number] = {**hands[number], "dealer": rng.randrange(3)}
        elif what == "more":
            hands.append(slow.random_hand(rng, (hands[-1]["dealer"] + 1) % 3, CONTRACTS))
        elif what == "contract":
            hands[number] = slow.random_hand(rng, hands[number]["dealer"], CONTRACTS)
        elif what == "cut":
            hands[number] = cut(hands[number], rng.randrange(len(hands[number]["moves"])))
        else:
            more = {"options": {"hands": rng.choice((2, 3, 6, 12, 20, None))}}
        codes.add(agree(record_of(*hands, **more)))
    assert {None, "wrong-leader", "match-over", "contract-used", "hand-unfinished"} <= codes


# --- what a state says of the unseen -----------------------------------------------------------------------
def state_of(hand: dict[str, Any]) -> Any:
    match = games.Match.new("domizerka", {}, PLAYERS).enter({"kind": "hand", **hand})
    return match.hands[-1].state


def check_unseen(hand: dict[str, Any], deals: int | None, holders: dict[slow.Tile, set[int]]) -> None:
    state = state_of(hand)
    if deals is not None:
        assert state.deals() == deals, (deals, hand)
    masks = state.whereabouts()
    assert len(masks) == 4
    for each, expected in holders.items():
        bit = 1 << numbers.tile(*each)
        assert {h for h in range(4) if masks[h] & bit} == expected, (each, hand)


def test_deals_and_whereabouts_are_those_of_every_completion_played_through() -> None:
    rng = random.Random("unseen")
    compared = 0
    while compared < 50:
        hand = slow.nearly_told(some_hand(rng), rng)
        every = slow.try_everything(hand, limit=300)
        if every is not None:
            check_unseen(hand, every.deals, every.holders)
            compared += 1


def test_deals_and_whereabouts_where_too_little_is_known_to_try_everything() -> None:
    rng = random.Random("little known")
    for _ in range(30):
        hand = slow.told(some_hand(rng), rng, rng.choice((0, 0, 0.3, 0.6)))
        hand = cut(hand, rng.randint(0, len(hand["moves"])))
        check_unseen(hand, slow.number_of_deals(hand, limit=5000), slow.whereabouts(hand))


# --- near twins --------------------------------------------------------------------------------------------
DEAL = [
    ["6-6", "6-5", "6-4", "6-3", "6-2", "6-1", "6-0"],
    ["5-5", "5-4", "5-3", "5-2", "5-1", "5-0", "4-4"],
    ["4-3", "4-2", "4-1", "4-0", "3-3", "3-2", "3-1"],
]
"""With dealer 2 seat 0 leads. In the boneyard: 3-0 2-2 2-1 2-0 1-1 1-0 0-0."""


def moves_of(written: str) -> list[dict[str, Any]]:
    """Moves, ``"0:evens4 1:-5-4+2-2 2:-1 0:6-5/6 1:5-3"``: who, and a contract, a discard or a play with its suit."""
    result: list[dict[str, Any]] = []
    for word in written.split():
        seat, what = int(word[0]), word[2:]
        if what[0] == "-" and len(what) == 2:
            result.append({"seat": seat, "type": "discard", "count": int(what[1])})
        elif what[0] == "-":
            thrown, _, drawn = what[1:].partition("+")
            move = {"seat": seat, "type": "discard", "count": 1, "tiles": [thrown]}
            result.append({**move, "drawn": [drawn]} if drawn else move)
        elif what[0].isalpha():
            trump = {"trump": int(what[-1])} if what[-1].isdigit() else {}
            result.append({"seat": seat, "type": "contract", "contract": what.rstrip("0123456789"), **trump})
        else:
            played, _, suit = what.partition("/")
            result.append({"seat": seat, "type": "play", "tile": played, **({"suit": int(suit)} if suit else {})})
    return result


def hand_of(written: str, dealer: int = 2, **more: Any) -> dict[str, Any]:
    return {"dealer": dealer, "moves": moves_of(written), **more}


@pytest.mark.parametrize(
    ("written", "code", "move", "twin"),
    [
        ("1:zero", "not-your-turn", 0, "0:zero"),
        ("0:both", "bad-contract", 0, "0:domizerka"),
        ("0:zero 0:zero", "bad-contract", 1, "0:zero 0:6-6"),
        ("0:6-6", "bad-contract", 0, "0:zero 0:6-6"),
        ("0:evens", "bad-trump", 0, "0:evens6"),
        ("0:evens3", "bad-trump", 0, "0:odds3"),
        ("0:evens0", "bad-trump", 0, "0:zero"),
        ("0:odds2", "bad-trump", 0, "0:evens2"),
        ("0:odds7", "bad-trump", 0, "0:odds5"),
        ("0:zero0", "bad-trump", 0, "0:zero"),
        ("0:domizerka1", "bad-trump", 0, "0:domizerka"),
        ("0:zero 0:-8", "bad-discard", 1, "0:zero 0:-7"),
        ("0:zero 0:-3 1:-5", "bad-discard", 2, "0:zero 0:-3 1:-4"),
        ("0:zero 0:-3 1:-4 2:-1", "bad-discard", 3, "0:zero 0:-3 1:-4 2:-0"),
        ("0:zero 0:-1 0:-1", "bad-discard", 2, "0:zero 0:-1 1:-1"),
        ("0:zero 0:6-6 1:-1", "bad-discard", 2, "0:zero 1:-1 0:6-6"),
        ("0:zero 0:-1 1:6-6", "not-your-turn", 2, "0:zero 0:-1 0:6-6"),
        ("0:zero 0:6-6 2:5-5", "not-your-turn", 2, "0:zero 0:6-6 1:5-5"),
        ("0:zero 0:6-5", "suit-needed", 1, "0:zero 0:6-5/5"),
        ("0:zero 0:6-5/4", "bad-suit", 1, "0:zero 0:6-5/6"),
        ("0:zero 0:6-0/6", "bad-suit", 1, "0:zero 0:6-0/0"),
        ("0:domizerka 0:6-0", "suit-needed", 1, "0:zero 0:6-0"),
        ("0:evens6 0:6-0/0", "bad-suit", 1, "0:evens6 0:6-0"),
        ("0:evens6 0:6-0/0", "bad-suit", 1, "0:evens4 0:6-0/0"),
        ("0:zero 0:6-6/5", "bad-suit", 1, "0:zero 0:6-6/6"),
        ("0:zero 0:6-6 1:6-5/6", "bad-suit", 2, "0:zero 0:6-6 1:6-5"),
        ("0:zero 0:6-6 1:6-6", "tile-already-laid", 2, "0:zero 0:6-6 1:6-5"),
        ("0:zero 0:-6-6+5-5 0:6-6", "tile-not-held", 2, "0:zero 0:-6-6+5-5 0:5-5"),
        ("0:zero 0:-6-6+5-5 0:4-4 1:5-5", "tile-not-held", 3, "0:zero 0:-6-6+5-5 0:4-4 1:5-4"),
    ],
)
def test_a_move_the_table_cannot_make_and_its_near_twin(written: str, code: str, move: int, twin: str) -> None:
    assert agree(record_of(hand_of(written))) == code
    assert first_error(record_of(hand_of(written)))["move"] == move
    assert agree(record_of(hand_of(twin))) is None


@pytest.mark.parametrize(
    ("written", "code", "move", "twin"),
    [
        ("0:zero 0:5-5", "tile-not-held", 1, "0:zero 0:6-6"),
        ("0:zero 0:2-2", "tile-not-held", 1, "0:zero 0:-1 0:2-2"),
        ("0:zero 0:-6-6+2-2 0:1-1", "tile-not-held", 2, "0:zero 0:-6-6+2-2 0:2-2"),
        ("0:zero 0:-6-6 0:6-6", "tile-not-held", 2, "0:zero 0:-6-6 0:1-1"),
        ("0:zero 0:-5-5", "tile-not-held", 1, "0:zero 0:-6-5"),
        ("0:zero 0:6-5/5 1:4-4", "revoke", 2, "0:zero 0:6-5/6 1:4-4"),
        ("0:zero 0:6-5/5 1:5-0", "revoke", 2, "0:zero 0:6-5/5 1:5-1"),
        ("0:evens4 0:6-5/5 1:5-4", "revoke", 2, "0:evens2 0:6-5/5 1:5-4"),
        ("0:zero 2:-4-3+2-2 0:6-2/2 1:4-4 2:3-1", "revoke", 3, "0:zero 2:-4-3+2-2 0:6-2/2 1:5-2 2:2-2"),
    ],
)
def test_a_known_deal_is_checked_against(written: str, code: str, move: int, twin: str) -> None:
    assert agree(record_of(hand_of(written, deal=DEAL))) == code
    error = first_error(record_of(hand_of(written, deal=DEAL)))
    assert (error["move"], error["proof"]) == (move, None) or code != "revoke"
    assert agree(record_of(hand_of(twin, deal=DEAL))) is None


@pytest.mark.parametrize(
    ("written", "move", "proof", "twin"),
    [
        # A later play of the suit shows it; a trump is of no other suit.
        ("0:evens4 0:6-5/5 1:6-6 2:5-3 0:3-3 1:5-1", 2, 5, "0:evens4 0:6-5/5 1:6-6 2:5-3 0:3-3 1:5-4"),
        # Of two failures the first is named, and the first play that proves it.
        (
            "0:domizerka 0:5-5 1:6-6 2:5-3 0:5-4/5 1:6-4 2:5-2 0:3-3 1:5-1",
            2,
            8,
            "0:domizerka 0:5-5 1:6-6 2:5-3 0:5-4/5 1:6-4 2:5-2 0:3-3 1:3-1",
        ),
        # A play that fails to follow can itself prove an earlier failure.
        ("0:zero 0:6-6 1:5-5 2:6-5 0:4-4 1:6-1", 2, 5, "0:zero 0:6-6 1:5-5 2:6-5 0:4-4 1:5-1"),
    ],
)
def test_a_failure_to_follow_is_shown_by_the_first_later_play_of_the_suit(
    written: str, move: int, proof: int, twin: str
) -> None:
    record = record_of(hand_of(written))
    assert agree(record) == "revoke"
    error = first_error(record)
    assert (error["move"], error["proof"]) == (move, {"hand": 0, "move": proof})
    assert agree(record_of(hand_of(twin))) is None


def test_a_noted_failure_to_follow_proves_nothing_and_is_given_back() -> None:
    shown = hand_of("0:domizerka 0:5-5 1:6-6 2:5-3 0:5-4/5 1:6-4 2:5-2 0:3-3 1:5-1")
    assert agree(record_of(shown, **noted_in(0, 2))) == "revoke"
    assert first_error(record_of(shown, **noted_in(0, 2)))["move"] == 5
    assert agree(record_of(shown, **noted_in(0, 2, 5))) is None
    known = hand_of("0:zero 0:6-5/5 1:4-4 2:4-3", deal=DEAL)
    assert agree(record_of(known)) == "revoke"
    assert agree(record_of(known, **noted_in(0, 2))) is None


def test_too_many_tiles_out_of_play_leave_no_possible_deal() -> None:
    # Bo and Cleo have no six and no five; of the eleven not played seven can lie out of play, so that Ana has four.
    written = "0:domizerka 0:6-6 1:4-0 2:4-1 0:5-5 1:3-0 2:3-1 0:4-4 1:4-2 2:4-3"
    assert agree(record_of(hand_of(written + " 0:3-3"))) == "no-possible-deal"
    assert first_error(record_of(hand_of(written + " 0:3-3")))["move"] == 10
    assert agree(record_of(hand_of(written + " 0:6-3/3"))) is None
    assert agree(record_of(hand_of(written + " 0:3-3"), **noted_in(0, 5))) is None


def test_a_contract_is_called_once_by_each_and_the_deal_goes_round() -> None:
    rng = random.Random("calls")
    hands = slow.random_match(rng)
    assert agree(record_of(*hands)) is None
    assert agree(record_of(*hands, hands[0])) == "match-over"
    again = slow.random_hand(rng, hands[3]["dealer"], [hands[0]["moves"][0]["contract"]])
    assert agree(record_of(*hands[:3], again)) == "contract-used"
    assert first_error(record_of(*hands[:3], again))["move"] == 0
    another = slow.random_hand(rng, hands[1]["dealer"], [hands[0]["moves"][0]["contract"]])
    assert agree(record_of(hands[0], another)) is None
    assert agree(record_of(hands[0], {**hands[1], "dealer": hands[0]["dealer"]})) == "wrong-leader"
    assert agree(record_of(*hands[:2], options={"hands": 2})) is None
    assert agree(record_of(*hands[:3], options={"hands": 2})) == "match-over"
    assert agree(record_of({**hands[0], "moves": hands[0]["moves"][:-1]}, hands[1])) == "hand-unfinished"
    more = {"seat": 0, "type": "play", "tile": "6-6"}
    for move in (more, hands[0]["moves"][0], {"seat": 0, "type": "discard", "count": 0}):
        assert agree(record_of({**hands[0], "moves": [*hands[0]["moves"], move]})) == "hand-over"
