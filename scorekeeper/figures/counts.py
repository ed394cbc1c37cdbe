"""Figures as values: for each kind of figure, a number for each thing that is counted."""

from collections import Counter
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
    """All these numbers, added up; what stays at 0 is left out."""
    return _without_zeros((each.figure, each.of, each.number) for each in counts)


def added(all_counts: Iterable[Counts]) -> dict[str, dict[str, int]]:
    """The sum of the figures."""
    return _without_zeros(
        (figure, of, number)
        for counts in all_counts
        for figure, numbers in counts.items()
        for of, number in numbers.items()
    )


def _without_zeros(numbers: Iterable[tuple[str, str, int]]) -> dict[str, dict[str, int]]:
    sums: Counter[tuple[str, str]] = Counter()
    for figure, of, number in numbers:
        sums[figure, of] += number
    found: dict[str, dict[str, int]] = {}
    for (figure, of), number in sorted(sums.items()):
        if number:
            found.setdefault(figure, {})[of] = number
    return found
