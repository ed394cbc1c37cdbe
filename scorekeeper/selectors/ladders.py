"""Reading ladders: the results of their challenges, and who stands where."""

from collections.abc import Sequence
from datetime import date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from django.db.models import QuerySet

from games import GAMES
from scorekeeper.events import Ladder
from scorekeeper.events.ladder import DAYS_TO_CONFIRM, Challenge, Result, Results, Rungs
from scorekeeper.models import Club, Event, Match
from scorekeeper.selectors.events import EventNow, state_of


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
    """Who stood where at this moment, by the results as they are now. No query; one
    for each snapshot if what was recorded in a match waits for the sides."""
    return ladder_of(snapshot).at(moment, results_of(snapshot))


def results_of(snapshot: EventNow) -> Results:
    zone, over = ZoneInfo(snapshot.event.club.time_zone), {}
    for match in snapshot.matches:
        if match.sheet["stopped"] != "abandoned":
            over[match.pk] = _result(snapshot, match, zone)
    return over


def _result(snapshot: EventNow, match: Match, zone: ZoneInfo) -> Result:
    """The challenger, who sits first, needs to win alone. What was recorded at a table waits for both sides, unless a
    host or scorer did it."""
    if match.finished_at is None:
        return Result(None)
    challenger, challenged = (side[0] in match.sheet["winners"] for side in _sides(match))
    won = challenger and not challenged
    if match.table_id is None or _agreed(match) or match.pk in snapshot.recorded_by_scorers:
        return Result(won)
    last = match.finished_at.astimezone(zone).date() + timedelta(days=DAYS_TO_CONFIRM)
    return Result(won and not match.sheet.get("disputed"), end_of(last, zone))


def _agreed(match: Match) -> bool:
    """Whether somebody of each side has confirmed the sheet, and nobody disputes it."""
    confirmed = {*match.sheet.get("confirmed", ())}
    return not match.sheet.get("disputed") and all(confirmed & {*side} for side in _sides(match))


def _sides(match: Match) -> Sequence[tuple[int, ...]]:
    return GAMES[match.game].sides(len(match.sheet["totals"]))


def entrant_name(snapshot: EventNow, number: int) -> str:
    """The name of a pair, else of its players."""
    return ladder_of(snapshot).entrants[number].named(snapshot.name)


def end_of(day: date, zone: ZoneInfo) -> datetime:
    return datetime.combine(day + timedelta(days=1), time(), zone)


def last_day(challenge: Challenge, zone: ZoneInfo) -> date:
    """The last day on which it can be played."""
    return (challenge.until - timedelta(seconds=1)).astimezone(zone).date()
