"""A knock-out leaves a server as an archive and comes into another club: with the same bracket, seeds and standings."""

import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from scorekeeper.models import Event, Job
from scorekeeper.selectors.events import event_now
from scorekeeper.selectors.pairings import next_to_draw
from scorekeeper.services import events, tournaments
from tests.conftest import Cast
from tests.nights import at
from tests.scorekeeper.test_best_of import playing, type_totals
from tests.scorekeeper.test_knock_out import TREE, drawn
from tests.scorekeeper.test_seeds import order
from tests.scorekeeper.test_swiss import state
from tests.scorekeeper.test_tournament_import import archived, imported, standings
from tests.tournaments import entered, file_of

Host = Callable[[str], Client]


@pytest.fixture(autouse=True)
def data(settings: Any, tmp_path: Path) -> None:
    settings.DATA = tmp_path


def by_lots(event: Event, rng: random.Random) -> None:
    """Draws a round and plays it; some matches are drawn."""
    drawn(event)
    while going := playing(event):
        totals = {entrant: rng.choice([0, 10]) for entrant in state(event).entrants}
        type_totals(event, going[0], totals)


def bare(file: Any) -> Any:
    for played in file["stages"][0]["rounds"]:
        for table in played["tables"]:
            for each in (table, *table.get("matches", ())):
                each.pop("match", None)
    return file


@pytest.mark.parametrize(("best_of", "final"), [(1, 0), (3, 0), (1, 3)])
@pytest.mark.parametrize("bracket", ["third-place", "double"])
def test_an_archive_gives_the_same_bracket(cast: Cast, as_user: Host, bracket: str, best_of: int, final: int) -> None:
    lengths = {"best_of": best_of, "final_best_of": final}
    event, rng = entered(cast, TREE | {"bracket": bracket} | lengths, 6), random.Random(best_of)
    tournaments.withdraw(event_id=event.pk, entrants=[2], step=at(event, "leaves"))
    order(event, 5, 1, 3, 6, 4)
    first = drawn(event)[0]
    assert first.table
    event.refresh_from_db()
    tournaments.forfeit(event_id=event.pk, round_number=1, table=first.table.number, absent=[0], step=at(event, "away"))
    for match in playing(event):
        while each := next((each for each in playing(event) if each.table_id == match.table_id), None):
            type_totals(event, each, {entrant: rng.choice([0, 10]) for entrant in state(event).entrants})
    by_lots(event, rng)
    while final and not state(event).finals:
        by_lots(event, rng)
    events.close(event_id=event.pk, open_matches="abandon", step=at(event, "close"))
    content = archived(Event.objects.get(pk=event.pk))
    job = imported(cast, as_user, content)
    assert job.state == Job.State.DONE, job.error
    new = Event.objects.select_related("club").get(pk=int(job.result))
    assert bare(file_of(new)) == bare(file_of(event))
    assert standings(new) == standings(event)
    assert state(new).seeds == state(event).seeds
    assert not final or state(new).finals == state(event).finals
    assert new.matches.count() == event.matches.count()


def test_a_file_alone_goes_on_here(cast: Cast, as_user: Host) -> None:
    event = entered(cast, TREE | {"best_of": 3}, 4)
    by_lots(event, random.Random(1))
    file = file_of(event)
    del file["scorekeeper"]
    job = imported(cast, as_user, json.dumps(file).encode())
    assert job.state == Job.State.DONE, job.error
    new = Event.objects.select_related("club").get(pk=int(job.result))
    assert state(new).best_of(1, state(new).pairing_at(1, 1)) == 3
    by_lots(new, random.Random(2))
    assert next_to_draw(event_now(Event.objects.select_related("club").get(pk=new.pk))) == 0


def test_a_table_of_several_matches_needs_each_of_them(cast: Cast, as_user: Host) -> None:
    event = entered(cast, TREE | {"best_of": 3}, 2)
    by_lots(event, random.Random(1))
    file = file_of(event)
    del file["stages"][0]["rounds"][0]["tables"][0]["matches"]
    job = imported(cast, as_user, json.dumps(file).encode())
    assert job.state == Job.State.FAILED
    assert "stages[0].rounds[0].tables[0].matches: Several matches decide this table." in job.error
