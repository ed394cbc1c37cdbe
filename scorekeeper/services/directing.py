"""What a director does while a round is played: its clock, results typed at the desk, matches that end early."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from operator import attrgetter
from typing import Any, Literal, get_args

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scorekeeper.events import Tournament
from scorekeeper.events.groups import has_series
from scorekeeper.events.rounds import Impossible
from scorekeeper.models import Event, Match
from scorekeeper.selectors.clock import Clock, with_the_others
from scorekeeper.selectors.ending import clock_of, ending_in_lists, stopped_if_short
from scorekeeper.selectors.events import EventNow, event_matches, event_now, has_counted, in_play, seated, still_playing
from scorekeeper.selectors.matches import position
from scorekeeper.selectors.series import as_seated, next_by_hand, series_at
from scorekeeper.selectors.steps import totals_text
from scorekeeper.selectors.swaps import Swap
from scorekeeper.selectors.tournaments import tournament_in, tournament_of
from scorekeeper.services import events, exchanges, matches, recording, seating, steps, storable, typed_results
from scorekeeper.services.changes import in_one_transaction
from scorekeeper.services.corrections import no_note
from scorekeeper.services.errors import Refused
from scorekeeper.services.events import Step
from scorekeeper.services.typed_results import Totals

ClockStep = Literal["run", "start", "pause", "go-on", "more"]
How = Literal["time", "abandoned"]
Truth = Literal["names", "again", "as-drawn"]
"""Of tables with entries: only the names are wrong, and hands and points stay; the two swap and play again; or the draw
stands, and they play again as drawn."""
TRUTHS: tuple[Truth, ...] = get_args(Truth)


@in_one_transaction
def set_clock(
    *, event_id: int, do: ClockStep, round_number: int, table: int | None = None, minutes: int = 0, step: Step
) -> None:
    """Turns the clocks of all matches of the round that are in play, or of the one at the table with this number:
    "run" starts those that wait, "start" starts all with these `minutes` from now, "more" gives more of them; "pause"
    and "go-on". No clock starts for somebody who still plays in an earlier round.

    Refused "nothing-played" without such a match, "still-playing" if all of them wait for somebody, "clock-unchanged"
    if no clock changes.
    """
    asked: dict[str, Any] = {"kind": "clock", "do": do, "round": round_number, "table": table, "minutes": minutes}
    event, known = events.locked(event_id, asked, step)
    if known:
        return
    at = {} if table is None else {"table__in": event.club.tables.filter(number=table).values("pk")}
    playing = steps.matches_in_play(event, round=round_number, **at)
    if not playing:
        raise Refused("nothing-played", _("No match is in play there, so there is no clock to set."))
    if do in ("run", "start", "go-on"):
        earlier = still_playing(event_matches(event), round_number)
        playing = [match for match in playing if not match.blank or earlier.keys().isdisjoint(seated(match))]
        if not playing:
            raise Refused("still-playing", _("All these tables wait for somebody who still plays in an earlier round."))
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
def type_result(
    *, event_id: int, round_number: int, table: int, totals: Totals, early: bool = False, step: Step
) -> None:
    """Enters the totals of a table by side, as it was drawn, None for who did not come, if nothing is entered there. If
    they do not end the match by its rules, time was up if its clock is, else it ended `early`.

    Refused "no-such-table", "has-entries" and "total-missing"; GameError for totals that the game does not allow,
    `hand-unfinished` if nothing ended the match.
    """
    asked: dict[str, Any] = {"kind": "result", "round": round_number, "table": table, "totals": list(totals)}
    asked |= {"early": True} if early else {}
    event, known = events.locked(event_id, asked, step)
    if known:
        return
    match = _match(event, round_number, table)
    seated = as_seated(tournament_in(event), match, totals)
    if not match.blank:
        text = _("Table {n} already has {there}. You typed {typed}. To save yours, replace what is there.")
        there = totals_text(typed_results.totals_of(position(match)))
        raise Refused("has-entries", text.format(n=table, there=there, typed=totals_text(seated)))
    _must_be_complete(event, round_number, table, totals)
    events.append(event, asked | {"ended": match.pk}, step)
    stopped = stopped_if_short(match, early=early, now=step.now)
    typed_results.enter(match, [typed_results.entry_for(position(match), seated, stopped)], step)


@in_one_transaction
def replace_result(
    *,
    event_id: int,
    round_number: int,
    table: int,
    totals: Totals,
    why: str,
    early: bool = False,
    match_id: int | None = None,
    step: Step,
) -> None:
    """Enters other totals for a match with a typed result, or totals in place of its hands. The hands stay in the log.
    `why` is the note that everybody can read. `match_id`: the match, if it is not the newest of its table.

    Refused "no-note", "no-such-table", "nothing-there", "same-result" and "total-missing"; GameError as in
    `type_result`.
    """
    asked: dict[str, Any] = {"kind": "result", "round": round_number, "table": table, "totals": list(totals)}
    asked["why"] = storable.note(why)
    asked |= ({"early": True} if early else {}) | ({"match": match_id} if match_id else {})
    if not asked["why"]:
        raise no_note()
    storable.value(asked)
    event, known = events.locked(event_id, asked, step)
    if known:
        return
    match = _match(event, round_number, table, match_id)
    _must_be_complete(event, round_number, table, totals)
    state = position(match)
    stopped = stopped_if_short(match, early=early, now=step.now)
    seated = as_seated(tournament_in(event), match, totals)
    entry = typed_results.entry_replacing(state, seated, asked["why"], stopped)
    events.append(event, asked | {"before": typed_results.totals_of(state), "ended": match.pk}, step)
    typed_results.enter(match, [entry], step)


@in_one_transaction
def end_match(*, event_id: int, round_number: int, table: int, how: How, step: Step) -> None:
    """Ends the match at a table: its score counts ("time", also if time is not up), or nobody wins ("abandoned").

    Refused "no-such-table", "match-over", and "nothing-counted" if there is no score to count.
    """
    asked = {"kind": "end", "round": round_number, "table": table, "how": how}
    event, known = events.locked(event_id, asked, step)
    if known:
        return
    match = _match(event, round_number, table)
    if match.status != Match.Status.PLAYING:
        raise Refused("match-over", _("This match is over already."))
    if how == "time" and not has_counted(match):
        raise Refused("nothing-counted", _("No hand is counted there yet. Type the result, or abandon the match."))
    stopped = ending_in_lists(match, step.now).stopped if how == "time" else how
    events.append(event, asked | {"ended": match.pk, "stopped": stopped}, step)
    steps.record(match, {"kind": "stop", "stopped": stopped}, f"{step.key}-stop", step)


@in_one_transaction
def next_match(*, event_id: int, round_number: int, table: int, step: Step) -> None:
    """Where several matches decide, begins another one in place of the last one of a table, which was abandoned.

    Refused "no-such-table", "no-next-match" if the table is decided, is in play, or a later round has begun, and as
    `matches.open_match`.
    """
    asked = {"kind": "next-match", "round": round_number, "table": table}
    event, known = events.locked(event_id, asked, step)
    if known:
        return
    snapshot = event_now(event)
    state = tournament_of(snapshot)
    try:
        series = series_at(snapshot, state, round_number, state.pairing_at(round_number, table))
    except Impossible as error:
        raise Refused(error.code, events.words_of(error)) from error
    pairing = next_by_hand(series) if series else None
    if pairing is None:
        raise Refused("no-next-match", _("No match can begin there: the table is decided, or still plays."))
    place = event.club.tables.get(number=table)
    opened = matches.open_at(place, pairing, event=event, round_number=round_number, by=step.by, now=step.now)
    events.append(event, asked | {"matches": [opened.pk]}, step)


@in_one_transaction
def reseat(
    *, event_id: int, round_number: int, entrants: Sequence[int], how: Truth | None, why: str, step: Step
) -> None:
    """Puts right that two entrants of a seated round sat at each other's places; one of them may have a bye. `how` says
    what is true of tables with entries; at the others, the people of the match change. `why` is the note that everybody
    can read. Who plays again has the time that the round has left, or all of it if none is left.

    Refused "not-in-the-round", "no-such-round", "absent-there" where somebody did not come, "choose-how" without `how`,
    "nothing-played" if there is nothing to play again, "no-note" if a match is over, and as `matches.open_match`.
    """
    why = storable.note(why)
    asked = {"kind": "reseat", "round": round_number, "entrants": list(entrants), "how": how, "why": why}
    storable.value(asked)
    event, known = events.locked(event_id, asked, step)
    if known:
        return
    swap = swap_of(event, round_number=round_number, entrants=entrants, how=how, why=why)
    tables = list(event.club.tables.select_for_update(no_key=True).filter(number__in=swap.drawn).order_by("pk"))
    swap = replace(swap, matches=[recording.locked(match.pk) for match in sorted(swap.matches, key=attrgetter("pk"))])
    _must_be_clear(swap, why)
    again, named = swap.again, swap.named
    snapshot = event_now(event)
    earlier = {match.pk for match in still_playing(snapshot.matches, round_number).values()}
    going = with_the_others(_clocks(snapshot, round_number), step.now)
    waiting = {match.table_id for match in swap.matches if match not in again and in_play(match)}
    ends = [match for match in again if match.table_id not in waiting]
    clocks = {match.table_id: going or _whole_time(swap.before, match, step.now) for match in ends}
    # The newest first: with it, nothing more begins at its table.
    ended = [match.pk for match in reversed(again) if exchanges.set_aside(match, why, step)]
    others = exchanges.instead(swap.before, entrants, swap.matches, snapshot.people)
    for match in named:
        exchanges.rename(match, others, why, step)
    for match in named:
        if match.table and match.status == Match.Status.PLAYING:
            sitting = [seat.player for seat in match.seats.select_related("player") if seat.player]
            seating.must_not_play_elsewhere(event, match.table, sitting, but=earlier)
    opened = [
        matches.open_at(
            table,
            swap.drawn[table.number],
            event=event,
            round_number=round_number,
            minutes=clock.minutes,
            clock_waits=clock.waits,
            after=earlier,
            by=step.by,
            now=step.now,
        )
        for table in tables
        if (clock := clocks.get(table.pk))
    ]
    done = {"named": [each.pk for each in named], "ended": ended, "matches": [match.pk for match in opened]}
    events.append(event, asked | done, step)


def _clocks(snapshot: EventNow, round_number: int) -> list[Clock]:
    """Those of the round's matches in play."""
    return [clock_of(match) for match in snapshot.matches if match.round == round_number and in_play(match)]


