"""The next round of a stage: its tables, who has a bye, and what both are worth."""

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

from scorekeeper.pairing.field import Field, Player
from scorekeeper.pairing.leads import seated
from scorekeeper.pairing.measures import BYES, OF_TABLE, SQUARED, Seated, measures
from scorekeeper.standings.exact import Number

Sides = Sequence[Sequence[int]]
"""Who plays together on each side, by start number."""


class Drawn(NamedTuple):
    """Who sits together, before it is decided who leads; and who has a bye."""

    tables: Sequence[Sides]
    byes: Sequence[int]


class NextTable(NamedTuple):
    sides: tuple[tuple[int, ...], ...]
    """Side 0 leads the first hand."""
    why: Mapping[str, Number]
    """What the table adds to each number of the round."""


class NextRound(NamedTuple):
    number: int
    tables: list[NextTable]
    """By the best place at them."""
    byes: list[int]
    """Those that were drawn."""
    rating: Mapping[str, Number | list[int]]
    """The numbers that the round is judged by, in their order."""


def next_round(field: Field, drawn: Drawn) -> NextRound:
    """The round as it is played, with the tables that were settled before."""
    players = field.players
    settled = [(True, [[players[each] for each in side] for side in table.sides]) for table in field.settled]
    free = [(False, [[players[each] for each in side] for side in sides]) for sides in drawn.tables]
    ordered = sorted([*settled, *free], key=lambda each: _best_place(each[1]))
    tables = [
        Seated(field, sides) if stands else seated(field, sides, number)
        for number, (stands, sides) in enumerate(ordered, 1)
    ]
    names = measures(field)
    adds = [{name: _value(field, name, table) for name in names if name != BYES} for table in tables]
    rating: dict[str, Number | list[int]] = {
        name: byes(field, drawn) if name == BYES else sum(each[name] for each in adds) for name in names
    }
    return NextRound(
        field.round,
        [
            NextTable(tuple(tuple(each.entrant for each in side) for side in table.sides), values)
            for table, values in zip(tables, adds, strict=True)
        ],
        sorted(drawn.byes),
        rating,
    )


def byes(field: Field, drawn: Drawn) -> list[int]:
    """The numbers in the queue of those who have a bye, the greatest first."""
    return sorted((field.players[each].queue for each in (*drawn.byes, *field.given_byes)), reverse=True)


def _value(field: Field, name: str, table: Seated) -> Number:
    value = Fraction(OF_TABLE[name](table), field.unit**2 if name in SQUARED else 1)
    return value.numerator if value.denominator == 1 else value


def _best_place(sides: Iterable[Iterable[Player]]) -> int:
    return min(player.place for side in sides for player in side)
