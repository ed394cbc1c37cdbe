"""A tournament from its archive (docs/tournament-day.md): from the tournament file and the records of its matches.

A worker makes it round by round, so that no table waits. Until it is complete nobody sees it; if it fails, nothing is
left.
"""

import json
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, Any
from zipfile import BadZipFile, ZipFile

from django.conf import settings
from django.utils.translation import gettext as _

import games
from games import GAMES, Game
from games.errors import GameError
from scorekeeper.access import Actor
from scorekeeper.events.rounds import Pairing, Round
from scorekeeper.events.tournament import About, by_seat
from scorekeeper.models import Club, Event, EventEntry, Job, LogEntry, Match, Table
from scorekeeper.selectors.tournaments import tournament_in
from scorekeeper.services import entrants, events, jobs, matches, recording, tournaments
from scorekeeper.services.changes import in_one_transaction
from scorekeeper.services.entrants import Named
from scorekeeper.services.errors import Refused
from scorekeeper.services.events import Step
from scorekeeper.standings.reading import Refused as BadFile
from scorekeeper.standings.reading import read_value
from scorekeeper.words import in_words

KIND = "tournament-import"
FILE, RECORDS = "tournament.json", "records.ndjson"
LARGEST = 200_000_000  # bytes of a member of the archive
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
    club, file = run.job.club, folder() / run.job.args["file"]
    assert club, "A tournament belongs to a club."
    _forget(club, f"import-{run.job.pk}-")  # of a try that was killed
    step = Step(Actor(user=run.job.by), f"import-{run.job.pk}-{run.job.tries}", 0, run.clock())
    with ExitStack() as undo:
        undo.callback(_forget, club, f"{step.key}-")
        with file.open("rb") as archive:
            found = read(archive)
        if not run.job.args.get("again"):
            _must_be_new(club, found)
        event = _begin(club, found, step)
        for number, played in enumerate(found.rounds, 1):
            run.progress(number - 1, len(found.rounds))
            _play(event.pk, number, played, found, step)
        _end(event.pk, found, run, step)
        undo.pop_all()
    file.unlink(missing_ok=True)


# --- what is in the archive --------------------------------------------------------------------------------
@dataclass(frozen=True)
class Archive:
    """A tournament file with one round robin, and the records of its matches by their ids."""

    file: Mapping[str, Any]
    setup: Mapping[str, Any]
    records: Mapping[str, Any] = field(default_factory=dict)

    @property
    def stage(self) -> Mapping[str, Any]:
        stage: Mapping[str, Any] = self.file["stages"][0]
        return stage

    @property
    def rounds(self) -> Sequence[Mapping[str, Any]]:
        rounds: Sequence[Mapping[str, Any]] = self.stage.get("rounds", ())
        return rounds

    @property
    def more(self) -> Mapping[str, Any]:
        """What this program adds to the file."""
        more: Mapping[str, Any] = self.file.get("scorekeeper", {})
        return more

    @property
    def numbers(self) -> Mapping[int, int]:
        """The start numbers here, by those in the file, which may have gaps."""
        return {each["id"]: number for number, each in enumerate(self.file["entrants"], 1)}


def read(archive: IO[bytes]) -> Archive:
    """An archive, or a tournament file alone. Refused "bad-archive" says what is wrong with it, and where."""
    try:
        with ZipFile(archive) as members:
            file = json.loads(_member(members, FILE))
            records = [json.loads(line) for line in _member(members, RECORDS).splitlines() if line.strip()]
    except BadZipFile:
        archive.seek(0)
        file, records = _json(archive.read(LARGEST)), []
    except (KeyError, ValueError, NotImplementedError, RuntimeError) as error:
        raise _bad(_("This is not an archive of a tournament: {reason}").format(reason=error)) from error
    try:
        read_value(file)
    except BadFile as error:
        text = _(error.template).format(**error.facts)
        raise _bad(f"{error.at}: {text}" if error.at else text) from error
    if len(file["stages"]) != 1 or file["stages"][0]["system"] != "round-robin":
        raise _bad(_("Only a tournament that is one round robin can be imported."))
    by_id = {str(each.get("meta", {}).get("id", "")): each for each in records if isinstance(each, dict)}
    return Archive(file, _setup(file), by_id)


