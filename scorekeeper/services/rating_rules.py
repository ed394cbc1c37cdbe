"""What counts for the ratings of a club: what other rules would do, and choosing them."""

from collections import defaultdict
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.utils.translation import gettext as _

from scorekeeper.models import AuditEntry, Club, Job, RatingRules, User
from scorekeeper.ratings import Ladder, Rating, Rules
from scorekeeper.selectors import ratings as selectors
from scorekeeper.selectors.jobs import RULES_TRIED
from scorekeeper.selectors.ratings import CLUB, groups_of
from scorekeeper.services import jobs, ratings
from scorekeeper.services.audit import note
from scorekeeper.services.changes import in_one_transaction
from scorekeeper.services.errors import Refused

KIND = RULES_TRIED
SHOWN = 20  # people of each group whom the preview names
Final = Mapping[str, Mapping[int, Rating]]
"""The ratings after all matches, by group of games and player."""


@in_one_transaction
def ask(*, club: Club, rules: Rules, by: User | None, now: datetime) -> Job:
    """Starts a job that finds out what these rules would do. Refused "same-rules" if they hold already."""
    if rules == rules_of(club, None):
        raise Refused("same-rules", _("That is what counts now. Change something, then look at what it would do."))
    going = club.jobs.filter(kind=KIND, state__in=[Job.State.NEW, Job.State.RUNNING], cancel_asked=False)
    for job in going:
        jobs.cancel(job_id=job.pk, now=now)
    return jobs.start(kind=KIND, args=rules._asdict(), club=club, by=by, now=now)


@in_one_transaction
def choose(*, club: Club, rules: Rules, by: User | None, now: datetime) -> None:
    """Makes these rules count. A job calculates the ratings again; until then the old ones are shown."""
    Club.objects.select_for_update(no_key=True).get(pk=club.pk)
    if rules == rules_of(club, None):
        return
    RatingRules.objects.update_or_create(club=club, defaults=rules._asdict())
    note(club=club, kind=AuditEntry.Kind.RATING_RULES_SET, by=by, now=now)
    ratings.recalculate(club.matches.all(), why=ratings.Cause("rules", club.pk), now=now)


def job_numbered(club: Club, pk: int) -> Job | None:
    """The club's job with this id that finds out what rules would do. One query."""
    return club.jobs.filter(kind=KIND, pk=pk).first()


def rules_of(club: Club, job: Job | None) -> Rules:
    """The rules about which the job was asked; without one, those of today. One query at most."""
    return Rules(**job.args) if job else selectors.rules_of(club.pk)


def work(run: jobs.Run) -> None:
    """Compares the ratings by the job's rules with those by the rules of today."""
    club = run.job.club
    assert club, "Rules belong to a club."
    (old_count, old), (new_count, new) = (
        _final(run, club, rules, half) for half, rules in enumerate((rules_of(club, None), rules_of(club, run.job)))
    )
    groups = {group: _moved(old.get(group, {}), new.get(group, {})) for group in sorted(old.keys() | new.keys())}
    best = {"matches": [old_count, new_count], "groups": groups}
    run.done(best=best)


def _final(run: jobs.Run, club: Club, rules: Rules, half: int) -> tuple[int, Final]:
    """The number of matches that count, and the ratings after them."""
    ladders: dict[str, Ladder] = defaultdict(Ladder)
    counted = 0

    def progress(done: int, total: int) -> None:
        run.progress(half * total + done, 2 * total)

    for match in ratings.in_order(club.matches.all(), rules=rules, progress=progress):
        if contest := match.contests.get(CLUB):
            counted += 1
            for group in groups_of(match.game):
                ladders[group].rate(contest)
    return counted, {group: ladder.ratings for group, ladder in ladders.items()}


def _moved(old: Mapping[int, Rating], new: Mapping[int, Rating]) -> dict[str, Any]:
    """How many would have another rating, and those whose place or rating would change most: the player, the place and
    the rating before, and then; None for somebody who has none."""
    was, then = _places(old), _places(new)
    moved = [player for player in old.keys() | new.keys() if was.get(player) != then.get(player)]
    nobody = (0, 0)

    def by_how_much(player: int) -> tuple[int, int, int]:
        before, after = was.get(player, nobody), then.get(player, nobody)
        return -abs(after[1] - before[1]), -abs(after[0] - before[0]), player

    rows = [[player, *was.get(player, (None, None)), *then.get(player, (None, None))] for player in moved]
    rows.sort(key=lambda row: by_how_much(row[0]))
    return {"count": len(rows), "moved": rows[:SHOWN]}


def _places(ratings_of: Mapping[int, Rating]) -> dict[int, tuple[int, int]]:
    """The place and the rating that is shown."""
    order = sorted(rating.shown for rating in ratings_of.values())
    better = {shown: len(order) - number for number, shown in enumerate(order, 1)}
    return {player: (better[rating.shown] + 1, rating.shown) for player, rating in ratings_of.items()}
