"""What a schedule is: rounds of tables, players known by their numbers from 0."""

from dataclasses import dataclass
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


HEADS = Format("heads", (2,))
TRIPLES = Format("triples", (3,))
PARTNERS = Format("partners", (4,), partners=True)
FOURS = Format("fours", (4,))
MIXED = Format("mixed", (3, 4))
FORMATS = {each.name: each for each in (HEADS, TRIPLES, PARTNERS, FOURS, MIXED)}


def sides(format: Format, table: Table) -> frozenset[frozenset[int]]:
    """Who sits there with whom, in whichever seats."""
    return frozenset(map(frozenset, (table[0::2], table[1::2]) if format.partners else (table,)))


@dataclass(frozen=True, slots=True)
class Schedule:
    format: Format
    players: int
    rounds: tuple[Round, ...]
