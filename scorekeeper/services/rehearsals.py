"""Rehearsals of a tournament's day: a job that plays it in memory many times. Its row keeps what pages tell of it, and
nothing else is written. docs/rehearsal.md explains it."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from django.utils.translation import get_language, override
from django.utils.translation import gettext as _

from scorekeeper.access import Actor
from scorekeeper.events import Tournament
from scorekeeper.events.encounters import Form
from scorekeeper.live.precedence import give_way
from scorekeeper.models import Event, Job
from scorekeeper.rehearsal.days import Rehearsal, rehearse, until
from scorekeeper.rehearsal.finals import Rule, must_find_entrants
from scorekeeper.rehearsal.lengths import MINUTE, Boards, Lengths, lengths, meeting_lengths
from scorekeeper.rehearsal.phases import Plan, plan
from scorekeeper.rehearsal.playing import Board, Troubles
from scorekeeper.rehearsal.timetable import Conditions
from scorekeeper.rehearsal.writing import as_json, played_file
from scorekeeper.selectors import leagues
from scorekeeper.selectors.events import event_now, results_now
from scorekeeper.selectors.jobs import REHEARSAL
from scorekeeper.selectors.leagues import league_of
from scorekeeper.selectors.lengths import recorded_lengths
from scorekeeper.selectors.rehearsals import newest_rehearsal, rehearsal_file, stages_now
from scorekeeper.selectors.tournaments import tournament_in, tournament_of
from scorekeeper.services import jobs
from scorekeeper.services.changes import in_one_transaction
from scorekeeper.services.errors import Refused
from scorekeeper.standings import reading
from scorekeeper.standings.calculation import Calculated, calculate
from scorekeeper.standings.overall import Overall
from scorekeeper.standings.ranking import Standing
from scorekeeper.standings.reading import read_value
from scorekeeper.standings.tournament import Play, System

KIND = REHEARSAL
LEAGUE = Event.Kind.LEAGUE
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
    first: int = 0
    """How many of each group go on to a final; 0: none is played."""
    best: int = 0
    """How many of those who come next."""
    system: str = System.KNOCK_OUT
    """How the finals are played."""
    consolation: str = ""
    """How the others play a final, too; "" if they do not."""
    best_of: int = 1
    """In finals by knock-out: of how many matches at a table who wins most goes on."""


@in_one_transaction
def start(*, event: Event, wanted: Wanted, seed: int, by: Actor, now: datetime) -> Job:
    """Asks for a rehearsal. While one is waiting or running, that one. Refused "groups-not-drawn" while the groups of a
    tournament are to be drawn next, "too-many" if the groups are smaller than what should go on to the finals, and
    "too-few" if a final would not fill a table."""
    event = Event.objects.select_for_update(no_key=True, of=("self",)).select_related("club").get(pk=event.pk)
    if event.kind != LEAGUE:
        state = tournament_in(event)
        _must_have_its_groups(state)
        _must_have_its_finals(wanted, state)
    newest = newest_rehearsal(event)
    if newest and newest.state in (Job.State.NEW, Job.State.RUNNING):
        return newest
    args = {
        "event": event.pk,
        "length": event.length,
        "wanted": wanted._asdict(),
        "seed": seed,
        "language": get_language(),
    }
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
            raise _translated(error) from error


def _rehearsed(run: jobs.Run) -> dict[str, Any]:
    wanted, seed = Wanted(**run.job.args["wanted"]), run.job.args["seed"]
    event = Event.objects.select_related("club").get(pk=run.job.args["event"])
    file, played, given, limit, meeting = _of_league(event) if event.kind == LEAGUE else _of_tournament(event, wanted)
    overlap = not played.by_results
    conditions = Conditions(wanted.tables, wanted.pause * MINUTE, limit, overlap=overlap, meeting=meeting)
    troubles = Troubles(wanted.late, wanted.no_shows, wanted.wrong, wanted.disputed)
    end = None if wanted.until is None else (wanted.until - wanted.start) * MINUTE
    if end is not None:
        played = until(played, end, given.sample, conditions, troubles, seed=seed)
    found: Rehearsal | None = None
    for report in rehearse(played, given.sample, conditions, troubles, seed=seed, runs=DAYS):
        found = report.best
        run.progress(report.done, report.total)
        give_way()
    assert found is not None, "there is at least one day"
    after = played_file(file, found.day)
    numbers = {part.stage.name: found.day.number_of(at, 1) for at, part in enumerate(found.day.parts)}
    return {
        **as_json(found, lengths=given, until=end),
        "played": [
            {"stage": stage["name"], "first": numbers[stage["name"]], "rounds": stage["rounds"]}
            for stage in after["stages"]
            if stage["name"] in numbers
        ],
        "standings": [
            {"stage": name, "rows": [[row.place, row.entrant] for row in rows]}
            for name, rows in _standings(calculate(read_value(after)))
        ],
    }


def _standings(found: Calculated) -> list[tuple[str, Sequence[Overall | Standing]]]:
    """Those of all stages together; where places of the whole say nothing, those of each stage with its name."""
    return [("", found.overall)] if found.overall else [(each.results.stage.name, each.rows) for each in found.stages]


class _Asked(NamedTuple):
    """What is rehearsed, and how long matches last."""

    file: Mapping[str, Any]
    plan: Plan
    lengths: Lengths
    limit: int | None
    meeting: int = 0


def _of_tournament(event: Event, wanted: Wanted) -> _Asked:
    snapshot = event_now(event)
    state = tournament_of(snapshot)
    _must_have_its_groups(state)  # they can be given up while the job waits
    file: Mapping[str, Any] = rehearsal_file(snapshot)
    given, limit = _matches(state.setup)
    played = plan(file, stages_now(snapshot), rule=_rule(wanted, state), before=state.rounds_before)
    return _Asked(file, played, given, limit)


def _must_have_its_groups(state: Tournament) -> None:
    """Without them it would be another day: everybody meets everybody, and there are no finals."""
    if state.wants_groups:
        text = _("The groups are not drawn yet. Draw them first, then rehearse the day.")
        raise Refused("groups-not-drawn", text)


def _must_have_its_finals(wanted: Wanted, state: Tournament) -> None:
    if (rule := _rule(wanted, state)) is None:
        return
    sizes = [len(field.taking_part) for field in state.fields]
    try:
        must_find_entrants(rule, Play(state.setup["format"]), sizes)
    except reading.Refused as error:
        raise _translated(error) from error


def _translated(error: reading.Refused) -> Refused:
    return Refused(error.code, _(error.template).format(**error.facts))


def _of_league(event: Event) -> _Asked:
    """A day of teams, or of anybody else who meets by its fixtures."""
    snapshot = results_now(event)
    state, file = league_of(snapshot), leagues.rehearsal_file(snapshot)
    names = [stage["name"] for stage in file["stages"]]
    if state.form is None:
        return _Asked(file, plan(file, names), *_matches(state.setup))
    matches = [_lengths(board.game, board.setting.options) for board in state.form.boards]
    samples = [_cut(each, board.setting.minutes) for each, board in zip(matches, state.form.boards, strict=True)]
    parts = [Boards(tuple(samples[number - 1] for number in state.form.boards_of(part))) for part in state.form.parts]
    given = meeting_lengths(parts, min(each.recorded for each in matches))
    return _Asked(file, plan(file, names, boards=_boards(state.form)), given, None, state.form.tables)


def _boards(form: Form) -> list[Board]:
    """What each is worth in the totals of the file."""
    worth = (board.worth for board in form.boards)
    return [Board(int(each.win * form.scale), int(each.loss * form.scale)) for each in worth]


def _matches(setup: Mapping[str, Any]) -> tuple[Lengths, int | None]:
    """How long they last, and their time limit."""
    return _lengths(setup["game"], setup["options"]), setup["minutes"] and setup["minutes"] * MINUTE


def _lengths(game: str, options: Mapping[str, Any]) -> Lengths:
    return lengths(game, recorded_lengths(game, options))


def _cut(given: Lengths, minutes: int | None) -> tuple[int, ...]:
    return tuple(each if minutes is None else min(each, minutes * MINUTE) for each in given.sample)


def _rule(wanted: Wanted, state: Tournament) -> Rule | None:
    if not state.groups or state.earlier:
        return None
    if not wanted.first:
        if wanted.best or wanted.consolation:
            text = _(
                "No finals are rehearsed if 0 of each group go on. Let 1 or more go on, or also 0 of those who come"
                " next, without a consolation final."
            )
            raise Refused("too-few", text)
        return None
    return Rule(
        wanted.first,
        wanted.best,
        System(wanted.system),
        System(wanted.consolation) if wanted.consolation else None,
        wanted.best_of,
        (_("Final"), _("Consolation final")),
        state.withdrawn,
    )
