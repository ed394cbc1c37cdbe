"""Reading reviews of matches."""

from collections.abc import Sequence

from games import GAMES
from games.agreement import RESPONSES
from games.nestor.review import Reviewed, from_json
from scorekeeper.models import Club, Job, Match, Review
from scorekeeper.models.job import REVIEW

WAITING = (Job.State.NEW, Job.State.RUNNING)


def reviewed_length(match: Match) -> int:
    """How many entries of the log there are up to the last one that is no answer to the score. One query."""
    entries = match.log.exclude(kind__in=[*RESPONSES, "reopen"])
    last = entries.order_by("-seq").values_list("seq", flat=True).first()
    return 0 if last is None else last + 1


def review_of(match: Match) -> Review | None:
    """The review of the match as it is now; None if there is none, or if hands were changed since. Two queries."""
    review = Review.objects.filter(match=match).first()
    return review if review and review.length == reviewed_length(match) else None


def plays_of(review: Review, match: Match) -> Sequence[Reviewed]:
    """The plays of a review, in order. No query."""
    game, seats = GAMES[match.game], len(match.sheet["totals"])
    return [from_json(play, game, seats) for play in review.plays]


def newest_review_job(match: Match) -> Job | None:
    """One query."""
    return Job.objects.filter(club=match.club_id, kind=REVIEW, args__match=match.pk).order_by("-pk").first()


def reviews_waiting(club: Club) -> int:
    """How many reviews of the club's matches are asked for and not done. One query."""
    return Job.objects.filter(club=club, kind=REVIEW, state__in=WAITING).count()
