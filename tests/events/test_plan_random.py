"""Random days of a director: whatever they do, the verifier accepts the schedule, and there are words for it."""

import random
import re
from collections.abc import Callable
from contextlib import suppress
from itertools import chain, combinations
from typing import Any

import pytest

from scorekeeper.events import Tournament
from scorekeeper.events.plan import (
    clash,
    drawn,
    must_be_repairable,
    must_have_schedule,
    never_met,
    played,
    repairs,
    rounds_of,
    schedules,
    unplanned,
)
from scorekeeper.events.rounds import Impossible
from scorekeeper.pages import schedule_words
from scorekeeper.schedule.measures import measure
from scorekeeper.schedule.seating import FORMATS as SEATINGS
from scorekeeper.schedule.seating import Schedule, Seating, sides
from scorekeeper.schedule.tally import Frequencies, tally
from scorekeeper.selectors.wishes import clash_words
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
            said.append(clash_words(found, str))
        assert all("{" not in sentence for sentence in said)
        if (state.plan or state.rounds) and not (now.faults or unplanned(state) or now.tally.frequencies.meet.get(0)):
            assert [*never_met(state)] == [], "this schedule keeps all wishes, and everybody meets"


# --- what is said about a schedule is true ---------------------------------------------------------------------
VERBS = {
    "meet": r"meets?",
    "partner": r"partners|(?:are )?(?:never )?partners|has the same partner",
    "oppose": r"plays? against|(?:never )?play against each other",
}
TIMES = {"never": 0, "once": 1, "twice": 2, "three times": 3}


def anybody(rng: random.Random) -> Schedule:
    """Few entrants who are seated at random, often with the same rounds again, so that some counts come out even."""
    format = rng.choice([*SEATINGS.values()])
    players = range(rng.randrange(min(format.sizes), 9))
    rounds = []
    for _round in range(rng.randrange(1, 7)):
        left, tables = rng.sample(players, len(players)), []
        while len(left) >= (size := rng.choice(format.sizes)):
            tables.append(tuple(left.pop() for _seat in range(size)))
        rounds.append(Seating(tuple(tables), tuple(sorted(left))))
    return Schedule(format, len(players), tuple(rounds) * rng.randrange(1, 4))


def counted_slowly(schedule: Schedule, relation: str) -> list[int]:
    """How often each pair meets, is at one side, or at two sides of one table."""
    found = []
    for pair in combinations(range(schedule.players), 2):
        tables = [table for seating in schedule.rounds for table in seating.tables if {*pair} <= {*table}]
        together = sum(any({*pair} <= side for side in sides(schedule.format, table)) for table in tables)
        apart = len(tables) - together
        found.append({"meet": len(tables), "partner": together, "oppose": apart}[relation])
    return found


def often(text: str) -> set[int]:
    """“once or twice”"""
    return {TIMES[each] if each in TIMES else int(each.removesuffix(" times")) for each in text.split(" or ")}


def is_true(sentence: str, times: list[int], named: set[int]) -> bool:
    """Of how often each pair has the relation. Those who had it so often that they were named before are not others."""
    if sentence.startswith("Nobody"):
        return max(times) == 1
    said = often(re.findall(r"never|(?:once|twice|three times|\d+ times)(?: or .+)?(?=\.)", sentence)[0])
    if sentence.startswith("Everybody"):
        return {*times} == said
    if sentence.startswith("All others"):
        return {*times} - named == said
    named |= said
    pairs = re.match(r"(\d+) pairs", sentence)
    return sum(each in said for each in times) == (int(pairs[1]) if pairs else 1)


def byes_are_true(sentence: str, byes: list[int]) -> bool:
    least, most = min(byes), max(byes)
    if sentence == "Nobody has a bye.":
        return most == 0
    if sentence == "Everybody has at most one bye.":
        return (least, most) == (0, 1)
    numbers = [int(each) for each in re.findall(r"\d+", sentence.replace("one bye", "1 bye"))]
    return (numbers[0], numbers[-1]) == (least, most)


@pytest.mark.parametrize("seed", range(300))
def test_what_is_said_about_a_schedule_is_true(seed: int) -> None:
    schedule = anybody(random.Random(seed))
    *said, byes = schedule_words.in_words(tally(schedule).frequencies)
    relations = ["partner", "oppose"] if schedule.format.partners else ["meet"]
    about = {name: [text for text in said if re.search(VERBS[name], text)] for name in relations}
    assert sorted(chain.from_iterable(about.values())) == sorted(said), "each is about one of them"
    for name, sentences in about.items():
        times, named = counted_slowly(schedule, name), set[int]()
        for sentence in sentences:
            assert is_true(sentence, times, named), (sentence, times)
    sat_out = [sum(player in each.byes for each in schedule.rounds) for player in range(schedule.players)]
    assert byes_are_true(byes, sat_out), byes
    tables = [table for seating in schedule.rounds for table in seating.tables]
    led = [sum(table[0] == player for table in tables) for player in range(schedule.players)]
    assert not schedule_words.leads(measure(schedule)) or len({*led}) > 1


def test_all_others_meet_as_often_as_is_said() -> None:
    """Three pairs never meet, and all others exactly twice."""
    said = schedule_words.in_words(Frequencies({0: 3, 2: 18}, {}, {}, {0: 7}))
    assert said[:2] == ["3 pairs of entrants never meet.", "All others meet twice."]
