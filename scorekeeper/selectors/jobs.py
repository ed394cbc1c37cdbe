"""Reading jobs."""

from datetime import datetime, timedelta

from scorekeeper.models import Event, Job, Player

DRAW = "draw"
SCHEDULE = "schedule"
REHEARSAL = "rehearsal"
DELETION = "delete-person"
RULES_TRIED = "rating-rules"  # what other rules of what counts would do
SHOWN = timedelta(minutes=1)  # how long pages show that a draw has failed


def draw_under_way(event: Event, now: datetime) -> Job | None:
    """The event's draw that is waiting or running, or has just failed. One query."""
    return _under_way(event, DRAW, now)


def schedule_under_way(event: Event, now: datetime) -> Job | None:
    """The same for its schedule. One query."""
    return _under_way(event, SCHEDULE, now)


def deletion_of(player: Player) -> Job | None:
    """The job that deletes the name of the player everywhere; None if nobody asked for that. One query at most."""
    asked = Job.objects.filter(club=player.club_id, kind=DELETION, args__player=player.pk)
    return asked.order_by("-pk").first() if player.deleted_at else None


def _under_way(event: Event, kind: str, now: datetime) -> Job | None:
    newest = Job.objects.filter(club=event.club_id, kind=kind, args__event=event.pk).order_by("-pk").first()
    if newest is None or newest.state in (Job.State.DONE, Job.State.CANCELLED):
        return None
    return newest if newest.finished_at is None or now - newest.finished_at < SHOWN else None
