"""The files that jobs make. A job writes to a temporary folder, and moves the complete file to its place."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from django.conf import settings
from django.db import transaction

from scorekeeper.models import Job
from scorekeeper.services import jobs


def archives() -> Path:
    return Path(settings.DATA) / "archives"


def file_of(job: Job) -> Path | None:
    """The finished file; None if there is none, or not any more."""
    file = archives() / job.result
    return file if job.state == Job.State.DONE and job.result and file.is_file() else None


@contextmanager
def making(run: jobs.Run, result: str, *, folder: Path | None = None) -> Iterator[Path]:
    """A temporary folder in `folder` (default: that of the archives). At the end the file `result` in it becomes the
    job's file, and the job is done. Everything else disappears, as do all files of a job that fails."""
    job = run.job
    folder = folder or archives()
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    for left in folder.glob(f".{job.pk}.*"):  # from a try that was killed
        shutil.rmtree(left)
    unfinished = folder / f".{job.pk}.{job.tries}"
    unfinished.mkdir()
    try:
        yield unfinished
        with transaction.atomic():
            run.done(result=result)
            (unfinished / result).replace(folder / result)
    finally:
        shutil.rmtree(unfinished, ignore_errors=True)
