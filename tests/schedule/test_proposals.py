"""Schedules for every number of players reach what theory promises."""

import random
from collections import Counter
from collections.abc import Sequence
from itertools import count

import pytest

from scorekeeper.schedule import berger
from scorekeeper.schedule.faults import faults
from scorekeeper.schedule.grade import grade
from scorekeeper.schedule.late_acceptance import last
from scorekeeper.schedule.measures import Measures, bounds, measure
from scorekeeper.schedule.problem import Infeasible
from scorekeeper.schedule.proposals import Proposal, propose
from scorekeeper.schedule.seating import FORMATS, FOURS, HEADS, MIXED, PARTNERS, TRIPLES, Format, Schedule, Seating
from scorekeeper.schedule.theory import cycle_length

# As FIDE prints them for 3 or 4 players, 5 or 6, and so on: Handbook C.05, annex 1.
PRINTED = {
    4: """
1-4 2-3
4-3 1-2
2-4 3-1
""",
    6: """
1-6 2-5 3-4
6-4 5-3 1-2
2-6 3-1 4-5
6-5 1-4 2-3
3-6 4-2 5-1
""",
    8: """
1-8 2-7 3-6 4-5
8-5 6-4 7-3 1-2
2-8 3-1 4-7 5-6
8-6 7-5 1-4 2-3
3-8 4-2 5-1 6-7
8-7 1-6 2-5 3-4
4-8 5-3 6-2 7-1
""",
    10: """
1-10 2-9 3-8 4-7 5-6
10-6 7-5 8-4 9-3 1-2
2-10 3-1 4-9 5-8 6-7
10-7 8-6 9-5 1-4 2-3
3-10 4-2 5-1 6-9 7-8
10-8 9-7 1-6 2-5 3-4
4-10 5-3 6-2 7-1 8-9
10-9 1-8 2-7 3-6 4-5
5-10 6-4 7-3 8-2 9-1
""",
}
KIRKMAN = (9, 15, 21, 27, 33, 39, 45, 51, 57, 63)
NEARLY_KIRKMAN = (18, 24, 30, 36, 42, 48, 54, 60)
ONE_BYE_EACH = (8, 14, 20, 26, 38)
BYES_0_OR_1 = (17, 23, 29, 35)
NOBODY_TWICE = [
    *(
        (FOURS, n, r)
        for n, r in [(16, 5), (20, 5), (24, 4), (24, 5), (24, 6), (24, 7), (32, 6), (32, 8), (36, 8), (40, 8)]
    ),
    *((FOURS, 28, r) for r in range(5, 10)),
    *((TRIPLES, n, r) for n, r in [(9, 4), (15, 5), (15, 6), (15, 7), (18, 6), (18, 7), (18, 8), (21, 7), (30, 8)]),
    *((TRIPLES, 24, r) for r in range(8, 12)),
    *((TRIPLES, 27, r) for r in range(8, 14)),
    *((TRIPLES, n, (n - n % 2) // 2) for n in (*ONE_BYE_EACH, *BYES_0_OR_1)),
    (FOURS, 200, 10),
]


def made(format: Format, players: int, rounds: int | None = None, seconds: float = 0, seed: int = 0) -> Proposal:
    """The final proposal. Its clock moves on by a second at every look."""
    clock = count().__next__
    proposal = last(propose(format, players, rounds, rng=random.Random(seed), clock=clock, seconds=seconds))
    assert not faults(proposal.schedule)
    return proposal


def measured(schedule: Schedule) -> tuple[Measures, Measures]:
    return measure(schedule), bounds(schedule)


def even(schedule: Schedule) -> bool:
    here, best = measured(schedule)
    return (here.byes, here.meet, here.partner, here.oppose) == (best.byes, best.meet, best.partner, best.oppose)


@pytest.mark.parametrize("players", PRINTED)
def test_the_berger_tables_are_as_fide_prints_them(players: int) -> None:
    printed = [
        [tuple(map(int, table.split("-"))) for table in line.split()] for line in PRINTED[players].split("\n") if line
    ]
    ours = [[(a + 1, b + 1) for a, b in round.tables] for round in berger.single(players)]
    assert ours == printed


@pytest.mark.parametrize("players", range(3, 65))
def test_heads_meet_once_and_lead_in_turn(players: int) -> None:
    schedule = made(HEADS, players).schedule
    here = measure(schedule)
    assert len(schedule.rounds) == players - 1 + players % 2
    assert (here.meet.least, here.meet.most) == (1, 1)
    assert (here.lead, here.breaks) == (0, 0 if players % 2 else players - 2)
    assert here.seats <= 1


@pytest.mark.parametrize("players", range(3, 65))
def test_heads_meet_twice_and_lead_half_of_the_time(players: int) -> None:
    (report,) = propose(HEADS, players, double=True, rng=random.Random(0), clock=count().__next__)
    here = measure(report.best.schedule)
    assert not faults(report.best.schedule)
    assert (here.meet.least, here.meet.most, here.seats) == (2, 2, 0)
    assert here.longest <= 2


@pytest.mark.parametrize("double", [False, True], ids=["", "double"])
@pytest.mark.parametrize("players", [*range(3, 17), 25, 26])
def test_heads_lead_in_turn_in_any_number_of_rounds(players: int, double: bool) -> None:
    for rounds in range(1, 2 * cycle_length(HEADS, players, double)):
        (report,) = propose(HEADS, players, rounds, double=double, rng=random.Random(0), clock=count().__next__)
        here = report.best.measures
        assert (here.lead, here.seats <= 1) == (0, True), rounds


@pytest.mark.parametrize("players", [8, 9, 15, 20])
def test_partners_lead_their_share_in_any_number_of_rounds(players: int) -> None:
    """Other seats may differ by two, when no exact halving was found."""
    for rounds in range(1, 2 * players):
        assert measured(made(PARTNERS, players, rounds).schedule)[0].lead == 0, rounds


def who_sits_together(round: Seating) -> frozenset[frozenset[int]]:
    return frozenset(map(frozenset, round.tables))


@pytest.mark.parametrize(("format", "players", "rounds"), [(PARTNERS, 16, 15), (PARTNERS, 24, 46), (FOURS, 26, 20)])
def test_rounds_are_ordered_so_that_few_meet_twice_running(format: Format, players: int, rounds: int) -> None:
    found = made(format, players, rounds)
    as_known = Schedule(format, players, found.rounds)
    assert found.measures.in_a_row < measure(as_known).in_a_row
    assert Counter(map(who_sits_together, found.schedule.rounds)) == Counter(map(who_sits_together, found.rounds))


@pytest.mark.parametrize(
    ("format", "players", "rounds"),
    [(FOURS, 28, 11), (FOURS, 16, 7), (TRIPLES, 12, 21), (TRIPLES, 9, 6), (FOURS, 8, 9)],
)
def test_seats_are_even_after_a_part_of_a_cycle(format: Format, players: int, rounds: int) -> None:
    here = made(format, players, rounds).measures
    assert (here.lead, here.seats <= 1) == (0, True)


@pytest.mark.parametrize("players", [n for n in range(4, 42) if n % 4 < 2])
def test_everybody_partners_everybody_once_and_opposes_everybody_twice(players: int) -> None:
    schedule = made(PARTNERS, players).schedule
    here, best = measured(schedule)
    assert len(schedule.rounds) == players - (players % 4 == 0)
    assert (here.partner.least, here.partner.most, here.oppose.least, here.oppose.most) == (1, 1, 2, 2)
    assert here.byes.most == players % 4
    assert here.seats <= (2 if players == 4 else 1)
    assert grade(PARTNERS, here, best) == "perfect: everybody partners everybody once and opposes everybody twice"


@pytest.mark.parametrize("players", [n for n in range(6, 40) if n % 4 > 1])
def test_with_two_or_three_byes_nobody_partners_twice(players: int) -> None:
    schedule = made(PARTNERS, players).schedule
    here = measure(schedule)
    assert len(schedule.rounds) == players
    assert (here.byes.least, here.byes.most) == (players % 4, players % 4)
    assert (here.partner.most, here.oppose.least, here.oppose.most) == (1, 1, 2)
    assert even(schedule)
    assert here.seats <= 1


@pytest.mark.parametrize("players", KIRKMAN + NEARLY_KIRKMAN)
def test_triples_without_byes(players: int) -> None:
    schedule = made(TRIPLES, players).schedule
    here = measure(schedule)
    assert len(schedule.rounds) == (players - 1) // 2 if players in KIRKMAN else players // 2 - 1
    assert (here.byes.most, here.meet.most) == (0, 1)
    assert here.meet.least == (players in KIRKMAN)
    assert here.seats <= 1


@pytest.mark.parametrize("players", [n for n in range(5, 42) if n % 3])
def test_triples_with_a_bye_or_two_for_everybody(players: int) -> None:
    schedule = made(TRIPLES, players).schedule
    here = measure(schedule)
    assert len(schedule.rounds) == players
    assert (here.byes.least, here.byes.most) == (players % 3, players % 3)
    assert (here.meet.least, here.meet.most) == ((2, 2) if players % 3 == 1 else (1, 2))
    assert here.seats <= 1


@pytest.mark.parametrize(
    ("format", "players", "rounds"), NOBODY_TWICE, ids=[f"{f.name} {n}x{r}" for f, n, r in NOBODY_TWICE]
)
def test_in_fewer_rounds_nobody_meets_twice(format: Format, players: int, rounds: int) -> None:
    found = made(format, players, rounds)
    here = measure(found.schedule)
    assert found.optimal
    assert (len(found.schedule.rounds), here.meet.most) == (rounds, 1)
    assert even(found.schedule)
    assert here.seats <= 1
    assert here.lead == 0


def test_a_search_reaches_the_bound() -> None:
    found = made(FOURS, 16, 4, seconds=1_000)
    assert found.optimal
    assert even(found.schedule)


SIZES: Sequence[tuple[Format, int]] = [(format, n) for format in FORMATS.values() for n in range(max(format.sizes), 24)]


@pytest.mark.parametrize(("format", "players"), SIZES, ids=[f"{format.name} {n}" for format, n in SIZES])
def test_every_number_of_players_and_rounds_has_a_schedule(format: Format, players: int) -> None:
    for rounds in (1, 3, players):
        found = made(format, players, rounds).schedule
        here, best = measured(found)
        assert len(found.rounds) == rounds
        assert here.byes.most - here.byes.least <= 1, (here.byes, best.byes)
        assert here.lead <= 1


def test_the_same_seed_gives_the_same_schedule() -> None:
    assert made(FOURS, 14, 5, seconds=3, seed=4).schedule == made(FOURS, 14, 5, seconds=3, seed=4).schedule


def test_every_report_has_the_best_so_far_and_the_time_used() -> None:
    clock = count().__next__
    reports = list(propose(MIXED, 11, 6, rng=random.Random(1), clock=clock, seconds=5))
    squares = [report.best.measures.meet.squares for report in reports]
    assert squares == sorted(squares, reverse=True)
    times = [report.done for report in reports]
    assert times == sorted(times)
    assert 0 < times[0] < times[-1] == 1000
    assert {report.total for report in reports} == {1000}


@pytest.mark.parametrize(
    ("wish", "code"),
    [
        ({"format": TRIPLES, "players": 2}, "too-few-players"),
        ({"format": FOURS, "players": 201}, "too-many-players"),
        ({"format": HEADS, "players": 6, "rounds": 0}, "rounds"),
        ({"format": HEADS, "players": 6, "rounds": 21}, "rounds"),
        ({"format": PARTNERS, "players": 8, "double": True}, "double-needs-heads"),
    ],
)
def test_an_infeasible_schedule_is_refused_before_the_search(wish: dict[str, int], code: str) -> None:
    with pytest.raises(Infeasible) as refused:
        next(propose(rng=random.Random(0), clock=lambda: 0, **wish))
    assert refused.value.code == code


@pytest.mark.parametrize(
    ("format", "players", "rounds", "words"),
    [
        (PARTNERS, 28, 9, "everybody meets everybody once"),
        (PARTNERS, 64, 20, "nobody meets anybody twice"),
        (PARTNERS, 32, 8, "nobody meets anybody twice"),
        (MIXED, 27, 9, "everybody meets everybody once"),
        (MIXED, 63, 21, "everybody meets everybody once"),
        (FOURS, 27, 9, "nobody meets anybody twice"),
        (FOURS, 64, 21, "everybody meets everybody once"),
        (FOURS, 40, 13, "everybody meets everybody once"),
        (TRIPLES, 81, 40, "everybody meets everybody once"),
    ],
)
def test_schedules_made_from_designs_of_other_sizes(format: Format, players: int, rounds: int, words: str) -> None:
    found = made(format, players, rounds)
    assert words in grade(format, *measured(found.schedule))
    assert found.schedule.rounds[0].byes == () or format is FOURS
