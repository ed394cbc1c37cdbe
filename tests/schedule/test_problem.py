"""Wishes: who must not meet, who cannot move, who arrives late or leaves; and wishes that contradict each other."""

import random

import pytest

from scorekeeper.schedule.faults import faults
from scorekeeper.schedule.measures import measure
from scorekeeper.schedule.problem import Apart, Infeasible, Wishes
from scorekeeper.schedule.proposals import propose
from scorekeeper.schedule.seating import FOURS, HEADS, MIXED, PARTNERS, TRIPLES, Format
from tests.schedule.samples import made


@pytest.mark.parametrize(("format", "players"), [(HEADS, 8), (TRIPLES, 12), (PARTNERS, 16), (FOURS, 16), (MIXED, 11)])
def test_clubmates_do_not_meet_in_the_first_rounds(format: Format, players: int) -> None:
    wishes = Wishes(apart=(Apart((0, 1, 2), 3), Apart((3, 4), 2)))
    found = made(format, players, 5, wishes, looks=30)
    assert not faults(found, wishes)
    assert faults(found, Wishes(apart=(Apart(tuple(range(players)), 1),))), "a wish that is not kept is found"


def test_a_player_who_cannot_move_stays_at_one_table() -> None:
    wishes = Wishes(fixed={3: 2, 7: 0})
    found = made(FOURS, 16, 5, wishes)
    assert not faults(found, wishes)
    assert all(3 in round.tables[2] and 7 in round.tables[0] for round in found.rounds)
    assert faults(found, Wishes(fixed={3: 1}))


def test_late_arrivals_and_leavers_get_their_share_of_byes() -> None:
    wishes = Wishes(present={0: (2, 6), 5: (0, 3)})
    found = made(TRIPLES, 11, 6, wishes)
    assert not faults(found, wishes)
    assert measure(found).out_of_turn == 0
    assert faults(found)
    for number, round in enumerate(found.rounds):
        there = {player for table in round.tables for player in table} | {*round.byes}
        assert (0 in there, 5 in there) == (number >= 2, number < 3)


@pytest.mark.parametrize(
    ("wishes", "code"),
    [
        (Wishes(apart=(Apart((0, 1, 2, 3), 2),)), "group-too-large"),
        (Wishes(apart=(Apart((0,), 2),)), "no-group"),
        (Wishes(apart=(Apart((0, 0), 2),)), "no-group"),
        (Wishes(apart=(Apart((0, 9), 2),)), "no-such-player"),
        (Wishes(fixed={0: 3}), "no-such-table"),
        (Wishes(fixed={9: 0}), "no-such-player"),
        (Wishes(fixed={0: 1, 1: 1}), "table-taken"),
        (Wishes(present={0: (3, 3)}), "never-there"),
        (Wishes(present={0: (0, 9)}), "never-there"),
        (Wishes(present={9: (0, 2)}), "no-such-player"),
        (Wishes(present=dict.fromkeys(range(7), (1, 4))), "too-few-players"),
    ],
)
def test_impossible_wishes_are_refused_before_the_search(wishes: Wishes, code: str) -> None:
    with pytest.raises(Infeasible) as refused:
        next(propose(TRIPLES, 9, 4, wishes=wishes, rng=random.Random(0), clock=lambda: 0))
    assert refused.value.code == code


@pytest.mark.parametrize("players", [15, 30, 64])
def test_a_player_one_round_late_makes_nobody_meet_twice(players: int) -> None:
    wishes = Wishes(present={0: (1, players - 1 + players % 2)})
    found = made(HEADS, players, players - 1 + players % 2, wishes)
    assert not faults(found, wishes)
    assert measure(found).meet.most == 1


@pytest.mark.parametrize(("format", "players", "rounds"), [(PARTNERS, 16, 15), (TRIPLES, 15, 7), (FOURS, 28, 9)])
def test_two_players_who_meet_late_leave_it_perfect(format: Format, players: int, rounds: int) -> None:
    wishes = Wishes(apart=(Apart((0, 1), 2),))
    found = made(format, players, rounds, wishes)
    assert not faults(found, wishes)
    assert measure(found).meet.least == measure(found).meet.most


def test_players_apart_count_more_than_even_byes() -> None:
    """Players present for other rounds have bye shares with another denominator."""
    apart = Apart((6, 12), 6), Apart((7, 10, 11), 2)
    wishes = Wishes(apart, present={0: (2, 7), 4: (2, 6), 12: (2, 4)})
    assert not faults(made(FOURS, 14, 7, wishes, looks=60), wishes)


@pytest.mark.parametrize(
    ("format", "players", "wishes", "those"),
    [
        (FOURS, 8, Wishes((Apart((2, 0), 2), Apart((2, 1), 2), Apart((5, 6), 2)), {0: 0, 1: 1}), (2, {0: 0, 1: 1})),
        (HEADS, 4, Wishes((Apart((0, 1), 2), Apart((2, 0), 2), Apart((0, 3), 2))), (3, {})),
        (HEADS, 6, Wishes((Apart((0, 1, 2), 2), Apart((0, 3), 2), Apart((1, 3), 2), Apart((2, 3), 1))), (4, {})),
        (TRIPLES, 6, Wishes((Apart((0, 1), 1), Apart((0, 2), 1), Apart((1, 2), 1), Apart((4, 5), 2))), (3, {})),
        (TRIPLES, 6, Wishes(tuple(Apart((0, other), 2) for other in range(1, 5))), (4, {})),
    ],
)
def test_only_the_contradicting_wishes_are_named(
    format: Format, players: int, wishes: Wishes, those: tuple[int, dict[int, int]]
) -> None:
    with pytest.raises(Infeasible) as refused:
        made(format, players, 2, wishes)
    named = refused.value.facts["wishes"]
    assert (refused.value.code, len(named.apart), named.fixed) == ("contradiction", *those)
