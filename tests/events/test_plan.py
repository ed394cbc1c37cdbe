"""The schedule of a tournament: changes, wishes, release and repair as a fold, and the verifier after each."""

import itertools
import random
from typing import Any

import pytest

from scorekeeper.events import Tournament
from scorekeeper.events.plan import (
    clash,
    drawn,
    must_be_repairable,
    must_have_schedule,
    needless,
    played,
    players_in,
    repairs,
    rounds_of,
    schedules,
    unplanned,
)
from scorekeeper.events.rounds import Impossible
from scorekeeper.schedule.seating import Seating
from tests.tournaments import setup_of

TABLES = tuple(range(1, 30))
# The game, the format, the entrants, and the players of each.
FORMATS = {
    "two sides, odd": ("block", "heads", 7, 1),
    "pairs": ("domino-whist", "heads", 6, 2),
    "changing partners": ("domino-whist", "partners", 9, 1),
    "tables of three": ("domizerka", "triples", 10, 1),
    "tables of four": ("dominards", "fours", 9, 1),
    "tables of three and four": ("dominards", "mixed", 10, 1),
}


def search(seed: int = 1, reports: int = 40) -> dict[str, Any]:
    """A search of a few thousand steps."""
    return {"rng": random.Random(seed), "clock": itertools.count().__next__, "seconds": reports}


def entered(name: str, late: int = 0) -> Tournament:
    game, format, entrants, size = FORMATS[name]
    setup = setup_of(game, format, size=size)
    players = [[who * size + each for each in range(1, size + 1)] for who in range(entrants + late)]
    return Tournament.of([{"kind": "setup", **setup}, {"kind": "enter", "entrants": players[:entrants]}])


def planned(name: str, *wishes: dict[str, Any]) -> Tournament:
    state = entered(name)
    for wish in wishes:
        state = state.enter({"kind": "wish", **wish})
    *_earlier, last = schedules(state, TABLES, **search())
    return state.enter(rounds_of("plan", last.best.rounds, at=list(TABLES[:5])))


def seated(state: Tournament) -> Tournament:
    draft = state.enter({"kind": "draft", "round": state.next_round(TABLES).as_json()})
    return draft.enter({"kind": "seat", "matches": []})


def everybody_once(state: Tournament, rounds: tuple[Seating, ...], entrants: set[int]) -> bool:
    named = [[*each.byes, *itertools.chain.from_iterable(each.tables)] for each in rounds]
    return all(sorted(each) == sorted(entrants) for each in named)


@pytest.mark.parametrize("name", FORMATS)
def test_the_verifier_accepts_every_schedule_and_every_change(name: str) -> None:
    state, rng = planned(name), random.Random(2)
    entrants = set(state.entrants)
    assert everybody_once(state, state.plan, entrants)
    for _change in range(20):
        two = rng.sample(sorted(entrants), 2)
        number = rng.randrange(len(state.plan)) + 1
        before = state
        state = state.enter({"kind": "exchange", "round": number, "entrants": two})
        assert drawn(state).faults == []
        assert everybody_once(state, state.plan, entrants)
        assert state.enter({"kind": "undo"}) == before


@pytest.mark.parametrize("name", FORMATS)
def test_the_verifier_accepts_every_repair_after_rounds_were_played(name: str) -> None:
    size = FORMATS[name][3]
    state = seated(seated(planned(name)))
    count = len(state.entrants)
    late = [1000 + each for each in range(size)]
    state = state.enter({"kind": "withdraw", "entrants": [2, 5]}).enter({"kind": "enter", "entrants": [late]})
    assert (unplanned(state), needless(state)) == ((count + 1,), (2, 5))
    *_earlier, last = repairs(state, TABLES, **search())
    proposed = state.enter(rounds_of("propose", last.best.rounds, at=list(TABLES[:5])))
    assert proposed.plan == state.plan
    taken = proposed.enter({"kind": "take"})
    here = set(taken.taking_part)
    assert everybody_once(taken, taken.plan, here)
    assert taken.rounds == state.rounds
    assert len(taken.plan) == len(state.plan)
    assert drawn(taken).faults == []
    assert (unplanned(taken), needless(taken)) == ((), ())
    assert proposed.enter({"kind": "drop-proposal"}).plan == state.plan
    while taken.plan:
        taken = seated(taken)
    assert here <= players_in([Seating((), taken.taking_part)])


