"""Standings on a big screen, of a night or a tournament: figures in columns below their heads."""

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Column:
    """A column of figures on a big screen."""

    head: str
    widest: str
    """The longest figure in it: it makes room for all."""


@dataclass(frozen=True, slots=True)
class StandingLine:
    """A person or an entrant in a list of standings on a big screen. Equal values are drawn alike."""

    place: int
    """0 before the first result."""
    name: str
    figures: tuple[tuple[str, Column], ...]
    """The first one counts first."""
    out: bool = False
    """Whether they came to too few tables to be placed with the others."""
    note: str = ""
    """What is to be said of them, below the name."""


@dataclass(frozen=True, slots=True)
class Standings:
    """A list of standings on a big screen."""

    columns: tuple[Column, ...]
    lines: tuple[StandingLine, ...]

    @classmethod
    def of(
        cls, heads: Sequence[str], rows: Sequence[tuple[int, str, bool, Sequence[str]]], notes: Sequence[str] = ()
    ) -> "Standings":
        """`rows`: the place of each, the name, whether they are out, and the figures in the order of the `heads`.
        `notes`: for each row, if there are any."""
        columns = tuple(
            Column(head, max((figures[at] for *_who, figures in rows), key=_width, default=""))
            for at, head in enumerate(heads)
        )
        lines = (
            StandingLine(place, name, tuple(zip(each, columns, strict=True)), out, note)
            for (place, name, out, each), note in zip(rows, notes or [""] * len(rows), strict=True)
        )
        return cls(columns, tuple(lines))


def _width(figure: str) -> tuple[int, bool]:
    """Signs and fractions are wider than digits."""
    return len(figure), not figure.isdecimal()
