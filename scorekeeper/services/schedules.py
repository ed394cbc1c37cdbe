"""The steps of a tournament's directors that concern its schedule. A worker makes it, unless it is there at once."""

import random
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple

from django.utils.translation import get_language, ngettext, override
from django.utils.translation import gettext as _

from scorekeeper.access import Actor
from scorekeeper.events import Tournament
from scorekeeper.events.plan import (
    Clash,
    WishesClash,
    clash,
    listed_rounds,
    must_be_repairable,
    must_have_schedule,
    never_met,
    repairs,
    rounds_asked,
    rounds_of,
    schedules,
)
from scorekeeper.events.program import Entry
from scorekeeper.events.rounds import Impossible
from scorekeeper.events.setup import SWISS
from scorekeeper.live.precedence import give_way, giving_way
from scorekeeper.models import AuditEntry, Event, Job
from scorekeeper.schedule.late_acceptance import Progress
from scorekeeper.schedule.seating import FORMATS
from scorekeeper.selectors.events import EventNow, event_now
from scorekeeper.selectors.jobs import SCHEDULE, schedule_under_way
from scorekeeper.selectors.pairings import drawn_rounds, next_to_draw, tables_for, tables_not_over
from scorekeeper.selectors.schedules import hall
from scorekeeper.selectors.tournaments import entrant_name, tournament_in, tournament_of
from scorekeeper.selectors.wishes import CLASHES, Name, clash_words, wish_words
from scorekeeper.services import events, jobs
from scorekeeper.services.audit import note_in
from scorekeeper.services.changes import in_one_transaction
from scorekeeper.services.errors import Refused
from scorekeeper.services.events import Step
from scorekeeper.words import listed

KIND = SCHEDULE
AT_ONCE = 16  # entrants whose schedule is made within a request, if theory has it; a worker makes all others
SECONDS = 10.0  # a search takes at most, unless it reaches the best that there can be
FOR_EACH = 0.25  # seconds for each entrant: with few of them, a search soon has nothing left to find


def schedule(*, event: Event, rng: random.Random, step: Step) -> Job:
    """Makes the schedule of all rounds; in a Swiss tournament it draws the next one from the results, and drafts it. At
    once for up to 16 entrants if nothing has to be searched, else by a worker. In place of one that everybody can see,
    it is a proposal, as in `repair`. The same key again is the same schedule.

    Refused "too-few-entrants", "no-schedule" if none fits the number of entrants, "wishes-clash" if none can keep the
    wishes, "begun" after the first round is seated; in a Swiss tournament "round-not-over" while a result is missing
    or not settled, "no-more-rounds" once all are seated.
    """
    return _make(event, rng, step, Wanted(repair=False))


def repair(*, event: Event, rng: random.Random, step: Step, rounds: int | None = None) -> Job:
    """Looks for other rounds to come, for late entrants, leavers and wishes. They are a proposal: `take` or `drop` it.
    `rounds`: how many there are then, with the seated ones. Refused "nothing-planned", "no-more-rounds" if that is not
    more than now, else as `schedule`."""
    return _make(event, rng, step, Wanted(repair=True, rounds=rounds))


@in_one_transaction
def cancel(*, event: Event, job: int, step: Step) -> None:
    """Cancels the search with this job, and no newer one; nothing if it has ended. The audit page has it."""
    if _is_under_way(event, job, step) and jobs.cancel(job_id=job, now=step.now):
        note_in(event=event, kind=AuditEntry.Kind.SEARCH_CANCELLED, by=step.by.user, now=step.now)


@in_one_transaction
def keep(*, event: Event, job: int, step: Step) -> None:
    """Stops the search with this job, and keeps its best so far. As `cancel`."""
    if _is_under_way(event, job, step) and jobs.stop(job_id=job):
        note_in(event=event, kind=AuditEntry.Kind.SEARCH_STOPPED, by=step.by.user, now=step.now)


@in_one_transaction
def take(*, event_id: int, step: Step) -> None:
    """The proposed rounds become the plan. If all rounds were released, so are these. Refused "no-proposal"."""
    _append(event_id, {"kind": "take"}, step)


@in_one_transaction
def drop(*, event_id: int, step: Step) -> None:
    """Forgets the proposed rounds. Refused "no-proposal"."""
    _append(event_id, {"kind": "drop-proposal"}, step)


@in_one_transaction
def exchange(*, event_id: int, round_number: int, entrants: Sequence[int], step: Step) -> None:
    """Two entrants swap places in a round to come. Refused "round-over" or "not-in-the-round"."""
    if len(entrants) != 2:
        raise _refused(Impossible("not-in-the-round"))
    _append(event_id, {"kind": "exchange", "round": round_number, "entrants": list(entrants)}, step)


