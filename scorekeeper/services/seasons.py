"""Makes, changes and removes the seasons of a club."""

from collections.abc import Mapping, Sequence
from datetime import date, datetime
from itertools import pairwise
from typing import Any

from django.utils.translation import gettext as _

from scorekeeper.models import AuditEntry, Club, Season, User
from scorekeeper.names import folded
from scorekeeper.services import storable
from scorekeeper.services.audit import note
from scorekeeper.services.changes import announce, in_one_transaction
from scorekeeper.services.errors import Refused

SETTINGS = ("name", "starts_on", "ends_on", "of", "by", "group", "points", "best")
LONGEST = 3
"""Years of a season."""
MOST_PLACES = 100
MOST_POINTS = 1000
"""For a place."""


def settings_of(season: Season) -> dict[str, Any]:
    """What hosts can set, by the names of its columns."""
    return {name: getattr(season, name) for name in SETTINGS}


@in_one_transaction
def make(*, club: Club, new: Mapping[str, Any], by: User | None, now: datetime) -> Season:
    """Makes a season of these settings. Refused and Malformed as in `planned`."""
    season = planned(Season(club=_locked(club)), new)
    season.save()
    _noted(season, AuditEntry.Kind.SEASON_ADDED, by, now)
    return season


@in_one_transaction
def change(*, season: Season, new: Mapping[str, Any], by: User | None, now: datetime) -> None:
    """Changes the settings. Refused and Malformed as in `planned`; Season.DoesNotExist if somebody has removed it."""
    _locked(season.club)
    there = Season.objects.select_related("club").get(pk=season.pk)
    after = planned(there, new)
    if settings_of(after) == settings_of(there):
        return
    after.save()
    _noted(after, AuditEntry.Kind.SEASON_SET, by, now)


@in_one_transaction
def remove(*, season: Season, by: User | None, now: datetime) -> None:
    """Removes the season; its events and their results stay."""
    _noted(season, AuditEntry.Kind.SEASON_REMOVED, by, now)
    season.delete()


def planned(season: Season, new: Mapping[str, Any]) -> Season:
    """The season with all these SETTINGS, not saved. Refused if the club has its name, or its days or points cannot be;
    games.Malformed for a name. One query."""
    name = storable.name(new["name"])
    for other in Season.objects.filter(club=season.club_id).exclude(pk=season.pk):
        if folded(other.name) == folded(name):
            text = _("The club already has a season called {name}. Choose another name.")
            raise Refused("name-taken", text.format(name=other.name))
    _must_be_days(new["starts_on"], new["ends_on"])
    points = new["points"] if new["by"] == Season.By.PLACE else []
    _must_be_points(points)
    return Season(pk=season.pk, club=season.club, **{**new, "name": name, "points": points})


def _must_be_days(first: date, last: date) -> None:
    if last < first:
        raise Refused("ends-before-start", _("The last day is before the first. Correct one of them."))
    if (last.year - LONGEST, last.month, last.day) >= (first.year, first.month, first.day):
        text = _("A season has at most {n} years. Choose an earlier last day, or make several seasons.")
        raise Refused("too-long", text.format(n=LONGEST))


def _must_be_points(points: Sequence[int]) -> None:
    if len(points) > MOST_PLACES or any(not 0 <= each <= MOST_POINTS for each in points):
        text = _("Enter points for at most {places} places, each from 0 to {points}.")
        raise Refused("bad-points", text.format(places=MOST_PLACES, points=MOST_POINTS))
    if any(later > earlier for earlier, later in pairwise(points)):
        text = _("A later place has more points than an earlier one. Begin with the first place.")
        raise Refused("bad-points", text)


def _locked(club: Club) -> Club:
    """Names stay unique in it until the end of the transaction."""
    return Club.objects.select_for_update(no_key=True).get(pk=club.pk)


def _noted(season: Season, kind: AuditEntry.Kind, by: User | None, now: datetime) -> None:
    note(club=season.club, kind=kind, by=by, now=now, what=season.name)
    announce(kind="seasons", club_id=season.club_id, now=now)
