"""Groups and finals leave a server as an archive and come into another club: with the same stages and standings."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from scorekeeper.models import Event, Job
from scorekeeper.services import events, stages, tournaments
from scorekeeper.standings.advancing import Quota
from tests.conftest import Cast
from tests.nights import at
from tests.scorekeeper.test_knock_out import win, won_by_the_better
from tests.scorekeeper.test_stages import GROUPS, SYSTEMS, finals, grouped, next_tables, play, through
from tests.scorekeeper.test_swiss import state
from tests.scorekeeper.test_tournament_import import archived, imported, standings
from tests.tournaments import entered, file_of

Host = Callable[[str], Client]


@pytest.fixture(autouse=True)
def data(settings: Any, tmp_path: Path) -> None:
    settings.DATA = tmp_path


def bare(event: Event) -> Any:
    """The file of the tournament without the numbers of its matches."""
    file = file_of(event)
    for stage in file["stages"]:
        for played in stage["rounds"]:
            for table in played["tables"]:
                for each in (table, *table.get("matches", ())):
                    each.pop("match", None)
    return file


def again(cast: Cast, as_user: Host, event: Event) -> Event:
    job = imported(cast, as_user, archived(Event.objects.get(pk=event.pk)))
    assert job.state == Job.State.DONE, job.error
    return Event.objects.select_related("club").get(pk=int(job.result))


def must_be_the_same(new: Event, old: Event) -> None:
    assert bare(new) == bare(old)
    assert standings(new) == standings(old)
    assert shape(new) == shape(old)


def shape(event: Event) -> Any:
    """Who is in which group of which stage, how long it was, what counts on, and what was decided between equals."""
    return [
        ([(group.name, {*group.entrants}) for group in stage.groups], stage.rounds, stage.carried, stage.manual)
        for _before, stage in state(event).stages
    ], state(event).advances


@pytest.mark.parametrize(
    ("system", "final", "points"),
    [("round-robin", "swiss", True), ("swiss", "knock-out", False), ("knock-out", "round-robin", True)],
)
def test_an_archive_gives_the_same_groups_and_finals(
    cast: Cast, as_user: Host, system: str, final: str, points: bool
) -> None:
    event = grouped(cast, 8, 2, GROUPS | SYSTEMS[system] | {"first_by_lots": True})
    first = next_tables(event)[0]
    assert first.table
    event.refresh_from_db()
    tournaments.forfeit(event_id=event.pk, round_number=1, table=first.table.number, absent=[0], step=at(event, "away"))
    for match in event.matches.filter(finished_at=None):
        won_by_the_better(event, match)
    play(event)
    best = through(event, 2, 0)
    others = [entrant for entrant in state(event).taking_part if entrant not in best]
    finals(event, [("Final", best), ("Consolation final", others)], SYSTEMS[final] | {"minutes": 7}, points)
    play(event)
    for number, entrant in ((1, 3), (len(state(event).rounds), best[0])):
        tournaments.penalise(
            event_id=event.pk,
            entrant=entrant,
            round_number=number,
            points=1,
            reason="late",
            step=at(event, f"{number}"),
        )
    tournaments.withdraw(event_id=event.pk, entrants=[others[-1]], step=at(event, "gone"))
    events.close(event_id=event.pk, open_matches="abandon", step=at(event, "close"))
    must_be_the_same(again(cast, as_user, event), event)


@pytest.mark.parametrize("finals_begun", [False, True])
def test_an_archive_keeps_what_finals_by_knock_out_begin_with(cast: Cast, as_user: Host, finals_begun: bool) -> None:
    kept = {"bracket": "third-place", "best_of": 3, "final_best_of": 5}
    event = grouped(cast, 8, 2, GROUPS | kept)
    play(event)
    if finals_begun:
        finals(event, [("Final", [1, 2, 3, 4])], SYSTEMS["knock-out"])
    new = again(cast, as_user, event)
    must_be_the_same(new, event)
    assert state(new).first_setup.items() >= kept.items()
    if not finals_begun:
        finals(new, [("Final", [1, 2, 3, 4])], SYSTEMS["knock-out"])
    next_tables(new)
    assert [state(new).best_of(4, table) for table in state(new).rounds[3].pairings] == [3, 3]


def test_finals_without_groups_and_one_more_stage_go_on_here(cast: Cast, as_user: Host) -> None:
    """Directors decided who of equals is ahead; the last stage is not over, and its rounds to come are known."""
    event = entered(cast, GROUPS | {"order": ["points", "manual"]}, 6)
    while tables := next_tables(event):
        for match in tables:
            win(event, match, 0)  # nobody wins anything
    places = {number: 1 + number % 6 for number in range(1, 7)}
    tournaments.decide(event_id=event.pk, places=places, step=at(event, "decided"))
    tournaments.decide(event_id=event.pk, places=places | dict.fromkeys((4, 5)), step=at(event, "4 and 5 are equal"))
    match = {4: 2, 5: 1}
    stages.decide(event_id=event.pk, quota=Quota(5), places=match, why="a match", step=at(event, "a match"))
    finals(event, [("Final", [2, 1, 3, 4]), ("Plate", [6, 5])], SYSTEMS["knock-out"])
    play(event)
    finals(event, [("Top", [1, 2, 3]), ("Rest", [4, 5, 6])], SYSTEMS["round-robin"], points=True)
    for match in next_tables(event):
        won_by_the_better(event, match)
    assert state(event).plan
    new = again(cast, as_user, event)
    must_be_the_same(new, event)
    assert state(new).plan == state(event).plan
    assert state(new).earlier[0].manual == (6, 1, 2, 3)
    assert [(each.stage, each.entrants, each.why) for each in state(new).advances] == [(0, (5, 4), "a match")]
    play(new)
    play(event)
    assert standings(new) == standings(event)


@pytest.mark.parametrize(
    ("stages", "said"),
    [
        ([], "scorekeeper.stages: These are not all stages of the file"),
        ([{"groups": ["Group A"], "setup": {}, "carried": []}], "scorekeeper.stages: These are not all stages"),
        ([{"groups": [], "setup": {}, "carried": []}], "scorekeeper.stages: These are not all stages of the file"),
        ([{"groups": 1, "setup": {}, "carried": []}], "scorekeeper.stages[0].groups: Expected a list"),
        (
            [{"groups": ["Group A", "Group B"], "setup": {"format": "x"}, "carried": []}],
            "scorekeeper.setup.format: ",
        ),
        (
            [{"groups": ["Group A", "Group B"], "setup": {}, "carried": [[9, 1]]}],
            "scorekeeper.stages[0].carried: There is no entrant 9",
        ),
        (
            [{"groups": ["Group A", "Group B"], "setup": {}, "carried": [], "advances": [{"entrants": [9]}]}],
            "scorekeeper.stages[0].advances[0]: There is no entrant 9",
        ),
        (
            [{"groups": ["Group A"], "setup": {}, "carried": []}, {"groups": ["Group B"], "setup": {}, "carried": []}],
            "stages[0].entrants: Everybody takes part",
        ),
    ],
)
def test_stages_that_cannot_be_are_refused(cast: Cast, as_user: Host, stages: Any, said: str) -> None:
    event = grouped(cast, 6, 2)
    file = file_of(event)
    file["scorekeeper"]["stages"] = stages
    job = imported(cast, as_user, json.dumps(file).encode())
    assert (job.state, said in job.error) == (Job.State.FAILED, True), job.error
    assert list(Event.objects.all()) == [event]


def test_groups_side_by_side_have_the_same_rules(cast: Cast, as_user: Host) -> None:
    file = file_of(grouped(cast, 6, 2))
    file["stages"][1]["lots"] = "other"
    job = imported(cast, as_user, json.dumps(file).encode())
    assert "stages[1]: Groups that play side by side have the same rules." in job.error
