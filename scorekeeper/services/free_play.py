"""The steps of a director in free play: tables for those who are free, and breaks."""

import random
import time
from collections.abc import Collection, Sequence

from django.utils.translation import gettext as _

from scorekeeper.events import Tournament
from scorekeeper.events.rounds import Impossible
from scorekeeper.models import Event, Match
from scorekeeper.schedule.seating import FORMATS
from scorekeeper.selectors.events import EventNow, event_now, in_play, where_playing
from scorekeeper.selectors.free_play import drawn_tables, free, waiting
from scorekeeper.selectors.tournaments import entrant_name, tournament_in, tournament_of
from scorekeeper.services import events
from scorekeeper.services.changes import in_one_transaction
from scorekeeper.services.errors import Refused
from scorekeeper.services.events import Step
from scorekeeper.words import listed

SECONDS = 2.0  # a search takes at most, with many people at larger tables


@in_one_transaction
def start(
    *, event_id: int, entrants: Sequence[int], table: int | None = None, rng: random.Random, step: Step
) -> list[Match]:
    """These entrants play at once, at this table of the club or the first free one. The draw decides who leads, and who
    is whose partner.

    Refused "not-free-play", "other-size", "not-entered", "somebody-twice", "not-free" if one of them plays, rests or
    has left, "table-in-use", and as `events.seat`.
    """
    asked = {"kind": "start", "entrants": list(entrants), "table": table}
    event, known = events.locked(event_id, asked, step)
    if known:
        return list(event.matches.filter(pk__in=known["matches"]))
    state = _free_play(event)
    snapshot = event_now(event)
    _must_fit_a_table(state, entrants)
    _must_be_free(snapshot, entrants)
    seating = drawn_tables(snapshot, sorted(entrants), only_new=False, rng=rng, clock=time.thread_time, seconds=SECONDS)
    drawn = state.round_of(seating, [_table(snapshot, table)])
    opened = events.open_matches(event, state, drawn.pairings, step)
    (pairing,) = drawn.pairings
    events.append(event, asked | {"pairing": pairing.as_json(), "matches": [match.pk for match in opened]}, step)
    return opened


def match(*, event: Event, only_new: bool, rng: random.Random, step: Step) -> None:
    """Drafts tables for those who are free; whoever waits longest plays first. `only_new`: nobody meets again; others
    go on waiting. A draft that is there is replaced.

    Refused "not-free-play", "too-few-free", or "all-met" if there is no table at which nobody meets again.
    """
    if event.log.filter(key=step.key).exists():
        return
    state = _free_play(event)
    events.must_not_be_behind(event, step)
    snapshot = event_now(event)
    there = [each.entrant for each in waiting(snapshot)]
    if len(there) < state.fewest:
        text = _("A table needs {n} entrants. Free: {free}. Wait until a table ends.")
        if not any(map(in_play, snapshot.matches)):
            text = _("A table needs {n} entrants. Free: {free}, and no table plays. Enter more, or end a break.")
        raise Refused("too-few-free", text.format(n=state.fewest, free=len(there)))
    seating = drawn_tables(snapshot, there, only_new=only_new, rng=rng, clock=time.thread_time, seconds=SECONDS)
    if not seating.tables:
        text = _(
            "No table can be made of those who are free without people who have met. Wait until a table ends, or match"
            " people who have met, too."
        )
        raise Refused("all-met", text)
    drawn = state.round_of(seating, snapshot.free_tables)
    events.draft(event_id=event.pk, drawn=drawn, came=(), asked={"only_new": only_new, "waiting": there}, step=step)


@in_one_transaction
def swap(*, event_id: int, entrants: Sequence[int], step: Step) -> None:
    """Two entrants of the draft swap places; one of them may go on waiting. Refused "not-two", "not-in-the-draw"."""
    state = tournament_in(Event.objects.get(pk=event_id))
    if len({*entrants}) != 2:
        raise _refused("not-two")
    if not state.entrants.keys() >= {*entrants}:
        raise _refused("not-entered")
    size = state.setup["size"]
    players = [player for each in entrants for player in state.entrants[each][:size]]
    asked = {"kind": "swap", "players": players}
    event, known = events.locked(event_id, asked, step)
    if not known:
        events.append(event, asked, step)


