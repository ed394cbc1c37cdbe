"""The schedule of a tournament through the services: made, stopped and kept, changed, repaired, released."""

import random
from datetime import datetime
from typing import Any

import pytest

from scorekeeper.events import Tournament
from scorekeeper.events.plan import drawn
from scorekeeper.models import Event, Job
from scorekeeper.selectors.events import state_of
from scorekeeper.selectors.jobs import schedule_under_way
from scorekeeper.services import events, jobs, schedules, tournaments
from scorekeeper.services.errors import Behind, Refused
from scorekeeper.tasks import WORK
from tests.conftest import NOW, Cast
from tests.nights import at, first
from tests.tournaments import entered, file_of, played, released, scheduled, setup_of

SEARCHED = setup_of("dominards", "fours", rounds=6)  # for 18 entrants no theory is as even as counting allows


@pytest.fixture(autouse=True)
def short_searches(monkeypatch: pytest.MonkeyPatch) -> None:
    """A search that does not reach its bound takes all the time it may."""
    monkeypatch.setattr(schedules, "SECONDS", 0.2)


def state(event: Event) -> Tournament:
    found = state_of(event)
    assert isinstance(found, Tournament)
    return found


def asked(event: Event, key: str = "schedule") -> Job:
    event.refresh_from_db()
    return schedules.schedule(event=event, rng=random.Random(1), step=at(event, key))


def repaired(event: Event, key: str = "repair") -> None:
    event.refresh_from_db()
    job = schedules.repair(event=event, rng=random.Random(1), step=at(event, key))
    jobs.run(job.pk, WORK)


