"""Figures as values: for each kind of figure, a number for each thing that is counted."""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

Counts = Mapping[str, Mapping[str, int]]
"""By figure, then by what is counted, as in ``{"openings": {"6-6": 3}}``."""


class Count(NamedTuple):
    """A number to add to a figure, such as ``openings``, for one thing in it, such as ``6-6``."""

    figure: str
    of: str
    number: int = 1


def tallied(counts: Iterable[Count]) -> dict[str, dict[str, int]]:
    """All these numbers, added up; numbers of 0 are left out."""
    return added({each.figure: {each.of: each.number}} for each in counts if each.number)


def added(all_counts: Iterable[Counts]) -> dict[str, dict[str, int]]:
    """The sum of the figures."""
    sums: dict[str, dict[str, int]] = {}
    for counts in all_counts:
        for figure, numbers in counts.items():
            sum_of = sums.setdefault(figure, {})
            for of, number in numbers.items():
                sum_of[of] = sum_of.get(of, 0) + number
    return sums
