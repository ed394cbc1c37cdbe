"""The entry of a result that is typed at the desk, also in place of another one or of recorded hands."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from django.utils.translation import gettext as _

import games
from games import read
from scorekeeper.models import Match
from scorekeeper.selectors.ending import stopped_if_short
from scorekeeper.selectors.matches import position
from scorekeeper.services import recording
from scorekeeper.services.corrections import no_note
from scorekeeper.services.errors import Refused
from scorekeeper.services.steps import Step

Entries = list[Mapping[str, Any]]
Totals = Sequence[int | None]
"""By side. None: they did not come; a match, which needs a total for everybody, gives them 0."""


def totals_of(state: games.Match) -> list[int]:
    """The total of each side."""
    return [state.totals[side[0]] for side in state.sides]


def entry_for(state: games.Match, totals: Totals, stopped: str | None, why: str = "") -> Mapping[str, Any]:
    """The entry of these totals by side, for a match without entries; with `why`, in place of what it has. `stopped` is
    what ended it if they do not end it by its rules. GameError for totals that the game does not allow;
    `hand-unfinished` if nothing ended the match."""
    result = _result(state, totals) | ({"why": why} if why else {})
    return recording.ended_by(result, state.enter(result), stopped)


def entry_replacing(state: games.Match, totals: Totals, why: str, stopped: str | None) -> Mapping[str, Any]:
    """The entry of these totals in place of what a match has, a typed result or hands, also if it has been confirmed
    since. Refused "nothing-there", and "same-result" if these are its totals; GameError as in `entry_for`."""
    if state.result is None and not state.hands:
        raise Refused("nothing-there", _("Nothing is entered for this match yet. Type its result at the desk."))
    if state.winners and totals_of(state) == totals_by_side(totals):
        raise Refused("same-result", _("That is the result already."))
    return entry_for(state, totals, stopped, why)


def entries_back(state: games.Match, why: str) -> Entries:
    """The entries that take back the typed result which the match has, and what was entered after it: it is then as it
    was before that result."""
    back: Entries = []
    while state.result is not None:
        entry = {"kind": "reopen", "why": why} if state.closed else {"kind": "undo"}
        typed = state.did == "result" and not state.closed
        state = state.enter(entry)
        back.append(entry)
        if typed:
            break
    return back


def totals_by_side(totals: Totals) -> list[int]:
    """With the 0 of who did not come."""
    return [total or 0 for total in totals]


def typed_entry(match: Match, totals: Totals, *, early: bool, why: str, now: datetime) -> Mapping[str, Any]:
    """The entry that gives a match these totals by side, in place of what it has. `early`: they do not end it by its
    rules. Raises as `entry_for`, and where there is something to replace as `entry_replacing`; also Refused "no-note"
    without a reason for that."""
    stopped = stopped_if_short(match, early=early, now=now)
    if match.blank:
        return entry_for(position(match), totals, stopped)
    if not why.strip():
        raise no_note()
    return entry_replacing(position(match), totals, why.strip(), stopped)


def _result(state: games.Match, totals: Totals) -> dict[str, Any]:
    with read.field("totals"):
        read.listed([*totals], len(state.sides))
    by_seat = {seat: total or 0 for side, total in zip(state.sides, totals, strict=True) for seat in side}
    return {"kind": "result", "totals": [by_seat[seat] for seat in sorted(by_seat)]}


def enter(match: Match, entries: Entries, step: Step) -> None:
    """Records them for the director. The match must be locked."""
    for number, entry in enumerate(entries):
        before = position(match)
        after = before.enter(entry)
        recording.append(match, entry, before, after, f"{step.key}-result-{number}", step.by, step.now)