@in_one_transaction
def publish(*, event_id: int, step: Step) -> None:
    """Releases all rounds to come: everybody sees them. Refused "nothing-planned"."""
    _append(event_id, {"kind": "publish"}, step)


@in_one_transaction
def wish(*, event_id: int, wish: Mapping[str, Any], sure: bool = False, step: Step) -> None:
    """Adds a wish, written as `events.wishes.Wish.as_json` does. Refused "not-entered", "not-two", "leaves-first", or
    "no-such-round" for one that names a round after the last one; for a bye "not-to-be-drawn", and for a table that is
    settled before the draw also "other-size"; "settled-twice" for two wishes that cannot both be kept, "wishes-clash"
    for those that no schedule keeps. Of a round robin in which everybody meets "never-meet" for wishes that exclude it,
    unless the director is `sure`."""
    asked = {"kind": "wish", **wish}
    event, known = events.locked(event_id, asked, step)
    if known:
        return
    state = tournament_in(event)
    if any(map(state.in_tree, asked["entrants"])):
        raise _refused(Impossible("knock-out"))
    if asked["what"] in ("bye", "meet"):
        _must_be_for_a_round_to_draw(state, asked)
    snapshot = event_now(event)
    name = partial(entrant_name, snapshot)
    if asked["what"] == "meet":
        _must_be_settled_once(state, asked, name)
    _must_leave_settled_tables(state, asked, name)
    rounds = max(state.rounds_in_all(public=False), rounds_asked(state) or 0)
    if rounds and max(wish["first"], wish["last"] or 0) > rounds:
        text = ngettext("There is only {n} round.", "There are only {n} rounds. Enter that or less.", rounds)
        raise Refused("no-such-round", text.format(n=rounds))
    _must_be_kept_with_the_others(snapshot, asked, sure=sure)
    events.append(event, asked, step)


@in_one_transaction
def remove_wish(*, event_id: int, number: int, step: Step) -> None:
    """`number` counts the wishes from 0."""
    _append(event_id, {"kind": "remove-wish", "number": number}, step)


def work(run: jobs.Run) -> None:
    """Makes the schedule of the job, and makes it again if entrants came or left meanwhile."""
    with override(run.job.args["language"]):
        while not _made(run):
            pass


# --- their parts -------------------------------------------------------------------------------------------
def _is_under_way(event: Event, job: int, step: Step) -> bool:
    found = schedule_under_way(event, step.now)
    return found is not None and found.pk == job


class Wanted(NamedTuple):
    """All rounds anew, or other rounds to come (`repair`), up to this number of `rounds`."""

    repair: bool
    rounds: int | None = None


def _make(event: Event, rng: random.Random, step: Step, wanted: Wanted) -> Job:
    job = _ask(event, rng.randrange(2**32), step, wanted)
    if not job.args["sent"]:
        with giving_way():
            jobs.run(job.pk, {KIND: work})
    return job


@in_one_transaction
def _ask(event: Event, seed: int, step: Step, wanted: Wanted) -> Job:
    event = Event.objects.select_for_update(no_key=True, of=("self",)).select_related("club").get(pk=event.pk)
    asked = Job.objects.filter(kind=KIND, args__event=event.pk, args__key=step.key).first()
    if asked:
        return asked
    events.must_not_be_behind(event, step)
    snapshot = event_now(event)
    state = _to_be_scheduled(snapshot, wanted)
    if wanted.rounds is not None and wanted.rounds <= (now := len(state.rounds) + len(state.plan)):
        raise Refused("no-more-rounds", _("The schedule has {n} rounds already. Enter a larger number.").format(n=now))
    sent = len(state.taking_part) > AT_ONCE or not _is_there(_reports(snapshot, seed, wanted))
    args = {"event": event.pk, "wanted": wanted, "seed": seed, "key": step.key, "sent": sent}
    args["language"] = get_language()
    return jobs.start(kind=KIND, args=args, club=event.club, by=step.by.user, now=step.now, send=sent)


def _made(run: jobs.Run) -> bool:
    """Searches without a lock and saves the schedule; False if the tournament is no longer what it was made for."""
    args, wanted = run.job.args, Wanted(*run.job.args["wanted"])
    snapshot = event_now(Event.objects.select_related("club").get(pk=args["event"]))
    _to_be_scheduled(snapshot, wanted)
    for report in _reports(snapshot, args["seed"], wanted):
        if not run.goes_on(report.done, report.total, report.best.in_short):
            break
        give_way()
    rounds, state = report.best.rounds, tournament_of(snapshot)
    kind = "propose" if wanted.repair or state.published else "plan"
    if state.by_results:
        drawn, *later = rounds
        more = {"later": listed_rounds(later)} if later else {}
        return _saved(run, snapshot.event, rounds_of(kind, [drawn], at=tables_for(snapshot, drawn), **more))
    at = hall(snapshot)[: max(len(each.tables) for each in rounds)]
    return _saved(run, snapshot.event, rounds_of(kind, rounds, at=list(at)))


