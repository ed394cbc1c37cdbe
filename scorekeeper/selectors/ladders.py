"""Reading ladders: the results of their challenges, and who stands where."""

from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

from django.db.models import QuerySet

from games import GAMES
from scorekeeper.events import Ladder
from scorekeeper.events.ladder import Challenge, Results, Rungs
from scorekeeper.models import Club, Event, Match
from scorekeeper.selectors.events import EventNow, in_play, state_of


def ladder_of(snapshot: EventNow) -> Ladder:
    assert isinstance(snapshot.state, Ladder), "only a ladder has rungs"
    return snapshot.state


def ladder_in(event: Event) -> Ladder:
    """The state of a ladder. One query."""
    state = state_of(event)
    assert isinstance(state, Ladder), "only a ladder has rungs"
    return state


def ladders_of(club: Club, *, host: bool) -> QuerySet[Event]:
    """The club's ladders, the newest first: those that everybody may see, for a host all. One query."""
    found = club.events.filter(kind=Event.Kind.LADDER).order_by("-id")
    return found if host else found.filter(public=True)


def rungs_at(snapshot: EventNow, moment: datetime) -> Rungs:
    """Who stood where at this moment, by the results as they are now. No query."""
    return ladder_of(snapshot).at(moment, results_of(snapshot))


def results_of(snapshot: EventNow) -> Results:
    return {match.pk: _won(match) for match in snapshot.matches if match.sheet["stopped"] != "abandoned"}


def _won(match: Match) -> bool | None:
    """Whether the challenger, who sits first, won alone."""
    if in_play(match):
        return None
    challenger, challenged = (side[0] in match.sheet["winners"] for side in GAMES[match.game].sides(_seats(match)))
    return challenger and not challenged


def _seats(match: Match) -> int:
    return len(match.sheet["totals"])


def entrant_name(snapshot: EventNow, number: int) -> str:
    """The name of a pair, else of its players."""
    return ladder_of(snapshot).entrants[number].named(snapshot.name)


def last_day(challenge: Challenge, zone: ZoneInfo) -> date:
    """The last day on which it can be played."""
    return (challenge.until - timedelta(seconds=1)).astimezone(zone).date()
