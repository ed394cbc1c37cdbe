"""DOM compared with a second opinion: lines, random matches, and the same matches with a random error."""

import itertools
import random
from typing import Any

import pytest

import games
from tests.games import second_opinion_dom as slow
from tests.games.records import first_error

KNOWN_DEAL = [
    ["AS", "AH", "AD", "9C", "KD", "QD", "JD", "TD"],
    ["2S", "3S", "4S", "5S", "2H", "2D", "2C", "7H"],
]


def record_of(*hands: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"format": "scorekeeper-record/1", "game": "dom", "players": ["Ana", "Bo"], "hands": list(hands), **more}


def hand_of(written: str, dealer: int = 1, **more: Any) -> dict[str, Any]:
    """A hand such as ``"KHr1c4 2Sr2c2"``, with the players in turn."""
    moves = [
        {"seat": (dealer + 1 + at) % 2, "type": "place", "card": word[:2], "at": word[2:]}
        for at, word in enumerate(written.split())
    ]
    return {"dealer": dealer, "moves": moves, **more}


# --- the second opinion itself -----------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("line", "value"),
    [
        ("AS", 0),
        ("KS QH", 4),
        ("KS KH", 6),
        ("AS AH KS QH", 22),
        ("AS AH AD 9C", 30),
        ("TS JS QS KS", 16),
        ("2S 3H 4D AC", 2 + 4 + 4),
        ("JS QH KD AC", 4),
        ("QS KH AD 2C", 11),
        ("2S 2H 7D 7C", 6 + 4),
        ("5S 5H 5D 5C", 4 + 12),
        ("3S 3H 3D", 3 + 6),
        ("2S 4S 6S 9S", 10 + 4),
        ("2S 4S 6S", 4),
    ],
)
def test_the_known_lines(line: str, value: int) -> None:
    assert slow.value(line.split()) == value


