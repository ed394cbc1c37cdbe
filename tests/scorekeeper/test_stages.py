"""Groups, then finals: several stages of one tournament, through its services."""

import json
import random
from collections.abc import Sequence
from typing import Any

import pytest

from scorekeeper.events.groups import Group
from scorekeeper.models import Event, Match
from scorekeeper.selectors.events import event_now
from scorekeeper.selectors.finals import candidates
from scorekeeper.services import events, stages, tournaments
from scorekeeper.standings.advancing import Candidate
from tests.conftest import Cast
from tests.nights import at
from tests.scorekeeper.test_knock_out import next_round, won_by_the_better
from tests.scorekeeper.test_swiss import state
from tests.tournaments import commanded, entered, file_of, made, setup_of

GROUPS = setup_of("block", "heads", lots="a")
SYSTEMS: dict[str, dict[str, Any]] = {
    "round-robin": {"system": "round-robin", "order": ["points", "head-to-head", "start"]},
    "swiss": {"system": "swiss", "order": ["points", "buchholz", "start"]},
    "knock-out": {"system": "knock-out", "order": []},
}


def grouped(cast: Cast, entrants: int, groups: int, setup: dict[str, Any] = GROUPS, how: str = "snake") -> Event:
    event = entered(cast, setup, entrants)
    names = [f"Group {letter}" for letter in "ABCDEFGH"[:groups]]
    stages.draw_groups(
        event_id=event.pk, number=groups, how=how, names=names, rng=random.Random(1), step=at(event, "groups")
    )
    return event


def next_tables(event: Event) -> list[Match]:
    """Those of the next round of the stage; none once it is over."""
    now = state(event)
    key = f"{len(now.rounds) + 1} of stage {len(now.earlier)}"
    if now.by_results:
        if not next_round(event):
            return []
        made(event, f"draw {key}")
    else:
        if not now.begun:
            made(event, f"schedule {key}")
        if not state(event).plan:
            return []
        tournaments.draft_next(event_id=event.pk, step=at(event, f"draft {key}"))
    return events.seat(event_id=event.pk, step=at(event, f"seat {key}"))


def play(event: Event) -> None:
    """All rounds of the stage; the smaller start number wins."""
    while tables := next_tables(event):
        for match in tables:
            won_by_the_better(event, match)


def rule(event: Event, first: int, best: int) -> list[list[Candidate]]:
    return candidates(event_now(Event.objects.select_related("club").get(pk=event.pk)), first, best)


def through(event: Event, first: int, best: int) -> list[int]:
    return [each.row.entrant for group in rule(event, first, best) for each in group if each.through]


def finals(event: Event, of: Sequence[tuple[str, Sequence[int]]], setup: dict[str, Any], points: bool = False) -> None:
    stages.begin_finals(
        event_id=event.pk,
        finals=[Group(name, tuple(entrants)) for name, entrants in of],
        setup={**state(event).setup, **setup},
        points_count=points,
        step=at(event, "finals"),
    )


@pytest.mark.parametrize("system", SYSTEMS)
@pytest.mark.parametrize("final", SYSTEMS)
def test_groups_of_any_system_and_finals_of_any_system(cast: Cast, system: str, final: str) -> None:
    event = grouped(cast, 13, 3, GROUPS | SYSTEMS[system])
    play(event)
    assert [len(stage["entrants"]) for stage in file_of(event)["stages"]] == [5, 4, 4]
    best = through(event, 2, 2)
    others = [entrant for entrant in state(event).taking_part if entrant not in best]
    before = len(state(event).rounds)
    finals(event, [("Final", best), ("Consolation final", others)], SYSTEMS[final])
    play(event)
    file = file_of(event)
    assert [stage["name"] for stage in file["stages"]] == [
        "Group A",
        "Group B",
        "Group C",
        "Final",
        "Consolation final",
    ]
    assert file["overall"] == [["Final"], ["Consolation final"], ["Group A", "Group B", "Group C"]]
    for stage in file["stages"]:
        here = {*stage["entrants"]}
        tables = [table for played in stage["rounds"] for table in played["tables"]]
        assert tables
        assert all(entrant in here for table in tables for side in table["sides"] for entrant in side)
        assert all(table["totals"] for table in tables)
    assert len(state(event).rounds) - before == max(len(stage["rounds"]) for stage in file["stages"][3:])
    said = commanded(json.dumps(file).encode())
    assert next(row["entrant"] for row in said["overall"]) == 1, "who always wins, wins"
    assert {row["entrant"] for row in said["overall"][:8]} == {*best}