def _whole_time(state: Tournament, match: Match, now: datetime) -> Clock:
    """The clock of the match from its beginning, as every round of the tournament begins."""
    return Clock.waiting(now, match.minutes) if state.clock_waits else Clock(now, match.minutes)


def newest_round(event: Event, entrants: Sequence[int]) -> int:
    """The round of the newest tables of these entrants. Refused "not-together" if they are of different rounds, as in
    free play, where each table begins when its people are free."""
    state = tournament_in(event)
    rounds = {state.newest_round_of(each) for each in entrants}
    if len(rounds) > 1 or 0 in rounds:
        text = _(
            "These two cannot change places: their tables do not belong together. End their matches as abandoned, then"
            " make the right tables by hand."
        )
        raise Refused("not-together", text)
    return rounds.pop()


def swap_of(event: Event, *, round_number: int, entrants: Sequence[int], how: Truth | None, why: str) -> Swap:
    """What `reseat` would do, without doing it. Refused as that, but for what the matches themselves refuse."""
    if len(entrants) != 2:
        raise Refused("not-in-the-round", events.words_of(Impossible("not-in-the-round")))
    before = tournament_in(event)
    after = events.entered(before, {"kind": "reseat", "round": round_number, "entrants": list(entrants), "how": how})
    assert isinstance(after, Tournament)
    players = {player for entrant in entrants for player in before.entrants[entrant]}
    drawn = {each.table: each for each in after.rounds[round_number - 1].pairings if players & {*each.players}}
    if absent := [table for table in drawn if before.absent_at(round_number, table)]:
        text = _("Somebody did not come to table {n}. Take that back first.")
        raise Refused("absent-there", text.format(n=absent[0]))
    snapshot = event_now(event)
    matches = [match for table in drawn for match in _counting(snapshot, round_number, table)]
    swap = Swap(round_number, entrants, before, after, drawn, matches, how)
    _must_be_clear(swap, storable.note(why))
    return swap


