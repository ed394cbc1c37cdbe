"""The second opinion on Domizerka, held to the rules and to playing every completion through."""

import math
import random
from typing import Any

import pytest

from tests.games import second_opinion_domizerka as slow

CONTRACTS = sorted(slow.TRUMPS)


def some_hand(rng: random.Random, careless: float = 0.0) -> dict[str, Any]:
    return slow.random_hand(rng, rng.randrange(3), CONTRACTS, careless)


def cut(hand: dict[str, Any], upto: int) -> dict[str, Any]:
    return {**hand, "moves": hand["moves"][:upto]}


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
