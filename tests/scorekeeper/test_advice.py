"""What Nestor tells somebody to do."""

import pytest

from games import cards
from games.moves import Claim, Contract, Move, Play, Roll
from games.tiles import parse
from scorekeeper.pages.advice import advice

NINE = cards.parse("9S")


@pytest.mark.parametrize(
    ("move", "said"),
    [
        (Play(0, parse("5-4"), "n"), "Lay 5-4 N."),
        (Play(0, parse("5-4"), "n", Claim("card", NINE)), "Lay 5-4 N. Claim it with 9♠."),
        (Play(0, parse("5-4"), "n", Claim("multiple")), "Lay 5-4 N. Claim it as a multiple of the dice."),
        (
            Play(0, parse("5-4"), "n", Claim("virtual", NINE)),
            "Lay 5-4 N. Claim it with the virtual card of the four dice, and drop 9♠.",
        ),
        (Roll(0, (1, 2, 3, 4)), "Roll 4 dice."),
        (Contract(0, "evens", 4), "Call evens, with trumps 4."),
    ],
)
def test_a_move_is_said_as_a_sentence(move: Move, said: str) -> None:
    assert advice(move) == said
