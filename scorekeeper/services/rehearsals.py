"""Rehearsals of a tournament's day: a job that plays it in memory many times. Its row keeps what pages tell of it, and
nothing else is written. docs/rehearsal.md explains it."""

import random
from datetime import datetime
from typing import Any, NamedTuple

from django.utils.translation import get_language, override
from django.utils.translation import gettext as _

from scorekeeper.access import Actor
from scorekeeper.live.precedence import give_way
from scorekeeper.models import Event, Job
from scorekeeper.rehearsal.days import Rehearsal, rehearse
from scorekeeper.rehearsal.lengths import MINUTE, lengths
from scorekeeper.rehearsal.playing import Troubles
from scorekeeper.rehearsal.programme import programme
from scorekeeper.rehearsal.timetable import Conditions
from scorekeeper.rehearsal.writing import as_json, played_file
from scorekeeper.selectors.events import event_now
from scorekeeper.selectors.jobs import REHEARSAL
from scorekeeper.selectors.lengths import recorded_lengths
from scorekeeper.selectors.rehearsals import newest_rehearsal, rehearsal_file
from scorekeeper.selectors.tournaments import tournament_in, tournament_of
from scorekeeper.services import jobs
from scorekeeper.services.changes import in_one_transaction
from scorekeeper.services.errors import Refused
from scorekeeper.standings import reading
from scorekeeper.standings.calculation import calculate
from scorekeeper.standings.reading import read_value

KIND = REHEARSAL
DAYS = 200


class Wanted(NamedTuple):
    """What a director asks for. Times are in minutes, those of the day after midnight."""

    tables: int
    start: int
    pause: int
    late: int
    no_shows: int
    wrong: int
    disputed: int
    until: int | None = None


@in_one_transaction
def start(*, event: Event, wanted: Wanted, seed: int, by: Actor, now: datetime) -> Job:
    """Asks for a rehearsal. While one is waiting or running, that one. Refused "several-stages" where there are groups
    or finals."""
    event = Event.objects.select_for_update(no_key=True, of=("self",)).select_related("club").get(pk=event.pk)
    state = tournament_in(event)
    if state.groups or state.earlier:
        raise Refused("several-stages", _("Groups and finals cannot be rehearsed yet, only a tournament without them."))
    newest = newest_rehearsal(event)
    if newest and newest.state in (Job.State.NEW, Job.State.RUNNING):
        return newest
    args = {"event": event.pk, "wanted": wanted._asdict(), "seed": seed, "language": get_language()}
    return jobs.start(kind=KIND, args=args, club=event.club, by=by.user, now=now)


def cancel(*, event: Event, now: datetime) -> None:
    """Cancels the newest rehearsal, unless it has ended."""
    if newest := newest_rehearsal(event):
        jobs.cancel(job_id=newest.pk, now=now)


def work(run: jobs.Run) -> None:
    """Plays the days. Refused for a tournament that cannot be played, in the language of the director."""
    with override(run.job.args["language"]):
        try:
            run.done(best=_rehearsed(run))
        except reading.Refused as error:
            raise Refused(error.code, error.message) from error


def _rehearsed(run: jobs.Run) -> dict[str, Any]:
    wanted, seed = Wanted(**run.job.args["wanted"]), run.job.args["seed"]
    snapshot = event_now(Event.objects.select_related("club").get(pk=run.job.args["event"]))
    setup, file = tournament_of(snapshot).setup, rehearsal_file(snapshot)
    played = programme(file, None, random.Random(seed))
    given = lengths(setup["game"], recorded_lengths(setup["game"], setup["options"]))
    limit = setup["minutes"] and setup["minutes"] * MINUTE
    conditions = Conditions(wanted.tables, wanted.pause * MINUTE, limit, overlap=not played.by_results)
    troubles = Troubles(wanted.late, wanted.no_shows, wanted.wrong, wanted.disputed)
    found: Rehearsal | None = None
    for report in rehearse(played, given.sample, conditions, troubles, seed=seed, runs=DAYS):
        found = report.best
        run.progress(report.done, report.total)
        give_way()
    assert found is not None, "there is at least one day"
    after = played_file(file, found.day)
    until = None if wanted.until is None else (wanted.until - wanted.start) * MINUTE
    [stage] = calculate(read_value(after), stage=played.stage.name).stages
    return {
        **as_json(found, lengths=given, until=until),
        "played": after["stages"][0]["rounds"],
        "standings": [[row.place, row.entrant] for row in stage.rows],
    }
