"""The files that jobs make: written beside their place, and moved there when whole."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from django.conf import settings
from django.db import transaction

from scorekeeper.models import Job
from scorekeeper.services import jobs


def folder() -> Path:
    return Path(settings.DATA) / "archives"


def file_of(job: Job) -> Path | None:
    """The finished file, None when there is none (any more)."""
    file = folder() / job.result
    return file if job.state == Job.State.DONE and job.result and file.is_file() else None


@contextmanager
def making(run: jobs.Run, result: str) -> Iterator[Path]:
    """A folder to work in. What is called `result` there at the end is the job's file, and the job is done; of all
    else, and of a job that failed, nothing is left."""
    job = run.job
    folder().mkdir(parents=True, exist_ok=True)
    for left in folder().glob(f".{job.pk}.*"):  # by a try that was killed
        shutil.rmtree(left)
    unfinished = folder() / f".{job.pk}.{job.tries}"
    unfinished.mkdir()
    try:
        yield unfinished
        with transaction.atomic():
            run.done(result=result)
            (unfinished / result).replace(folder() / result)
    finally:
        shutil.rmtree(unfinished, ignore_errors=True)
