"""What a director does while a round is played: its clock, results typed at the desk, matches that end early."""

from collections.abc import Callable, Mapping
from typing import Any, Literal

from django.utils.translation import gettext as _

from scorekeeper.models import Event, Match
from scorekeeper.selectors.clock import Clock
from scorekeeper.selectors.ending import clock_of
from scorekeeper.selectors.events import event_now
from scorekeeper.selectors.matches import position
from scorekeeper.selectors.steps import totals_text
from scorekeeper.selectors.tournaments import match_at
from scorekeeper.services import events, matches, recording, steps, storable, typed_results
from scorekeeper.services.changes import in_one_transaction
from scorekeeper.services.corrections import no_note
from scorekeeper.services.errors import Refused
from scorekeeper.services.events import Step
from scorekeeper.services.typed_results import Totals

ClockStep = Literal["run", "start", "pause", "go-on", "more"]
How = Literal["time", "abandoned"]


@in_one_transaction
def set_clock(
    *, event_id: int, do: ClockStep, round_number: int, table: int | None = None, minutes: int = 0, step: Step
) -> None:
    """Turns the clocks of all matches of the round that are in play, or of the one at the table with this number:
    "run" starts those that wait, "start" starts all with these `minutes` from now, "more" gives more of them; "pause"
    and "go-on".

    Refused "nothing-played" without such a match, "clock-unchanged" if no clock changes.
    """
    asked: dict[str, Any] = {"kind": "clock", "do": do, "round": round_number, "table": table, "minutes": minutes}
    event, known = events.locked(event_id, asked, step)
    if known:
        return
    at = {} if table is None else {"table__in": event.club.tables.filter(number=table).values("pk")}
    playing = steps.matches_in_play(event, round=round_number, **at)
    if not playing:
        raise Refused("nothing-played", _("No match is in play there, so there is no clock to set."))
    turned: Mapping[ClockStep, Callable[[Clock], Clock]] = {
        "run": lambda clock: clock.resumed(step.now) if clock.waits else clock,
        "start": lambda clock: clock.started(minutes, step.now),
        "pause": lambda clock: clock.paused(step.now),
        "go-on": lambda clock: clock.resumed(step.now),
        "more": lambda clock: clock.extended(minutes, step.now),
    }
    changed = []
    for match in playing:
        before = clock_of(match)
        after = turned[do](before)
        if after != before:
            matches.set_clock(match=match, clock=after, now=step.now)
            changed.append({"match": match.pk, "before": before.as_json()})
    if not changed:
        idle = {"run": _("The clock has started already."), "go-on": _("No clock is paused.")}
        raise Refused("clock-unchanged", idle.get(do, _("No clock is running that could be paused.")))
    events.append(event, asked | {"clocks": changed}, step)


@in_one_transaction
def type_result(*, event_id: int, round_number: int, table: int, totals: Totals, step: Step) -> None:
    """Enters the totals of a table by side, None for who did not come, if nothing is entered there. If they do not end
    the match by its rules, time was up.

    Refused "no-such-table" and "has-entries"; GameError for totals that the game does not allow.
    """
    asked = {"kind": "result", "round": round_number, "table": table, "totals": list(totals)}
    event, known = events.locked(event_id, asked, step)
    if known:
        return
    match = _match(event, round_number, table)
    if not match.blank:
        text = _("Table {n} already has {there}. You typed {typed}. If that is right, correct the match on its page.")
        there, typed = map(totals_text, (typed_results.totals_of(position(match)), totals))
        raise Refused("has-entries", text.format(n=table, there=there, typed=typed))
    events.append(event, asked | {"ended": match.pk}, step)
    typed_results.enter(match, typed_results.entries_for(position(match), totals), step)


@in_one_transaction
def replace_result(*, event_id: int, round_number: int, table: int, totals: Totals, why: str, step: Step) -> None:
    """Enters other totals for a match with a typed result. `why` is the note that everybody can read.

    Refused "no-note", "no-such-table", "not-typed" and "same-result"; GameError for totals that the game does not
    allow.
    """
    asked = {"kind": "result", "round": round_number, "table": table, "totals": list(totals), "why": why.strip()}
    if not asked["why"]:
        raise no_note()
    storable.value(asked)
    event, known = events.locked(event_id, asked, step)
    if known:
        return
    match = _match(event, round_number, table)
    state = position(match)
    entries = typed_results.entries_replacing(state, totals, why.strip())
    was = {"ended": match.pk, "before": typed_results.totals_of(state), "at": step.now.isoformat()}
    events.append(event, asked | was, step)
    typed_results.enter(match, entries, step)


@in_one_transaction
def end_match(*, event_id: int, round_number: int, table: int, how: How, step: Step) -> None:
    """Ends the match at a table: its score counts ("time"), or nobody wins ("abandoned").

    Refused "no-such-table", "match-over", and "nothing-counted" if there is no score to count.
    """
    asked = {"kind": "end", "round": round_number, "table": table, "how": how}
    event, known = events.locked(event_id, asked, step)
    if known:
        return
    match = _match(event, round_number, table)
    if match.status != Match.Status.PLAYING:
        raise Refused("match-over", _("This match is over already."))
    if how == "time" and not steps.has_counted(match):
        raise Refused("nothing-counted", _("No hand is counted there yet. Type the result, or abandon the match."))
    events.append(event, asked | {"ended": match.pk}, step)
    steps.record(match, {"kind": "stop", "stopped": how}, f"{step.key}-stop", step)


@in_one_transaction
def offer_no_show(*, event_id: int, minutes: int, step: Step) -> None:
    """Sets after how many minutes without an entry the desk offers a forfeit."""
    asked = {"kind": "no-show", "minutes": minutes}
    event, known = events.locked(event_id, asked, step)
    if not known:
        events.append(event, asked, step)


def _match(event: Event, round_number: int, table: int) -> Match:
    """The match of a round at a table, locked. Refused "no-such-table"."""
    found = match_at(event_now(event), round_number, table)
    if found is None:
        raise Refused("no-such-table", _("This table does not exist in that round."))
    return recording.locked(found.pk)
