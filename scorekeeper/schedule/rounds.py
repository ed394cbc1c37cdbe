"""What a schedule is: rounds of tables, players known by their numbers from 0."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import NamedTuple

Table = tuple[int, ...]
"""Players by seat, clockwise; who sits in seat 0 leads. With partners seats 0 and 2 play seats 1 and 3."""


class Round(NamedTuple):
    tables: tuple[Table, ...]
    byes: tuple[int, ...] = ()
    """Who sits out, in ascending order."""


@dataclass(frozen=True, slots=True)
class Format:
    """How many sit at a table, and whether they are partners."""

    name: str
    sizes: tuple[int, ...]
    """What a table may have, the usual size last."""
    partners: bool = False

    @property
    def size(self) -> int:
        """The usual number of players at a table."""
        return self.sizes[-1]

    def partnered(self, table: Table) -> Iterator[tuple[int, int]]:
        """The pairs that play together at a table, the lower number first."""
        if self.partners:
            yield _pair(table[0], table[2])
            yield _pair(table[1], table[3])

    def opposed(self, table: Table) -> Iterator[tuple[int, int]]:
        """The pairs that play against each other at a table, the lower number first."""
        together = {*self.partnered(table)}
        return (pair for pair in map(_ordered, combinations(table, 2)) if pair not in together)


HEADS = Format("heads", (2,))
TRIPLES = Format("triples", (3,))
PARTNERS = Format("partners", (4,), partners=True)
FOURS = Format("fours", (4,))
MIXED = Format("mixed", (3, 4))
FORMATS = {each.name: each for each in (HEADS, TRIPLES, PARTNERS, FOURS, MIXED)}


@dataclass(frozen=True, slots=True)
class Schedule:
    format: Format
    players: int
    rounds: tuple[Round, ...]


def met(table: Table) -> Iterator[tuple[int, int]]:
    """Everybody who meets at a table: pairs, the lower number first."""
    return map(_ordered, combinations(table, 2))


def _pair(one: int, other: int) -> tuple[int, int]:
    return (one, other) if one < other else (other, one)


def _ordered(pair: tuple[int, int]) -> tuple[int, int]:
    return _pair(*pair)
