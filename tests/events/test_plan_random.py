"""Random days of a director: whatever they do, the verifier accepts the schedule, and there are words for it."""

import random
from collections.abc import Callable
from contextlib import suppress
from itertools import chain
from typing import Any

import pytest

from scorekeeper.events import Tournament
from scorekeeper.events.plan import (
    clash,
    drawn,
    must_be_repairable,
    must_have_schedule,
    played,
    repairs,
    rounds_of,
    schedules,
)
from scorekeeper.events.rounds import Impossible
from scorekeeper.pages import schedule_words
from tests.events.test_plan import FORMATS, TABLES, entered, search, seated

STEPS = 25
BROKEN_WISHES = {"met-too-early", "wrong-table", "not-there", "player-missing"}


def planned_anew(state: Tournament, rng: random.Random) -> Tournament:
    must_have_schedule(state, TABLES)
    *_earlier, last = schedules(state, TABLES, **search(rng.randrange(99), 6))
    return state.enter(rounds_of("plan", last.best.rounds, at=list(TABLES[:8])))


def repaired(state: Tournament, rng: random.Random) -> Tournament:
    """Everybody who takes part has one place in each round to come, unless a wish says when they are present."""
    must_be_repairable(state, TABLES)
    *_earlier, last = repairs(state, TABLES, **search(rng.randrange(99), 6))
    here = set(state.taking_part)
    away = {entrant for wish in state.wishes if wish.what == "present" for entrant in wish.entrants}
    for each in last.best.rounds:
        named = [*each.byes, *chain.from_iterable(each.tables)]
        assert len(named) == len(set(named))
        assert here - away <= set(named) <= here
    return state.enter(rounds_of("propose", last.best.rounds, at=list(TABLES[:8])))


def wished(state: Tournament, rng: random.Random) -> Tournament:
    what = rng.choice(["apart", "table", "present"])
    wish = {
        "what": what,
        "entrants": rng.sample(list(state.entrants), 2 if what == "apart" else 1),
        "first": rng.randrange(1, 4) if what == "present" else 1,
        "last": rng.choice([None, 3, 5]),
        "table": rng.randrange(1, 5),
    }
    return state.enter({"kind": "wish", **wish})


def exchanged(state: Tournament, rng: random.Random) -> Tournament:
    two = rng.sample(list(state.entrants), 2)
    return state.enter({"kind": "exchange", "round": rng.randrange(1, 10), "entrants": two})


def another(state: Tournament, rng: random.Random) -> Tournament:
    first = max(chain.from_iterable(state.entrants.values())) + 1
    players = range(first, first + state.setup["size"])
    return state.enter({"kind": "enter", "entrants": [list(players)]})


def somebody(kind: str) -> Callable[[Tournament, random.Random], Tournament]:
    return lambda state, rng: state.enter({"kind": kind, "entrants": [rng.choice(list(state.entrants))]})


def step(kind: str, **more: Any) -> Callable[[Tournament, random.Random], Tournament]:
    return lambda state, _rng: state.enter({"kind": kind, **more})


DEEDS: list[Callable[[Tournament, random.Random], Tournament]] = [
    planned_anew,
    planned_anew,
    repaired,
    repaired,
    wished,
    exchanged,
    exchanged,
    another,
    lambda state, _rng: seated(state),
    somebody("withdraw"),
    somebody("return"),
    step("take"),
    step("publish"),
    step("drop-proposal"),
    step("remove-wish", number=0),
]


@pytest.mark.parametrize("seed", range(30))
def test_whatever_a_director_does(seed: int) -> None:
    rng = random.Random(seed)
    state = entered(rng.choice(list(FORMATS)))
    wishes = False
    for _step in range(STEPS):
        before = state
        with suppress(Impossible):
            state = rng.choice(DEEDS)(state, rng)
        now, later = drawn(state), played(state)
        wishes = wishes or bool(state.wishes)
        assert {fault.code for fault in now.faults} <= (BROKEN_WISHES if wishes else set())
        said = schedule_words.in_words(later.tally.frequencies) + schedule_words.leads(later.measures)
        said += schedule_words.faults(now, str) + schedule_words.changes(played(before), later, str)
        if found := clash(state, TABLES):
            said.append(schedule_words.clash_words(found, str))
        assert all("{" not in sentence for sentence in said)
