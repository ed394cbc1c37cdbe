"""Line-ups of teams: submitted in secret, opened at once, and what changes them afterwards.

What a side submits is kept outside the event's log, which exports, the audit and hosts read. The step that opens both
line-ups writes them there.
"""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from django.utils.translation import gettext as _

from scorekeeper.access import Actor
from scorekeeper.events.encounters import SIDES, Encounter, LineUp, Wrong
from scorekeeper.events.rounds import Impossible
from scorekeeper.models import Event
from scorekeeper.models import LineUp as Submitted
from scorekeeper.selectors.leagues import league_in
from scorekeeper.selectors.teams import own_line_up, sides_in
from scorekeeper.services import events, storable
from scorekeeper.services.changes import announce, in_one_transaction
from scorekeeper.services.errors import Refused
from scorekeeper.services.events import Step


class WrongLineUp(Refused):
    """A line-up with faults, which the form shows board by board. Nothing is saved."""

    def __init__(self, error: Wrong) -> None:
        super().__init__(error.code, events.words_of(error))
        self.faults = error.faults


@in_one_transaction
def submit(*, event_id: int, fixture: int, side: int, line_up: LineUp, by: Actor, now: datetime) -> bool:
    """A side's line-up, in place of one it submitted before. As soon as both are in, both open; returns whether that
    happened. Refused "closed", "line-ups-open", "no-such-fixture" or "no-teams"; WrongLineUp."""
    event = _locked(event_id)
    _submit(event, fixture, side, line_up, now)
    if len(sides_in(event, fixture)) < len(SIDES):
        return False
    _open(event, fixture, Step(by, f"open-{fixture}", event.length, now), {"kind": "open", "fixture": fixture})
    return True


@in_one_transaction
def submit_for(*, event_id: int, fixture: int, side: int, line_up: LineUp, by: Actor, now: datetime) -> bool:
    """A host types the line-up of a side that has submitted none, as `submit`. Refused "line-up-in" if it has."""
    event = _locked(event_id)
    if side in sides_in(event, fixture):
        text = _("This team has submitted its line-up already. Only its captain can change it.")
        raise Refused("line-up-in", text)
    return submit(event_id=event_id, fixture=fixture, side=side, line_up=line_up, by=by, now=now)


@in_one_transaction
def open_now(*, event_id: int, fixture: int, step: Step) -> None:
    """Opens what is in. A side that has submitted nothing has nobody at its boards. Refused "line-ups-open",
    "no-such-fixture", "no-teams", or "no-line-ups" if neither side has submitted one."""
    asked = {"kind": "open", "fixture": fixture}
    event, known = events.locked(event_id, asked, step)
    if not known:
        _open(event, fixture, step, asked)


@in_one_transaction
def open_several(*, event_id: int, fixtures: Sequence[int], step: Step) -> None:
    """Opens what is in at these fixtures, as `open_now`. Refused as that, and "nobody-chosen" without fixtures."""
    event, known = events.locked(event_id, {"kind": "open"}, step)
    if known:
        return
    if not fixtures:
        raise Refused("nobody-chosen", _("Tick the meetings whose line-ups open now."))
    keys = (step.key, *(f"{step.key}-{number}" for number in fixtures[1:]))
    for key, number in zip(keys, fixtures, strict=True):
        _open(event, number, replace(step, key=key), {"kind": "open", "fixture": number})


@in_one_transaction
def substitute(
    *, event_id: int, fixture: int, board: int, side: int, players: Sequence[str], why: str, step: Step
) -> None:
    """Others, by their names, come to a board after the line-ups are open; unknown names become guests, and without
    names nobody comes. `why` is the note that everybody can read.

    Refused "no-note", "line-ups-secret", "board-begun" if something is entered there, "no-such-board", "same-people";
    WrongLineUp.
    """
    asked: dict[str, Any] = {"kind": "substitute", "fixture": fixture, "board": board, "side": side}
    asked |= {"names": list(players), "why": storable.note(why)}
    if not asked["why"]:
        text = _("Everybody can read the line-ups. Say why somebody else plays, then note the substitute.")
        raise Refused("no-note", text)
    storable.value(asked)
    event, known = events.locked(event_id, asked, step)
    if known:
        return
    came = [player.pk for player in events.guests_named(event.club, players, step)]
    try:
        league_in(event).encounter(fixture).with_substitutes(board, side, tuple(came), asked["why"])
    except Wrong as error:
        raise WrongLineUp(error) from error
    except Impossible as error:
        raise Refused(error.code, events.words_of(error)) from error
    events.append(event, asked | {"players": came}, step)


def _locked(event_id: int) -> Event:
    return Event.objects.select_for_update(no_key=True, of=("self",)).select_related("club").get(pk=event_id)


def _submit(event: Event, fixture: int, side: int, line_up: LineUp, now: datetime) -> None:
    try:
        _encounter(event, fixture).submit(side, line_up)
    except Wrong as error:
        raise WrongLineUp(error) from error
    except Impossible as error:
        raise Refused(error.code, events.words_of(error)) from error
    boards = [list(players) for players in line_up]
    Submitted.objects.update_or_create(
        event=event, fixture=fixture, side=side, defaults={"boards": boards, "submitted_at": now}
    )
    announce(kind="line-up", club_id=event.club_id, event=event, now=now)


def _encounter(event: Event, fixture: int) -> Encounter:
    """Impossible "closed", "no-such-fixture" or "no-teams"."""
    if event.closed_at:
        raise Impossible("closed")
    return league_in(event).encounter(fixture)


def _open(event: Event, fixture: int, step: Step, asked: dict[str, Any]) -> None:
    submitted = [own_line_up(event, fixture, side) for side in SIDES]
    if submitted == [None, None] and fixture not in league_in(event).encounters:
        text = _(
            "Neither team has submitted its line-up. Choose for them, or note a walk-over on the page of the fixture."
        )
        raise Refused("no-line-ups", text)
    boards = [None if each is None else [list(players) for players in each] for each in submitted]
    events.append(event, asked | {"line_ups": boards}, step)
    Submitted.objects.filter(event=event, fixture=fixture).delete()