def _must_be_clear(swap: Swap, why: str) -> None:
    """Refused "choose-how", "nothing-played" or "no-note"."""
    if swap.how is None and swap.begun:
        numbers = ", ".join(str(number) for number in sorted(match.table.number for match in swap.begun if match.table))
        text = ngettext(
            "There are entries at table {numbers}. Choose what is true of them.",
            "There are entries at tables {numbers}. Choose what is true of them.",
            len(swap.begun),
        )
        raise Refused("choose-how", text.format(numbers=numbers))
    if swap.how == "as-drawn" and not swap.begun:
        text = _("Nothing is entered at these tables. Ask the people to sit where they are drawn.")
        raise Refused("nothing-played", text)
    if not why and any(match.finished_at for match in swap.begun):
        raise no_note()


@in_one_transaction
def offer_no_show(*, event_id: int, minutes: int, step: Step) -> None:
    """Sets after how many minutes without an entry the desk offers a forfeit."""
    asked = {"kind": "no-show", "minutes": minutes}
    event, known = events.locked(event_id, asked, step)
    if not known:
        events.append(event, asked, step)


def _must_be_complete(event: Event, round_number: int, table: int, totals: Totals) -> None:
    """Refused "total-missing" if a side that came has no total."""
    absent = tournament_in(event).absent_at(round_number, table)
    if any(total is None and side not in absent for side, total in enumerate(totals)):
        raise Refused("total-missing", _("Enter the total of each side that came."))


def _counting(snapshot: EventNow, round_number: int, table: int) -> list[Match]:
    """The matches of a table that count: the newest, and where several decide, those before it."""
    *earlier, newest = snapshot.matches_at.get((round_number, table), [None])
    state = tournament_of(snapshot)
    several = has_series(state.setup_at(round_number, state.pairing_at(round_number, table)))
    before = [each for each in earlier if each and several and each.sheet["stopped"] != "abandoned"]
    return [*before, *([newest] if newest else [])]


def _match(event: Event, round_number: int, table: int, match_id: int | None = None) -> Match:
    """The newest match of a round at a table, or the one with this id, locked. Refused "no-such-table"."""
    played = event_now(event).matches_at.get((round_number, table), [])
    found = next((each for each in reversed(played) if match_id in (None, each.pk)), None)
    if found is None:
        raise Refused("no-such-table", _("This table does not exist in that round."))
    return recording.locked(found.pk)
