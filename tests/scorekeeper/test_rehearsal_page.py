"""The rehearsal of a tournament's day, from the button to the story."""

import random
from collections.abc import Callable
from importlib import import_module

import pytest
from django.apps import apps
from django.db import connection
from django.test import Client

from scorekeeper.events.groups import SNAKE
from scorekeeper.models import Event, Job, Match
from scorekeeper.selectors.audit import NO_JOBS
from scorekeeper.services import jobs, stages
from scorekeeper.tasks import WORK, run_job
from tests.conftest import Cast
from tests.nights import at
from tests.tournaments import entered, scheduled, setup_of

pytestmark = pytest.mark.django_db

UNTIL = {"start": "10:00", "end": "11:00", "pause": 10}
FIELDS = {"do": "rehearse", "tables": "2", "start": "10:00", "pause": "10"}
TROUBLES = {"late": "1", "no_shows": "1", "wrong": "1", "disputed": "1"}


def swiss(cast: Cast) -> Event:
    return entered(cast, setup_of("block", "heads", system="swiss", rounds=3, until=UNTIL), 8)


def round_robin(cast: Cast) -> Event:
    return scheduled(cast, setup_of("block", "heads", until=UNTIL), 6)


def knock_out(cast: Cast) -> Event:
    return entered(cast, setup_of("block", "heads", system="knock-out", bracket="double"), 6)


@pytest.fixture
def director(cast: Cast) -> Client:
    return cast.browser("director")


def work(*, state: str = Job.State.DONE) -> Job:
    job = Job.objects.get(kind="rehearsal")
    jobs.run(job.pk, WORK)
    job.refresh_from_db()
    assert job.state == state, job.error
    return job


@pytest.mark.parametrize("make", [swiss, round_robin, knock_out])
def test_one_button_plays_the_day_and_saves_nothing(
    director: Client, cast: Cast, make: Callable[[Cast], Event]
) -> None:
    event = make(cast)
    length, url = event.log.count(), f"/tournaments/{event.pk}/rehearsal/"
    assert url in director.get(f"/tournaments/{event.pk}/desk/").content.decode()
    form = director.get(url).content.decode()
    assert "Nothing of it is saved" in form
    assert form.count(" checked") == 4
    assert director.post(url, FIELDS | TROUBLES).status_code == 302
    waiting = director.get(url).content.decode()
    assert 'data-again="700"' in waiting
    assert "Nothing of it is saved" in waiting
    job = work()
    page = director.get(url).content.decode()
    assert "in 9 of 10 rehearsals by" in page
    assert "Nothing of it is saved" in page
    assert "does not come to table" in page
    assert "One rehearsed day" in page
    assert job.best["days"] == 200
    assert event.log.count() == length
    assert not Match.objects.exists()


def test_groups_and_their_finals_are_rehearsed(director: Client, cast: Cast) -> None:
    event = entered(cast, setup_of("block", "heads", until=UNTIL), 9)
    step = at(event, "groups")
    stages.draw_groups(event_id=event.pk, how=SNAKE, names=["Reds", "Blues"], rng=random.Random(1), step=step)
    url = f"/tournaments/{event.pk}/rehearsal/"
    assert "From each group" in director.get(url).content.decode()
    finals = {"first": "1", "best": "2", "system": "round-robin", "consolation": "swiss"}
    assert director.post(url, FIELDS | TROUBLES | finals | {"system": "chess"}).status_code == 404
    director.post(url, FIELDS | TROUBLES | finals)
    job = work()
    assert job.best["stages"] == ["Reds", "Blues", "Final", "Consolation final"]
    assert {len(each) for each in job.best["standings"]} == {2}
    page = director.get(url).content.decode()
    assert "Reds and Blues" in page
    assert "Consolation final" in page
    assert "does not come to table" in page
    assert "With only" not in page, "finals need all rounds of the groups"
    assert not Match.objects.exists()


