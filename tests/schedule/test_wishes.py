"""What life asks of a schedule: who must not meet, who cannot move, who comes late or leaves; and rounds drawn anew."""

import random
from itertools import combinations, count
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scorekeeper.schedule.one_round import can_be_seated
from scorekeeper.schedule.repair import as_played, changes, gone, repair
from scorekeeper.schedule.round_robin import propose
from scorekeeper.schedule.rounds import FORMATS, FOURS, HEADS, MIXED, PARTNERS, TRIPLES, Format, Round, Schedule
from scorekeeper.schedule.task import Apart, Impossible, Wishes, sizes_of
from scorekeeper.schedule.verify import bounds, distance, faults, grade, measure

STEPS = 7  # looks at the clock, each after some thousand steps


def made(format: Format, players: int, rounds: int, wishes: Wishes, seed: int = 0, steps: int = STEPS) -> Schedule:
    clock = count().__next__
    *_before, last = propose(
        format, players, rounds, wishes=wishes, rng=random.Random(seed), clock=clock, seconds=steps
    )
    return last.schedule


def again(schedule: Schedule, released: int, wishes: Wishes, **more: Any) -> Schedule:
    clock = count().__next__
    *_before, last = repair(schedule, released, wishes, rng=random.Random(1), clock=clock, seconds=STEPS, **more)
    return last.schedule


@pytest.mark.parametrize(("format", "players"), [(HEADS, 8), (TRIPLES, 12), (PARTNERS, 16), (FOURS, 16), (MIXED, 11)])
def test_clubmates_do_not_meet_in_the_first_rounds(format: Format, players: int) -> None:
    wishes = Wishes(apart=(Apart((0, 1, 2), 3), Apart((3, 4), 2)))
    found = made(format, players, 5, wishes, steps=30)
    assert not faults(found, wishes)
    assert faults(found, Wishes(apart=(Apart(tuple(range(players)), 1),))), "the verifier looks"


def test_who_cannot_move_has_a_table_of_his_own() -> None:
    wishes = Wishes(fixed={3: 2, 7: 0})
    found = made(FOURS, 16, 5, wishes)
    assert not faults(found, wishes)
    assert all(3 in round.tables[2] and 7 in round.tables[0] for round in found.rounds)
    assert faults(found, Wishes(fixed={3: 1}))


def test_who_comes_late_and_who_leaves_sits_out_his_share() -> None:
    wishes = Wishes(present={0: (2, 6), 5: (0, 3)})
    found = made(TRIPLES, 11, 6, wishes)
    assert not faults(found, wishes)
    assert measure(found).out_of_turn == 0
    assert faults(found)
    for number, round in enumerate(found.rounds):
        there = {player for table in round.tables for player in table} | {*round.byes}
        assert (0 in there, 5 in there) == (number >= 2, number < 3)


def test_a_late_entrant_changes_nobody_s_past() -> None:
    before = made(PARTNERS, 9, 9, Wishes())
    wishes = Wishes(present={9: (4, 9)})
    after = again(before, 4, wishes, players=10)
    assert not faults(after, wishes, before.rounds[:4])
    assert after.rounds[:4] == before.rounds[:4]
    assert measure(after).out_of_turn <= 1
    assert sum(9 in round.byes for round in after.rounds) <= 2


def test_seats_of_new_tables_make_up_for_those_that_were() -> None:
    """In the rounds that are played the lower number sat first: players who never led lead in those to come."""
    drawn = made(FOURS, 16, 5, Wishes())
    in_order = [Round(tuple(tuple(sorted(table)) for table in round.tables)) for round in drawn.rounds]
    before = Schedule(FOURS, 16, tuple(in_order))
    assert measure(before).lead >= 3
    after = again(before, 2, Wishes(present={0: (0, 2), 5: (0, 2)}))
    assert after.rounds[:2] == before.rounds[:2]
    assert measure(after).lead < measure(before).lead


@pytest.mark.parametrize(
    ("format", "players", "rounds"), [(HEADS, 10, 9), (TRIPLES, 15, 7), (PARTNERS, 8, 7), (FOURS, 16, 5)]
)
def test_what_stays_keeps_its_seats(format: Format, players: int, rounds: int) -> None:
    before = made(format, players, rounds, Wishes())
    assert again(before, 3, Wishes()) == before
    after = again(before, 3, Wishes(present={2: (0, 3)}))
    new = {(change.round, table) for change in changes(before, after) for table in change.tables}
    for number, (was, now) in enumerate(zip(before.rounds, after.rounds, strict=True)):
        assert {(number, table) for table in now.tables} - new <= {(number, table) for table in was.tables}


