"""What workers do when they are knocked for: each takes numbers, calls one service, and may be run twice."""

from functools import partial

from celery import shared_task
from django.utils import timezone

from scorekeeper.services import archive, jobs, night_file
from scorekeeper.views import night_share

WORK: dict[str, jobs.Work] = {
    archive.KIND: archive.write,
    night_file.KIND: partial(night_file.write, draw=night_share.document),
}


@shared_task(name=jobs.RUN)
def run_job(job_id: int) -> None:
    """Does the job of that number, if nobody else has it."""
    jobs.run(job_id, WORK)


@shared_task(name="scorekeeper.sweep", expires=jobs.SWEEP.total_seconds())
def sweep() -> None:
    """Sends again what was lost on the way or left by a dead worker."""
    jobs.sweep(now=timezone.now())
