"""The three colour themes of the practice table, with fourteen colours each.

Source: "Electrum Dominoes", the section on the colors menu.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import NamedTuple

from games import read
from games.errors import Malformed, marked

Theme = Mapping[str, str]
"""Colours as ``#rrggbb`` by the name of what has them."""

COLOURS: Mapping[str, str] = {
    "background": marked("Background"),
    "text": marked("Text"),
    "hand": marked("Your hand"),
    "yours": marked("Your plays"),
    "his": marked("Nestor’s plays"),
    "pips": marked("Pips"),
    "lines": marked("Lines"),
    "outlines": marked("Outlines"),
    "hand-selected": marked("Your hand, selected"),
    "pips-selected": marked("Pips, selected"),
    "lines-selected": marked("Lines, selected"),
    "outlines-selected": marked("Outlines, selected"),
    "buttons": marked("Buttons"),
    "button-text": marked("Button text"),
}
"""What has a colour, with its name for people."""


class Contrast(NamedTuple):
    """Two colours that must be told apart."""

    upper: str
    lower: str
    least: Fraction
    """The contrast ratio that they need: 4.5 for text and 3 for shapes."""


TEXT, SHAPE = Fraction(9, 2), Fraction(3)
CONTRASTS = (
    Contrast("text", "background", TEXT),
    Contrast("button-text", "buttons", TEXT),
    Contrast("pips", "hand", SHAPE),
    Contrast("pips", "yours", SHAPE),
    Contrast("pips", "his", SHAPE),
    Contrast("pips-selected", "hand-selected", SHAPE),
)


def _theme(colours: str) -> Theme:
    return dict(zip(COLOURS, (f"#{colour}" for colour in colours.split()), strict=True))


ORIGINAL: tuple[Theme, ...] = (
    _theme("1d4a39 f1ead8 fbf4e1 fbf4e1 f3dcb2 241d18 9c9182 cdbf9c 24435e ffffff 7d94a8 f0a92b f0a92b 221703"),
    _theme("12263f e8f0fa f7f9fc dcebff ffe1c9 14202e 8b97a6 a9b6c6 7a1f3d ffffff c78ba0 ffd166 8fd0ff 0b1a2b"),
    _theme("f2ead9 33261a 3c3530 2f4858 6b2d2d fdf8ee a99b8c 1f1a17 f6d365 2b2012 8d7a3c 7a3b12 5b3a1e fff6e6"),
)
"""The themes as they come."""
HEX = re.compile("#[0-9a-f]{6}")


class Measured(NamedTuple):
    """The contrast of two colours of a theme."""

    pair: Contrast
    ratio: Fraction

    @property
    def enough(self) -> bool:
        return self.ratio >= self.pair.least


def contrast(one: str, other: str) -> Fraction:
    """The contrast ratio of two colours by WCAG 2, from 1 to 21, to the hundredth."""
    lighter, darker = sorted((_luminance(one), _luminance(other)), reverse=True)
    return Fraction(round((lighter + 0.05) / (darker + 0.05) * 100), 100)


def _luminance(colour: str) -> float:
    """How bright a colour is, from 0 to 1. Nothing is scored by it, so it may be a float."""
    red, green, blue = (_linear(int(colour[at : at + 2], 16) / 255) for at in (1, 3, 5))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _linear(part: float) -> float:
    return part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4


def measured(theme: Theme) -> list[Measured]:
    """The contrast of each pair that must be told apart."""
    return [Measured(pair, contrast(theme[pair.upper], theme[pair.lower])) for pair in CONTRASTS]


def read_theme(value: object) -> Theme:
    """A theme from outside. Malformed if a colour is missing, is none, or cannot be read on the other one."""
    given = read.keyed(value, required=tuple(COLOURS))
    theme = {}
    for name in COLOURS:
        with read.field(name):
            colour = read.text(given[name]).lower()
            if not HEX.fullmatch(colour):
                raise Malformed(marked("{value} is not a color like #1d4a39."), value=read.shown(given[name]))
        theme[name] = colour
    if wrong := next((each.pair for each in measured(theme) if not each.enough), None):
        raise Malformed(
            marked("Two colors are too much alike: {upper} on {lower}."),
            upper=COLOURS[wrong.upper],
            lower=COLOURS[wrong.lower],
        )
    return theme


@dataclass(frozen=True, slots=True)
class Themes:
    """The themes of a visitor, and which of them is in use."""

    themes: tuple[Theme, ...] = ORIGINAL
    used: int | None = None
    """None: the colours of the other pages, light or dark."""

    @property
    def theme(self) -> Theme | None:
        """The theme in use."""
        return None if self.used is None else self.themes[self.used]

    def using(self, number: int | None) -> "Themes":
        return replace(self, used=number)

    def saved(self, number: int, theme: Theme) -> "Themes":
        """With this theme in place of the one with this number."""
        return replace(self, themes=tuple(theme if at == number else old for at, old in enumerate(self.themes)))

    def reset(self) -> "Themes":
        """With all three as they come; the one in use stays in use."""
        return replace(self, themes=ORIGINAL)
