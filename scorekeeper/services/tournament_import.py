"""A tournament from its archive (docs/tournament-day.md): from the tournament file and the records of its matches.

A worker makes it round by round, so that no table waits. Until it is complete nobody sees it; if it fails, nothing is
left.
"""

from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace
from datetime import UTC, datetime
from functools import reduce
from itertools import count
from pathlib import Path
from typing import Any

from django.conf import settings
from django.utils.translation import gettext as _

import games
from games import GAMES, Game
from games.errors import GameError
from scorekeeper.access import Actor
from scorekeeper.events import Tournament
from scorekeeper.events.groups import Group
from scorekeeper.events.records import About
from scorekeeper.events.rounds import Pairing, Round
from scorekeeper.events.setup import by_seat
from scorekeeper.models import Club, Event, EventEntry, Job, LogEntry, Match, Player, Table
from scorekeeper.selectors.events import event_now
from scorekeeper.selectors.tournaments import tournament_file, tournament_in
from scorekeeper.services import entrants, events, jobs, recording, results, seating, tournaments
from scorekeeper.services.changes import in_one_transaction
from scorekeeper.services.entrants import Named
from scorekeeper.services.errors import Refused
from scorekeeper.services.events import Step
from scorekeeper.services.tournament_reading import MOST_TABLES, Archive, BadArchive, Part, read_archive
from scorekeeper.standings import tournament as standings
from scorekeeper.standings.calculation import calculate
from scorekeeper.standings.exact import as_json
from scorekeeper.standings.reading import Refused as BadFile
from scorekeeper.standings.reading import read_value

KIND = "tournament-import"
GOING = [Job.State.NEW, Job.State.RUNNING]
NOON = {"hour": 12, "minute": 0, "second": 0, "microsecond": 0}


def folder() -> Path:
    return Path(settings.DATA) / "imports"


@in_one_transaction
def start(*, club: Club, file: Path, again: bool = False, by: Actor, now: datetime) -> Job:
    """Starts the import of an archive in `folder`, with `again` also of a tournament that the club has. Returns the
    job."""
    for left in _stray(but=file):
        left.unlink(missing_ok=True)
    return jobs.start(kind=KIND, args={"file": file.name, "again": again}, club=club, by=by.user, now=now)


def newest(club: Club) -> Job | None:
    """One query."""
    return Job.objects.filter(kind=KIND, club=club).order_by("-pk").first()


def work(run: jobs.Run) -> None:
    """Makes the tournament of the job. The result of the job is its id."""
    file = folder() / run.job.args["file"]
    try:
        _make(run, file)
    except (Refused, jobs.Cancelled):  # no other try needs it
        file.unlink(missing_ok=True)
        raise
    file.unlink(missing_ok=True)


def forget_files(club: Club) -> None:
    """Removes the archives of imports that have ended, whatever ended them."""
    ended = Job.objects.filter(kind=KIND, club=club).exclude(state__in=GOING)
    for args in ended.values_list("args", flat=True):
        (folder() / args["file"]).unlink(missing_ok=True)


def _make(run: jobs.Run, file: Path) -> None:
    club = run.job.club
    assert club, "A tournament belongs to a club."
    _forget(club, f"import-{run.job.pk}-")  # of a try that was killed
    step = Step(Actor(user=run.job.by), f"import-{run.job.pk}-{run.job.tries}", 0, run.clock())
    with ExitStack() as undo:
        undo.callback(_forget, club, f"{step.key}-")
        with file.open("rb") as archive:
            found = read_archive(archive)
        if not run.job.args.get("again"):
            _must_be_new(club, found)
        event = _begin(club, found, step)
        for at, part in enumerate(found.parts):
            _note(event.pk, _opening(found, part), _next(step, f"part-{at}", 0))
            for number in range(part.before + 1, part.before + len(part.rounds) + 1):
                run.progress(number - 1, len(found.rounds))
                _play(event.pk, number, found, step)
            _note(event.pk, _between_equals(part), _next(step, f"equals-{at}", 0))
        run.progress(len(found.rounds), len(found.rounds))
        _decide(event.pk, found, step)
        _must_stand_as_before(event, found)
        _end(event.pk, found, run, step)
        undo.pop_all()


