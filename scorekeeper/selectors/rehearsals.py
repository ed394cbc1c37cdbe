"""Reading what a rehearsal of a tournament starts from, and how far it is."""

from typing import Any

from scorekeeper.events.plan import rounds_asked
from scorekeeper.models import Event, Job
from scorekeeper.selectors.events import EventNow
from scorekeeper.selectors.jobs import REHEARSAL
from scorekeeper.selectors.tournaments import to_come, tournament_file, tournament_of


def rehearsal_file(snapshot: EventNow) -> dict[str, Any]:
    """The tournament as its file, with what only directors know: all rounds to come, or how many a schedule would have.
    No query."""
    file, state = tournament_file(snapshot), tournament_of(snapshot)
    (stage,) = file["stages"]
    if state.by_results:
        return file
    known = {name: value for name, value in stage.items() if name != "rounds_planned"}
    rounds = rounds_asked(state)
    planned = {} if rounds is None else {"rounds_planned": rounds}
    whole = {**known, **planned, "play": state.setup["format"], "to_come": to_come(state, state, public=False)}
    return {**file, "stages": [whole]}


def newest_rehearsal(event: Event) -> Job | None:
    """One query."""
    return Job.objects.filter(club=event.club_id, kind=REHEARSAL, args__event=event.pk).order_by("-pk").first()