def test_the_page_says_whether_it_fits_and_what_would_help(director: Client, cast: Cast) -> None:
    url = f"/tournaments/{swiss(cast).pk}/rehearsal/"
    director.post(url, FIELDS)
    work()
    page = director.get(url).content.decode()
    assert "It does not fit: the setup says 11:00." in page
    assert "With 4 tables: by" in page
    assert "With only 1 round: by" in page
    assert "earlier, not enough)" in page
    assert "Did not happen on this day" not in page, "nothing was to go wrong"


def test_a_day_that_nothing_shortens_enough_says_so(director: Client, cast: Cast) -> None:
    event = entered(cast, setup_of("block", "heads", until=UNTIL | {"end": "10:05"}), 4)
    url = f"/tournaments/{event.pk}/rehearsal/"
    director.post(url, FIELDS)
    work()
    assert "Nothing that you can change here is enough." in director.get(url).content.decode()


def test_a_rehearsal_says_what_of_it_did_not_happen_and_what_free_play_means(director: Client, cast: Cast) -> None:
    """Of two, who does not come leaves no match to be disputed."""
    event = entered(cast, setup_of("block", "heads", system="free"), 2)
    url = f"/tournaments/{event.pk}/rehearsal/"
    director.post(url, FIELDS | {"no_shows": "1", "disputed": "1"})
    work()
    page = director.get(url).content.decode()
    assert "Did not happen on this day: A result is disputed." in page
    assert "Free play has no number of rounds. Here everybody plays 1 more match." in page
    director.post(url, FIELDS | {"end": "12:00"})
    for job in Job.objects.filter(kind="rehearsal", state=Job.State.NEW):
        jobs.run(job.pk, WORK)
    page = " ".join(director.get(url).content.decode().split())
    assert "Here everybody plays 3 more matches, and all begin together." in page


def test_a_second_press_is_the_same_rehearsal_and_cancel_ends_it(director: Client, cast: Cast) -> None:
    url = f"/tournaments/{swiss(cast).pk}/rehearsal/"
    director.post(url, FIELDS)
    director.post(url, FIELDS)
    job = Job.objects.get(kind="rehearsal")
    assert job.kind in NO_JOBS, "it is pruned"
    director.post(url, {"do": "cancel"})
    assert "data-again" not in director.get(url).content.decode()
    work(state=Job.State.CANCELLED)


@pytest.mark.parametrize(
    ("wrong", "says"),
    [({"tables": "0"}, "Tables: enter"), ({"pause": "x"}, "Pause between rounds: enter"), ({"start": "soon"}, "14:00")],
)
def test_wrong_fields_are_refused(director: Client, cast: Cast, wrong: dict[str, str], says: str) -> None:
    answer = director.post(f"/tournaments/{swiss(cast).pk}/rehearsal/", FIELDS | wrong)
    assert answer.status_code == 422
    assert says in answer.content.decode()
    assert not Job.objects.filter(kind="rehearsal").exists()


def test_a_tournament_with_too_few_entrants_says_why(director: Client, cast: Cast) -> None:
    url = f"/tournaments/{entered(cast, setup_of('block', 'heads'), 1).pk}/rehearsal/"
    director.post(url, FIELDS)
    job = Job.objects.get(kind="rehearsal")
    run_job(job.pk)
    assert "A table needs 2 entrants" in director.get(url).content.decode()


def test_a_rehearsal_of_an_older_version_is_deleted(director: Client, cast: Cast) -> None:
    migration = import_module("scorekeeper.migrations.0032_rehearsals_of_an_older_form")
    url = f"/tournaments/{swiss(cast).pk}/rehearsal/"
    director.post(url, FIELDS | TROUBLES)
    job = work()
    migration.delete_older(apps, connection.schema_editor())
    assert "One rehearsed day" in director.get(url).content.decode()
    # As it was before there were rehearsals of groups.
    job.best["stage"] = job.best.pop("stages")[0]
    job.best["played"] = job.best["played"][0]["rounds"]
    job.save(update_fields=["best"])
    migration.delete_older(apps, connection.schema_editor())
    assert "One rehearsed day" not in director.get(url).content.decode()
    assert not Job.objects.filter(kind="rehearsal").exists()