# --- making it ---------------------------------------------------------------------------------------------
def _must_be_new(club: Club, found: Archive) -> None:
    """Refused "here-already" if the club has a tournament with this name and date, and as many entrants."""
    for event in club.events.filter(kind=Event.Kind.TOURNAMENT, name=found.file.name):
        state = tournament_in(event)
        if state.setup["date"] == found.setup["date"] and len(state.entrants) == len(found.file.entrants):
            text = _("The club already has “{name}” with the same date and as many entrants.")
            raise Refused("here-already", text.format(name=event.name))


@in_one_transaction
def _begin(club: Club, found: Archive, step: Step) -> Event:
    """The tournament with its entrants, seen by nobody."""
    name = found.file.name or _("Imported tournament")
    event = tournaments.start(
        club=club, name=name, setup={**found.parts[0].setup, "public": False}, step=_next(step, "setup", 0)
    )
    named = {
        number: Named(
            each.players or (each.name,),
            About("" if each.name == " + ".join(each.players) else each.name, each.club or "", each.rating),
        )
        for number, each in found.file.entrants.items()
    }
    entrants.enter_named(
        event_id=event.pk,
        players=[],
        named=list(named.values()),
        numbers=list(named),
        step=_next(step, "enter", event.length),
    )
    return event


@in_one_transaction
def _note(event_id: int, entries: Sequence[Mapping[str, Any]], step: Step) -> None:
    _append(_locked(event_id), entries, step)


def _opening(found: Archive, part: Part) -> list[dict[str, Any]]:
    """With what a part begins: its groups, or the seeds of a knock-out. Whoever is not in the first part left before
    it began."""
    groups = [Group(each.name, tuple(each.stage.entrants), each.own).as_json() for each in part.groups]
    if part is not found.parts[0]:
        carried = [[entrant, as_json(points)] for entrant, points in part.carried.items()]
        return [{"kind": "stage", "groups": groups, "setup": {**part.setup, "public": False}, "carried": carried}]
    here = part.entrants
    gone = [entrant for entrant in found.file.entrants if entrant not in here]
    entries: list[dict[str, Any]] = [{"kind": "withdraw", "entrants": gone}] if gone else []
    if len(groups) > 1:
        return [*entries, {"kind": "group", "groups": groups}]
    knock_out = part.groups[0].stage.system is standings.System.KNOCK_OUT
    return [*entries, *([{"kind": "seeds", "entrants": here}] if knock_out else [])]


def _between_equals(part: Part) -> list[dict[str, Any]]:
    """What was decided between equal entrants."""
    manual = [{"kind": "manual", "entrants": part.manual}] if part.manual else []
    return [*manual, *({"kind": "advance", **each} for each in part.advances)]


@in_one_transaction
def _play(event_id: int, number: int, found: Archive, step: Step) -> None:
    """A round: its draft, its matches, its forfeits."""
    event = _locked(event_id)
    step = _next(step, str(number), event.length)
    state = tournament_in(event)
    played, written = found.rounds[number - 1].round, found.rounds[number - 1].tables
    numbers = _numbers(written)
    pairings = [_pairing(state, table, at) for table, at in zip(played.tables, numbers, strict=True)]
    byes = [entrant for entrant, kind in played.unplayed.items() if kind is standings.Kind.BYE]
    drawn = Round(tuple(pairings), tuple(player for entrant in byes for player in state.entrants[entrant]))
    places = {table.number: table for table in event.club.tables.filter(number__in=[each.table for each in pairings])}
    people = event.club.players.in_bulk(drawn.players)
    opened = []
    for at, (pairing, table) in enumerate(zip(pairings, played.tables, strict=True)):
        place = places.get(pairing.table) or events.table_numbered(event.club, pairing.table, step.now)
        several = written[at].get("best_of", state.best_of(number, pairing)) > 1
        matches = _matches(table, written[at]) if several else [(table, written[at].get("match", ""))]
        answers = found.answers.get((number, pairing.table), ())
        try:
            for which, (match, name) in enumerate(matches, 1):
                said = answers if which == len(matches) else ()
                record, sat = found.records.get(str(name)), _pairing(state, match, pairing.table)
                opened.append(_match(event, place, number, sat, people, match, record, said, step))
        except (GameError, LookupError, TypeError) as error:
            text = _("The record of round {number}, table {table} cannot be read.")
            raise BadArchive(text.format(number=number, table=place.number)) from error
    forfeits = [
        {"kind": "forfeit", "round": number, "table": pairing.table, "absent": sorted(table.absent), "matches": []}
        for pairing, table in zip(pairings, played.tables, strict=True)
        if table.absent
    ]
    draft = {"kind": "draft", "round": drawn.as_json()}
    asked = [entrant for entrant, kind in played.unplayed.items() if kind is standings.Kind.ASKED]
    seat: dict[str, Any] = {"kind": "seat", "matches": [match.pk for match in opened]}
    finals = [pairing.table for pairing, each in zip(pairings, written, strict=True) if "best_of" in each]
    seat |= {"finals": finals} if finals else {}
    seat |= ({"asked": asked} if asked else {}) | ({"whole": True} if state.free_play else {})
    _append(event, [draft, seat, *forfeits], step)


