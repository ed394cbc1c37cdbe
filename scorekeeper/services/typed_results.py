"""The entries of a result that is typed at the desk, also in place of another one or of recorded hands."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _

import games
from games import read
from scorekeeper.models import Match
from scorekeeper.services.errors import Refused
from scorekeeper.services.steps import Step, record

Entries = list[Mapping[str, Any]]
Totals = Sequence[int | None]
"""By side. None: they did not come; a match, which needs a total for everybody, gives them 0."""


def totals_of(state: games.Match) -> list[int]:
    """The total of each side."""
    return [state.totals[side[0]] for side in state.sides]


def entries_for(state: games.Match, totals: Totals, stopped: str | None) -> Entries:
    """The entries of these totals by side, for a match without entries. `stopped` is what ended it if they do not end
    it by its rules. GameError for totals that the game does not allow; `hand-unfinished` if nothing ended the match."""
    result = _result(state, totals)
    typed = state.enter(result)
    typed.check_result()
    try:
        typed.check_ended()
    except games.Illegal:
        if stopped is None:
            raise
        return [result | {"stopped": stopped}]
    return [result]


def entries_replacing(state: games.Match, totals: Totals, why: str, stopped: str | None) -> Entries:
    """The entries that take back what a match has, a typed result or hands, also if it has been confirmed since, and
    enter these totals. Refused "nothing-there", and "same-result" if these are its totals; GameError as in
    `entries_for`."""
    if state.result is None and not state.hands:
        raise Refused("nothing-there", _("Nothing is entered for this match yet. Type its result at the desk."))
    if state.winners and totals_of(state) == [total or 0 for total in totals]:
        raise Refused("same-result", _("That is the result already."))
    back = entries_back(state, why)
    return [*back, *entries_for(after(state, back), totals, stopped)]


def entries_restoring(state: games.Match, totals: Totals, why: str, stopped: str | None) -> Entries:
    """The entries that put back a typed result in place of another one. One that was stored without what ended it, and
    did not end the match by its rules, ended early."""
    back = entries_back(state, why)
    if stopped:
        return [*back, _result(state, totals) | {"stopped": stopped}]
    return [*back, *entries_for(after(state, back), totals, "early")]


def entries_back(state: games.Match, why: str) -> Entries:
    """The entries that take back a typed result or all hands; none if the table has undone them already."""
    back: Entries = []
    while state.result is not None or state.closed:
        entry = {"kind": "reopen", "why": why} if state.closed else {"kind": "undo"}
        state = state.enter(entry)
        back.append(entry)
    return [*back, {"kind": "undo", "to": {"hand": 0, "move": None}, "why": why}] if state.hands else back


def _result(state: games.Match, totals: Totals) -> dict[str, Any]:
    with read.field("totals"):
        read.listed([*totals], len(state.sides))
    by_seat = {seat: total or 0 for side, total in zip(state.sides, totals, strict=True) for seat in side}
    return {"kind": "result", "totals": [by_seat[seat] for seat in sorted(by_seat)]}


def after(state: games.Match, entries: Iterable[Mapping[str, Any]]) -> games.Match:
    for entry in entries:
        state = state.enter(entry)
    return state


def enter(match: Match, entries: Entries, step: Step) -> None:
    """Records them. The match must be locked."""
    for number, entry in enumerate(entries):
        record(match, entry, f"{step.key}-result-{number}", step)
        match.refresh_from_db()
