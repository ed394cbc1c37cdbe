"""What two people have won with and against each other, and how much of it their ratings expected."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import groupby
from operator import attrgetter
from typing import NamedTuple

from scorekeeper.standings.exact import HALF, Number, total

WON, SHARED, LOST = 2, 1, 0
"""Halves of a win."""


class Played(NamedTuple):
    """A match that counts, for one of those who sat there at its end."""

    match: int
    game: str
    player: int
    side: int
    others: int
    """The number of other sides."""
    place: int
    sharing: int
    """The number of sides that share this place."""
    points: int
    against: int
    """The points of the other sides together."""
    expected: int | None
    """The part of the comparisons with the other sides that they should have won, in per mille; None if the match is
    not rated."""


class Meeting(NamedTuple):
    """A match of two people, from the point of view of one of them."""

    match: int
    game: str
    halves: int
    """WON, SHARED or LOST: by partners the match, by opponents the comparison of their places."""
    points: int
    against: Number
    """The points of the opponent; for partners those of the other sides, on average if there are several."""
    expected: Fraction | None
    """The part of a win that was expected; None if the match is not rated."""
    among: int
    """The number of sides."""


@dataclass(frozen=True, slots=True)
class Record:
    """Meetings added up."""

    matches: int
    won: int
    shared: int
    lost: int
    points: int
    against: Number
    rated: int
    """The number of matches for which something was expected."""
    rated_wins: Number
    """The wins in these; a shared one is half a win."""
    expected: Number
    """The wins expected in these."""

    @property
    def wins(self) -> Fraction:
        """A shared win is half a win."""
        return self.won + self.shared * HALF

    @property
    def per_cent(self) -> int:
        """The wins, of a hundred matches."""
        return round(100 * self.wins / self.matches)

    @property
    def unexpected(self) -> Number:
        """The wins that the other one was expected to have."""
        return self.rated - self.expected

    @property
    def difference(self) -> Number:
        """The wins beyond those expected; negative for fewer."""
        return self.rated_wins - self.expected


class Streak(NamedTuple):
    """Meetings in a row that ended alike."""

    halves: int
    length: int


Meetings = dict[int, list[Meeting]]
"""By the other person."""


def as_people(played: Iterable[Played], people: Mapping[int, int]) -> list[Played]:
    """The same, with one number for each person who has several. `people`: the number of the person, by player."""
    return [each._replace(player=people.get(each.player, each.player)) for each in played]


def meetings(of: int, played: Iterable[Played]) -> tuple[Meetings, Meetings]:
    """Those of a person with partners and with opponents, in the order of `played`, in which the rows of a match stand
    together. Matches without the person have none."""
    partners: Meetings = {}
    opponents: Meetings = {}
    for _match, group in groupby(played, key=attrgetter("match")):
        rows = list(group)
        own = next((row for row in rows if row.player == of), None)
        if own is None:
            continue
        for other in rows:
            if other.side != own.side:
                opponents.setdefault(other.player, []).append(_opposed(own, other))
            elif other is not own:
                partners.setdefault(other.player, []).append(_together(own))
    return partners, opponents


def _together(own: Played) -> Meeting:
    halves = LOST if own.place > 1 else WON if own.sharing == 1 else SHARED
    expected = None if own.expected is None else Fraction(own.expected, 1000)
    average = Fraction(own.against, own.others)
    return Meeting(own.match, own.game, halves, own.points, average, expected, own.others + 1)


def _opposed(own: Played, other: Played) -> Meeting:
    halves = WON if own.place < other.place else SHARED if own.place == other.place else LOST
    expected = _against(own.expected, other.expected, own.others + 1)
    return Meeting(own.match, own.game, halves, own.points, other.points, expected, own.others + 1)


@lru_cache(4096)
def _against(own: int | None, other: int | None, sides: int) -> Fraction | None:
    """The part of a win that a side can expect against one other side, from what each expects of its comparisons with
    all. What it expects against each of them differs from ½ in proportion to what these expect; the mean of that is
    again what it expects of all."""
    if own is None:
        return None
    if sides == 2 or other is None:
        return Fraction(own, 1000)
    return min(max(HALF + Fraction((own - other) * (sides - 1), 1000 * sides), Fraction(0)), Fraction(1))


def record(found: Sequence[Meeting]) -> Record:
    """The sum of these."""
    halves = [each.halves for each in found]
    rated = [each for each in found if each.expected is not None]
    return Record(
        len(found),
        halves.count(WON),
        halves.count(SHARED),
        halves.count(LOST),
        sum(each.points for each in found),
        total(each.against for each in found),
        len(rated),
        sum(each.halves for each in rated) * HALF,
        total(each.expected for each in rated if each.expected is not None),
    )


def streaks(found: Iterable[Meeting]) -> list[Streak]:
    """Every meeting belongs to one of these, the oldest first."""
    return [Streak(halves, len([*alike])) for halves, alike in groupby(found, key=attrgetter("halves"))]


def longest(of: Iterable[Streak], halves: int) -> int:
    """The number of meetings in the longest of these that ended like this; 0 if there is none."""
    return max((each.length for each in of if each.halves == halves), default=0)
