"""What the server does by itself for data that is kept for years: backups, caches of an earlier version, pruning."""

from datetime import datetime, timedelta
from functools import cache
from hashlib import sha256
from pathlib import Path

from django.db import transaction
from django.db.models import Max, Q

import games
from scorekeeper import figures
from scorekeeper.models import Change, Job, Match, User
from scorekeeper.selectors.matches import Damaged
from scorekeeper.selectors.standings import out_of_date
from scorekeeper.services import backup, files, jobs, pruning, ratings, recording, restore

BACKUP = "backup"
REBUILD = "rebuild"
DAY = timedelta(days=1)
AGAIN = timedelta(hours=1)  # after a backup that failed
AT_ONCE = 2000  # matches of one rebuilding job; another one does the rest
UNFINISHED = [Job.State.NEW, Job.State.RUNNING]


@transaction.atomic
def start_due(*, now: datetime) -> None:
    """Starts what is due. Six queries if nothing is."""
    if _backup_due(now):
        jobs.start(kind=BACKUP, args={"newest": _newest_change()}, club=None, by=None, now=now)
    latest = Job.objects.filter(kind=REBUILD).order_by("pk").last()
    if (latest is None or latest.args["engine"] != _engine()) and Match.objects.exists():
        jobs.start(kind=REBUILD, args={"engine": _engine(), "after": 0}, club=None, by=None, now=now)
    today = Job.objects.filter(kind=pruning.KIND, made_at__gt=now - DAY, made_at__lte=now)
    if pruning.is_any(now=now) and not today.exists():
        jobs.start(kind=pruning.KIND, args={}, club=None, by=None, now=now)
    if ratings.is_due():
        ratings.start(now=now)


# --- Backups -------------------------------------------------------------------------------------------------
@transaction.atomic
def start_backup(*, by: User | None, now: datetime) -> Job:
    """Starts a backup that somebody asked for. Returns the one that is already under way, if any."""
    last = last_backup()
    going = last and last.state in UNFINISHED and not last.cancel_asked
    return last if last and going else jobs.start(kind=BACKUP, args={}, club=None, by=by, now=now)


def last_backup() -> Job | None:
    """The newest job of a backup or a restore, also one that failed. One query."""
    return Job.objects.filter(kind__in=[BACKUP, restore.KIND]).order_by("pk").last()


def back_up(run: jobs.Run) -> None:
    """Makes the job's backup."""
    job = run.job
    file = backup.named("daily" if "newest" in job.args else "by-hand", job.made_at)
    with files.making(run, file.name, folder=backup.folder()) as unfinished:
        backup.write(unfinished / file.name, now=run.clock(), progress=run.progress)
    backup.tidy(run.clock())


def _backup_due(now: datetime) -> bool:
    """Whether a day has passed since the last automatic backup, and something has changed in it."""
    made = Job.objects.filter(kind=BACKUP, args__has_key="newest")
    failed = Q(state__in=[Job.State.FAILED, Job.State.CANCELLED])
    # A clock that was set back must not stop backups: those of the future do not count.
    if made.filter(~failed & Q(made_at__gt=now - DAY) | Q(made_at__gt=now - AGAIN), made_at__lte=now).exists():
        return False
    last = made.filter(state=Job.State.DONE).order_by("pk").last()
    newest = _newest_change()
    return newest > 0 and (last is None or last.args["newest"] != newest)


def _newest_change() -> int:
    newest: int | None = Change.objects.aggregate(newest=Max("pk"))["newest"]
    return newest or 0


# --- Caches --------------------------------------------------------------------------------------------------
def rebuild(run: jobs.Run) -> None:
    """Rebuilds what is cached with matches and differs from their logs, because another version wrote it."""
    job = run.job
    left = Match.objects.filter(pk__gt=job.args["after"]).order_by("pk")
    found = list(left.values_list("pk", flat=True)[: AT_ONCE + 1])
    rebuilt = broken = 0
    for done, pk in enumerate(found[:AT_ONCE]):
        run.progress(done, len(found))
        try:
            match = Match.objects.get(pk=pk)
            if out_of_date(match):
                recording.rebuild(match_id=pk)
                rebuilt += 1
        except Damaged:  # `manage.py rebuild --check` names it
            broken += 1
    with transaction.atomic():
        run.done(result=f"{rebuilt} rebuilt, {broken} broken")
        if len(found) > AT_ONCE:
            more = {"engine": job.args["engine"], "after": found[AT_ONCE - 1]}
            jobs.start(kind=REBUILD, args=more, club=None, by=None, now=run.clock())


@cache
def _engine() -> str:
    """A digest of the rules engine and of what reads figures: others may derive other sheets and figures from the same
    logs."""
    digest = sha256()
    for room in (*games.__path__, *figures.__path__):
        for file in sorted(Path(room).rglob("*.py")):
            digest.update(file.read_bytes())
    return digest.hexdigest()[:16]