def test_whoever_left_before_they_played_is_in_no_repair() -> None:
    state = planned("tables of three").enter({"kind": "withdraw", "entrants": [1]})
    *_earlier, last = repairs(state, TABLES, **search())
    assert everybody_once(state, last.best.rounds, set(range(2, 11)))


def test_whoever_returns_gets_places_again() -> None:
    state = seated(planned("two sides, odd")).enter({"kind": "withdraw", "entrants": [3]})
    *_earlier, last = repairs(state, TABLES, **search())
    gone = state.enter(rounds_of("propose", last.best.rounds)).enter({"kind": "take"})
    assert 3 not in players_in(gone.plan)
    assert drawn(gone).faults == []
    back = gone.enter({"kind": "return", "entrants": [3]})
    assert unplanned(back) == (3,)
    *_earlier, last = repairs(back, TABLES, **search())
    assert everybody_once(back, last.best.rounds, set(range(1, 8)))


def test_a_table_of_somebody_who_left_is_given_up() -> None:
    state = planned("two sides, odd").enter({"kind": "withdraw", "entrants": [1]})
    before, after = drawn(state), played(state)
    assert before.faults == []
    assert 1 not in after.people
    byes = [len(each.byes) for each in after.to_come]
    assert byes == [2 if 1 not in each.byes else 0 for each in state.plan]


# --- wishes ------------------------------------------------------------------------------------------------
APART = {"what": "apart", "entrants": [1, 2], "first": 1, "last": None, "table": 0}
FIXED = {"what": "table", "entrants": [3], "first": 1, "last": None, "table": 2}
LATE = {"what": "present", "entrants": [4], "first": 3, "last": None, "table": 0}
EARLY = {"what": "present", "entrants": [5], "first": 1, "last": 2, "table": 0}


@pytest.mark.parametrize("name", ["tables of three", "changing partners"])
def test_a_schedule_keeps_wishes(name: str) -> None:
    state = planned(name, {**APART, "last": 3}, FIXED, LATE, EARLY)
    assert drawn(state).faults == []
    for number, each in enumerate(state.plan, 1):
        together = next((table for table in each.tables if 1 in table), ())
        assert number > 3 or 2 not in together
        assert all(3 not in table for at, table in enumerate(each.tables) if at != 1)
        assert (4 in players_in([each])) == (number >= 3)
        assert (5 in players_in([each])) == (number <= 2)


def test_a_wish_that_the_schedule_does_not_keep_is_a_fault() -> None:
    state = planned("two sides, odd").enter({"kind": "wish", **APART})
    assert {fault.code for fault in drawn(state).faults} == {"met-too-early"}
    assert drawn(state.enter({"kind": "remove-wish", "number": 0})).faults == []


def test_a_wish_replaces_one_about_the_same() -> None:
    state = entered("pairs").enter({"kind": "wish", **APART}).enter({"kind": "wish", **FIXED})
    again = state.enter({"kind": "wish", **APART, "entrants": [2, 1], "last": 1})
    assert [(wish.what, wish.last) for wish in again.wishes] == [("table", None), ("apart", 1)]


def test_a_new_schedule_may_have_other_rounds_than_the_one_before() -> None:
    state = planned("two sides, odd").enter({"kind": "withdraw", "entrants": [5, 6, 7]})
    late = state.enter({"kind": "wish", **LATE, "first": 5})
    must_be_repairable(late, TABLES)
    with pytest.raises(Impossible, match="wishes-clash"):
        must_have_schedule(late, TABLES)


def test_no_wish_matters_after_the_last_round() -> None:
    state = planned("two sides, odd").enter({"kind": "wish", **FIXED})
    while state.plan:
        state = seated(state)
    assert clash(state, TABLES) is None
    assert drawn(state).faults == []


def test_everybody_may_leave() -> None:
    gone = planned("two sides, odd").enter({"kind": "withdraw", "entrants": [*range(1, 8)]})
    assert played(gone).people == ()
    assert played(gone).measures.meet.most == 0