@in_one_transaction
def _saved(run: jobs.Run, event: Event, plan: Entry) -> bool:
    step = Step(Actor(user=run.job.by), run.job.args["key"], event.length, run.clock())
    now = Event.objects.select_for_update(no_key=True, of=("self",)).select_related("club").get(pk=event.pk)
    if now.length != event.length:
        return False
    state = tournament_in(now)
    if state.by_results and plan["kind"] == "plan":  # it can be played at once: everybody is free
        after = events.entered(state, plan)
        assert isinstance(after, Tournament)
        plan = {**plan, "round": after.next_round(event_now(now).free_tables).as_json()}
    events.append(now, plan, step)
    run.done()
    return True


def _reports(snapshot: EventNow, seed: int, wanted: Wanted) -> Iterator[Progress[Any]]:
    state = tournament_of(snapshot)
    seconds = min(SECONDS, FOR_EACH * len(state.taking_part))
    # Of processor time: a busy computer takes longer, and finds as good a schedule.
    means: dict[str, Any] = {"rng": random.Random(seed), "clock": time.thread_time, "seconds": seconds}
    if state.by_results:
        return drawn_rounds(snapshot, **means)
    search = partial(repairs, rounds=wanted.rounds) if wanted.repair else schedules
    return search(state, hall(snapshot), **means)


def _is_there(reports: Iterator[Progress[Any]]) -> bool:
    """Whether there is nothing to search: the first schedule is the best that there can be."""
    first = next(reports)
    return first.done == first.total


def _to_be_scheduled(snapshot: EventNow, wanted: Wanted) -> Tournament:
    """The tournament. Refused as `schedule` and `repair` if it cannot get one."""
    state = tournament_of(snapshot)
    if state.free_play:
        raise Refused(
            "free-play", _("In free play there is no schedule. On the desk, make tables of those who are free.")
        )
    lacking = sorted((field.fewest - len(field.taking_part), field.fewest) for field in state.fields)
    # A group of which too many have left does not stop the others.
    missing, fewest = lacking[0 if state.begun else -1]
    if missing > 0:
        text = ngettext(
            "A table needs {n} entrants: one more is missing. Enter them first.",
            "A table needs {n} entrants: {missing} more are missing. Enter them first.",
            missing,
        )
        raise Refused("too-few-entrants", text.format(n=fewest, missing=missing))
    if state.by_results:
        _must_be_drawable(snapshot)
    try:
        if wanted.repair and not state.by_results:
            must_be_repairable(state, hall(snapshot), wanted.rounds)
        elif not (state.by_results and state.begun):
            must_have_schedule(state, hall(snapshot))
    except WishesClash as error:
        raise _clashing(snapshot, error.clash) from error
    except Impossible as error:
        raise _refused(error) from error
    return state


def _must_be_for_a_round_to_draw(state: Tournament, asked: Mapping[str, Any]) -> None:
    """A bye may be for any round to come, a table only for the next one. Refused "not-to-be-drawn"."""
    number, next_round = asked["first"], state.next_to_draw
    drawn = all(state.stage.setup_with(entrant)["system"] == SWISS for entrant in asked["entrants"])
    if not drawn or not next_round or number < next_round or (asked["what"] == "meet" and number > next_round):
        text = _("This is for rounds of a Swiss tournament that have not begun. Choose one of those.")
        raise Refused("not-to-be-drawn", text)


def _must_be_settled_once(state: Tournament, asked: Mapping[str, Any], name: Name) -> None:
    """Refused "somebody-twice", "other-size" or "settled-twice"."""
    number, entrants = asked["first"], asked["entrants"]
    sizes = FORMATS[state.stage.setup_with(entrants[0])["format"]].sizes
    if len({*entrants}) < len(entrants):
        raise Refused("somebody-twice", _("Somebody is chosen twice. Choose each once."))
    if len(entrants) not in sizes:
        text = _("{n} entrants sit at a table here. Choose as many.")
        raise Refused("other-size", text.format(n=_(" or ").join(map(str, sizes))))
    away = {*state.withdrawn, *state.away(number)}
    if found := [name(each) for each in entrants if each in away]:
        text = _("{names}: no table in round {n}. Remove that wish first, or note on the desk who is back.")
        raise Refused("settled-twice", text.format(names=listed(found), n=number))
    _must_not_be_settled(entrants, state.settled(number), number, name)


