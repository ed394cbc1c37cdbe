"""Measures and grades: of known designs, and against a count by hand."""

import pytest

from scorekeeper.schedule import notation
from scorekeeper.schedule.faults import faults
from scorekeeper.schedule.grade import grade
from scorekeeper.schedule.measures import Spread, bounds, measure
from scorekeeper.schedule.seating import FOURS, HEADS, PARTNERS, TRIPLES, Schedule, Seating
from tests.schedule.samples import SCHOOLGIRLS, whist


def test_the_schoolgirls_meet_once() -> None:
    schedule = notation.read(SCHOOLGIRLS).schedule
    assert not faults(schedule)
    here, best = measure(schedule), bounds(schedule)
    assert schedule.format is TRIPLES
    assert here.meet == best.meet == Spread(1, 1, 105)
    assert grade(TRIPLES, here, best) == "perfect: everybody meets everybody once; leads and seats could be more even"


def test_counted_by_hand() -> None:
    """Two rounds of six at two tables of three: 1 and 2 meet twice, as do 4 and 5; of 15 pairs eight meet once."""
    schedule = Schedule(TRIPLES, 6, (Seating(((0, 1, 2), (3, 4, 5))), Seating(((0, 1, 3), (4, 5, 2)))))
    here, best = measure(schedule), bounds(schedule)
    assert here.meet == Spread(0, 2, 2 * 4 + 8)
    assert best.meet == Spread(0, 1, 12)
    assert here.in_a_row == 2
    assert (here.seats, here.lead) == (2, 1)
    assert grade(TRIPLES, here, best) == "fair: 2 meetings too many for some pairs, too few for others"


def test_partners_are_crosswise() -> None:
    schedule = Schedule(PARTNERS, 4, (Seating(((0, 1, 2, 3),)), Seating(((0, 2, 1, 3),))))
    here = measure(schedule)
    assert here.partner == Spread(0, 1, 4)
    assert here.oppose == Spread(1, 2, 2 * 4 + 4)


def test_only_the_other_side_ends_a_run() -> None:
    """A bye between two matches does not."""
    schedule = Schedule(HEADS, 3, (Seating(((0, 1),), (2,)), Seating(((1, 2),), (0,)), Seating(((0, 2),), (1,))))
    here = measure(schedule)
    assert (here.breaks, here.longest) == (2, 2)


@pytest.mark.parametrize("swapped", range(1, 7))
def test_a_swap_makes_a_perfect_schedule_worse(swapped: int) -> None:
    """Two players of different tables swap seats in one round."""
    good = whist()
    (a, *rest), (b, *others) = good.rounds[swapped].tables
    damaged = Seating(((b, *rest), (a, *others)))
    schedule = Schedule(PARTNERS, 8, (*good.rounds[:swapped], damaged, *good.rounds[swapped + 1 :]))
    assert not faults(schedule)
    assert measure(schedule).partner.squares > bounds(schedule).partner.squares
    assert measure(good).partner == bounds(good).partner


def test_unneeded_byes_are_noticed() -> None:
    """Eight people, one table of four a round: the other four could play."""
    rounds = tuple(
        Seating((tuple((at + seat) % 8 for seat in range(4)),), tuple(sorted((at + 4 + o) % 8 for o in range(4))))
        for at in (0, 4)
    )
    schedule = Schedule(FOURS, 8, rounds)
    assert not faults(schedule)
    assert bounds(schedule).byes == Spread(0, 0, 0)
    assert "byes could be more even" in grade(FOURS, measure(schedule), bounds(schedule))


def test_no_heads_schedule_is_below_the_bound_of_breaks() -> None:
    """If two players never meet, both can be first and second in turn, without a break."""
    berger = [Seating(((0, 3), (1, 2))), Seating(((3, 2), (0, 1))), Seating(((1, 3), (2, 0)))]
    in_turn = [Seating(((0, 3), (1, 2))), Seating(((3, 0), (2, 1))), Seating(((0, 3), (1, 2)))]
    for rounds, best in ((berger, 2), (in_turn, 0)):
        schedule = Schedule(HEADS, 4, tuple(rounds))
        assert measure(schedule).breaks == bounds(schedule).breaks == best
