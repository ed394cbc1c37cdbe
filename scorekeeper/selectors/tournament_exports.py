"""The file of a tournament as it leaves this server: with all that an import needs to go on as it was."""

from typing import Any

from scorekeeper.events.plan import rounds_of
from scorekeeper.selectors.events import EventNow
from scorekeeper.selectors.tournament_corrections import corrections_noted
from scorekeeper.selectors.tournaments import tournament_file, tournament_of


def file_for_everybody(snapshot: EventNow) -> dict[str, Any]:
    """With the corrections of results. Queries as in `corrections_noted`."""
    return _with(tournament_file(snapshot), corrections=[each.as_json() for each in corrections_noted(snapshot)])


def file_for_directors(snapshot: EventNow) -> dict[str, Any]:
    """Also with the rounds to come, which may be a secret. Queries as in `corrections_noted`."""
    state = tournament_of(snapshot)
    plan = {
        "rounds": rounds_of("plan", state.plan)["rounds"],
        "at": list(state.tables),
        "released": state.published == state.plan,
    }
    return _with(file_for_everybody(snapshot), **({"plan": plan} if state.plan else {}))


def _with(file: dict[str, Any], **more: Any) -> dict[str, Any]:
    return file | {"scorekeeper": file["scorekeeper"] | more}
