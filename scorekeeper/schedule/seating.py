"""Who sits where: tables, a round of tables, a schedule of rounds. Players are known by their numbers from 0."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import NamedTuple

Table = tuple[int, ...]
"""Players by seat, clockwise. Seat 0 leads. With partners, seats 0 and 2 play against seats 1 and 3."""
Sides = tuple[tuple[int, ...], ...]
"""The players at a table, side after side: ``((1, 3), (2, 4))`` or ``((1,), (2,))``."""


class Seating(NamedTuple):
    """Who sits at which table in one round, and who has a bye."""

    tables: tuple[Table, ...]
    byes: tuple[int, ...] = ()
    """In a schedule, in ascending order."""

    def without(self, left: Collection[int]) -> "Seating":
        """Tables of those who left are given up; the others there have a bye."""
        given_up = [table for table in self.tables if not {*table}.isdisjoint(left)]
        byes = {*self.byes, *(player for table in given_up for player in table)}.difference(left)
        return Seating(tuple(table for table in self.tables if table not in given_up), tuple(sorted(byes)))


@dataclass(frozen=True, slots=True)
class Format:
    """How many sit at a table of a schedule, and whether they have partners."""

    name: str
    sizes: tuple[int, ...]
    """The sizes a table may have, the usual one last."""
    partners: bool = False

    @property
    def size(self) -> int:
        """The usual number of players at a table."""
        return self.sizes[-1]

    @property
    def sides(self) -> int:
        """The usual number of sides at a table."""
        return 2 if self.partners else self.size


HEADS = Format("heads", (2,))
TRIPLES = Format("triples", (3,))
PARTNERS = Format("partners", (4,), partners=True)
FOURS = Format("fours", (4,))
MIXED = Format("mixed", (3, 4))
FORMATS = {format.name: format for format in (HEADS, TRIPLES, PARTNERS, FOURS, MIXED)}


def sides(format: Format, table: Table) -> frozenset[frozenset[int]]:
    """The players of each side, whatever their seats."""
    return frozenset(map(frozenset, (table[0::2], table[1::2]) if format.partners else (table,)))


@dataclass(frozen=True, slots=True)
class Schedule:
    format: Format
    players: int
    rounds: tuple[Seating, ...]


@dataclass(frozen=True, slots=True)
class Shape:
    """One kind of table: how many sit there, and the seats of each side, as in ``((0, 2), (1, 3))``."""

    seats: int
    sides: tuple[tuple[int, ...], ...]

    def sides_of(self, table: Sequence[int]) -> Sides:
        """The players of each side, from players by seat."""
        return tuple(tuple(table[seat] for seat in side) for side in self.sides)

    def by_seat(self, people: Iterable[int]) -> Table:
        """A table, from its players side after side."""
        seated = dict(zip(chain.from_iterable(self.sides), people, strict=True))
        return tuple(seated[seat] for seat in range(self.seats))