def _member(archive: ZipFile, name: str) -> str:
    """KeyError if it is not there, ValueError if it is too large or no text."""
    if archive.getinfo(name).file_size > LARGEST:
        raise ValueError(name)
    return archive.read(name).decode()


def _json(content: bytes) -> Any:
    try:
        return json.loads(content)
    except ValueError as error:
        raise _bad(_("This is neither an archive nor a tournament file.")) from error


def _setup(file: Mapping[str, Any]) -> dict[str, Any]:
    """As in the file, or as its tables show. Refused "bad-archive" if this program cannot play like that."""
    stage, game = file["stages"][0], GAMES.get(file.get("game", ""))
    if game is None:
        raise _bad(_("This game does not exist."))
    known = file.get("scorekeeper", {}).get("setup")
    standings = {"worth": stage["worth"], "order": stage["order"]}
    standings |= {"minimum_played": stage.get("minimum_played", 0), "lots": stage.get("lots", "")}
    if isinstance(known, dict):
        return {**known, **standings, "game": game.slug, "options": file.get("options", {})}
    tables = [table for each in stage.get("rounds", ()) for table in each["tables"]]
    sides = [table["sides"] for table in tables] or [[[1], [2]]]
    partners = any(len(side) > 1 for each in sides for side in each)
    sizes = {len(each) for each in sides}
    names = {(2,): "heads", (3,): "triples", (4,): "fours", (3, 4): "mixed"}
    return {
        **standings,
        "game": game.slug,
        "options": file.get("options", {}),
        "minutes": None,
        "format": "partners" if partners else names.get(tuple(sorted(sizes)), ""),
        "size": max((len(each.get("players", ())) for each in file["entrants"]), default=1) or 1,
        "rounds": None,
        "double": False,
    }


def _bad(text: str) -> Refused:
    return Refused("bad-archive", text)


def _must_be_new(club: Club, found: Archive) -> None:
    """Refused "here-already" if the club has a tournament with this name and date, and as many entrants."""
    for event in club.events.filter(kind=Event.Kind.TOURNAMENT, name=found.file.get("name") or ""):
        state = tournament_in(event)
        if state.setup["date"] == found.setup.get("date") and len(state.entrants) == len(found.file["entrants"]):
            text = _("The club already has “{name}” with the same date and as many entrants.")
            raise Refused("here-already", text.format(name=event.name))


# --- making it ---------------------------------------------------------------------------------------------
@in_one_transaction
def _begin(club: Club, found: Archive, step: Step) -> Event:
    """The tournament with its entrants, seen by nobody."""
    setup = {**found.setup, "public": False}
    name = found.file.get("name") or _("Imported tournament")
    try:
        event = tournaments.start(club=club, name=name, setup=setup, step=_next(step, "setup", 0))
    except GameError as error:
        raise _bad(in_words(error)) from error
    named = [
        Named(
            tuple(each.get("players") or [each["name"]]),
            About(
                "" if each["name"] == " + ".join(each.get("players", ())) else each["name"],
                each.get("club") or "",
                each.get("rating"),
            ),
        )
        for each in found.file["entrants"]
    ]
    entrants.enter_named(event_id=event.pk, players=[], named=named, step=_next(step, "enter", event.length))
    return event


@in_one_transaction
def _play(event_id: int, number: int, played: Mapping[str, Any], found: Archive, step: Step) -> None:
    """A round: its draft, its matches, its forfeits."""
    event = Event.objects.select_for_update(no_key=True, of=("self",)).select_related("club").get(pk=event_id)
    step = _next(step, str(number), event.length)
    state = tournament_in(event)
    pairings, opened = [], []
    for index, table in enumerate(played["tables"], 1):
        record = found.records.get(str(table.get("match", "")))
        place = _table(event.club, table.get("table"), index, step)
        seated = [state.entrants[found.numbers[each]] for side in table["sides"] for each in side]
        size = state.setup["size"]
        players = by_seat(GAMES[state.setup["game"]], [player for each in seated for player in each[:size]])
        pairings.append(Pairing(place.number, state.setup["game"], state.setup["options"], None, tuple(players)))
        opened.append(_match(event, place, number, players, table, record, step))
    byes = [found.numbers[each["entrant"]] for each in played.get("unplayed", ()) if each["kind"] == "bye"]
    drawn = Round(tuple(pairings), tuple(player for entrant in byes for player in state.entrants[entrant]))
    events.append(event, {"kind": "draft", "round": drawn.as_json()}, _next(step, "draft", event.length))
    seat = {"kind": "seat", "matches": [match.pk for match in opened]}
    events.append(event, seat, _next(step, "seat", event.length))
    for pairing, table in zip(pairings, played["tables"], strict=True):
        if absent := table.get("absent"):
            entry = {"kind": "forfeit", "round": number, "table": pairing.table, "absent": absent, "matches": []}
            events.append(event, entry, _next(step, f"forfeit-{pairing.table}", event.length))


