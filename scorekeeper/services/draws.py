"""Draws the next round: a job that reads, searches without any lock, and saves the result as the draft."""

import random
from collections.abc import Sequence
from dataclasses import replace

from django.utils.translation import get_language, ngettext, override
from django.utils.translation import gettext as _

from games import GAMES
from games.solver import can_solve
from scorekeeper.access import Actor
from scorekeeper.events.night import Wish, mixed, tables_of
from scorekeeper.events.rounds import Round
from scorekeeper.live.precedence import give_way, giving_way
from scorekeeper.models import Event, Job, Player
from scorekeeper.selectors.events import EventNow, event_now, settings_of
from scorekeeper.selectors.jobs import DRAW
from scorekeeper.services import events, jobs
from scorekeeper.services.changes import in_one_transaction
from scorekeeper.services.errors import Refused
from scorekeeper.services.events import Step

KIND = DRAW
AT_ONCE = 24  # people who can be drawn within a request; a worker draws more


def draw(*, event: Event, wishes: Sequence[Wish], rng: random.Random, step: Step) -> Job:
    """Draws tables for everybody who is free, as a draft that only hosts see: at once for up to 24 people, else by a
    worker. The same key again is the same draw.

    Refused "too-few" if the people do not fill one table. Behind if somebody else made a step that the host has not
    seen, except who came, who left and how a game is played: the draft shows that.
    """
    job = _ask(event, wishes, rng.randrange(2**32), step)
    if job.args["people"] <= AT_ONCE:
        with giving_way():
            jobs.run(job.pk, {KIND: work})
    return job


def work(run: jobs.Run) -> None:
    """Draws the job's round. Draws again if meanwhile people came, left, sat down or got up, or the settings of a game
    changed. Behind after any other change: then the host looks first. Refusals are in the language of the host."""
    with override(run.job.args["language"]):
        _draw(run)


def _draw(run: jobs.Run) -> None:
    args = run.job.args
    wishes = [Wish(GAMES[game], tables) for game, tables in args["wishes"]]
    step = Step(Actor(user=run.job.by), args["key"], args["seen"], run.clock())
    while True:
        snapshot = event_now(Event.objects.select_related("club").get(pk=args["event"]))
        _must_fill_a_table(snapshot.free, wishes)
        rng = random.Random(args["seed"])
        for report in mixed(snapshot.free, snapshot.free_tables, wishes, settings_of(snapshot), snapshot.history, rng):
            run.progress(report.done, report.total)
            give_way()
        if _saved(run, snapshot, report.best, step):
            return


@in_one_transaction
def _saved(run: jobs.Run, snapshot: EventNow, drawn: Round, step: Step) -> bool:
    """Saves the round as the draft and ends the job; False if it was drawn from what is no longer so."""
    event = Event.objects.select_for_update(no_key=True).get(pk=snapshot.event.pk)
    events.must_not_be_behind(event, step, but=snapshot.state.INDEPENDENT)
    if _drawn_from(event_now(event, snapshot)) != _drawn_from(snapshot):
        return False
    events.draft(
        event_id=event.pk,
        drawn=drawn,
        came=snapshot.unticked,
        asked={"wishes": run.job.args["wishes"]},
        step=replace(step, seen=event.length),
    )
    run.done()
    return True


def _drawn_from(snapshot: EventNow) -> tuple[object, ...]:
    """All that a draw depends on and that may change while it searches."""
    return snapshot.event.length, snapshot.free, snapshot.free_tables


@in_one_transaction
def _ask(event: Event, wishes: Sequence[Wish], seed: int, step: Step) -> Job:
    event = Event.objects.select_for_update(no_key=True, of=("self",)).select_related("club").get(pk=event.pk)
    asked = Job.objects.filter(kind=KIND, args__event=event.pk, args__key=step.key).first()
    called = [[wish.game.slug, wish.tables] for wish in wishes]
    if asked and asked.args["wishes"] != called:
        raise Refused("key-used", _("This page is too old. Reload it and try again."))
    if asked:
        return asked
    now = event_now(event)
    events.must_not_be_behind(event, step, but=now.state.INDEPENDENT)
    free = now.free
    _must_fill_a_table(free, wishes)
    args = {
        "event": event.pk,
        "wishes": called,
        "people": len(free),
        "seed": seed,
        "key": step.key,
        "seen": step.seen,
        "language": get_language(),
    }
    sent = len(free) > AT_ONCE
    return jobs.start(kind=KIND, args=args, club=event.club, by=step.by.user, now=step.now, send=sent)


def _must_fill_a_table(free: Sequence[int], wishes: Sequence[Wish]) -> None:
    if not tables_of(wishes, len(free)):
        text = ngettext(
            "Too few people are free for a table: {n} is here and not playing.",
            "Too few people are free for a table: {n} are here and not playing.",
            len(free),
        )
        with_one_more = tables_of(wishes, len(free) + 1)
        can_fill = any(can_solve(wish.game, shape.seats) for wish, shape in with_one_more)
        is_here = Player.objects.filter(pk__in=free, program=True).exists()
        nestor = _("Nestor can fill a seat.") if can_fill and not is_here else ""
        raise Refused("too-few", f"{text.format(n=len(free))} {nestor}".rstrip())
