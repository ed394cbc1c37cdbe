"""The ledger of jobs, without a worker process."""

from collections.abc import Callable
from datetime import datetime, timedelta

import pytest
from celery.beat import ScheduleEntry
from django.conf import settings
from django.db import OperationalError, transaction

from scorekeeper.celery import app
from scorekeeper.models import Job
from scorekeeper.services import jobs
from tests.conftest import NOW

pytestmark = pytest.mark.django_db

LATER = NOW + jobs.LEASE + timedelta(seconds=1)


def a_job(**given: object) -> Job:
    return Job.objects.create(**{"kind": "count", "args": {}, "made_at": NOW, "run_after": NOW} | given)


def a_running_job(**given: object) -> Job:
    return a_job(state="running", tries=1, lease_until=NOW + jobs.LEASE, started_at=NOW, **given)


def at(now: datetime) -> Callable[[], datetime]:
    return lambda: now


def run(job: Job, work: jobs.Work, now: datetime = NOW) -> None:
    jobs.run(job.pk, {"count": work}, clock=at(now))
    job.refresh_from_db()


def done(taken: jobs.Run) -> None:
    taken.done(result="counted")


def test_work_is_sent_when_its_cause_is_committed(django_capture_on_commit_callbacks) -> None:
    with django_capture_on_commit_callbacks() as sent:
        jobs.start(kind="count", args={}, club=None, by=None, now=NOW)
    assert len(sent) == 1


def test_work_for_later_is_not_sent_yet(django_capture_on_commit_callbacks) -> None:
    with django_capture_on_commit_callbacks() as sent:
        job = jobs.start(kind="count", args={}, club=None, by=None, now=NOW, run_after=LATER)
    assert sent == []
    assert jobs.sweep(now=NOW) == 0
    run(job, done)
    assert job.state == "new"
    assert jobs.sweep(now=LATER) == 1


def test_jobs_go_on_after_the_clock_was_set_back() -> None:
    """By a day: neither a job of tomorrow nor a lease until tomorrow has to wait for it."""
    waiting, lost = a_job(), a_running_job()
    yesterday = NOW - timedelta(days=1)
    assert jobs.sweep(now=yesterday) == 2
    for job in (waiting, lost):
        run(job, done, yesterday)
        assert job.state == "done"


def test_a_lease_renewed_while_a_sweep_runs_stays() -> None:
    """The sweep read its clock a moment before."""
    a_running_job()
    assert jobs.sweep(now=NOW - timedelta(seconds=1)) == 0


def test_the_beat_does_not_wait_until_the_clock_has_caught_up(monkeypatch: pytest.MonkeyPatch) -> None:
    sweep = settings.CELERY_BEAT_SCHEDULE["sweep"]
    entry = ScheduleEntry(**sweep, app=app)
    yesterday = app.now() - timedelta(days=1)
    monkeypatch.setattr(app, "now", lambda: yesterday)
    assert 0 < entry.is_due().next <= jobs.SWEEP.total_seconds()


def test_a_job_is_done_once_however_often_it_is_sent() -> None:
    job, times = a_job(), []
    for _ in range(2):
        run(job, lambda taken: (times.append(taken), done(taken)))
    assert len(times) == 1
    assert (job.state, job.result, job.tries, job.lease_until) == ("done", "counted", 1, None)
    assert job.finished_at == NOW


def test_nobody_takes_a_job_that_is_in_hand() -> None:
    job = a_running_job()
    run(job, done, LATER)
    assert (job.state, job.tries) == ("running", 1)


def test_progress_is_seen_and_keeps_the_lease() -> None:
    job = a_job()
    clock = iter(NOW + timedelta(seconds=20 * step) for step in range(9))
    seen = []

    def work(taken: jobs.Run) -> None:
        for step in range(1, 4):
            taken.progress(step, 3)
            seen.append(Job.objects.values_list("progress", "total", "lease_until").get(pk=job.pk))
        taken.done()

    jobs.run(job.pk, {"count": work}, clock=lambda: next(clock))
    assert [(progress, total) for progress, total, _ in seen] == [(1, 3), (2, 3), (3, 3)]
    assert [lease for *_, lease in seen] == [NOW + jobs.LEASE + timedelta(seconds=20 * step) for step in (1, 2, 3)]


def test_progress_is_written_a_few_times_a_second_only(django_assert_num_queries) -> None:
    job = a_job()
    taken = jobs.Run.claim(job.pk, at(NOW))
    with django_assert_num_queries(1):
        for step in range(1, 1001):
            taken.progress(step, 1000)


def test_a_waiting_job_is_cancelled_at_once() -> None:
    job = a_job()
    jobs.cancel(job_id=job.pk, now=NOW)
    run(job, done)
    assert (job.state, job.tries) == ("cancelled", 0)


def test_a_job_in_hand_is_cancelled_at_its_next_step() -> None:
    job, steps = a_job(), []

    def work(taken: jobs.Run) -> None:
        for step in range(1, 4):
            taken.seen -= jobs.SEEN
            taken.progress(step, 3)
            steps.append(step)
            jobs.cancel(job_id=job.pk, now=NOW)

    run(job, work)
    assert steps == [1]
    assert (job.state, job.progress) == ("cancelled", 1)


