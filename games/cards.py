"""The 52 cards of a pack. A card is an int from 0 to 51, a set of cards a mask, as with tiles.

Records write rank and suit: ``"AS"``, ``"TH"``.
"""

RANKS = "A23456789TJQK"
SUITS = "CDHS"
NAMES: tuple[str, ...] = tuple(rank + suit for suit in SUITS for rank in RANKS)
COUNT = len(NAMES)

SIGNS = {"C": "♣", "D": "♦", "H": "♥", "S": "♠"}
"""The signs that people know, by letter."""

_BY_NAME = {text: number for number, text in enumerate(NAMES)}


def parse(text: str) -> int:
    """Reads a card. KeyError if there is no such card."""
    return _BY_NAME[text]


def rank(card: int) -> int:
    """1 for an ace, 2 to 10, then 11, 12, 13 for jack, queen, king."""
    return card % 13 + 1


def suit(card: int) -> int:
    """The position of the card's suit in ``SUITS``."""
    return card // 13


def shown(card: int) -> str:
    """The card as people write it: 10♥."""
    return NAMES[card][0].replace("T", "10") + SIGNS[NAMES[card][1]]