def test_a_search_shows_its_best_and_is_stopped_and_kept(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    event = entered(cast, SEARCHED, 18)
    job = asked(event)
    assert (job.state, job.best) == (Job.State.NEW, {})
    seen: list[dict[str, Any]] = []
    goes_on = jobs.Run.goes_on

    def stop_at_once(run: jobs.Run, *progress: Any) -> bool:
        run.seen = NOW  # the progress is due
        more = goes_on(run, *progress)
        seen.append(Job.objects.get(pk=job.pk).best)
        jobs.stop(job_id=job.pk)
        return more

    monkeypatch.setattr(jobs.Run, "goes_on", stop_at_once)
    jobs.run(job.pk, WORK)
    job.refresh_from_db()
    assert job.state == Job.State.DONE
    assert len(seen) == 2, "the report after the stop is the last"
    pairs = dict(map(tuple, seen[0]["meet"]))
    assert sum(pairs.values()) == 18 * 17 // 2
    assert seen[0]["kept"]
    assert len(state(event).plan) == 6
    assert drawn(state(event)).faults == []


def test_a_cancelled_search_changes_nothing(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    event = entered(cast, SEARCHED, 18)
    job = asked(event)
    goes_on = jobs.Run.goes_on

    def cancel_at_once(run: jobs.Run, *progress: Any) -> bool:
        run.seen = NOW
        jobs.cancel(job_id=job.pk, now=NOW)
        return goes_on(run, *progress)

    monkeypatch.setattr(jobs.Run, "goes_on", cancel_at_once)
    jobs.run(job.pk, WORK)
    job.refresh_from_db()
    assert job.state == Job.State.CANCELLED
    assert state(event).plan == ()
    assert schedule_under_way(event, NOW) is None


@pytest.mark.parametrize(
    ("setup", "made"),
    [(setup_of("dominards", "fours", rounds=4), Job.State.NEW), (setup_of("block", "heads"), Job.State.DONE)],
)
def test_few_entrants_wait_for_a_worker_only_if_something_has_to_be_searched(
    cast: Cast, setup: dict[str, Any], made: Job.State
) -> None:
    job = asked(entered(cast, setup, 10))
    job.refresh_from_db()
    assert job.state == made


def test_a_job_is_not_stopped_before_it_has_begun(cast: Cast) -> None:
    job = asked(entered(cast, SEARCHED, 18))
    jobs.stop(job_id=job.pk)
    job.refresh_from_db()
    assert not job.stop_asked


def test_a_worker_that_has_lost_its_job_adds_no_second_schedule(cast: Cast) -> None:
    event = entered(cast, SEARCHED, 18)
    job = asked(event)
    later = NOW + 2 * jobs.LEASE
    times: list[datetime] = []

    def clock() -> datetime:
        """Of a worker that hangs after it has taken the job, until another one has done it."""
        times.append(NOW if not times else later)
        if len(times) == 2:
            assert jobs.sweep(now=later) == 1
            jobs.run(job.pk, WORK, clock=lambda: later)
            assert len(state(event).plan) == 6
        return times[-1]

    jobs.run(job.pk, WORK, clock=clock)
    job.refresh_from_db()
    assert len(times) > 1
    assert (job.state, job.tries, Event.objects.get(pk=event.pk).length) == (Job.State.DONE, 2, 3)


def test_a_change_is_one_step_and_is_undone(cast: Cast) -> None:
    event = scheduled(cast, setup_of("block", "heads"), 6)
    before = state(event)
    step = at(event, "swap")
    for _ in range(2):
        schedules.exchange(event_id=event.pk, round_number=2, entrants=[1, 2], step=step)
    assert state(event).plan != before.plan
    assert drawn(state(event)).faults == []
    with pytest.raises(Behind):
        schedules.exchange(event_id=event.pk, round_number=2, entrants=[1, 2], step=first("unseen"))
    with pytest.raises(Refused, match="Choose two different entrants"):
        schedules.exchange(event_id=event.pk, round_number=2, entrants=[1, 2, 3], step=at(event, "three"))
    events.undo(event_id=event.pk, step=at(event, "undo"))
    assert state(event) == before


def test_a_late_entrant_and_a_leaver_get_a_schedule_and_results_stay(cast: Cast) -> None:
    event = scheduled(cast, setup_of("block", "heads"), 8)
    for match in released(event):
        played(match)
    results = file_of(event)["stages"][0]["rounds"]
    player = cast.club.players.create(name="Late")
    tournaments.enter(event_id=event.pk, entrants=[[player.pk]], step=at(event, "late"))
    tournaments.withdraw(event_id=event.pk, entrants=[3], step=at(event, "leaves"))
    with pytest.raises(Refused, match="first round is seated"):
        asked(event, "too late")
    plan = state(event).plan
    repaired(event)
    assert state(event).plan == plan, "it is only proposed"
    schedules.take(event_id=event.pk, step=at(event, "take"))
    after = state(event)
    assert after.plan != plan
    assert drawn(after).faults == []
    assert file_of(event)["stages"][0]["rounds"] == results
    named = {entrant for each in after.plan for table in each.tables for entrant in table}
    assert named == {1, 2, 4, 5, 6, 7, 8, 9}
    while state(event).plan:
        for match in released(event):
            played(match)
    assert len(file_of(event)["stages"][0]["rounds"]) == 7


def test_a_proposal_is_dropped_or_undone(cast: Cast) -> None:
    event = scheduled(cast, setup_of("block", "heads"), 6)
    tournaments.withdraw(event_id=event.pk, entrants=[3], step=at(event, "leaves"))
    before = state(event)
    repaired(event)
    assert state(event).proposal
    schedules.drop(event_id=event.pk, step=at(event, "drop"))
    assert state(event) == before
    with pytest.raises(Refused, match="no other schedule"):
        schedules.take(event_id=event.pk, step=at(event, "take"))
    repaired(event, "again")
    events.undo(event_id=event.pk, step=at(event, "undo"))
    assert state(event) == before


def test_wishes_are_kept_by_the_next_schedule_and_refused_if_nobody_can(cast: Cast) -> None:
    event = entered(cast, setup_of("domizerka", "triples"), 9)
    wish = {"what": "table", "entrants": [4], "first": 1, "last": None, "table": 3}
    schedules.wish(event_id=event.pk, wish=wish, step=at(event, "wish"))
    job = asked(event)
    jobs.run(job.pk, WORK)
    with pytest.raises(Refused, match=r"No schedule can keep all wishes\. Dmitri and Elena want the same table"):
        schedules.wish(event_id=event.pk, wish={**wish, "entrants": [5]}, step=at(event, "second"))
    assert len(state(event).wishes) == 1
    late = {"what": "present", "entrants": [6], "first": 4, "last": None, "table": 0}
    schedules.wish(event_id=event.pk, wish=late, step=at(event, "late"))
    shorter = setup_of("domizerka", "triples", rounds=2)
    tournaments.set_up(event_id=event.pk, name="Cup", setup=shorter, step=at(event, "shorter"))
    with pytest.raises(Refused, match=r"Farid is present in no round: there are only 2\. Remove that wish\."):
        asked(event, "again")
    for key in ("longer", "all play"):
        events.undo(event_id=event.pk, step=at(event, key))
    tables = [{table["table"]: table["sides"] for table in each} for each in _drawn_tables(event)]
    assert len(tables) == 4
    assert all([4] in each[3] for each in tables)


def _drawn_tables(event: Event) -> list[list[dict[str, Any]]]:
    """The tables of each round, as they are released one after the other."""
    while state(event).plan:
        for match in released(event):
            played(match)
    return [each["tables"] for each in file_of(event)["stages"][0]["rounds"]]


def test_the_whole_schedule_is_released(cast: Cast) -> None:
    event = scheduled(cast, setup_of("block", "heads"), 6)
    schedules.publish(event_id=event.pk, step=at(event, "publish"))
    assert state(event).published == state(event).plan
    repaired(event)
    schedules.take(event_id=event.pk, step=at(event, "take"))
    assert state(event).published == state(event).plan, "whoever takes another schedule releases it"


def test_another_schedule_in_place_of_a_released_one_is_a_proposal(cast: Cast) -> None:
    event = scheduled(cast, setup_of("block", "heads"), 6)
    schedules.publish(event_id=event.pk, step=at(event, "publish"))
    before = state(event)
    asked(event, "again")
    assert (state(event).plan, state(event).published) == (before.plan, before.published)
    proposal = state(event).proposal
    assert proposal
    schedules.take(event_id=event.pk, step=at(event, "take"))
    assert state(event).plan == state(event).published == proposal.plan
