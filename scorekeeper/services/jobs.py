"""The ledger of work that takes longer than a second.

A service writes a `Job` row in the same transaction as its cause, and sends its id to a worker on commit. The row
decides, the message only wakes a worker: `sweep` sends again what got lost or whose worker died. A worker has a lease
on the row and the number of its try, so that a worker that comes back late changes nothing.
"""

import logging
from collections.abc import Callable, Mapping
from contextlib import nullcontext
from datetime import datetime, timedelta
from functools import partial
from types import TracebackType
from typing import Any, Self

from celery import current_app
from django.db import IntegrityError, OperationalError, transaction
from django.db.models import F, Q, QuerySet
from django.utils import timezone
from kombu.exceptions import OperationalError as BrokerError

from scorekeeper import place
from scorekeeper.failures import disk_full
from scorekeeper.live.errands import Errands
from scorekeeper.models import Club, Heartbeat, Job, User
from scorekeeper.models.job import ALONE
from scorekeeper.selectors.health import WORKER
from scorekeeper.services.errors import Refused

RUN = "scorekeeper.job"  # the name of the task: services do not import tasks
LEASE = timedelta(seconds=60)  # how long a worker may be silent before another gets its job
SWEEP = timedelta(seconds=30)  # how often the beat sends `sweep`
SEEN = timedelta(milliseconds=250)  # the shortest time between two writes of the progress
TRIES = 5

logger = logging.getLogger(__name__)
_errands = Errands("job-sender", most=1000)


class Cancelled(Exception):
    """Somebody cancelled this job: undo what is half done."""


class Lost(Exception):
    """The lease has expired and another worker has the job: stop, and change nothing."""


def start(
    *,
    kind: str,
    args: dict[str, Any],
    club: Club | None,
    by: User | None,
    now: datetime,
    run_after: datetime | None = None,
    send: bool = True,
) -> Job:
    """Adds a job, in the transaction of its cause. It is sent on commit, or when it is due. If `send` is false, the
    caller runs it at once; if the caller dies first, the next sweep sends it."""
    job = Job.objects.create(kind=kind, args=args, club=club, by=by, made_at=now, run_after=run_after or now)
    if send and job.run_after <= now:
        transaction.on_commit(partial(_errands.run, partial(_send_soon, job.pk)))
    return job


def cancel(*, job_id: int, now: datetime) -> bool:
    """Cancels a job: at once if it waits, within a second if it runs. False for a job that has ended, or that somebody
    has cancelled already."""
    job = Job.objects.filter(pk=job_id, cancel_asked=False)
    waiting, running = job.filter(state=Job.State.NEW), job.filter(state=Job.State.RUNNING)
    ended = waiting.update(state=Job.State.CANCELLED, cancel_asked=True, finished_at=now)
    return bool(ended or running.update(cancel_asked=True))


def stop(*, job_id: int) -> bool:
    """Asks a running job to end with the best that it has so far. It does so within a second. False if it does not run,
    or if somebody has asked already."""
    return bool(Job.objects.filter(pk=job_id, state=Job.State.RUNNING, stop_asked=False).update(stop_asked=True))


def sweep(*, now: datetime, orphaned: bool = False) -> int:
    """Takes back the jobs of dead workers, and sends all jobs that are due. Returns how many it sent.

    `orphaned` means that no worker can be alive, so that leases do not count.
    """
    expired = Job.objects.filter(state=Job.State.RUNNING)
    if not orphaned:
        # No lease is longer than LEASE: one that seems to be was given before the clock was set back, or just now, a
        # moment after `now` was read.
        expired = expired.filter(Q(lease_until__lt=now) | Q(lease_until__gt=now + 2 * LEASE))
    expired.filter(cancel_asked=True).update(state=Job.State.CANCELLED, lease_until=None, finished_at=now)
    expired.filter(tries__lt=TRIES).update(state=Job.State.NEW, lease_until=None)
    expired.update(
        state=Job.State.FAILED,
        lease_until=None,
        finished_at=now,
        error=f"Its worker ended before it did, {TRIES} times.",
    )
    due = list(_due(now).order_by("pk").values_list("pk", flat=True))
    for job_id in due:
        # Messages expire before they pile up, because the next sweep sends new ones.
        _send(job_id, expires=2 * SWEEP.total_seconds())
    return len(due)


def _due(now: datetime) -> QuerySet[Job]:
    """The jobs that wait and may begin; also those of a time that has not come yet, because the clock was set back."""
    return Job.objects.filter(Q(run_after__lte=now) | Q(made_at__gt=now), state=Job.State.NEW)


def beat(*, now: datetime) -> None:
    """Notes that a worker is alive. Each sweep is done by one."""
    Heartbeat.objects.update_or_create(of=WORKER, defaults={"at": now})


def busy() -> bool:
    """Whether a job is running. One query."""
    return Job.objects.filter(state=Job.State.RUNNING).exists()


