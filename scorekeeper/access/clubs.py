"""Clubs, their seasons and their jobs."""

from django.http import Http404
from django.utils.translation import gettext as _

from scorekeeper import place
from scorekeeper.access.actors import Actor
from scorekeeper.access.gate import let_in, newest_change, row_numbered
from scorekeeper.access.refusals import refusal
from scorekeeper.access.roles import has_role
from scorekeeper.models import Club, Job, Role, Season
from scorekeeper.models.job import PERSON_EXPORT


def club_for(actor: Actor, slug: str, *, need: Role | None = None) -> Club:
    """The club, if `actor` has at least the role `need` there (None: anybody); else Http404 or Refusal."""
    club = Club.objects.filter(slug=slug).annotate(change_id=newest_change("club", "pk")).first()
    if club is None:
        raise Http404(_("This club does not exist."))
    club.newest_change = club.change_id
    let_in(actor, club, None, "see")
    if need is not None and not has_role(actor, club.pk, need):
        raise refusal(actor.refused or "not-allowed")
    if need is not None:
        place.trust(club)
    return club


def club_numbered(actor: Actor, club_id: int) -> Club:
    """The club with this id, if `actor` may see it; else Http404 or Refusal."""
    club = row_numbered(Club.objects.all(), club_id, _("This club does not exist."))
    let_in(actor, club, None, "see")
    return club


def season_for(actor: Actor, season_id: int, *, need: Role | None = None) -> Season:
    """The season with its club, as in `club_for`; else Http404 or Refusal."""
    season = row_numbered(Season.objects.select_related("club"), season_id, _("This season does not exist."))
    season.club = club_for(actor, season.club.slug, need=need)
    return season


def job_for(actor: Actor, job_id: int) -> Job:
    """The job with its club, for a host of the club, or for whoever asked for what is stored about one person; for
    everybody else Http404. Two queries."""
    job = Job.objects.select_related("club").filter(pk=job_id).first()
    if job is None or job.club is None or not _has_job(actor, job):
        raise Http404(_("This job does not exist."))
    place.enter(job.club)
    place.trust(job.club)
    return job


def _has_job(actor: Actor, job: Job) -> bool:
    if job.kind == PERSON_EXPORT:
        return actor.user is not None and actor.program is None and job.by_id == actor.user.pk
    return job.club_id is not None and has_role(actor, job.club_id, Role.DIRECTOR)
