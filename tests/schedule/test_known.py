"""What is said to exist, or not to: against what is made, and against trying everything."""

import random
from itertools import combinations, count

import pytest

from scorekeeper.schedule.known import known
from scorekeeper.schedule.round_robin import cycle, propose
from scorekeeper.schedule.rounds import FOURS, HEADS, MIXED, PARTNERS, TRIPLES, Format


@pytest.mark.parametrize("format", [HEADS, TRIPLES, PARTNERS, FOURS], ids=lambda format: format.name)
def test_what_is_made_at_the_bound_is_never_said_not_to_exist(format: Format) -> None:
    for players in range(max(3, format.size), 65):
        for rounds in {2, 3, cycle(format, players)} & {*range(1, 4 * cycle(format, players))}:
            made = next(propose(format, players, rounds, rng=random.Random(1), clock=count().__next__, seconds=0))
            if made.least:
                assert known(format, players, rounds).exists is not False, (players, rounds)


@pytest.mark.parametrize(("format", "players", "rounds"), [(TRIPLES, 6, 2), (TRIPLES, 7, 2), (FOURS, 12, 2)])
def test_what_is_said_not_to_exist_is_found_by_no_trying(format: Format, players: int, rounds: int) -> None:
    """All second rounds after the first one in which 1, 2, 3 … sit together."""
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

    impossible = known(format, players, rounds).exists is False
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
    found = known(format, players, rounds)
    assert (found.exists, bool(found.why)) == (exists, exists is not None)
