"""What is said of a schedule: of known designs, of damaged ones, and beside a count by hand."""

import json
import random
from collections.abc import Callable
from itertools import count

import pytest

from scorekeeper.schedule import reading
from scorekeeper.schedule.reading import Written
from scorekeeper.schedule.round_robin import propose
from scorekeeper.schedule.rounds import FORMATS, FOURS, HEADS, PARTNERS, TRIPLES, Format, Round, Schedule
from scorekeeper.schedule.verify import Spread, bounds, faults, grade, measure

# Kirkman's schoolgirls walk out three abreast on seven days.
SCHOOLGIRLS = """
1-2-3
4-8-12
5-10-15
6-11-13
7-9-14

1-4-5
2-8-10
3-13-14
6-9-15
7-11-12

1-6-7
2-9-11
3-12-15
4-10-14
5-8-13

1-8-9
2-12-14
3-5-6
4-11-15
7-10-13

1-10-11
2-13-15
3-4-7
5-9-12
6-8-14

1-12-13
2-4-6
3-9-10
5-11-14
7-8-15

1-14-15
2-5-7
3-8-11
4-9-13
6-10-12
"""


def whist() -> Schedule:
    return next(propose(PARTNERS, 8, rng=random.Random(0), clock=count().__next__)).schedule


def test_the_schoolgirls_meet_once() -> None:
    schedule = reading.read(SCHOOLGIRLS).schedule
    assert not faults(schedule)
    here, best = measure(schedule), bounds(schedule)
    assert schedule.format is TRIPLES
    assert here.meet == best.meet == Spread(1, 1, 105)
    assert grade(TRIPLES, here, best) == "perfect: everybody meets everybody once; leads and seats could be more even"


def test_counted_by_hand() -> None:
    """Two rounds of six at two tables of three: 1 and 2 meet twice, as do 4 and 5; of 15 pairs eight meet once."""
    schedule = Schedule(TRIPLES, 6, (Round(((0, 1, 2), (3, 4, 5))), Round(((0, 1, 3), (4, 5, 2)))))
    here, best = measure(schedule), bounds(schedule)
    assert here.meet == Spread(0, 2, 2 * 4 + 8)
    assert best.meet == Spread(0, 1, 12)
    assert here.in_a_row == 2
    assert (here.seats, here.lead) == (2, 1)
    assert grade(TRIPLES, here, best) == "fair: 2 meetings too many for some pairs, too few for others"


def test_partners_are_crosswise() -> None:
    schedule = Schedule(PARTNERS, 4, (Round(((0, 1, 2, 3),)), Round(((0, 2, 1, 3),))))
    here = measure(schedule)
    assert here.partner == Spread(0, 1, 4)
    assert here.oppose == Spread(1, 2, 2 * 4 + 4)


def test_a_run_is_broken_by_nothing_but_the_other_side() -> None:
    """Who sits out between two matches has his run still."""
    schedule = Schedule(HEADS, 3, (Round(((0, 1),), (2,)), Round(((1, 2),), (0,)), Round(((0, 2),), (1,))))
    here = measure(schedule)
    assert (here.breaks, here.longest) == (2, 2)


def first_round(change: Callable[[Round], Round]) -> Schedule:
    good = whist()
    return Schedule(good.format, good.players, (change(good.rounds[0]), *good.rounds[1:]))


def below_zero(round: Round) -> Round:
    return Round((tuple(-1 - each for each in round.tables[0]), round.tables[1]))


@pytest.mark.parametrize(
    ("change", "codes"),
    [
        (lambda round: Round(round.tables[1:], round.byes), {"player-missing"}),
        (lambda round: Round((*round.tables, round.tables[0]), round.byes), {"player-twice"}),
        (lambda round: Round(round.tables, (0,)), {"player-twice"}),
        (lambda round: Round((round.tables[0][:3], round.tables[1]), round.byes), {"table-size", "player-missing"}),
        (lambda round: Round(((*round.tables[0], 8), round.tables[1])), {"table-size", "no-such-player"}),
        (lambda round: Round((round.tables[0] + round.tables[1],)), {"table-size"}),
        (lambda round: Round(()), {"player-missing"}),
        (lambda round: Round((), tuple(range(8))), set()),
        (lambda round: Round(((), *round.tables)), {"table-size"}),
        (below_zero, {"player-missing", "no-such-player"}),
        (lambda round: Round((round.tables[0][:1] * 4, round.tables[1])), {"player-twice", "player-missing"}),
    ],
    ids=[
        "a table less",
        "a table twice",
        "out and at a table",
        "three at a table",
        "five at a table",
        "all at one table",
        "nobody anywhere",
        "everybody out",
        "an empty table",
        "numbers below 0",
        "one player four times",
    ],
)
def test_damage_is_found(change: Callable[[Round], Round], codes: set[str]) -> None:
    found = faults(first_round(change))
    assert {fault.code for fault in found} == codes
    assert all(fault.round == 0 for fault in found)


