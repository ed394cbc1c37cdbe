"""Existence proofs: compared with what is made, and with trying everything."""

import random
from itertools import combinations, count

import pytest

from scorekeeper.schedule.existence import existence_of
from scorekeeper.schedule.late_acceptance import last
from scorekeeper.schedule.proposals import propose
from scorekeeper.schedule.seating import FOURS, HEADS, MIXED, PARTNERS, TRIPLES, Format
from scorekeeper.schedule.theory import cycle_length


@pytest.mark.parametrize("format", [HEADS, TRIPLES, PARTNERS, FOURS], ids=lambda format: format.name)
def test_every_schedule_that_is_made_is_known_to_exist_or_unknown(format: Format) -> None:
    for players in range(max(3, format.size), 65):
        for rounds in {2, 3, cycle_length(format, players)} & {*range(1, 4 * cycle_length(format, players))}:
            made = last(propose(format, players, rounds, rng=random.Random(1), clock=count().__next__, seconds=0))
            if made.optimal:
                assert existence_of(format, players, rounds).exists is not False, (players, rounds)


@pytest.mark.parametrize(("format", "players", "rounds"), [(TRIPLES, 6, 2), (TRIPLES, 7, 2), (FOURS, 12, 2)])
def test_no_search_finds_a_schedule_that_does_not_exist(format: Format, players: int, rounds: int) -> None:
    """Tries every second round after a first one in which players 0, 1, 2 … sit together."""
    size = format.size
    first = [range(at, at + size) for at in range(0, players // size * size, size)]
    met = {pair for table in first for pair in combinations(table, 2)}

    def can(left: frozenset[int], tables: int) -> bool:
        if not tables:
            return True
        return any(
            can(left - {*table}, tables - 1)
            for table in combinations(sorted(left), size)
            if not met & {*combinations(table, 2)}
        )

    impossible = existence_of(format, players, rounds).exists is False
    assert impossible is not can(frozenset(range(players)), players // size)


@pytest.mark.parametrize(
    ("format", "players", "rounds", "exists"),
    [
        (PARTNERS, 96, 95, True),
        (PARTNERS, 97, 97, True),
        (PARTNERS, 98, 98, None),
        (TRIPLES, 99, 49, True),
        (TRIPLES, 12, 5, False),
        (TRIPLES, 12, 4, True),
        (TRIPLES, 100, 100, True),
        (FOURS, 76, 25, True),
        (FOURS, 20, 6, None),
        (MIXED, 11, 6, None),
        (MIXED, 7, 2, False),
        (MIXED, 10, 2, False),
    ],
)
def test_the_theorems(format: Format, players: int, rounds: int, exists: bool | None) -> None:
    found = existence_of(format, players, rounds)
    assert (found.exists, bool(found.theorem)) == (exists, exists is not None)
