"""Adds up the results of everybody's matches, and makes the table of a game."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import groupby
from operator import itemgetter

from scorekeeper.names import alphabetical
from scorekeeper.standings.sittings import Person, SittingResult


@dataclass(frozen=True, slots=True)
class Sum:
    """The sum of somebody's matches of one game. Sums of different matches can be added."""

    name: str
    played: int
    """Matches in which they played a hand."""
    won: int
    """Matches that their side won, while they sat there at the end."""
    shared: int
    """Matches that their side won together with another side."""
    hands: int
    points_for: int
    """The points of their side."""
    points_against: Fraction
    """The points of the other sides, on average if there are several."""
    unverified: int
    """How many of the matches have a result but no hands."""

    def __add__(self, other: "Sum") -> "Sum":
        return Sum(
            other.name,
            self.played + other.played,
            self.won + other.won,
            self.shared + other.shared,
            self.hands + other.hands,
            self.points_for + other.points_for,
            self.points_against + other.points_against,
            self.unverified + other.unverified,
        )


Sums = Mapping[Person, Sum]
"""Everybody's sum for one game."""


@dataclass(frozen=True, slots=True)
class Row:
    """Somebody's row in the table of a game. The points are those of their side."""

    place: int
    """From 1. People with the same merit share a place."""
    player: int | None
    name: str
    played: int
    won: int
    shared: int
    hands: int
    points_for: int
    points_against: Fraction
    fewer_is_better: bool
    unverified: int

    @property
    def wins(self) -> Fraction:
        """A shared win is half a win."""
        return self.won + Fraction(self.shared, 2)

    @property
    def difference(self) -> Fraction:
        """How much better their points are than the others': positive is good in every game."""
        more = self.points_for - self.points_against
        return -more if self.fewer_is_better else more

    @property
    def merit(self) -> tuple[Fraction, Fraction, Fraction]:
        """The order of rows: by wins, then wins per match, then difference."""
        return self.wins, self.wins / self.played, self.difference


def sums_of(match: Iterable[SittingResult]) -> dict[Person, Sum]:
    """Everybody's sum for one match, without sittings that do not count. Two sittings of one person are one match."""
    found: dict[Person, Sum] = {}
    for each in match:
        if each.counts:
            person, before = each.sitting.person, found.get(each.sitting.person)
            new = Sum(
                each.sitting.name,
                1,
                each.won,
                each.shared,
                each.hands,
                each.points,
                Fraction(each.against, each.others),
                each.unverified,
            )
            again = before and replace(before + new, played=1, unverified=max(before.unverified, new.unverified))
            found[person] = again or new
    return found


def added(one: Sums, other: Sums) -> dict[Person, Sum]:
    """Adds the sums of different matches."""
    both = {person: one[person] + other[person] for person in one.keys() & other.keys()}
    return {**one, **other, **both}


def rows(sums: Sums, fewer_is_better: bool) -> list[Row]:
    """The rows of a game in order, with places."""
    found = [
        Row(
            0,
            player,
            each.name,
            each.played,
            each.won,
            each.shared,
            each.hands,
            each.points_for,
            each.points_against,
            fewer_is_better,
            each.unverified,
        )
        for (player, _name), each in sums.items()
    ]
    found.sort(key=lambda row: alphabetical(row.name))
    order = sorted([(row.merit, row) for row in found], key=itemgetter(0), reverse=True)
    placed: list[Row] = []
    for _merit, equal in groupby(order, key=itemgetter(0)):
        placed += [replace(row, place=len(placed) + 1) for _merit, row in equal]
    return placed