def test_a_cancel_before_the_end_wins_over_it() -> None:
    job = a_job()

    def work(taken: jobs.Run) -> None:
        jobs.cancel(job_id=job.pk, now=NOW)
        taken.done(result="counted")

    run(job, work)
    assert (job.state, job.result) == ("cancelled", "")


@pytest.mark.parametrize("state", ["done", "failed", "cancelled"])
def test_what_has_ended_cannot_be_cancelled(state: str) -> None:
    job = a_job(state=state)
    jobs.cancel(job_id=job.pk, now=NOW)
    job.refresh_from_db()
    assert (job.state, job.cancel_asked) == (state, False)


def test_an_error_is_kept_to_be_read() -> None:
    job = a_job()

    def work(taken: jobs.Run) -> None:
        raise ValueError("no such file")

    with pytest.raises(ValueError, match="no such file"):
        run(job, work)
    job.refresh_from_db()
    assert (job.state, job.error, job.lease_until) == ("failed", "ValueError: no such file", None)


def test_a_busy_database_is_tried_again_later_but_not_for_ever() -> None:
    job, now = a_job(), NOW

    def work(taken: jobs.Run) -> None:
        raise OperationalError("database is locked")

    for attempt in range(1, jobs.TRIES + 1):
        with pytest.raises(OperationalError):
            run(job, work, now)
        job.refresh_from_db()
        assert job.tries == attempt
        if attempt < jobs.TRIES:
            assert job.state == "new"
            assert job.run_after > now
            now = job.run_after
    assert job.state == "failed"


def test_a_worker_that_is_ended_gives_its_job_back() -> None:
    job = a_job()

    def work(taken: jobs.Run) -> None:
        raise SystemExit

    with pytest.raises(SystemExit):
        run(job, work)
    job.refresh_from_db()
    assert (job.state, job.lease_until) == ("new", None)


def test_the_sweep_leaves_a_job_in_hand_alone() -> None:
    job = a_running_job()
    assert jobs.sweep(now=NOW) == 0
    job.refresh_from_db()
    assert job.state == "running"


def test_the_sweep_sends_what_was_lost_or_left() -> None:
    lost, left = a_job(), a_running_job()
    assert jobs.sweep(now=LATER) == 2
    for job in (lost, left):
        run(job, done, LATER)
        assert job.state == "done"


def test_with_no_worker_alive_nothing_is_in_hand() -> None:
    job = a_running_job()
    assert jobs.sweep(now=NOW, orphaned=True) == 1
    run(job, done)
    assert (job.state, job.tries) == ("done", 2)


def test_the_sweep_ends_what_was_to_be_cancelled() -> None:
    job = a_running_job(cancel_asked=True)
    assert jobs.sweep(now=LATER) == 0
    job.refresh_from_db()
    assert job.state == "cancelled"


def test_a_job_that_kills_its_worker_each_time_is_given_up() -> None:
    job = a_job()
    for _ in range(jobs.TRIES):
        assert jobs.Run.claim(job.pk, at(NOW))
        jobs.sweep(now=LATER)
    job.refresh_from_db()
    assert job.state == "failed"
    assert str(jobs.TRIES) in job.error


def test_one_who_lost_his_job_changes_nothing() -> None:
    job = a_job()
    late = jobs.Run.claim(job.pk, at(NOW))
    jobs.sweep(now=LATER)
    current = jobs.Run.claim(job.pk, at(LATER))
    with pytest.raises(jobs.Lost):
        late.progress(5, 5)
    with pytest.raises(jobs.Lost):
        late.done(result="stale")
    with pytest.raises(ValueError, match="late"), late:
        raise ValueError("late")
    job.refresh_from_db()
    assert (job.state, job.error) == ("running", "")
    current.done(result="counted")
    job.refresh_from_db()
    assert (job.state, job.result) == ("done", "counted")


def test_ratings_are_calculated_by_one_job_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """The other one waits, and is sent again when the first has ended."""
    sent: list[int] = []
    monkeypatch.setattr(app, "send_task", lambda _name, args, **_more: sent.extend(args))
    first, other = a_job(kind="ratings"), a_job(kind="ratings")

    def work(taken: jobs.Run) -> None:
        jobs.run(other.pk, {"ratings": done}, clock=at(NOW))
        other.refresh_from_db()
        assert other.state == "new"
        assert other.tries == 0
        taken.done()

    jobs.run(first.pk, {"ratings": work}, clock=at(NOW))
    assert sent == [other.pk]
    jobs.run(other.pk, {"ratings": done}, clock=at(NOW))
    other.refresh_from_db()
    assert other.state == "done"


def test_a_worker_holds_its_job_while_it_writes() -> None:
    """Who lost it or was stopped writes nothing."""
    job = a_job()
    taken = jobs.Run.claim(job.pk, at(NOW))
    assert taken is not None
    with transaction.atomic():
        taken.hold()
    jobs.cancel(job_id=job.pk, now=NOW)
    with pytest.raises(jobs.Cancelled), transaction.atomic():
        taken.hold()
    Job.objects.filter(pk=job.pk).update(cancel_asked=False)
    jobs.sweep(now=LATER)
    with pytest.raises(jobs.Lost), transaction.atomic():
        taken.hold()
