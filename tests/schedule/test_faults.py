"""Faults: every damage to a good schedule is found."""

from collections.abc import Callable

import pytest

from scorekeeper.schedule.faults import faults
from scorekeeper.schedule.seating import HEADS, TRIPLES, Schedule, Seating
from tests.schedule.samples import made, whist


def first_round(change: Callable[[Seating], Seating]) -> Schedule:
    good = whist()
    return Schedule(good.format, good.players, (change(good.rounds[0]), *good.rounds[1:]))


def below_zero(round: Seating) -> Seating:
    return Seating((tuple(-1 - each for each in round.tables[0]), round.tables[1]))


@pytest.mark.parametrize(
    ("change", "codes"),
    [
        (lambda round: Seating(round.tables[1:], round.byes), {"player-missing"}),
        (lambda round: Seating((*round.tables, round.tables[0]), round.byes), {"player-twice"}),
        (lambda round: Seating(round.tables, (0,)), {"player-twice"}),
        (lambda round: Seating((round.tables[0][:3], round.tables[1]), round.byes), {"table-size", "player-missing"}),
        (lambda round: Seating(((*round.tables[0], 8), round.tables[1])), {"table-size", "no-such-player"}),
        (lambda round: Seating((round.tables[0] + round.tables[1],)), {"table-size"}),
        (lambda round: Seating(()), {"player-missing"}),
        (lambda round: Seating((), tuple(range(8))), set()),
        (lambda round: Seating(((), *round.tables)), {"table-size"}),
        (below_zero, {"player-missing", "no-such-player"}),
        (lambda round: Seating((round.tables[0][:1] * 4, round.tables[1])), {"player-twice", "player-missing"}),
    ],
    ids=[
        "one table missing",
        "a table twice",
        "a bye and a seat",
        "three at a table",
        "five at a table",
        "all at one table",
        "nobody has a place",
        "everybody has a bye",
        "an empty table",
        "numbers below 0",
        "one player four times",
    ],
)
def test_damage_is_found(change: Callable[[Seating], Seating], codes: set[str]) -> None:
    found = faults(first_round(change))
    assert {fault.code for fault in found} == codes
    assert all(fault.round == 0 for fault in found)


def test_a_missing_released_round_is_found() -> None:
    one = Seating(((0, 1), (2, 3)))
    assert [fault.code for fault in faults(Schedule(HEADS, 4, (one,)), released=(one, one))] == ["released-changed"]


def test_a_changed_released_round_is_found() -> None:
    before = made(TRIPLES, 9, 4)
    assert [fault.code for fault in faults(before, released=before.rounds[1:2])] == ["released-changed"]
