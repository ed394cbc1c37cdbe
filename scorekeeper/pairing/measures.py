"""By what a round is judged: numbers in a fixed order, less is better, and the first difference decides.

Each number but the byes is a sum over the tables. ``docs/pairing.md`` says what they mean.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import combinations
from typing import NamedTuple

from scorekeeper.pairing.field import Field, Float, Player, floating
from scorekeeper.standings.tournament import First, Pairing, Play

MOST_UNEVEN = 2
BYES = "byes"


class Seated(NamedTuple):
    """A table of the next round: the players of each side, side 0 leads."""

    field: Field
    sides: Sequence[Sequence[Player]]

    @property
    def players(self) -> Iterator[Player]:
        return (player for side in self.sides for player in side)

    @property
    def facing(self) -> Iterator[tuple[Player, Player]]:
        """Each two on different sides."""
        return ((a, b) for one, other in combinations(self.sides, 2) for a in one for b in other)

    @property
    def twos(self) -> Iterator[tuple[Player, Player]]:
        """Each two at the table."""
        return combinations(self.players, 2)

    def floating_again(self) -> Iterator[Player]:
        """Those who float as in the round before."""
        if [len(side) for side in self.sides] == [1, 1]:
            (one,), (other,) = self.sides
            for player, against in ((one, other), (other, one)):
                if player.float is not Float.NONE and player.float is floating(player.points, against.points):
                    yield player

    def leading(self) -> Iterator[tuple[Player, bool, int]]:
        """Each player with whether they lead, and how uneven they are afterwards."""
        for number, side in enumerate(self.sides):
            for player in side:
                yield player, number == 0, player.uneven + (len(self.sides) - 1 if number == 0 else -1)


def _key(one: Player, other: Player) -> tuple[int, int]:
    return min(one.entrant, other.entrant), max(one.entrant, other.entrant)


def _partners(table: Seated) -> int:
    return sum(table.field.partners.get(_key(*two), 0) for side in table.sides for two in combinations(side, 2))


def _again(table: Seated) -> int:
    return sum(table.field.met.get(_key(*two), 0) for two in table.facing)


def _small(table: Seated) -> int:
    players = list(table.players)
    return sum(player.threes for player in players) if len(players) == 3 else 0


def _club(table: Seated) -> int:
    if not table.field.clubs_apart:
        return 0
    return sum(one.club is not None and one.club == other.club for one, other in table.twos)


def _difference(table: Seated) -> int:
    """In parts of the square of the unit."""
    return sum((one.points - other.points) ** 2 for one, other in table.twos)


def _sides(table: Seated) -> int:
    sums = [sum(player.points for player in side) for side in table.sides]
    return sum((one - other) ** 2 for one, other in combinations(sums, 2))


def _thrice(table: Seated) -> int:
    return sum(
        player.led[-2:] == (leads, leads) or abs(uneven) > MOST_UNEVEN for player, leads, uneven in table.leading()
    )


def _floats(table: Seated) -> int:
    return sum(1 for _player in table.floating_again())


def _leads(table: Seated) -> int:
    return sum(uneven**2 for _player, _leads, uneven in table.leading())


def _across(table: Seated) -> int:
    if table.field.random:
        return 0
    return sum((one.place - other.place) ** 2 for one, other in table.twos if one.points != other.points)


def _within(table: Seated) -> int:
    field = table.field
    if field.random:
        return 0
    fold = field.stage.pairing is Pairing.FOLD
    equal = ((one, other) for one, other in table.twos if one.points == other.points)
    return sum((abs(one.place - other.place) - (one.half if fold else 0)) ** 2 for one, other in equal)


def _even(table: Seated) -> int:
    if table.field.random:
        return 0
    sums = [sum(player.place for player in side) for side in table.sides]
    return sum((one - other) ** 2 for one, other in combinations(sums, 2))


OF_TABLE: Mapping[str, Callable[[Seated], int]] = {
    "partners": _partners,
    "again": _again,
    "small": _small,
    "club": _club,
    "difference": _difference,
    "sides": _sides,
    "thrice": _thrice,
    "floats": _floats,
    "leads": _leads,
    "across": _across,
    "within": _within,
    "even": _even,
}
ONLY: Mapping[str, frozenset[Play]] = {
    "partners": frozenset({Play.PARTNERS}),
    "small": frozenset({Play.MIXED}),
    "sides": frozenset({Play.PARTNERS}),
    "thrice": frozenset({Play.HEADS}),
    "floats": frozenset({Play.HEADS}),
    "even": frozenset({Play.PARTNERS}),
}
"""The numbers that only some kinds of play have."""
SQUARED = frozenset({"difference", "sides"})
"""The numbers that are counted in parts of the square of the field's unit."""
POINTS = ("difference", "sides")


def measures(field: Field) -> list[str]:
    """The names of the numbers that apply, the most important first."""
    order = ["partners", "again", BYES, "small", "club", *POINTS, *list(OF_TABLE)[6:]]
    if field.stage.first is First.POINTS:
        order = [*POINTS, *(each for each in order if each not in POINTS)]
    return [each for each in order if each not in ONLY or field.play in ONLY[each]]
