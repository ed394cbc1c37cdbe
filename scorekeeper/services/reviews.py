"""Reviews of matches: a job in which Nestor looks at each play. docs/review.md explains them."""

import random
from datetime import datetime
from time import monotonic
from typing import Any

from django.utils.translation import get_language, override
from django.utils.translation import gettext as _

from games import GameError
from games.nestor.positions import check_over, is_choice, positions
from games.nestor.review import as_json, reviewed
from scorekeeper.access import Actor
from scorekeeper.models import Job, Match, Review
from scorekeeper.models.job import REVIEW
from scorekeeper.selectors.matches import position
from scorekeeper.selectors.reviews import WAITING, newest_review_job, review_of, reviewed_length, reviews_waiting
from scorekeeper.services import jobs
from scorekeeper.services.changes import in_one_transaction
from scorekeeper.services.errors import Refused
from scorekeeper.words import in_words

KIND = REVIEW
MS = 600  # for a play, by what its player knew
OPENED_MS = 15_000  # for a hand, with all hands open
IN_ALL = 900_000  # for a match; a task that takes longer than CELERY_TASK_TIME_LIMIT is killed
MOST = 20  # reviews of a club that wait


@in_one_transaction
def start(*, match: Match, by: Actor, now: datetime) -> Job | None:
    """Asks for a review. While one is waiting or running, that one; None if there is one of these hands already.

    GameError for a match that is in play. Refused "too-many" while many reviews of
    the club wait.
    """
    match = Match.objects.select_for_update(no_key=True, of=("self",)).select_related("club").get(pk=match.pk)
    check_over(position(match))
    newest = newest_review_job(match)
    if newest and newest.state in WAITING:
        return newest
    if review_of(match):
        return None
    if reviews_waiting(match.club) >= MOST:
        raise Refused("too-many", _("Many reviews of this club are waiting. Try again when some of them are done."))
    args = {"match": match.pk, "language": get_language()}
    return jobs.start(kind=KIND, args=args, club=match.club, by=by.user, now=now)


def cancel(*, match: Match, now: datetime) -> None:
    """Cancels the review of the match that is waiting or running."""
    if newest := newest_review_job(match):
        jobs.cancel(job_id=newest.pk, now=now)


def work(run: jobs.Run) -> None:
    """Reviews the match. Refused if it is in play again, or was changed meanwhile, in the language of whoever asked."""
    with override(run.job.args["language"]):
        match = Match.objects.filter(pk=run.job.args["match"]).first()
        if match is None:
            raise Refused("gone", _("This match was removed."))
        length = reviewed_length(match)
        try:
            plays = _reviewed(run, match)
        except GameError as error:
            raise Refused(error.code, in_words(error)) from error
        _save(run, match, length, plays)


def _reviewed(run: jobs.Run, match: Match) -> list[dict[str, Any]]:
    state = position(match)
    total, found = len(positions(state)), list[dict[str, Any]]()

    def clock() -> float:
        """Nestor looks at it often, so the row is seen to be alive, and a cancelled review ends at once."""
        run.progress(len(found), total)
        return monotonic()

    rng = random.Random(match.pk)
    # A third of the time is for open hands.
    ms = min(MS, IN_ALL * 2 // 3 // max(total, 1))
    opened_ms = min(OPENED_MS, IN_ALL // 3 // max(len(state.hands), 1))
    for play in reviewed(state, ms=ms, opened_ms=opened_ms, rng=rng, clock=clock):
        found.append(as_json(play))
    return found


@in_one_transaction
def _save(run: jobs.Run, match: Match, length: int, plays: list[dict[str, Any]]) -> None:
    match = Match.objects.select_for_update(no_key=True).get(pk=match.pk)
    run.hold()
    if reviewed_length(match) != length:
        raise Refused("changed", _("The match was changed during the review. Start it again."))
    total = sum(is_choice(move) for hand in position(match).hands for move in hand.state.moves)
    known = {"length": length, "plays": plays, "total": total, "made_at": run.clock()}
    Review.objects.update_or_create(match=match, defaults=known)
    run.done()
