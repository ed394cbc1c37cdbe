"""Reading jobs."""

from datetime import datetime, timedelta

from scorekeeper.models import Event, Job

DRAW = "draw"
SCHEDULE = "schedule"
SHOWN = timedelta(minutes=1)  # how long pages show that a draw has failed


def draw_under_way(event: Event, now: datetime) -> Job | None:
    """The event's draw that is waiting or running, or has just failed. One query."""
    return _under_way(event, DRAW, now)


def schedule_under_way(event: Event, now: datetime) -> Job | None:
    """The same for its schedule. One query."""
    return _under_way(event, SCHEDULE, now)


def _under_way(event: Event, kind: str, now: datetime) -> Job | None:
    newest = Job.objects.filter(club=event.club_id, kind=kind, args__event=event.pk).order_by("-pk").first()
    if newest is None or newest.state in (Job.State.DONE, Job.State.CANCELLED):
        return None
    return newest if newest.finished_at is None or now - newest.finished_at < SHOWN else None
