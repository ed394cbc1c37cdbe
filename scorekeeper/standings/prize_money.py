"""Prize money: who gets how much of the amounts for the first places. Points that are given as prizes are shared in the
same way."""

from collections.abc import Hashable, Iterator, Sequence
from fractions import Fraction
from itertools import groupby
from typing import NamedTuple, Self

from scorekeeper.standings.ranking import Standing

BY_PLACE, EQUALLY, HALF_AND_HALF = "place", "equal", "hort"
SHARING = (BY_PLACE, EQUALLY, HALF_AND_HALF)
"""What those get who are equal in the first criterion: each the amount of their place; the mean of the amounts of all
of them; or half of the one and half of the other, which is known as the Hort system."""


class Ranked(NamedTuple):
    """Somebody who can get a prize."""

    place: int
    first: Hashable
    """Their value in the first criterion. Whoever shares a place has the same."""

    @classmethod
    def of(cls, row: Standing) -> Self:
        """In a knock-out, which has no criteria, only those who share a place are equal."""
        return cls(row.place, next((value.value for value in row.values.values()), row.place))


def shares(amounts: Sequence[int], ranked: Sequence[Ranked], sharing: str) -> list[int]:
    """What each of `ranked` gets, the best first. `amounts`: of the places from 1, whole numbers of the smallest unit,
    the greatest first. `sharing` is one of SHARING; those who share a place always get the mean of what they cover.

    The amounts of all places that somebody has are paid, and nothing else. A share that is no whole number is rounded
    down; what is left of the amounts of those who share them goes to those who were rounded down, one unit each, in
    their order.
    """
    own = [Fraction(amount) for amount in [*amounts, *[0] * len(ranked)][: len(ranked)]]
    by_place = _means(own, [each.place for each in ranked])
    if sharing == BY_PLACE:
        return _rounded(by_place, [each.place for each in ranked])
    first = [each.first for each in ranked]
    equal = _means(own, first)
    if sharing == EQUALLY:
        return _rounded(equal, first)
    return _rounded([(one + other) / 2 for one, other in zip(by_place, equal, strict=True)], first)


def _means(values: Sequence[Fraction], keys: Sequence[Hashable]) -> list[Fraction]:
    """For each value the mean of those whose keys are the same."""
    return [sum(part, Fraction()) / len(part) for part in _parts(values, keys) for _each in part]


def _rounded(values: Sequence[Fraction], keys: Sequence[Hashable]) -> list[int]:
    """Whole numbers that have the same sum among those whose keys are the same."""
    found = []
    for part in _parts(values, keys):
        whole = [value.numerator // value.denominator for value in part]
        left = int(sum(part) - sum(whole))
        lost = [at for at, value in enumerate(part) if value != whole[at]]
        for at in lost[:left]:
            whole[at] += 1
        found += whole
    return found


def _parts(values: Sequence[Fraction], keys: Sequence[Hashable]) -> Iterator[list[Fraction]]:
    """The values, divided where the key changes."""
    for _key, part in groupby(zip(keys, values, strict=True), lambda each: each[0]):
        yield [value for _each, value in part]
