"""The file of a tournament as it leaves this server: with all that an import needs to go on as it was."""

from collections.abc import Sequence
from typing import Any

from scorekeeper.events.plan import listed_rounds
from scorekeeper.schedule.seating import Seating
from scorekeeper.selectors.events import EventNow
from scorekeeper.selectors.tournament_corrections import corrections_noted
from scorekeeper.selectors.tournaments import tournament_file, tournament_of


def file_for_everybody(snapshot: EventNow) -> dict[str, Any]:
    """With the corrections of results, what players say of them, and the rounds to come as they were released. Queries
    as in `corrections_noted`."""
    state = tournament_of(snapshot)
    corrections = [each.as_json() for each in corrections_noted(snapshot)]
    released = {"released": _rounds(state.published, state.public_tables)} if state.published else {}
    return _with(tournament_file(snapshot), corrections=corrections, answers=_answers(snapshot), **released)


def file_for_directors(snapshot: EventNow) -> dict[str, Any]:
    """Also with the rounds to come, which may be a secret, and with the wishes. Queries as in `corrections_noted`."""
    state = tournament_of(snapshot)
    plan = {**_rounds(state.plan, state.tables), "released": bool(state.plan) and state.published == state.plan}
    plan |= {"later": listed_rounds(state.later)} if state.later else {}
    return _with(
        file_for_everybody(snapshot),
        **({"plan": plan} if state.plan or state.published or state.later else {}),
        wishes=[each.as_json() for each in state.wishes],
    )


def _answers(snapshot: EventNow) -> list[dict[str, Any]]:
    """Which seats of which tables confirm or dispute the result."""
    answers = [
        {"round": number, "table": table}
        | {name: match.sheet[name] for name in ("confirmed", "disputed") if name in match.sheet}
        for (number, table), match in sorted(snapshot.at_tables.items(), key=lambda each: each[0])
    ]
    return [each for each in answers if len(each) > 2]


def _rounds(to_come: Sequence[Seating], tables: Sequence[int]) -> dict[str, Any]:
    return {"rounds": listed_rounds(to_come), "at": list(tables)}


def _with(file: dict[str, Any], **more: Any) -> dict[str, Any]:
    return file | {"scorekeeper": file["scorekeeper"] | more}
