"""The ledger of work longer than a second.

A `Job` row is written in the same transaction as its cause; its number is sent to a worker on commit. The row is
the truth, the message only a knock: whatever is lost on the way or dies at work, `sweep` sends again. Who works
holds a lease on the row, and is known by the number of the try, so that one back from the dead changes nothing.
"""

from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from functools import partial
from types import TracebackType
from typing import Any, Self

from celery import current_app
from django.db import OperationalError, transaction
from django.db.models import F
from django.utils import timezone

from scorekeeper.models import Club, Job, User

RUN = "scorekeeper.job"  # the task's name: nothing down here imports the tasks
LEASE = timedelta(seconds=60)  # how long a worker may be silent before its job is given to another
SWEEP = timedelta(seconds=30)  # how often the beat sweeps
SEEN = timedelta(milliseconds=250)  # how often progress is written at most
TRIES = 5


class Cancelled(Exception):
    """Somebody asked for the end of this job: leave nothing half done."""


class Lost(Exception):
    """The lease ran out and another has the job now: stop and change nothing."""


def start(
    *,
    kind: str,
    args: dict[str, Any],
    club: Club | None,
    by: User | None,
    now: datetime,
    run_after: datetime | None = None,
) -> Job:
    """Writes down work, in the transaction of its cause. It is sent on commit, or when it is due."""
    job = Job.objects.create(kind=kind, args=args, club=club, by=by, made_at=now, run_after=run_after or now)
    if job.run_after <= now:
        # Robust: with the broker away the page still works, and the sweep sends it later.
        transaction.on_commit(partial(_send, job.pk), robust=True)
    return job


def cancel(*, job_id: int, now: datetime) -> None:
    """Asks for a job's end: one that waits ends here, one that runs within a second, one that ended stays."""
    waiting = Job.objects.filter(pk=job_id, state=Job.State.NEW)
    if not waiting.update(state=Job.State.CANCELLED, cancel_asked=True, finished_at=now):
        Job.objects.filter(pk=job_id, state=Job.State.RUNNING).update(cancel_asked=True)


def sweep(*, now: datetime, orphaned: bool = False) -> int:
    """Takes back what its worker left lying and sends whatever is due; the number of jobs sent.

    `orphaned`: no worker can be alive, so leases mean nothing.
    """
    left = Job.objects.filter(state=Job.State.RUNNING)
    if not orphaned:
        left = left.filter(lease_until__lt=now)
    left.filter(cancel_asked=True).update(state=Job.State.CANCELLED, lease_until=None, finished_at=now)
    left.filter(tries__lt=TRIES).update(state=Job.State.NEW, lease_until=None)
    left.update(
        state=Job.State.FAILED,
        lease_until=None,
        finished_at=now,
        error=f"Its worker ended before it did, {TRIES} times.",
    )
    due = list(Job.objects.filter(state=Job.State.NEW, run_after__lte=now).order_by("pk").values_list("pk", flat=True))
    for job_id in due:
        # Knocks nobody hears are forgotten, since the next sweep knocks again: they never pile up.
        _send(job_id, expires=2 * SWEEP.total_seconds())
    return len(due)


def busy() -> bool:
    """Whether any job is in hand. One query."""
    return Job.objects.filter(state=Job.State.RUNNING).exists()


def _send(job_id: int, *, expires: float | None = None) -> None:
    current_app.send_task(RUN, args=[job_id], expires=expires, retry=False)


Work = Callable[["Run"], None]


def run(job_id: int, work: Mapping[str, Work], *, clock: Callable[[], datetime] = timezone.now) -> None:
    """Does a job, if it still waits. Raises what the work raises, after writing it to the row."""
    taken = Run.claim(job_id, clock)
    if taken:
        with taken:
            work[taken.job.kind](taken)


class Run:
    """One try at a job, by who holds its lease. As a context manager it writes down how the try ended."""

    def __init__(self, job: Job, clock: Callable[[], datetime]) -> None:
        self.job = job
        self.clock = clock
        self.seen = job.started_at

    @classmethod
    def claim(cls, job_id: int, clock: Callable[[], datetime]) -> Self | None:
        """Of several who ask at once one gets it: the update counts its rows."""
        now = clock()
        free = Job.objects.filter(pk=job_id, state=Job.State.NEW, run_after__lte=now)
        if not free.update(
            state=Job.State.RUNNING,
            tries=F("tries") + 1,
            lease_until=now + LEASE,
            started_at=now,
            progress=0,
            error="",
        ):
            return None
        return cls(Job.objects.select_related("club").get(pk=job_id), clock)

    def progress(self, done: int, total: int) -> None:
        """Says how far it is and keeps the lease; to be called often. Raises Cancelled or Lost."""
        now = self.clock()
        if now - self.seen < SEEN and done < total:
            return
        self.seen = now
        if not self._mine().filter(cancel_asked=False).update(progress=done, total=total, lease_until=now + LEASE):
            raise Cancelled if self._mine().exists() else Lost

    def done(self, *, result: str = "") -> None:
        """Ends the job well, in the transaction of its effects, which Lost and Cancelled undo."""
        ended = self._mine().filter(cancel_asked=False)
        if not ended.update(state=Job.State.DONE, result=result, lease_until=None, finished_at=self.clock()):
            raise Cancelled if self._mine().exists() else Lost

    def _mine(self) -> Any:
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
            case Cancelled():
                self._mine().update(state=Job.State.CANCELLED, lease_until=None, finished_at=now)
                return True
            case OperationalError() if self.job.tries < TRIES:  # the database was busy or away: again, later each time
                later = now + timedelta(seconds=10 * self.job.tries)
                self._mine().update(state=Job.State.NEW, lease_until=None, run_after=later, error=_readable(error))
            case Exception():
                self._mine().update(state=Job.State.FAILED, lease_until=None, finished_at=now, error=_readable(error))
            case _:  # the worker is being ended: another goes on at once
                self._mine().update(state=Job.State.NEW, lease_until=None)
        return False


def _readable(error: BaseException) -> str:
    return f"{type(error).__name__}: {error}"[:2000]
