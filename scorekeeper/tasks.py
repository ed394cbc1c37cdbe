"""The tasks of the workers. Each takes ids, calls one service, and is safe to run twice."""

import logging
from contextlib import suppress
from functools import partial

from celery import shared_task
from django.db import OperationalError
from django.utils import timezone
from kombu.exceptions import OperationalError as BrokerError

from scorekeeper.pages import share, tournament_exports
from scorekeeper.services import (
    archive,
    deleting,
    draws,
    event_file,
    jobs,
    mail,
    outlooks,
    person_export,
    pruning,
    rating_rules,
    ratings,
    rehearsals,
    reviews,
    schedules,
    tournament_import,
    upkeep,
)
from scorekeeper.services.errors import Refused

logger = logging.getLogger(__name__)

WORK: dict[str, jobs.Work] = {
    archive.KIND: partial(archive.write, tables=tournament_exports.tables),
    deleting.KIND: deleting.work,
    draws.KIND: draws.work,
    event_file.KIND: partial(event_file.write, render=share.document),
    mail.KIND: mail.work,
    person_export.KIND: person_export.write,
    upkeep.BACKUP: upkeep.back_up,
    upkeep.REBUILD: upkeep.rebuild,
    pruning.KIND: pruning.prune,
    tournament_import.KIND: tournament_import.work,
    rating_rules.KIND: rating_rules.work,
    ratings.KIND: ratings.work,
    rehearsals.KIND: rehearsals.work,
    reviews.KIND: reviews.work,
    schedules.KIND: schedules.work,
}


@shared_task(name=jobs.RUN)
def run_job(job_id: int) -> None:
    """Runs the job with this id, unless another worker has it."""
    with suppress(Refused):  # the row says why, and so does the page of whoever asked
        jobs.run(job_id, WORK)


@shared_task(name=outlooks.THINK)
def find_outlook(match_id: int) -> None:
    """Who stands better in this match now. Nothing happens if that fails: then nothing is shown."""
    outlooks.think(match_id)


@shared_task(name="scorekeeper.sweep", expires=jobs.SWEEP.total_seconds())
def sweep() -> None:
    """Sends jobs again that got lost or whose worker died, and starts what is due."""
    now = timezone.now()
    try:
        jobs.beat(now=now)
        jobs.sweep(now=now)
        upkeep.start_due(now=now)
    except (OperationalError, BrokerError) as error:
        logger.warning("Cannot sweep now, the next sweep tries again: %s", error)
