"""Exact numbers: whole ones and fractions, never decimal ones."""

import re
from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Any

from games import read
from games.errors import Malformed, marked

Number = int | Fraction
HALF = Fraction(1, 2)
_FRACTION = re.compile(r"(-?[1-9]\d*)/([1-9]\d*)", re.ASCII)


def number(value: Any) -> Number:
    """A whole number, or a fraction as text in lowest terms, like `"3/2"`. Malformed for anything else."""
    if not isinstance(value, str):
        return read.number(value)
    parts = _FRACTION.fullmatch(value)
    if not parts or max(map(len, parts.groups())) > len(str(read.LARGEST)):
        raise _no_number(value)
    found = Fraction(int(parts[1]), int(parts[2]))
    if str(found) != value or found.denominator == 1:
        raise _no_number(value)
    return found


def total(values: Iterable[Number]) -> Number:
    """The sum. Most numbers are whole; adding fractions is slow."""
    whole, parts = 0, []
    for value in values:
        if type(value) is int:
            whole += value
        else:
            parts.append(value)
    if not parts:
        return whole
    found = sum(parts, Fraction(whole))
    return found.numerator if found.denominator == 1 else found


def mean(values: Sequence[Number]) -> Number:
    """The mean of at least one value."""
    return values[0] if len(values) == 1 else Fraction(total(values), len(values))


def _no_number(value: Any) -> Malformed:
    text = marked("Expected a whole number, or a fraction in lowest terms like 3/2, not {value}.")
    return Malformed(text, value=read.shown(value))
