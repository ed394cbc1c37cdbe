"""The page on which a club chooses what counts for its ratings."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from scorekeeper.forms.rating_rules import RulesForm
from scorekeeper.models import Club, Job, Player
from scorekeeper.words import group_words


@dataclass(frozen=True, slots=True)
class Moved:
    """Somebody whose rating would change. Without a rating, place and rating are None."""

    player: Player
    place: int | None
    shown: int | None
    then_place: int | None
    then_shown: int | None


@dataclass(frozen=True, slots=True)
class MovedGroup:
    name: str
    count: int
    """How many people would have another place or rating."""
    rows: Sequence[Moved]
    """Those for whom it would change most."""


@dataclass(frozen=True, kw_only=True)
class RatingRulesPage:
    club: Club
    form: RulesForm
    refusal: str
    job: Job | None
    """That finds out what the rules of the form would do."""
    going: bool
    before: int
    """How many matches count now."""
    then: int
    """How many would count."""
    groups: Sequence[MovedGroup]


def rating_rules_page(club: Club, form: RulesForm, job: Job | None, *, refusal: str = "") -> RatingRulesPage:
    """One query if the job is done."""
    found: dict[str, Any] = {"matches": [0, 0], "groups": {}}
    if job and job.state == Job.State.DONE:
        found = job.best
    ids = {row[0] for group in found["groups"].values() for row in group["moved"]}
    people = club.players.in_bulk(ids) if ids else {}
    groups = [
        MovedGroup(
            group_words(group),
            moved["count"],
            [Moved(people[player], *values) for player, *values in moved["moved"] if player in people],
        )
        for group, moved in found["groups"].items()
        if moved["count"]
    ]
    before, then = found["matches"]
    going = job is not None and job.state in (Job.State.NEW, Job.State.RUNNING)
    return RatingRulesPage(
        club=club, form=form, refusal=refusal, job=job, going=going, before=before, then=then, groups=groups
    )