def _matches(table: standings.Table, written: Mapping[str, Any]) -> list[tuple[standings.Table, object]]:
    """The matches of a table at which several decide, each as a table, with its name among the records. One that was
    abandoned is the last."""
    played = [
        (
            replace(table, sides=tuple(map(tuple, each["sides"])), totals=_whole(each), absent=frozenset()),
            each.get("match"),
        )
        for each in written.get("matches", ())
    ]
    abandoned = (replace(table, totals=None), "")
    return [*played, *([abandoned] if table.abandoned or not played else [])]


def _whole(match: Mapping[str, Any]) -> tuple[int | None, ...] | None:
    return tuple(match["totals"]) if match.get("totals") else None


def _numbers(tables: Sequence[Mapping[str, Any]]) -> list[int]:
    """The numbers of the tables of a round: those in the file as far as they are numbers, each once; for the other
    tables the next ones."""
    numbers: list[int | None] = []
    for table in tables:
        number = table.get("table")
        usable = type(number) is int and 0 < number <= MOST_TABLES and number not in numbers
        numbers.append(number if usable else None)
    others = (number for number in count(1) if number not in numbers)
    return [number or next(others) for number in numbers]


def _pairing(state: Tournament, table: standings.Table, number: int) -> Pairing:
    setup = state.setup
    seated = [player for side in table.sides for each in side for player in state.entrants[each][: setup["size"]]]
    players = by_seat(GAMES[setup["game"]], seated)
    return Pairing(number, setup["game"], setup["options"], None, players)


def _match(
    event: Event,
    place: Table,
    number: int,
    pairing: Pairing,
    people: Mapping[int, Player],
    table: standings.Table,
    record: Mapping[str, Any] | None,
    answers: Sequence[Mapping[str, Any]],
    step: Step,
) -> Match:
    """The match from its record, else from its totals; without either it was abandoned. Then the players' `answers`.
    Raises GameError, LookupError or TypeError for a record that cannot be read."""
    game, options = GAMES[pairing.game], pairing.options
    there = {people[player].name: people[player] for player in pairing.players}
    names = list(there)
    if record:
        names, options = list(record["players"]), record.get("options", options)
        entries = games.entries(record)
    else:
        entries = [_result(game, table, len(names))]
    entries += map(dict, answers)
    start = games.Match.new(game.slug, options, names)
    after = reduce(games.Match.enter, entries, start)
    if others := [name for name in names if name not in there]:
        there |= zip(others, events.guests_named(event.club, others, step), strict=True)
    at = _date(record, step.now)
    match = Match(
        club=event.club,
        table=place,
        event=event,
        round=number,
        game=game.slug,
        options=dict(start.options),
        length=len(entries),
        created_at=at,
    )
    recording.begin(match, after, [(name, there[name]) for name in names], at)
    LogEntry.objects.bulk_create(
        LogEntry(
            match=match,
            seq=seq,
            kind=entry["kind"],
            payload=entry,
            user=step.by.user,
            at=at,
            key=f"{step.key}-{place.number}-{seq}",
        )
        for seq, entry in enumerate(entries)
    )
    seating.keep(match, after, at)
    results.keep(match, after, now=at)
    return match


def _result(game: Game[Any], table: standings.Table, players: int) -> dict[str, Any]:
    """The totals as they were typed. Sides that did not come where others played have the worst one."""
    came = [total for total in table.totals or () if total is not None]
    if len(table.sides) - len(table.absent) < 2 or not came:
        return {"kind": "stop", "stopped": "abandoned"}
    worst = max(came) if game.lower_wins else min(came)
    totals = [worst if total is None else total for total in table.totals or ()]
    by_seat = {seat: totals[side] for side, seats in enumerate(game.sides(players)) for seat in seats}
    return {"kind": "result", "totals": [by_seat[seat] for seat in range(players)]}