@pytest.mark.parametrize("swapped", range(1, 7))
def test_two_who_change_places_make_it_worse(swapped: int) -> None:
    """A perfect schedule in which two of different tables change places in one round is perfect no more."""
    good = whist()
    (a, *rest), (b, *others) = good.rounds[swapped].tables
    damaged = Round(((b, *rest), (a, *others)))
    schedule = Schedule(PARTNERS, 8, (*good.rounds[:swapped], damaged, *good.rounds[swapped + 1 :]))
    assert not faults(schedule)
    assert measure(schedule).partner.squares > bounds(schedule).partner.squares
    assert measure(good).partner == bounds(good).partner


# --- as others write it ------------------------------------------------------------------------------------
@pytest.mark.parametrize("format", FORMATS.values(), ids=FORMATS)
@pytest.mark.parametrize("players", [9, 16])
def test_what_is_written_is_read(format: Format, players: int) -> None:
    schedule = next(propose(format, players, rng=random.Random(0), clock=count().__next__, seconds=0)).schedule
    assert reading.read(reading.as_text(schedule)).schedule == schedule
    assert reading.read(json.dumps(reading.as_json(Written(schedule)))) == Written(schedule)


def test_a_plain_text_says_less() -> None:
    """Who has no table sits out; the format is that of the tables; rounds may be copied without what is above them."""
    plain = reading.read("0-1-2-3\n\n4-1-2-3\n", partners=True).schedule
    assert plain == Schedule(PARTNERS, 5, (Round(((0, 1, 2, 3),), (4,)), Round(((4, 1, 2, 3),), (0,))))
    copied = reading.read("Round  1   1-2-3-4   out: 5\nRound  2   5-2-3-4   out: 1\n\nPerfect.\n\nsits out  0")
    assert copied.schedule == Schedule(FOURS, 5, plain.rounds)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        (" \n", "empty"),
        ("1-2-x", "bad-line"),
        ("Round 1   1-2-x   out: 4", "bad-line"),
        ("Round 1   out: 4", "bad-line"),
        ("heads, 1001 players\nRound 1   1-2", "too-many-players"),
        ("1-2\n\n1-2-3-4", "table-sizes"),
        ("1-2-3-4-5", "table-sizes"),
        ("{", "no-json"),
        ("{}", "no-format"),
        ('{"format": "pairs", "n": 4, "rounds": []}', "no-format"),
        ('{"format": "fours", "n": true, "rounds": []}', "no-rounds"),
        ('{"format": "fours", "n": 4, "rounds": 3}', "no-rounds"),
        ('{"format": "fours", "n": 4, "rounds": [[[0, 1, 2, 3]]], "byes": []}', "no-byes"),
        ('{"format": "fours", "n": 4, "rounds": [[0, 1, 2, 3]]}', "bad-round"),
        ('{"format": "fours", "n": 4, "rounds": [[["a"]]]}', "bad-round"),
    ],
)
def test_what_is_no_schedule_is_said(text: str, code: str) -> None:
    with pytest.raises(reading.Unreadable) as refused:
        reading.read(text)
    assert refused.value.code == code


def test_nobody_has_a_partner_at_a_table_of_three() -> None:
    with pytest.raises(reading.Unreadable, match="no-partners"):
        reading.read(SCHOOLGIRLS, partners=True)


def test_who_sits_out_without_need_is_seen() -> None:
    """Eight people, one table of four a round: the other four could play."""
    rounds = tuple(
        Round((tuple((at + seat) % 8 for seat in range(4)),), tuple(sorted((at + 4 + o) % 8 for o in range(4))))
        for at in (0, 4)
    )
    schedule = Schedule(FOURS, 8, rounds)
    assert not faults(schedule)
    assert bounds(schedule).byes == Spread(0, 0, 0)
    assert "byes could be more even" in grade(FOURS, measure(schedule), bounds(schedule))


def test_a_round_that_was_released_and_is_missing_is_found() -> None:
    one = Round(((0, 1), (2, 3)))
    assert [fault.code for fault in faults(Schedule(HEADS, 4, (one,)), released=(one, one))] == ["released-changed"]


def test_no_schedule_of_two_at_a_table_is_better_than_the_bound_of_breaks() -> None:
    """In so many rounds, but two never meet: both may be first and second in turn."""
    berger = [Round(((0, 3), (1, 2))), Round(((3, 2), (0, 1))), Round(((1, 3), (2, 0)))]
    in_turn = [Round(((0, 3), (1, 2))), Round(((3, 0), (2, 1))), Round(((0, 3), (1, 2)))]
    for rounds, best in ((berger, 2), (in_turn, 0)):
        schedule = Schedule(HEADS, 4, tuple(rounds))
        assert measure(schedule).breaks == bounds(schedule).breaks == best