@in_one_transaction
def rest(*, event_id: int, entrants: Collection[int], step: Step) -> None:
    """Entrants take a break: nobody matches them until they play on. A match in which they sit goes on. Refused
    "not-free-play", "not-entered", "has-left", "rests-already"."""
    asked = {"kind": "rest", "entrants": sorted(entrants)}
    event, known = events.locked(event_id, asked, step)
    if known:
        return
    state = _free_play(event)
    if not state.entrants.keys() >= {*entrants}:
        raise _refused("not-entered")
    snapshot = event_now(event)
    if gone := state.withdrawn.intersection(entrants):
        text = _("{names}: has left. Note the return first.")
        raise Refused("has-left", text.format(names=_names(snapshot, gone)))
    if there := state.resting.intersection(entrants):
        text = _("{names}: takes a break already.")
        raise Refused("rests-already", text.format(names=_names(snapshot, there)))
    events.append(event, asked, step)


@in_one_transaction
def play_on(*, event_id: int, entrants: Collection[int], step: Step) -> None:
    """The end of their break. Refused "not-free-play", "not-resting"."""
    asked = {"kind": "play-on", "entrants": sorted(entrants)}
    event, known = events.locked(event_id, asked, step)
    if known:
        return
    if not _free_play(event).resting >= {*entrants}:
        raise Refused("not-resting", _("They take no break. Reload the page to see who is free."))
    events.append(event, asked, step)


# --- their parts -------------------------------------------------------------------------------------------
def _free_play(event: Event) -> Tournament:
    state = tournament_in(event)
    if not state.free_play:
        text = _("This is for free play. Here, rounds are drawn: use the buttons on the desk.")
        raise Refused("not-free-play", text)
    return state


def _must_fit_a_table(state: Tournament, entrants: Sequence[int]) -> None:
    if not state.entrants.keys() >= {*entrants}:
        raise _refused("not-entered")
    if len({*entrants}) < len(entrants):
        raise Refused("somebody-twice", _("Somebody is chosen twice. Choose each once."))
    sizes = FORMATS[state.setup["format"]].sizes
    if len(entrants) not in sizes:
        text = _("{n} entrants sit at a table here. Choose as many.")
        raise Refused("other-size", text.format(n=_(" or ").join(map(str, sizes))))


def _must_be_free(snapshot: EventNow, entrants: Sequence[int]) -> None:
    """Refused "not-free" says why somebody is not, and what to do."""
    state, there = tournament_of(snapshot), {*free(snapshot)}
    for each in sorted({*entrants} - there):
        name = entrant_name(snapshot, each)
        if each in state.withdrawn:
            raise Refused("not-free", _("{name} has left. Note the return first.").format(name=name))
        if each in state.resting:
            raise Refused("not-free", _("{name} takes a break. End the break first.").format(name=name))
        busy = [
            where_playing(name, snapshot.playing[player], snapshot.event)
            for player in state.entrants[each]
            if player in snapshot.playing
        ]
        text = _("Still playing: {who}. Choose somebody who is free, or wait until that match ends.")
        raise Refused("not-free", text.format(who=listed([*dict.fromkeys(busy)])))


def _table(snapshot: EventNow, wanted: int | None) -> int:
    """The number of the table, or of the first one that is free and not in the draft. Refused "table-in-use"."""
    draft = snapshot.state.draft
    drafted = {pairing.table for pairing in draft.pairings} if draft else set()
    if wanted is None:
        return next(number for number in snapshot.free_tables if number not in drafted)
    if wanted not in snapshot.free_tables:
        text = _("Table {n} is in use, or closed. Choose another one.")
        raise Refused("table-in-use", text.format(n=wanted))
    return wanted


def _names(snapshot: EventNow, entrants: Collection[int]) -> str:
    return listed([entrant_name(snapshot, each) for each in sorted(entrants)])


def _refused(code: str) -> Refused:
    return Refused(code, events.words_of(Impossible(code)))
