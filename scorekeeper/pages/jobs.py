"""The pages that show a job."""

from dataclasses import dataclass
from pathlib import Path

from scorekeeper.models import Club, Event, Job


@dataclass(frozen=True, kw_only=True)
class JobPage:
    job: Job
    club: Club | None
    night: Event | None
    """The night it is about."""
    file: Path | None
    """What it made."""
    going: bool


@dataclass(frozen=True, kw_only=True)
class EventFilePage:
    """A night or a tournament as one file, before, while and after a worker makes it."""

    event: Event
    job: Job | None
    file: Path | None
    going: bool


def job_page(job: Job, *, night: Event | None, file: Path | None) -> JobPage:
    return JobPage(job=job, club=job.club, night=night, file=file, going=_going(job))


def event_file_page(event: Event, *, job: Job | None, file: Path | None) -> EventFilePage:
    return EventFilePage(event=event, job=job, file=file, going=job is not None and _going(job))


def _going(job: Job) -> bool:
    return job.state in (Job.State.NEW, Job.State.RUNNING)
