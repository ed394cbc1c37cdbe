"""Leads: everybody has their share, at tables of one size or of several."""

import random
from collections.abc import Sequence
from itertools import count

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorekeeper.schedule.late_acceptance import last
from scorekeeper.schedule.leads import leads_in_turn, shared
from scorekeeper.schedule.measures import measure
from scorekeeper.schedule.proposals import propose
from scorekeeper.schedule.seating import MIXED, PARTNERS, Format, Schedule, Seating, Table

TABLES = st.lists(st.integers(0, 8), min_size=3, max_size=4, unique=True).map(tuple)


def off(tables: Sequence[Table], leaders: Sequence[int]) -> int:
    """How far leads are from the shares, as `measures` counts it."""
    led = [(leader, *(each for each in table if each != leader)) for table, leader in zip(tables, leaders, strict=True)]
    return measure(Schedule(MIXED, 9, tuple(Seating((table,)) for table in led))).lead


@given(tables=st.lists(TABLES, min_size=1, max_size=12))
def test_leads_can_be_shared_at_any_tables(tables: list[Table]) -> None:
    """At all tables, and at those of each size, whoever leads at first."""
    tables = sorted(tables, key=len)
    threes = sum(len(table) == 3 for table in tables)
    for first in (leads_in_turn(tables), [table[0] for table in tables], [max(table) for table in tables]):
        leaders = shared(tables, first, tables)
        assert not off(tables, leaders)
        assert not off(tables[:threes], leaders[:threes])
        assert not off(tables[threes:], leaders[threes:])


def test_players_with_their_share_keep_their_leads() -> None:
    tables = [(0, 1, 2), (1, 2, 0), (2, 0, 1)]
    assert shared(tables, [0, 1, 2], tables) == [0, 1, 2]


def test_only_players_who_may_lead_do() -> None:
    tables = [(0, 1, 2, 3)] * 4
    assert sorted(shared(tables, [0, 0, 0, 0], [(0, 2)] * 2 + [(0, 1), (0, 3)])) == [0, 1, 2, 3]
    assert {*shared(tables, [0, 0, 0, 0], [(0, 2)] * 4)} == {0, 2}


@pytest.mark.parametrize(
    ("format", "players", "rounds"),
    [
        (MIXED, 13, 2),
        (MIXED, 10, 3),
        (MIXED, 30, 27),
        (MIXED, 38, 9),
        (PARTNERS, 4, 9),
        (PARTNERS, 34, 4),
        (PARTNERS, 52, 8),
    ],
)
def test_everybody_leads_their_share_of_a_schedule(format: Format, players: int, rounds: int) -> None:
    ways = {"rng": random.Random(0), "clock": count().__next__, "seconds": 0}
    assert last(propose(format, players, rounds, **ways)).measures.lead == 0
