"""A night or a tournament as one file, for people to read at home."""

from collections.abc import Callable, Iterable
from datetime import datetime

from scorekeeper.models import Club, Event, Job, shown
from scorekeeper.services import files, jobs
from scorekeeper.services.changes import in_one_transaction

KIND = "event-file"
Render = Callable[[Event, str, Callable[[int, int], None]], Iterable[str]]
"""From an event, a language and a function that takes the progress, to the pieces of the file."""


@in_one_transaction
def start(*, event: Event, version: str, language: str, now: datetime) -> Job:
    """Starts making the file of the event at this `version`. Returns the earlier job if that file exists already, or is
    being made."""
    Club.objects.select_for_update(no_key=True).get(pk=event.club_id)
    job = newest(event=event, version=version, language=language)
    if job and (files.file_of(job) or job.state in (Job.State.NEW, Job.State.RUNNING)):
        return job
    return jobs.start(kind=KIND, args=_args(event, version, language), club=event.club, by=None, now=now)


def newest(*, event: Event, version: str, language: str) -> Job | None:
    """The newest job for this file. One query."""
    made = Job.objects.filter(kind=KIND, club_id=event.club_id, args=_args(event, version, language))
    return made.order_by("-pk").first()


def write(run: jobs.Run, *, render: Render) -> None:
    """Writes the job's file for the public, piece by piece."""
    job = run.job
    event = Event.objects.select_related("club").get(pk=job.args["event"])
    result = f"{files.stem_of(event)}-{job.pk}.html"
    public = shown.showing(lambda: event.club.initials)
    with files.making(run, result) as folder, (folder / result).open("w", encoding="utf-8") as file, public:
        file.writelines(render(event, job.args["language"], run.progress))


def _args(event: Event, version: str, language: str) -> dict[str, object]:
    return {"event": event.pk, "version": version, "language": language, "zone": event.club.time_zone}
