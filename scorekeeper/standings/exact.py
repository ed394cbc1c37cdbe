"""Exact numbers: whole ones and fractions, never decimal ones."""

import re
from collections.abc import Iterable, Sequence
from fractions import Fraction
from math import lcm
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


def as_json(value: Number) -> int | str:
    """A whole number, or a fraction as text, as `number` reads it."""
    return int(value) if value.denominator == 1 else str(value)


def total(values: Iterable[Number]) -> Number:
    """The sum."""
    return _quotient(*_sum(values))


def mean(values: Sequence[Number]) -> Number:
    """The mean of at least one value."""
    if len(values) == 1:
        return values[0]
    above, below = _sum(values)
    return _quotient(above, below * len(values))


def _sum(values: Iterable[Number]) -> tuple[int, int]:
    """The sum as two numbers, above and below the line. Adding fractions one by one is slow: most numbers are whole,
    and the others have few denominators."""
    whole = 0
    parts: dict[int, int] = {}
    for value in values:
        if type(value) is int:
            whole += value
        else:
            parts[value.denominator] = parts.get(value.denominator, 0) + value.numerator
    if not parts:
        return whole, 1
    below = lcm(*parts)
    return whole * below + sum(part * (below // each) for each, part in parts.items()), below


def _quotient(above: int, below: int) -> Number:
    """A whole number if it is one."""
    return Fraction(above, below) if above % below else above // below


def _no_number(value: Any) -> Malformed:
    text = marked("Expected a whole number, or a fraction in lowest terms like 3/2, not {value}.")
    return Malformed(text, value=read.shown(value))
