"""The rows of standings compared: who moved since the round before, and what decided between neighbours."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise, takewhile
from typing import NamedTuple

from scorekeeper.standings.ranking import Standing
from scorekeeper.standings.results import Results
from scorekeeper.standings.tournament import Kind

TOO_FEW = "minimum_played"
"""Decides between somebody who came to enough tables and somebody who did not."""


class Moved(NamedTuple):
    """An entrant who has another place in other standings."""

    name: str
    before: int
    after: int

    def reaches(self, last: int) -> bool:
        """Whether they get one of the places up to `last`, and had none of them."""
        return self.after <= last < self.before

    def loses(self, last: int) -> bool:
        """Whether they had one of the places up to `last`, and get none of them."""
        return self.before <= last < self.after


def decisions(rows: Sequence[Standing]) -> Mapping[int, str]:
    """By entrant: the first criterion in which they are ahead of the next row, or TOO_FEW. Nothing for those who share
    their place with the next row, and in a knock-out."""
    return {above.entrant: name for above, below in pairwise(rows) for name in _differences(above, below)}


def _differences(above: Standing, below: Standing) -> Iterator[str]:
    if above.place == below.place:
        return
    if above.out != below.out:
        yield TOO_FEW
        return
    yield from [name for name, value in above.values.items() if value.value != below.values[name].value][:1]


def equals(rows: Sequence[Standing], criterion: str) -> list[list[Standing]]:
    """The groups of two or more who are equal in everything before the criterion, by place. None without it."""
    equal: dict[tuple[object, ...], list[Standing]] = {}
    for row in rows:
        earlier = takewhile(lambda name: name != criterion, row.values)
        if criterion in row.values:
            equal.setdefault((row.out, *(row.values[name].value for name in earlier)), []).append(row)
    return [group for group in equal.values() if len(group) > 1]


def those_there(results: Results, rows: Sequence[Standing]) -> list[Standing]:
    """The rows without those who were not there yet, placed among themselves."""
    absent = not_yet_there(results)
    return among(rows, {row.entrant for row in rows if row.entrant not in absent})


def among(rows: Sequence[Standing], entrants: Collection[int]) -> list[Standing]:
    """The rows of these entrants, placed among themselves. Those who are equal still share a place."""
    there = [row for row in rows if row.entrant in entrants]
    return [replace(row, place=1 + sum(other.place < row.place for other in there)) for row in there]


def movements(now: Sequence[Standing], before: Sequence[Standing]) -> Mapping[int, int]:
    """By entrant of both: how many places they went up; negative for down."""
    places = {row.entrant: row.place for row in before}
    return {row.entrant: places[row.entrant] - row.place for row in now if row.entrant in places}


def moved(now: Sequence[Standing], before: Sequence[Standing]) -> list[Moved]:
    """Those whose place changes, by their new place."""
    up = movements(now, before)
    return [Moved(row.name, row.place + up[row.entrant], row.place) for row in now if up[row.entrant]]


def not_yet_there(results: Results) -> frozenset[int]:
    """Those who were absent in all rounds that count: most of them were entered later."""
    return frozenset(
        entrant for entrant, turns in results.turns.items() if all(turn.kind is Kind.ABSENT for turn in turns)
    )


def newcomers(results: Results) -> frozenset[int]:
    """Those for whom the last round that counts was the first one in which they were not absent."""
    return frozenset(
        entrant
        for entrant, turns in results.turns.items()
        if turns and turns[-1].kind is not Kind.ABSENT and all(turn.kind is Kind.ABSENT for turn in turns[:-1])
    )
