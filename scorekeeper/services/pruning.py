"""What a server deletes by itself, so that it does not grow for years: what nobody can ask for any more."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any

from axes.models import AccessAttempt, AccessLog
from django.contrib.sessions.models import Session
from django.db.models import Exists, Max, Model, OuterRef, Q, QuerySet

from scorekeeper.models import Change, DeviceToken, Job, LogEntry, OneTimeLink, Pad, ProgramToken, SignIn
from scorekeeper.selectors.audit import NO_JOBS
from scorekeeper.services import files, jobs

KIND = "prune"
WEEK = timedelta(days=7)
MONTH = timedelta(days=30)
SEASON = timedelta(days=90)
AT_ONCE = 500  # rows in one transaction, so that a play waits for milliseconds
MOST = 100_000  # rows of each kind a day; the next days do the rest


def prune(run: jobs.Run) -> None:
    """Deletes what is past, a batch at a time."""
    now = run.clock()
    past = list(_past(now))
    deleted = 0
    for done, rows in enumerate(past):
        for number in _batches(rows):
            deleted += number
            run.progress(done, len(past))
    run.done(result=f"{deleted} rows, {_delete_files(now - SEASON)} files")


def is_any(*, now: datetime) -> bool:
    """Whether the server is old enough. One query."""
    oldest = Change.objects.order_by("pk").values_list("at", flat=True).first()
    return oldest is not None and oldest < now - WEEK


def _past(now: datetime) -> Iterator[QuerySet[Any]]:
    yield Session.objects.filter(expire_date__lt=now)
    yield SignIn.objects.filter(~Exists(Session.objects.filter(session_key=OuterRef("session"))))
    for attempts in (AccessAttempt, AccessLog):
        yield attempts.objects.filter(attempt_time__lt=now - MONTH)
    yield OneTimeLink.objects.filter(expires_at__lt=now - MONTH)
    yield ProgramToken.objects.filter(Q(expires_at__lt=now - MONTH) | Q(revoked_at__lt=now - MONTH))
    unused = ~Exists(LogEntry.objects.filter(device=OuterRef("pk")))
    yield DeviceToken.objects.filter(unused, revoked_at__lt=now - MONTH)
    yield Pad.objects.filter(held=False, since__lt=now - MONTH)
    # Pages compare their version with the newest change. Whoever needs all changes since one looks whether that one is
    # still there, so those of a topic must go in the order of their ids, even if the clock was set back.
    last = Change.objects.filter(at__lt=now - WEEK).aggregate(last=Max("pk"))["last"] or 0
    yield Change.objects.filter(_followed(Change, by="topic"), pk__lte=last)
    # Those that people asked for stay: the audit page shows them. So does the newest of each kind, which says what is
    # due next.
    own = Job.objects.filter(Q(by=None) | Q(kind__in=NO_JOBS))
    yield own.filter(_followed(Job, by="kind"), finished_at__lt=now - SEASON)


def _followed(model: type[Model], *, by: str) -> Exists:
    """Whether there is a newer row with the same value in the column `by`."""
    return Exists(model._default_manager.filter(**{by: OuterRef(by)}, pk__gt=OuterRef("pk")))


def _batches(rows: QuerySet[Any]) -> Iterator[int]:
    """Deletes these rows in the order of their ids; for each batch, how many."""
    left = rows.order_by("pk")
    for _ in range(MOST // AT_ONCE):
        found = list(left.values_list("pk", flat=True)[:AT_ONCE])
        if not found:
            return
        rows.filter(pk__in=found).delete()
        yield len(found)
        left = rows.filter(pk__gt=found[-1]).order_by("pk")


def _delete_files(before: datetime) -> int:
    """Deletes finished archives that were made before this time, and returns how many. They can be made again."""
    old = [file for file in files.archives().glob("*") if file.is_file() and file.stat().st_mtime < before.timestamp()]
    for file in old:
        file.unlink(missing_ok=True)
    return len(old)
