"""Archives: a ZIP file with all matches of a club or of one night, as records and as a table of results."""

import csv
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from io import SEEK_END, StringIO, TextIOWrapper
from pathlib import Path
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile

from django.db.models import QuerySet
from django.utils.timezone import localdate

from games import GAMES
from scorekeeper.models import Club, Event, Job, Match, User
from scorekeeper.selectors.events import event_now
from scorekeeper.selectors.matches import record_of
from scorekeeper.selectors.tournament_exports import file_for_directors
from scorekeeper.services import files, jobs
from scorekeeper.services.changes import in_one_transaction

KIND = "archive"
COLUMNS = ("match", "date", "game", "table", "seat", "player", "points", "won", "status", "substitutes", "unverified")
BYTE_ORDER_MARK = "\ufeff"
FORMULA = ("=", "+", "-", "@", "\t", "\r")
AT_ONCE = 100  # matches read together, so that memory does not grow with their number


@in_one_transaction
def start(*, club: Club, by: User | None, now: datetime, night: Event | None = None) -> Job:
    """Starts an archive of the club's matches, or of one night. Returns the job that is already running, if any."""
    Club.objects.select_for_update(no_key=True).get(pk=club.pk)
    args = {"night": night.pk} if night else {}
    going = Job.objects.filter(
        club=club, kind=KIND, args=args, state__in=[Job.State.NEW, Job.State.RUNNING], cancel_asked=False
    )
    return going.first() or jobs.start(kind=KIND, args=args, club=club, by=by, now=now)


def night_of(job: Job) -> Event | None:
    """The night of the archive; None if it is of the whole club. One query at most."""
    return job.club.events.get(pk=job.args["night"]) if job.club and "night" in job.args else None


Row = Sequence[object]
Tables = Callable[[Event], Mapping[str, Iterable[Row]]]
"""The tables of a tournament, by the names of their files."""


def write(run: jobs.Run, *, tables: Tables) -> None:
    """Writes the job's archive."""
    job, night, club = run.job, night_of(run.job), run.job.club
    assert club, "An archive belongs to a club."
    of = files.stem_of(night) if night else f"{club.slug}-{localdate(job.made_at):%Y-%m-%d}"
    result = f"{of}-{job.pk}.zip"
    with files.making(run, result) as folder:
        _fill(folder, result, night.matches.all() if night else club.matches.all(), run)
        if night and night.kind == Event.Kind.TOURNAMENT:
            with ZipFile(folder / result, "a", ZIP_DEFLATED) as archive:
                file = file_for_directors(event_now(night))
                archive.writestr("tournament.json", json.dumps(file, ensure_ascii=False, indent=1))
                for name, rows in tables(night).items():
                    archive.writestr(name, csv_of(rows))


def _fill(folder: Path, result: str, matches: QuerySet[Match], run: jobs.Run) -> None:
    total = matches.count()
    run.progress(0, total)
    table = folder / "matches.csv"
    with ZipFile(folder / result, "w", ZIP_DEFLATED) as archive:
        # One pass: a ZIP takes one member at a time, so the table of results goes to a file of its own first.
        with (
            archive.open("records.ndjson", "w", force_zip64=True) as records,
            table.open("w", encoding="utf-8-sig", newline="") as rows,
        ):
            results = csv.writer(rows)
            results.writerow(COLUMNS)
            with TextIOWrapper(records, encoding="utf-8") as lines:
                for done, match in enumerate(in_order(matches), start=1):
                    lines.write(json.dumps(record(match), ensure_ascii=False, separators=(",", ":")) + "\n")
                    results.writerows(_rows(match))
                    run.progress(done, max(done, total))
        archive.write(table, table.name)


def in_order(matches: QuerySet[Match]) -> Iterator[Match]:
    """The matches by id, in batches, so that no transaction and no cursor stays open."""
    last = 0
    while found := list(
        matches.filter(pk__gt=last).select_related("club", "table").prefetch_related("seats").order_by("pk")[:AT_ONCE]
    ):
        yield from found
        last = found[-1].pk


def record(match: Match) -> dict[str, Any]:
    """The public record of the match, with its id."""
    record = record_of(match)
    found = {"id": str(match.pk), "date": _date(match), "place": match.club.name, "table": _table(match)}
    meta = found | {"sheet": match.paper} | record.get("meta", {})
    return record | {"meta": {key: text for key, text in meta.items() if text}}


def _rows(match: Match) -> Iterator[tuple[Any, ...]]:
    sheet = match.sheet
    sides = GAMES[match.game].sides(len(sheet["totals"]))
    tie = sum(side[0] in sheet["winners"] for side in sides) > 1
    for seat in match.seats.all():
        won = ("tie" if tie else "yes") if seat.number in sheet["winners"] else "no"
        points = sheet["totals"][seat.number]
        of_match = (match.pk, _date(match), match.game, _table(match))
        came = [
            f"{each['player']} from hand {each['hand'] + 1}"
            for each in sheet.get("substitutes", [])
            if each["seat"] == seat.number
        ]
        unverified = "yes" if match.unverified else ""
        yield (*of_match, seat.number, cell(seat.name), points, won, match.status, cell(", ".join(came)), unverified)


def _date(match: Match) -> str:
    return f"{localdate(match.created_at):%Y-%m-%d}"


def _table(match: Match) -> str:
    return str(match.table.number) if match.table else ""


def csv_of(rows: Iterable[Row]) -> str:
    """The rows for a spreadsheet, with the mark by which it knows that names have accents."""
    text = StringIO(BYTE_ORDER_MARK)
    text.seek(0, SEEK_END)
    csv.writer(text).writerows([cell(each) if isinstance(each, str) else each for each in row] for row in rows)
    return text.getvalue()


def cell(text: str) -> str:
    """The text, changed if a spreadsheet would read it as a formula."""
    return f"'{text}" if text.startswith(FORMULA) else text


def typed(cell: str) -> str:
    """The text that `cell` made this from."""
    return cell[1:] if cell.startswith("'") and cell[1:].startswith(FORMULA) else cell