def _must_leave_settled_tables(state: Tournament, asked: Mapping[str, Any], name: Name) -> None:
    """Refused "settled-twice" for a wish not to play in the next round by somebody whose table in it is settled."""
    number = state.next_to_draw
    after = events.entered(state, dict(asked))
    assert isinstance(after, Tournament)
    lost = {*state.settled(number)}.difference(after.settled(number))
    _must_not_be_settled(asked["entrants"], lost, number, name)


def _must_not_be_settled(entrants: Sequence[int], tables: Iterable[tuple[int, ...]], number: int, name: Name) -> None:
    """Refused "settled-twice" if one of the entrants sits at one of these tables of the round with this number."""
    settled = {each for table in tables for each in table}
    if found := [name(each) for each in entrants if each in settled]:
        text = _("{names}: a settled table in round {n} already. Remove that wish first.")
        raise Refused("settled-twice", text.format(names=listed(found), n=number))


def _must_be_kept_with_the_others(snapshot: EventNow, asked: Mapping[str, Any], *, sure: bool) -> None:
    """Refused "wishes-clash" or "never-meet" if that follows from this wish."""
    before = tournament_of(snapshot)
    after = events.entered(before, dict(asked))
    assert isinstance(after, Tournament)
    if before.by_results:
        _must_keep_their_tables(after, partial(entrant_name, snapshot))
        return
    then = replace(snapshot, state=after)
    if (found := clash(after, hall(then))) and not clash(before, hall(snapshot)):
        raise _clashing(then, found)
    if not sure and (wishes := next((those for those in never_met(after) if after.wishes[-1] in those), ())):
        text = _(
            "Everybody meets everybody in this round robin. With this wish that is not possible: {wishes} Keep them"
            " apart for fewer rounds, or remove a wish. If it is all right that some never meet, tick that, then save"
            " again."
        )
        said = " ".join(wish_words(each, partial(entrant_name, snapshot)) for each in wishes)
        raise Refused("never-meet", text.format(wishes=said))


def _must_keep_their_tables(state: Tournament, name: Name) -> None:
    """Refused "wishes-clash" if the newest wish, or a table that it settles, has others who always sit elsewhere or at
    the same table."""
    newest, number = state.wishes[-1], state.next_to_draw
    own = {wish.entrants[0]: wish.table for wish in state.wishes if wish.what == "table"}
    for table in state.settled(number):
        there = [each for each in table if each in own]
        if not {*table}.isdisjoint(newest.entrants) and len({own[each] for each in there}) > 1:
            text = _(
                "{names} have a settled table in round {n}, but sit at different ones. Remove one of these wishes."
            )
            raise Refused("wishes-clash", text.format(names=listed(list(map(name, there))), n=number))
    same = [each for each, table in own.items() if newest.what == "table" and table == newest.table]
    if len(same) > 1:
        raise Refused("wishes-clash", str(CLASHES["table-taken"]).format(names=listed(list(map(name, same)))))


def _clashing(snapshot: EventNow, found: Clash) -> Refused:
    why = clash_words(found, partial(entrant_name, snapshot))
    return Refused("wishes-clash", _("No schedule can keep all wishes. {why}").format(why=why))


def _must_be_drawable(snapshot: EventNow) -> None:
    """In a Swiss tournament. Refused "round-not-over", "no-more-rounds" or "too-few-entrants"."""
    state = tournament_of(snapshot)
    if waiting := tables_not_over(snapshot):
        text = ngettext(
            "The next round follows from the results. Table {tables} is not over, or its result is not settled.",
            "The next round follows from the results. Tables {tables} are not over, or their results are not settled.",
            len(waiting),
        )
        raise Refused("round-not-over", text.format(tables=listed([*map(str, waiting)])))
    if not next_to_draw(snapshot):
        text = _("All rounds are played. Close the tournament on its desk.")
        if SWISS in state.systems:
            text = _("All rounds are played. To play more, enter a larger number of rounds under Setup.")
        raise Refused("no-more-rounds", text)
    if len({*state.taking_part}.difference(state.away(state.next_to_draw))) < state.fewest:
        text = _(
            "A table needs {n} entrants. So many others asked for a bye in round {number} that no table is left. Remove"
            " one of these wishes first."
        )
        raise Refused("too-few-entrants", text.format(n=state.fewest, number=state.next_to_draw))


def _append(event_id: int, asked: Mapping[str, Any], step: Step) -> None:
    event, known = events.locked(event_id, asked, step)
    if not known:
        events.append(event, asked, step)


def _refused(error: Impossible) -> Refused:
    return Refused(error.code, events.words_of(error))
