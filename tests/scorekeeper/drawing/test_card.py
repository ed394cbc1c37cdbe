"""Every card looks different from every other, and has the colour of its suit."""

from xml.etree import ElementTree

from games.cards import COUNT, NAMES
from scorekeeper.drawing import card_svg


def test_every_card_is_drawn_and_no_two_alike() -> None:
    drawn = {}
    for card in range(COUNT):
        svg = ElementTree.fromstring(card_svg(card))
        assert svg.get("data-card") == NAMES[card]
        (rank,) = svg.iter("text")
        (suit,) = (path.get("d") for path in svg.iter("path"))
        drawn[rank.text, suit] = svg.get("class")
        assert rank.text == NAMES[card][0].replace("T", "10")
    assert len(drawn) == COUNT
    assert len({suit for _rank, suit in drawn}) == 4


def test_hearts_and_diamonds_are_red() -> None:
    for card, name in enumerate(NAMES):
        assert ("red" in card_svg(card)) == (name[1] in "HD")
