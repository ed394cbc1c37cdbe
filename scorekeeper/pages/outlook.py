"""Who stands better in a match, as pages of spectators say it."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.nestor.outlook import Outlook
from scorekeeper import words
from scorekeeper.models import Match
from scorekeeper.pages.match import Side
from scorekeeper.selectors.outlooks import outlook_of

MOST = 30  # points that fill one half of the bar


@dataclass(frozen=True, slots=True)
class OutlookShown:
    """A sentence, and the same as a bar from its middle to one side."""

    words: str
    """ "" while nobody knows."""
    begins: int = 0
    """Where the filled part of the bar begins: −100 is its left end, 0 its middle."""
    width: int = 0
    """Of the filled part: 100 is a half of the bar. The first side has the left half."""


def shows_outlook(match: Match | None) -> bool:
    """Whether spectators see who stands better in it, as far as somebody knows. One query at most, for the event."""
    if match is None or match.event is None or match.status != Match.Status.PLAYING:
        return False
    return match.event.outlook


def outlook_shown(match: Match, sides: Sequence[Side]) -> OutlookShown | None:
    """None where the host has not turned it on. One query, and one for the event."""
    if not shows_outlook(match):
        return None
    found = outlook_of(match)
    if found is None:
        return OutlookShown("")
    width = 100 * min(found.points, MOST) // MOST
    return OutlookShown(outlook_words(found, sides), -width if found.side == 0 else 0, width)


def outlook_words(found: Outlook, sides: Sequence[Side]) -> str:
    if found.side is None:
        return _("Neither side stands better")
    names, points = sides[found.side].names, found.points
    if len(names) == 1:
        text = ngettext("{name} stands better: about {n} point", "{name} stands better: about {n} points", points)
        return text.format(name=names[0], n=points)
    text = ngettext("{names} stand better: about {n} point", "{names} stand better: about {n} points", points)
    return text.format(names=words.listed(names), n=points)
