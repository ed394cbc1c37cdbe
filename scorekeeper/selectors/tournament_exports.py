"""The file of a tournament as it leaves this server: with all that an import needs to go on as it was."""

from collections.abc import Sequence
from typing import Any

from scorekeeper.events.plan import rounds_of
from scorekeeper.schedule.seating import Seating
from scorekeeper.selectors.events import EventNow
from scorekeeper.selectors.tournament_corrections import corrections_noted
from scorekeeper.selectors.tournaments import tournament_file, tournament_of


def file_for_everybody(snapshot: EventNow) -> dict[str, Any]:
    """With the corrections of results, and the rounds to come as they were released. Queries as in
    `corrections_noted`."""
    state = tournament_of(snapshot)
    corrections = [each.as_json() for each in corrections_noted(snapshot)]
    released = {"released": _rounds(state.published, state.public_tables)} if state.published else {}
    return _with(tournament_file(snapshot), corrections=corrections, **released)


def file_for_directors(snapshot: EventNow) -> dict[str, Any]:
    """Also with the rounds to come, which may be a secret. Queries as in `corrections_noted`."""
    state = tournament_of(snapshot)
    plan = {**_rounds(state.plan, state.tables), "released": state.published == state.plan}
    return _with(file_for_everybody(snapshot), **({"plan": plan} if state.plan or state.published else {}))


def _rounds(to_come: Sequence[Seating], tables: Sequence[int]) -> dict[str, Any]:
    return {"rounds": rounds_of("plan", to_come)["rounds"], "at": list(tables)}


def _with(file: dict[str, Any], **more: Any) -> dict[str, Any]:
    return file | {"scorekeeper": file["scorekeeper"] | more}