@in_one_transaction
def _decide(event_id: int, found: Archive, step: Step) -> None:
    """What directors decided: penalties, corrections, who has left, categories, wishes, rounds to come."""
    event = _locked(event_id)
    entries: list[dict[str, Any]] = []
    penalties = ((part.before, each) for part in found.parts for each in part.penalties)
    for number, (before, each) in enumerate(penalties):
        penalty = {"entrant": each["entrant"], "round": before + each["round"], "points": each["points"]}
        entries.append({"kind": "penalty", **penalty, "reason": each.get("reason", "")})
        if each.get("cancelled"):
            entries.append({"kind": "cancel-penalty", "number": number, "reason": each.get("cancelled_because", "")})
    entries += [{"kind": "corrections", "noted": [each.as_json() for each in found.noted]}] if found.noted else []
    first = found.parts[0].entrants
    gone = [entrant for entrant in found.withdrawn if entrant in first]
    entries += [{"kind": "withdraw", "entrants": gone}] if gone else []
    entries += [{"kind": "rest", "entrants": list(found.resting)}] if found.resting else []
    entries += [{"kind": "category", "number": None, **each} for each in found.categories]
    entries += [{"kind": "wish", **each} for each in found.wishes]
    entries += [{"kind": "plan", **found.released}, {"kind": "publish"}] if found.released else []
    entries += [{"kind": "plan", **found.plan}] if found.plan != found.released else []
    _append(event, entries, _next(step, "decided", event.length))


@in_one_transaction
def _end(event_id: int, found: Archive, run: jobs.Run, step: Step) -> None:
    """From now on those may see it who could before, and it is over if it was. With it the job is done."""
    event = _locked(event_id)
    entries: list[dict[str, Any]] = [{"kind": "setup", "name": event.name, **found.setup}]
    entries += [{"kind": "close", "open": None, "matches": []}] if found.closed else []
    event.closed_at = step.now if found.closed else None
    _append(event, entries, _next(step, "end", event.length))
    run.done(result=str(event.pk))


def _must_stand_as_before(event: Event, found: Archive) -> None:
    """Refused "bad-archive" if the standings here are not those of the file."""
    asked = _standings(found.file)
    try:
        here = _standings(read_value(tournament_file(event_now(event))))
    except BadFile:
        here = {}  # somebody sits at two tables
    for (stage, number), standing in asked.items():
        if here.get((stage, number)) != standing:
            text = _("{name} would not stand here as in the file. Perhaps a record belongs to another table.")
            raise BadArchive(text.format(name=found.file.entrants[number].name), f"stages[{stage}]")


def _standings(file: standings.Tournament) -> dict[tuple[int, int], tuple[object, ...]]:
    """By the number of the stage, from 0, and the entrant: the place, and what decides it."""
    return {
        (at, row.entrant): (row.place, row.out, {name: value.value for name, value in row.values.items()})
        for at, stage in enumerate(calculate(file).stages)
        for row in stage.rows
    }


def _locked(event_id: int) -> Event:
    return Event.objects.select_for_update(no_key=True, of=("self",)).select_related("club").get(pk=event_id)


def _append(event: Event, entries: Sequence[Mapping[str, Any]], step: Step) -> None:
    events.append_all(event, {f"{step.key}-{number}": entry for number, entry in enumerate(entries)}, step)


def _date(record: Mapping[str, Any] | None, now: datetime) -> datetime:
    """Noon of the day in the record; now if there is none."""
    text = (record or {}).get("meta", {}).get("date", "")
    try:
        return min(datetime.fromisoformat(text).replace(**NOON, tzinfo=UTC), now)
    except (TypeError, ValueError):
        return now


def _next(step: Step, name: str, seen: int) -> Step:
    return Step(step.by, f"{step.key}-{name}", seen, step.now)


@in_one_transaction
def _forget(club: Club, key: str) -> None:
    """Removes what a try that failed has made."""
    for event in club.events.filter(log__seq=0, log__key__startswith=key):
        LogEntry.objects.filter(match__event=event).delete()
        event.matches.all().delete()
        EventEntry.objects.filter(event=event).delete()
        event.delete()


def _stray(but: Path) -> list[Path]:
    """Uploaded archives whose job has ended."""
    waiting = Job.objects.filter(kind=KIND, state__in=GOING)
    wanted = {but.name, *(args["file"] for args in waiting.values_list("args", flat=True))}
    return [file for file in folder().glob("*") if file.name not in wanted]