def test_wishes_that_nobody_can_keep_are_found_before_a_search() -> None:
    state = entered("two sides, odd")
    for table, entrant in ((1, 1), (1, 2)):
        state = state.enter({"kind": "wish", **FIXED, "entrants": [entrant], "table": table})
    found = clash(state, TABLES)
    assert found
    assert found.error.code == "table-taken"
    with pytest.raises(Impossible, match="wishes-clash"):
        must_have_schedule(state, TABLES)
    far = entered("two sides, odd").enter({"kind": "wish", **FIXED, "table": 99})
    assert (clash(far, TABLES) or found).error.code == "no-such-table"
    assert clash(entered("two sides, odd").enter({"kind": "wish", **APART}), TABLES) is None
    alone = (
        entered("two sides, odd")
        .enter({"kind": "wish", **FIXED})
        .enter({"kind": "withdraw", "entrants": [*range(2, 8)]})
    )
    assert clash(alone, TABLES) is None, "there is no schedule, but not for the wish"


# --- release -----------------------------------------------------------------------------------------------
def test_a_released_schedule_stays_public_until_a_changed_one_is_released_and_says_so() -> None:
    state = planned("two sides, odd").enter({"kind": "publish"})
    assert (state.published, state.changed) == (state.plan, frozenset())
    two = [*state.plan[2].tables[0][:1], *state.plan[2].tables[1][:1]]
    changed = state.enter({"kind": "exchange", "round": 3, "entrants": two})
    assert changed.published == state.published
    again = changed.enter({"kind": "publish"})
    assert (again.published, again.changed) == (changed.plan, frozenset({3}))
    assert seated(again).published == again.plan[1:]


def test_a_round_that_is_seated_otherwise_than_released_has_changed() -> None:
    state = planned("two sides, odd").enter({"kind": "publish"})
    two = [*state.plan[0].tables[0][:1], *state.plan[0].tables[1][:1]]
    assert seated(state.enter({"kind": "exchange", "round": 1, "entrants": two})).changed == {1}
    assert seated(state).changed == frozenset()


def test_a_changed_round_is_drafted_again() -> None:
    state = planned("two sides, odd")
    draft = state.enter({"kind": "draft", "round": state.next_round(TABLES).as_json()})
    assert draft.enter({"kind": "exchange", "round": 2, "entrants": [1, 2]}).draft
    assert draft.enter({"kind": "exchange", "round": 1, "entrants": [1, 2]}).draft is None


def test_a_table_of_the_plan_that_is_taken_gets_another_number() -> None:
    state = planned("two sides, odd")
    assert [each.table for each in state.next_round((1, 3, 4, 5)).pairings] == [1, 4, 3]


@pytest.mark.parametrize(
    ("entry", "code"),
    [
        ({"kind": "exchange", "round": 0, "entrants": [1, 2]}, "round-over"),
        ({"kind": "exchange", "round": 8, "entrants": [1, 2]}, "round-over"),
        ({"kind": "exchange", "round": 1, "entrants": [1, 99]}, "not-in-the-round"),
        ({"kind": "exchange", "round": 1, "entrants": [1, 1]}, "not-in-the-round"),
        ({"kind": "take"}, "no-proposal"),
        ({"kind": "drop-proposal"}, "no-proposal"),
        ({"kind": "wish", **APART, "entrants": [1, 1]}, "not-two"),
        ({"kind": "wish", **APART, "entrants": [1, 99]}, "not-entered"),
        ({"kind": "wish", **LATE, "last": 2}, "leaves-first"),
        ({"kind": "remove-wish", "number": 0}, "no-such-wish"),
    ],
)
def test_what_the_schedule_does_not_allow(entry: dict[str, Any], code: str) -> None:
    with pytest.raises(Impossible) as refused:
        planned("two sides, odd").enter(entry)
    assert refused.value.code == code


def test_nothing_is_released_or_repaired_without_a_plan() -> None:
    with pytest.raises(Impossible, match="nothing-planned"):
        entered("pairs").enter({"kind": "publish"})
    with pytest.raises(Impossible, match="nothing-planned"):
        must_be_repairable(entered("pairs"), TABLES)
    few = planned("tables of three").enter({"kind": "withdraw", "entrants": list(range(1, 9))})
    with pytest.raises(Impossible, match="no-schedule"):
        must_be_repairable(few, TABLES)


def test_a_proposal_is_forgotten_when_somebody_comes_or_leaves() -> None:
    state = planned("two sides, odd")
    proposed = state.enter(rounds_of("propose", state.plan))
    assert proposed.proposal
    assert proposed.enter({"kind": "withdraw", "entrants": [1]}).proposal is None
    assert seated(proposed).proposal is None
