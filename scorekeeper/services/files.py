"""The names of the files that people download, and the files that jobs make. A job writes to a temporary folder, and
moves the complete file to its place."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from django.conf import settings
from django.db import transaction
from django.utils.text import slugify
from django.utils.timezone import localdate

from scorekeeper.models import Event, Job
from scorekeeper.services import jobs

LONGEST = 50
"""Characters of an event's name in the name of a file."""


def stem_of(event: Event) -> str:
    """How the names of an event's files begin: `spring-cup`, or `rovers-2026-05-09` for a night without a name."""
    name = (slugify(event.name) or slugify(event.name, allow_unicode=True))[:LONGEST]
    if event.kind == Event.Kind.TOURNAMENT:
        return name or f"tournament-{event.pk}"
    return f"{name or event.club.slug}-{localdate(event.started_at):%Y-%m-%d}"


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
