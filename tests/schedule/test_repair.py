"""Rounds to come are redrawn: the past stays, and little changes."""

import random
from itertools import chain, count

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scorekeeper.schedule.faults import faults
from scorekeeper.schedule.grade import grade
from scorekeeper.schedule.late_acceptance import last
from scorekeeper.schedule.measures import bounds, distance, measure
from scorekeeper.schedule.problem import Apart, Wishes
from scorekeeper.schedule.repair import as_played, changes, leavers, repair
from scorekeeper.schedule.seating import FORMATS, FOURS, HEADS, PARTNERS, TRIPLES, Format, Schedule, Seating
from scorekeeper.schedule.tally import tally
from tests.schedule.samples import made, repaired


def test_a_late_entrant_changes_no_round_done() -> None:
    before = made(PARTNERS, 9, 9)
    wishes = Wishes(present={9: (4, 9)})
    after = repaired(before, 4, wishes, players=10)
    assert not faults(after, wishes, before.rounds[:4])
    assert after.rounds[:4] == before.rounds[:4]
    assert measure(after).out_of_turn <= 1
    assert sum(9 in round.byes for round in after.rounds) <= 2


def test_seats_of_new_tables_make_up_for_earlier_ones() -> None:
    """In rounds done the lowest number led; in rounds to come players lead who never did."""
    drawn = made(FOURS, 16, 5)
    in_order = [Seating(tuple(tuple(sorted(table)) for table in round.tables)) for round in drawn.rounds]
    before = Schedule(FOURS, 16, tuple(in_order))
    assert measure(before).lead >= 3
    after = repaired(before, 2, Wishes(present={0: (0, 2), 5: (0, 2)}))
    assert after.rounds[:2] == before.rounds[:2]
    assert measure(after).lead < measure(before).lead


@pytest.mark.parametrize(
    ("format", "players", "rounds"), [(HEADS, 10, 9), (TRIPLES, 15, 7), (PARTNERS, 8, 7), (FOURS, 16, 5)]
)
def test_tables_that_stay_keep_their_seats(format: Format, players: int, rounds: int) -> None:
    before = made(format, players, rounds)
    assert repaired(before, 3) == before
    after = repaired(before, 3, Wishes(present={2: (0, 3)}))
    new = {(change.round, table) for change in changes(before, after) for table in change.tables}
    for number, (was, now) in enumerate(zip(before.rounds, after.rounds, strict=True)):
        assert {(number, table) for table in now.tables} - new <= {(number, table) for table in was.tables}


@pytest.mark.parametrize("apart", [(), (Apart((0, 5, 10, 15), 7),)], ids=["", "apart"])
def test_rounds_that_are_all_new_are_reordered(apart: tuple[Apart, ...]) -> None:
    """Fewer pairs meet in two rounds running, and wishes to stay apart are kept."""
    before = made(FOURS, 16, 5)
    wishes = Wishes(apart, present={16: (5, 12)})
    ways = {"players": 17, "rounds": 12, "rng": random.Random(0), "clock": count().__next__, "seconds": 30}
    found = last(repair(before, 5, wishes, **ways))
    as_found = measure(Schedule(FOURS, 17, found.rounds))
    assert not faults(found.schedule, wishes, before.rounds)
    assert found.measures.meet == as_found.meet
    assert found.measures.in_a_row < as_found.in_a_row


@pytest.mark.parametrize(
    ("format", "players", "rounds", "released", "meetings"),
    [(HEADS, 16, 15, 5, 0), (TRIPLES, 15, 7, 3, 0), (PARTNERS, 16, 15, 5, 6)],
)
def test_a_late_entrant_takes_one_chair_a_round(
    format: Format, players: int, rounds: int, released: int, meetings: int
) -> None:
    """Each round to come has one new table, except the round in which the entrant has a bye."""
    before = made(format, players, rounds)
    ways = {"players": players + 1, "rng": random.Random(0), "clock": count().__next__, "seconds": 0}
    report, *_more = repair(before, released, Wishes(present={players: (released, rounds)}), **ways)
    new = [len(change.tables) for change in changes(before, report.best.schedule)]
    assert sum(new) <= rounds - released
    assert (report.best.measures.byes.least, report.best.measures.byes.most) == (0, 1)
    assert distance(report.best.measures, bounds(report.best.schedule))[0] <= meetings


@pytest.mark.parametrize(
    ("entrants", "late", "done", "rounds", "never", "twice"),
    [
        (7, 1, 1, 8, 0, 3),
        (6, 1, 2, 7, 1, 1),
        (7, 2, 1, 9, 1, 0),
        (8, 1, 3, 9, 2, 2),
    ],
)
def test_everybody_meets_everybody_before_tables_stay(
    entrants: int, late: int, done: int, rounds: int, never: int, twice: int
) -> None:
    """Pairs never meet only because late entrants have too few rounds, and nobody meets twice more often than that
    needs."""
    window = {entrants + number: (done, rounds) for number in range(late)}
    before, wishes = made(HEADS, entrants, min(rounds, entrants - 1 + entrants % 2)), Wishes(present=window)
    after = repaired(before, done, wishes, players=entrants + late, rounds=rounds, looks=20)
    meet = tally(after).frequencies.meet
    assert (meet.get(0, 0), meet.get(2, 0), max(meet)) == (never, twice, 2 if twice else 1)


