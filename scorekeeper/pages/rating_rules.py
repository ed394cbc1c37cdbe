"""The page on which a club chooses what counts for its ratings."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from scorekeeper.forms.rating_rules import WEIGHTS, RulesForm
from scorekeeper.models import Club, Job, Player
from scorekeeper.ratings import Rules
from scorekeeper.words import group_words


@dataclass(frozen=True, slots=True)
class Moved:
    """Somebody whose rating would change. Without a rating, place and rating are None."""

    player: Player
    place: int | None
    before: int | None
    place_now: int | None
    now: int | None

    @property
    def by(self) -> int | None:
        return None if self.before is None or self.now is None else self.now - self.before


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
    changes: Sequence[str]
    """What the rules of the form would change, in sentences."""


def rating_rules_page(
    club: Club, form: RulesForm, job: Job | None, *, now: Rules, refusal: str = ""
) -> RatingRulesPage:
    """`now`: what counts now. One query if the job is done."""
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
        club=club,
        form=form,
        refusal=refusal,
        job=job,
        going=going,
        before=before,
        then=then,
        groups=groups,
        changes=_changes(now, Rules(**job.args)) if job else (),
    )


def _changes(now: Rules, then: Rules) -> list[str]:
    """What differs, as the form says it."""
    form, weights = RulesForm(), dict(WEIGHTS)
    said = []
    for name in ("nights", "tournaments", "agreed"):
        old, new = getattr(now, name), getattr(then, name)
        if old != new:
            what = form.fields[name].label
            said.append(_("{what}: {new} (now: {old}).").format(what=what, new=weights[new], old=weights[old]))
    if now.shortest != then.shortest:
        text = _("Matches need at least {new} hands (now: {old}).")
        said.append(text.format(new=then.shortest, old=now.shortest))
    if now.unverified != then.unverified:
        said.append(_("Results without hands count.") if then.unverified else _("Results without hands do not count."))
    return said