@pytest.mark.parametrize("apart", [(), (Apart((0, 5, 10, 15), 7),)], ids=["", "apart"])
def test_rounds_that_are_all_new_come_in_an_order_of_their_own(apart: tuple[Apart, ...]) -> None:
    """Fewer meet in two rounds running, and as often in all; who is kept apart for a while stays so."""
    before = made(FOURS, 16, 5, Wishes())
    wishes = Wishes(apart, present={16: (5, 12)})
    ways = {"players": 17, "rounds": 12, "rng": random.Random(0), "clock": count().__next__, "seconds": 30}
    *_before, last = repair(before, 5, wishes, **ways)
    as_found = measure(Schedule(FOURS, 17, last.rounds))
    assert not faults(last.schedule, wishes, before.rounds)
    assert last.measures.meet == as_found.meet
    assert last.measures.in_a_row < as_found.in_a_row


@pytest.mark.parametrize(
    ("format", "players", "rounds", "released", "meetings"),
    [(HEADS, 16, 15, 5, 0), (TRIPLES, 15, 7, 3, 0), (PARTNERS, 16, 15, 5, 6)],
)
def test_a_late_entrant_takes_a_chair_a_round(
    format: Format, players: int, rounds: int, released: int, meetings: int
) -> None:
    """Of each round that is left one table is another one, but in one, in which he sits out."""
    before = made(format, players, rounds, Wishes())
    ways = {"players": players + 1, "rng": random.Random(0), "clock": count().__next__, "seconds": 0}
    first, *_more = repair(before, released, Wishes(present={players: (released, rounds)}), **ways)
    new = [len(change.tables) for change in changes(before, first.schedule)]
    assert sum(new) <= rounds - released
    assert (first.measures.byes.least, first.measures.byes.most) == (0, 1)
    assert distance(first.measures, bounds(first.schedule))[0] <= meetings


def test_byes_are_held_against_who_was_there() -> None:
    """Five who stay sit out once or twice each after the sixth has left: no more even than that."""
    after = again(made(HEADS, 6, 10, Wishes()), 4, Wishes(present={1: (0, 4)}))
    here, best = measure(after), bounds(after)
    assert (here.byes, here.out_of_turn) == (best.byes, 0)
    assert (best.byes.least, best.byes.most) == (0, 2)
    assert "byes" not in grade(HEADS, here, best)


def test_other_partners_at_the_same_table_are_a_change() -> None:
    before = Schedule(PARTNERS, 4, (Round(((0, 1, 2, 3),)),) * 2)
    after = Schedule(PARTNERS, 4, (Round(((2, 3, 0, 1),)), Round(((0, 2, 1, 3),))))
    assert changes(before, after) == [(1, ((0, 2, 1, 3),))]


def test_who_left_stays_away_when_rounds_are_drawn_anew_once_more() -> None:
    before = made(HEADS, 8, 7, Wishes())
    left = again(before, 2, Wishes(present={2: (0, 2)}))
    assert gone(left, 4) == {2: (0, 2)}
    assert gone(before, 4) == {}


def test_a_leaver_is_missed_nowhere() -> None:
    before = made(FOURS, 17, 6, Wishes())
    wishes = Wishes(present={4: (0, 2)})
    after = again(before, 2, wishes)
    assert not faults(after, wishes, before.rounds[:2])
    assert all(not round.byes and len(round.tables) == 4 for round in after.rounds[2:])
    assert {change.round for change in changes(before, after)} <= {2, 3, 4, 5}


def test_what_nothing_was_wished_of_stays() -> None:
    before = made(TRIPLES, 9, 4, Wishes())
    assert not changes(before, again(before, 1, Wishes()))


def test_what_changed_is_told_table_by_table() -> None:
    before = Schedule(HEADS, 4, (Round(((0, 1), (2, 3))), Round(((0, 2), (1, 3)))))
    after = Schedule(HEADS, 4, (Round(((1, 0), (2, 3))), Round(((0, 3), (1, 2))), Round(((0, 1), (2, 3)))))
    assert changes(before, after) == [(1, ((0, 3), (1, 2))), (2, ((0, 1), (2, 3)))]