def test_a_search_that_is_stuck_begins_again() -> None:
    """Nobody is left with one meeting more and another with one fewer than this needs."""
    before = made(TRIPLES, 8, 8)
    after = repaired(before, 2, Wishes(present={8: (2, 8)}), players=9, looks=40)
    assert distance(measure(after), bounds(after)).meetings == 0


def test_a_computer_that_stands_still_at_the_start_does_not_end_the_search() -> None:
    """Somebody still meets whom they should not in the rounds there are."""
    before = made(HEADS, 6, 5)
    clock = chain([0.0, 3.0], count(3.0, 0.1))
    found = last(
        repair(before, 0, Wishes((Apart((0, 1), 5),)), rng=random.Random(1), clock=lambda: next(clock), seconds=10)
    )
    assert not faults(found.schedule, Wishes((Apart((0, 1), 5),)), ())


def test_byes_are_compared_with_the_players_present() -> None:
    """After one of six players leaves, the other five have one or two byes each: nothing is more even."""
    after = repaired(made(HEADS, 6, 10), 4, Wishes(present={1: (0, 4)}))
    here, best = measure(after), bounds(after)
    assert (here.byes, here.out_of_turn) == (best.byes, 0)
    assert (best.byes.least, best.byes.most) == (0, 2)
    assert "byes" not in grade(HEADS, here, best)


def test_other_partners_make_a_table_new() -> None:
    before = Schedule(PARTNERS, 4, (Seating(((0, 1, 2, 3),)),) * 2)
    after = Schedule(PARTNERS, 4, (Seating(((2, 3, 0, 1),)), Seating(((0, 2, 1, 3),))))
    assert changes(before, after) == [(1, ((0, 2, 1, 3),))]


def test_players_who_left_are_found() -> None:
    before = made(HEADS, 8, 7)
    left = repaired(before, 2, Wishes(present={2: (0, 2)}))
    assert leavers(left, 4) == {2: (0, 2)}
    assert leavers(before, 4) == {}


def test_a_leaver_is_in_no_round_to_come() -> None:
    before = made(FOURS, 17, 6)
    wishes = Wishes(present={4: (0, 2)})
    after = repaired(before, 2, wishes)
    assert not faults(after, wishes, before.rounds[:2])
    assert all(not round.byes and len(round.tables) == 4 for round in after.rounds[2:])
    assert {change.round for change in changes(before, after)} <= {2, 3, 4, 5}


def test_nothing_changes_without_a_reason() -> None:
    before = made(TRIPLES, 9, 4)
    assert not changes(before, repaired(before, 1))


def test_new_tables_are_named() -> None:
    before = Schedule(HEADS, 4, (Seating(((0, 1), (2, 3))), Seating(((0, 2), (1, 3)))))
    after = Schedule(HEADS, 4, (Seating(((1, 0), (2, 3))), Seating(((0, 3), (1, 2))), Seating(((0, 1), (2, 3)))))
    assert changes(before, after) == [(1, ((0, 3), (1, 2))), (2, ((0, 1), (2, 3)))]


@settings(deadline=None)
@given(data=st.data())
def test_every_possible_wish_is_kept(data: st.DataObject) -> None:
    """Any format, number of players and rounds, late entrants and leavers: no faults, and rounds done stay.

    Everybody gets their share of byes, rounded down or up. After a repair it may differ by one more: a leaver may have
    had a bye already.
    """
    format = data.draw(st.sampled_from([*FORMATS.values()]))
    players = data.draw(st.integers(2 * format.size + 2, 14))
    rounds = data.draw(st.integers(2, 5))
    window = st.tuples(st.integers(0, rounds - 1), st.integers(1, rounds)).filter(lambda pair: pair[0] < pair[1])
    present = data.draw(st.dictionaries(st.integers(0, players - 1), window, max_size=2))
    first = made(format, players, rounds, Wishes(present=present))
    assert not faults(first, Wishes(present=present))
    assert measure(first).out_of_turn == 0
    released = data.draw(st.integers(0, rounds - 1))
    newcomers = data.draw(st.integers(0, 2))
    later = dict.fromkeys(range(players, players + newcomers), (released, rounds))
    leaver = data.draw(st.integers(0, players - 1).filter(lambda player: player not in present))
    gone = {leaver: (0, released)} if released else {}
    wishes = Wishes(present={**present, **later, **gone})
    after = repaired(first, released, wishes, players=players + newcomers)
    assert not faults(after, wishes, first.rounds[:released])
    assert after.rounds[:released] == first.rounds[:released]
    assert measure(after).out_of_turn <= 1


def test_rounds_as_played_replace_rounds_as_drawn() -> None:
    """Players who were due but not seated had a bye. Rounds to come stay."""
    drawn = Schedule(HEADS, 5, (Seating(((0, 1), (2, 3)), (4,)), Seating(((1, 2), (3, 4)), (0,))))
    assert as_played(drawn, [Seating(((4, 1), (3, 2)))]) == Schedule(
        HEADS, 5, (Seating(((4, 1), (3, 2)), (0,)), drawn.rounds[1])
    )
