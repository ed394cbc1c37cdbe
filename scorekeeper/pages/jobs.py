"""The page of a job."""

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


def job_page(job: Job, *, night: Event | None, file: Path | None) -> JobPage:
    going = job.state in (Job.State.NEW, Job.State.RUNNING)
    return JobPage(job=job, club=job.club, night=night, file=file, going=going)