def test_a_round_that_was_released_and_changed_is_found() -> None:
    before = made(TRIPLES, 9, 4, Wishes())
    assert [fault.code for fault in faults(before, released=before.rounds[1:2])] == ["released-changed"]


@settings(deadline=None)
@given(data=st.data())
def test_every_wish_that_can_be_is_granted(data: st.DataObject) -> None:
    """Any format, number, rounds, late entrants and leavers: hard rules hold, the past stays. Everybody sits out his
    share of the rounds he is there for, rounded down or up; drawn anew, once more or less at most: who leaves may have
    sat out already."""
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
    after = again(first, released, wishes, players=players + newcomers)
    assert not faults(after, wishes, first.rounds[:released])
    assert after.rounds[:released] == first.rounds[:released]
    assert measure(after).out_of_turn <= 1


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
def test_wishes_that_contradict_are_named_before_anything_is_searched(wishes: Wishes, code: str) -> None:
    with pytest.raises(Impossible) as refused:
        next(propose(TRIPLES, 9, 4, wishes=wishes, rng=random.Random(0), clock=lambda: 0))
    assert refused.value.code == code


@pytest.mark.parametrize("players", [15, 30, 64])
def test_who_comes_a_round_late_costs_nobody_a_second_meeting(players: int) -> None:
    wishes = Wishes(present={0: (1, players - 1 + players % 2)})
    found = made(HEADS, players, players - 1 + players % 2, wishes)
    assert not faults(found, wishes)
    assert measure(found).meet.most == 1


@pytest.mark.parametrize(("format", "players", "rounds"), [(PARTNERS, 16, 15), (TRIPLES, 15, 7), (FOURS, 28, 9)])
def test_two_who_meet_late_leave_a_perfect_schedule_perfect(format: Format, players: int, rounds: int) -> None:
    wishes = Wishes(apart=(Apart((0, 1), 2),))
    found = made(format, players, rounds, wishes)
    assert not faults(found, wishes)
    assert measure(found).meet.least == measure(found).meet.most


def test_whom_one_must_not_meet_outweighs_uneven_byes() -> None:
    """Whoever is there for other rounds has shares of byes with another denominator."""
    apart = Apart((6, 12), 6), Apart((7, 10, 11), 2)
    wishes = Wishes(apart, present={0: (2, 7), 4: (2, 6), 12: (2, 4)})
    assert not faults(made(FOURS, 14, 7, wishes, steps=60), wishes)


def test_rounds_are_as_they_were_played() -> None:
    """Who was there and at no table sat out; what is to come is still to come."""
    drawn = Schedule(HEADS, 5, (Round(((0, 1), (2, 3)), (4,)), Round(((1, 2), (3, 4)), (0,))))
    assert as_played(drawn, [Round(((4, 1), (3, 2)))]) == Schedule(
        HEADS, 5, (Round(((4, 1), (3, 2)), (0,)), drawn.rounds[1])
    )


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
def test_wishes_that_contradict_each_other_are_named_without_the_rest(
    format: Format, players: int, wishes: Wishes, those: tuple[int, dict[int, int]]
) -> None:
    with pytest.raises(Impossible) as refused:
        made(format, players, 2, wishes)
    named = refused.value.facts["wishes"]
    assert (refused.value.code, len(named.apart), named.fixed) == ("contradiction", *those)


@settings(deadline=None)
@given(data=st.data())
def test_a_round_can_be_seated_or_not_as_trying_every_seating_says(data: st.DataObject) -> None:
    format = data.draw(st.sampled_from([HEADS, TRIPLES, FOURS, MIXED]))
    there = tuple(range(data.draw(st.integers(format.size, 8))))
    tables = sizes_of(format, len(there))
    pairs = data.draw(st.sets(st.sampled_from([*combinations(there, 2)])))
    fixed = data.draw(st.dictionaries(st.sampled_from(there), st.integers(0, len(tables) - 1), max_size=2))

    def seated(left: frozenset[int], table: int) -> bool:
        if table == len(tables):
            return True
        return any(
            seated(left - {*those}, table + 1)
            for those in combinations(sorted(left), tables[table])
            if not pairs & {*combinations(those, 2)} and all(fixed.get(player, table) == table for player in those)
        )

    apart: dict[int, set[int]] = {}
    for one, other in pairs:
        apart.setdefault(one, set()).add(other)
        apart.setdefault(other, set()).add(one)
    assert can_be_seated(there, tables, apart, fixed) is seated(frozenset(there), 0)