def test_the_printed_table_is_a_point_for_each_multiple_of_three_five_and_seven() -> None:
    for pips in range(1, 45):
        assert slow.PRINTED.get(pips, 0) == sum(pips // of for of in (3, 5, 7) if pips % of == 0)


def test_a_card_scores_every_line_it_lies_on() -> None:
    square = {(1, 4): "KS", (2, 3): "QH", (3, 2): "KH", (1, 1): "5S"}
    assert slow.score(square, (1, 4)) == slow.value(["KS", "QH", "KH"]) + slow.value(["5S", "KS"]) + slow.value(["KS"])
    assert slow.score(square, (2, 3)) == slow.value(["KS", "QH", "KH"]) + 2 * slow.value(["QH"])


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
        return None
    assert error is not None, (opinion, record)
    assert error["hand"] == opinion.hand, (opinion, error, record)
    proof = None if error["proof"] is None else error["proof"]["move"]
    assert error["proof"] is None or error["proof"]["hand"] == opinion.hand, (error, record)
    assert (error["code"], error["move"], proof) in opinion.answers, (opinion, error, record)
    assert (verdict["finished"], verdict["winners"]) == (False, [])
    return str(error["code"])


def test_every_pattern_of_ranks_in_a_line_scores_alike() -> None:
    lines = list(itertools.combinations_with_replacement(slow.RANKS, 4))
    for ranks in random.Random("patterns").sample(lines, 400):
        cards = [rank + slow.SUITS[ranks[:at].count(rank)] for at, rank in enumerate(ranks)]
        row = " ".join(f"{card}r1c{at + 1}" for at, card in enumerate(cards))
        assert agree(record_of(hand_of(row))) is None


def test_every_flush_scores_alike() -> None:
    for at, ranks in enumerate(itertools.combinations(slow.RANKS, 4)):
        diagonal = " ".join(f"{rank}{slow.SUITS[at % 4]}r{n}c{5 - n}" for n, rank in enumerate(ranks, 1))
        assert agree(record_of(hand_of(diagonal, dealer=at % 2))) is None


def test_random_matches_score_alike_after_every_card() -> None:
    rng = random.Random("matches")
    for _ in range(60):
        hands = [slow.told(hand, rng) for hand in slow.random_match(rng)]
        assert agree(record_of(*hands)) is None
        half = rng.randrange(17)
        assert agree(record_of(hands[0], {**hands[1], "moves": hands[1]["moves"][:half]})) is None
        assert agree(record_of({**hands[0], "moves": hands[0]["moves"][:half]})) is None
    for hand in slow.random_match(rng):
        for upto in range(17):
            assert agree(record_of({**hand, "moves": hand["moves"][:upto]})) is None


def test_matches_entered_by_their_points_score_alike() -> None:
    rng = random.Random("points")
    for _ in range(40):
        hands = slow.random_match(rng)
        for number in rng.sample((0, 1), rng.randint(1, 2)):
            final = {"dealer": hands[number]["dealer"], "final": {"points": slow.judge(hands[number]).points}}
            lost = {**final, "moves": hands[number]["moves"][: rng.randrange(17)]}
            hands[number] = rng.choice((final, lost, {**final, "final": {"points": [rng.randint(0, 3) for _ in "ab"]}}))
        assert agree(record_of(*hands)) is None


def test_damaged_matches_are_refused_alike() -> None:
    rng = random.Random("damaged")
    codes = set()
    for _ in range(300):
        hands = [slow.told(hand, rng) for hand in slow.random_match(rng)]
        number = rng.randrange(2)
        hands[number] = slow.damaged(hands[number], rng)
        if rng.random() < 0.05:
            hands.append(hands[0])
        if rng.random() < 0.05:
            hands[1] = {**hands[1], "dealer": hands[0]["dealer"]}
        codes.add(agree(record_of(*hands)))
    assert codes == {
        None,
        "hand-over",
        "not-your-turn",
        "card-already-placed",
        "card-not-held",
        "cell-taken",
        "corner-first",
        "hand-unfinished",
        "wrong-leader",
        "match-over",
    }


@pytest.mark.parametrize(
    ("written", "twin", "code", "move"),
    [
        ("KHr1c2", "KHr1c1", "corner-first", 0),
        ("KHr2c2", "KHr4c4", "corner-first", 0),
        ("KHr4c1 2Sr4c1", "KHr4c1 2Sr3c1", "cell-taken", 1),
        ("KHr4c1 KHr3c1", "KHr4c1 KSr3c1", "card-already-placed", 1),
        ("KHr4c1 KHr4c1", "KHr4c1 KSr4c2", "card-already-placed", 1),
    ],
)
def test_a_card_where_it_cannot_go_and_its_near_twin(written: str, twin: str, code: str, move: int) -> None:
    assert agree(record_of(hand_of(written))) == code
    assert first_error(record_of(hand_of(written)))["move"] == move
    assert agree(record_of(hand_of(twin))) is None


@pytest.mark.parametrize(
    ("written", "deal", "code"),
    [
        ("KDr1c1 2Sr1c2", KNOWN_DEAL, None),
        ("KSr1c1", KNOWN_DEAL, "card-not-held"),
        ("2Sr1c1", KNOWN_DEAL, "card-not-held"),
        ("KDr1c1 3Sr1c2", [None, KNOWN_DEAL[1]], None),
        ("3Sr1c1", [None, KNOWN_DEAL[1]], "card-not-held"),
        ("KSr1c1", [None, KNOWN_DEAL[1]], None),
        ("KDr1c1 QDr1c2", [KNOWN_DEAL[0], None], "card-not-held"),
        ("KDr1c1 QSr1c2", [KNOWN_DEAL[0], None], None),
        ("2Sr2c2", [KNOWN_DEAL[0], None], "card-not-held"),
    ],
)
def test_a_known_deal_is_checked_against(written: str, deal: Any, code: str | None) -> None:
    assert agree(record_of(hand_of(written, deal=deal))) == code


def test_who_is_on_turn_and_who_deals() -> None:
    assert agree(record_of(hand_of("KDr1c1 2Sr1c2", dealer=0))) is None
    wrong = hand_of("KDr1c1 2Sr1c2", dealer=0)
    wrong["moves"][0]["seat"] = 0
    assert agree(record_of(wrong)) == "not-your-turn"
    wrong = hand_of("KDr1c1 2Sr1c2", dealer=0)
    wrong["moves"][1]["seat"] = 1
    assert agree(record_of(wrong)) == "not-your-turn"
    first, second = slow.random_match(random.Random("deals"))
    assert agree(record_of(first, second)) is None
    assert agree(record_of(first, {**second, "dealer": first["dealer"]})) == "wrong-leader"
    assert agree(record_of(first, second, first)) == "match-over"
    assert agree(record_of(first, options={"hands": 1})) is None
    assert agree(record_of(first, second, options={"hands": 1})) == "match-over"
    assert agree(record_of({**first, "moves": first["moves"][:15]}, second)) == "hand-unfinished"
    more = {"seat": first["moves"][0]["seat"], "type": "place", "card": "AS", "at": "r1c1"}
    assert agree(record_of({**first, "moves": [*first["moves"], more]}, second)) == "hand-over"
