"""The second opinion on DOM, held to the lines the rules work out."""

import pytest

from tests.games import second_opinion_dom as slow


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
