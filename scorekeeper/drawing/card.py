"""One playing card as SVG: a pale body, a large index and the suit, which is drawn so that it looks the same on every
device."""

from functools import cache

from games.cards import NAMES, RANKS, SUITS, rank, suit

WIDTH, HEIGHT = 50, 70

# Each suit in a box of 20 by 20 around (0, 0).
_SUITS = {
    "C": (
        "M0-9.8a4.6 4.6 0 1 1 0 9.2a4.6 4.6 0 1 1 0-9.2zM-5.2-2.4a4.6 4.6 0 1 1 0 9.2a4.6 4.6 0 1 1 0-9.2z"
        "M5.2-2.4a4.6 4.6 0 1 1 0 9.2a4.6 4.6 0 1 1 0-9.2zM-2.6-3.4h5.2q-1.6 9.4 1.8 13.2h-8.8q3.4-3.8 1.8-13.2z"
    ),
    "D": "M0-10q3.4 5.8 7.8 10q-4.4 4.2-7.8 10q-3.4-5.8-7.8-10q4.4-4.2 7.8-10z",
    "H": "M0 9.6c-2.6-4.6-9.4-8.2-9.4-13.2a4.9 4.9 0 0 1 9.4-2a4.9 4.9 0 0 1 9.4 2c0 5-6.8 8.6-9.4 13.2z",
    "S": (
        "M0-10c2.6 4.6 9.2 7.4 9.2 12.2a4.4 4.4 0 0 1-7.9 2.6q.4 3.4 2.5 5h-7.6q2.1-1.6 2.5-5"
        "a4.4 4.4 0 0 1-7.9-2.6c0-4.8 6.6-7.6 9.2-12.2z"
    ),
}
_COLOURS = {"C": "black", "D": "red", "H": "red", "S": "black"}


def suit_body(sign: str, x: float, y: float, size: float) -> str:
    """The sign of a suit around (x, y), as wide and high as `size`."""
    return f'<path class="suit" transform="translate({x:g} {y:g}) scale({size / 20:g})" d="{_SUITS[sign]}"/>'


@cache
def card_svg(card: int) -> str:
    """A single card, 50 by 70. Hidden from screen readers: the text next to it must have its name."""
    sign, index = SUITS[suit(card)], RANKS[rank(card) - 1]
    # The two digits of a ten are squeezed to the width of one letter.
    shown, pressed = ("10", ' textLength="38" lengthAdjust="spacingAndGlyphs"') if index == "T" else (index, "")
    marks = (
        f'<rect class="body" x="0.75" y="0.75" width="{WIDTH - 1.5}" height="{HEIGHT - 1.5}" rx="5"/>'
        f'<text class="rank" x="5" y="32" font-size="37"{pressed}>{shown}</text>'
        f"{suit_body(sign, 33, 53, 25)}"
    )
    kind = f"playing-card {_COLOURS[sign]}"
    return (
        f'<svg class="{kind}" viewBox="0 0 {WIDTH} {HEIGHT}" aria-hidden="true" data-card="{NAMES[card]}">{marks}</svg>'
    )
