"""A night as one file, for people to read at home."""

from collections.abc import Callable, Iterable
from datetime import datetime

from scorekeeper.models import Club, Event, Job
from scorekeeper.services import files, jobs
from scorekeeper.services.changes import in_one_transaction

KIND = "night-file"
Render = Callable[[Event, str, Callable[[int, int], None]], Iterable[str]]
"""From a night, a language and a function that takes the progress, to the pieces of the file."""


@in_one_transaction
def start(*, night: Event, version: str, language: str, now: datetime) -> Job:
    """Starts making the file of the night at this `version`. Returns the earlier job if that file exists already, or is
    being made."""
    Club.objects.select_for_update(no_key=True).get(pk=night.club_id)
    job = newest(night=night, version=version, language=language)
    if job and (files.file_of(job) or job.state in (Job.State.NEW, Job.State.RUNNING)):
        return job
    return jobs.start(kind=KIND, args=_args(night, version, language), club=night.club, by=None, now=now)


def newest(*, night: Event, version: str, language: str) -> Job | None:
    """The newest job for this file. One query."""
    made = Job.objects.filter(kind=KIND, club_id=night.club_id, args=_args(night, version, language))
    return made.order_by("-pk").first()


def write(run: jobs.Run, *, render: Render) -> None:
    """Writes the job's file, piece by piece."""
    job = run.job
    night = Event.objects.select_related("club").get(pk=job.args["night"])
    result = f"{night.club.slug}-{night.started_at:%Y-%m-%d}-{job.pk}.html"
    with files.making(run, result) as folder, (folder / result).open("w", encoding="utf-8") as file:
        file.writelines(render(night, job.args["language"], run.progress))


def _args(night: Event, version: str, language: str) -> dict[str, object]:
    return {"night": night.pk, "version": version, "language": language}
