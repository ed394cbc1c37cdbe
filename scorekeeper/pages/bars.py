"""Tables of numbers with a bar in each row."""

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Bar:
    """A row: what is counted, how often, and the length of its bar."""

    label: str
    number: int
    percent: int
    more: tuple[int, ...] = ()
    """The numbers under the further headings of the table."""
    tile: str = ""
    """The tile that it is about; "" if it is about none."""
    href: str = ""
    """The page that the label leads to; "" if there is none."""


@dataclass(frozen=True, slots=True)
class Table:
    name: str
    heading: str
    """Of the numbers."""
    bars: Sequence[Bar]
    more: tuple[str, ...] = ()
    """Of the further numbers."""
    over: str = ""
    """What it is about: how many hands, or nights."""
    beyond: str = ""
    """What is not in the rows; "" if nothing is left out."""