def _send_soon(job_id: int) -> None:
    """Nobody waits for the broker. Without it the sweep sends the job later."""
    try:
        _send(job_id)
    except BrokerError as error:
        logger.warning("Cannot send job %s to the broker: %s", job_id, error)


def _send(job_id: int, *, expires: float | None = None) -> None:
    current_app.send_task(RUN, args=[job_id], expires=expires, retry=False)


Work = Callable[["Run"], None]


def run(job_id: int, work: Mapping[str, Work], *, clock: Callable[[], datetime] = timezone.now) -> None:
    """Runs a job if it still waits. Writes an error of the work to the row, then raises it."""
    taken = Run.claim(job_id, clock)
    if taken:
        with place.at(taken.job.club) if taken.job.club else nullcontext(), taken:
            work[taken.job.kind](taken)
        if taken.job.kind in ALONE:
            for waiting in _due(clock()).filter(kind=taken.job.kind):
                _send_soon(waiting.pk)


class Run:
    """One try at a job, by the worker with its lease. As a context manager it writes to the row how the try ended."""

    def __init__(self, job: Job, clock: Callable[[], datetime], now: datetime) -> None:
        self.job = job
        self.clock = clock
        self.seen = now

    @classmethod
    def claim(cls, job_id: int, clock: Callable[[], datetime]) -> Self | None:
        """Takes the job for one worker; None if another was quicker, or has one that must run alone. The number of
        updated rows decides."""
        now = clock()
        try:
            with transaction.atomic():
                taken = (
                    _due(now)
                    .filter(pk=job_id)
                    .update(
                        state=Job.State.RUNNING,
                        tries=F("tries") + 1,
                        lease_until=now + LEASE,
                        started_at=now,
                        progress=0,
                        best={},
                        error="",
                    )
                )
        except IntegrityError:  # one of its kind runs, and it has to be alone; this one is sent again
            return None
        if not taken:
            return None
        return cls(Job.objects.select_related("club").get(pk=job_id), clock, now)

    def progress(self, done: int, total: int) -> None:
        """Writes the progress and renews the lease. Call it often. Raises Cancelled or Lost."""
        now = self.clock()
        if now - self.seen < SEEN and done < total:
            return
        self.seen = now
        if not self._mine().filter(cancel_asked=False).update(progress=done, total=total, lease_until=now + LEASE):
            raise Cancelled if self._mine().exists() else Lost

    def goes_on(self, done: int, total: int, best: Callable[[], dict[str, Any]]) -> bool:
        """Writes the progress, and with it what pages say about the best result so far. False if somebody asked to
        stop and keep that result. Raises Cancelled or Lost."""
        before = self.seen
        self.progress(done, total)
        if self.seen == before:
            return True
        self._mine().update(best=best())
        return not self._mine().filter(stop_asked=True).exists()

    def hold(self) -> None:
        """In the transaction of an effect: no other worker gets the job before its end. Raises Cancelled or Lost."""
        if not self._mine().filter(cancel_asked=False).select_for_update().values_list("pk").first():
            raise Cancelled if self._mine().exists() else Lost

    def done(self, *, result: str = "", best: dict[str, Any] | None = None) -> None:
        """Ends the job with success, in the transaction of its effects; `best`: what pages say about its result. Lost
        and Cancelled undo those effects."""
        ended = self._mine().filter(cancel_asked=False)
        found = {} if best is None else {"best": best}
        if not ended.update(state=Job.State.DONE, result=result, lease_until=None, finished_at=self.clock(), **found):
            raise Cancelled if self._mine().exists() else Lost

    def _mine(self) -> QuerySet[Job]:
        return Job.objects.filter(pk=self.job.pk, state=Job.State.RUNNING, tries=self.job.tries)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> bool:
        now = self.clock()
        match error:
            case None:
                return False
            case Lost():
                return True
            case Refused():  # the work has become impossible, so another try would not help
                self._mine().update(state=Job.State.FAILED, lease_until=None, finished_at=now, error=error.message)
                return False
            case Cancelled():
                self._mine().update(state=Job.State.CANCELLED, lease_until=None, finished_at=now)
                return True
            case OperationalError() if (
                self.job.tries < TRIES
            ):  # the database was busy or away: try again, later each time
                later = now + timedelta(seconds=10 * self.job.tries)
                self._mine().update(state=Job.State.NEW, lease_until=None, run_after=later, error=_readable(error))
            case Exception():
                self._mine().update(state=Job.State.FAILED, lease_until=None, finished_at=now, error=_readable(error))
            case _:  # the worker is being stopped: another can take the job at once
                self._mine().update(state=Job.State.NEW, lease_until=None)
        return False


def _readable(error: BaseException) -> str:
    if disk_full(error):
        return "The disk of the server is full. Free some space, then try again."
    return f"{type(error).__name__}: {error}"[:2000]
