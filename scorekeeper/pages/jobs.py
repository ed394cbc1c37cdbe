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
class NightFilePage:
    """A night as one file, before, while and after a worker makes it."""

    night: Event
    job: Job | None
    file: Path | None
    going: bool


def job_page(job: Job, *, night: Event | None, file: Path | None) -> JobPage:
    return JobPage(job=job, club=job.club, night=night, file=file, going=_going(job))


def night_file_page(night: Event, *, job: Job | None, file: Path | None) -> NightFilePage:
    return NightFilePage(night=night, job=job, file=file, going=job is not None and _going(job))


def _going(job: Job) -> bool:
    return job.state in (Job.State.NEW, Job.State.RUNNING)
