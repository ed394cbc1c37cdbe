"""The page on which a tournament comes from another server."""

from dataclasses import dataclass

from scorekeeper.models import Club, Job


@dataclass(frozen=True, kw_only=True)
class ImportPage:
    club: Club
    job: Job | None
    """The newest import."""
    going: bool
    tournament: int | None
    """The id of what it made."""
    refusal: str


def import_page(club: Club, job: Job | None, *, refusal: str = "") -> ImportPage:
    going = job is not None and job.state in (Job.State.NEW, Job.State.RUNNING)
    done = job if job and job.state == Job.State.DONE else None
    return ImportPage(club=club, job=job, going=going, tournament=int(done.result) if done else None, refusal=refusal)
