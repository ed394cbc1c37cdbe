"""Reading what a rehearsal of a tournament starts from, and how far it is."""

from typing import Any

from scorekeeper.events import Tournament
from scorekeeper.events.plan import rounds_asked
from scorekeeper.models import Event, Job
from scorekeeper.selectors.events import EventNow
from scorekeeper.selectors.jobs import REHEARSAL
from scorekeeper.selectors.tournaments import parts, to_come, tournament_file, tournament_of


def rehearsal_file(snapshot: EventNow) -> dict[str, Any]:
    """The tournament as its file, with what only directors know: all rounds to come, or how many a schedule would have.
    No query."""
    file, whole = tournament_file(snapshot), tournament_of(snapshot)
    states = {part.name: tournament_of(part.snapshot) for part in parts(snapshot) if part.now}
    return {
        **file,
        "stages": [
            _with_schedule(stage, states[stage["name"]], whole) if stage["name"] in states else stage
            for stage in file["stages"]
        ],
    }


def stages_now(snapshot: EventNow) -> list[str]:
    """The names of those that are played now. No query."""
    return [part.name for part in parts(snapshot) if part.now]


def _with_schedule(stage: dict[str, Any], state: Tournament, whole: Tournament) -> dict[str, Any]:
    if state.by_results:
        return stage
    if state.free_play:
        return {**stage, "play": state.setup["format"]}
    known = {name: value for name, value in stage.items() if name != "rounds_planned"}
    rounds = rounds_asked(state)
    planned = {} if rounds is None else {"rounds_planned": rounds}
    return {**known, **planned, "play": state.setup["format"], "to_come": to_come(state, whole, public=False)}


def newest_rehearsal(event: Event) -> Job | None:
    """One query."""
    return Job.objects.filter(club=event.club_id, kind=REHEARSAL, args__event=event.pk).order_by("-pk").first()
