"""The entries of a result that is typed at the desk, also in place of another one."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _

import games
from games.read import listed
from scorekeeper.models import Match
from scorekeeper.services.errors import Refused
from scorekeeper.services.steps import Step, record

Entries = list[Mapping[str, Any]]
Totals = Sequence[int | None]
"""By side. None: they did not come; a match, which needs a total for everybody, gives them 0."""


def totals_of(state: games.Match) -> list[int]:
    """The total of each side."""
    return [state.totals[side[0]] for side in state.sides]


def entries_for(state: games.Match, totals: Totals) -> Entries:
    """The entries of these totals by side, for a match without entries. If they do not end it by its rules, time was
    up. GameError for totals that the game does not allow."""
    listed([*totals], len(state.sides))
    by_seat = {seat: total or 0 for side, total in zip(state.sides, totals, strict=True) for seat in side}
    result = {"kind": "result", "totals": [by_seat[seat] for seat in sorted(by_seat)]}
    typed = state.enter(result)
    typed.check_result()
    return [result] if typed.finished else [result, {"kind": "stop", "stopped": "time"}]


def entries_replacing(state: games.Match, totals: Totals, why: str) -> Entries:
    """The entries that take back a typed result, also if it has been confirmed since, and enter these totals. Refused
    "not-typed", and "same-result" if these are its totals; GameError as in `entries_for`."""
    if state.result is None:
        raise Refused("not-typed", _("This result was not typed. Correct it on the page of its match."))
    if totals_of(state) == [total or 0 for total in totals]:
        raise Refused("same-result", _("That is the result already."))
    back = entries_back(state, why)
    return [*back, *entries_for(after(state, back), totals)]


def entries_back(state: games.Match, why: str) -> Entries:
    """The entries that take back a typed result; none if the table has undone it already."""
    back: Entries = []
    while state.result is not None:
        entry = {"kind": "reopen", "why": why} if state.closed else {"kind": "undo"}
        state = state.enter(entry)
        back.append(entry)
    return back


def after(state: games.Match, entries: Iterable[Mapping[str, Any]]) -> games.Match:
    for entry in entries:
        state = state.enter(entry)
    return state


def enter(match: Match, entries: Entries, step: Step) -> None:
    """Records them. The match must be locked."""
    for number, entry in enumerate(entries):
        record(match, entry, f"{step.key}-result-{number}", step)
        match.refresh_from_db()