def _match(
    event: Event,
    table: Table,
    number: int,
    players: Sequence[int],
    sides: Mapping[str, Any],
    record: Mapping[str, Any] | None,
    step: Step,
) -> Match:
    """The match from its record, else from its totals; without either it was abandoned."""
    people = {each.pk: each for each in event.club.players.filter(pk__in=players)}
    names = [people[player].name for player in players]
    setup = tournament_in(event).setup
    game, options = GAMES[setup["game"]], setup["options"]
    try:
        if record:
            names, options = list(record["players"]), record.get("options", options)
            entries = games.entries(record)
        else:
            entries = [_result(game, sides, len(players))]
        start = games.Match.new(game.slug, options, names)
    except (GameError, KeyError, TypeError) as error:
        text = _("The record of round {number}, table {table} cannot be read.")
        raise _bad(text.format(number=number, table=table.number)) from error
    seats = [(name, events.guest(event.club, name, step.now)) for name in names]
    at = _date(record, step.now)
    match = Match(
        club=event.club,
        table=table,
        event=event,
        round=number,
        game=game.slug,
        options=dict(start.options),
        length=0,
        created_at=at,
    )
    matches.begin(match, start, seats, at)
    LogEntry.objects.bulk_create(
        LogEntry(
            match=match,
            seq=seq,
            kind=entry["kind"],
            payload=entry,
            user=step.by.user,
            at=at,
            key=f"{step.key}-{table.number}-{seq}",
        )
        for seq, entry in enumerate(entries)
    )
    recording.rebuild(match_id=match.pk)
    return match


def _result(game: Game[Any], table: Mapping[str, Any], players: int) -> dict[str, Any]:
    totals = table.get("totals")
    if not totals or None in totals:
        return {"kind": "stop", "stopped": "abandoned"}
    by_side = {seat: totals[side] for side, seats in enumerate(game.sides(players)) for seat in seats}
    return {"kind": "result", "totals": [by_side[seat] for seat in range(players)]}


@in_one_transaction
def _end(event_id: int, found: Archive, run: jobs.Run, step: Step) -> None:
    """What comes after the rounds; then everybody may see it. With it the job is done."""
    event = Event.objects.select_for_update(no_key=True, of=("self",)).select_related("club").get(pk=event_id)
    step = _next(step, "end", event.length)
    entries: list[dict[str, Any]] = []
    for number, each in enumerate(found.stage.get("penalties", ())):
        entrant = found.numbers[each["entrant"]]
        penalty = {name: each[name] for name in ("round", "points")}
        entries.append({"kind": "penalty", "entrant": entrant, "reason": each.get("reason", ""), **penalty})
        if each.get("cancelled"):
            entries.append({"kind": "cancel-penalty", "number": number, "reason": each.get("cancelled_because", "")})
    left = [found.numbers[each] for each in found.more.get("withdrawn", ()) if each in found.numbers]
    entries += [{"kind": "withdraw", "entrants": left}] if left else []
    entries.append({"kind": "setup", "name": event.name, **tournament_in(event).setup, "public": True})
    entries += [{"kind": "close", "open": None, "matches": []}] if found.more.get("closed") else []
    for number, entry in enumerate(entries):
        if entry["kind"] == "close":
            event.closed_at = step.now
        events.append(event, entry, _next(step, str(number), event.length))
    run.done(result=str(event.pk))


def _table(club: Club, number: object, index: int, step: Step) -> Table:
    wanted = number if isinstance(number, int) and 0 < number < 1000 else index
    return events.table_numbered(club, wanted, step.now)


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
    waiting = Job.objects.filter(kind=KIND, state__in=[Job.State.NEW, Job.State.RUNNING])
    wanted = {but.name, *(args["file"] for args in waiting.values_list("args", flat=True))}
    return [file for file in folder().glob("*") if file.name not in wanted]
