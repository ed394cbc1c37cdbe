"""Reading who stands better in matches in play, for those of whom `access` says that they only look on."""

from collections.abc import Mapping

from django.db.models import F

from games.nestor.outlook import Outlook as Found
from scorekeeper.models import Event, Match, Outlook


def outlook_of(match: Match) -> Found | None:
    """Who stands better in the position of `match` as it was read; None while nobody has found that out. One query."""
    rows = Outlook.objects.filter(match=match.pk, match__event__outlook=True, length=match.length)
    found = rows.values_list("found", flat=True).first()
    return Found(**found) if found else None


def outlooks_of(event: Event) -> Mapping[int, Found]:
    """By id of a match of the event in play: who stands better in its newest position, where that is known. One
    query."""
    rows = Outlook.objects.filter(match__event=event, match__event__outlook=True, length=F("match__length"))
    return {match: Found(**found) for match, found in rows.values_list("match", "found") if found}
